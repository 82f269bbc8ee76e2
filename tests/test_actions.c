/* The table of actions: that every row is whole, that what it says of itself is so, and
 * that whatever is done in whatever order nothing outlives what it is about. */
#include "contains.h"
#include "modes/modes.h"
#include "session_stand.h"

#include "lesson/content/content.h"
#include "session/mode.h"

#include "base/random.h"

#include <string.h>

enum { KEYS_MAX = 256 };

/* ---- the rows ---- */

static bool has_words(const Stand *stand, const char *key) {
    return language_has(stand->course.language, key);
}

static void test_every_action_has_a_name_of_its_own_and_words(void **state) {
    Stand *stand = *state;
    assert_true(action_count() > 50);
    for (size_t i = 0; i < action_count(); i++) {
        const Action *action = action_at(i);
        char key[64];
        assert_int_equal(action_number(action->name), i);
        snprintf(key, sizeof key, "action.%s", action->name);
        if (!has_words(stand, key))
            fail_msg("there are no words '%s'", key);
        snprintf(key, sizeof key, "key.%s", action->name);
        if (has_words(stand, key) != (action->shown != NULL))
            fail_msg("the help has a line for '%s', or it has words", key);
        assert_true(action->act || action->act_by || action->request || action->toggles ||
                    action_mode(i));
    }
    assert_int_equal(action_number("no_such_action"), action_count());
}

static void test_a_key_is_shown_without_memory_too(void **state) {
    (void)state;
    Arena *none = arena_create(0);
    for (size_t i = 0; i < action_count(); i++)
        assert_non_null(action_shown_key(action_at(i), none));
    arena_destroy(none);
}

static void test_words_are_of_actions_that_there_are(void **state) {
    Stand *stand = *state;
    const Language *language = stand->course.language;
    for (size_t i = 0; i < language->count; i++) {
        const char *key = language->words[i].key;
        if (strncmp(key, "action.", 7) == 0 && strncmp(key, "action.why.", 11) != 0 &&
            action_number(key + 7) == action_count())
            fail_msg("there is no action for the words '%s'", key);
    }
}

static void test_every_mode_of_the_table_says_where_it_is_missing(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < action_count(); i++) {
        const Mode *mode = action_mode(i);
        if (mode && (!mode->missing || !has_words(stand, mode->missing)))
            fail_msg("the mode %s doesn't say that it is missing", mode->name);
    }
}

static void test_a_key_stands_for_one_action_of_a_mode(void **state) {
    for (size_t i = 0; i < action_count(); i++) {
        const Action *action = action_at(i);
        char key[SESSION_KEY_SIZE];
        for (const char *keys = action->keys; action_next_key(&keys, key);) {
            if (action_of_key(action_mode(i), key) != i)
                fail_msg("%s is not the only action of %s", action->name, key);
            assert_string_equal(action_plain_key(key), key);
        }
    }
}

static void test_keyboards_names_are_names_here(void **state) {
    assert_true(action_key_exists("enter"));
    assert_true(action_key_exists("Keypad Enter"));
    assert_true(action_key_exists("Esc"));
    assert_false(action_key_exists("Entr"));
    char nearest[SESSION_KEY_SIZE];
    assert_true(action_nearest_key("Rigth", nearest));
    assert_string_equal(nearest, "Right");
}

/* ---- doing without keys ---- */

static void do_action(Stand *stand, const char *name) {
    size_t number = action_number(name);
    assert_true(number < action_count());
    action_do(stand->session, number);
}

static const char *why(const Stand *stand, const char *name) {
    return action_why_not(stand->session, action_number(name));
}

static void test_actions_are_done_by_name(void **state) {
    Stand *stand = *state;
    do_action(stand, "begin");
    assert_true(mode_on(stand->session, &mode_lesson));
    do_action(stand, "next_step");
    assert_int_equal(player_statement(&stand->session->player), 1);
    do_action(stand, "home");
    assert_true(mode_on(stand->session, &mode_home));
}

static void test_an_action_says_why_it_can_not_be_done(void **state) {
    Stand *stand = *state;
    assert_contains(why(stand, "mute_step"), "in a lesson");
    open_lesson(stand, "08-one-head");
    assert_contains(why(stand, "home_down"), "at home");
    assert_contains(why(stand, "undo"), "nothing to undo");
    assert_contains(why(stand, "switch_model"), "no model");
    assert_contains(why(stand, "unpin"), "C pins");
    assert_null(why(stand, "practise_lesson"));
    assert_null(why(stand, "change_cell"));
    do_action(stand, "change_cell");
    assert_contains(why(stand, "next_step"), "Escape");
    assert_null(why(stand, "leave_field"));
    assert_null(why(stand, "full_screen"));
    do_action(stand, "leave_field");
    assert_null(why(stand, "next_step"));
}

