/* Generator of events, linked between the program and SDL's queue: keys, text, the
 * pointer, fingers, dropped files, the window resized, hidden and shown. The window
 * handles them like those of a screen; after the last one it is closed. tests/events.sh
 * runs it.
 *
 *   GLASSFORMER_EVENTS=COUNT:SEED   COUNT random events, equal for equal seeds
 *   GLASSFORMER_EVENTS=KEYS         pressed keys, in the notation of `play --keys`,
 *                                   with "Type:0.5" among them */
#include "base/random.h"
#include "session/mode.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __real_SDL_WaitEvent(SDL_Event *event);
int __real_SDL_WaitEventTimeout(SDL_Event *event, int milliseconds);
SDL_Surface *__real_SDL_GetWindowSurface(SDL_Window *window);
int __wrap_SDL_WaitEvent(SDL_Event *event);
int __wrap_SDL_WaitEventTimeout(SDL_Event *event, int milliseconds);
SDL_Surface *__wrap_SDL_GetWindowSurface(SDL_Window *window);

enum { AT_ONCE = 6, WINDOWS = 2, WIDEST = 1600, HIGHEST = 1000 };

extern bool events_begun; /* for refuse.c: SDL can be refused memory */
bool events_begun;

static Random source;
static size_t left;
static char *keys;        /* that are still to be pressed, or NULL */
static double at_x, at_y; /* the pointer */

static int below(size_t most) {
    return (int)random_below(&source, most);
}

static SDL_Keycode code_of(const char *name) {
    const char *plus = strrchr(name, '+');
    return SDL_GetKeyFromName(plus && plus[1] ? plus + 1 : name);
}

static void set_key(SDL_Event *event, SDL_Keycode code, const char *name) {
    Uint16 modifiers = 0;
    if (strstr(name, "Ctrl+"))
        modifiers |= KMOD_LCTRL;
    if (strstr(name, "Shift+"))
        modifiers |= KMOD_LSHIFT;
    event->key = (SDL_KeyboardEvent){.type = SDL_KEYDOWN,
                                     .windowID = 1,
                                     .keysym = {.scancode = SDL_GetScancodeFromKey(code),
                                                .sym = code,
                                                .mod = modifiers}};
}

/* One of the program's own keys, or any other; the one that quits comes last. */
static bool make_key(SDL_Event *event) {
    const Action *action = action_at((size_t)below(action_count()));
    char name[SESSION_KEY_SIZE] = "F12";
    const char *rest = action->keys;
    if (rest)
        action_next_key(&rest, name);
    SDL_Keycode code = code_of(name);
    bool digit = below(20) == 0;
    if (code == SDLK_q)
        return false;
    set_key(event, digit ? SDLK_0 + below(10) : code, name);
    event->key.type = below(4) ? SDL_KEYDOWN : SDL_KEYUP;
    event->key.repeat = below(8) == 0;
    return true;
}

static bool make_text(SDL_Event *event) {
    static const char *const texts[] = {
        "1",       "0.5",     "-", "inf",  "e",       " ", "Q", "\xE4\xBD\xA0",
        "X[0, 1]", "softmax", "/", "9e99", "\xC3\xA9"};
    event->text = (SDL_TextInputEvent){.type = SDL_TEXTINPUT, .windowID = 1};
    strcpy(event->text.text, texts[below(sizeof texts / sizeof *texts)]);
    return true;
}

static bool make_editing(SDL_Event *event) {
    static const char *const texts[] = {"", "n", "ni", "\xE4\xBD\xA0\xE5\xA5\xBD"};
    event->edit = (SDL_TextEditingEvent){.type = SDL_TEXTEDITING, .windowID = 1};
    strcpy(event->edit.text, texts[below(sizeof texts / sizeof *texts)]);
    return true;
}

/* To anywhere, or on by a little, as a hand does. */
static void move(void) {
    at_x = below(3) ? below(WIDEST) : at_x + below(9) - 4;
    at_y = below(3) ? below(HIGHEST) : at_y + below(9) - 4;
}

static bool make_motion(SDL_Event *event) {
    move();
    event->motion = (SDL_MouseMotionEvent){.type = SDL_MOUSEMOTION,
                                           .windowID = 1 + (Uint32)below(WINDOWS),
                                           .x = (Sint32)at_x,
                                           .y = (Sint32)at_y};
    return true;
}

static bool make_button(SDL_Event *event) {
    event->button =
        (SDL_MouseButtonEvent){.type = below(2) ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                               .windowID = 1 + (Uint32)(below(9) == 0),
                               .button = below(5) ? SDL_BUTTON_LEFT : SDL_BUTTON_RIGHT,
                               .clicks = (Uint8)(1 + below(2)),
                               .x = (Sint32)at_x,
                               .y = (Sint32)at_y};
    return true;
}

static bool make_wheel(SDL_Event *event) {
    event->wheel = (SDL_MouseWheelEvent){.type = SDL_MOUSEWHEEL,
                                         .windowID = 1 + (Uint32)(below(9) == 0),
                                         .y = below(7) - 3};
    return true;
}

