/* What a session is made of: for its own files and their tests, nobody else's. What is
 * declared here below the struct is what these files do for each other. */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "course/loader.h"
#include "course/variant.h"
#include "files/file_stamp.h"
#include "lesson/practise/practise.h"
#include "lesson/practise/quiz.h"
#include "picture/bar/top_bar.h"
#include "picture/bar/trail.h"
#include "picture/explain/influence.h"
#include "picture/home/home.h"
#include "picture/panels/practise_panel.h"
#include "picture/panels/quiz_sheet.h"
#include "session/field.h"
#include "session/mode.h"
#include "session/session.h"

enum {
    SESSION_MESSAGE_SIZE = 512,
    SESSION_KEYS_KEPT = 64,
    SESSION_NAME_SIZE = 160,
    SESSION_CHANGES_SIZE = 1024
};
enum { QUESTIONS_KEPT = 512 };

/* What a text is being written for. */
typedef struct Prompt {
    const char *title, *keys; /* strings keys: what to write; what Enter and Escape do */
    /* Takes the text; false leaves the field open, the session's message says why. */
    bool (*use)(Session *session, const char *text);
    bool at_cell; /* a small field at session->edited; `title` takes the cell's name */
    /* Words to choose from as the text stands, *count of them, new in the arena; NULL:
     * none. */
    const char *const *(*words)(const Session *session, Arena *arena, size_t *count);
} Prompt;

/* A cell being set by hand. */
typedef struct EditedCell {
    Link shown; /* where it was chosen: K.T stands for K */
    size_t node, row, col;
} EditedCell;

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
    bool tours;                         /* at the tour's present station */
    bool quizzes;                       /* at the quiz's present question */
    bool compares;                      /* differences are shown */
    const char *act;                    /* this action is done; NULL: none */
} Arrival;

