/* What a session is made of: for app/session, actions, modes, drive and their tests,
 * nobody else's. */
#ifndef APP_STATE_H
#define APP_STATE_H

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

/* Where in a lesson one arrives that is being opened. */
typedef struct Arrival {
    /* The step that makes the tensor of this name, at a cell of it unless that is
     * PLAYER_NONE; where there is no such step, … */
    char name[SESSION_NAME_SIZE];
    char path[SESSION_NAME_SIZE]; /* before that: the step of this path */
    size_t cell;
    size_t statement;  /* … that statement, or the last one; PLAYER_NONE: … */
    size_t depth;      /* … as in player_enter */
    bool cells, last;  /* … too */
    bool plain;        /* as the file has it: a variant that was shown is forgotten */
    VariantMove moves; /* among the lesson's variants */
    bool panel;        /* with the panel of switches open */
    bool reloads;      /* its file has changed: it stands for what is shown of it */
    bool carries;      /* what was changed in the lesson before it comes with it */
    bool remembered;   /* where one was in the lesson before, if memory has it */
    bool draft;        /* with what was changed in it before, or with … */
    char changes[SESSION_CHANGES_SIZE]; /* … these, as a lesson's file has them; "": none
                                         */
    const Mode *begins;                 /* the tour, a quiz's question; NULL: neither */
    bool compares;                      /* differences are shown */
    const char *act;                    /* this action is done; NULL: none */
} Arrival;

/* A lesson that is being read. */
typedef struct Opening {
    Loader *loader; /* NULL: none is */
    CourseLesson *entry;
    Arrival arrival;
    bool modified; /* it is not as its file has it, … */
    bool switched; /* … its model put otherwise */
    bool told;     /* the page says so */
    size_t kept_count;
    char kept[SESSION_KEYS_KEPT][SESSION_KEY_SIZE]; /* keys pressed meanwhile */
} Opening;

/* A lesson's file that is looked at while the lesson is shown, and what is wrong in it.
 */
typedef struct Watched {
    FileStamp read, last; /* as it was read; as it was when last looked at */
    char *changes;        /* made in the lesson, while it is read anew; or NULL */
    size_t carried;       /* how many of these the lesson shown came with */
    const char *name;     /* of the file with these errors, in the course's arena */
    ErrorList errors;     /* none: it is good */
} Watched;

/* Motion, and autoplay. */
typedef struct Autoplay {
    SessionMotion animates;
    bool runs;         /* autoplay does, … */
    bool fresh;        /* … and hasn't gone on yet since it was started */
    int speed;         /* 1 … PACE_SPEEDS */
    size_t motions;    /* that have begun */
    PaceMotion motion; /* how the session came to … */
    Player place;      /* … this place: step and cell of a lesson */
    double elapsed;    /* milliseconds since, at autoplay's rate while that runs */
} Autoplay;

/* A finger on the screen: where it came down, how long it has been there. */
typedef struct SessionTouch {
    bool down;
    bool done; /* what it was for has been done */
    Point from, last;
    double held;   /* milliseconds; less than none: it is no longer held still */
    Link link;     /* that it came down on */
    double spread; /* of two, since type was made larger or smaller last */
} SessionTouch;

struct Session {
    bool short_of_memory; /* for something that was asked for */
    size_t mode_count;
    const Mode *modes[MODES_MAX]; /* session/mode.h */
    char *states;                 /* of all modes, see mode_state */
    size_t shown, drawn;          /* how often the bottom was another; when last drawn */
    Course *course;               /* borrowed */
    CourseLesson files[2]; /* opened from paths, the one shown and the next; they go with
                              the session */

    /* the lesson shown, or shown last */
    CourseLesson *entry;  /* its place: the course's, or among `files` */
    size_t number;        /* in the course, from 1; 0: from a file */
    const Lesson *lesson; /* owned by its entry */
    Player player;
    Variants variants;
    LessonView tensor_view;  /* chosen by V for one step of the tree, … */
    size_t tensor_view_step; /* … this one */
    Link pointed;            /* the command under the pointer … */
    double pointed_for;      /* … and how many milliseconds it has been there */
    SessionTouch touch;
    bool has_hover;
    Link pin, hover;     /* LINK_CELL */
    Link wheel;          /* what it turns until the pointer moves; or LINK_NONE */
    Link term;           /* under the pointer since the last key; or LINK_NONE */
    const char *leaving; /* the key that, pressed again, leaves; NULL: none does */
    bool offers_text; /* E was pressed where no word stands: again leads where any may */
    bool scrubbing;   /* the pointer drags along the timeline … */
    bool scrubbing_training; /* … or along a training's curves */

    const Language *language;
    const Theme *theme;
    double text_scale;    /* how much larger than usual the type is; 1: as usual */
    double back_row;      /* the same while presenting */
    WordsDepth words;     /* how deep the words at the top go */
    bool sources;         /* steps are compared with their sources */
    double width, height; /* of the page last drawn */
    Field field;          /* what is being written */
    char *copied;         /* on the heap; goes with the session */
    Autoplay play;
    bool with_map; /* also where type is large */
    Opening opening;
    Watched watched;
    Memory *memory;               /* borrowed; NULL: nothing is kept between runs */
    const Language *was_language; /* as it was noted last, or found */
    const Theme *was_theme;
    bool in_background; /* lessons are read behind the session's back: see … */
    LoaderWatch watch;  /* … session_open_in_background */
    SessionRequest request;
    char message[SESSION_MESSAGE_SIZE];
    double message_left; /* milliseconds that it stays; 0: until the next key */
};

#endif
