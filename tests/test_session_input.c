/* The pointer in a lesson, and the keys and what the help says of them. */
#include "lesson/content/content.h"
#include "picture/page/page.h"
#include "session/actions.h"
#include "session/practising.h"
#include "session_stand.h"

#include <SDL_keyboard.h>

/* The middle of the last cell of what the step on the stage makes: one that the step
 * doesn't explain by itself. */
static Point cell_on_stage(Stand *stand) {
    size_t node = player_step(&stand->session->player)->node;
    for (size_t i = stand->scene.count; i-- > 0;) {
        const SceneItem *item = &stand->scene.items[i];
        Point middle = {item->box.x + item->box.w / 2, item->box.y + item->box.h / 2};
        if (item->kind == SCENE_RECTANGLE && item->link.kind == LINK_CELL &&
            item->link.index == node &&
            link_equal(scene_hit(&stand->scene, middle.x, middle.y), item->link))
            return middle;
    }
    fail_msg("no cell of the step is drawn");
    return (Point){0, 0};
}

static void test_a_question_mark_opens_the_help_while_practising(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "P");
    assert_true(session_is_writing(stand->session));
    press(stand, "?");
    assert_true(mode_on(stand->session, &mode_help));
    press(stand, "Escape");
    assert_true(session_type(stand->session, "?")); /* as some keyboards give it */
    assert_true(mode_on(stand->session, &mode_help));
    assert_string_equal(stand->session->field.text, "");
    press(stand, "Escape");
    assert_true(session_type(stand->session, "1"));
    assert_string_equal(stand->session->field.text, "1");
    press(stand, "Escape");
}

/* ---- the hint for help ---- */

static void test_the_hint_for_help_can_be_clicked(void **state) {
    Stand *stand = *state;
    for (int view = 0; view < 2; view++) {
        look(stand);
        Box box;
        assert_true(scene_find(&stand->scene, action_link("help"), &box));
        session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                              box.y + box.h / 2);
        assert_true(mode_on(stand->session, &mode_help));
        press(stand, "Escape");
        open_lesson(stand, "08-one-head");
    }
}

/* ---- the pointer in a lesson ---- */

static void
test_pointing_at_a_cell_changes_the_picture_and_leaving_restores_it(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "End");
    press(stand, "Left");
    uint64_t before = look(stand);
    Point cell = cell_on_stage(stand);
    assert_true(session_pointer_move(stand->session, &stand->scene, cell.x, cell.y));
    assert_int_not_equal(look(stand), before);
    assert_false(session_pointer_move(stand->session, &stand->scene, cell.x, cell.y));
    assert_true(session_pointer_move(stand->session, &stand->scene, -1, -1));
    assert_int_equal(look(stand), before);
}

/* A pointer that lies still says nothing any more about what a key has brought. */
static void test_a_still_pointer_means_nothing_after_a_key(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "End");
    uint64_t last = look(stand);
    press(stand, "Left");
    look(stand);
    Point cell = cell_on_stage(stand);
    assert_true(session_pointer_move(stand->session, &stand->scene, cell.x, cell.y));
    press(stand, "Right");
    assert_int_equal(look(stand), last);
}

/* A key refers to the cell that the page explains, also to one under the pointer. */
static void test_c_pins_the_cell_under_the_pointer(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "End");
    press(stand, "Left");
    look(stand);
    Point cell = cell_on_stage(stand);
    session_pointer_move(stand->session, &stand->scene, cell.x, cell.y);
    Link link = stand->session->hover;
    press(stand, "C");
    assert_true(mode_on(stand->session, &mode_pin) &&
                link_equal(stand->session->pin, link));
}

static void test_a_click_pins_a_cell_until_escape(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "End");
    press(stand, "Left");
    uint64_t before = look(stand);
    Point cell = cell_on_stage(stand);
    session_pointer_press(stand->session, &stand->scene, cell.x, cell.y);
    assert_false(session_pointer_release(stand->session));
    session_pointer_move(stand->session, &stand->scene, -1, -1);
    assert_true(mode_on(stand->session, &mode_pin));
    assert_int_not_equal(look(stand), before);
    press(stand, "Escape");
    assert_false(mode_on(stand->session, &mode_pin));
    assert_int_equal(look(stand), before);
    press(stand, "Escape");
    press(stand, "Escape");
    assert_true(mode_on(stand->session, &mode_home));
}

