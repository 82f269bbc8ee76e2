#include "picture/scene/theme.h"
#include "session/state.h"

/* Actions that can be done anywhere. */

static bool change_language(Session *session) {
    session->language = languages_next(&session->course->languages, session->language);
    return true;
}

/* A theme's name in the reader's language, if it has one. */
static const char *name_of_theme(const Session *session) {
    char key[64];
    snprintf(key, sizeof key, "theme.%s", session->theme->name);
    return language_has(session->language, key) ? session_words(session, key)
                                                : session->theme->name;
}

/* The next theme for a screen; that for print is chosen by name only. */
static bool change_theme(Session *session) {
    const Themes *themes = &session->course->themes;
    const Theme *print = themes_lookup(themes, "print");
    size_t index = (size_t)(session->theme - themes->items);
    for (size_t i = 0; i < themes->count; i++) {
        session->theme = &themes->items[++index % themes->count];
        if (session->theme != print)
            break;
    }
    session_show_message(session, "page.theme", name_of_theme(session), NULL);
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
    {"theme", "T", "T", .act = change_theme, .traits = ACTION_MORE},
    {"full_screen", "F11", "F11", .request = SESSION_FULLSCREEN},
    {"help", "?|F1|H", "?", .toggles = &mode_help, .traits = ACTION_MORE},
    {"quit", "Q", "Q", .act = quit},
};

const ActionGroup actions_anywhere = ACTION_GROUP(NULL, anywhere);
