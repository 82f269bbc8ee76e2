/* Controls around a lesson's page: the bar's breadcrumbs and buttons, their tips,
 * banners, menus, the finder; by pointer and by finger. */
#include "contains.h"
#include "modes/modes.h"
#include "session_stand.h"

#include "lesson/content/content.h"
#include "picture/scene/theme.h"
#include "session/mode.h"

#include "picture/overlays/overlays.h"
#include "sample.h"

#include <math.h>
#include <string.h>

enum { BAR_HEIGHT = 56 };

static const double LEAST_TARGET = 40;
static const double LEAST_TYPE = 17; /* points: 10.9 pixels at 1024 × 600 */

/* The first thing that is drawn with a link. */
static Box find(Stand *stand, Link link) {
    look(stand);
    for (size_t i = 0; i < stand->scene.count; i++) {
        if (link_equal(stand->scene.items[i].link, link))
            return stand->scene.items[i].box;
    }
    fail_msg("%s is not to be seen",
             link.kind == LINK_COMMAND ? action_at(link.index)->name : "a link");
    return (Box){0};
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

/* ---- buttons ---- */

static void test_every_tool_is_one_action(void **state) {
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
            Tool tool = action_tool(action_at(i));
            bool names_menu = strcmp(action_at(i)->name, "save") == 0;
            bool is_touched =
                strcmp(action_at(i)->name, "home") == 0; /* in the bar of four */
            if (has != (tool != TOOL_NONE || names_menu || is_touched))
                fail_msg("%s: %s", languages->items[l]->code, key);
        }
    }
}

static void test_buttons_do_what_their_actions_do(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    click(stand, action_link("next_step"));
    click(stand, action_link("next_step"));
    assert_int_equal(statement(stand), 2);
    click(stand, action_link("step_back"));
    assert_int_equal(statement(stand), 1);
    click(stand, action_link("change_cell"));
    assert_true(mode_on(stand->session, &mode_prompt));
}

/* One button opens a step as far as it goes, and then closes it. */
static void test_one_button_opens_and_closes(void **state) {
    Stand *stand = *state;
    Box box;
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right Right Right Right");
    click(stand, action_link("open_step"));
    look(stand);
    assert_false(scene_find(&stand->scene, action_link("open_step"), &box));
    click(stand, action_link("close_step"));
    look(stand);
    assert_false(scene_find(&stand->scene, action_link("close_step"), &box));
    find(stand, action_link("open_step"));
}

/* The place in the open menu of an action, from 1. */
static size_t row_in_menu(Stand *stand, const char *name) {
    size_t row = 0;
    for (size_t i = 0; i < action_count(); i++) {
        const Action *action = action_at(i);
        if (!(action->traits & menu_state(stand->session)->about))
            continue;
        row++;
        if (strcmp(action->name, name) == 0)
            return row;
    }
    return 0;
}

/* Actions without a button are in a menu below the button More. */
static void use_more(Stand *stand, const char *name) {
    click(stand, action_link("more"));
    menu_state(stand->session)->rows.chosen = row_in_menu(stand, name) - 1;
    try_keys(stand, "Return");
}

static void test_more_has_what_has_no_button(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right");
    use_more(stand, "save");
    assert_int_equal(session_take_request(stand->session), SESSION_SAVE);
    use_more(stand, "influence");
    assert_true(mode_on(stand->session, &mode_influence));
    use_more(stand, "theme");
    press(stand, "Down Return");
    assert_string_equal(stand->session->theme->name, "dark");
    use_more(stand, "help");
    assert_true(mode_on(stand->session, &mode_help));
}

static void test_a_button_that_can_not_be_pressed_says_why(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "End");
    click(stand, action_link("open_step"));
    assert_contains(stand->session->message, "open");
}

static void test_while_it_plays_the_bar_has_the_speed(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    Box box;
    open_lesson(stand, "08-one-head");
    look(stand);
    assert_false(scene_find(&stand->scene, action_link("faster"), &box));
    press(stand, "A");
    assert_true(session->play.runs);
    int speed = session->play.speed;
    click(stand, action_link("faster"));
    assert_int_equal(session->play.speed, speed + 1);
    click(stand, action_link("slower"));
    assert_int_equal(session->play.speed, speed);
    click(stand, action_link("play"));
    assert_false(session->play.runs);
}

