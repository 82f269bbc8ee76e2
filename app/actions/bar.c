#include "actions/actions.h"

#include "lesson/content/changes.h"
#include "picture/chrome/chrome.h"

#include <math.h>

/* The bar on top: the actions that are tools, in the tools' order; and the tip of what
 * the pointer rests on. */

static const double TIP_AFTER = 500; /* milliseconds */

/* ---- buttons ---- */

/* The action that is a tool where the session is; action_count() for none. */
static size_t action_of_tool(const Session *session, Tool tool) {
    size_t number = 0;
    for (; number < action_count(); number++) {
        const Mode *mode = action_mode(number);
        if (action_tool(action_at(number)) == tool &&
            (!mode || mode == session->modes[0]))
            break;
    }
    return number;
}

static bool is_of_playing(Tool tool) {
    return tool == TOOL_SLOWER || tool == TOOL_FASTER || tool == TOOL_PLAY;
}

/* Tools that a lesson or its place has no use for: one button opens a step as long as
 * there is something to open, and then closes it; and autoplay has them only while it
 * runs. */
static bool hides_tool(const Session *session, Tool tool) {
    bool writes =
        session->lesson && (session->lesson->text || text_has_elsewhere(session));
    bool closes = action_why_not(session, action_number("open_step")) &&
                  !action_why_not(session, action_number("close_step"));
    return (tool == TOOL_TEXT && !writes) || (tool == TOOL_OPEN && closes) ||
           (tool == TOOL_CLOSE && !closes) ||
           (is_of_playing(tool) && !session->play.runs);
}

static BarButton button_of(const Session *session, Tool tool, size_t number,
                           Arena *arena) {
    const char *name = action_at(number)->name;
    bool pauses = tool == TOOL_PLAY && session->play.runs;
    const char *key = arena_format(arena, "button.%s", pauses ? "pause" : name);
    Link link = action_link(name);
    const char *word = key ? session_words(session, key) : "";
    return (BarButton){.tool = pauses ? TOOL_PAUSE : tool,
                       .word = word,
                       .link = link,
                       .can = !action_why_not(session, number),
                       .pointed = link_equal(link, session->pointed)};
}

/* ---- banners ---- */

static void append_banner(const Session *session, TopBar *bar, const char *words,
                          size_t action) {
    if (bar->banner_count == BANNERS_MAX || action == action_count())
        return;
    bar->banners[bar->banner_count++] =
        (Banner){session_words(session, words), {LINK_COMMAND, action, 0, 0}};
}

/* Adds a banner for every mode that is on, and for a changed lesson. */
static void list_banners(const Session *session, TopBar *bar) {
    for (size_t i = session->mode_count; i > 1; i--) {
        const Mode *mode = session->modes[i - 1];
        if (mode->banner)
            append_banner(session, bar, mode->banner, action_of_key(mode, "Escape"));
    }
    size_t restore = action_number("restore");
    if (session->modes[0] != &mode_lesson || action_why_not(session, restore))
        return;
    const Lesson *lesson = session->lesson;
    bool elsewhere =
        changes_any(lesson->changes) && !variant_in(lesson) && !changes_shown(session);
    append_banner(session, bar,
                  elsewhere                      ? "banner.changed_elsewhere"
                  : !lesson->own_text            ? "banner.changed"
                  : changes_any(lesson->changes) ? "banner.own_text_changed"
                                                 : "banner.own_text",
                  restore);
}

/* ---- the bar ---- */

const TopBar *session_bar(const Session *session, Arena *arena) {
    TopBar *bar = arena_alloc(arena, 1, sizeof *bar);
    BarButton *buttons = arena_alloc(arena, TOOL_COUNT, sizeof *buttons);
    bool plays = session->play.runs;
    *bar = (TopBar){.buttons = buttons,
                    .speed = plays ? session->play.speed : 0,
                    .speeds = PACE_SPEEDS,
                    .links = {action_link("home"), action_link("explain")}};
    for (Tool tool = TOOL_NONE + 1; tool < TOOL_COUNT && !session->screen.touch; tool++) {
        size_t number = action_of_tool(session, tool);
        if (number < action_count() && !hides_tool(session, tool))
            buttons[bar->count++] = button_of(session, tool, number, arena);
    }
    list_banners(session, bar);
    return bar;
}

