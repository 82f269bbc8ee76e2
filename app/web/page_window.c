#include "web/page_window.h"

#include "course/notes.h"
#include "modes/modes.h"
#include "paint/paint_parts.h"
#include "window/window.h"

#include <emscripten.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { FRAME_MAX_MEMORY = 256 << 20, REQUEST_MAX_MEMORY = 1 << 20 };

/* Milliseconds without a change after which notes are written, and after which a lesson
 * that is being opened is announced. */
static const double WRITE_AFTER = 400, OPENING_TOLD_AFTER = 300;

/* Milliseconds that drawing ahead takes at a time, beside a layout. */
static const double AHEAD_FOR = 8;

/* Content of a canvas. */
typedef struct Screen {
    uint32_t *pixels;
    int width, height;
    uint64_t digest; /* digest of the scene */
} Screen;

struct Window {
    Session *session;
    Notes *memory; /* borrowed; NULL: nothing is kept */
    Fonts *fonts;
    Painter *painter;
    Arena *arena; /* the scene's */
    Scene scene;  /* what is on the screen, for the pointer */
    Screen screen, notes;
    PageFit fit;
    SessionScreen looked_at;
    bool changed, drawn;
    bool ahead;             /* the next page is to be drawn ahead */
    double x, y;            /* of the pointer, on the page */
    double now;             /* milliseconds */
    double write_at;        /* infinity: nothing is to be written to the memory */
    double opening_told_at; /* infinity: no lesson is being opened, or it was told */
    SessionPointer pointer; /* the one that is shown */
    ErrorList errors;
};

static Window *shown; /* there is one page */

// clang-format off
EM_JS(void, tell_picture, (const uint32_t *pixels, int width, int height, const char *title), {
    Module['page'].show(pixels, width, height, UTF8ToString(title));
})
EM_JS(void, tell_presents, (int presents), { Module['page'].present(presents); })
EM_JS(void, tell_notes, (int wanted), { Module['page'].turnNotes(wanted); })
EM_JS(void, tell_notes_picture, (const uint32_t *pixels, int width, int height), {
    Module['page'].showNotes(pixels, width, height);
})
EM_JS(void, tell_words_changed, (int moves), { Module['page'].changeWords(moves); })
EM_JS(void, tell_address, (const char *query), { Module['page'].follow(UTF8ToString(query)); })
EM_JS(void, tell_pointer, (int shape), { Module['page'].point(shape); })
EM_JS(void, tell_writing, (int writes), { Module['page'].write(writes); })
EM_JS(void, tell_copied, (const char *text), { Module['page'].copy(UTF8ToString(text)); })
EM_JS(void, tell_pasting, (void), { Module['page'].paste(); })
EM_JS(void, tell_full_screen, (void), { Module['page'].fill(); })
EM_JS(void, tell_saved, (const char *path), { Module['page'].give(UTF8ToString(path)); })
// clang-format on

Window *window_create(Session *session, Notes *memory, Error *error) {
    Window *window = calloc(1, sizeof *window);
    if (!window) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
        return NULL;
    }
    window->session = session;
    window->memory = memory;
    window->changed = true;
    window->write_at = window->opening_told_at = INFINITY;
    window->arena = arena_create(FRAME_MAX_MEMORY);
    window->fonts = fonts_create(error);
    window->painter = window->fonts ? painter_create(window->fonts) : NULL;
    if (window->arena && window->painter)
        return window;
    if (window->fonts)
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the window");
    window_destroy(window);
    return NULL;
}

void window_destroy(Window *window) {
    if (!window)
        return;
    painter_destroy(window->painter);
    fonts_destroy(window->fonts);
    arena_destroy(window->arena);
    free(window->screen.pixels);
    free(window->notes.pixels);
    free(window);
}

bool window_run(Window *window, ErrorList *errors) {
    (void)errors;
    shown = window;
    emscripten_exit_with_live_runtime();
}

/* ---- requests of the session ---- */

/* A file that the session writes is the visitor's to take; a lesson stays, too. */
static void save(Window *window, SessionRequest request) {
    Error error;
    Arena *arena = arena_create(REQUEST_MAX_MEMORY);
    const char *path =
        arena
            ? save_requested(window->session, request, NULL, (size_t)window->screen.width,
                             (size_t)window->screen.height, arena, &error)
            : NULL;
    if (path)
        tell_saved(path);
    if (path && request == SESSION_SAVE)
        unlink(path);
    arena_destroy(arena);
}

