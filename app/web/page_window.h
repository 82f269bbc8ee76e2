/* The window (window/window.h) where the screen is a canvas of a web page.
 *
 * The page (page.js) calls these when something happens, and page_turn when it is time
 * to; the window calls the page's functions. It is never left: window_run doesn't come
 * back.
 */
#ifndef APP_PAGE_WINDOW_H
#define APP_PAGE_WINDOW_H

#include <emscripten.h>
#include <stdbool.h>

/* A key was pressed, by its name and its place on an English keyboard. Whether it stands
 * for anything: then the browser is not to do something else. */
EMSCRIPTEN_KEEPALIVE bool page_key(const char *named, const char *placed, bool ctrl,
                                   bool shift);

/* Text was typed, or pasted. */
EMSCRIPTEN_KEEPALIVE void page_type(const char *text);

/* What a pointer or a finger does, by the page's numbers. */
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

/* … at a place in shares of the canvas. */
EMSCRIPTEN_KEEPALIVE void page_point(int event, double share_x, double share_y);

/* Whether the key is held that has a spotlight follow the pointer. */
EMSCRIPTEN_KEEPALIVE void page_spotlight(bool held);

/* A file was dropped on the page, and is there now. */
EMSCRIPTEN_KEEPALIVE void page_drop(const char *path);

/* The fonts' files are others than before. */
EMSCRIPTEN_KEEPALIVE void page_letters(void);

/* It is now so many milliseconds, and the canvas has so many pixels: shows what is to be
 * seen. Gives in how many milliseconds it is to be called again, if nothing happens. */
EMSCRIPTEN_KEEPALIVE double page_turn(double now, int width, int height);

/* The lecturer's notes, on a canvas of their own of so many pixels, at a time of day:
 * shows them where they are others than before. */
EMSCRIPTEN_KEEPALIVE void page_notes(int width, int height, int hour, int minute);

/* Somebody has closed the notes. */
EMSCRIPTEN_KEEPALIVE void page_notes_closed(void);

/* The page goes: all is noted. */
EMSCRIPTEN_KEEPALIVE void page_leave(void);

#endif
