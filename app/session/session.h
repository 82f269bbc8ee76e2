/* A session: what the program is showing, and what keys and the pointer do to it.
 *
 * It knows nothing of windows: the window and `play` drive the same session, one with
 * events, one with key names, and draw what it shows with the same painter. Keys have
 * SDL's names ("Right", "Escape", "S", "?"), with modifiers before them in this order:
 * "Ctrl+Z", "Shift+Backspace", "Ctrl+Shift+Z".
 *
 * session.c opens lessons; session_keys.c has the table of keys; what keys do is in
 * session_moves.c, session_text.c, session_mute.c, session_edit.c and whatever comes to
 * stand beside them (see session_actions.h); session_pointer.c has the pointer,
 * session_draw.c the picture.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "lesson/play/practise.h"
#include "picture/explain/influence.h"
#include "picture/page/help.h"
#include "picture/page/overview.h"
#include "picture/page/page.h"
#include "picture/page/trail.h"
#include "session/course.h"
#include "session/field.h"
#include "session/loader.h"
#include "session/progress.h"

typedef enum SessionView {
    SESSION_OVERVIEW,
    SESSION_LESSON,
    SESSION_OPENING /* nothing yet: the first lesson is being read */
} SessionView;

/* What a session asks of whoever drives it; cleared by session_take_request. */
typedef enum SessionRequest {
    SESSION_NOTHING,
    SESSION_QUIT,
    SESSION_SAVE,       /* save the present picture and call session_say */
    SESSION_FULLSCREEN, /* turn full screen on or off */
    SESSION_KEEP,       /* write the lesson's changes: call keep_lesson */
    SESSION_PASTE       /* call session_type with the clipboard's text */
} SessionRequest;

enum { SESSION_MESSAGE_SIZE = 512, SESSION_KEYS_KEPT = 64, SESSION_KEY_SIZE = 32 };

typedef struct Session Session;

/* What a text is being written for. */
typedef struct SessionPrompt {
    const char *title, *keys; /* strings keys: what to write; what Enter and Escape do */
    /* Takes the text; false leaves the field open, the session's message says why. */
    bool (*use)(Session *session, const char *text);
    bool at_cell; /* a small field at session->edited; `title` takes the cell's name */
} SessionPrompt;

/* A cell being set by hand. */
typedef struct EditedCell {
    Link shown; /* where it was chosen: K.T stands for K */
    size_t node, row, col;
} EditedCell;

enum { SESSION_NAME_SIZE = 160 };

/* Where in a lesson one arrives that is being opened. */
typedef struct SessionArrival {
    size_t statement; /* that statement, or PLAYER_NONE: … */
    size_t depth;     /* … as in player_enter */
    bool cells, last;
    bool plain; /* without a text of the learner's own, which is forgotten */
    /* … or, where there is one, the step that makes the tensor of this name, at a cell of
     * it unless that is PLAYER_NONE. */
    char name[SESSION_NAME_SIZE];
    size_t cell;
} SessionArrival;

/* A lesson that is being read. */
typedef struct SessionOpening {
    Loader *loader; /* NULL: none is */
    CourseLesson *entry;
    SessionArrival arrival;
    bool with_text; /* of the learner's own, … */
    bool switched;  /* … or with the model put otherwise */
    bool told;      /* the page says so */
    size_t kept_count;
    char kept[SESSION_KEYS_KEPT][SESSION_KEY_SIZE]; /* keys pressed meanwhile */
} SessionOpening;

/* Where the session stood at a cell that was followed. */
typedef struct FollowPlace {
    FollowCell cell;
    size_t step, depth, at; /* the player's cursor */
    bool has_pin;
    Link pin;
    LessonView view;
    size_t view_step;
} FollowPlace;

/* The way followed back: none, or two places and more. */
typedef struct Follow {
    size_t count, capacity;
    FollowPlace *places; /* on the heap; goes with the session */
} Follow;

