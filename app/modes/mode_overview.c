#include "session/actions.h"
#include "session/state.h"

#include "picture/page/help.h"

/* The overview of the course: choosing a lesson's card, and opening it. */

void overview_enter(Session *session) {
    mode_begin(session, &mode_overview);
    session->choosing = false;
    size_t chosen = (size_t)(session->entry - session->course->lessons);
    session->chosen =
        session->entry && !opening_is_file(session, session->entry) ? chosen : 0;
}

static bool choose(Session *session, size_t index) {
    if (index >= session->course->all || index == session->chosen)
        return false;
    session->chosen = index;
    return true;
}

static bool choose_by_key(Session *session, size_t index) {
    session->choosing = true;
    return choose(session, index);
}

/* As it stands, on the page it was last drawn on. Loads the lessons. */
static Overview overview_of(Session *session) {
    Course *course = session->course;
    size_t count = session->items ? course->all : 0;
    const char *mine = session_words(session, "overview.mine");
    for (size_t i = 0; i < count; i++) {
        ErrorList errors = {0};
        session->items[i] = (OverviewItem){.lesson = course_lesson(course, i, &errors),
                                           .id = course->lessons[i].id,
                                           .part = i < course->count ? NULL : mine};
        practise_mark_card(session, &session->items[i]);
    }
    return (Overview){.count = count,
                      .items = session->items,
                      .chosen = session->chosen,
                      .theme = session->theme,
                      .language = session->language,
                      .width = session->width,
                      .height = session->height};
}

static bool choose_by_row(Session *session, int rows) {
    Overview overview = overview_of(session);
    return choose_by_key(session, overview_step(&overview, rows));
}

/* ---- actions ---- */

static bool choose_next(Session *session) {
    return choose_by_key(session, session->chosen + 1);
}

static bool choose_previous(Session *session) {
    session->choosing = true;
    return session->chosen && choose(session, session->chosen - 1);
}

static bool choose_below(Session *session) {
    return choose_by_row(session, 1);
}

static bool choose_above(Session *session) {
    return choose_by_row(session, -1);
}

static bool choose_first(Session *session) {
    return choose_by_key(session, 0);
}

static bool choose_last(Session *session) {
    return choose_by_key(session, session->course->all - 1);
}

static bool open_chosen(Session *session) {
    return session_open_number(session, session->chosen) || session->message[0];
}

/* Who only ever presses Right comes into the lesson; who is choosing goes on choosing. */
static bool begin_or_choose_next(Session *session) {
    return session->choosing ? choose_next(session) : open_chosen(session);
}

static bool save(Session *session) {
    session->request = SESSION_SAVE;
    return true;
}

static const Action actions[] = {
    {.name = "begin", .keys = {"Right", "Space"}, .act = begin_or_choose_next},
    {.name = "choose_next", .keys = {"PageDown"}, .act = choose_next},
    {.name = "choose_previous", .keys = {"Left", "PageUp"}, .act = choose_previous},
    {.name = "choose_below", .keys = {"Down"}, .act = choose_below},
    {.name = "choose_above", .keys = {"Up"}, .act = choose_above},
    {.name = "choose_first", .keys = {"Home"}, .act = choose_first},
    {.name = "choose_last", .keys = {"End"}, .act = choose_last},
    {.name = "open_lesson", .keys = {"Return"}, .act = open_chosen},
    {.name = "save_overview", .keys = {"S"}, .act = save},
};

const ActionGroup actions_overview = ACTION_GROUP(&mode_overview, actions);

/* ---- the pointer, and the picture ---- */

/* Whether a card is whole in view: choosing one that is not would move the page away from
 * under the pointer. */
static bool is_whole(const Scene *scene, Link link) {
    Box box;
    return scene_find(scene, link, &box) && box.y >= 0 && box.y + box.h <= scene->height;
}

static bool move(Session *session, const Scene *scene, double x, double y) {
    Link link = scene_hit(scene, x, y);
    return link.kind == LINK_LESSON && is_whole(scene, link) &&
           choose(session, link.index);
}

static ModeAnswer press(Session *session, Link link) {
    if (link.kind != LINK_LESSON)
        return MODE_PASSES;
    bool opened = session_open_number(session, link.index);
    return opened || session->message[0] ? MODE_CHANGES : MODE_TAKES;
}

static void draw_tools(const Session *session, const Canvas *canvas) {
    const TopBar *bar = session_bar(session, canvas->scene->arena);
    if (bar)
        top_bar_buttons(canvas, bar,
                        (Box){0, 0, session->width, canvas_length(canvas, 56)});
}

static void fill(Session *session, const Canvas *canvas, bool interactive) {
    Overview overview = overview_of(session);
    overview.metrics = canvas->metrics;
    overview_draw(canvas->scene, canvas->scene->arena, &overview);
    if (interactive)
        draw_tools(session, canvas);
    if (interactive && session->message[0])
        help_draw_notice(canvas, session->message);
}

const Mode mode_overview = {.name = "overview",
                            .missing = "action.why.in_overview",
                            .press = press,
                            .move = move,
                            .fill = fill};
