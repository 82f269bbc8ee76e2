/* The parts of a window, for the files of this room only: window.c opens, paints and
 * waits, window_events.c passes events to the session, window_memory.c keeps its place.
 */
#pragma once

#include "drive/drive.h"
#include "paint/paint.h"

#include <SDL.h>
#include <stdio.h>

typedef struct MemoryWindow MemoryWindow;
typedef struct NotesWindow NotesWindow;
typedef struct Window Window;

/* ---- A scene on a window's surface ---- */

/* Paints straight into the surface; one whose pixels are of another kind gets a copy.
 * False when there is no memory for that. */
bool surface_paint(SDL_Surface *surface, Painter *painter, const Scene *scene,
                   double scale);

/* ---- SDL's errors ----
 *
 * SDL's errors.
 *
 * SDL keeps a thread's last error in memory that it takes when the first one occurs.
 * Where there is none, that is an error too, and so on until the stack ends: so it is
 * taken beforehand, and for that alone there is always some. */

/* Before a thread's first use of SDL; again does no harm. */
void sdl_errors_begin(void);

/* To be called after a thread's last use of SDL, unless SDL has started the thread. */
void sdl_errors_end(void);

/* ---- A trace: durations of the window's frames, a line each, for measurements.
 *
 * The file is named by $GLASSFORMER_TRACE_FRAMES; without it nothing is recorded. A line
 * has milliseconds: since the start of the program's clock; from waking up with an event
 * to the frame on the screen; and of these for handling the event, layout, painting and
 * showing. {0} is a trace without a file. */

typedef enum TraceMark {
    TRACE_WOKEN, /* something has happened */
    TRACE_BEGUN, /* a frame is begun */
    TRACE_LAID_OUT,
    TRACE_PAINTED,
    TRACE_COUNT
} TraceMark;

typedef struct Trace {
    FILE *file;
    double marks[TRACE_COUNT]; /* in milliseconds */
} Trace;

void trace_open(Trace *trace);
void trace_close(Trace *trace);

/* Notes the time at which the frame has reached a mark. */
void trace_mark(Trace *trace, TraceMark mark);

/* The frame is on the screen. */
void trace_frame(Trace *trace);

/* ---- The notes' window: the lecturer's own page beside the window that the class sees,
 * on another screen where there is one; on the only screen it lies on top. It is painted
 * after the other, at most once a second where nothing but the time goes on. */

/* Makes one for a session beside the class's window; all are borrowed. Nobody sees it
 * yet. NULL where there is no screen or no memory for it: then the class's window does
 * without. The caller destroys it when the program ends, and not before: SDL wakes itself
 * by messages to any of its windows, on a connection of its own to the X server, and one
 * that comes behind the window's end ends the program. */
NotesWindow *notes_window_create(Session *session, Fonts *fonts, SDL_Window *beside);

/* NULL is fine. */
void notes_window_destroy(NotesWindow *notes);

/* Opens or closes it, where it isn't so already, and says whether it wasn't; the class's
 * window may be painted over then. `slide`: the class's window's place when it doesn't
 * fill the screen; SDL tells that of one that has just left full screen too late. NULL is
 * fine. */
bool notes_window_turn(NotesWindow *notes, bool open, SDL_Rect slide);

/* Position and size of a window, in screen coordinates. */
SDL_Rect window_rect(SDL_Window *window);

/* True if there is a second screen, beside the window of the class. */
bool notes_window_has_screen(SDL_Window *beside);

/* Takes an event of its own; NULL is fine. */
void notes_window_take(NotesWindow *notes, const SDL_Event *event);

/* Shows the present notes if the session (`changed`) or the second has changed. */
void notes_window_show(NotesWindow *notes, bool changed);

/* Returns the milliseconds until the next second; infinity while the window isn't open.
 */
double notes_window_until(const NotesWindow *notes);

/* ---- the window ----
 *
 * The parts of a window, for window.c (opens, paints and waits), window_events.c (passes
 * events to the session) and window_memory.c (keeps its place) only. */

enum { WINDOW_POINTERS = SESSION_TEXT + 1 };

enum { TITLE_BAR = 40 }; /* height of what a desktop puts over a window, at most */

struct Window {
    Session *session;
    Notes *memory; /* borrowed; NULL: nothing is kept */
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
    bool ahead;                    /* the next page is to be drawn ahead */
    bool hidden, quits;
    bool found; /* it is known where the pointer lies: at x, y of the page */
    bool moved; /* the pointer has moved since the session got its position */
    double x, y;
    double points; /* of the page in one of the window's, which the pointer counts in */
    bool fills;    /* the window has to fill the screen, because the session presents */
    bool filled;   /* the window filled the screen before presenting began */
    SDL_Rect own;  /* its place during a talk when it doesn't fill it; width 0: none */
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
bool window_place(const Notes *memory, MemoryWindow *place);

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