/* What I has turned on. */
typedef struct SessionInfluence {
    Arena *arena;         /* NULL: it is off */
    Gradients *gradients; /* in the arena */
    uint64_t digest;      /* of what they were worked out from */
    Influence shown;
} SessionInfluence;

/* Motion, and autoplay. */
typedef struct SessionPlay {
    bool animates;     /* else places are there at once */
    bool runs;         /* autoplay does, … */
    bool fresh;        /* … and hasn't gone on yet since it was started */
    int speed;         /* 1 … PACE_SPEEDS */
    PaceMotion motion; /* how the session came to … */
    Player place;      /* … this place: step and cell of a lesson */
    double elapsed;    /* milliseconds since, at autoplay's rate while that runs */
} SessionPlay;

/* Practising: a round, and where it began. */
typedef struct SessionPractise {
    bool on;
    Practise round;
    bool whole;               /* of the lesson, not of one step */
    bool recorded;            /* what became of it is noted */
    Field answer;             /* being written */
    size_t chosen;            /* in the list at the end, or PLAYER_NONE */
    size_t step, depth, cell; /* the player's cursor before */
    size_t rounds, extra;     /* finished while nothing is kept; asked of single steps */
    Progress *progress;       /* borrowed; NULL: nothing is kept between runs */
} SessionPractise;

struct Session {
    Course *course; /* borrowed */
    SessionView view;
    size_t chosen;        /* the card chosen in the overview … */
    bool choosing;        /* … by a key: until then Right begins a lesson */
    size_t number;        /* the lesson's number in the course, from 1; 0: from a file */
    CourseLesson *entry;  /* the lesson's place: the course's, or `file` */
    const Lesson *lesson; /* the one shown; owned by its entry */
    CourseLesson file;    /* a lesson opened from a path; goes with the session */
    Player player;
    const Language *language;
    const Theme *theme;
    LessonView tensor_view;  /* chosen by V for one step of the tree, … */
    size_t tensor_view_step; /* … this one */
    WordsDepth words;        /* how deep the words at the top go */
    bool help;               /* the help overlay is open */
    bool has_pin, has_hover;
    Link pin, hover;             /* LINK_CELL */
    size_t item_count;           /* lessons in the overview */
    OverviewItem *items;         /* in the course's arena */
    double width, height;        /* of the page last drawn */
    bool scrubbing;              /* the pointer drags along the timeline … */
    bool scrubbing_training;     /* … or along a training's curves */
    const SessionPrompt *prompt; /* what is being written, or NULL */
    Field field;                 /* … and how far */
    EditedCell edited;           /* what a number is typed for */
    bool compares;               /* differences are shown in place of values */
    bool switching;              /* the panel of the model's switches is open, … */
    size_t switch_line;          /* … on this line */
    SessionPlay play;
    Follow follow;
    SessionInfluence influence;
    SessionPractise practise;
    SessionOpening opening;
    bool in_background; /* lessons are read behind the session's back: see … */
    LoaderWatch watch;  /* … session_open_in_background */
    SessionRequest request;
    char message[SESSION_MESSAGE_SIZE];
};

/* A session on the overview, in English and the first theme. */
void session_init(Session *session, Course *course);

/* Drops a lesson opened from a path, and one that is still being read. */
void session_finish(Session *session);

/* Keeps what is practised in these notes, which the caller closes behind the session, and
 * says where they were found damaged. */
void session_keep_progress(Session *session, Progress *progress);

/* ---- opening ---- */

/* Opens a lesson by its id, or by its file's path: in place of the one opened by a path
 * before, and not while that is on the screen in the background. False with errors; the
 * session stays. */
bool session_open(Session *session, const char *lesson, ErrorList *errors);

/* Opens lesson number `index` of the course; a lesson with errors stays closed and a
 * message says so. */
bool session_open_number(Session *session, size_t index);

/* From here on lessons that take long are read while the session goes on; `watch` is told
 * when session_poll would do something. */
void session_open_in_background(Session *session, LoaderWatch watch);

