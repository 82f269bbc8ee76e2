/* The state of a session, and what its parts do with it; for app/session, actions, modes,
 * drive and their tests only. */
#pragma once

#include "course/course.h"
#include "course/notes.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/play/changes_file.h"
#include "lesson/play/follow.h"
#include "lesson/play/pace.h"
#include "lesson/practise/practise.h"
#include "picture/draw/canvas.h"
#include "picture/stage/layouts.h"
#include "session/mode.h"

typedef struct HomeLesson HomeLesson;

/* ---- the session ----
 *
 * The states of modes are not among its fields, see mode_state. */

enum {
    SESSION_MESSAGE_SIZE = 512,
    SESSION_KEYS_KEPT = 64,
    SESSION_NAME_SIZE = 160,
    SESSION_CHANGES_SIZE = 1024,
    SESSION_COMPOSED_SIZE = 128
};
enum { MODES_MAX = 22 }; /* at least the number of modes: none is on twice */

/* The place in a lesson that is being opened, and how the lesson is shown there. `path`
 * or `name` counts first, then `statement`, then `depth` with `cells` and `last`: the
 * first that leads to a place. */
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
    bool follows;      /* by a link: Escape returns to the present place */
    bool returns;      /* to where a link was followed from */
    bool draft;        /* changes noted in memory, or `changes`, are made */
    char changes[SESSION_CHANGES_SIZE]; /* as in a lesson's file; "": none */
    const Mode *begins;                 /* mode_tour, mode_practise; NULL: neither */
    bool compares;                      /* differences are shown */
    const char *act;                    /* name of an action to do, or NULL */
} Arrival;

/* A place that a link was followed from. */
typedef struct ReturnPlace {
    size_t lesson;                /* of the course */
    char path[SESSION_NAME_SIZE]; /* of the step */
    size_t cell;                  /* of the step's tensor, or PLAYER_NONE */
} ReturnPlace;

enum { RETURNS_MAX = 16 };

/* The places that links were followed from, the last one last. */
typedef struct Returns {
    size_t count;
    ReturnPlace places[RETURNS_MAX];
    size_t arrived; /* step that the last link led to, or PLAYER_NONE */
} Returns;

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

/* A pinned cell, and the player's place where it was put; see mode_pin. */
typedef struct PinPlace {
    Link cell;   /* LINK_CELL */
    size_t step; /* of the player */
    size_t at;   /* cell of the player, or PLAYER_NONE */
} PinPlace;

struct Session {
    bool short_of_memory; /* for something that was asked for */
    size_t mode_count;
    const Mode *modes[MODES_MAX]; /* from the bottom, see session/mode.h */
    char *states;                 /* of all modes, see mode_state */
    size_t shown;                 /* counts changes of the bottom mode */
    size_t drawn;                 /* `shown` at the last drawing; another: draw anew */
    Course *course;               /* borrowed */
    CourseLesson files[2]; /* opened from paths: the one shown and the next; owned */

    /* the lesson shown, or shown last */
    CourseLesson *entry;  /* in the course or in `files` */
    size_t number;        /* in the course, from 1; 0: from a file */
    const Lesson *lesson; /* owned by its entry */
    Player player;
    Variants variants;
    Returns returns;
    LessonView tensor_view;  /* chosen by V for one step */
    size_t tensor_view_step; /* the step that the view was chosen for */
    Link pointed;            /* command under the pointer */
    double pointed_for;      /* milliseconds that the pointer has been on it */
    SessionTouch touch;
    bool has_hover;
    Link drawn_cell;         /* the explained one or, if the page doesn't draw that, its
                                first one; LINK_NONE: it draws none */
    size_t drawn_step;       /* the step that it was drawn for */
    const Lesson *drawn_for; /* the lesson that it was drawn for; NULL: none yet */
    Link pin;                /* LINK_CELL, as the present step has it */
    PinPlace pinned;         /* as it was put */
    Link hover;              /* LINK_CELL */
    Link term;               /* under the pointer since the last key; or LINK_NONE */
    bool presses;            /* a click waits for the page without its animation */
    Point press;             /* where that was, in points */
    Link clicked;            /* cell that the last press was on; or LINK_NONE */
    Point clicked_at;        /* where that was, in points */
    size_t clicked_in;       /* `shown` then */
    const char *leaving;     /* key that leaves when it is pressed again, or NULL */
    bool offers_text; /* E was pressed in a lesson without a text of its own: pressed
                         again it opens the lesson that takes any */
    bool scrubbing;   /* the pointer drags along the timeline */
    bool scrubbing_training; /* the pointer drags along a training's curves */