/* ---- tips ---- */

static void test_a_number_of_a_sum_tells_that_it_can_be_followed(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right Right Right Down");
    look(stand);
    size_t i = 0;
    while (stand->scene.items[i].link.kind != LINK_SOURCE)
        assert_true(++i < stand->scene.count);
    Box box = stand->scene.items[i].box;
    size_t count = stand->scene.count;
    session_pointer_move(stand->session, &stand->scene, box.x + box.w / 2,
                         box.y + box.h / 2);
    look(stand);
    assert_true(stand->scene.count > count); /* the line below it */
    assert_false(says(stand, "Follow this number back"));
    session_tick(stand->session, 600);
    look(stand);
    assert_true(says(stand, "Follow this number back"));
}

static void test_a_tip_comes_after_a_while_and_goes_with_the_pointer(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    uint64_t quiet = look(stand);
    point_at(stand, action_link("change_cell"));
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

static void test_crumbs_lead_back(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "30-the-whole-transformer");
    try_keys(stand, "Right Right Right Right Right Down Down Right");
    assert_int_equal(player_step(&session->player)->depth, 3);
    size_t inner = player_step(&session->player)->parent;
    size_t outer = session->player.steps[inner].parent;
    click(stand, (Link){LINK_STEP, inner, 0, 0});
    assert_int_equal(session->player.step, inner);
    click(stand, (Link){LINK_STEP, outer, 0, 0});
    assert_int_equal(session->player.step, outer);
    click(stand, action_link("explain"));
    assert_int_equal(session->words, WORDS_NUMBERS);
    click(stand, action_link("home"));
    assert_true(mode_on(session, &mode_home));
}

/* ---- the finder ---- */

static Link row_of(const char *action, size_t row) {
    Link link = action_link(action);
    link.row = row;
    return link;
}

static void find_and_use(Stand *stand, const char *text) {
    try_keys(stand, "Ctrl+K");
    assert_true(mode_on(stand->session, &mode_finder));
    assert_true(session_type(stand->session, text));
    try_keys(stand, "Return");
}

static void test_the_finder_finds_actions_lessons_steps_and_tensors(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    find_and_use(stand, "one attention head, by hand");
    assert_string_equal(session->lesson->id, "08-one-head");
    find_and_use(stand, "scaling by");
    assert_int_equal(statement(stand), 6);
    find_and_use(stand, "W_K");
    assert_int_equal(statement(stand), 1);
    find_and_use(stand, "dark mode");
    press(stand, "Down Return");
    assert_string_equal(session->theme->name, "dark");
    assert_false(mode_on(session, &mode_finder));
}

/* By its words a lesson has no other than by what it does. */
static void test_the_finder_knows_what_a_lesson_is_about(void **state) {
    Stand *stand = *state;
    static const char *const patterns[] = {"softmax", "概率"};
    for (size_t i = 0; i < 2; i++) {
        Arena *arena = arena_create(64 << 20);
        size_t count = 0, lessons = 0, eighth = course_find(&stand->course, "09-shapes");
        bool has_eighth = false;
        FinderMatch *offers =
            finder_items_find(stand->session, patterns[i], arena, &count);
        for (size_t j = 0; j < count; j++) {
            bool lesson = strcmp(offers[j].source->name, "lesson") == 0;
            lessons += lesson;
            has_eighth |= lesson && offers[j].index == eighth;
        }
        assert_true(lessons > 0);
        assert_true(has_eighth || i);
        arena_destroy(arena);
    }
}

static void test_the_finder_knows_english_names_in_any_language(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    stand->session->language = languages_lookup(&stand->course.languages, "zh");
    find_and_use(stand, "last step");
    assert_int_equal(statement(stand),
                     player_statement_count(&stand->session->player) - 1);
    find_and_use(stand, "第一步");
    assert_int_equal(statement(stand), 0);
}

static void test_the_finder_knows_other_words_for_an_action(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    find_and_use(stand, "lecture");
    assert_true(session_presents(stand->session));
    try_keys(stand, "Escape Right Right Right");
    find_and_use(stand, "lens");
    assert_true(mode_on(stand->session, &mode_lens));
}

