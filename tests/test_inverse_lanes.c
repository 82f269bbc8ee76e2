/* Three ways to everything: each row of the table of actions is done by key alone, by
 * pointer alone and by finger alone, and what comes of it is the same. */
#include "modes/modes.h"
#include "session_stand.h"

#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "session/mode.h"

#include "picture/overlays/overlays.h"

#include <stdio.h>
#include <string.h>

static const double LEAST_TARGET = 40;

typedef enum Hand { BY_KEY, BY_POINTER, BY_FINGER, HANDS } Hand;

static const char *const hand_names[HANDS] = {"key", "pointer", "finger"};

/* ---- where an action can be done ---- */

/* A lesson, or NULL for the overview, and keys; a word with a quote before it is typed.
 */
typedef struct Scenario {
    const char *lesson, *keys;
    size_t
        is_question; /* the lesson's questions are on, and one comes to this statement */
} Scenario;

static const Scenario scenarios[] = {
    {"08-one-head", "Right Right", 0},
    {"08-one-head", "Right Right Right Right Right Right", 0},
    {"08-one-head", "Right Right Right Right Right Right Down Up", 0},
    {"08-one-head", "Right Right Down", 0},
    {"08-one-head", "A", 0},
    {"08-one-head", "Right Right Right Right C", 0},
    {"08-one-head", "Right Right Right Right BackSpace", 0},
    {"08-one-head", "Right Right Right Right I", 0},
    {"08-one-head", "Right Right ] D", 0},
    {"08-one-head", "Right Right ]", 0},
    {"08-one-head", "Right Right ] Ctrl+Z", 0},
    {"08-one-head", "Right Right C Return", 0},
    {"08-one-head", "Right Right C Return '0.5", 0},
    {"08-one-head", "P", 0},
    {"08-one-head", "P Shift+Return", 0},
    {"08-one-head", "Right Right Shift+P Shift+Return", 0},
    {"08-one-head", "Right Right Shift+P Shift+Return Right", 0},
    {"30-the-whole-transformer", "Right Right Right Right Right", 0},
    {"30-the-whole-transformer", "Right X", 0},
    {NULL, "Ctrl++ Ctrl++", 0},
    {"29-eleven-steps", "E", 0},
    {"29-eleven-steps", "E 'you Return", 0},
    {"08-one-head", "Ctrl+K", 0},
    {NULL, "", 0},
    {"08-one-head", "", 6},
    {"08-one-head", "Right", 6},
    {"08-one-head", "", 8},
    {"08-one-head", "1", 8},
    {"08-one-head", "G", 0},
    {"08-one-head", "Ctrl++ Ctrl++ Ctrl++", 0},
    {"08-one-head", "Right Right F5", 0},
    {"08-one-head", "Right Right C Z", 0},
    {"08-one-head", "Right Right C Right", 0},
};

enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static void begin(Stand *stand, const Scenario *scenario) {
    char name[64];
    int length;
    session_destroy(stand->session);
    stand->session = session_create(&stand->course, NULL);
    if (scenario->lesson)
        assert_true(session_open_number(stand->session,
                                        course_find(&stand->course, scenario->lesson)));
    if (scenario->is_question) {
        Player *player = &stand->session->player;
        player_jump(player, player_statement_step(player, scenario->is_question));
        session_ask(stand->session, true);
    }
    for (const char *keys = scenario->keys; sscanf(keys, "%63s%n", name, &length) == 1;
         keys += length) {
        if (name[0] == '\'')
            session_type(stand->session, name + 1);
        else
            session_key(stand->session, name);
    }
    session_take_request(stand->session);
    stand->session->message[0] = 0;
}

/* Forgets a lesson that was changed, which outlives the session. */
static void end(Stand *stand) {
    session_destroy(stand->session);
    stand->session = NULL;
    for (size_t i = 0; i < stand->course.all; i++) {
        CourseLesson *entry = &stand->course.lessons[i];
        Changes *changes = entry->lesson ? entry->lesson->changes : NULL;
        if (!entry->own &&
            (!changes || (!changes_any(changes) && !changes_undoable(changes) &&
                          !changes_redoable(changes))))
            continue;
        course_lesson_finish(entry);
        entry->lesson = entry->own = NULL;
        entry->tried = false;
    }
}

