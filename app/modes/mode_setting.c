#include "modes/modes.h"

#include "actions/actions.h"
#include "picture/overlays/overlays.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>

/* A list of values of one setting, the present one marked: a click or Enter sets it. */

enum { ROWS_MAX = 20 };

static SettingState *setting_state(const Session *session) {
    return mode_state(session, &mode_setting);
}

static size_t count_rows(Session *session) {
    size_t count = setting_state(session)->setting->count(session);
    return count < ROWS_MAX ? count : ROWS_MAX;
}

void setting_open(Session *session, const Setting *setting) {
    mode_leave(session, &mode_setting);
    *setting_state(session) =
        (SettingState){.setting = setting, .rows.chosen = setting->present(session)};
    mode_enter(session, &mode_setting);
}

static bool use(Session *session) {
    const SettingState state = *setting_state(session);
    if (state.rows.chosen >= count_rows(session))
        return false;
    mode_leave(session, &mode_setting);
    state.setting->use(session, state.rows.chosen);
    return true;
}

const ActionGroup actions_setting = {
    &mode_setting, 1,
    &(const Action){"close_setting", "Escape", .traits = ACTION_OF_KEYS}};

static List *rows_of(Session *session) {
    return &setting_state(session)->rows;
}

static const ListControl control = {.list = rows_of,
                                    .count = count_rows,
                                    .use = use,
                                    .link = "close_setting",
                                    .page = ROWS_MAX};

/* A click beside the list closes it. */
static ModeAnswer press(Session *session, Link link) {
    if (link.kind == LINK_COMMAND && link.col &&
        link.index == action_number("close_setting"))
        return MODE_TAKES;
    return mode_leave(session, &mode_setting) ? MODE_CHANGES : MODE_TAKES;
}

/* At the setting's button; else below More, or in the middle. */
static Point place_of(const Session *session, const Canvas *canvas) {
    const Setting *setting = setting_state(session)->setting;
    Box at = {session->width / 2, session->height / 3, 0, 0}, button;
    if (scene_find(canvas->scene, action_link(setting->action), &button))
        at = button;
    else if (scene_find(canvas->scene, action_link("more"), &button))
        at = (Box){button.x, button.y + button.h, 0, 0};
    at = canvas_shrunk(canvas, at);
    return (Point){at.x, at.y};
}

static void draw(Session *session, const Canvas *canvas) {
    const SettingState *state = setting_state(session);
    const Setting *setting = state->setting;
    MenuRow rows[ROWS_MAX];
    size_t present = setting->present(session);
    Menu menu = {.title = canvas_string(canvas, setting->title),
                 .count = count_rows(session),
                 .rows = rows,
                 .chosen = state->rows.chosen,
                 .link = action_link("close_setting"),
                 .at = place_of(session, canvas)};
    for (size_t i = 0; i < menu.count; i++)
        rows[i] = (MenuRow){.words = setting->words(session, i, canvas->scene->arena),
                            .key = i == present ? "✓" : ""};
    menu_draw(canvas, &menu);
}

const Mode mode_setting = {.name = "setting",
                           .state_size = sizeof(SettingState),
                           .missing = "action.why.no_menu",
                           .closed = true,
                           .overlays = true,
                           .grows = true,
                           .offers = true,
                           .rolls = true,
                           .list = &control,
                           .press = press,
                           .draw = draw};

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
static const char *theme_words(const Session *session, size_t row, Arena *arena) {
    (void)arena;
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
    session_show_message(session, "page.theme", theme_words(session, row, NULL), NULL);
    return true;
}

/* ---- size of the type ---- */

/* The sizes, from the smallest on; 0 behind the largest. */
static double size_of_row(const Session *session, size_t row) {
    bool presents = session_presents(session);
    double size = 1, next;
    while ((next = text_scale_smaller(size, presents)) < size)
        size = next;
    for (; row > 0; row--) {
        next = text_scale_above(size);
        if (!(next > size))
            return 0;
        size = next;
    }
    return size;
}

static size_t count_sizes(const Session *session) {
    size_t count = 0;
    while (size_of_row(session, count) > 0)
        count++;
    return count;
}

/* The nearest to the present one. */
static size_t present_size(const Session *session) {
    double now = session_text_scale(session);
    size_t nearest = 0, count = count_sizes(session);
    for (size_t row = 1; row < count; row++) {
        if (fabs(size_of_row(session, row) - now) <
            fabs(size_of_row(session, nearest) - now))
            nearest = row;
    }
    return nearest;
}

static const char *size_words(const Session *session, size_t row, Arena *arena) {
    return arena_format(arena, "%.0f %%", size_of_row(session, row) * 100);
}

static void set_size(Session *session, size_t row) {
    size_set(session, size_of_row(session, row));
}

static bool choose_size(Session *session) {
    static const Setting setting = {.title = "action.type_size",
                                    .action = "type_size",
                                    .count = count_sizes,
                                    .present = present_size,
                                    .words = size_words,
                                    .use = set_size};
    setting_open(session, &setting);
    return true;
}

static const Action looks[] = {
    {"type_size", .act = choose_size, .traits = ACTION_MORE},
    {"theme", .act = choose_theme, .traits = ACTION_MORE},
    {"next_theme", "T", "T", .act = change_theme, .traits = ACTION_OF_KEYS},
};

const ActionGroup actions_looks = ACTION_GROUP(NULL, looks);
