/* Reading aloud: each mode of a session says what it shows. */
#include "actions/actions.h"
#include "contains.h"
#include "modes/modes.h"
#include "session_stand.h"

/* ---- no mode is silent ---- */

/* A mode, and the lesson and the keys that lead to it from its last step but `back`. */
typedef struct Way {
    const Mode *mode;
    const char *lesson, *keys;
    const char *heard; /* a text that is read while the mode is on, and not before */
} Way;

static const Way ways[] = {
    {&mode_home, "08-one-head", "O", "One attention head"},
    {&mode_pin, "08-one-head", "C", "Pinned"},
    {&mode_trace, "08-one-head", "C Backspace", "Following back"},
    {&mode_influence, "08-one-head", "C I", "Influence"},
    {&mode_switches, "30-the-whole-transformer", "X", "temperature"},
    {&mode_practise, "08-one-head", "P", "Exercise 1 of 10."},
    {&mode_question, "08-one-head", "N", "Choice 2: It becomes smaller"},
    {&mode_prompt, "08-one-head", "C Return", "Enter: set it"},
    {&mode_help, "08-one-head", "?", "F5"},
    {&mode_glossary, "08-one-head", "G", "Used in"},
    {&mode_present, "08-one-head", "F5", "Step 1 of 13"},
    {&mode_lens, "08-one-head", "Z", "Lens"},
    {&mode_finder, "08-one-head", "Ctrl+K", "Next step"},
    {&mode_menu, "08-one-head", "Shift+F10", "Open this step"},
    {&mode_differences, "08-one-head", "C ] D", "Differences"},
};

static const char *heard(Stand *stand) {
    TextMetrics metrics = fixed_metrics();
    look(stand);
    const char *said = session_read(stand->session, &metrics, stand->arena);
    assert_non_null(said);
    return said;
}

static void is_heard(Stand *stand, const Mode *mode, const char *words) {
    if (!mode_on(stand->session, mode))
        fail_msg("the mode %s is not on", mode->name);
    const char *said = heard(stand);
    if (!strstr(said, words))
        fail_msg("the mode %s says no '%s' but: %s", mode->name, words, said);
}

static void test_no_mode_is_silent(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        session_destroy(stand->session);
        begin_session(state);
        open_lesson(stand, ways[i].lesson);
        if (strcmp(ways[i].lesson, "08-one-head") == 0)
            go_to(stand, "A");
        assert_lacks(heard(stand), ways[i].heard);
        press(stand, ways[i].keys);
        is_heard(stand, ways[i].mode, ways[i].heard);
    }
}

/* Those that no key of a lesson leads to. */
static void test_tour_opening_and_a_list_are_heard(void **state) {
    Stand *stand = *state;
    assert_true(action_do(stand->session, action_number("tour")));
    const char *first = heard(stand);
    assert_true(mode_on(stand->session, &mode_tour));
    assert_true(strlen(first) > 20);
    mode_enter(stand->session, &mode_opening);
    stand->session->opening.told = true;
    is_heard(stand, &mode_opening, "Opening the lesson");
    mode_leave(stand->session, &mode_opening);
    assert_true(action_do(stand->session, action_number("theme")));
    is_heard(stand, &mode_setting, "high contrast");
}

/* ---- exercises ---- */

/* A question is heard together with the numbers that its answer is computed from. */
static void test_an_exercise_is_heard_with_its_numbers(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "P");
    assert_contains(heard(stand), "V: which number is in row “am”, column 1");
    assert_contains(heard(stand), "\nX, row am: 0, 1. W V, column 1: 2, 3.\n");
    session_type(stand->session, "1");
    press(stand, "Return");
    assert_contains(heard(stand), "Not yet.");
}

/* Every exercise of a round, and how it ends, in the page's own words. */
static void test_practice_is_heard_to_its_score(void **state) {
    Stand *stand = *state;
    const Practise *round = &practise_state(stand->session)->round;
    open_lesson(stand, "08-one-head");
    press(stand, "P");
    for (size_t i = 0; i < 10; i++) {
        char number[40];
        snprintf(number, sizeof number, "Exercise %zu of 10.", i + 1);
        is_heard(stand, &mode_practise, number);
        assert_lacks(heard(stand), "7 8 9");
        press(stand, "Shift+Return");
        assert_false(practise_hides(round));
        assert_true(strlen(heard(stand)) > 100);
        press(stand, "Right");
    }
    is_heard(stand, &mode_practise, "How it went");
}

static void test_a_quiz_is_heard_to_its_score(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    press(stand, "O P");
    for (size_t i = 0; i < QUIZ_QUESTIONS; i++) {
        char number[40];
        snprintf(number, sizeof number, "Exercise %zu of %d.", i + 1, QUIZ_QUESTIONS);
        is_heard(stand, &mode_practise, number);
        assert_contains(heard(stand), "Choice 1");
        try_keys(stand, "Shift+Return Right");
    }
    is_heard(stand, &mode_practise, "0 of 10 right");
}

/* ---- formulas ---- */

/* Reports whether a text has letters of the mathematical alphabets, or signs that voices
 * leave out. */
static bool has_glyphs(const char *said) {
    return strstr(said, "\xF0\x9D") || strstr(said, "√") || strstr(said, "×") ||
           strstr(said, "÷") || strstr(said, "ᵀ") || strstr(said, "∞") ||
           strstr(said, "∑") || strstr(said, "≈");
}

/* On every step of the course, in both languages and at each depth but code. */
static void test_no_glyphs_are_read(void **state) {
    Stand *stand = *state;
    size_t steps = 0;
    for (size_t lesson = 0; lesson < stand->course.count; lesson++) {
        open_number(stand, lesson);
        size_t count = stand->session->player.lesson->step_count;
        for (size_t step = 0; step < count; step++, try_keys(stand, "Right")) {
            for (size_t i = 0; i < 2; i++) {
                const char *said = heard(stand);
                if (has_glyphs(said))
                    fail_msg("lesson %s, step %zu: %s", stand->session->lesson->id,
                             statement(stand) + 1, said);
                press(stand, "L");
                steps++;
            }
            if (steps % 7 == 0)
                press(stand, "Tab");
            if (stand->session->words == WORDS_CODE)
                press(stand, "Tab");
        }
    }
    assert_true(steps > 800);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_no_mode_is_silent),
        SESSION_TEST(test_tour_opening_and_a_list_are_heard),
        SESSION_TEST(test_an_exercise_is_heard_with_its_numbers),
        SESSION_TEST(test_practice_is_heard_to_its_score),
        SESSION_TEST(test_a_quiz_is_heard_to_its_score),
        SESSION_TEST(test_no_glyphs_are_read),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}
