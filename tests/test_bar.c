/* What stands around a lesson's page and can be pressed: the bar's crumbs and buttons,
 * their tips. */
#include "session/actions.h"
#include "session/state.h"

#include "fixed_metrics.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FRAME_BYTES = 64 << 20, BAR_HEIGHT = 56 };

static const double WIDTH = 1600, HEIGHT = 900, LEAST_TARGET = 40;

typedef struct Stand {
    Course course;
    Arena *arena;
    Session *session;
    Scene scene; /* drawn last */
} Stand;

static int set_up(void **state) {
    Stand *stand = calloc(1, sizeof *stand);
    ErrorList errors = {0};
    const char *source = getenv("GLASSFORMER_SOURCE");
    if (source)
        setenv("GLASSFORMER_DATA", source, 1);
    stand->arena = arena_create(FRAME_BYTES);
    if (!course_init(&stand->course, &errors)) {
        error_list_print(&errors, stderr);
        return -1;
    }
    stand->session = session_create(&stand->course, NULL);
    *state = stand;
    return 0;
}

static int tear_down(void **state) {
    Stand *stand = *state;
    session_destroy(stand->session);
    course_finish(&stand->course);
    arena_destroy(stand->arena);
    free(stand);
    return 0;
}

static uint64_t look(Stand *stand) {
    TextMetrics metrics = fixed_metrics();
    arena_reset(stand->arena);
    session_draw(stand->session, &stand->scene, stand->arena, &metrics, WIDTH, HEIGHT,
                 true);
    assert_true(scene_complete(&stand->scene));
    return scene_digest(&stand->scene);
}

static void open_lesson(Stand *stand, const char *id) {
    assert_true(session_open_number(stand->session, course_find(&stand->course, id)));
}

static void press(Stand *stand, const char *keys) {
    char name[SESSION_KEY_SIZE];
    int length;
    for (; sscanf(keys, "%31s%n", name, &length) == 1; keys += length)
        session_key(stand->session, name);
}

static Box find(Stand *stand, Link link) {
    Box box = {0};
    look(stand);
    if (!scene_find(&stand->scene, link, &box))
        fail_msg("%s is not to be seen", action_at(link.index)->name);
    return box;
}

static void point_at(Stand *stand, Link link) {
    Box box = find(stand, link);
    session_pointer_move(stand->session, &stand->scene, box.x + box.w / 2,
                         box.y + box.h / 2);
}

static void click(Stand *stand, Link link) {
    Box box = find(stand, link);
    session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                          box.y + box.h / 2);
    session_pointer_release(stand->session);
}

static size_t statement(const Stand *stand) {
    return player_statement(&stand->session->player);
}

/* ---- buttons ---- */

static void test_every_tool_is_one_action(void **state) {
    (void)state;
    size_t counts[TOOL_COUNT] = {0};
    for (size_t i = 0; i < action_count(); i++)
        counts[action_tool(action_at(i))]++;
    for (Tool tool = TOOL_NONE + 1; tool < TOOL_COUNT; tool++)
        assert_int_equal(counts[tool], tool != TOOL_PAUSE);
}

static void test_buttons_have_words_in_every_language(void **state) {
    Stand *stand = *state;
    const Languages *languages = &stand->course.languages;
    for (size_t l = 0; l < languages->count; l++) {
        for (size_t i = 0; i < action_count(); i++) {
            char key[64];
            snprintf(key, sizeof key, "button.%s", action_at(i)->name);
            bool has = language_has(languages->items[l], key);
            if (has != (action_tool(action_at(i)) != TOOL_NONE))
                fail_msg("%s: %s", languages->items[l]->code, key);
        }
    }
}

static void test_buttons_do_what_their_actions_do(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "07-one-head");
    click(stand, action_link("next_step"));
    click(stand, action_link("next_step"));
    assert_int_equal(statement(stand), 2);
    click(stand, action_link("step_back"));
    assert_int_equal(statement(stand), 1);
    click(stand, action_link("next_words"));
    assert_int_equal(stand->session->words, WORDS_STORY);
    click(stand, action_link("change_cell"));
    assert_true(mode_on(stand->session, &mode_prompt));
}

static void test_a_button_that_can_not_be_pressed_says_why(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "07-one-head");
    click(stand, action_link("close_step"));
    assert_non_null(strstr(stand->session->message, "closed"));
}