static void test_what_can_not_be_done_stays_in_the_finder(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    find_and_use(stand, "close this step");
    assert_true(mode_on(stand->session, &mode_finder));
    try_keys(stand, "Escape");
    assert_false(mode_on(stand->session, &mode_finder));
    assert_true(mode_on(stand->session, &mode_lesson));
}

static void test_the_finder_is_scrolled_and_pressed(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Ctrl+K");
    for (int i = 0; i < 15; i++)
        assert_true(session_pointer_wheel(session, &stand->scene, 800, 300, -1));
    assert_int_equal(finder_state(session)->chosen, 15);
    find(stand, row_of("find", 16));
    point_at(stand, row_of("find", 12));
    assert_int_equal(finder_state(session)->chosen, 11);
    click(stand, action_link("close_finder"));
    assert_false(mode_on(session, &mode_finder));
    try_keys(stand, "Ctrl+K");
    click(stand, row_of("find", 1)); /* next step */
    assert_int_equal(statement(stand), 1);
    try_keys(stand, "Ctrl+K");
    look(stand);
    session_pointer_press(session, &stand->scene, 20, 600); /* beside it */
    assert_false(mode_on(session, &mode_finder));
}

/* ---- lists ---- */

static void test_lists_go_by_pages_and_to_their_ends(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Ctrl+K PageDown");
    assert_int_equal(finder_state(session)->chosen, FINDER_ROWS);
    try_keys(stand, "pagedown Up pageup");
    assert_int_equal(finder_state(session)->chosen, FINDER_ROWS - 1);
    try_keys(stand, "PageUp PageUp");
    assert_int_equal(finder_state(session)->chosen, 0);
    assert_int_equal(finder_state(session)->first, 0);
    session_type(session, "query");
    try_keys(stand, "Home"); /* the field's */
    assert_int_equal(session->field.caret, 0);
    try_keys(stand, "Down");
    assert_int_equal(finder_state(session)->chosen, 1);
    session_type(session, "there is nothing of this name");
    try_keys(stand, "PageDown Return");
    assert_true(mode_on(session, &mode_finder));
    try_keys(stand, "Escape Shift+F10 End");
    size_t last = menu_state(session)->rows.chosen;
    assert_true(last > 3);
    try_keys(stand, "Down");
    assert_int_equal(menu_state(session)->rows.chosen, last);
    try_keys(stand, "Home Up PageDown Space");
    assert_false(mode_on(session, &mode_menu));
}

/* ---- menus ---- */

static Box first_cell(Stand *stand) {
    size_t node = player_step(&stand->session->player)->node;
    return find(stand, (Link){LINK_CELL, node, 0, 0});
}

static void open_menu(Stand *stand, Box box) {
    session_pointer_menu(stand->session, &stand->scene, box.x + box.w / 2,
                         box.y + box.h / 2);
    assert_true(mode_on(stand->session, &mode_menu));
}

static void choose_in_menu(Stand *stand, const char *name) {
    size_t row = row_in_menu(stand, name);
    assert_true(row > 0);
    click(stand, row_of("menu", row));
}

static void test_a_cells_menu_is_about_that_cell(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Right Right");
    open_menu(stand, first_cell(stand));
    assert_true(mode_on(session, &mode_pin));
    choose_in_menu(stand, "copy_number");
    assert_int_equal(session_take_request(session), SESSION_COPY);
    assert_string_equal(session_copied(session), "1");
    open_menu(stand, first_cell(stand));
    choose_in_menu(stand, "copy_tensor");
    assert_string_equal(session_copied(session), "1\t0\n0\t1\n1\t1\n");
    open_menu(stand, first_cell(stand));
    choose_in_menu(stand, "influence");
    assert_true(mode_on(session, &mode_influence));
    open_menu(stand, first_cell(stand));
    choose_in_menu(stand, "change_pinned");
    assert_true(mode_on(session, &mode_prompt));
}

static void test_a_steps_menu_goes_there(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    size_t step = player_statement_step(&session->player, 6);
    open_menu(stand, find(stand, (Link){LINK_STEP, step, 0, 0}));
    assert_int_equal(session->player.step, step);
    choose_in_menu(stand, "mute_step");
    assert_true(player_muted(&session->player, step));
    try_keys(stand, "Shift+F10");
    assert_true(mode_on(session, &mode_menu));
    try_keys(stand, "Escape");
    assert_false(mode_on(session, &mode_menu));
}