/* ---- the bar for fingers ---- */

/* Reference pixels: the bar's height at the foot, its width at the right, and the height
 * of a page that is low. */
static const double TOUCH_FOOT = 56, TOUCH_SIDE = 64, LOW = 480;

static bool is_wide(const Session *session) {
    return session->width > session->height;
}

bool touch_is_low(const Session *session) {
    const SessionScreen *screen = &session->screen;
    return screen->touch && is_wide(session) && session->height * screen->point < LOW;
}

Box touch_bar_cut(const Session *session, Box *page) {
    const SessionScreen *screen = &session->screen;
    bool tours = mode_on(session, &mode_tour); /* which has buttons of its own */
    if (!screen->touch || !(screen->point > 0) || !mode_on(session, &mode_lesson) ||
        session_presents(session) || tours)
        return (Box){0};
    return touch_is_low(session)
               ? box_take_right(page, round(TOUCH_SIDE / screen->point))
               : box_take_bottom(page, round(TOUCH_FOOT / screen->point));
}

void touch_bar_show(const Session *session, const Canvas *canvas, Box area) {
    static const struct {
        Tool tool;
        const char *action;
    } basics[] = {{TOOL_HOME, "home"},
                  {TOOL_BACK, "step_back"},
                  {TOOL_NEXT, "next_step"},
                  {TOOL_MORE, "more"}};
    enum { COUNT = sizeof basics / sizeof *basics };
    BarButton buttons[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        buttons[i] = button_of(session, basics[i].tool, action_number(basics[i].action),
                               canvas->scene->arena);
    if (area.w > 0)
        touch_bar_draw(canvas, buttons, COUNT, area);
}

/* ---- the tip ---- */

/* A command, or a number of a sum that a click follows back. */
static bool has_tip(const Session *session, Link link) {
    return link.kind == LINK_SOURCE ? mode_reached(session, &mode_lesson)
                                    : link.kind == LINK_COMMAND && !link.row &&
                                          !link.col && link.index < action_count();
}

bool bar_point_at(Session *session, Link link) {
    if (!has_tip(session, link))
        link = (Link){0};
    if (link_equal(link, session->pointed))
        return false;
    session->pointed = link;
    session->pointed_for = 0;
    return true;
}

void bar_drop_tip(Session *session) {
    session->pointed_for = -INFINITY;
}

double bar_until_tip(const Session *session) {
    bool comes = session->pointed.kind && session->pointed_for < TIP_AFTER;
    return comes ? TIP_AFTER - session->pointed_for : INFINITY;
}

bool bar_tick(Session *session, double milliseconds) {
    bool comes = bar_until_tip(session) <= milliseconds;
    session->pointed_for += milliseconds;
    return comes;
}

/* Underlines a link that can be followed. */
static void underline(const Canvas *canvas, Link link) {
    const Scene *scene = canvas->scene;
    for (size_t i = 0, count = scene->count; i < count; i++) {
        const SceneItem *item = &scene->items[i];
        Box box = item->box;
        if (item->kind == SCENE_TEXT && link_equal(item->link, link))
            canvas_fill(canvas, (Box){box.x, box.y + box.h - 1, box.w, 2}, 0, item->fill);
    }
}

void bar_draw_tip(const Session *session, const Canvas *canvas) {
    Box of;
    bool follows = session->pointed.kind == LINK_SOURCE;
    size_t number = follows ? action_number("follow_back") : session->pointed.index;
    if (follows)
        underline(canvas, session->pointed);
    if (!session->pointed.kind || session->pointed_for < TIP_AFTER ||
        !scene_find(canvas->scene, session->pointed, &of))
        return;
    const Action *action = action_at(number);
    const char *key = canvas_format(canvas, "action.%s", action->name);
    Tip tip = {.name = canvas_string(canvas, key),
               .key = follows || action_is_taken(session, number)
                          ? ""
                          : action_shown_key(action, canvas->scene->arena),
               .why = follows ? NULL : action_why_not(session, number)};
    tip_draw(canvas, &tip, of);
}
