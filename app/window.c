#include "window.h"

#include "keep.h"
#include "painter.h"
#include "save.h"
#include "trace.h"

#include <SDL.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_NAME_SIZE = SESSION_KEY_SIZE,
    WINDOW_WIDTH = 1440,
    WINDOW_HEIGHT = 900,
    WINDOW_MIN_WIDTH = 1024,
    WINDOW_MIN_HEIGHT = 640,
    FRAME_MAX_MEMORY = 256 << 20,
    OPENING_TOLD_AFTER = 100, /* milliseconds */
    LONGEST_WAIT = 60000
};

struct Window {
    Session *session;
    SDL_Window *window;
    Fonts *fonts;
    Painter *painter;
    double scale; /* pixels a point, that fonts and painter were made for */
    Arena *arena; /* the scene's */
    Scene scene;  /* what is on the screen, for the pointer */
    uint64_t digest;
    int pixel_width, pixel_height; /* of the surface painted last; 0: none */
    bool changed;                  /* the session may show something else now */
    bool exposed;                  /* the screen has lost what was painted */
    bool hidden, quits;
    bool moved; /* the pointer has, to x, y; not told to the session yet */
    double x, y;
    bool once;              /* leave when the first frame is on the screen */
    uint64_t told;          /* the session's clock, in the counter's units */
    uint32_t opening_since; /* SDL's ticks; 0: nothing is being opened */
    Trace trace;
};

/* ---- opening ---- */

/* Fonts and a painter for a scale, in place of those for another. */
static bool take_scale(Window *window, double scale, Error *error) {
    if (window->painter && scale == window->scale)
        return true;
    painter_destroy(window->painter);
    fonts_destroy(window->fonts);
    window->painter = NULL;
    window->fonts = fonts_create(scale, error);
    if (!window->fonts)
        return false;
    window->painter = painter_create(window->fonts);
    window->scale = scale;
    return window->painter ||
           error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
}

/* Run in a thread of its own while the screen is being opened, which is mostly waiting:
 * paints the first frame for nobody, so that fonts and shapes are at hand when there is a
 * surface. Whatever fails here will be tried again, and told of, there. */
static int warm_up(void *data) {
    Window *window = data;
    Error error;
    if (!take_scale(window, 1, &error))
        return 0;
    TextMetrics metrics = fonts_metrics(window->fonts);
    session_draw(window->session, &window->scene, window->arena, &metrics, WINDOW_WIDTH,
                 WINDOW_HEIGHT, true);
    uint32_t *pixels = malloc((size_t)WINDOW_WIDTH * WINDOW_HEIGHT * sizeof *pixels);
    if (pixels)
        painter_paint(
            window->painter, &window->scene,
            (PainterTarget){pixels, WINDOW_WIDTH, WINDOW_HEIGHT, WINDOW_WIDTH, 1});
    free(pixels);
    return 0;
}

/* Called in a loader's thread. */
static void wake(void *context) {
    (void)context;
    SDL_Event event = {.type = SDL_USEREVENT};
    SDL_PushEvent(&event);
}

LoaderWatch window_watch(void) {
    SDL_InitSubSystem(SDL_INIT_EVENTS); /* so that there is a queue to push into */
    return (LoaderWatch){.done = wake};
}

bool window_possible(void) {
    return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY") || getenv("SDL_VIDEODRIVER");
}

/* SDL falls back to drivers that show nothing; nobody would see the window. */
static bool start_video(Error *error) {
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return error_set(error, ERROR_FILE, 0, 0, "the screen can't be used: %s",
                         SDL_GetError());
    const char *driver = SDL_GetCurrentVideoDriver();
    if (getenv("SDL_VIDEODRIVER") || !driver ||
        (strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0 &&
         strcmp(driver, "evdev") != 0))
        return true;
    return error_set(error, ERROR_FILE, 0, 0, "the screen can't be used");
}