/* A refused action changes nothing and prints the same sentence. */
static void test_what_can_not_be_done_is_not_done(void **state) {
    Stand *stand = *state;
    static const char *const lessons[] = {"01-tokens", "08-one-head",
                                          "30-the-whole-transformer"};
    for (size_t l = 0; l < 3; l++) {
        open_lesson(stand, lessons[l]);
        for (size_t i = 0; i < action_count(); i++) {
            const char *reason = action_why_not(stand->session, i);
            stand->session->message[0] = 0;
            if (!reason)
                continue;
            assert_true(reason[0]);
            Player before = stand->session->player;
            size_t modes = stand->session->mode_count;
            bool quiet = action_at(i)->traits & ACTION_QUIET;
            assert_int_equal(action_do(stand->session, i), !quiet);
            assert_string_equal(stand->session->message, quiet ? "" : reason);
            assert_memory_equal(&stand->session->player, &before, sizeof before);
            assert_int_equal(stand->session->mode_count, modes);
        }
    }
}

/* An action that returns false has left the picture as it was: the window draws no frame
 * for it. */
static void test_an_action_that_changes_the_picture_returns_true(void **state) {
    static const struct {
        const char *lesson, *actions; /* done before, separated by blanks */
    } places[] = {
        {NULL, ""},
        {NULL, "find"},
        {NULL, "glossary"},
        {"08-one-head", "next_step"},
        {"08-one-head", "pin_cell"},
        {"08-one-head", "present"},
        {"08-one-head", "practise_lesson"},
        {"08-one-head", "mute_step next_step"},
        {"29-eleven-steps", "last_step pin_cell nudge_up"},
        {"29-eleven-steps", "influence"},
        {"29-eleven-steps", "switch_model"},
        {"29-eleven-steps", "own_text"},
        {"29-eleven-steps", "more"},
    };
    Stand *stand = *state;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (size_t i = 0; i < action_count(); i++) {
            end_session(state);
            assert_int_equal(begin_session(state), 0);
            if (places[p].lesson)
                open_lesson(stand, places[p].lesson);
            char name[64];
            int length;
            for (const char *at = places[p].actions;
                 sscanf(at, "%63s%n", name, &length) == 1; at += length)
                do_action(stand, name);
            if (action_why_not(stand->session, i))
                continue;
            uint64_t before = look(stand);
            bool changed = action_do(stand->session, i);
            if (!changed && look(stand) != before)
                fail_msg("%s changes the picture of %s after '%s' and returns false",
                         action_at(i)->name, places[p].lesson ? places[p].lesson : "home",
                         places[p].actions);
        }
    }
}

/* ---- modes ---- */

static void test_leaving_a_lesson_ends_its_modes(void **state) {
    Stand *stand = *state;
    static const char *const leave[] = {"home", "next_lesson", "previous_lesson"};
    for (size_t i = 0; i < 3; i++) {
        open_lesson(stand, "30-the-whole-transformer");
        do_action(stand, "last_step");
        do_action(stand, "follow_back");
        do_action(stand, "influence");
        do_action(stand, "pin_cell");
        do_action(stand, "switch_model");
        assert_true(stand->session->mode_count >= 5);
        do_action(stand, leave[i]);
        assert_int_equal(stand->session->mode_count, 1);
        assert_null(influence_state(stand->session)->arena);
        look(stand);
    }
}

/* ---- what a click opens, a click closes ---- */

/* Clicks what was drawn last with a link, if it is there and nothing lies over it. */
static void click_last(Stand *stand, Link link) {
    look(stand);
    for (size_t i = stand->scene.count; i > 0; i--) {
        const SceneItem *item = &stand->scene.items[i - 1];
        double x = item->box.x + item->box.w / 2, y = item->box.y + item->box.h / 2;
        if (!link_equal(item->link, link) ||
            !link_equal(scene_hit(&stand->scene, x, y), link))
            continue;
        session_pointer_press(stand->session, &stand->scene, x, y);
        session_pointer_release(stand->session);
        return;
    }
}

/* The button that does what Escape does there, or, of what has none, the one that opened
 * it; a menu goes by a click beside it. */
static bool click_away(Stand *stand, const Mode *mode, size_t opened_by) {
    for (size_t i = 0; i < action_count() && mode_on(stand->session, mode); i++) {
        if (i == action_of_key(mode, "Escape") ||
            (i == opened_by && action_mode(i) != mode))
            click_last(stand, (Link){LINK_COMMAND, i, 0, 0});
    }
    if ((mode == &mode_menu || mode == &mode_setting) && mode_on(stand->session, mode))
        session_pointer_press(stand->session, &stand->scene, 2, HEIGHT - 2);
    return !mode_on(stand->session, mode);
}

