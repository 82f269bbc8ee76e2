#include "modes/modes.h"

#include "base/strings/language.h"
#include "picture/overlays/overlays.h"
#include "picture/scene/theme.h"
#include "session/state.h"

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
        rows[i] = (MenuRow){.words = setting->words(session, i),
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
