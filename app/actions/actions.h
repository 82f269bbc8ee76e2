/* Functions of a lesson's actions that modes and the pointer call, too. */
#pragma once

#include "picture/chrome/chrome.h"
#include "session/state.h"

/* ---- from step to step ----
 *
 * Going from step to step, the table's actions for it: on, back, into a step and out, to
 * chapters and to the lessons beside; what modes do with a key of theirs goes through the
 * same functions. */

/* Next step, from lesson to lesson; and within the lesson: false where it ends. The step
 * before, from lesson to lesson: false where the course begins; only presenting goes back
 * so far. */
bool lesson_step_on(Session *session);
bool lesson_step_within(Session *session);
bool lesson_step_back(Session *session);

/* ---- Cells that are set by hand, and all that is undone, restored and compared ---- */

/* Opens a field with the number of the cell that a link is of. */
bool edit_cell_of(Session *session, Link link);

/* Opens a field at the pinned cell with a text that replaces its number. */
bool edit_pinned_with(Session *session, const char *text);

/* Nudges the number of the open field, where the wheel turns over the field or its cell;
 * never while presenting. False if it isn't so. */
bool edit_turn(Session *session, Link link, int steps);

/* "W_Q[0, 1]" in the arena; NULL when that is exhausted. */
const char *edit_cell_name(const Session *session, const EditedCell *cell, Arena *arena);

/* True if a number that the present step shows was changed, or follows a change. */
bool changes_shown(const Session *session);

/* ---- Effects of a change: the steps whose results changed, from the changed one on, and
 * a key that goes from one to the next. */

/* Returns the steps that a change has affected, new in the arena; NULL for none. */
const Trail *session_moved(const Session *session, Arena *arena);

/* Returns a tensor's name as pictures have it, "weights_1", new in the arena; *place is
 * the part of the model that it is in, with its head, "" for none, and *stem the name
 * without the head's number. Either may be NULL. */
const char *tensor_name(const Session *session, size_t node, Arena *arena,
                        const char **stem, const char **place);

/* ---- Steps that are left out: each becomes the identity of its first input ---- */

/* Returns the names of the muted steps, in the arena; NULL for none. */
const char *mute_words(const Session *session, Arena *arena);

/* ---- A text of the learner's own in place of the lesson's ---- */

/* Reports whether another lesson takes any text; and opens that lesson with a text, or
 * with its own if the text is "". */
bool text_has_elsewhere(const Session *session);
bool text_take_elsewhere(Session *session, const char *text);

/* ---- words ----
 *
 * Depth of the words at the top, kept from step to step and from lesson to lesson; and
 * the view of the present step's tensor. */

/* Turns the words to a depth; false if there is none. */
bool words_turn_to(Session *session, size_t depth);

/* ---- size of the type ---- */

/* Sets it, that of presenting while a lesson is presented, as a multiple of the usual
 * size, and says so. */
void size_set(Session *session, double scale);

/* ---- Autoplay ---- */

/* Advances autoplay and animations by a time; true if the picture may have changed. And
 * the milliseconds until the next change. */
bool autoplay_tick(Session *session, double milliseconds);
double autoplay_until_tick(const Session *session);

/* ---- Dragging through a lesson: along the timeline, and through a training along its
 * curves, which are linked to its epochs' steps. */

/* Drags along the timeline, and along a training's curves. */
bool scrub_timeline(Session *session, const Scene *scene, double x);
bool scrub_training(Session *session, const Scene *scene, double x);

/* ---- The bar on top, and the tip of what the pointer rests on ---- */

/* Returns the content of the bar at the top, in the arena; NULL when that is exhausted.
 */
const TopBar *session_bar(const Session *session, Arena *arena);

/* The bar beside a lesson's page on a screen that is touched (session/session.h): home,
 * back, next, and the menu of all else. Takes its room, in points, from a page: at the
 * foot, or at the right of a page that is low. Empty for any other page. */
Box touch_bar_cut(const Session *session, Box *page);
void touch_bar_show(const Session *session, const Canvas *canvas, Box area);

/* Reports whether a page is so low on a screen that is touched that it has the layout of
 * a presented one. */
bool touch_is_low(const Session *session);

/* The pointer is on this; the tip of a command comes after a while. True when the picture
 * changed. */
bool bar_point_at(Session *session, Link link);
void bar_drop_tip(Session *session);
double bar_until_tip(const Session *session); /* infinity: none is to come */
bool bar_tick(Session *session, double milliseconds);
void bar_draw_tip(const Session *session, const Canvas *canvas);
