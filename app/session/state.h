/* The fields of a session, for app/session, actions, modes, drive and their tests only.
 * The states of modes are not among them, see mode_state. */
#pragma once

#include "course/loader.h"
#include "course/variant.h"
#include "files/file_stamp.h"
#include "lesson/play/pace.h"
#include "picture/stage/page_content.h"
#include "session/field.h"
#include "session/session.h"

enum {
    SESSION_MESSAGE_SIZE = 512,
    SESSION_KEYS_KEPT = 64,
    SESSION_NAME_SIZE = 160,
    SESSION_CHANGES_SIZE = 1024
};
enum { MODES_MAX = 20 }; /* as many as there are: none is on twice */

typedef struct Mode Mode; /* session/mode.h */

/* The place in a lesson that is being opened, and how the lesson is shown there. The
 * first of `path` and `name`, `statement`, and `depth` with `cells` and `last` that leads
 * somewhere counts. */
typedef struct Arrival {
    char name[SESSION_NAME_SIZE]; /* of the tensor that the step makes; "": none */
    char path[SESSION_NAME_SIZE]; /* of the step; "": none */
    size_t cell;                  /* of that step's tensor, or PLAYER_NONE */
    size_t statement;  /* from 0; PLAYER_NONE: `depth`, `cells` and `last` count */
    size_t depth;      /* as in player_enter */
    bool cells;        /* as in player_enter */
    bool last;         /* as in player_enter */
    bool plain;        /* as the file has it: a variant that was shown is forgotten */
    VariantMove moves; /* among the lesson's variants */
    bool panel;        /* the panel of switches is open */
    bool reloads;      /* the file has changed; its errors are shown */
    bool carries;      /* changes in the lesson before are made again */
    bool remembered;   /* at the place where the lesson was left */
    bool draft;        /* changes noted in memory, or `changes`, are made */
    char changes[SESSION_CHANGES_SIZE]; /* as in a lesson's file; "": none */
    const Mode *begins;                 /* mode_tour, mode_practise; NULL: neither */
    bool compares;                      /* differences are shown */
    const char *act;                    /* name of an action to do, or NULL */
} Arrival;

/* A lesson that is being read. */
typedef struct Opening {
    Loader *loader; /* NULL: none is */
    CourseLesson *entry;
    Arrival arrival;
    bool modified;     /* the lesson differs from its file */
    bool switched;     /* the model has other switches than in the file */
    bool told;         /* the page shows that a lesson is being read */
    size_t kept_count; /* of `kept` */
    char kept[SESSION_KEYS_KEPT][SESSION_KEY_SIZE]; /* keys pressed meanwhile */
} Opening;

/* The file of the shown lesson, watched for changes, and its errors. */
typedef struct Watched {
    FileStamp read;   /* when the lesson was read */
    FileStamp last;   /* at the last look */
    char *changes;    /* made by hand, while the file is read again; owned, or NULL */
    size_t carried;   /* number of the shown lesson's changes that were made again */
    const char *name; /* of the file with the errors, in the course's arena */
    ErrorList errors; /* none: the file is good */
} Watched;

/* Animation of places, and autoplay. */
typedef struct Autoplay {
    SessionMotion animates;
    bool runs;         /* autoplay is on */
    bool fresh;        /* autoplay has not made a step since it was started */
    int speed;         /* from 1 to PACE_SPEEDS */
    size_t motions;    /* begun so far */
    PaceMotion motion; /* that led to `place` */
    Player place;      /* step and cell of a lesson that the times are about */
    double elapsed;    /* milliseconds at `place`, at autoplay's rate while it runs */
} Autoplay;

/* A finger on the screen. */
typedef struct SessionTouch {
    bool down;
    bool done;     /* its gesture has taken effect */
    Point from;    /* where it came down */
    Point last;    /* where the gesture was last counted from */
    double held;   /* milliseconds; negative: it has moved */
    Link link;     /* that it came down on */
    double spread; /* of two fingers, since the type size changed last */
} SessionTouch;

struct Session {
    bool short_of_memory; /* for something that was asked for */
    size_t mode_count;
    const Mode *modes[MODES_MAX]; /* from the bottom, see session/mode.h */
    char *states;                 /* of all modes, see mode_state */
    size_t shown;                 /* number of bottom modes so far */
    size_t drawn;                 /* `shown` at the last drawing */
    Course *course;               /* borrowed */
    CourseLesson files[2]; /* opened from paths: the one shown and the next; owned */

    /* the lesson shown, or shown last */
    CourseLesson *entry;  /* in the course or in `files` */
    size_t number;        /* in the course, from 1; 0: from a file */
    const Lesson *lesson; /* owned by its entry */
    Player player;
    Variants variants;
    LessonView tensor_view;  /* chosen by V for one step */
    size_t tensor_view_step; /* the step that the view was chosen for */
    Link pointed;            /* command under the pointer */
    double pointed_for;      /* milliseconds that the pointer has been on it */
    SessionTouch touch;
    bool has_hover;
    Link pin;            /* LINK_CELL */
    Link hover;          /* LINK_CELL */
    Link wheel;          /* cell that the wheel changes until the pointer moves */
    Link term;           /* under the pointer since the last key; or LINK_NONE */
    const char *leaving; /* key that leaves when it is pressed again, or NULL */
    bool offers_text;    /* E was pressed in a lesson without a text of its own: pressed
                            again it opens the lesson that takes any */
    bool scrubbing;      /* the pointer drags along the timeline */
    bool scrubbing_training; /* the pointer drags along a training's curves */

    const Language *language;
    const Theme *theme;
    double text_scale; /* size of the type; 1: usual */
    double back_row;   /* size of the type while presenting */
    WordsDepth words;  /* of the words at the top */
    bool sources;      /* steps are compared with their sources */
    double width;      /* of the page last drawn, in points */
    double height;     /* of the page last drawn, in points */
    Field field;       /* the text being written */
    char *copied;      /* text; owned */
    Autoplay play;
    bool with_map; /* also where type is large */
    Opening opening;
    Watched watched;
    Memory *memory;               /* borrowed; NULL: nothing is kept between runs */
    const Language *was_language; /* as last noted in memory, or found there */
    const Theme *was_theme;       /* as last noted in memory, or found there */
    bool in_background;           /* lessons are read by another thread */
    LoaderWatch watch;            /* see session_open_in_background */
    SessionRequest request;
    char message[SESSION_MESSAGE_SIZE]; /* "" for none */
    double message_left; /* milliseconds that it stays; 0: until the next key */
};