/* ---- pressing and tapping ---- */

static void tap(Stand *stand, Hand hand, Box box) {
    double x = box.x + box.w / 2, y = box.y + box.h / 2;
    if (hand == BY_POINTER) {
        session_pointer_move(stand->session, &stand->scene, x, y);
        session_pointer_press(stand->session, &stand->scene, x, y);
        session_pointer_release(stand->session);
        return;
    }
    session_touch_down(stand->session, &stand->scene, x, y);
    session_touch_up(stand->session, &stand->scene, x, y);
}

/* The first thing drawn with a link, which is what can be touched. */
static bool find(Stand *stand, Link link, Box *box) {
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (!link_equal(item->link, link) || item->kind == SCENE_UNCLIP)
            continue;
        *box = item->box;
        double x = box->x + box->w / 2, y = box->y + box->h / 2;
        return link_equal(scene_hit(&stand->scene, x, y), link);
    }
    return false;
}

static bool press_link(Stand *stand, Hand hand, Link link) {
    Box box;
    if (!find(stand, link, &box))
        return false;
    if (box.w < LEAST_TARGET || box.h < LEAST_TARGET)
        fail_msg("%s is only %.0f × %.0f", action_at(link.index)->name, box.w, box.h);
    tap(stand, hand, box);
    return true;
}

/* ---- the ways ---- */

/* The menu of the cell that is explained, or of the step. */
static void open_menu(Stand *stand, Hand hand, unsigned about) {
    Session *session = stand->session;
    FollowCell cell = {0};
    Box box = {WIDTH * 0.55, HEIGHT * 0.82, 1, 1};
    if (about == ACTION_ON_CELL && lesson_explained_cell(session, &cell))
        find(stand, (Link){LINK_CELL, cell.node, cell.row, cell.col}, &box);
    look(stand);
    double x = box.x + box.w / 2, y = box.y + box.h / 2;
    if (hand == BY_POINTER) {
        session_pointer_menu(session, &stand->scene, x, y);
        return;
    }
    session_touch_down(session, &stand->scene, x, y);
    session_tick(session, 600);
    session_touch_up(session, &stand->scene, x, y);
}

/* The open menu's row with an action's words; LINK_NONE where there is none. */
static Link row_that_says(const Stand *stand, size_t number) {
    char key[64];
    snprintf(key, sizeof key, "action.%s", action_at(number)->name);
    const char *words = language_words(stand->session->language, key);
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        bool in_menu = item->link.kind == LINK_COMMAND && item->link.row &&
                       item->link.index == action_number("menu");
        if (in_menu && item->kind == SCENE_TEXT && strcmp(item->text, words) == 0)
            return item->link;
    }
    return (Link){0};
}

static bool by_menu(Stand *stand, Hand hand, size_t number) {
    unsigned about = action_at(number)->traits & (ACTION_ON_CELL | ACTION_ON_STEP);
    if (!about)
        return false;
    about = about & ACTION_ON_CELL ? ACTION_ON_CELL : ACTION_ON_STEP;
    open_menu(stand, hand, about);
    if (!mode_on(stand->session, &mode_menu) ||
        menu_state(stand->session)->about != about)
        return false;
    look(stand);
    Link row = row_that_says(stand, number);
    return row.kind && press_link(stand, hand, row);
}

/* Brings a row of the finder into view. */
static void scroll_to(Stand *stand, Hand hand, size_t row) {
    Session *session = stand->session;
    for (int i = 0; i < 500 && row >= finder_state(session)->first + FINDER_ROWS; i++) {
        look(stand);
        if (hand == BY_POINTER) {
            session_pointer_wheel(session, &stand->scene, 800, 300, -1);
            continue;
        }
        session_touch_down(session, &stand->scene, 800, 500);
        for (int y = 490; y >= 200; y -= 10)
            session_touch_move(session, &stand->scene, 800, y);
        session_touch_up(session, &stand->scene, 800, 200);
    }
}