static void serve_request(Window *window) {
    SessionRequest request = session_take_request(window->session);
    switch (request) {
    case SESSION_NOTHING:
    case SESSION_QUIT: /* the caller that shows the page closes it */
        break;
    case SESSION_SAVE:
    case SESSION_KEEP:
        save(window, request);
        break;
    case SESSION_PASTE:
        tell_pasting();
        break;
    case SESSION_COPY:
        tell_copied(session_copied(window->session));
        break;
    case SESSION_FULLSCREEN:
        tell_full_screen();
        break;
    }
}

/* After whatever may have changed the session. */
static void follow(Window *window, bool changed) {
    window->changed |= changed;
    serve_request(window);
    tell_writing(session_is_writing(window->session));
}

/* ---- events ---- */

bool page_key(const char *named, const char *placed, bool ctrl, bool shift) {
    char name[SESSION_KEY_SIZE];
    bool known = action_name_key(name, named, placed, ctrl, shift);
    if (!known && ctrl)
        return false;
    follow(shown, session_key(shown->session, name));
    return known;
}

void page_type(const char *text) {
    follow(shown, session_type(shown->session, text));
}

void page_pass(double now) {
    double passed = shown->now > 0 ? now - shown->now : 0;
    shown->now = now;
    shown->changed |= session_tick(shown->session, passed);
}

void page_point(int event, double share_x, double share_y) {
    Session *session = shown->session;
    const Scene *scene = &shown->scene;
    double x = shown->x = share_x * shown->fit.width;
    double y = shown->y = share_y * shown->fit.height;
    bool changed = false;
    if (!shown->drawn)
        return;
    switch ((PageEvent)event) {
    case PAGE_MOVE:
        changed = session_pointer_move(session, scene, x, y);
        break;
    case PAGE_DOUBLE:
        changed = session_pointer_double(session, scene, x, y);
        if (changed)
            break;
        /* fallthrough */
    case PAGE_PRESS:
        changed = session_pointer_press(session, scene, x, y);
        break;
    case PAGE_RELEASE:
        changed = session_pointer_release(session);
        break;
    case PAGE_MENU:
        changed = session_pointer_menu(session, scene, x, y);
        break;
    case PAGE_WHEEL_UP:
    case PAGE_WHEEL_DOWN:
        changed =
            session_pointer_wheel(session, scene, x, y, event == PAGE_WHEEL_UP ? 1 : -1);
        break;
    case PAGE_TOUCH:
        changed = session_touch_down(session, scene, x, y);
        break;
    case PAGE_TOUCH_MOVE:
        changed = session_touch_move(session, scene, x, y);
        break;
    case PAGE_TOUCH_END:
        changed = session_touch_up(session, scene, x, y);
        break;
    case PAGE_TOUCH_CANCEL:
        changed = session_touch_cancel(session);
        break;
    }
    follow(shown, changed);
}

void page_spotlight(bool held) {
    shown->changed |= session_hold_spotlight(shown->session, held);
}

void page_drop(const char *path) {
    session_drop(shown->session, path);
    follow(shown, true);
}

void page_go(const char *query) {
    ErrorList errors = {0};
    session_open(shown->session, query, &errors);
    follow(shown, true);
}

/* Replaces the fonts, and everything measured and drawn with the old ones. */
void page_letters(void) {
    Error error;
    painter_destroy(shown->painter);
    fonts_destroy(shown->fonts);
    font_files_forget();
    shown->fonts = fonts_create(&error);
    shown->painter = shown->fonts ? painter_create(shown->fonts) : NULL;
    shown->changed = true;
    shown->screen.digest = shown->notes.digest = 0;
}

/* ---- turns ---- */

/* Paints a scene, where that or the size is another than before; false where it isn't. */
static bool paint(Window *window, Screen *screen, const Scene *scene, int width,
                  int height, double scale) {
    uint64_t digest = scene_digest(scene);
    size_t bytes = (size_t)width * (size_t)height * sizeof *screen->pixels;
    bool resized = width != screen->width || height != screen->height;
    if (!resized && digest == screen->digest)
        return false;
    if (resized) {
        free(screen->pixels);
        screen->pixels = malloc(bytes);
    }
    *screen = (Screen){screen->pixels, width, height, digest};
    if (!screen->pixels)
        return false;
    painter_reverse(window->painter, true);
    painter_paint(window->painter, scene,
                  (PainterTarget){screen->pixels, (size_t)width, (size_t)height,
                                  (size_t)width, scale});
    return true;
}

/* Lays the page out for CSS pixels, which a browser's zoom makes fewer. */
static void fit_page(Window *window, int width, int height, double ratio, bool touch) {
    PageFit fit = page_fit(width / ratio, height / ratio);
    SessionScreen screen = {.point = fit.scale, .touch = touch},
                  *before = &window->looked_at;
    fit.scale *= ratio;
    window->changed |= screen.point != before->point || touch != before->touch;
    window->fit = fit;
    *before = screen;
    session_set_screen(window->session, screen);
}