static const char *title_of(const Session *session) {
    return session->view == SESSION_LESSON
               ? text_in(&session->lesson->title, session->language)
               : "Glassformer";
}

static SDL_Window *open_window(const Session *session) {
    int width = WINDOW_WIDTH, height = WINDOW_HEIGHT;
    SDL_Rect usable;
    if (SDL_GetDisplayUsableBounds(0, &usable) == 0 && usable.w > 0 && usable.h > 0) {
        width = SDL_min(width, usable.w);
        height = SDL_min(height, usable.h);
    }
    SDL_Window *window = SDL_CreateWindow(
        title_of(session), SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width,
        height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (window)
        SDL_SetWindowMinimumSize(window, SDL_min(WINDOW_MIN_WIDTH, width),
                                 SDL_min(WINDOW_MIN_HEIGHT, height));
    return window;
}

Window *window_create(Session *session, Error *error) {
    Window *window = calloc(1, sizeof *window);
    if (!window) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
        return NULL;
    }
    window->session = session;
    window->changed = true;
    window->once = getenv("GLASSFORMER_EXIT_AFTER_FIRST_FRAME") != NULL;
    window->arena = arena_create(FRAME_MAX_MEMORY);
    trace_open(&window->trace);
    if (!window->arena) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
        goto fail;
    }
    SDL_Thread *warming = SDL_CreateThread(warm_up, "fonts", window);
    bool started = start_video(error);
    SDL_WaitThread(warming, NULL);
    if (!started)
        goto fail;
    window->window = open_window(session);
    if (!window->window) {
        error_set(error, ERROR_FILE, 0, 0, "the window can't be opened: %s",
                  SDL_GetError());
        goto fail;
    }
    /* Keys are commands here: an input method must not take them for words. */
    SDL_StopTextInput();
    return window;
fail:
    window_destroy(window);
    return NULL;
}

void window_destroy(Window *window) {
    if (!window)
        return;
    session_abandon_opening(window->session);
    trace_close(&window->trace);
    painter_destroy(window->painter);
    fonts_destroy(window->fonts);
    arena_destroy(window->arena);
    if (window->window)
        SDL_DestroyWindow(window->window);
    SDL_Quit();
    free(window);
}

/* ---- painting ---- */

/* Paints the scene into the surface; one whose pixels are of another kind gets a copy. */
static bool paint_surface(Window *window, SDL_Surface *surface) {
    size_t width = (size_t)surface->w, height = (size_t)surface->h;
    bool direct = (surface->format->format == SDL_PIXELFORMAT_RGB888 ||
                   surface->format->format == SDL_PIXELFORMAT_ARGB8888) &&
                  surface->pitch % 4 == 0 && !SDL_MUSTLOCK(surface);
    if (direct) {
        painter_paint(window->painter, &window->scene,
                      (PainterTarget){surface->pixels, width, height,
                                      (size_t)surface->pitch / 4, window->scale});
        return true;
    }
    uint32_t *pixels = malloc(width * height * sizeof *pixels);
    if (!pixels)
        return false;
    painter_paint(window->painter, &window->scene,
                  (PainterTarget){pixels, width, height, width, window->scale});
    SDL_Surface *copy = SDL_CreateRGBSurfaceWithFormatFrom(
        pixels, surface->w, surface->h, 32, surface->w * 4, SDL_PIXELFORMAT_ARGB8888);
    bool copied = copy && SDL_SetSurfaceBlendMode(copy, SDL_BLENDMODE_NONE) == 0 &&
                  SDL_BlitSurface(copy, NULL, surface, NULL) == 0;
    SDL_FreeSurface(copy);
    free(pixels);
    return copied;
}