    const Language *language;
    const Theme *theme;
    SessionScreen screen;
    double text_scale; /* size of the type; 1: usual */
    double back_row;   /* size of the type while presenting */
    WordsDepth words;  /* of the words at the top */
    bool sources;      /* steps are compared with their sources */
    Layouts layouts;   /* of the pages drawn so far */
    bool counted;      /* the hint about how rows and columns are counted was shown */
    const Lesson *counted_in;             /* lesson that showed the hint first, or NULL */
    size_t counted_at;                    /* step that showed the hint first */
    double width;                         /* of the page last drawn, in points */
    double height;                        /* of the page last drawn, in points */
    Field field;                          /* the text being written */
    char composed[SESSION_COMPOSED_SIZE]; /* by an input method, not in the field yet */
    char *copied;                         /* text; owned */
    Autoplay play;
    bool with_map; /* also where type is large */
    Opening opening;
    Watched watched;
    Notes *memory;                /* borrowed; NULL: nothing is kept between runs */
    const Language *was_language; /* as last noted in memory, or found there */
    const Theme *was_theme;       /* as last noted in memory, or found there */
    bool in_background;           /* lessons are read by another thread */
    LoaderWatch watch;            /* see session_open_in_background */
    SessionRequest request;
    char message[SESSION_MESSAGE_SIZE]; /* "" for none */
    double message_left; /* milliseconds that it stays; 0: until the next key */
};

/* ---- The bottom of the stack of modes: a lesson, home, or nothing yet ---- */

/* Where to go on in the course. */
typedef struct HomePlace {
    size_t lesson;
    size_t statement; /* of the lesson */
    bool known;       /* the lesson was left there; else it is the course's beginning */
    bool ended;       /* that place is the lesson's last step */
} HomePlace;

/* The state of mode_home. */
typedef struct HomeState {
    HomeLesson *lessons; /* all, in the course's arena; NULL: no memory */
    Link chosen;         /* as in Home */
    Link door;           /* as in Home */
    bool choosing;       /* by a key: until then Right begins a lesson */
    double scroll;       /* of larger type, as home_draw has limited it */
    double scroll_most;
    double time;    /* of the moving highlight, in milliseconds */
    double length;  /* duration of its movement, in milliseconds; 0: none */
    Loader *loader; /* of a lesson whose picture is wanted, or NULL */
    size_t reading; /* the loader's lesson */
    HomePlace left; /* where the last lesson of the course was left */
} HomeState;

/* State of mode_home. */
HomeState *home_state(const Session *session);

/* Leaves all modes and begins with another at the bottom. */
void mode_begin(Session *session, const Mode *bottom);

/* Shows the home page, its highlight at the start. */
void home_enter(Session *session);

/* Notes where the open lesson is left, so that home can continue there. home_place
 * returns that place; if none is noted, the lesson to begin with, `known` false. */
void home_note_place(Session *session);
HomePlace home_place(const Session *session);

/* ---- The path of cells followed back from a number: the state of mode_trace ---- */

/* A cell of the path, and where the session stood when it was explained. */
typedef struct FollowPathPoint {
    FollowCell cell;
    size_t step;  /* of the player */
    size_t depth; /* of the player */
    size_t at;    /* cell of the player, or PLAYER_NONE */
    bool has_pin;
    Link pin; /* LINK_CELL */
    LessonView view;
    size_t view_step; /* that the view was chosen for */
} FollowPathPoint;

typedef struct FollowPath {
    size_t count; /* 0, or 2 and more */
    size_t capacity;
    FollowPathPoint *places; /* on the heap; freed with the session */
} FollowPath;

/* State of mode_trace. */
FollowPath *follow_path(const Session *session);

/* Reports whether the session stands at the end of the path. */
bool trace_is_open(const Session *session);

/* ---- Practising and the quiz: the state of mode_practise ---- */

/* A quiz over the course. Each of its questions is practised as a round of one. */
typedef struct QuizState {
    bool on;      /* from its first question until it is left */
    size_t count; /* of questions */
    size_t at;    /* present question; `count` behind the last */
    QuizItem items[QUIZ_QUESTIONS];
    char paths[QUIZ_QUESTIONS][SESSION_NAME_SIZE]; /* of their steps, once asked */
    size_t taken; /* quizzes finished while no progress is kept */
} QuizState;

typedef struct PractiseState {
    Practise round;  /* also of a step's question (session/state.h) */
    bool whole;      /* the round is of the lesson, not of one step */
    bool recorded;   /* the round's outcome is noted */
    size_t chosen;   /* in the list at the end, or PLAYER_NONE */
    Player before;   /* where the round began */
    size_t rounds;   /* finished while no progress is kept */
    size_t extra;    /* rounds of single steps */
    Notes *progress; /* borrowed; NULL: nothing is kept between runs */
    QuizState quiz;
} PractiseState;

