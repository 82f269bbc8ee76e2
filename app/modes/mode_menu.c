#include "modes/modes.h"

#include "picture/draw/marks.h"
#include "picture/overlays/overlays.h"
#include "session/state.h"

enum { ROWS_MAX = 20 };

MenuState *menu_state(const Session *session) {
    return mode_state(session, &mode_menu);
}

/* ---- its rows ---- */

/* Reports whether an action is a button of the bar that a screen for fingers has no room
 * for: it is in the menu there. */
static bool is_hidden_tool(const Session *session, size_t number) {
    static const Tool tools[] = {TOOL_OPEN, TOOL_CLOSE, TOOL_PRACTISE, TOOL_CHANGE,
                                 TOOL_TEXT};
    Tool tool = action_tool(action_at(number));
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (tools[i] == tool)
            return session->screen.touch && action_mode(number) == session->modes[0] &&
                   !action_why_not(session, number);
    }
    return false;
}

static bool is_row(const Session *session, size_t number) {
    const Mode *mode = action_mode(number);
    bool more = menu_state(session)->about == ACTION_MORE;
    bool reached = mode ? mode_reached(session, mode) : more;
    bool listed = action_at(number)->traits & menu_state(session)->about ||
                  (more && is_hidden_tool(session, number));
    return reached && listed && !action_is_taken(session, number);
}

static size_t count_rows(Session *session) {
    size_t count = 0;
    for (size_t i = 0; i < action_count(); i++)
        count += is_row(session, i);
    return count < ROWS_MAX ? count : ROWS_MAX;
}

/* The action of a row; action_count() behind the last. */
static size_t action_of_row(const Session *session, size_t row) {
    size_t number = 0;
    for (; number < action_count(); number++) {
        if (is_row(session, number) && row-- == 0)
            break;
    }
    return number;
}

/* ---- opening and closing ---- */

static bool close(Session *session) {
    return mode_leave(session, &mode_menu);
}

static void open(Session *session, unsigned about, const Point *at) {
    *menu_state(session) = (MenuState){.about = about, .anywhere = !at};
    menu_state(session)->rows.chosen = at ? count_rows(session) : 0;
    if (at)
        menu_state(session)->at = *at;
    mode_enter(session, &mode_menu);
}

bool menu_open(Session *session, Link link, Point at) {
    close(session);
    if (!mode_reached(session, &mode_lesson) || session_is_opening(session))
        return false;
    autoplay_stop(session);
    bool cell = link.kind == LINK_CELL || link.kind == LINK_SOURCE;
    if (link.kind == LINK_STEP && link.index != session->player.step)
        lesson_go_to_step(session, link.index);
    if (cell)
        pin_put(session, (Link){LINK_CELL, link.index, link.row, link.col});
    open(session, cell ? ACTION_ON_CELL : ACTION_ON_STEP, &at);
    return true;
}

void menu_ask(Session *session) {
    open(session, ACTION_ASKED, NULL);
}

/* Opens the menu of the pinned cell, or of the one under the pointer; else of the step.
 */
static bool open_by_key(Session *session) {
    bool cell = mode_on(session, &mode_pin) || session->has_hover;
    if (!mode_on(session, &mode_pin) && session->has_hover)
        pin_put(session, session->hover);
    open(session, cell ? ACTION_ON_CELL : ACTION_ON_STEP, NULL);
    return true;
}

const ActionGroup actions_menu = {&mode_lesson, 1,
                                  &(const Action){"menu", "Shift+F10|Menu|Application",
                                                  "Shift+F10", .act = open_by_key}};

static bool open_more(Session *session) {
    close(session);
    open(session, ACTION_MORE, NULL);
    return true;
}

const ActionGroup actions_more = {
    NULL, 1, &(const Action){"more", .act = open_more, .traits = ACTION_TOOL(TOOL_MORE)}};

static bool save(Session *session) {
    autoplay_end_motion(session); /* a picture shows all that is there */
    session->request = SESSION_SAVE;
    return true;
}

/* Saves the picture, or opens a choice between it and the changed lesson. */
static bool save_or_ask(Session *session) {
    if (action_why_not(session, action_number("keep")))
        return save(session);
    open(session, ACTION_SAVES, NULL);
    return true;
}

