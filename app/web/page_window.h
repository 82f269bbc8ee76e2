/* The window (window/window.h) with a canvas of a web page as its screen.
 *
 * The page (page.js) calls these functions on events, and page_turn when time has passed;
 * the window calls the page's functions. window_run never returns. */
#pragma once

#include <emscripten.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Handles a pressed key, given by its name and its position on an English keyboard.
 * Returns true if the key is used, so that the browser must not act on it. */
EMSCRIPTEN_KEEPALIVE bool page_key(const char *named, const char *placed, bool ctrl,
                                   bool shift);

/* Handles typed or pasted text. */
EMSCRIPTEN_KEEPALIVE void page_type(const char *text);

/* Events of a pointer or a finger, with the numbers that the page uses. */
typedef enum PageEvent {
    PAGE_MOVE,
    PAGE_PRESS,
    PAGE_RELEASE,
    PAGE_DOUBLE,
    PAGE_MENU,
    PAGE_WHEEL_UP,
    PAGE_WHEEL_DOWN,
    PAGE_TOUCH,
    PAGE_TOUCH_MOVE,
    PAGE_TOUCH_END,
    PAGE_TOUCH_CANCEL
} PageEvent;

/* Lets the time until `now`, in milliseconds, pass; before an event from which time is
 * counted. */
EMSCRIPTEN_KEEPALIVE void page_pass(double now);

/* Handles an event; x and y are fractions of the canvas. */
EMSCRIPTEN_KEEPALIVE void page_point(int event, double share_x, double share_y);

/* Sets whether the key is held with which a spotlight follows the pointer. */
EMSCRIPTEN_KEEPALIVE void page_spotlight(bool held);

/* Opens a file that was dropped on the page and copied to `path`. */
EMSCRIPTEN_KEEPALIVE void page_drop(const char *path);

/* Opens the lesson and step of an address's query, "?lesson=08-one-head&step=3"; without
 * a lesson home. */
EMSCRIPTEN_KEEPALIVE void page_go(const char *query);

/* Loads the fonts again after their files have changed. */
EMSCRIPTEN_KEEPALIVE void page_letters(void);

/* Draws the picture for the time `now`, in milliseconds, on a canvas of so many pixels,
 * of which `ratio` make a CSS pixel; `touch`: it is used with fingers. Returns the
 * milliseconds until the next call is due if nothing happens. */
EMSCRIPTEN_KEEPALIVE double page_turn(double now, int width, int height, double ratio,
                                      bool touch);

/* Tells the page the address of the picture, and returns what a screen reader says of it,
 * until the next call of page_turn. */
EMSCRIPTEN_KEEPALIVE const char *page_read_words(void);

/* Draws the lecturer's notes, if they have changed, on their own canvas of so many pixels
 * at a time of day. */
EMSCRIPTEN_KEEPALIVE void page_notes(int width, int height, int hour, int minute);

/* Handles the closing of the notes by the user. */
EMSCRIPTEN_KEEPALIVE void page_notes_closed(void);

/* Draws a part of the page that Next leads to, so that it is shown sooner; called while
 * nothing happens. Returns true if something is left to do. */
EMSCRIPTEN_KEEPALIVE bool page_ahead(void);

/* Notes everything before the page is left. */
EMSCRIPTEN_KEEPALIVE void page_leave(void);