/* State of mode_practise, and the quiz in it. */
PractiseState *practise_state(const Session *session);
QuizState *quiz_state(const Session *session);

/* ---- Presenting a lesson to a class: the state of mode_present ---- */

/* Cover of the page. */
typedef enum PresentScreen {
    PRESENT_PAGE, /* nothing */
    PRESENT_BLACK,
    PRESENT_WHITE,
    PRESENT_END /* a slide behind the lesson's last step */
} PresentScreen;

typedef struct PresentState {
    PresentScreen screen;
    bool spotlight;    /* turned on by its key */
    bool held;         /* spotlight as long as Ctrl is held */
    bool points;       /* a dot follows the pointer */
    bool has_at;       /* the pointer is on the page */
    Point at;          /* of the pointer */
    double elapsed;    /* milliseconds since it began */
    bool notes_turned; /* see session_turns_notes */
    SessionNotes notes;
    bool clean;        /* lessons are shown without what was changed in them before */
    bool took_variant; /* a text or switches were taken back; undone at the end */
    Player before;     /* where it began from the first step; or {0} */
    char *changes;     /* changes taken back, to be made again; owned, or NULL */
} PresentState;

/* State of mode_present. */
PresentState *present_state(const Session *session);

/* Takes back the changes of the lesson shown, until it is left or presenting ends. False
 * if there are none. */
bool present_take_changes(Session *session);

/* Makes the changes again that present_take_changes took back. False if there are none.
 */
bool present_give_changes(Session *session);

/* ---- Writing a text: the state of mode_prompt ---- */

/* The purpose of a text. */
typedef struct Prompt {
    const char *title; /* strings key: what to write; at a cell {0} is the cell's name */
    const char *keys;  /* strings key: what Enter and Escape do */
    /* Takes the text; false leaves the field open, and the session's message gives the
     * reason. */
    bool (*use)(Session *session, const char *text);
    bool at_cell; /* the field is small and at the edited cell */
    /* Words to choose from as the text stands, new in the arena, and their number; NULL
     * for none. */
    const char *const *(*words)(const Session *session, Arena *arena, size_t *count);
} Prompt;

/* A cell being set by hand. */
typedef struct EditedCell {
    Link shown; /* where it was chosen: K.T stands for K */
    size_t node, row, col;
} EditedCell;

typedef struct PromptState {
    const Prompt *prompt; /* borrowed */
    EditedCell edited;    /* if the prompt is at a cell */
    bool turned;          /* the wheel has changed that cell */
} PromptState;

/* State of mode_prompt. */
PromptState *prompt_state(const Session *session);

/* Opens a field with a text to edit. The prompt is borrowed. */
void prompt_begin(Session *session, const Prompt *prompt, const char *text);

/* ---- Questions: a step with a question hides its result until it is answered or
 * revealed. The mode is on while the question is open, and then while its step is shown;
 * while practising, as long as an exercise with options is open. */

enum { QUESTIONS_KEPT = 512 };

/* A question that was answered. */
typedef struct QuestionAnswered {
    uint64_t lesson; /* hash of its ID */
    uint64_t step;   /* hash of its path */
    ExerciseOutcome outcome;
    bool presented; /* a class was asked */
} QuestionAnswered;

/* The state of mode_question. The round of a question that waits is `practise.round`. */
typedef struct QuestionState {
    bool on;              /* steps with a question hide their result */
    List options;         /* of the present question */
    const Lesson *lesson; /* of the present question while the mode is on */
    size_t step;          /* of the present question while the mode is on */
    bool again;           /* the present question has been answered before */
    const Lesson *begun;  /* whose first step was shown last while presenting, or NULL */
    size_t count;         /* of `answered` */
    QuestionAnswered answered[QUESTIONS_KEPT]; /* oldest first */
} QuestionState;

/* State of mode_question. */
QuestionState *question_state(const Session *session);

/* Opens the present step's question, or closes that of another step. To be called after
 * anything that may have moved the session. */
void questions_look(Session *session);

/* Forgets which questions were answered, for another class; of a talk that goes on,
 * `resumes`, only those that weren't answered in it. */
void questions_ask_again(Session *session, bool resumes);

/* Forgets the answer to the present step's question, and asks it again. */
void questions_ask_anew(Session *session);

/* True if the present step has a question. In a lesson that was changed by hand it has
 * none, because its answers would differ. */
