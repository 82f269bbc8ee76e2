#include "modes/modes.h"
#include "picture/scene/theme.h"
#include "session/state.h"

#include <stdio.h>

/* Actions that can be done anywhere. */

/* ---- colours ---- */

/* The themes for a screen: all but that for print, which is chosen by name only. */
static const Theme *theme_of_row(const Session *session, size_t row) {
    const Themes *themes = &session->course->themes;
    const Theme *print = themes_lookup(themes, "print");
    for (size_t i = 0; i < themes->count; i++) {
        if (&themes->items[i] != print && row-- == 0)
            return &themes->items[i];
    }
    return NULL;
}

static size_t count_themes(const Session *session) {
    size_t count = 0;
    while (theme_of_row(session, count))
        count++;
    return count;
}

static size_t present_theme(const Session *session) {
    size_t row = 0;
    while (row < count_themes(session) && theme_of_row(session, row) != session->theme)
        row++;
    return row;
}

/* A theme's name in the reader's language, if it has one. */
static const char *theme_words(const Session *session, size_t row) {
    char key[64];
    const char *name = theme_of_row(session, row)->name;
    snprintf(key, sizeof key, "theme.%s", name);
    return language_has(session->language, key) ? session_words(session, key) : name;
}

static void set_theme(Session *session, size_t row) {
    session->theme = theme_of_row(session, row);
}

static bool choose_theme(Session *session) {
    static const Setting setting = {.title = "action.theme",
                                    .action = "theme",
                                    .count = count_themes,
                                    .present = present_theme,
                                    .words = theme_words,
                                    .use = set_theme};
    setting_open(session, &setting);
    return true;
}

static bool change_theme(Session *session) {
    size_t row = present_theme(session) + 1;
    row = row < count_themes(session) ? row : 0;
    set_theme(session, row);
    session_show_message(session, "page.theme", theme_words(session, row), NULL);
    return true;
}

/* ---- language, and out ---- */

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
    {"theme", .act = choose_theme, .traits = ACTION_MORE},
    {"next_theme", "T", "T", .act = change_theme, .traits = ACTION_OF_KEYS},
    {"full_screen", "F11", "F11", .request = SESSION_FULLSCREEN},
    {"help", "?|F1|H", "?", .toggles = &mode_help, .traits = ACTION_MORE},
    {"quit", "Q", "Q", .act = quit},
};

const ActionGroup actions_anywhere = ACTION_GROUP(NULL, anywhere);
