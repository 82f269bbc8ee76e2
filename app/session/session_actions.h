/* What keys do: between the files of the session, nobody else's.
 *
 * An action does one thing to the session and says whether the picture may have changed.
 * A new feature is a file of actions, declared here, and a row or two in session_keys.c;
 * what it draws goes into session_draw.c, its words into assets/strings/ under `key`.
 */
#ifndef APP_SESSION_ACTIONS_H
#define APP_SESSION_ACTIONS_H

#include "picture/page/practise_panel.h"
#include "session/session.h"

typedef bool (*SessionAction)(Session *session);

/* ---- session_moves.c ---- */

bool go_right(Session *session);
bool go_left(Session *session);
bool go_down(Session *session);
bool go_up(Session *session);
bool go_first(Session *session);
bool go_last(Session *session);
bool next_lesson(Session *session);
bool previous_lesson(Session *session);
bool show_overview(Session *session);
bool let_go(Session *session);
bool begin_or_choose_next(Session *session);
bool choose_previous(Session *session);
bool choose_next(Session *session);
bool choose_below(Session *session);
bool choose_above(Session *session);
bool choose_first(Session *session);
bool choose_last(Session *session);
bool open_chosen(Session *session);

/* Chooses a card; false when it is chosen already or there is none. */
bool choose(Session *session, size_t index);

/* The overview as it stands, on the page it was last drawn on. Loads the lessons. */
Overview overview_of(Session *session);

/* ---- session_text.c ---- */

bool write_own_text(Session *session);
bool drop_own_text(Session *session);

/* Has a text written, which begins as `text`. The prompt is borrowed. */
void begin_writing(Session *session, const SessionPrompt *prompt, const char *text);

/* A key while a text is written. */
bool press_while_writing(Session *session, const char *key);

/* Whether a key stands for anything while a text is written. */
bool writing_key_exists(const char *key);

/* ---- session_mute.c ---- */

bool toggle_mute(Session *session);

/* The names of what is muted, "S_scaled, A", in the arena; NULL when nothing is. */
const char *muted_names(const Session *session, Arena *arena);

/* ---- session_follow.c ---- */

bool follow_back(Session *session);
bool follow_return(Session *session);

/* Goes on to a cell that the explained one was made of, or to what that stands for. */
bool follow_to(Session *session, FollowCell to);

/* Returns to place `index` of the way. */
bool return_along(Session *session, size_t index);

/* Forgets the way; drop_way: false when there was none. */
void forget_way(Session *session);
bool drop_way(Session *session);

/* The same for good: frees what the way was kept in. */
void finish_following(Session *session);

/* The cell that is explained: pinned, else under the pointer, else the step's own. False
 * when there is none. */
bool explained_cell(const Session *session, FollowCell *cell);

/* The cells of the way, new in the arena; NULL when that is exhausted. */
FollowCell *way_cells(const Session *session, size_t *count, Arena *arena);

/* ---- session_influence.c ---- */

bool toggle_influence(Session *session);

/* False when it was off. */
bool leave_influence(Session *session);

/* What the page shows in place of values, worked out from the present ones; NULL: it
 * shows values. */
const Influence *influence_of(Session *session);

/* ---- session_edit.c ---- */

bool edit_cell(Session *session);
bool nudge_down(Session *session);
bool nudge_up(Session *session);
bool undo(Session *session);
bool redo(Session *session);
bool restore(Session *session);
bool toggle_differences(Session *session);
bool keep_changes(Session *session);

/* The same for the cell of a link. */
bool edit_link(Session *session, Link link);
bool nudge_link(Session *session, Link link, int steps);

/* "W_Q[0, 1]" in the arena; NULL when that is exhausted. */
const char *edited_cell_name(const Session *session, const EditedCell *cell,
                             Arena *arena);

/* ---- session_switches.c ---- */

bool open_switches(Session *session);

/* Whether a key is the open panel's; *changed says whether the picture is another. */
bool press_while_switching(Session *session, const char *key, bool *changed);

/* A click on one of the panel's links. */
bool press_switch(Session *session, Link link);

/* Whether the model is put otherwise; and how, in the arena, or NULL. */
bool is_switched(const Session *session);
const char *switched_words(const Session *session, Arena *arena);

void draw_switches(const Session *session, const Canvas *canvas);

/* ---- session_practise.c ---- */

bool practise_lesson(Session *session);
bool practise_step(Session *session);

bool is_practising(const Session *session);

/* Whether a key is the exercise's; *changed says whether the picture is another. */
bool press_while_practising(Session *session, const char *key, bool *changed);
bool practise_type(Session *session, const char *text);

/* A click on one of its buttons; on a cell, false where it means nothing. */
bool press_practise(Session *session, Link link);
bool choose_in_practise(Session *session, Link link);

/* Ends it where it stands. */
void leave_practise(Session *session);

/* Notes on a lesson's card how practising it went. */
void mark_practised(const Session *session, OverviewItem *item);

/* What is shown of it, while it goes on; and the cell that is asked for, while one is. */
PractisePanel practise_panel(const Session *session);
Link practised_cell(const Session *session);

/* ---- session_play.c ---- */

bool toggle_playing(Session *session);
bool play_faster(Session *session);
bool play_slower(Session *session);
void stop_playing(Session *session);

/* The session has come on from `before`, on the same lesson. */
void begin_motion(Session *session, const Player *before);

/* Nothing moves any more. */
void end_motion(Session *session);

/* Ends a sum that is being added up slowly; false when none is. */
bool skip_motion(Session *session);

/* ---- session_words.c ---- */

bool next_words(Session *session);
bool previous_words(Session *session);

/* The depth that was clicked on; the usual one where it is that already. */
bool turn_words_to(Session *session, size_t depth);

/* ---- session_pin.c ---- */

/* They move a pinned cell, and where none is do what the move without a pin does. */
bool arrow_right(Session *session);
bool arrow_left(Session *session);
bool arrow_down(Session *session);
bool arrow_up(Session *session);
bool pin_first(Session *session);
bool pin_last(Session *session);

/* Pins the explained cell, then the first cell of each input, then none. */
bool pin_next_tensor(Session *session);

/* ---- session_training.c ---- */

/* Begins a drag along a training's curves where the step pressed is one of its epochs;
 * goes to the epoch that is nearest to x while it lasts. */
bool begin_training_scrub(Session *session, size_t step);
bool scrub_training(Session *session, const Scene *scene, double x);

/* ---- session.c ---- */

/* Opens an entry; `options`: read anew with these, NULL: as it stands. True when it is
 * open, or on its way in the background. */
bool open_entry(Session *session, CourseLesson *entry, SessionArrival arrival,
                const LessonOptions *options, ErrorList *errors);

/* The first step of a lesson. */
SessionArrival arrive_first(void);

/* ---- session_keys.c ---- */

/* The help's lines, one for each key; their count. */
size_t key_count(void);
HelpEntry key_help(size_t index);

/* The entry of a key, for a link that stands for it. */
size_t key_index(const char *name);

/* Does what an entry of the table stands for. */
bool press_entry(Session *session, size_t index);

#endif
