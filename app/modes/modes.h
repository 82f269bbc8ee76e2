/* Functions of modes for other modes, app/drive and the window; the modes' states, for
 * tests. */
#pragma once

#include "picture/chrome/chrome.h"
#include "picture/explain/explain.h"
#include "picture/overlays/overlays.h"
#include "session/mode.h"

/* ---- Home: the transformer whose blocks are doors to the lessons ---- */

/* Takes over a lesson that was read for home; true when there was one. */
bool home_poll(Session *session);

/* Scrolls it, where it is higher than its page; whether it did. */
bool home_roll(Session *session, int steps);

/* Advances the light by a time; true if the picture may have changed. And the
 * milliseconds until the next change. */
bool home_tick(Session *session, double milliseconds);
double home_until_tick(const Session *session);

/* ---- The lesson: its page, and what the pointer does on it ---- */

/* Returns the lesson's page as the modes make it, without the parts for the learner at
 * the screen. */
Page lesson_page(Session *session, const TextMetrics *metrics, Arena *arena);

/* Sets where Next leads to: to another step, or from an open question to its answer in
 * the same one. Returns false if it leads out of the lesson, or something lies over the
 * page or is being opened. */
bool lesson_next_place(const Session *session, Player *next);

/* Draws the page of the session's step as the window does, but without a question, and
 * notes nothing of what the user has seen. */
void lesson_fill_unseen(Session *session, const Canvas *canvas);

/* ---- The glossary: a term is searched for, chosen, and gone from to where it is at
 * work. */

typedef struct GlossaryState {
    size_t term;  /* chosen, by its number in the glossary */
    List terms;   /* that are found */
    size_t place; /* chosen among the places that use the term */
} GlossaryState;

GlossaryState *glossary_state(const Session *session);

/* Opens the glossary at a term. */
void glossary_enter(Session *session, size_t term);

/* ---- The help: all keys, over whatever the window shows ---- */

typedef struct HelpState {
    double scroll; /* points, as help_draw has limited them */
    int pages;     /* to turn at the next drawing; negative: back */
} HelpState;

HelpState *help_state(const Session *session);

/* ---- the menu ----
 *
 * The menu of a cell, of a step, or of what can be saved: those actions of the table that
 * are about one. What it is about is pinned, or gone to, so that it is seen, and so that
 * its actions are the same as by a key. */

typedef struct MenuState {
    unsigned about; /* ACTION_ON_CELL, ACTION_ON_STEP or ACTION_SAVES */
    List rows;
    bool anywhere; /* beside the thing it is about, else at `at` */
    Point at;      /* top left corner, in points */
} MenuState;

MenuState *menu_state(const Session *session);

/* Opens the menu of what was drawn with a link, its corner at a point. */
bool menu_open(Session *session, Link link, Point at);

/* Opens the menu of the actions marked ACTION_ASKED. */
void menu_ask(Session *session);

/* ---- Settings: a list of the values of one setting, the present one marked ---- */

typedef struct Setting {
    const char *title;  /* strings key */
    const char *action; /* that opens it; the list is at its button */
    size_t (*count)(const Session *session);
    size_t (*present)(const Session *session); /* the row that is set */
    const char *(*words)(const Session *session, size_t row, Arena *arena);
    void (*use)(Session *session, size_t row);
} Setting;

typedef struct SettingState {
    const Setting *setting; /* borrowed */
    List rows;
} SettingState;

/* Opens the list of a setting, which is borrowed. */
void setting_open(Session *session, const Setting *setting);

/* ---- The finder: a few letters find all that can be done and gone to ---- */

/* The rows that are found. */
List *finder_state(Session *session);

/* ---- Items of the finder: one table of sources, each a list of things to do or to go
 * to. A new kind of thing is a row of that table, in modes/finder_items.c. */

/* An item. Its texts live in the arena of the call. */
typedef struct FinderItem {
    const char *words;  /* in the session's language; NULL: it isn't offered now */
    const char *other;  /* found by this, too: its English name; "" for none */
    const char *about;  /* and by whole words of this; NULL for none */
    const char *same;   /* NULL, or what it has in common with others that are left out */
    const char *detail; /* its key, its shape; "" for none */
    const char *told;   /* a sentence on the chosen one; NULL for none */
    const char *why;    /* a sentence: why it can't be used; NULL: it can be */
} FinderItem;