static void show_frame(Window *window, int width, int height) {
    TextMetrics metrics = fonts_metrics(window->fonts);
    arena_reset(window->arena);
    session_draw(window->session, &window->scene, window->arena, &metrics,
                 window->fit.width, window->fit.height, true);
    window->changed = false;
    window->drawn = window->ahead = true;
    if (!paint(window, &window->screen, &window->scene, width, height, window->fit.scale))
        return;
    tell_picture(window->screen.pixels, width, height,
                 session_title(window->session, window->arena));
    tell_words_changed(session_moves(window->session) ||
                       session_is_opening(window->session));
}

const char *page_read_words(void) {
    TextMetrics metrics = fonts_metrics(shown->fonts);
    const char *address = session_address(shown->session, shown->arena);
    if (address && !session_is_opening(shown->session))
        tell_address(address);
    const char *words = session_read(shown->session, &metrics, shown->arena);
    return words ? words : "";
}

void page_notes(int width, int height, int hour, int minute) {
    Window *window = shown;
    Arena *arena = arena_create(FRAME_MAX_MEMORY);
    if (arena && session_presents(window->session) && window->painter) {
        PageFit fit = page_fit(width, height);
        TextMetrics metrics = fonts_metrics(window->fonts);
        Scene scene;
        session_draw_notes(window->session, &scene, arena, &metrics,
                           (SessionClock){hour, minute}, fit.width, fit.height);
        if (paint(window, &window->notes, &scene, width, height, fit.scale))
            tell_notes_picture(window->notes.pixels, width, height);
    }
    arena_destroy(arena);
}

void page_notes_closed(void) {
    shown->notes.width = 0; /* painted anew when they are opened again */
    if (session_turns_notes(shown->session))
        session_turn_notes(shown->session);
}

static void show_pointer(Window *window) {
    SessionPointer pointer =
        session_pointer_shape(window->session, &window->scene, window->x, window->y);
    bool hides = session_hides_pointer(window->session);
    if (pointer == window->pointer && !hides)
        return;
    window->pointer = pointer;
    tell_pointer(hides ? -1 : (int)pointer);
}

/* Notes what has changed, and writes it when nothing has for a while. */
static void remember(Window *window, bool changed) {
    Error error;
    if (!window->memory)
        return;
    bool another = changed && session_remember(window->session);
    if (another)
        window->write_at = window->now;
    else if (changed && notes_unwritten(window->memory))
        window->write_at = window->now + WRITE_AFTER;
    if (window->write_at > window->now)
        return;
    notes_write(window->memory, &error);
    window->write_at = INFINITY;
}

/* Announces a lesson that takes long to be there. Returns false as long as the picture is
 * to stay as it is. */
static bool follow_opening(Window *window) {
    Session *session = window->session;
    if (!session_is_opening(session) || session_opening_shown(session)) {
        window->opening_told_at = INFINITY;
        return true;
    }
    if (window->opening_told_at == INFINITY)
        window->opening_told_at = window->now + OPENING_TOLD_AFTER;
    if (window->now < window->opening_told_at)
        return false;
    window->opening_told_at = INFINITY;
    session_report_opening(session);
    window->changed = true;
    return true;
}

double page_turn(double now, int width, int height, double ratio, bool touch) {
    Window *window = shown;
    page_pass(now);
    if (session_poll(window->session, &window->errors))
        follow(window, true);
    fit_page(window, width, height, ratio, touch);
    bool changed = window->changed;
    if (!window->painter)
        return INFINITY;
    if (!follow_opening(window))
        return window->opening_told_at - now;
    if (window->changed || width != window->screen.width ||
        height != window->screen.height) {
        show_frame(window, width, height);
        show_pointer(window);
    }
    tell_presents(session_presents(window->session));
    tell_notes(session_presents(window->session) && session_turns_notes(window->session));
    remember(window, changed);
    return fmin(session_until_change(window->session), window->write_at - now);
}

static bool is_late(void *context) {
    return emscripten_get_now() > *(double *)context;
}

bool page_ahead(void) {
    double end = emscripten_get_now() + AHEAD_FOR;
    if (shown->ahead && shown->painter)
        shown->ahead = !ahead_draw(shown->session, shown->fonts, shown->painter,
                                   shown->fit, is_late, &end);
    return shown->ahead;
}

void page_leave(void) {
    remember(shown, true);
    if (shown->write_at < INFINITY) {
        shown->write_at = shown->now;
        remember(shown, false);
    }
}
