/* The pointer in a lesson, and the keys and what the help says of them. */
#include "lesson/content/content.h"
#include "picture/page/page.h"
#include "session/mode.h"
#include "session/state.h"
#include "session_stand.h"

#include <SDL_keyboard.h>

/* ---- the hint for help ---- */

static void test_the_hint_for_help_can_be_clicked(void **state) {
    Stand *stand = *state;
    Box box;
    look(stand);
    assert_true(scene_find(&stand->scene, action_link("help"), &box));
    session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                          box.y + box.h / 2);
    assert_true(mode_on(stand->session, &mode_help));
}

/* ---- the pointer in a lesson ---- */

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

/* The epoch whose strip is nearest to the pointer is shown, beyond the ends the first and
 * the last. */
static void test_dragging_along_a_training_goes_through_its_epochs(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "31-training");
    press(stand, "Right Right Right Right");
    look(stand);
    const Player *player = &session->player;
    size_t self = player->step, strips[200], count = 0;
    Box box;
    for (size_t i = self + 1; i < player->steps[self].next; i = player->steps[i].next) {
        assert_true(count < 200);
        strips[count++] = i;
    }
    assert_true(count > 2);
    assert_true(scene_find(&stand->scene, (Link){LINK_STEP, strips[1], 0, 0}, &box));
    session_pointer_press(session, &stand->scene, box.x + box.w / 2, box.y + box.h / 2);
    assert_int_equal(player->step, strips[1]);
    for (size_t k = 0; k < count; k++) {
        look(stand);
        assert_true(scene_find(&stand->scene, (Link){LINK_STEP, strips[k], 0, 0}, &box));
        session_pointer_move(session, &stand->scene, box.x + box.w / 2, 0);
        assert_int_equal(player->step, strips[k]);
    }
    look(stand);
    session_pointer_move(session, &stand->scene, 0, 0);
    assert_int_equal(player->step, strips[0]);
    look(stand);
    session_pointer_move(session, &stand->scene, WIDTH, 0);
    assert_int_equal(player->step, strips[count - 1]);
    session_pointer_release(session);
    session_pointer_move(session, &stand->scene, 0, 0);
    assert_int_equal(player->step, strips[count - 1]);
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

/* The knob lies on the dot of its step, which leads to the step; it is dragged, too. */
static void test_the_timelines_knob_is_dragged(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "Right Right Right");
    look(stand);
    Box bar;
    assert_true(scene_find(&stand->scene, (Link){LINK_TIMELINE, 0, 0, 0}, &bar));
    double last = (double)stand->session->lesson->step_count - 1;
    Point knob = {bar.x + bar.w * (double)statement(stand) / last, bar.y + bar.h / 2};
    assert_int_equal(scene_hit(&stand->scene, knob.x, knob.y).kind, LINK_STEP);
    session_pointer_press(stand->session, &stand->scene, knob.x, knob.y);
    look(stand);
    session_pointer_move(stand->session, &stand->scene, bar.x + bar.w + 500, 0);
    assert_int_equal(statement(stand), stand->session->lesson->step_count - 1);
    assert_true(session_pointer_release(stand->session));
    session_pointer_move(stand->session, &stand->scene, bar.x, 0);
    assert_int_equal(statement(stand), stand->session->lesson->step_count - 1);
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
    const char *const keys[] = {"Right", "Escape", "?", "F1", "h", "M", "C"};
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
    char nearest[SESSION_KEY_SIZE];
    assert_true(action_nearest_key("Rigth", nearest));
    assert_string_equal(nearest, "Right");
    assert_false(action_nearest_key("nothing like it", nearest));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_the_hint_for_help_can_be_clicked),
        SESSION_TEST(test_a_click_on_the_map_goes_there),
        SESSION_TEST(test_dragging_along_the_timeline_scrubs),
        SESSION_TEST(test_dragging_along_a_training_goes_through_its_epochs),
        SESSION_TEST(test_the_timelines_knob_is_dragged),
        SESSION_TEST(test_a_wrong_answer_stays_until_another_is_written),
        SESSION_TEST(test_what_answers_an_exercise_lies_on_a_page_held_upright),
        SESSION_TEST(test_help_lists_every_key_that_does_something),
        SESSION_TEST(test_help_explains_every_key_in_every_language),
        SESSION_TEST(test_any_other_key_closes_the_help_and_does_nothing_else),
        SESSION_TEST(test_unknown_keys_do_nothing_and_have_a_nearest),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