typedef struct FinderSource {
    const char *name; /* its words are `finder.NAME` */
    size_t (*count)(const Session *session);
    FinderItem (*at)(Session *session, size_t index, Arena *arena);
    bool (*use)(Session *session, size_t index); /* whether the picture may be another */
    int rank;                                    /* the lowest is listed first */
} FinderSource;

/* An item that matches a pattern. */
typedef struct FinderMatch {
    const FinderSource *source;
    size_t index;
    FinderItem item;
    int score;
    size_t order;
} FinderMatch;

/* Returns all items that match a pattern, in the arena. Those whose names match come
 * first: actions, lessons and terms, then steps, then tensors, of each kind the best
 * first; then the others likewise. Of equal matches those that can't be used come last.
 * Steps within steps, and tensors, are listed once for each name. */
FinderMatch *finder_items_find(Session *session, const char *pattern, Arena *arena,
                               size_t *count);

/* ---- Influence: the gradient of one cell, shown on all that it depends on ---- */

typedef struct InfluenceState {
    Arena *arena;         /* owned; NULL while the mode is off */
    Gradients *gradients; /* in the arena */
    uint64_t digest;      /* of the values that the gradients were computed from */
    Influence shown;
} InfluenceState;

InfluenceState *influence_state(const Session *session);

/* ---- following back ----
 *
 * Following a number back from cell to cell, and returning. Where the session stands at
 * each cell of the way is kept, so that returning shows what was there. */

/* Follows to a cell that the explained one was computed from; returns to a point of the
 * path. */
bool trace_follow_to(Session *session, FollowCell to);
bool trace_return_to(Session *session, size_t index);

/* The way followed back, new in the arena; NULL for none. */
const Trail *session_trail(const Session *session, Arena *arena);

/* ---- The three-minute tour: the stations of a lesson's steps, one large sentence each.
 */

typedef struct TourState {
    size_t station; /* from 0 */
} TourState;

TourState *tour_state(const Session *session);

/* ---- switches ----
 *
 * The panel of the model's switches. Changing a line reads the lesson again with it, at
 * the same place. */

/* Returns the words about the model's changed switches, in the arena; NULL for none. */
const char *switches_words(const Session *session, Arena *arena);

/* Returns how the model that was trained with another seed differs from the lesson's own
 * at the present step, and what both do, in the arena; NULL if none was. */
const char *retrained_words(const Session *session, Arena *arena);

/* Returns the token that the changed model predicts, and the one before the change, in
 * the arena; NULL if no change reaches it, or the step's picture has both. */
const char *predicted_words(const Session *session, Arena *arena);

/* ---- questions ----
 *
 * Answering the question of a step (session/state.h); while practising, choosing from
 * an exercise's options. */

/* Returns the panel of the present exercise. */
PractisePanel questions_panel(const Session *session);

/* ---- The quiz: questions over the course, one after another. Each is practised as a
 * round of one in its lesson; what came of them stands on one sheet at the end. */

/* Begins the quiz of a seed. Returns false, and changes nothing, if no lesson has a
 * question. */
bool quiz_begin(Session *session, uint64_t seed);

/* Takes its present question up, whose lesson is shown now; false where it can't be. */
bool quiz_resume(Session *session);

/* Records the present question's outcome and goes on to the next one, or to the score
 * behind the last. */
bool quiz_go_on(Session *session);

/* Leaves it for the step of a question; for home where there is no such question. */
bool quiz_look(Session *session, size_t index);

/* Returns the score sheet behind the last question. */
QuizSheet quiz_sheet(Session *session, Arena *arena);

/* Begins the next quiz. */
bool quiz_again(Session *session);

/* ---- Presenting: type for the back row, a clicker's keys, and on a page of the
 * lecturer's own the notes, the step that comes next and the time. */

/* The time of day. */
typedef struct SessionClock {
    int hour, minute;
} SessionClock;

/* While the session presents: takes a key that only brings the page back from a blank
 * screen, then true; closes what lies over the page before a clicker's key, which goes
 * on. */
bool present_takes_key(Session *session, const char *key);

/* Draws the lecturer's own page, while the session presents: as session_draw. */
void session_draw_notes(Session *session, Scene *scene, Arena *arena,
                        const TextMetrics *metrics, SessionClock clock, double width,
                        double height);
