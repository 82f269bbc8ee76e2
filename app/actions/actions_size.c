#include "picture/page/text_scale.h"
#include "session/state.h"

#include <stdio.h>

/* Sets the size of the type, that of presenting while a lesson is presented. */

static bool set_scale(Session *session, double scale) {
    char percent[16];
    *(session_presents(session) ? &session->back_row : &session->text_scale) = scale;
    snprintf(percent, sizeof percent, "%.0f", scale * 100);
    bool fits = session_presents(session) && scale > 1; /* as large as has room */
    session_show_message(session, fits ? "page.text_scale_most" : "page.text_scale",
                         percent, NULL);
    return true;
}

static bool make_larger(Session *session) {
    return set_scale(session, text_scale_above(session_text_scale(session)));
}

static bool make_smaller(Session *session) {
    return set_scale(session, text_scale_smaller(session_text_scale(session),
                                                 session_presents(session)));
}

static bool make_usual(Session *session) {
    return set_scale(session, 1);
}

static bool toggle_map(Session *session) {
    session->with_map = !session->with_map;
    return true;
}

/* Beside type of the usual size it always is. */
static const char *has_map(const Session *session) {
    bool large = session_presents(session) || session_text_scale(session) > 1.2;
    return large ? NULL : "action.why.has_map";
}

static const Action maps[] = {
    {"map", {"K"}, "K", toggle_map, has_map, 0},
};

const ActionGroup actions_map = ACTION_GROUP(&mode_lesson, maps);

static const Action sizes[] = {
    {"larger_type",
     {"Ctrl++", "Ctrl+=", "Ctrl+Keypad +"},
     "Ctrl++   −   0",
     make_larger,
     NULL,
     0},
    {"smaller_type", {"Ctrl+-", "Ctrl+Keypad -"}, NULL, make_smaller, NULL, 0},
    {"usual_type", {"Ctrl+0", "Ctrl+Keypad 0"}, NULL, make_usual, NULL, 0},
};

const ActionGroup actions_size = ACTION_GROUP(NULL, sizes);
