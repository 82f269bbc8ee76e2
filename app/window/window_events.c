#include "base/arena.h"
#include "base/error.h"
#include "session/mode.h"
#include "window/window_parts.h"

/* ---- requests of the session ---- */

static void save(Window *window, SessionRequest request) {
    Error error;
    Arena *arena = arena_create(1 << 20);
    if (arena)
        save_requested(window->session, request, NULL, (size_t)window->pixel_width,
                       (size_t)window->pixel_height, arena, &error);
    arena_destroy(arena);
}

static void paste(Window *window) {
    char *text = SDL_GetClipboardText();
    if (text)
        window->changed |= session_type(window->session, text);
    SDL_free(text);
}

void window_serve_request(Window *window) {
    bool is_full;
    SessionRequest request = session_take_request(window->session);
    switch (request) {
    case SESSION_NOTHING:
        break;
    case SESSION_QUIT:
        window->quits = true;
        break;
    case SESSION_SAVE:
    case SESSION_KEEP:
        save(window, request);
        break;
    case SESSION_PASTE:
        paste(window);
        break;
    case SESSION_COPY:
        SDL_SetClipboardText(session_copied(window->session));
        break;
    case SESSION_FULLSCREEN:
        is_full = SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
        SDL_SetWindowFullscreen(window->window,
                                is_full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
        break;
    }
}

/* ---- events ---- */

/* True for the keys that have the question mark, with Shift: English, German, Spanish
 * and Italian, French, Nordic. */
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

static bool name_key(char name[SESSION_KEY_SIZE], const SDL_Keysym *key) {
    bool ctrl = key->mod & KMOD_CTRL, is_question = is_question_mark(key) && !ctrl;
    const char *named = is_question ? "?" : SDL_GetKeyName(key->sym);
    return action_name_key(name, named,
                           is_question ? "" : SDL_GetScancodeName(key->scancode), ctrl,
                           key->mod & KMOD_SHIFT && !is_question);
}

/* Lets letters come as text while a text is written, and as keys otherwise. */
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
    if (event->keysym.scancode >= SDL_SCANCODE_LCTRL &&
        event->keysym.scancode <= SDL_SCANCODE_RGUI)
        return; /* by itself it does nothing, nor takes a message away */
    bool was_writing = session_is_writing(window->session);
    char name[SESSION_KEY_SIZE];
    for (size_t i = 0; i < sizeof repeating / sizeof *repeating; i++)
        repeats |= event->keysym.sym == repeating[i];
    if ((event->repeat && !repeats) || event->keysym.mod & (KMOD_ALT | KMOD_GUI) ||
        (!name_key(name, &event->keysym) && event->keysym.mod & KMOD_CTRL))
        return;
    if (session_key(window->session, name))
        window->changed = true;
    follow_writing(window, was_writing);
    window_serve_request(window);
}

/* Ignores the first motion, which is the pointer's place when the window opened. */
static void take_motion(Window *window, const SDL_MouseMotionEvent *event) {
    double x = event->x * window->points, y = event->y * window->points;
    window->moved |= window->found && (x != window->x || y != window->y);
    window->found = true;
    window->x = x;
    window->y = y;
}

static void turn_wheel(Window *window, const SDL_MouseWheelEvent *event) {
    window_report_motion(window);
    window->changed |= session_pointer_wheel(window->session, &window->scene, window->x,
                                             window->y, event->y);
}

void window_report_motion(Window *window) {
    if (window->moved && window->pixel_width &&
        session_pointer_move(window->session, &window->scene, window->x, window->y))
        window->changed = true;
    window->moved = false;
}

void window_shape_pointer(Window *window) {
    static const SDL_SystemCursor shapes[WINDOW_POINTERS] = {
        [SESSION_ARROW] = SDL_SYSTEM_CURSOR_ARROW,
        [SESSION_HAND] = SDL_SYSTEM_CURSOR_HAND,
        [SESSION_TEXT] = SDL_SYSTEM_CURSOR_IBEAM};
    if (!window->pixel_width)
        return;
    SessionPointer shape =
        session_pointer_shape(window->session, &window->scene, window->x, window->y);
    if (shape == window->pointer)
        return;
    if (!window->pointers[shape])
        window->pointers[shape] = SDL_CreateSystemCursor(shapes[shape]);
    SDL_SetCursor(window->pointers[shape]);
    window->pointer = shape;
}