static void test_a_click_on_the_map_goes_there(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    look(stand);
    size_t step = player_statement_step(&stand->session->player, 3);
    Box box;
    assert_true(scene_find(&stand->scene, (Link){LINK_STEP, step, 0, 0}, &box));
    Link hit = scene_hit(&stand->scene, box.x + box.w / 2, box.y + box.h / 2);
    if (hit.kind != LINK_STEP) /* its dot on the timeline has the same link */
        box.h = 20;
    assert_true(
        session_pointer_press(stand->session, &stand->scene, box.x + 5, box.y + 5));
    assert_int_equal(statement(stand), 3);
}

static void test_dragging_along_the_timeline_scrubs(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    look(stand);
    Box bar;
    assert_true(scene_find(&stand->scene, (Link){LINK_TIMELINE, 0, 0, 0}, &bar));
    Point start = {bar.x + bar.w * 0.31, bar.y + bar.h / 2};
    Link link = scene_hit(&stand->scene, start.x, start.y);
    assert_int_equal(link.kind, LINK_TIMELINE);
    session_pointer_press(stand->session, &stand->scene, start.x, start.y);
    size_t pressed = statement(stand);
    assert_true(pressed > 0);
    assert_true(
        session_pointer_move(stand->session, &stand->scene, bar.x + bar.w + 500, 0));
    assert_int_equal(statement(stand), stand->session->lesson->step_count - 1);
    session_pointer_move(stand->session, &stand->scene, bar.x - 500, 0);
    assert_int_equal(statement(stand), 0);
    assert_true(session_pointer_release(stand->session));
    session_pointer_move(stand->session, &stand->scene, bar.x + bar.w, 0);
    assert_int_equal(statement(stand), 0);
}

/* ---- keys ---- */

static void test_a_wrong_answer_stays_until_another_is_written(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "P");
    while (practise_exercise(&practise_state(stand->session)->round)->kind !=
           EXERCISE_CELL)
        press(stand, "Right Right");
    assert_true(session_type(stand->session, "5555"));
    press(stand, "Return");
    assert_string_equal(stand->session->field.text, "5555");
    assert_true(session_type(stand->session, "7777"));
    assert_string_equal(stand->session->field.text, "7777");
    press(stand, "Escape");
}

static void test_what_answers_an_exercise_lies_on_a_page_held_upright(void **state) {
    enum { WIDE = PAGE_UPRIGHT_WIDTH, HIGH = 2 * PAGE_UPRIGHT_WIDTH };
    Stand *stand = *state;
    Scene *scene = &stand->scene;
    open_lesson(stand, "08-one-head");
    press(stand, "P");
    while (practise_exercise(&practise_state(stand->session)->round)->kind !=
           EXERCISE_CELL)
        press(stand, "Right Right");
    for (int wrong = 0; wrong < 2; wrong++) {
        draw_session(stand, WIDE, HIGH, true);
        for (size_t i = 0; i < scene->count; i++) {
            const SceneItem *item = &scene->items[i];
            if (item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP)
                continue;
            if (item->box.x < 0 || item->box.x + item->box.w > WIDE)
                fail_msg("'%s' leaves the page", item->text ? item->text : "a shape");
        }
        assert_true(shows(stand, "Stop"));
        assert_true(session_type(stand->session, "5555"));
        press(stand, "Return");
    }
    press(stand, "Escape");
}

static void test_keys_ask_their_driver_once(void **state) {
    Stand *stand = *state;
    const struct {
        const char *key;
        SessionRequest request;
    } cases[] = {
        {"S", SESSION_SAVE},
        {"s", SESSION_SAVE},
        {"F11", SESSION_FULLSCREEN},
    };
    for (int view = 0; view < 2; view++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            press(stand, cases[i].key);
            assert_int_equal(session_take_request(stand->session), cases[i].request);
            assert_int_equal(session_take_request(stand->session), SESSION_NOTHING);
        }
        open_lesson(stand, "08-one-head");
    }
}

/* ---- help ---- */

