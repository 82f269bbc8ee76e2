#include "base/strings/fuzzy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_better(const char *pattern, const char *better, const char *worse) {
    int high = fuzzy_score(pattern, better), low = fuzzy_score(pattern, worse);
    if (high <= low)
        fail_msg("“%s”: %d for “%s”, %d for “%s”", pattern, high, better, low, worse);
}

static void test_nothing_matches_everything_alike(void **state) {
    assert_int_equal(fuzzy_score("", "Mute this step"), 0);
    assert_int_equal(fuzzy_score("  ", ""), 0);
}

static void test_letters_in_order_are_those_of_one_word(void **state) {
    assert_true(fuzzy_score("sftmx", "the softmax") > 0);
    assert_int_equal(fuzzy_score("dark", "What does each word know?"), FUZZY_NONE);
    assert_int_equal(fuzzy_score("mts", "Mute this step"), FUZZY_NONE);
    assert_int_equal(fuzzy_score("stm", "Mute this"), FUZZY_NONE);
    assert_int_equal(fuzzy_score("q", "Mute"), FUZZY_NONE);
    assert_int_equal(fuzzy_score("mutes", "Mute"), FUZZY_NONE);
}

static void test_the_case_of_letters_does_not_matter(void **state) {
    assert_int_equal(fuzzy_score("SOFTMAX", "softmax"),
                     fuzzy_score("softmax", "Softmax"));
}

/* From the best to the worst. */
static void test_matches_are_ranked_by_their_kind(void **state) {
    assert_better("reset", "Reset", "Reset everything");
    assert_better("reset", "Reset everything", "How to reset");
    assert_better("mute this", "How to mute this", "This is mute");
    assert_better("step mute", "Mute this step", "the footstep is muted");
    assert_better("step", "the footsteps", "subtemplate");
    assert_better("sc", "Scores", "Close this cell");
    assert_better("next", "Next step", "Enter the text");
    assert_better("q", "Q", "Quit");
    assert_better("mask", "a mask", "a masked table");
}

static void test_every_word_must_be_there_in_any_order(void **state) {
    assert_true(fuzzy_score("step mute", "Mute this step") > 0);
    assert_int_equal(fuzzy_score("step zebra", "Mute this step"), FUZZY_NONE);
}

static void test_words_of_a_long_text_stand_in_it(void **state) {
    const char *text = "What does softmax do?\nSoftmax again\n注意力\nA = softmax(S)\n";
    assert_true(fuzzy_score_words("Softmax", text) > 0);
    assert_true(fuzzy_score_words("again what", text) > 0);
    assert_true(fuzzy_score_words("意力", text) > 0);
    assert_int_equal(fuzzy_score_words("max", text), FUZZY_NONE);
    assert_int_equal(fuzzy_score_words("smx", text), FUZZY_NONE);
    assert_true(fuzzy_score_words("softmax", text) >
                fuzzy_score_words("softmax", "softmax"));
}

static void test_chinese_matches_as_it_stands(void **state) {
    assert_true(fuzzy_score("注意", "自注意力") > 0);
    assert_int_equal(fuzzy_score("自力", "自注意力"), FUZZY_NONE);
    assert_better("注意", "注意力", "自注意力");
    assert_true(fuzzy_score("Q 注意", "注意力 Q") > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_matches_everything_alike),
        cmocka_unit_test(test_letters_in_order_are_those_of_one_word),
        cmocka_unit_test(test_the_case_of_letters_does_not_matter),
        cmocka_unit_test(test_matches_are_ranked_by_their_kind),
        cmocka_unit_test(test_every_word_must_be_there_in_any_order),
        cmocka_unit_test(test_words_of_a_long_text_stand_in_it),
        cmocka_unit_test(test_chinese_matches_as_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
