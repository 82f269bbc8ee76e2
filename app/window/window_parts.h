/* The parts of a window, for window.c (opens, paints and waits), window_events.c (passes
 * events to the session) and window_memory.c (keeps its place) only. */
#pragma once

#include "drive/drive.h"
#include "paint/painter.h"
#include "picture/page/page.h"
#include "window/notes_window.h"
#include "window/trace.h"

#include <SDL.h>

typedef struct MemoryWindow MemoryWindow;
typedef struct Window Window;

enum { WINDOW_POINTERS = SESSION_TEXT + 1 };

struct Window {
    Session *session;
    Memory *memory; /* borrowed; NULL: nothing is kept */
    SDL_Window *window;
    Fonts *fonts;
    Painter *painter;
    PageFit fit;  /* of what is on the screen */
    Arena *arena; /* the scene's */
    Scene scene;  /* what is on the screen, for the pointer */
    uint64_t digest;
    int pixel_width, pixel_height; /* of the surface painted last; 0: none */
    bool changed;                  /* the session may show something else now */
    bool exposed;                  /* the screen has lost what was painted */
    bool hidden, quits;
    bool found; /* it is known where the pointer lies: at x, y of the page */
    bool moved; /* the pointer has moved since the session got its position */
    double x, y;
    double points; /* of the page in one of the window's, which the pointer counts in */
    bool once;     /* leave when the first frame is on the screen */
    uint64_t told; /* the session's clock, in the counter's units */
    uint32_t opening_since;  /* SDL's ticks; 0: nothing is being opened */
    uint32_t look_at;        /* SDL's ticks; 0: no file is to be looked at */
    uint32_t write_at;       /* SDL's ticks; 0: nothing is to be written to the memory */
    bool unwritten_reported; /* that it can't be */
    NotesWindow *notes;      /* NULL until the session wants it */
    bool without_notes;      /* there can't be such a window */
    SDL_Cursor *pointers[WINDOW_POINTERS]; /* made when they are first needed */
    SessionPointer pointer;                /* the one that is shown */
    Trace trace;
};

/* Tells the session of an event; notes down what it makes of it: whether the picture may
 * have changed, whether the window is to be painted again, hidden or left. */
void window_take_event(Window *window, const SDL_Event *event);

/* Tells the session where the pointer is, if that has moved: a row of motions counts as
 * its last. */
void window_report_motion(Window *window);

/* The place that the window had the last time, where there still is a screen for it. */
bool window_place(const Memory *memory, MemoryWindow *place);

/* Notes what has changed since; and, once the picture of it is on the screen, writes it:
 * whatever ends the program then, it is kept. */
void window_remember(Window *window);
void window_write(Window *window);

/* Looks at the lesson's file, where it has one and it is time to. */
void window_look_at_file(Window *window);

/* Return the milliseconds until either is due; infinity for none. */
double window_until_files(const Window *window);

/* Between begin and end, everything is noted and written however the program ends; end
 * does so before the window is destroyed. */
void window_remember_begin(Window *window);
void window_remember_end(Window *window);

/* Shows the pointer as what lies below it asks for. */
void window_shape_pointer(Window *window);

/* Does what the session asks for: a file, the clipboard's text, full screen, the end. */
void window_serve_request(Window *window);