static const Action picture[] = {
    {"save", "Ctrl+S", "Ctrl+S", .act = save_or_ask, .traits = ACTION_MORE},
    {"save_picture", .act = save, .traits = ACTION_ON_STEP | ACTION_SAVES},
};

const ActionGroup actions_picture = ACTION_GROUP(&mode_lesson, picture);

/* ---- choosing ---- */

static bool use(Session *session) {
    size_t number = action_of_row(session, menu_state(session)->rows.chosen);
    if (number == action_count() || action_why_not(session, number))
        return false;
    close(session);
    action_do(session, number);
    return true;
}

const ActionGroup actions_choosing = {
    &mode_menu, 1, &(const Action){"close_menu", "Escape", .traits = ACTION_OF_KEYS}};

static List *rows_of(Session *session) {
    return &menu_state(session)->rows;
}

static const ListControl control = {
    .list = rows_of, .count = count_rows, .use = use, .link = "menu", .page = ROWS_MAX};

/* A click beside the menu closes it. */
static ModeAnswer press(Session *session, Link link) {
    if (link.kind == LINK_COMMAND && link.col && link.index == action_number("menu"))
        return MODE_CHANGES;
    return close(session) ? MODE_CHANGES : MODE_TAKES;
}

/* ---- what is shown ---- */

/* Returns the corner of the menu: at the click; else below the button, beside its cell,
 * or in the middle of the picture. */
static Point place_of(const Session *session, const Canvas *canvas) {
    const MenuState *menu = menu_state(session);
    Box at = {menu->at.x, menu->at.y, 0, 0}, cell;
    if (menu->anywhere)
        at = (Box){session->width / 2, session->height / 3, 0, 0};
    bool of_bar = menu->about == ACTION_SAVES || menu->about == ACTION_MORE;
    if (of_bar && scene_find(canvas->scene, action_link("more"), &cell))
        at = (Box){cell.x, cell.y + cell.h, 0, 0};
    if (menu->anywhere && menu->about == ACTION_ON_CELL &&
        marks_cell_box(canvas->scene, session->pin, &cell))
        at = (Box){cell.x + cell.w, cell.y + cell.h, 0, 0};
    at = canvas_shrunk(canvas, at);
    return (Point){at.x, at.y};
}

static void draw(Session *session, const Canvas *canvas) {
    MenuRow shown[ROWS_MAX];
    const char *path = player_step(&session->player)->path;
    bool step =
        menu_state(session)->about == ACTION_ON_STEP || !mode_on(session, &mode_pin);
    Link pin = session->pin;
    bool saves = menu_state(session)->about == ACTION_SAVES;
    bool asks = menu_state(session)->about == ACTION_ASKED;
    bool more = menu_state(session)->about == ACTION_MORE;
    Menu menu = {.title = saves  ? canvas_string(canvas, "button.save")
                          : more ? canvas_string(canvas, "button.more")
                          : asks ? canvas_string(canvas, "present.one_screen")
                          : step ? canvas_words(canvas, "menu.step", path, NULL)
                                 : NULL,
                 .cell = {{pin.index, pin.row, pin.col}, false},
                 .player = &session->player,
                 .count = count_rows(session),
                 .rows = shown,
                 .chosen = menu_state(session)->rows.chosen,
                 .link = action_link("menu"),
                 .at = place_of(session, canvas)};
    for (size_t i = 0; i < menu.count; i++) {
        size_t number = action_of_row(session, i);
        const Action *action = action_at(number);
        shown[i] = (MenuRow){
            .words =
                canvas_string(canvas, canvas_format(canvas, "action.%s", action->name)),
            .key = session->screen.touch ? ""
                                         : action_shown_key(action, canvas->scene->arena),
            .why = action_why_not(session, number)};
    }
    menu_draw(canvas, &menu);
}

const Mode mode_menu = {.name = "menu",
                        .state_size = sizeof(MenuState),
                        .missing = "action.why.no_menu",
                        .closed = true,
                        .overlays = true,
                        .grows = true,
                        .offers = true,
                        .rolls = true,
                        .list = &control,
                        .press = press,
                        .draw = draw};