/* By the menu below the bar's button. */
static bool by_more(Stand *stand, Hand hand, size_t number) {
    if (!(action_at(number)->traits & ACTION_MORE) ||
        !press_link(stand, hand, action_link("more")))
        return false;
    look(stand);
    Link row = row_that_says(stand, number);
    return row.kind && press_link(stand, hand, row);
}

static bool by_finder(Stand *stand, Hand hand, size_t number) {
    if (!press_link(stand, hand, action_link("find")))
        by_more(stand, hand, action_number("find"));
    if (!mode_on(stand->session, &mode_finder))
        return false;
    Arena *arena = arena_create(FRAME_BYTES);
    size_t count, row = 0;
    FinderMatch *offers = finder_items_find(stand->session, "", arena, &count);
    while (row < count && (strcmp(offers[row].source->name, "action") != 0 ||
                           offers[row].index != number))
        row++;
    bool offered = row < count && !offers[row].item.why;
    arena_destroy(arena);
    if (!offered)
        return false;
    scroll_to(stand, hand, row);
    Link link = action_link("find");
    link.row = row + 1;
    return press_link(stand, hand, link);
}

/* ---- what comes of it ---- */

static char *outcome(Stand *stand) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "%d %s ", session_take_request(stand->session),
            session_copied(stand->session));
    assert_true(session_print(stand->session, stream));
    fclose(stream);
    char *copy = strdup(text);
    free(text);
    return copy;
}

/* Does an action where it can be done, in one way; NULL where that doesn't lead there. A
 * row of the cell's menu pins it first: the key is pressed on a pinned cell, too. */
typedef bool (*Doing)(Stand *stand, Hand hand, size_t number);

static bool by_link(Stand *stand, Hand hand, size_t number) {
    return press_link(stand, hand, (Link){LINK_COMMAND, number, 0, 0});
}

/* Escape ends what came last first. */
static bool by_key(Stand *stand, Hand hand, size_t number) {
    (void)hand;
    Session *session = stand->session;
    const Mode *mode = action_mode(number);
    char key[SESSION_KEY_SIZE];
    const char *keys = action_at(number)->keys;
    if (!action_next_key(&keys, key)) { /* it is offered, and has no key */
        action_do(session, number);
        return true;
    }
    bool ends = mode && mode != &mode_lesson && strcmp(key, "Escape") == 0;
    do
        session_key(session, key);
    while (ends && mode_on(session, mode));
    return true;
}

static char *done(Stand *stand, const Scenario *scenario, Hand hand, size_t number,
                  Doing doing) {
    begin(stand, scenario);
    look(stand);
    bool reached = doing(stand, hand, number);
    char *text = reached ? outcome(stand) : NULL;
    end(stand);
    return text;
}

static const Scenario *scenario_of(Stand *stand, size_t number) {
    for (size_t i = 0; i < SCENARIOS; i++) {
        const Mode *mode = action_mode(number);
        begin(stand, &scenarios[i]);
        const Mode *bottom = stand->session->modes[0];
        bool can = !action_why_not(stand->session, number) &&
                   (mode || !action_is_taken(stand->session, number)) &&
                   (mode != &mode_finder || scenarios[i].lesson);
        bool here = mode || bottom == &mode_lesson ||
                    strcmp(action_at(number)->name, "quiz") == 0; /* by P at home */
        end(stand);
        if (can && here)
            return &scenarios[i];
    }
    return NULL;
}

/* Takes a key and its value out of an outcome. */
static void without(char *text, const char *key) {
    char *at = strstr(text, key);
    char *behind = at ? strstr(at, ", \"") : NULL;
    if (behind)
        memmove(at, behind + 2, strlen(behind + 2) + 1);
}