/* How the help writes a key that SDL calls otherwise; aliases stand under the other. */
static const char *shown_as(const char *key) {
    static const struct {
        const char *key, *shown;
    } others[] = {
        {"Right", "→"},
        {"Left", "←"},
        {"Down", "↓"},
        {"Up", "↑"},
        {"Return", "Enter"},
        {"Keypad Enter", "Enter"},
        {"Escape", "Esc"},
        {"=", "+"},
        {"-", "−"},
        {"Keypad +", "+"},
        {"Keypad -", "−"},
        {"Keypad 1", "1"},
        {"Keypad 2", "2"},
        {"Keypad 3", "3"},
        {"Keypad 4", "4"},
        {"Application", "Shift+F10"},
        {"Menu", "Shift+F10"},
        {"F1", "?"},
        {"H", "?"},
        {"PageDown", "Page Down"},
        {"PageUp", "Page Up"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(others[i].key, key) == 0)
            return others[i].shown;
    }
    return key;
}

static void test_help_lists_every_key_that_does_something(void **state) {
    Stand *stand = *state;
    size_t bound = 0;
    press(stand, "?");
    look(stand);
    for (int code = 0; code < SDL_NUM_SCANCODES; code++) {
        const char *key = SDL_GetScancodeName((SDL_Scancode)code);
        bool for_writing = strcmp(key, "Backspace") == 0 || strcmp(key, "Delete") == 0;
        if (!action_key_exists(key) || for_writing)
            continue;
        bound++;
        if (!shows(stand, shown_as(key)))
            fail_msg("the help doesn't show the key %s", key);
    }
    for (char letter = ' '; letter < 127; letter++) {
        char key[2] = {letter, 0};
        if (!action_key_exists(key) || (letter >= 'a' && letter <= 'z'))
            continue;
        bound++;
        if (!shows(stand, shown_as(key)))
            fail_msg("the help doesn't show the key %s", key);
    }
    assert_true(bound >= 17);
}

static void test_help_explains_every_key_in_every_language(void **state) {
    Stand *stand = *state;
    press(stand, "?");
    for (size_t turn = 0; turn < stand->course.languages.count; turn++) {
        const Language *language = stand->session->language;
        size_t count = 0;
        look(stand);
        for (size_t i = 0; i < language->count; i++) {
            if (strncmp(language->words[i].key, "key.", 4) != 0)
                continue;
            count++;
            if (!says(stand, language->words[i].words))
                fail_msg("the help doesn't say '%s'", language->words[i].words);
        }
        assert_true(count > 10);
        press(stand, "L");
    }
}

static void test_any_other_key_closes_the_help_and_does_nothing_else(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    uint64_t before = look(stand);
    const char *const keys[] = {"Right", "Escape", "?", "F1", "h", "S", "C"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        press(stand, "?");
        assert_int_not_equal(look(stand), before);
        press(stand, keys[i]);
        assert_int_equal(session_take_request(stand->session), SESSION_NOTHING);
        assert_int_equal(look(stand), before);
    }
    press(stand, "?");
    session_pointer_press(stand->session, &stand->scene, 20, HEIGHT / 2);
    assert_int_equal(look(stand), before);
}

static void test_unknown_keys_do_nothing_and_have_a_nearest(void **state) {
    Stand *stand = *state;
    uint64_t before = look(stand);
    assert_false(session_key(stand->session, "F7"));
    assert_int_equal(look(stand), before);
    assert_false(action_key_exists("Rigth"));
    assert_string_equal(action_nearest_key("Rigth"), "Right");
    assert_null(action_nearest_key("nothing like it"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_a_question_mark_opens_the_help_while_practising),
        SESSION_TEST(test_the_hint_for_help_can_be_clicked),
        SESSION_TEST(test_pointing_at_a_cell_changes_the_picture_and_leaving_restores_it),
        SESSION_TEST(test_a_still_pointer_means_nothing_after_a_key),
        SESSION_TEST(test_c_pins_the_cell_under_the_pointer),
        SESSION_TEST(test_a_click_pins_a_cell_until_escape),
        SESSION_TEST(test_a_click_on_the_map_goes_there),
        SESSION_TEST(test_dragging_along_the_timeline_scrubs),
        SESSION_TEST(test_a_wrong_answer_stays_until_another_is_written),
        SESSION_TEST(test_what_answers_an_exercise_lies_on_a_page_held_upright),
        SESSION_TEST(test_keys_ask_their_driver_once),
        SESSION_TEST(test_help_lists_every_key_that_does_something),
        SESSION_TEST(test_help_explains_every_key_in_every_language),
        SESSION_TEST(test_any_other_key_closes_the_help_and_does_nothing_else),
        SESSION_TEST(test_unknown_keys_do_nothing_and_have_a_nearest),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
