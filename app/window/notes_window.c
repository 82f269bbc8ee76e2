#include "window/window_parts.h"

#include "base/arena.h"
#include "modes/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    NOTES_WIDTH = 1120,
    NOTES_HEIGHT = 700,
    NOTES_SHARE = 40 /* percent of the only screen */,
    NOTES_MAX_MEMORY = 256 << 20
};

struct NotesWindow {
    Session *session;
    Fonts *fonts;
    Painter *painter;
    Arena *arena;
    SDL_Window *window, *beside;
    bool open;
    bool aside;      /* the class's window makes room on the same screen */
    SDL_Rect was;    /* place of the class's window before it made room */
    SDL_Point least; /* least size of the class's window */
    bool exposed;    /* the screen has lost what was painted */
    uint64_t digest;
    uint32_t painted; /* SDL's ticks */
};

/* A screen without the class's window; that one's where there is no other. */
static int choose_screen(SDL_Window *beside) {
    int taken = SDL_GetWindowDisplayIndex(beside), screens = SDL_GetNumVideoDisplays();
    for (int i = 0; i < screens; i++) {
        if (i != taken)
            return i;
    }
    return taken < 0 ? 0 : taken;
}

bool notes_window_has_screen(SDL_Window *beside) {
    return choose_screen(beside) != SDL_GetWindowDisplayIndex(beside);
}

/* Without a window manager the keys would go with the window that had them. */
static void give_keys(SDL_Window *window) {
    const Uint32 away = SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED;
    if (!(SDL_GetWindowFlags(window) & away))
        SDL_SetWindowInputFocus(window);
}

static int place_on(int screen) {
    return (int)SDL_WINDOWPOS_UNDEFINED_DISPLAY((unsigned)screen);
}

NotesWindow *notes_window_create(Session *session, Fonts *fonts, SDL_Window *beside) {
    NotesWindow *notes = calloc(1, sizeof *notes);
    if (!notes)
        return NULL;
    *notes = (NotesWindow){.session = session,
                           .fonts = fonts,
                           .beside = beside,
                           .painter = painter_create(fonts),
                           .arena = arena_create(NOTES_MAX_MEMORY)};
    int place = place_on(choose_screen(beside));
    if (notes->painter && notes->arena)
        notes->window = SDL_CreateWindow(
            "Glassformer", place, place, NOTES_WIDTH, NOTES_HEIGHT,
            SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN);
    if (!notes->window) {
        notes_window_destroy(notes);
        return NULL;
    }
    return notes;
}

void notes_window_destroy(NotesWindow *notes) {
    if (!notes)
        return;
    painter_destroy(notes->painter);
    arena_destroy(notes->arena);
    if (notes->window)
        SDL_DestroyWindow(notes->window);
    free(notes);
}

SDL_Rect window_rect(SDL_Window *window) {
    SDL_Rect rect;
    SDL_GetWindowPosition(window, &rect.x, &rect.y);
    SDL_GetWindowSize(window, &rect.w, &rect.h);
    return rect;
}

static void move_to(SDL_Window *window, SDL_Rect rect) {
    SDL_SetWindowSize(window, rect.w, rect.h);
    SDL_SetWindowPosition(window, rect.x, rect.y);
}

/* Places both windows side by side on the only screen, to practise a talk. */
static void stand_beside(NotesWindow *notes, SDL_Rect slide) {
    const Uint32 whole = SDL_WINDOW_FULLSCREEN | SDL_WINDOW_MAXIMIZED;
    int screen = SDL_GetWindowDisplayIndex(notes->beside);
    SDL_Rect room;
    if (SDL_GetWindowFlags(notes->beside) & whole ||
        SDL_GetDisplayUsableBounds(screen, &room) != 0)
        return;
    notes->was = slide;
    int end = room.x + room.w, share = room.w * NOTES_SHARE / 100;
    notes->aside = end - slide.x - slide.w < share;
    if (notes->aside) {
        SDL_GetWindowMinimumSize(notes->beside, &notes->least.x, &notes->least.y);
        SDL_SetWindowMinimumSize(notes->beside, 1, 1);
        slide.x = room.x;
        slide.w = room.w - share;
        move_to(notes->beside, slide);
    }
    move_to(notes->window, (SDL_Rect){slide.x + slide.w, slide.y, end - slide.x - slide.w,
                                      room.y + room.h - slide.y});
}

static void open_notes(NotesWindow *notes, SDL_Rect slide) {
    int screen = choose_screen(notes->beside);
    bool alone = notes_window_has_screen(notes->beside);
    if (SDL_GetWindowDisplayIndex(notes->window) != screen) /* one that came or went */
        SDL_SetWindowPosition(notes->window, place_on(screen), place_on(screen));
    if (!alone)
        stand_beside(notes, slide);
    SDL_ShowWindow(notes->window);
    notes->exposed = true;
    /* Which of them has the keys is as good. */
    SDL_RaiseWindow(alone ? notes->beside : notes->window);
}

static void close_notes(NotesWindow *notes) {
    if (notes->aside) {
        move_to(notes->beside, notes->was);
        SDL_SetWindowMinimumSize(notes->beside, notes->least.x, notes->least.y);
    }
    notes->aside = false;
    SDL_HideWindow(notes->window);
    give_keys(notes->beside);
}

bool notes_window_turn(NotesWindow *notes, bool open, SDL_Rect slide) {
    if (!notes || notes->open == open)
        return false;
    notes->open = open;
    if (open)
        open_notes(notes, slide);
    else
        close_notes(notes);
    return true;
}

void notes_window_take(NotesWindow *notes, const SDL_Event *event) {
    if (notes)
        notes->exposed |= event->type == SDL_WINDOWEVENT;
}

double notes_window_until(const NotesWindow *notes) {
    if (!notes || !notes->open)
        return INFINITY;
    uint32_t since = SDL_GetTicks() - notes->painted;
    return since < 1000 ? 1000 - since : 0;
}

static SessionClock clock_now(void) {
    time_t now = time(NULL);
    struct tm local = {0};
    localtime_r(&now, &local);
    return (SessionClock){local.tm_hour, local.tm_min};
}

void notes_window_show(NotesWindow *notes, bool changed) {
    if (!notes || !notes->open ||
        !(changed || notes->exposed || notes_window_until(notes) <= 0))
        return;
    SDL_Surface *surface = SDL_GetWindowSurface(notes->window);
    notes->painted = SDL_GetTicks();
    notes->exposed |= !surface;
    if (!surface || surface->w < 1 || surface->h < 1)
        return;
    PageFit fit = page_fit(surface->w, surface->h);
    TextMetrics metrics = fonts_metrics(notes->fonts);
    Scene scene;
    arena_reset(notes->arena);
    const char *title = session_notes_title(notes->session, notes->arena);
    if (title && strcmp(title, SDL_GetWindowTitle(notes->window)) != 0)
        SDL_SetWindowTitle(notes->window, title);
    session_draw_notes(notes->session, &scene, notes->arena, &metrics, clock_now(),
                       fit.width, fit.height);
    uint64_t digest = scene_digest(&scene);
    if (digest == notes->digest && !notes->exposed)
        return;
    notes->digest = digest;
    notes->exposed = !surface_paint(surface, notes->painter, &scene, fit.scale) ||
                     SDL_UpdateWindowSurface(notes->window) != 0;
}