/* Lays out what the session shows now. True when that, or the surface, has changed. */
static bool lay_out(Window *window, const SDL_Surface *surface, int width, int height) {
    TextMetrics metrics = fonts_metrics(window->fonts);
    arena_reset(window->arena);
    session_draw(window->session, &window->scene, window->arena, &metrics, width, height,
                 true);
    uint64_t digest = scene_digest(&window->scene);
    bool same = digest == window->digest && surface->w == window->pixel_width &&
                surface->h == window->pixel_height;
    window->digest = digest;
    window->pixel_width = surface->w;
    window->pixel_height = surface->h;
    return !same;
}

static bool show_frame(Window *window, Error *error) {
    trace_mark(&window->trace, TRACE_BEGUN);
    SDL_Surface *surface = SDL_GetWindowSurface(window->window);
    int width, height;
    SDL_GetWindowSize(window->window, &width, &height);
    if (!surface || surface->w < 1 || surface->h < 1 || width < 1 || height < 1)
        return error_set(error, ERROR_FILE, 0, 0, "the window can't be painted: %s",
                         SDL_GetError());
    /* never the screen's dots per inch: what counts is how the window is magnified */
    if (!take_scale(window, (double)surface->w / width, error))
        return false;
    bool painted = lay_out(window, surface, width, height) || window->exposed;
    trace_mark(&window->trace, TRACE_LAID_OUT);
    if (painted && !paint_surface(window, surface))
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
    trace_mark(&window->trace, TRACE_PAINTED);
    window->changed = window->exposed = false;
    if (!painted)
        return true;
    SDL_SetWindowTitle(window->window, title_of(window->session));
    if (SDL_UpdateWindowSurface(window->window) != 0) /* resized under our hands */
        window->exposed = true;
    trace_frame(&window->trace);
    return true;
}

/* ---- what the session asks for ---- */

static void save(Window *window) {
    Error error;
    Arena *arena = arena_create(1 << 20);
    if (arena)
        save_picture(window->session, NULL, (size_t)window->pixel_width,
                     (size_t)window->pixel_height, arena, &error);
    arena_destroy(arena);
}

static void keep(Window *window) {
    Error error;
    Arena *arena = arena_create(1 << 20);
    if (arena)
        keep_lesson(window->session, NULL, arena, &error);
    arena_destroy(arena);
}

static void paste(Window *window) {
    char *text = SDL_GetClipboardText();
    if (text)
        window->changed |= session_type(window->session, text);
    SDL_free(text);
}