bool questions_here(const Session *session);

/* True if the present step's question waits for an answer, even before questions_look has
 * asked it. */
bool questions_wait(const Session *session);

/* Returns the exercise while the mode is on, else NULL; and reports whether its answer is
 * still hidden. */
const Exercise *questions_asked(const Session *session);
bool questions_open(const Session *session);

/* True if typed text begins an answer. */
bool questions_take_text(const Session *session);

/* Shows the result that nothing hides any more; gives the question up, and shows it; the
 * latter where a lesson's question waits, else false. */
bool questions_show_result(Session *session);
bool questions_see_answer(Session *session);
bool questions_show_answer(Session *session);

/* ---- The present position in the course, and data that belongs to it ---- */

/* Returns the view chosen by V for the present step; other steps are drawn as their
 * lesson asks. */
LessonView session_tensor_view(const Session *session);

/* Returns the tape that the present lesson's values are compared with: that of the lesson
 * as its file has it, or NULL for the originals in its own tape. */
const Tape *session_base(const Session *session);

/* True if the present lesson's steps are compared with their sources. */
bool session_shows_sources(const Session *session);

/* The cell that is explained: pinned, else under the pointer, else the step's own. False
 * when there is none. */
bool lesson_explained_cell(const Session *session, FollowCell *cell);

/* Why nothing can be done with that cell: the key of what is said where there is none,
 * else NULL. */
const char *lesson_no_cell_reason(const Session *session);

/* True if a step is an epoch of a training. */
bool scrub_is_epoch(const Session *session, size_t step);

/* True if the lesson ends at this place. */
bool lesson_ends(const Player *player);

/* Goes to a step of the tree. */
void lesson_go_to_step(Session *session, size_t step);

/* Ends what is about another place than the present one, to be called after moving: the
 * lens. A pinned cell rests in a step that doesn't have it: mode_pin_rests is on in place
 * of mode_pin until a step has it. */
void lesson_leave_place(Session *session);

/* Pins a cell of the present place in place of another; moves the pin there, if one is;
 * lets it rest, or not, as the present place has it; lets it rest; lets it go, resting or
 * not. */
void pin_put(Session *session, Link cell);
void pin_move(Session *session, Link cell);
void pin_look(Session *session);
void pin_rest(Session *session);
void pin_drop(Session *session);

/* Puts a trail on a page, where it isn't NULL and there is room for one more. */
void lesson_add_trail(Page *page, const Trail *trail);

/* The number of an entry in the course, from 1; 0 for one of the user's. */
size_t location_number(const Session *session, const CourseLesson *entry);

/* True if an entry is of a file that isn't in the course's list. */
bool location_is_file(const Session *session, const CourseLesson *entry);

/* ---- Motion: the animation towards the present place. Going anywhere else drops it. */

/* The session has come on from `before`, on the same lesson. */
void autoplay_begin_motion(Session *session, const Player *before);

/* Ends the animation of the present place, with no time spent on it; and reports
 * whether the times are of this place. */
void autoplay_arrive(Session *session);
bool autoplay_is_here(const Session *session);

/* Drops the animation and the place that it is of. */
void autoplay_end_motion(Session *session);

/* Completes the animation; returns false if there is none, or if it is of cells. */
bool autoplay_skip_motion(Session *session);

/* Ends autoplay. */
void autoplay_stop(Session *session);

/* Returns the visible part of the present place; {0} for all of it. */
PaceMoment session_moment(const Session *session);

/* ---- Texts of a session: messages, titles and the words of the interface ---- */

/* Words of the interface in the session's language. */
const char *session_words(const Session *session, const char *key);

/* Appends `more` to a list in words, new in the arena; with `so_far` NULL returns `more`.
 */
const char *session_list(const Session *session, const char *so_far, const char *more,
                         Arena *arena);

/* Reports whether the key that leaves a lesson was pressed twice; at the first press a
 * message says that the second will leave. `key` must outlive the session. */
bool session_leaves(Session *session, const char *key, const char *words);

/* Says that there is no memory for what was asked for. */
void session_report_no_memory(Session *session);

/* Shows why a change was refused: lack of memory, or the limit of work. */
void session_report_no_change(Session *session);

/* ---- Opening lessons, at once or in the background ---- */

/* Opens an entry; `options`: read anew with these, NULL: as it stands. True when it is
 * open, or on its way in the background. */
bool opening_begin(Session *session, CourseLesson *entry, Arrival arrival,
                   const LessonOptions *options, ErrorList *errors);

/* Shows what the loader has read. */
bool opening_finish(Session *session, ErrorList *errors);