static void test_while_it_plays_the_bar_has_the_speed(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    Box box, before;
    open_lesson(stand, "07-one-head");
    before = find(stand, action_link("play"));
    assert_false(scene_find(&stand->scene, action_link("faster"), &box));
    click(stand, action_link("play"));
    assert_true(session->play.runs);
    int speed = session->play.speed;
    click(stand, action_link("faster"));
    assert_int_equal(session->play.speed, speed + 1);
    click(stand, action_link("slower"));
    assert_int_equal(session->play.speed, speed);
    box = find(stand, action_link("play")); /* nothing has moved from under the pointer */
    assert_true(fabs(box.x + box.w - before.x - before.w) < 1);
    click(stand, action_link("play"));
    assert_false(session->play.runs);
}

/* ---- tips ---- */

static void test_a_tip_comes_after_a_while_and_goes_with_the_pointer(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "07-one-head");
    uint64_t quiet = look(stand);
    point_at(stand, action_link("influence"));
    uint64_t pointed = look(stand);
    assert_int_not_equal(pointed, quiet);
    assert_false(session_tick(session, 100));
    assert_int_equal(look(stand), pointed);
    double until = session_until_change(session);
    assert_true(until > 0 && until < 1000);
    assert_true(session_tick(session, until));
    assert_int_not_equal(look(stand), pointed);
    assert_true(isinf(session_until_change(session)));
    session_pointer_move(session, &stand->scene, -1, -1);
    assert_int_equal(look(stand), quiet);
}

/* ---- crumbs ---- */

/* The crumb of a step, which the map may have, too. */
static void click_crumb(Stand *stand, size_t step) {
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (!link_equal(item->link, (Link){LINK_STEP, step, 0, 0}) || item->box.y > 0)
            continue;
        session_pointer_press(stand->session, &stand->scene,
                              item->box.x + item->box.w / 2, item->box.h / 2);
        return;
    }
    fail_msg("there is no crumb of step %zu", step);
}

static void test_crumbs_lead_back(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "25-the-whole-transformer");
    press(stand, "Right Right Right Right Right Down Down Right");
    assert_int_equal(player_step(&session->player)->depth, 3);
    size_t inner = player_step(&session->player)->parent;
    size_t outer = session->player.steps[inner].parent;
    click_crumb(stand, inner);
    assert_int_equal(session->player.step, inner);
    click_crumb(stand, outer);
    assert_int_equal(session->player.step, outer);
    click(stand, action_link("explain"));
    assert_int_equal(session->words, WORDS_NUMBERS);
    click(stand, action_link("home"));
    assert_true(mode_on(session, &mode_home));
}

/* ---- how they lie ---- */

/* Everything in the bar can be touched and lies beside what else is there. */
static void assert_bar_is_sound(const Stand *stand, const char *lesson) {
    Box boxes[64];
    Link links[64];
    size_t count = 0;
    const Scene *scene = &stand->scene;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->link.kind == LINK_NONE || item->kind == SCENE_UNCLIP ||
            item->box.y >= BAR_HEIGHT || count == 64 ||
            (count && link_equal(links[count - 1], item->link)))
            continue;
        links[count] = item->link;
        boxes[count++] = item->box; /* what can be touched is drawn first */
    }
    assert_true(count > 10);
    for (size_t i = 0; i < count; i++) {
        Box box = boxes[i];
        if (box.w < LEAST_TARGET || box.h < LEAST_TARGET || box.x < 0 ||
            box.x + box.w > scene->width)
            fail_msg("%s: %.0f × %.0f at %.0f", lesson, box.w, box.h, box.x);
        for (size_t k = 0; k < i; k++) {
            if (box.x < boxes[k].x + boxes[k].w - 1 && boxes[k].x < box.x + box.w - 1)
                fail_msg("%s: links %zu and %zu lie over each other", lesson, k, i);
        }
    }
}

static void test_the_bar_is_whole_on_every_step(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    size_t every = 8 * sample_one_in(), number = 0;
    for (size_t i = 0; i < stand->course.count; i++) {
        if (!session_open_number(session, i))
            continue;
        for (size_t step = 0; step < session->player.step_count; step++) {
            if (number++ % every)
                continue;
            player_jump(&session->player, step);
            session->play.runs = step % 2;
            session->language = stand->course.languages.items[step % 2];
            look(stand);
            assert_bar_is_sound(stand, session->lesson->id);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_every_tool_is_one_action),
        TEST(test_buttons_have_words_in_every_language),
        TEST(test_buttons_do_what_their_actions_do),
        TEST(test_a_button_that_can_not_be_pressed_says_why),
        TEST(test_while_it_plays_the_bar_has_the_speed),
        TEST(test_a_tip_comes_after_a_while_and_goes_with_the_pointer),
        TEST(test_crumbs_lead_back),
        TEST(test_the_bar_is_whole_on_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
