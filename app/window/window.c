#include "window/window.h"

#include "base/number.h"
#include "course/notes.h"
#include "window/window_parts.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW_WIDTH = 1440,
    WINDOW_HEIGHT = 900,
    WINDOW_MIN_WIDTH = 1024,
    WINDOW_MIN_HEIGHT = 640,
    EXPECTED_MOST = 8192, /* width and height that a first frame is painted for */
    FRAME_MAX_MEMORY = 256 << 20,
    OPENING_TOLD_AFTER = 100, /* milliseconds */
    AHEAD_AFTER = 60,         /* milliseconds without an event */
    LONGEST_WAIT = 60000
};

/* ---- opening ---- */

/* Fonts and a painter, if there are none yet. */
static bool take_painter(Window *window, Error *error) {
    if (!window->fonts)
        window->fonts = fonts_create(error);
    if (!window->fonts)
        return false;
    if (!window->painter)
        window->painter = painter_create(window->fonts);
    return window->painter ||
           error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
}

/* Returns the size that the window will probably have: that of the last one, since fonts
 * are loaded for a page's size. */
static MemoryWindow expected_size(const Notes *memory) {
    MemoryWindow size;
    bool known = memory && memory_window(memory, &size) &&
                 size.width >= WINDOW_MIN_WIDTH && size.width <= EXPECTED_MOST &&
                 size.height >= WINDOW_MIN_HEIGHT && size.height <= EXPECTED_MOST;
    return known ? size : (MemoryWindow){.width = WINDOW_WIDTH, .height = WINDOW_HEIGHT};
}

/* Paints the first frame off the screen, in a thread of its own while the screen is
 * being opened, which is mostly waiting: then fonts and shapes are loaded when there is
 * a surface. A failure here is repeated, and reported, there. */
static int warm_up(void *data) {
    Window *window = data;
    Error error;
    number_take_point();
    if (!take_painter(window, &error))
        return 0;
    MemoryWindow size = expected_size(window->memory);
    size_t width = (size_t)size.width, height = (size_t)size.height;
    window->fit = page_fit(size.width, size.height);
    TextMetrics metrics = fonts_metrics(window->fonts);
    session_draw(window->session, &window->scene, window->arena, &metrics,
                 window->fit.width, window->fit.height, true);
    uint32_t *pixels = malloc(width * height * sizeof *pixels);
    if (pixels)
        painter_paint(window->painter, &window->scene,
                      (PainterTarget){pixels, width, height, width, window->fit.scale});
    free(pixels);
    return 0;
}

/* Called in a loader's thread. */
static void wake(void *context) {
    (void)context;
    SDL_Event event = {.type = SDL_USEREVENT};
    sdl_errors_begin();
    SDL_PushEvent(&event);
    sdl_errors_end();
}

LoaderWatch window_watch(void) {
    sdl_errors_begin();
    SDL_InitSubSystem(SDL_INIT_EVENTS); /* so that there is a queue to push into */
    return (LoaderWatch){.done = wake};
}

bool window_possible(void) {
    return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY") || getenv("SDL_VIDEODRIVER");
}

/* Xlib writes a title's letters by the process's locale; in that of C there are no others
 * than English ones, and the title stays as it was. */
static void use_all_letters(void) {
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "");
}

/* Refuses SDL's drivers that show nothing. */
static bool start_video(Error *error) {
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0"); /* fingers come as fingers */
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_IME_SHOW_UI, "1"); /* the input method's list of characters */
    SDL_SetHint(SDL_HINT_IME_SUPPORT_EXTENDED_TEXT, "1");
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

static SDL_Window *open_window(const char *title, const Notes *memory) {
    MemoryWindow place = {SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, WINDOW_WIDTH,
                          WINDOW_HEIGHT, false};
    SDL_Rect usable;
    MemoryWindow before;
    if (window_place(memory, &before)) {
        place = before;
    } else if (SDL_GetDisplayUsableBounds(0, &usable) == 0 && usable.w > 0 &&
               usable.h > 0) {
        place.width = SDL_min(place.width, usable.w);
        place.height = SDL_min(place.height, SDL_max(usable.h - TITLE_BAR, 1));
    }
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    SDL_Window *window = SDL_CreateWindow(
        title ? title : "Glassformer", place.x, place.y, place.width, place.height,
        flags | (place.maximized ? SDL_WINDOW_MAXIMIZED : 0));
    if (window)
        SDL_SetWindowMinimumSize(window, SDL_min(WINDOW_MIN_WIDTH, place.width),
                                 SDL_min(WINDOW_MIN_HEIGHT, place.height));
    return window;
}

