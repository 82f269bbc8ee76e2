#include "session/state.h"

/* Actions that can be done anywhere. */

static bool change_language(Session *session) {
    session->language = languages_next(&session->course->languages, session->language);
    return true;
}

/* Out of a lesson where it is asked for twice. */
static bool quit(Session *session) {
    if (!mode_on(session, &mode_lesson) || session_leaves(session, "Q", "page.quit"))
        session->request = SESSION_QUIT;
    return true;
}

static const Action anywhere[] = {
    {"language", "L", "L", .act = change_language, .traits = ACTION_MORE},
    {"full_screen", "F11", "F11", .request = SESSION_FULLSCREEN},
    {"help", "?|F1|H", "?", .toggles = &mode_help, .traits = ACTION_MORE},
    {"quit", "Q", "Q", .act = quit},
};

const ActionGroup actions_anywhere = ACTION_GROUP(NULL, anywhere);