/* ---- what is said of a press that can't be ---- */

static void test_a_refusal_goes_with_its_cause(void **state) {
    static const char *const ends[] = {"use_text", "leave_field"};
    Stand *stand = *state;
    for (size_t i = 0; i < 2; i++) {
        open_lesson(stand, "08-one-head");
        try_keys(stand, "Right C Return");
        assert_true(mode_on(stand->session, &mode_prompt));
        click(stand, action_link("practise_lesson"));
        assert_true(stand->session->message[0]);
        click(stand, action_link(ends[i]));
        assert_false(mode_on(stand->session, &mode_prompt));
        assert_lacks(stand->session->message,
                     session_words(stand->session, "action.why.busy"));
    }
}

/* ---- banners ---- */

static void test_every_mode_says_so_and_is_left_by_its_cross(void **state) {
    static const struct {
        const char *enters, *leaves;
        const Mode *mode;
    } modes[] = {{"pin_cell", "unpin", &mode_pin},
                 {"influence", "leave_influence", &mode_influence},
                 {"follow_back", "drop_way", &mode_trace},
                 {"practise_lesson", "stop_practising", &mode_practise},
                 {"change_cell", "leave_field", &mode_prompt},
                 {"switch_model", "close_switches", &mode_switches},
                 {"differences", "leave_differences", &mode_differences}};
    Stand *stand = *state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        open_lesson(stand, "30-the-whole-transformer");
        try_keys(stand, "Right Right Right Right Right");
        if (i == 0 || modes[i].mode == &mode_differences)
            try_keys(stand, "]"); /* so that there is something to compare */
        action_do(stand->session, action_number(modes[i].enters));
        if (!mode_on(stand->session, modes[i].mode))
            fail_msg("%s: %s", modes[i].enters, stand->session->message);
        click(stand, action_link(modes[i].leaves));
        if (mode_on(stand->session, modes[i].mode))
            fail_msg("%s is still on", modes[i].mode->name);
        if (i == 0)
            click(stand, action_link("restore"));
    }
}

/* ---- fingers ---- */

static void tap(Stand *stand, Link link) {
    Box box = find(stand, link);
    double x = box.x + box.w / 2, y = box.y + box.h / 2;
    session_touch_down(stand->session, &stand->scene, x, y);
    session_touch_move(stand->session, &stand->scene, x + 3, y - 2);
    /* the page is drawn anew */
    assert_true(session_touch_up(stand->session, &stand->scene, x + 3, y - 2));
}

static void stroke(Stand *stand, Point from, Point to) {
    look(stand);
    session_touch_down(stand->session, &stand->scene, from.x, from.y);
    for (int i = 1; i <= 10; i++)
        session_touch_move(stand->session, &stand->scene,
                           from.x + (to.x - from.x) * i / 10,
                           from.y + (to.y - from.y) * i / 10);
    session_touch_up(stand->session, &stand->scene, to.x, to.y);
}

static void test_fingers_tap_stroke_and_drag(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    Box bar;
    open_lesson(stand, "08-one-head");
    tap(stand, action_link("next_step"));
    assert_int_equal(statement(stand), 1);
    stroke(stand, (Point){1000, 400}, (Point){800, 410});
    assert_int_equal(statement(stand), 2);
    stroke(stand, (Point){800, 400}, (Point){1000, 410});
    assert_int_equal(statement(stand), 1);
    bar = find(stand, (Link){LINK_TIMELINE, 0, 0, 0});
    double y = bar.y + bar.h / 2;
    stroke(stand, (Point){bar.x + 5, y}, (Point){bar.x + bar.w, y});
    assert_int_equal(statement(stand), player_statement_count(&session->player) - 1);
    assert_false(session->scrubbing);
    try_keys(stand, "Ctrl+K");
    stroke(stand, (Point){800, 600}, (Point){800, 300});
    assert_true(finder_state(session)->chosen >= 4);
    assert_true(mode_on(session, &mode_finder));
}