Window *window_create(Session *session, Notes *memory, Error *error) {
    Window *window = calloc(1, sizeof *window);
    if (!window) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
        return NULL;
    }
    window->session = session;
    window->memory = memory;
    window->changed = true;
    window->once = getenv("GLASSFORMER_EXIT_AFTER_FIRST_FRAME") != NULL;
    window->arena = arena_create(FRAME_MAX_MEMORY);
    trace_open(&window->trace);
    if (!window->arena) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
        goto fail;
    }
    use_all_letters(); /* before another thread reads the locale */
    SDL_Thread *warming = SDL_CreateThread(warm_up, "fonts", window);
    bool started = start_video(error);
    SDL_WaitThread(warming, NULL);
    if (!started)
        goto fail;
    window->window = open_window(session_title(session, window->arena), memory);
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

/* The video is left to the program's end. SDL wakes itself by a message to the window, on
 * a connection of its own to the X server; where that comes behind the window's end, the
 * server's complaint would end the program as SDL_Quit reads it. */
void window_destroy(Window *window) {
    if (!window)
        return;
    session_abandon_opening(window->session);
    trace_close(&window->trace);
    notes_window_destroy(window->notes);
    painter_destroy(window->painter);
    fonts_destroy(window->fonts);
    arena_destroy(window->arena);
    for (int i = 0; i < WINDOW_POINTERS; i++)
        SDL_FreeCursor(window->pointers[i]);
    if (window->window)
        SDL_DestroyWindow(window->window);
    free(window);
}

/* ---- painting ---- */

static void follow_title(Window *window) {
    const char *title = session_title(window->session, window->arena);
    const char *before = SDL_GetWindowTitle(window->window);
    if (title && (!before || strcmp(title, before) != 0))
        SDL_SetWindowTitle(window->window, title);
}

/* Lays out what the session shows now. True when that, or the surface, has changed. */
static bool lay_out(Window *window, const SDL_Surface *surface) {
    TextMetrics metrics = fonts_metrics(window->fonts);
    arena_reset(window->arena);
    session_draw(window->session, &window->scene, window->arena, &metrics,
                 window->fit.width, window->fit.height, true);
    uint64_t digest = scene_digest(&window->scene);
    bool same = digest == window->digest && surface->w == window->pixel_width &&
                surface->h == window->pixel_height;
    window->digest = digest;
    window->pixel_width = surface->w;
    window->pixel_height = surface->h;
    return !same;
}

/* Tells the input method where the caret is, so that its list appears there. */
static void place_input(const Window *window, int width) {
    Box caret;
    if (!session_caret(window->session, &window->scene, &caret))
        return;
    double points = window->fit.width / width;
    SDL_Rect rect = {(int)(caret.x / points), (int)(caret.y / points),
                     SDL_max((int)(caret.w / points), 1), (int)(caret.h / points)};
    SDL_SetTextInputRect(&rect);
}

static bool show_frame(Window *window, Error *error) {
    trace_mark(&window->trace, TRACE_BEGUN);
    SDL_Surface *surface = SDL_GetWindowSurface(window->window);
    int width, height;
    SDL_GetWindowSize(window->window, &width, &height);
    /* For one of a new size memory may lack: it is tried again with the next event. */
    if (!surface && window->pixel_width) {
        window->exposed = true;
        return true;
    }
    if (!surface || surface->w < 1 || surface->h < 1 || width < 1 || height < 1)
        return error_set(error, ERROR_FILE, 0, 0, "the window can't be painted: %s",
                         SDL_GetError());
    if (!take_painter(window, error))
        return false;
    window->fit = page_fit(surface->w, surface->h);
    window->points = window->fit.width / width;
    bool painted = lay_out(window, surface) || window->exposed;
    trace_mark(&window->trace, TRACE_LAID_OUT);
    /* A picture that there was no memory for is painted at the next event. */
    bool whole = !painted || (surface_paint(surface, window->painter, &window->scene,
                                            window->fit.scale) &&
                              scene_complete(&window->scene));
    trace_mark(&window->trace, TRACE_PAINTED);
    window->changed = false;
    window->exposed = !whole;
    if (!painted)
        return true;
    window->ahead = true;
    follow_title(window);
    place_input(window, width);
    SDL_ShowCursor(session_hides_pointer(window->session) ? SDL_DISABLE : SDL_ENABLE);
    if (SDL_UpdateWindowSurface(window->window) != 0) /* resized under our hands */
        window->exposed = true;
    trace_frame(&window->trace);
    return true;
}

