#include "picture/scene/theme.h"
#include "session/state.h"

/* Actions that can be done anywhere. */

static bool change_language(Session *session) {
    session->language = languages_next(&session->course->languages, session->language);
    return true;
}

static bool change_theme(Session *session) {
    const Themes *themes = &session->course->themes;
    size_t index = (size_t)(session->theme - themes->items);
    session->theme = &themes->items[(index + 1) % themes->count];
    session_show_message(session, "page.theme", session->theme->name, NULL);
    return true;
}

static bool full_screen(Session *session) {
    session->request = SESSION_FULLSCREEN;
    return true;
}

static bool toggle_help(Session *session) {
    if (!mode_leave(session, &mode_help))
        mode_enter(session, &mode_help);
    return true;
}

/* Out of a lesson where it is asked for twice. */
static bool quit(Session *session) {
    if (!mode_on(session, &mode_lesson) || session_leaves(session, "Q", "page.quit"))
        session->request = SESSION_QUIT;
    return true;
}

static const Action anywhere[] = {
    {"language", {"L"}, "L", change_language, NULL, ACTION_TOOL(TOOL_LANGUAGE)},
    {"theme", {"T"}, "T", change_theme, NULL, 0},
    {"full_screen", {"F11"}, "F11", full_screen, NULL, 0},
    {"help", {"?", "F1", "H"}, "?", toggle_help, NULL, ACTION_TOOL(TOOL_HELP)},
    {"quit", {"Q"}, "Q", quit, NULL, 0},
};

const ActionGroup actions_anywhere = ACTION_GROUP(NULL, anywhere);
