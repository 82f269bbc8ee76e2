#include "modes/modes.h"

#include "picture/overlays/overlays.h"
#include "session/state.h"

#include <math.h>
#include <string.h>

/* The help: all keys, or what fingers do on a screen that is touched, over whatever there
 * is. Any key or click closes it, but for what can be done anywhere, and for those that
 * go through it. */

static const double ROLL = 96; /* points of larger type */

HelpState *help_state(const Session *session) {
    return mode_state(session, &mode_help);
}

typedef struct HelpKey {
    const char *key;
    double by; /* points; infinity: to the end */
    int pages;
} HelpKey;

static const HelpKey ways[] = {{"Up", -ROLL, 0},       {"Down", ROLL, 0},
                               {"PageUp", 0, -1},      {"PageDown", 0, 1},
                               {"Home", -INFINITY, 0}, {"End", INFINITY, 0}};

/* Returns how a key scrolls the help, or NULL. */
static const HelpKey *way_of(const char *key) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(ways[i].key, key) == 0)
            return &ways[i];
    }
    return NULL;
}

/* help_draw says how far that can be. */
static ModeAnswer scroll(Session *session, const HelpKey *way) {
    HelpState *help = help_state(session);
    double before = help->scroll;
    help->scroll = fmax(before + way->by, 0);
    help->pages += way->pages;
    return help->scroll != before || way->pages ? MODE_CHANGES : MODE_TAKES;
}

static ModeAnswer close_by_key(Session *session, const char *key) {
    if (action_of_key(NULL, key) < action_count())
        return MODE_PASSES;
    if (way_of(key))
        return scroll(session, way_of(key));
    autoplay_stop(session);
    return action_key_exists(key) && mode_leave(session, &mode_help) ? MODE_CHANGES
                                                                     : MODE_TAKES;
}

static ModeAnswer close_by_click(Session *session, Link link) {
    (void)link;
    return mode_leave(session, &mode_help) ? MODE_CHANGES : MODE_TAKES;
}

static void draw(Session *session, const Canvas *canvas) {
    Help help = {.scroll = help_state(session)->scroll,
                 .pages = help_state(session)->pages,
                 .close = action_link("help"),
                 .touch = session->screen.touch};
    if (!help.touch)
        help.entries = action_help(session_presents(session) ? "help.presenting" : NULL,
                                   canvas->scene->arena, &help.first, &help.count);
    if (!help.entries && !help.touch)
        return;
    help_state(session)->scroll = help_draw(canvas, &help);
    help_state(session)->pages = 0;
}

static void leave(Session *session) {
    *help_state(session) = (HelpState){0};
}

const Mode mode_help = {.name = "help",
                        .state_size = sizeof(HelpState),
                        .closed = true,
                        .overlays = true,
                        .grows = true,
                        .rolls = true,
                        .key = close_by_key,
                        .press = close_by_click,
                        .draw = draw,
                        .leave = leave};
