#include "course/notes.h"
#include "window/window_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The window's notes between runs: its place, and when they are written. */

enum {
    LONGEST_PAUSE = 400, /* milliseconds from one writing to the next */
    PAUSES = 8,          /* pause between writings, in durations of the last one */
    TRY_AGAIN_AFTER = 60000,
    LOOK_EVERY = 250,
    LEAST_WIDTH = 320,
    LEAST_HEIGHT = 240 /* a window that was left smaller opens as any other */
};

/* Moves a window into a screen, smaller if it has no room; false if enough of it is on
 * none to take hold of it. */
static bool put_on_a_screen(MemoryWindow *place) {
    SDL_Rect screen, grip = {place->x, place->y, place->width, TITLE_BAR}, shown;
    for (int i = 0; i < SDL_GetNumVideoDisplays(); i++) {
        if (SDL_GetDisplayUsableBounds(i, &screen) != 0 ||
            !SDL_IntersectRect(&screen, &grip, &shown) || shown.w < 80 || shown.h < 20)
            continue;
        place->width = SDL_min(place->width, screen.w);
        place->height = SDL_min(place->height, SDL_max(screen.h - TITLE_BAR, 1));
        place->x = SDL_clamp(place->x, screen.x, screen.x + screen.w - place->width);
        place->y =
            SDL_clamp(place->y, screen.y,
                      SDL_max(screen.y + screen.h - TITLE_BAR - place->height, screen.y));
        return true;
    }
    return false;
}

bool window_place(const Notes *memory, MemoryWindow *place) {
    return memory && memory_window(memory, place) && place->width >= LEAST_WIDTH &&
           place->height >= LEAST_HEIGHT && put_on_a_screen(place);
}

/* Position at which a new window would be where this one is. X11's window managers put
 * the corner of a new window's frame there. */
static void take_position(SDL_Window *window, int *x, int *y) {
    const char *driver = SDL_GetCurrentVideoDriver();
    int top, left;
    SDL_GetWindowPosition(window, x, y);
    if (driver && strcmp(driver, "x11") == 0 &&
        SDL_GetWindowBordersSize(window, &top, &left, NULL, NULL) == 0) {
        *x -= left;
        *y -= top;
    }
}

/* Notes the window's place; a maximized window's is the one from before. */
static void note_place(const Window *window) {
    MemoryWindow place;
    Uint32 flags = SDL_GetWindowFlags(window->window);
    if (flags & (SDL_WINDOW_FULLSCREEN | SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN))
        return;
    bool maximized = flags & SDL_WINDOW_MAXIMIZED;
    if (!maximized || !memory_window(window->memory, &place)) {
        take_position(window->window, &place.x, &place.y);
        SDL_GetWindowSize(window->window, &place.width, &place.height);
    }
    place.maximized = maximized;
    memory_note_window(window->memory, &place);
}

/* Writes the notes; on a slow disk less often, so that nothing waits for it. */
static void write_now(Window *window) {
    Error error;
    Uint32 began = SDL_GetTicks();
    bool written = notes_write(window->memory, &error);
    Uint32 now = SDL_GetTicks();
    Uint32 pause = SDL_min(PAUSES * (now - began), LONGEST_PAUSE);
    window->write_at = now + (written ? pause : TRY_AGAIN_AFTER);
    if (!written && !window->unwritten_reported)
        session_show_message(window->session, "memory.not_kept", error.message, NULL);
    window->changed |= !written && !window->unwritten_reported;
    window->unwritten_reported = !written;
}

void window_remember(Window *window) {
    if (!window->memory)
        return;
    if (window->changed)
        session_remember(window->session);
    if (window->exposed)
        note_place(window);
}

void window_write(Window *window) {
    if (!window->memory || !notes_unwritten(window->memory))
        window->write_at = 0;
    else if (!window->write_at || SDL_TICKS_PASSED(SDL_GetTicks(), window->write_at))
        write_now(window);
}

void window_look_at_file(Window *window) {
    Uint32 now = SDL_GetTicks();
    if (window->hidden || !session_has_file(window->session)) {
        window->look_at = 0;
        return;
    }
    if (window->look_at && !SDL_TICKS_PASSED(now, window->look_at))
        return;
    window->changed |= session_look_at_file(window->session);
    window->look_at = now + LOOK_EVERY;
}

/* Milliseconds until a time of SDL's; infinity for 0. */
static double until(uint32_t ticks) {
    return ticks ? fmax((double)(Sint32)(ticks - SDL_GetTicks()), 0) : INFINITY;
}

double window_until_files(const Window *window) {
    return fmin(until(window->write_at), until(window->look_at));
}

/* Window to note when the X server ends the program by exit(): when it ends itself, or
 * when a window that another program has destroyed is used. */
static Window *at_exit;

static void write_at_exit(void) {
    Error error;
    if (!at_exit)
        return;
    session_remember(at_exit->session);
    notes_write(at_exit->memory, &error);
}

void window_remember_begin(Window *window) {
    static bool registered;
    if (!window->memory)
        return;
    registered = registered || atexit(write_at_exit) == 0;
    at_exit = window;
}

void window_remember_end(Window *window) {
    at_exit = NULL;
    if (!window->memory)
        return;
    session_remember(window->session);
    note_place(window);
    write_now(window);
}