/* Opens lesson number `index` of the course where the arrival says, at none of its cells;
 * true, too, where a message says why it isn't open. */
bool opening_number(Session *session, size_t index, Arrival arrival);

/* Opens lesson number `index` of the course on the step of a tensor, or ("") on its
 * first, wherever it was left. */
bool opening_at(Session *session, size_t index, const char *tensor);

/* The same by a link, so that Escape returns; with NULL where the lesson was left. */
bool opening_follow(Session *session, size_t index, const char *tensor);

/* Opens lesson number `index` of the course by a link on its first step, with a text in
 * place of its own; NULL: to write one. */
bool opening_with_text(Session *session, size_t index, const char *text);

/* Shows another variant of the present lesson at the same place. False, with a message
 * that says why, when it can't be; the lesson then stays. */
bool opening_variant(Session *session, const Variant *variant, VariantMove move);

/* ---- Returning: a link that was followed leads back by Escape, until another lesson is
 * opened without one or home is shown. ---- */

/* Notes the present place, before a link is followed. False if there is no lesson, or no
 * room in the list of the user's own for a file. */
bool returns_note(Session *session);

/* Says where Escape leads, after a link whose place was noted was followed. */
void returns_arrive(Session *session);

void returns_forget(Session *session);

/* Reports whether there is a place to return to; and whether the session also stands
 * where the link led. */
bool returns_exist(const Session *session);
bool returns_arrived(const Session *session);

/* Returns to the last place; false where there is none. */
bool returns_go(Session *session);

/* ---- Reloading: a lesson's file is read again when its author saves it, keeping the
 * changes by hand; errors in it are shown. */

/* The lesson shown was read just now: later changes of its file count. */
void reload_watch(Session *session);

/* Notes what is changed by hand now. */
void reload_note_changes(Session *session);

/* Makes the noted changes again in the lesson that replaced the present one; a message
 * names those that have no place there. */
void reload_change_again(Session *session);

/* Shows a file's errors over the page; NULL: no more. */
void reload_report(Session *session, const char *path, const ErrorList *errors);

/* Takes errors away that are not the shown lesson's; false when there are none. */
bool reload_dismiss(Session *session);

/* Draws the strip with the errors, or only measures it; returns its height, 0 for none.
 */
double reload_strip(const Session *session, const Canvas *canvas, bool draw);

/* ---- remembering ----
 *
 * Notes of a session in its memory, and their use when a lesson is opened (opening.c). */

/* Sets the arrival to the last position in a lesson; leaves it unchanged if none is
 * noted. */
void remember_place(const Session *session, const CourseLesson *entry, Arrival *arrival);

/* Returns the changes of a lesson in the arena; false for none. */
bool remember_draft(const Session *session, const CourseLesson *entry, Arena *arena,
                    MemoryDraft *noted, ChangesDraft *draft);

/* Changes the lesson shown as a link's list of changes says; NULL: as its draft does, and
 * says so.
 *
 * A list that isn't the draft's begins a visit, a lesson opened with a link's changes. A
 * visit notes no draft until something is changed in it, and none at all where the reader
 * has a draft already: that is there again when the lesson is left and opened anew. */
void remember_changes(Session *session, const char *list);

/* True if opening a lesson ends a visit to it, because the reader has a draft of it. */
bool remember_ends_visit(const Session *session, const CourseLesson *entry);

/* True if a lesson is being read, rather than shown by the tour or by practice. */
bool session_reads(const Session *session);

/* Notes a lesson that is shown now among those opened from files, where it is one. */
void remember_opened(Session *session);

/* ---- Links: where a session is, as the end of a web page's address, and back.
 *
 *     ?lesson=08-one-head&step=3.1&cell=4&lang=zh&theme=dark
 *
 * `step` is a step's path, `cell` counts its cells from 0, row by row. `changes` is what
 * is changed in the lesson, as its file would have it, blanks as "+":
 *
 *     &changes={cell:+[X,+0,+1],+value:+3},{mute:+S}
 *
 * What is not there stays as it is, what is not known is left out, and so are changes
 * that take more than SESSION_CHANGES_SIZE bytes. */

/* Returns true if a name that is to be opened is a link: it has such an end. */
bool link_is(const char *name);

/* The lesson that a link leads to, and where in it; false, and no change of these, where
 * it names none. What it says of language and theme holds for this once. */
bool link_read(Session *session, const char *link, char lesson[SESSION_NAME_SIZE],
               Arrival *arrival);

/* The link to what the session shows, new in the arena; NULL when that is exhausted. A
 * lesson that isn't the course's has no place in it. */
const char *link_write(const Session *session, Arena *arena);