static bool make_finger(SDL_Event *event) {
    static const Uint32 types[] = {SDL_FINGERDOWN, SDL_FINGERMOTION, SDL_FINGERUP};
    move();
    event->tfinger = (SDL_TouchFingerEvent){
        .type = types[below(3)], .x = (float)at_x / WIDEST, .y = (float)at_y / HIGHEST};
    return true;
}

static bool make_pinch(SDL_Event *event) {
    event->mgesture = (SDL_MultiGestureEvent){.type = SDL_MULTIGESTURE,
                                              .dDist = (float)(below(200) - 100) / 200};
    return true;
}

/* A new size is the window's own; what is hidden is soon shown. */
static bool make_window(SDL_Event *event) {
    static const Uint8 kinds[] = {
        SDL_WINDOWEVENT_EXPOSED,        SDL_WINDOWEVENT_HIDDEN,    SDL_WINDOWEVENT_SHOWN,
        SDL_WINDOWEVENT_RESTORED,       SDL_WINDOWEVENT_MAXIMIZED, SDL_WINDOWEVENT_LEAVE,
        SDL_WINDOWEVENT_DISPLAY_CHANGED};
    SDL_Window *window = SDL_GetWindowFromID(1);
    if (window && below(4) == 0)
        SDL_SetWindowSize(window, 300 + below(WIDEST - 300), 200 + below(HIGHEST - 200));
    bool closes = below(9) == 0; /* the notes' window, where there is one */
    event->window = (SDL_WindowEvent){.type = SDL_WINDOWEVENT,
                                      .windowID = closes ? 2 : 1,
                                      .event = closes ? SDL_WINDOWEVENT_CLOSE
                                                      : kinds[below(sizeof kinds)]};
    return true;
}

/* Files of the present folder, where what is kept of them goes, too. */
static bool make_drop(SDL_Event *event) {
    static const char *const names[] = {"everything.yaml", "damaged.yaml", "none.yaml",
                                        "."};
    event->drop =
        (SDL_DropEvent){.type = SDL_DROPFILE,
                        .file = SDL_strdup(names[below(sizeof names / sizeof *names)])};
    return true;
}

/* How often each comes, of their sum. */
static const struct Kind {
    bool (*make)(SDL_Event *event); /* false: not this one; again */
    int often;
} kinds[] = {{make_key, 40},    {make_text, 8},  {make_editing, 2}, {make_motion, 20},
             {make_button, 16}, {make_wheel, 4}, {make_finger, 6},  {make_pinch, 1},
             {make_window, 2},  {make_drop, 1}};

static void push_one(void) {
    int drawn = below(100);
    const struct Kind *kind = kinds;
    while (drawn >= kind->often)
        drawn -= kind++->often;
    SDL_Event event = {0};
    while (!kind->make(&event)) {
    }
    SDL_PushEvent(&event);
}

/* The next of the keys asked for. */
static void push_key(void) {
    SDL_Event event = {0};
    const char *name = strtok_r(NULL, " ", &keys);
    if (!name) {
        keys = NULL;
        return;
    }
    if (strncmp(name, "Type:", 5) == 0) {
        event.text = (SDL_TextInputEvent){.type = SDL_TEXTINPUT, .windowID = 1};
        snprintf(event.text.text, sizeof event.text.text, "%s", name + 5);
    } else {
        set_key(&event, code_of(name), name);
    }
    SDL_PushEvent(&event);
}

/* A few more, where the window waits for some. */
static void feed(void) {
    const char *wanted = getenv("GLASSFORMER_EVENTS");
    static char asked[1024];
    unsigned long seed = 0;
    if (!events_begun && wanted) {
        if (sscanf(wanted, "%zu:%lu", &left, &seed) == 2)
            random_init(&source, seed);
        else
            keys = snprintf(asked, sizeof asked, "%s", wanted) > 0 ? asked : NULL;
    }
    events_begun = true;
    if (keys)
        push_key();
    for (int i = left ? 1 + below(AT_ONCE) : 0; i > 0 && left; i--, left--)
        push_one();
    if (!left && !keys)
        SDL_PushEvent(&(SDL_Event){.type = SDL_QUIT});
}

int __wrap_SDL_WaitEvent(SDL_Event *event) {
    feed();
    return __real_SDL_WaitEvent(event);
}

int __wrap_SDL_WaitEventTimeout(SDL_Event *event, int milliseconds) {
    feed();
    return __real_SDL_WaitEventTimeout(event, milliseconds);
}

/* The driver that has no screen crashes where it is refused memory for a surface of a new
 * size; those that have one say that there is none. */
SDL_Surface *__wrap_SDL_GetWindowSurface(SDL_Window *window) {
    static int width, height;
    int was_width = width, was_height = height;
    SDL_GetWindowSize(window, &width, &height);
    if (width != was_width || height != was_height) {
        void *room = SDL_malloc(1);
        SDL_free(room);
        if (!room) {
            width = height = 0;
            SDL_OutOfMemory();
            return NULL;
        }
    }
    bool begun = events_begun;
    events_begun = false;
    SDL_Surface *surface = __real_SDL_GetWindowSurface(window);
    events_begun = begun;
    return surface;
}

/* Reports events that are left at exit: the program ended before all of them, because of
 * one of them or because they were lost. */
__attribute__((destructor)) static void tell(void) {
    if (left || keys)
        fprintf(stderr, "%zu events are left\n", left + !!keys);
}