/* The pin that a cell's menu leaves, and what a pointer has chosen on its way, are no
 * part of what an action does. */
static const char *told(char *text) {
    without(text, "\"pinned\": ");
    without(text, "\"chosen\": ");
    return text;
}

static void test_every_action_is_done_in_three_ways(void **state) {
    static const Doing visible[] = {by_link, by_menu, by_more, by_finder};
    Stand *stand = *state;
    for (size_t number = 0; number < action_count(); number++) {
        const Action *action = action_at(number);
        const Mode *mode = action_mode(number);
        /* the tour, and lessons of one's own, are in test_home.c, units in test_unit.c */
        bool elsewhere =
            strcmp(action->name, "own_lessons") == 0 || strcmp(action->name, "unit") == 0;
        if (action->traits & ACTION_OF_KEYS || mode == &mode_opening ||
            mode == &mode_tour || elsewhere)
            continue;
        const Scenario *scenario = scenario_of(stand, number);
        if (!scenario)
            fail_msg("%s can nowhere be done here", action->name);
        char *key = done(stand, scenario, BY_KEY, number, by_key);
        for (Hand hand = BY_POINTER; hand < HANDS; hand++) {
            size_t ways = 0;
            for (size_t i = 0; i < sizeof visible / sizeof *visible; i++) {
                char *other = done(stand, scenario, hand, number, visible[i]);
                if (!other)
                    continue;
                ways++;
                if (strcmp(told(other), told(key)) != 0)
                    fail_msg("%s by %s:\n%s\nby key:\n%s", action->name, hand_names[hand],
                             other, key);
                free(other);
            }
            if (!ways)
                fail_msg("%s can't be done by %s", action->name, hand_names[hand]);
        }
        free(key);
    }
}

static const Mode *top_of(const Session *session) {
    return session->modes[session->mode_count - 1];
}

/* Returns true if something must be ended before the home page can be opened. */
static bool is_held(const Session *session) {
    const Mode *top = top_of(session);
    return top != session->modes[0] &&
           (top->closed || action_of_key(top, "Escape") < action_count());
}

/* Whatever is on, pressing crosses and going home by the pointer alone ends it. */
static void test_every_mode_is_left_by_the_pointer_alone(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < SCENARIOS; i++) {
        for (Hand hand = BY_POINTER; hand < HANDS; hand++) {
            begin(stand, &scenarios[i]);
            for (int tries = 0; tries < 8 && is_held(stand->session); tries++) {
                size_t escape = action_of_key(top_of(stand->session), "Escape");
                if (top_of(stand->session) == &mode_present)
                    by_menu(stand, hand, escape);
                else if (escape == action_count() || !by_link(stand, hand, escape))
                    tap(stand, hand, (Box){1598, 898, 1, 1});
            }
            if (is_held(stand->session))
                fail_msg("'%s' is not left by %s", scenarios[i].keys, hand_names[hand]);
            if (scenarios[i].lesson)
                assert_true(press_link(stand, hand, action_link("home")));
            assert_true(mode_on(stand->session, &mode_home));
            end(stand);
        }
    }
}

static void test_two_fingers_make_type_larger_and_smaller(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < 2; i++) {
        begin(stand, &(Scenario){i ? "08-one-head" : NULL, "", 0});
        Session *session = stand->session;
        look(stand);
        session_touch_down(session, &stand->scene, 700, 400);
        session_touch_cancel(session); /* the second one */
        for (int step = 0; step < 13; step++)
            session_touch_pinch(session, 0.02);
        assert_true(session->text_scale == 1.3);
        for (int step = 0; step < 30; step++)
            session_touch_pinch(session, -0.02);
        assert_true(session->text_scale == 1);
        session_touch_up(session, &stand->scene, 700, 400);
        assert_int_equal(session->mode_count, 1);
        end(stand);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_course, tear_down_course)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_every_action_is_done_in_three_ways),
        TEST(test_every_mode_is_left_by_the_pointer_alone),
        TEST(test_two_fingers_make_type_larger_and_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
