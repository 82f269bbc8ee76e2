/* Driving a session: keys, text, time, the pointer and touch go in; a drawn page, a text
 * to read aloud and JSON come out.
 *
 * The window and `play` drive the same session, one with events, one with key names, and
 * draw what it shows with the same painter. Keys have SDL's names ("Right", "Escape",
 * "S", "?"), with modifiers before them in this order: "Ctrl+Z", "Shift+Backspace",
 * "Ctrl+Shift+Z". What they stand for is in one table (session/mode.h); where they do,
 * in a stack of modes (session/mode.h). */
#pragma once

#include "session/session.h"

typedef struct TextMetrics TextMetrics;

/* Shows the lesson that was being read, if it is there, and presses the keys kept. False,
 * and no change, while it isn't. Where there is nothing else to show and it has errors,
 * they go to *errors and the session asks to quit. */
bool session_poll(Session *session, ErrorList *errors);

/* ---- keys, text, time ---- */

/* Does what a key stands for (session/mode.h); true when the picture may be another. In
 * any case of letters, or the character itself ("?"). */
bool session_key(Session *session, const char *key);

/* Puts UTF-8 text into what is being written; nothing while nothing is. True when it
 * changed. */
bool session_type(Session *session, const char *text);

/* Sets what an input method is composing for the text that is being written, UTF-8; ""
 * for nothing. It is shown at the caret until it is set anew or text comes. True when the
 * picture changed. */
bool session_compose(Session *session, const char *text);

/* Sets *caret to the box of the caret on the page last drawn; false while no text is
 * written. */
bool session_caret(const Session *session, const Scene *scene, Box *caret);

/* Advances the session by milliseconds. True when the picture changed. */
bool session_tick(Session *session, double milliseconds);

/* After how many milliseconds, at least 0, session_tick would change something; infinity
 * when nothing moves. */
double session_until_change(const Session *session);

/* ---- the pointer ---- */

/* The pointer moved, was pressed, was let go at a point of the page last drawn (`scene`).
 * True when the picture changed. */
bool session_pointer_move(Session *session, const Scene *scene, double x, double y);
bool session_pointer_press(Session *session, const Scene *scene, double x, double y);
bool session_pointer_release(Session *session);

/* Handles a double click at a point of the page, whose first click was a press: edits the
 * cell that was pressed, wherever the page has moved it since, else the cell at the
 * point. True when the picture changed. */
bool session_pointer_double(Session *session, const Scene *scene, double x, double y);

/* Handles a turn of the wheel by `steps` (up is positive): scrolls lists and pages, and
 * changes the number of an open field below the pointer. True when the picture changed.
 */
bool session_pointer_wheel(Session *session, const Scene *scene, double x, double y,
                           int steps);

/* Up (1) or Down (−1) where a wheel moves a choice. */
bool session_roll(Session *session, int steps);

/* The menu of what lies at a point: of a cell, of a step, of the picture. */
bool session_pointer_menu(Session *session, const Scene *scene, double x, double y);

/* Shape of the pointer. */
typedef enum SessionPointer {
    SESSION_ARROW,
    SESSION_HAND, /* over what can be pressed */
    SESSION_TEXT  /* over what is written in */
} SessionPointer;
SessionPointer session_pointer_shape(const Session *session, const Scene *scene, double x,
                                     double y);

/* ---- A touch is given by its position: down, moved, up; or cancelled by a second finger
 * or the system. A tap presses, holding still opens the menu (session_tick has the time),
 * a stroke to the side is Next or Back, one up or down the wheel; dragging along a
 * timeline or a training's curves scrubs. All return true if the picture changed. */
bool session_touch_down(Session *session, const Scene *scene, double x, double y);
bool session_touch_move(Session *session, const Scene *scene, double x, double y);
bool session_touch_up(Session *session, const Scene *scene, double x, double y);
bool session_touch_cancel(Session *session);

/* Handles two fingers moving apart by a fraction of the window, or together (below 0):
 * type becomes larger or smaller by a step for each tenth. */
bool session_touch_pinch(Session *session, double spread);

/* ---- what it shows ---- */

/* Draws what the session shows, on a page of that size in points. `interactive`: with
 * hover, hints, help and messages, as the window does; else as exported. The scene lives
 * in `arena` and borrows the session's lesson. */
void session_draw(Session *session, Scene *scene, Arena *arena,
                  const TextMetrics *metrics, double width, double height,
                  bool interactive);

/* Draws the page that Next leads to, without a question: nobody sees it, and its layout
 * is then found and its texts are measured when it is shown. Returns false, drawing
 * nothing, where Next leads to no other page of the lesson, or something lies over the
 * page or is being opened. */
bool session_draw_next(Session *session, Scene *scene, Arena *arena,
                       const TextMetrics *metrics, double width, double height);

/* Draws the session as a picture to save: not interactive, unless something lies over
 * the page. */
void session_draw_sheet(Session *session, Scene *scene, Arena *arena,
                        const TextMetrics *metrics, double width, double height);

/* Returns a text for screen readers: the message, the overlay, the words and the sum of a
 * lesson's place, the lesson that is chosen at home; in lines, new in the arena. NULL
 * when that is exhausted. */
const char *session_read(Session *session, const TextMetrics *metrics, Arena *arena);

/* Prints the session's place and all changes as JSON to a stream; false when there is
 * no memory. */
bool session_print(const Session *session, FILE *stream);

/* ---- Touch: all that the pointer can do, without a button or a wheel ---- */

double touch_until_held(const Session *session); /* infinity: nothing is held */
bool touch_tick(Session *session, double milliseconds);
