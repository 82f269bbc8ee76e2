#include "picture/overlays/overlays.h"
#include "session/state.h"

#include <stdio.h>

/* While a lesson is being read: keys are kept for it. */

static void abandon(Session *session) {
    Opening *opening = &session->opening;
    if (!opening->loader)
        return;
    loader_abandon(opening->loader);
    if (!opening->modified)
        opening->entry->tried = false;
    *opening = (Opening){0};
}

static ModeAnswer store_key(Session *session, const char *key) {
    Opening *opening = &session->opening;
    if (opening->kept_count < SESSION_KEYS_KEPT)
        snprintf(opening->kept[opening->kept_count++], SESSION_KEY_SIZE, "%s", key);
    return MODE_TAKES;
}

static bool let_go(Session *session) {
    session_abandon_opening(session);
    if (mode_on(session, &mode_nothing))
        home_enter(session);
    return true;
}

static void draw_opening(Session *session, const Canvas *canvas) {
    if (session->opening.told)
        help_draw_notice(canvas, canvas_string(canvas, "page.opening"),
                         action_link("let_go_of_opening"));
}

static const Action actions[] = {
    {"let_go_of_opening", "Escape", .act = let_go},
    {"quit_while_opening", "Q", .request = SESSION_QUIT, .traits = ACTION_OF_KEYS},
};

const ActionGroup actions_opening = ACTION_GROUP(&mode_opening, actions);

const Mode mode_opening = {.name = "opening",
                           .missing = "action.why.not_opening",
                           .closed = true,
                           .key = store_key,
                           .draw = draw_opening,
                           .leave = abandon};

const Mode mode_nothing = {.name = "nothing"};