static void test_a_finger_held_still_opens_the_menu(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "08-one-head");
    try_keys(stand, "Right Right");
    Box cell = first_cell(stand);
    double x = cell.x + cell.w / 2, y = cell.y + cell.h / 2;
    session_touch_down(session, &stand->scene, x, y);
    double until = session_until_change(session);
    assert_true(until > 100 && until < 1000);
    assert_true(session_tick(session, until));
    assert_true(mode_on(session, &mode_menu));
    session_touch_up(session, &stand->scene, x, y);
    assert_true(mode_on(session, &mode_menu));
    try_keys(stand, "Escape Escape");
    look(stand);
    session_touch_down(session, &stand->scene, x, y);
    session_touch_cancel(session); /* a second one came */
    session_touch_up(session, &stand->scene, x, y);
    assert_false(mode_on(session, &mode_pin));
}

/* ---- the pointer's shape ---- */

static SessionPointer shape_over(Stand *stand, Link link) {
    Box box = find(stand, link);
    return session_pointer_shape(stand->session, &stand->scene, box.x + box.w / 2,
                                 box.y + box.h / 2);
}

static void test_the_pointer_is_a_hand_over_what_can_be_pressed(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    assert_int_equal(shape_over(stand, action_link("next_step")), SESSION_HAND);
    assert_int_equal(session_pointer_shape(stand->session, &stand->scene, -1, -1),
                     SESSION_ARROW);
    try_keys(stand, "Ctrl+K");
    assert_int_equal(shape_over(stand, (Link){LINK_FIELD, 0, 0, 0}), SESSION_TEXT);
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
        bool button = item->kind == SCENE_TEXT && item->link.kind == LINK_COMMAND &&
                      item->box.y < BAR_HEIGHT &&
                      action_tool(action_at(item->link.index)) != TOOL_NONE;
        if (button && item->size < LEAST_TYPE)
            fail_msg("%s: type of %.0f in the bar", lesson, item->size);
        if (item->link.kind == LINK_NONE || item->kind == SCENE_UNCLIP ||
            item->box.y >= BAR_HEIGHT || count == 64 ||
            (count && link_equal(links[count - 1], item->link)))
            continue;
        links[count] = item->link;
        boxes[count++] = item->box; /* what can be touched is drawn first */
    }
    assert_true(count >= 8);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_every_tool_is_one_action),
        SESSION_TEST(test_buttons_have_words_in_every_language),
        SESSION_TEST(test_buttons_do_what_their_actions_do),
        SESSION_TEST(test_a_button_that_can_not_be_pressed_says_why),
        SESSION_TEST(test_one_button_opens_and_closes),
        SESSION_TEST(test_more_has_what_has_no_button),
        SESSION_TEST(test_while_it_plays_the_bar_has_the_speed),
        SESSION_TEST(test_a_number_of_a_sum_tells_that_it_can_be_followed),
        SESSION_TEST(test_a_tip_comes_after_a_while_and_goes_with_the_pointer),
        SESSION_TEST(test_crumbs_lead_back),
        SESSION_TEST(test_the_finder_finds_actions_lessons_steps_and_tensors),
        SESSION_TEST(test_the_finder_knows_what_a_lesson_is_about),
        SESSION_TEST(test_the_finder_knows_english_names_in_any_language),
        SESSION_TEST(test_the_finder_knows_other_words_for_an_action),
        SESSION_TEST(test_what_can_not_be_done_stays_in_the_finder),
        SESSION_TEST(test_the_finder_is_scrolled_and_pressed),
        SESSION_TEST(test_lists_go_by_pages_and_to_their_ends),
        SESSION_TEST(test_a_cells_menu_is_about_that_cell),
        SESSION_TEST(test_a_steps_menu_goes_there),
        SESSION_TEST(test_every_mode_says_so_and_is_left_by_its_cross),
        SESSION_TEST(test_fingers_tap_stroke_and_drag),
        SESSION_TEST(test_a_finger_held_still_opens_the_menu),
        SESSION_TEST(test_the_pointer_is_a_hand_over_what_can_be_pressed),
        SESSION_TEST(test_a_refusal_goes_with_its_cause),
        COURSE_TEST(test_the_bar_is_whole_on_every_step),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