static void serve_request(Window *window) {
    bool is_full;
    switch (session_take_request(window->session)) {
    case SESSION_NOTHING:
        break;
    case SESSION_QUIT:
        window->quits = true;
        break;
    case SESSION_SAVE:
        save(window);
        break;
    case SESSION_KEEP:
        keep(window);
        break;
    case SESSION_PASTE:
        paste(window);
        break;
    case SESSION_FULLSCREEN:
        is_full = SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
        SDL_SetWindowFullscreen(window->window,
                                is_full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
        break;
    }
}

/* ---- events ---- */

/* Where keyboards have their question mark, with Shift: English, German, Spanish and
 * Italian, French, Nordic. */
static bool is_question_mark(const SDL_Keysym *key) {
    static const SDL_Keycode with_shift[] = {SDLK_SLASH, 0xDF, SDLK_QUOTE, SDLK_COMMA,
                                             SDLK_PLUS};
    if (key->sym == SDLK_QUESTION)
        return true;
    for (size_t i = 0; i < sizeof with_shift / sizeof *with_shift; i++) {
        if (key->mod & KMOD_SHIFT && key->sym == with_shift[i])
            return true;
    }
    return false;
}

/* Writes a key's name behind its modifiers' and says whether that stands for anything. */
static bool try_name(char name[KEY_NAME_SIZE], Uint16 modifiers, const char *key) {
    snprintf(name, KEY_NAME_SIZE, "%s%s%s", modifiers & KMOD_CTRL ? "Ctrl+" : "",
             modifiers & KMOD_SHIFT ? "Shift+" : "", key);
    return session_key_exists(name);
}

/* What the session calls a key. Letters of other alphabets count as the ones in their
 * place on an English keyboard; Shift counts only where it makes a difference. False when
 * the key stands for nothing. */
static bool name_key(char name[KEY_NAME_SIZE], const SDL_Keysym *key) {
    const char *named = SDL_GetKeyName(key->sym);
    const char *placed = SDL_GetScancodeName(key->scancode);
    Uint16 without_shift = key->mod & (Uint16)~KMOD_SHIFT;
    if (is_question_mark(key) && !(key->mod & KMOD_CTRL))
        return try_name(name, 0, "?");
    return try_name(name, key->mod, named) || try_name(name, key->mod, placed) ||
           try_name(name, without_shift, named) || try_name(name, without_shift, placed);
}

/* Letters come as text while one is written, and as keys else. */
static void follow_writing(const Window *window, bool was_writing) {
    if (session_is_writing(window->session) && !was_writing)
        SDL_StartTextInput();
    if (!session_is_writing(window->session) && was_writing)
        SDL_StopTextInput();
}

static void press_key(Window *window, const SDL_KeyboardEvent *event) {
    static const SDL_Keycode repeating[] = {
        SDLK_RIGHT,  SDLK_LEFT,      SDLK_DOWN,   SDLK_UP,          SDLK_PAGEDOWN,
        SDLK_PAGEUP, SDLK_BACKSPACE, SDLK_DELETE, SDLK_LEFTBRACKET, SDLK_RIGHTBRACKET};
    bool repeats = false;
    bool was_writing = session_is_writing(window->session);
    char name[KEY_NAME_SIZE];
    for (size_t i = 0; i < sizeof repeating / sizeof *repeating; i++)
        repeats |= event->keysym.sym == repeating[i];
    if ((event->repeat && !repeats) || event->keysym.mod & (KMOD_ALT | KMOD_GUI) ||
        (!name_key(name, &event->keysym) && event->keysym.mod & KMOD_CTRL))
        return;
    if (session_key(window->session, name))
        window->changed = true;
    follow_writing(window, was_writing);
    serve_request(window);
}

/* The wheel goes through the overview's rows, and nudges the cell under the pointer. */
static void turn_wheel(Window *window, const SDL_MouseWheelEvent *event) {
    Session *session = window->session;
    if (session->view == SESSION_LESSON)
        window->changed |= session_pointer_wheel(session, &window->scene, window->x,
                                                 window->y, event->y);
    else if (event->y && session_key(session, event->y > 0 ? "Up" : "Down"))
        window->changed = true;
}

/* A row of motions counts as its last. */
static void tell_motion(Window *window) {
    if (window->moved && window->pixel_width &&
        session_pointer_move(window->session, &window->scene, window->x, window->y))
        window->changed = true;
    window->moved = false;
}

static void press_button(Window *window, const SDL_MouseButtonEvent *event) {
    tell_motion(window);
    if (event->button != SDL_BUTTON_LEFT || !window->pixel_width)
        return;
    if (event->type == SDL_MOUSEBUTTONUP) {
        SDL_CaptureMouse(SDL_FALSE);
        window->changed |= session_pointer_release(window->session);
        return;
    }
    SDL_CaptureMouse(SDL_TRUE); /* a drag along the timeline may leave the window */
    bool was_writing = session_is_writing(window->session);
    bool twice =
        event->clicks == 2 &&
        session_pointer_double(window->session, &window->scene, event->x, event->y);
    window->changed |= twice || session_pointer_press(window->session, &window->scene,
                                                      event->x, event->y);
    follow_writing(window, was_writing);
    serve_request(window);
}

static void change_window(Window *window, Uint8 what) {
    switch (what) {
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        window->exposed = true;
        break;
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        window->hidden = true;
        break;
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
        window->hidden = false;
        window->exposed = true;
        break;
    case SDL_WINDOWEVENT_LEAVE:
        window->moved = true; /* to where there is nothing */
        window->x = window->y = -1;
        break;
    default:
        break;
    }
}

static void take_event(Window *window, const SDL_Event *event) {
    switch (event->type) {
    case SDL_QUIT:
        window->quits = true;
        break;
    case SDL_WINDOWEVENT:
        change_window(window, event->window.event);
        break;
    case SDL_KEYDOWN:
        tell_motion(window);
        press_key(window, &event->key);
        break;
    case SDL_TEXTINPUT:
        window->changed |= session_type(window->session, event->text.text);
        break;
    case SDL_MOUSEWHEEL:
        turn_wheel(window, &event->wheel);
        break;
    case SDL_MOUSEMOTION:
        window->moved = true;
        window->x = event->motion.x;
        window->y = event->motion.y;
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        press_button(window, &event->button);
        break;
    default:
        break;
    }
}

/* The session's clock goes on to now; before events are taken, so that what they begin
 * begins now. */
static void tell_time(Window *window) {
    uint64_t now = SDL_GetPerformanceCounter();
    double passed =
        (double)(now - window->told) * 1000 / (double)SDL_GetPerformanceFrequency();
    window->told = now;
    if (!window->hidden)
        window->changed |= session_tick(window->session, passed);
}

/* Waits until something is to move, and no longer; gives an event of no kind then. */
static bool wait_while_moving(Window *window, SDL_Event *event) {
    double until = session_until_change(window->session);
    if (window->hidden || !isfinite(until))
        return SDL_WaitEvent(event);
    double passed = (double)(SDL_GetPerformanceCounter() - window->told) * 1000 /
                    (double)SDL_GetPerformanceFrequency();
    int left = (int)ceil(fmin(fmax(until - passed, 0), LONGEST_WAIT));
    if (left > 0)
        SDL_WaitEventTimeout(event, left);
    return true;
}

/* Waits for the next event; where a lesson is being opened, not longer than until the
 * page is to say so: it then gives an event of no kind. */
static bool wait_for_event(Window *window, SDL_Event *event) {
    *event = (SDL_Event){0};
    if (!session_is_opening(window->session)) {
        window->opening_since = 0;
        return wait_while_moving(window, event);
    }
    Uint32 now = SDL_GetTicks();
    if (!window->opening_since)
        window->opening_since = now ? now : 1;
    Uint32 waited = now - window->opening_since;
    if (window->session->opening.told)
        return SDL_WaitEvent(event);
    if (waited < OPENING_TOLD_AFTER &&
        SDL_WaitEventTimeout(event, (int)(OPENING_TOLD_AFTER - waited)))
        return true;
    session_tell_opening(window->session);
    window->changed = true;
    return true;
}

/* Whether a lesson that was being opened is there, or can't be: then the session shows
 * something else. */
static void poll_session(Window *window, ErrorList *errors) {
    if (!session_poll(window->session, errors))
        return;
    window->changed = true;
    if (session_is_writing(window->session))
        SDL_StartTextInput();
    serve_request(window);
}

bool window_run(Window *window, ErrorList *errors) {
    Error error = {0};
    size_t before = errors->count;
    window->told = SDL_GetPerformanceCounter();
    poll_session(window, errors);
    while (!window->quits) {
        SDL_Event event;
        if ((window->changed || window->exposed) && !window->hidden) {
            if (!show_frame(window, &error))
                return error_list_append(errors, &error, 0, 0);
            if (window->once && !session_is_opening(window->session))
                return true;
        }
        if (!wait_for_event(window, &event))
            return error_list_add(errors, ERROR_FILE, 0, 0,
                                  "the screen can't be used: %s", SDL_GetError());
        trace_mark(&window->trace, TRACE_WOKEN);
        tell_time(window);
        do
            take_event(window, &event);
        while (!window->quits && SDL_PollEvent(&event));
        tell_motion(window);
        poll_session(window, errors);
    }
    return errors->count == before;
}