/* Fills the screen, or ends that where it was begun here. */
static void fill_screen(Window *window, bool fills) {
    bool full = SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
    if (fills == window->fills)
        return;
    window->fills = fills;
    if (fills && !full)
        window->own = window_rect(window->window);
    if (fills ? !full : full && window->filled)
        SDL_SetWindowFullscreen(window->window,
                                fills ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    window->filled = fills && !full;
    window->exposed = true;
}

/* While the session presents, the window fills its screen, and the lecturer's notes are
 * on another one. Where there is none they are there if they are asked for, beside the
 * window. */
static void follow_presenting(Window *window) {
    bool presents = session_presents(window->session);
    bool has_screen = notes_window_has_screen(window->window);
    bool wanted = presents && has_screen != session_turns_notes(window->session);
    session_set_notes(window->session,
                      has_screen ? SESSION_NOTES_APART : SESSION_NOTES_SHARED);
    if (!wanted) /* the window has its own size again before it fills the screen */
        window->exposed |= notes_window_turn(window->notes, false, window->own);
    fill_screen(window, presents && (has_screen || !wanted));
    if (!window->notes && wanted && !window->without_notes) {
        window->notes =
            notes_window_create(window->session, window->fonts, window->window);
        window->without_notes = !window->notes; /* not tried again and again */
    }
    if (wanted && !window->own.w)
        window->own = window_rect(window->window);
    window->exposed |= notes_window_turn(window->notes, wanted, window->own);
    if (!presents)
        window->own = (SDL_Rect){0};
    window->without_notes &= presents;
}

/* ---- running ---- */

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

/* Milliseconds until something is due, if there is no event. */
static double until_due(Window *window) {
    double until = session_until_change(window->session);
    double passed = (double)(SDL_GetPerformanceCounter() - window->told) * 1000 /
                    (double)SDL_GetPerformanceFrequency();
    until = window->hidden ? INFINITY : fmax(until - passed, 0);
    until = fmin(until, window_until_files(window));
    return fmin(until, notes_window_until(window->notes));
}

static bool has_event(void *unused) {
    (void)unused;
    SDL_PumpEvents();
    return SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
}

/* Draws the next page ahead if nothing happens for a while, of the `until` milliseconds
 * that there are; returns true if there was an event. */
static bool use_rest(Window *window, double until, SDL_Event *event) {
    if (!window->ahead || window->once || window->hidden || until <= 2 * AHEAD_AFTER)
        return false;
    if (SDL_WaitEventTimeout(event, AHEAD_AFTER))
        return true;
    window->ahead = !ahead_draw(window->session, window->fonts, window->painter,
                                window->fit, has_event, NULL);
    return false;
}

/* Waits until an animation or a file is due, and no longer; returns an event of no kind
 * then. */
static bool wait_while_moving(Window *window, SDL_Event *event) {
    double until = until_due(window);
    if (use_rest(window, until, event))
        return true;
    until = until_due(window);
    if (!isfinite(until))
        return SDL_WaitEvent(event);
    int left = (int)ceil(fmin(until, LONGEST_WAIT));
    if (left > 0)
        SDL_WaitEventTimeout(event, left);
    return true;
}

/* Waits for the next event. While a lesson is being opened it waits only until the page
 * must show that, and then returns an event of no kind. */
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
    if (session_opening_shown(window->session))
        return SDL_WaitEvent(event);
    if (waited < OPENING_TOLD_AFTER &&
        SDL_WaitEventTimeout(event, (int)(OPENING_TOLD_AFTER - waited)))
        return true;
    session_report_opening(window->session);
    window->changed = true;
    return true;
}

/* Polls for a lesson that is being opened: once it has been read or failed, the session
 * shows something else. */
static void poll_session(Window *window, ErrorList *errors) {
    if (!session_poll(window->session, errors))
        return;
    window->changed = true;
    if (session_is_writing(window->session))
        SDL_StartTextInput();
    window_serve_request(window);
}

/* Runs until the window is left. */
static bool run(Window *window, ErrorList *errors) {
    Error error = {0};
    size_t before = errors->count;
    window->told = SDL_GetPerformanceCounter();
    poll_session(window, errors);
    while (!window->quits) {
        SDL_Event event;
        follow_presenting(window);
        bool changed = window->changed;
        if ((window->changed || window->exposed) && !window->hidden) {
            if (!show_frame(window, &error))
                return error_list_append(errors, &error, 0, 0);
            if (window->once && !session_is_opening(window->session))
                return true;
        }
        notes_window_show(window->notes, changed);
        window_write(window);
        if (!wait_for_event(window, &event))
            return error_list_add(errors, ERROR_FILE, 0, 0,
                                  "the screen can't be used: %s", SDL_GetError());
        trace_mark(&window->trace, TRACE_WOKEN);
        tell_time(window);
        do
            window_take_event(window, &event);
        while (!window->quits && SDL_PollEvent(&event));
        window_report_motion(window);
        window_look_at_file(window);
        window_shape_pointer(window);
        poll_session(window, errors);
        window_remember(window);
    }
    return errors->count == before;
}

bool window_run(Window *window, ErrorList *errors) {
    window_remember_begin(window);
    bool ran = run(window, errors);
    window_remember_end(window);
    return ran;
}
