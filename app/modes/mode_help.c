#include "session/actions.h"
#include "session/motion.h"

#include "picture/panels/help.h"

#include <math.h>
#include <string.h>

/* The help: all keys, over whatever there is. Any key or click closes it, but for what
 * can be done anywhere, and for those that go through it. */

static const double ROLL = 96; /* points of larger type */

typedef struct HelpKey {
    const char *key;
    double by; /* of ROLL; infinity: to the end */
} HelpKey;

static const HelpKey ways[] = {{"Up", -1},      {"Down", 1},         {"PageUp", -5},
                               {"PageDown", 5}, {"Home", -INFINITY}, {"End", INFINITY}};

/* How far a key goes through it; 0: it doesn't. */
static double way_of(const char *key) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(ways[i].key, key) == 0)
            return ways[i].by * ROLL;
    }
    return 0;
}

static ModeAnswer scroll(Session *session, double by) {
    double before = session->help_scroll;
    session->help_scroll = fmax(before + by, 0); /* help_draw says how far that can be */
    return session->help_scroll != before ? MODE_CHANGES : MODE_TAKES;
}

static ModeAnswer close_by_key(Session *session, const char *key) {
    if (action_of_key(NULL, key) < action_count())
        return MODE_PASSES;
    if (way_of(key) != 0)
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
    Help help = {.scroll = session->help_scroll, .close = action_link("help")};
    help.entries = action_help(canvas->scene->arena, &help.first, &help.count);
    if (help.entries)
        session->help_scroll = help_draw(canvas, &help);
}

static void leave(Session *session) {
    session->help_scroll = 0;
}

const Mode mode_help = {.name = "help",
                        .closed = true,
                        .overlays = true,
                        .grows = true,
                        .rolls = true,
                        .key = close_by_key,
                        .press = close_by_click,
                        .draw = draw,
                        .leave = leave};
