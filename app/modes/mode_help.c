#include "session/actions.h"
#include "session/state.h"

/* The help: all keys, over whatever there is. Any key or click closes it, but for what
 * can be done anywhere. */

static ModeAnswer close_by_key(Session *session, const char *key) {
    if (action_of_key(NULL, key) < action_count())
        return MODE_PASSES;
    autoplay_stop(session);
    return action_key_exists(key) && mode_leave(session, &mode_help) ? MODE_CHANGES
                                                                     : MODE_TAKES;
}

static ModeAnswer close_by_click(Session *session, Link link) {
    (void)link;
    return mode_leave(session, &mode_help) ? MODE_CHANGES : MODE_TAKES;
}

static void draw(Session *session, const Canvas *canvas) {
    (void)session;
    size_t count;
    HelpEntry *entries = action_help(canvas->scene->arena, &count);
    if (entries)
        help_draw(canvas, entries, count);
}

const Mode mode_help = {.name = "help",
                        .closed = true,
                        .overlays = true,
                        .key = close_by_key,
                        .press = close_by_click,
                        .draw = draw};
