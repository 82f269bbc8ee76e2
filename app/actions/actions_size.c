#include "actions/actions.h"
#include "picture/page/page.h"

#include <stdio.h>

void size_set(Session *session, double scale) {
    char percent[16];
    *(session_presents(session) ? &session->back_row : &session->text_scale) = scale;
    snprintf(percent, sizeof percent, "%.0f", scale * 100);
    bool fits = session_presents(session) && scale > 1; /* as large as has room */
    session_show_message(session, fits ? "page.text_scale_most" : "page.text_scale",
                         percent, NULL);
}

/* Makes the type larger (1), smaller (-1) or of the usual size (0). */
static bool change_type(Session *session, int by) {
    double scale = session_text_scale(session);
    size_set(session, by > 0   ? text_scale_above(scale)
                      : by < 0 ? text_scale_smaller(scale, session_presents(session))
                               : 1);
    return true;
}

static bool toggle_map(Session *session) {
    session->with_map = !session->with_map;
    return true;
}

const ActionGroup actions_map = {&mode_lesson, 1,
                                 &(const Action){"map", "K", "K", .act = toggle_map}};

static const Action sizes[] = {
    {"larger_type", "Ctrl++|Ctrl+=|Ctrl+Keypad +", "Ctrl++   −   0",
     .act_by = change_type, .by = 1},
    {"smaller_type", "Ctrl+-|Ctrl+Keypad -", .act_by = change_type, .by = -1},
    {"usual_type", "Ctrl+0|Ctrl+Keypad 0", .act_by = change_type},
};

const ActionGroup actions_size = ACTION_GROUP(NULL, sizes);