static void test_whatever_is_opened_can_be_closed_by_the_pointer(void **state) {
    static const char *const lessons[] = {"30-the-whole-transformer", "08-one-head",
                                          "29-eleven-steps", ""};
    Stand *stand = *state;
    size_t opened = 0;
    for (size_t l = 0; l < 4; l++) {
        for (size_t i = 0; i < action_count(); i++) {
            if (lessons[l][0])
                open_lesson(stand, lessons[l]);
            else
                do_action(stand, "home");
            look(stand);
            const Mode *bottom = stand->session->modes[0];
            size_t before = stand->session->mode_count;
            if (action_why_not(stand->session, i) || !action_do(stand->session, i))
                continue;
            session_take_request(stand->session);
            size_t count = stand->session->mode_count;
            const Mode *top = stand->session->modes[count - 1];
            if (stand->session->modes[0] != bottom || count <= before ||
                top == &mode_present) /* what the class sees has no buttons */
                continue;
            opened++;
            if (!click_away(stand, top, i))
                fail_msg("what %s opens (%s) can't be closed by a click",
                         action_at(i)->name, top->name);
        }
    }
    assert_true(opened > 30);
}

/* ---- any keys, in any order ---- */

static size_t all_keys(char keys[][SESSION_KEY_SIZE]) {
    static const char *const more[] = {"Delete", "Ctrl+A", "Enter", "F7", "Wait"};
    size_t count = 0;
    for (size_t i = 0; i < action_count(); i++) {
        const char *rest = action_at(i)->keys;
        while (action_next_key(&rest, keys[count]))
            count++;
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        snprintf(keys[count++], SESSION_KEY_SIZE, "%s", more[i]);
    assert_true(count <= KEYS_MAX);
    return count;
}

static void assert_sound(const Stand *stand) {
    const Session *session = stand->session;
    const Mode *bottom = session->modes[0];
    assert_true(session->mode_count >= 1 && session->mode_count <= MODES_MAX);
    assert_true(bottom == &mode_lesson || bottom == &mode_home);
    if (bottom == &mode_home)
        assert_false(mode_on(session, &mode_pin) || mode_on(session, &mode_practise));
    if (mode_on(session, &mode_switches))
        assert_non_null(session->lesson->model);
    if (bottom == &mode_lesson)
        assert_true(session->lesson == session->entry->lesson ||
                    session->lesson == session->entry->own);
}

static void do_something(Stand *stand, Random *random, char (*keys)[SESSION_KEY_SIZE],
                         size_t key_count) {
    static const char *const texts[] = {"0.5", "you win", "1/3", "zebra", "é", "-inf"};
    Session *session = stand->session;
    double x = random_uniform(random) * WIDTH, y = random_uniform(random) * HEIGHT;
    switch (random_below(random, 20)) {
    case 0:
        session_pointer_press(session, &stand->scene, x, y);
        break;
    case 1:
        session_pointer_release(session);
        session_pointer_move(session, &stand->scene, x, y);
        break;
    case 2:
        session_pointer_double(session, &stand->scene, x, y);
        break;
    case 3:
        session_pointer_wheel(session, &stand->scene, x, y, y > x ? 1 : -1);
        break;
    case 4:
        session_type(session, texts[random_below(random, 6)]);
        break;
    case 5:
        action_do(session, random_below(random, action_count()));
        break;
    case 6:
        session_tick(session, 700);
        break;
    default:
        session_key(session, keys[random_below(random, key_count)]);
        break;
    }
    session_take_request(session);
}

/* Lessons next to one another differ in all that modes are about: some have a model, a
 * text, a training, and some have not. */
static void test_any_keys_in_any_order_do_no_harm(void **state) {
    enum { ROUNDS = 12, PRESSES = 300 };
    static const char *const lessons[] = {"30-the-whole-transformer",
                                          "27-one-word-at-a-time", "08-one-head",
                                          "29-eleven-steps"};
    Stand *stand = *state;
    char keys[KEYS_MAX][SESSION_KEY_SIZE];
    size_t key_count = all_keys(keys);
    Random random;
    random_init(&random, 20260722);
    for (size_t round = 0; round < ROUNDS; round++) {
        open_lesson(stand, lessons[round % 4]);
        session_animate(stand->session, round % 2);
        look(stand);
        for (size_t i = 0; i < PRESSES; i++) {
            do_something(stand, &random, keys, key_count);
            assert_sound(stand);
            if (i % 7 == 0)
                look(stand);
        }
        while (stand->session->mode_count > 1)
            mode_leave(stand->session,
                       stand->session->modes[stand->session->mode_count - 1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_every_action_has_a_name_of_its_own_and_words),
        SESSION_TEST(test_a_key_is_shown_without_memory_too),
        SESSION_TEST(test_words_are_of_actions_that_there_are),
        SESSION_TEST(test_every_mode_of_the_table_says_where_it_is_missing),
        SESSION_TEST(test_a_key_stands_for_one_action_of_a_mode),
        SESSION_TEST(test_keyboards_names_are_names_here),
        SESSION_TEST(test_actions_are_done_by_name),
        SESSION_TEST(test_an_action_says_why_it_can_not_be_done),
        SESSION_TEST(test_what_can_not_be_done_is_not_done),
        SESSION_TEST(test_an_action_that_changes_the_picture_returns_true),
        SESSION_TEST(test_leaving_a_lesson_ends_its_modes),
        SESSION_TEST(test_whatever_is_opened_can_be_closed_by_the_pointer),
        SESSION_TEST(test_any_keys_in_any_order_do_no_harm),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