/* A lesson that is being read. */
typedef struct Opening {
    Loader *loader; /* NULL: none is */
    CourseLesson *entry;
    Arrival arrival;
    bool varies;   /* it is not as its file has it, … */
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

/* Where the session stood at a cell that was followed. */
typedef struct WayPlace {
    FollowCell cell;
    size_t step, depth, at; /* the player's cursor */
    bool has_pin;
    Link pin;
    LessonView view;
    size_t view_step;
} WayPlace;

/* The way followed back: none, or two places and more. */
typedef struct Way {
    size_t count, capacity;
    WayPlace *places; /* on the heap; goes with the session */
} Way;

/* What I has turned on. */
typedef struct SessionInfluence {
    Arena *arena;         /* NULL: it is off */
    Gradients *gradients; /* in the arena */
    uint64_t digest;      /* of what they were worked out from */
    Influence shown;
} SessionInfluence;

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

/* What of the glossary is open. */
typedef struct SessionGlossary {
    size_t term;  /* that is chosen */
    size_t place; /* of those where it is at work */
} SessionGlossary;

/* Practising: a round, and where it began. */
typedef struct SessionPractise {
    Practise round;
    bool whole;               /* of the lesson, not of one step */
    bool recorded;            /* what became of it is noted */
    size_t chosen;            /* in the list at the end, or PLAYER_NONE */
    size_t step, depth, cell; /* the player's cursor before */
    size_t rounds, extra;     /* finished while nothing is kept; asked of single steps */
    Progress *progress;       /* borrowed; NULL: nothing is kept between runs */
} SessionPractise;

/* A quiz over the course; its questions are rounds of one, which `practise` has. */
typedef struct SessionQuiz {
    bool on;          /* from its first question until it is left */
    size_t count, at; /* at == count: it is over */
    QuizItem items[QUIZ_QUESTIONS];
    char paths[QUIZ_QUESTIONS][SESSION_NAME_SIZE]; /* of their steps, once asked */
    size_t taken;                                  /* while nothing is kept */
} SessionQuiz;

/* What steps ask. The round of a question that waits is `practise.round`. */
typedef struct SessionQuestions {
    bool on;
    size_t chosen;        /* the option under the arrow keys, or PLAYER_NONE */
    const Lesson *lesson; /* whose … */
    size_t step;          /* … step asks, while the mode is on */
    bool again;           /* which was answered another time, and is asked anew */
    const Lesson *begun;  /* the lesson whose beginning was seen last; NULL: none is */
    size_t count;         /* of steps that have been answered, … */
    struct {
        uint64_t lesson, step; /* by hashes */
        ExerciseOutcome outcome;
    } answered[QUESTIONS_KEPT]; /* … and how */
} SessionQuestions;

/* The lesson that is gone on with, and the statement in it. */
typedef struct HomePlace {
    size_t lesson, statement;
    bool known; /* it was left there; else the course's beginning */
} HomePlace;

/* Home: what is chosen there, and what is read behind its back. */
typedef struct SessionHome {
    HomeLesson *lessons;        /* all, in the course's arena; NULL: no memory */
    Link chosen, door;          /* as in Home */
    bool choosing;              /* by a key: until then Right begins a lesson */
    double scroll, scroll_most; /* of larger type: as home_draw said last */
    double time, length; /* of the light: milliseconds; length 0: it doesn't travel */
    Loader *loader;      /* of a lesson whose picture is wanted, or NULL */
    size_t reading;      /* … which one */
    HomePlace left;      /* where the last lesson of the course was left */
} SessionHome;

/* What lies over a page that is presented. */
typedef enum PresentScreen {
    PRESENT_PAGE, /* nothing */
    PRESENT_BLACK,
    PRESENT_WHITE,
    PRESENT_END /* that the lesson has ended */
} PresentScreen;

/* Presenting. */
typedef struct SessionPresent {
    PresentScreen screen;
    bool spotlight, held, points; /* by its key; while Ctrl is held; with a dot */
    bool has_at;
    Point at;          /* of the pointer on the page */
    double elapsed;    /* milliseconds since it began */
    bool notes_turned; /* as session_turns_notes */
} SessionPresent;

/* What of the finder's rows is chosen, which is the first in view, of how many. */
typedef struct SessionFinder {
    size_t chosen, first, rows;
} SessionFinder;

/* How far the help is scrolled, and can be. */
typedef struct SessionHelp {
    double scroll, most;
} SessionHelp;

/* What a menu is about, and where it is. */
typedef struct SessionMenu {
    unsigned about; /* ACTION_ON_CELL, ACTION_ON_STEP or ACTION_SAVES */
    size_t chosen;  /* of its rows */
    bool anywhere;  /* beside what it is about, else … */
    Point at;       /* … here */
} SessionMenu;

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
    Link pin, hover, lens; /* LINK_CELL */
    Link wheel;            /* what it turns until the pointer moves; or LINK_NONE */
    Link term;             /* under the pointer since the last key; or LINK_NONE */
    const char *leaving;   /* the key that, pressed again, leaves; NULL: none does */
    bool offers_text; /* E was pressed where no word stands: again leads where any may */
    bool scrubbing;   /* the pointer drags along the timeline … */
    bool scrubbing_training; /* … or along a training's curves */

    SessionHome home;
    size_t station; /* of the tour, from 0 */

    const Language *language;
    const Theme *theme;
    double text_scale;    /* how much larger than usual the type is; 1: as usual */
    double back_row;      /* the same while presenting */
    WordsDepth words;     /* how deep the words at the top go */
    bool sources;         /* steps are compared with their sources */
    double width, height; /* of the page last drawn */
    Field field;          /* what is being written */
    const Prompt *prompt; /* what for */
    EditedCell edited;    /* … which cell's number */
    size_t switch_line;   /* of the panel of switches */
    SessionFinder finder;
    SessionHelp help;
    SessionMenu menu;
    char *copied; /* on the heap; goes with the session */
    Autoplay play;
    Way way;
    SessionInfluence influence;
    SessionPractise practise;
    SessionQuiz quiz;
    SessionPresent present;
    bool with_map; /* also where type is large */
    SessionQuestions questions;
    SessionGlossary glossary;
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

/* ---- state.c: the stack ---- */

/* Leaves all modes and begins with another at the bottom. */
void mode_begin(Session *session, const Mode *bottom);

/* Puts a mode on top; one that is on stays where it is. */
void mode_enter(Session *session, const Mode *mode);

/* Takes a mode out, wherever it is; false when it isn't on. */
bool mode_leave(Session *session, const Mode *mode);

bool mode_on(const Session *session, const Mode *mode);

/* Whether a mode can be reached: it is on, and nothing closed is above it. */
bool mode_reached(const Session *session, const Mode *mode);

/* Whether something is drawn over the page. */
bool mode_overlaid(const Session *session);

/* The mode that has letters go into the session's field now; NULL: they are keys. */
const Mode *mode_writing(const Session *session);

/* ---- opening.c ---- */

/* Opens an entry; `options`: read anew with these, NULL: as it stands. True when it is
 * open, or on its way in the background. */
bool opening_begin(Session *session, CourseLesson *entry, Arrival arrival,
                   const LessonOptions *options, ErrorList *errors);

/* Shows a lesson that is there. False, and no change, when there is nothing in it to
 * arrive at. */
bool opening_show(Session *session, CourseLesson *entry, const Arrival *arrival);

/* Whether an entry is of a file that isn't in the course's list. */
bool opening_is_file(const Session *session, const CourseLesson *entry);

/* Opens lesson number `index` of the course on the step of a tensor, or ("") on its
 * first, wherever it was left. */
bool opening_at(Session *session, size_t index, const char *tensor);

/* Opens lesson number `index` of the course on its first step, with a text in place of
 * its own; NULL: to write one. */
bool opening_with_text(Session *session, size_t index, const char *text);

/* Shows another variant of the present lesson at the same place. False, with a message
 * that says why, when it can't be; the lesson then stays. */
bool opening_vary(Session *session, const Variant *variant, VariantMove move);

/* ---- bar.c ---- */

/* What the bar on top shows now, in the arena; NULL when that is exhausted. */
const TopBar *session_bar(const Session *session, Arena *arena);

/* The pointer is on this; the tip of a command comes after a while. True when the picture
 * changed. */
bool bar_point_at(Session *session, Link link);
void bar_drop_tip(Session *session);
double bar_until_tip(const Session *session); /* infinity: none is to come */
bool bar_tick(Session *session, double milliseconds);
void bar_draw_tip(const Session *session, const Canvas *canvas);

/* ---- reload.c ---- */

/* The lesson shown was read just now: later changes of its file count. */
void reload_watch(Session *session);

/* Notes what is changed by hand now; and does that again in the lesson that has come in
 * the place of the present one, saying so where some of it has no place there. */
void reload_note_changes(Session *session);
void reload_change_again(Session *session);

/* Takes over what has been read anew in place of the lesson that is shown; where that is
 * NULL, tells the errors over it. */
bool reload_take(Session *session, Lesson *lesson, const Player *player,
                 const ErrorList *errors);

/* Tells a file's errors over whatever is shown, or no more (NULL). */
void reload_tell(Session *session, const char *path, const ErrorList *errors);

/* Takes errors away that are not the shown lesson's; false when there are none. */
bool reload_dismiss(Session *session);

/* The strip that tells them, drawn or not; gives back how tall it is: 0 where there are
 * none. */
double reload_strip(const Session *session, const Canvas *canvas, bool draw);

/* ---- dispatch.c, touch.c ---- */

/* Up (1) or Down (−1) where a wheel moves a choice. */
bool session_roll(Session *session, int steps);

double touch_until_held(const Session *session); /* infinity: nothing is held */
bool touch_tick(Session *session, double milliseconds);

/* Whether the key that leaves a lesson is pressed again; else says what it will do then.
 * `key` lasts. */
bool session_leaves(Session *session, const char *key, const char *words);

/* Says that there is no memory for what was asked for. */
void session_lacks_memory(Session *session);

/* ---- mode_home.c, mode_tour.c, mode_lesson.c, mode_pin.c, mode_prompt.c ---- */

void home_enter(Session *session);

/* Whether a lesson is read: the tour passes through, and who practises is asked there. */
bool session_reads(const Session *session);

/* Notes where the lesson is left that is read, for home to go on there. */
void home_note_place(Session *session);

/* Takes over a lesson that was read for home; true when there was one. */
bool home_poll(Session *session);

/* Scrolls it, where it is higher than its page; whether it did. */
bool home_roll(Session *session, int steps);

/* Time passes; whether the picture is another. And how long until it would be. */
bool home_tick(Session *session, double milliseconds);
double home_until_tick(const Session *session);

/* Goes to the tour's present station in the lesson that has just been opened. */
void tour_resume(Session *session);

/* ---- mode_quiz.c ---- */

/* Begins the quiz of a seed; false, and no change, where no lesson asks anything. */
bool quiz_begin(Session *session, uint64_t seed);

/* Asks its present question, whose lesson is shown now. */
void quiz_resume(Session *session);

/* What the present question came to; the next one, or the score behind the last. */
bool quiz_go_on(Session *session);

/* Leaves it for the step of a question; for home where there is no such question. */
bool quiz_look(Session *session, size_t index);

/* What is drawn behind the last one. */
QuizSheet quiz_sheet(Session *session, Arena *arena);

/* Begins the next quiz. */
bool quiz_again(Session *session);

/* ---- mode_practise.c ---- */

/* Enters practising with the session's round of one question. */
void practise_enter_question(Session *session);

/* The first lesson where nothing is known. */
HomePlace home_place(const Session *session);

/* Next step, from lesson to lesson; and within the lesson: false where it ends. The step
 * before, from lesson to lesson: false where the course begins. */
bool lesson_step_on(Session *session);
bool lesson_step_within(Session *session);
bool lesson_step_back(Session *session);

/* What is about the place that is left goes: a pinned cell, the lens. */
void lesson_leave_place(Session *session);

/* The lesson's page as the modes would have it, without what is only for whoever sits
 * before it. */
Page lesson_page(Session *session, const TextMetrics *metrics, Arena *arena);

/* What V has chosen for the present step; another step is drawn as its lesson asks. */
LessonView session_tensor_view(const Session *session);

/* What the present lesson's values are compared with: the tape of the lesson as its file
 * has it, or NULL for the originals of its own. */
const Tape *session_base(const Session *session);

/* What is there of the present place; {0}: all of it. */
PaceMoment session_moment(const Session *session);

/* The way followed back, and what a change has moved, new in the arena; NULL for none. */
const Trail *session_trail(const Session *session, Arena *arena);
const Trail *session_moved(const Session *session, Arena *arena);

/* Puts a trail on a page, where it isn't NULL and there is room for one more. */
void lesson_add_trail(Page *page, const Trail *trail);

/* The cell that is explained: pinned, else under the pointer, else the step's own. False
 * when there is none. */
bool lesson_explained_cell(const Session *session, FollowCell *cell);

/* Goes to a step of the tree; a pinned cell is let go. */
void lesson_go_to_step(Session *session, size_t step);

void pin_put(Session *session, Link cell);

/* Has a text written, which begins as `text`. The prompt is borrowed. */
void prompt_begin(Session *session, const Prompt *prompt, const char *text);

/* ---- mode_question.c ---- */

/* Asks what the present step asks, or leaves what another has asked. To be called after
 * whatever may have moved the session. */
void questions_look(Session *session);

/* Forgets which of the lesson's have been answered, as another class is to be asked. */
void questions_ask_again(Session *session);

/* Whether the present step's question waits for an answer. */
bool questions_wait(const Session *session);

/* Shows the answer of a question that waits; false where none does. */
bool questions_show_answer(Session *session);

/* Whether what is typed now begins an answer. */
bool questions_take_text(const Session *session);

/* What the page shows of the present exercise. */
PractisePanel questions_panel(const Session *session);

/* ---- actions_text.c ---- */

/* Whether another lesson takes any text; and opens it with this one, or ("") with its
 * own. */
bool text_has_elsewhere(const Session *session);
bool text_take_elsewhere(Session *session, const char *text);

/* ---- mode_glossary.c ---- */

/* Opens the glossary at a term. */
void glossary_enter(Session *session, size_t term);

/* ---- mode_menu.c ---- */

/* Opens the menu of what was drawn with a link, its corner at a point. */
bool menu_open(Session *session, Link link, Point at);

/* The one of what can be saved. */
void menu_open_saving(Session *session);

/* ---- actions_play.c ---- */

/* The session has come on from `before`, on the same lesson. */
void autoplay_begin_motion(Session *session, const Player *before);

/* Nothing moves any more; what takes its time to come is there: false when nothing does;
 * autoplay stops. */
void autoplay_end_motion(Session *session);
bool autoplay_skip_motion(Session *session);
void autoplay_stop(Session *session);

/* ---- what the pointer does: mode_way.c, actions_edit.c, actions_words.c, scrub.c ----
 */

/* Follows to a cell that the explained one was made of; returns to a place of the way. */
bool way_follow_to(Session *session, FollowCell to);
bool way_return_to(Session *session, size_t index);
bool way_is_followed(const Session *session); /* one stands at its end */

bool edit_cell_of(Session *session, Link link);
bool edit_nudge(Session *session, Link link, int steps);

/* "W_Q[0, 1]" in the arena; NULL when that is exhausted. */
const char *edit_cell_name(const Session *session, const EditedCell *cell, Arena *arena);

/* Whether the present lesson's steps are compared with their sources. */
bool session_shows_sources(const Session *session);

/* Turns the words to a depth; to the usual one where it is that already. */
bool words_turn_to(Session *session, size_t depth);

/* Drags along the timeline, and along a training's curves: these begin on an epoch, a
 * step of its own. */
bool scrub_timeline(Session *session, const Scene *scene, double x);
bool scrub_is_epoch(const Session *session, size_t step);
bool scrub_begin_training(Session *session, size_t step);
bool scrub_training(Session *session, const Scene *scene, double x);

/* ---- what is said: session_draw.c, mode_switches.c, actions_mute.c, mode_practise.c
 * ---- */

const char *session_words(const Session *session, const char *key);

/* A list and one more behind it, in the arena; `so_far` may be NULL: then that one. */
const char *session_list(const Session *session, const char *so_far, const char *more,
                         Arena *arena);

/* How the model is put otherwise, what is muted, in the arena; NULL for nothing. */
const char *switches_words(const Session *session, Arena *arena);
const char *mute_words(const Session *session, Arena *arena);

/* What is noted of practising a lesson; NULL for nothing. */
const ProgressLesson *practise_notes(const Session *session, const char *id);

#endif