/* Whether a lesson is being read, in the background. Keys pressed meanwhile are kept. */
bool session_is_opening(const Session *session);

/* Lets go of the lesson that is being read; the watch is told nothing of it. */
void session_abandon_opening(Session *session);

/* Has the page say that a lesson is being opened. */
void session_tell_opening(Session *session);

/* Shows the lesson that was being read, if it is there, and presses the keys kept. False,
 * and no change, while it isn't. Where there is nothing else to show and it has errors,
 * they go to *errors and the session asks to quit. */
bool session_poll(Session *session, ErrorList *errors);

/* Reads the present lesson again with a text of the learner's own, or with its own text
 * where that is NULL. False, with a message that says why, when it takes none or can't
 * take this one; the lesson then stays. */
bool session_use_text(Session *session, const char *text);

/* The same with the model put otherwise, or as the file has it where all switches are 0.
 */
bool session_use_switches(Session *session, const LessonSwitches *switches);

/* What the present lesson's values are compared with: the unswitched one's tape, or NULL
 * for the originals of its own. */
const Tape *session_base(const Session *session);

/* ---- keys ---- */

/* Does what a key stands for; false when it stands for nothing here. In any case of
 * letters, or the character itself ("?"). */
bool session_key(Session *session, const char *key);

/* Whether a text is being written: letters then come by session_type. */
bool session_is_writing(const Session *session);

/* Puts UTF-8 text into what is being written; nothing while nothing is. True when it
 * changed. */
bool session_type(Session *session, const char *text);

/* Whether a key stands for anything anywhere. */
bool session_key_exists(const char *key);

/* The nearest name to a key that nothing is bound to, or NULL. */
const char *session_nearest_key(const char *key);

/* ---- time ---- */

/* From here on places come to be in time, as session_tick tells it, or are there at once.
 * A session begins without motion; autoplay needs the time anyway. */
void session_animate(Session *session, bool animates);

/* So many milliseconds have passed. True when the picture changed. */
bool session_tick(Session *session, double milliseconds);

/* After how many milliseconds, at least 0, session_tick would change something; infinity
 * when nothing moves. */
double session_until_change(const Session *session);

/* What is there of the present place; {0}: all of it. */
PaceMoment session_moment(const Session *session);

/* Whether an answer to an exercise is being written. */
bool practise_is_writing(const Session *session);

/* ---- the pointer ---- */

/* The pointer moved, was pressed, was let go at a point of the page last drawn (`scene`).
 * True when the picture changed. */
bool session_pointer_move(Session *session, const Scene *scene, double x, double y);
bool session_pointer_press(Session *session, const Scene *scene, double x, double y);
bool session_pointer_release(Session *session);

/* The pointer was pressed twice, or its wheel turned by `steps` (up is positive). */
bool session_pointer_double(Session *session, const Scene *scene, double x, double y);
bool session_pointer_wheel(Session *session, const Scene *scene, double x, double y,
                           int steps);

/* ---- what it says and shows ---- */

/* What is asked for, once. */
SessionRequest session_take_request(Session *session);

/* Shows a sentence until the next key; in the session's language by a strings key with
 * {0} and {1} replaced by arguments (NULL: ""). */
void session_say(Session *session, const char *key, const char *first,
                 const char *second);

/* The way followed back, new in the arena; NULL for none. */
const Trail *session_trail(const Session *session, Arena *arena);

/* What V has chosen for the present step; another step is drawn as its lesson asks. */
LessonView session_tensor_view(const Session *session);

/* Draws what the session shows, on a page of that size in points. `interactive`: with
 * hover, hints, help and messages, as the window does; else as exported. The scene lives
 * in `arena` and borrows the session's lesson. */
void session_draw(Session *session, Scene *scene, Arena *arena,
                  const TextMetrics *metrics, double width, double height,
                  bool interactive);

/* A name for the file of the present picture, without folder:
 * "07-one-head-03-softmax.png". */
const char *session_picture_name(const Session *session, Arena *arena);

#endif