static void press_button(Window *window, const SDL_MouseButtonEvent *event) {
    window_report_motion(window);
    double x = event->x * window->points, y = event->y * window->points;
    if (event->button == SDL_BUTTON_RIGHT && event->type == SDL_MOUSEBUTTONDOWN)
        window->changed |= session_pointer_menu(window->session, &window->scene, x, y);
    if (event->button != SDL_BUTTON_LEFT || !window->pixel_width)
        return;
    if (event->type == SDL_MOUSEBUTTONUP) {
        SDL_CaptureMouse(SDL_FALSE);
        window->changed |= session_pointer_release(window->session);
        return;
    }
    SDL_CaptureMouse(SDL_TRUE); /* a drag along the timeline may leave the window */
    bool was_writing = session_is_writing(window->session);
    bool twice = event->clicks == 2 &&
                 session_pointer_double(window->session, &window->scene, x, y);
    window->changed |=
        twice || session_pointer_press(window->session, &window->scene, x, y);
    follow_writing(window, was_writing);
    window_serve_request(window);
}

/* Passes on a touch, whose position SDL gives in fractions of the window. A second finger
 * cancels the first one's gesture. */
static void touch(Window *window, const SDL_TouchFingerEvent *event) {
    double x = event->x * window->fit.width, y = event->y * window->fit.height;
    Session *session = window->session;
    const Scene *scene = &window->scene;
    bool was_writing = session_is_writing(session);
    bool down = event->type == SDL_FINGERDOWN;
    if (!window->pixel_width)
        return;
    if (down && SDL_GetNumTouchFingers(event->touchId) > 1)
        window->changed |= session_touch_cancel(session);
    else if (down)
        window->changed |= session_touch_down(session, scene, x, y);
    else if (event->type == SDL_FINGERMOTION)
        window->changed |= session_touch_move(session, scene, x, y);
    else
        window->changed |= session_touch_up(session, scene, x, y);
    follow_writing(window, was_writing);
    window_serve_request(window);
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
    case SDL_WINDOWEVENT_CLOSE: /* the notes' window makes no difference */
        window->quits = true;
        break;
    case SDL_WINDOWEVENT_LEAVE:
        window->moved = true; /* to where there is nothing */
        window->x = window->y = -1;
        break;
    default:
        break;
    }
}

/* The window that an event of the pointer or of a window is about; 0 for others: keys
 * are the session's, whichever window has them. */
static Uint32 window_of(const SDL_Event *event) {
    switch (event->type) {
    case SDL_WINDOWEVENT:
        return event->window.windowID;
    case SDL_MOUSEMOTION:
        return event->motion.windowID;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return event->button.windowID;
    case SDL_MOUSEWHEEL:
        return event->wheel.windowID;
    default:
        return 0;
    }
}

/* True if an event belongs to another window: the notes'. */
static bool is_of_another(const Window *window, const SDL_Event *event) {
    Uint32 id = window_of(event);
    return id && id != SDL_GetWindowID(window->window);
}

static bool closes(const SDL_Event *event) {
    return event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_CLOSE;
}

/* Handles an event of the notes' window; closing it ends nothing else. */
static void take_of_notes(Window *window, const SDL_Event *event) {
    if (closes(event)) {
        session_turn_notes(window->session);
        window->changed = true;
    }
    notes_window_take(window->notes, event);
}

void window_take_event(Window *window, const SDL_Event *event) {
    if (is_of_another(window, event)) {
        take_of_notes(window, event);
        return;
    }
    switch (event->type) {
    case SDL_QUIT:
        window->quits = true;
        break;
    case SDL_WINDOWEVENT:
        change_window(window, event->window.event);
        break;
    case SDL_KEYDOWN:
        window_report_motion(window);
        press_key(window, &event->key);
        break;
    case SDL_TEXTEDITING:
        window->changed |= session_compose(window->session, event->edit.text);
        break;
    case SDL_TEXTEDITING_EXT:
        window->changed |= session_compose(window->session, event->editExt.text);
        SDL_free(event->editExt.text);
        break;
    case SDL_TEXTINPUT:
        window->changed |= session_type(window->session, event->text.text);
        break;
    case SDL_MOUSEWHEEL:
        turn_wheel(window, &event->wheel);
        break;
    case SDL_MOUSEMOTION:
        take_motion(window, &event->motion);
        window->changed |=
            session_hold_spotlight(window->session, SDL_GetModState() & KMOD_CTRL);
        break;
    case SDL_KEYUP:
        window->changed |=
            session_hold_spotlight(window->session, SDL_GetModState() & KMOD_CTRL);
        break;
    case SDL_DROPFILE:
        session_drop(window->session, event->drop.file);
        SDL_free(event->drop.file);
        window->changed = true;
        break;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        touch(window, &event->tfinger);
        break;
    case SDL_MULTIGESTURE:
        window->changed |= session_touch_pinch(window->session, event->mgesture.dDist);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        press_button(window, &event->button);
        break;
    default:
        break;
    }
}
