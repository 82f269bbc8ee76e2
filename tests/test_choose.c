#include "close.h"

#include "model/say/choose.h"
#include "tensor/kernels.h"

#include <string.h>

enum { WORDS = 7 };

static const double logits[WORDS] = {0.3, 2.1, -1.2, 2.1, 0.9, -3, 1.4};

/* A row of logits and what the rules make of it. */
typedef struct Choice {
    ChooseWord words[WORDS];
    size_t order[WORDS];
} Choice;

static Choice choose(const double *row, size_t count, ChooseOptions options) {
    Choice choice;
    Error error = {0};
    assert_true(choose_check(&options, &error));
    if (!choose_words(choice.words, choice.order, row, count, &options, &error)) {
        print_error("%s\n", error.message);
        fail();
    }
    return choice;
}

static ChooseOptions sampling(double temperature, size_t top_k, double top_p) {
    return (ChooseOptions){CHOOSE_SAMPLE, temperature, top_k, top_p};
}

/* The kept words as bits. */
static unsigned kept(const Choice *choice, size_t count) {
    unsigned set = 0;
    for (size_t i = 0; i < count; i++)
        set |= choice->words[i].fate == CHOOSE_KEPT ? 1u << i : 0;
    return set;
}

static void assert_chances_are_those_of(const Choice *choice, size_t count) {
    double total = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        total += choice->words[i].fate == CHOOSE_KEPT ? choice->words[i].share : 0;
    for (size_t i = 0; i < count; i++) {
        const ChooseWord *word = &choice->words[i];
        double expected = word->fate == CHOOSE_KEPT ? word->share / total : 0;
        assert_close(&word->chance, &expected, 1, 1e-15);
        sum += word->chance;
    }
    const double one = 1;
    assert_close(&sum, &one, 1, 1e-14);
}

/* ---- the rules, against trying all sets ---- */

static void test_without_rules_the_chances_are_the_softmax(void **state) {
    (void)state;
    double expected[WORDS];
    kernel_softmax(expected, logits, 1, WORDS);
    Choice choice = choose(logits, WORDS, sampling(1, 0, 1));
    for (size_t i = 0; i < WORDS; i++) {
        assert_close(&choice.words[i].share, &expected[i], 1, 0);
        assert_close(&choice.words[i].logit, &logits[i], 1, 0);
    }
    assert_int_equal(kept(&choice, WORDS), (1u << WORDS) - 1);
    assert_chances_are_those_of(&choice, WORDS);
}

static void test_temperature_divides_the_logits(void **state) {
    (void)state;
    double divided[WORDS], expected[WORDS];
    for (size_t i = 0; i < WORDS; i++)
        divided[i] = logits[i] / 0.7;
    kernel_softmax(expected, divided, 1, WORDS);
    Choice choice = choose(logits, WORDS, sampling(0.7, 0, 1));
    for (size_t i = 0; i < WORDS; i++)
        assert_close(&choice.words[i].share, &expected[i], 1, 1e-15);
}

static void
test_the_order_falls_and_the_smaller_number_of_equals_comes_first(void **state) {
    (void)state;
    static const size_t expected[WORDS] = {1, 3, 6, 4, 0, 2, 5};
    Choice choice = choose(logits, WORDS, sampling(1, 0, 1));
    assert_memory_equal(choice.order, expected, sizeof expected);
    static const double equal[WORDS] = {0, 0, 0, 0, 0, 0, 0};
    choice = choose(equal, WORDS, sampling(1, 0, 1));
    for (size_t i = 0; i < WORDS; i++)
        assert_int_equal(choice.order[i], i);
}

static void test_any_row_is_sorted(void **state) {
    (void)state;
    Random random;
    random_init(&random, 5);
    for (size_t round = 0; round < 500; round++) {
        double row[WORDS];
        size_t count = 1 + random_below(&random, WORDS);
        for (size_t i = 0; i < count; i++)
            row[i] = (double)random_below(&random, 4);
        Choice choice = choose(row, count, sampling(1, 0, 1));
        for (size_t i = 1; i < count; i++) {
            size_t a = choice.order[i - 1], b = choice.order[i];
            assert_true(row[a] > row[b] || (row[a] == row[b] && a < b));
        }
    }
}

static double share_of(const double *shares, unsigned set) {
    double sum = 0;
    for (size_t i = 0; i < WORDS; i++)
        sum += set >> i & 1 ? shares[i] : 0;
    return sum;
}

static size_t size_of(unsigned set) {
    size_t size = 0;
    for (; set; set &= set - 1)
        size++;
    return size;
}

/* Of all sets of `size` words among `allowed` the one with the largest share. */
static unsigned largest_set(const double *shares, unsigned allowed, size_t size) {
    unsigned best = 0;
    for (unsigned set = 1; set < 1u << WORDS; set++) {
        if ((set & ~allowed) == 0 && size_of(set) == size &&
            (!best || share_of(shares, set) > share_of(shares, best)))
            best = set;
    }
    return best;
}

/* The smallest set among `allowed` that has p of its share; of those, the largest. */
static unsigned nucleus(const double *shares, unsigned allowed, double p) {
    for (size_t size = 1;; size++) {
        unsigned set = largest_set(shares, allowed, size);
        if (share_of(shares, set) >= p * share_of(shares, allowed))
            return set;
    }
}

static void test_top_k_and_top_p_keep_what_trying_all_sets_finds(void **state) {
    (void)state;
    Random random;
    random_init(&random, 11);
    for (size_t round = 0; round < 300; round++) {
        double row[WORDS], scaled[WORDS], shares[WORDS];
        double temperature = 0.3 + 2 * random_uniform(&random);
        double p = 0.02 + 0.97 * random_uniform(&random);
        size_t k = 1 + random_below(&random, WORDS);
        for (size_t i = 0; i < WORDS; i++) {
            row[i] = 2 * random_normal(&random);
            scaled[i] = row[i] / temperature;
        }
        kernel_softmax(shares, scaled, 1, WORDS);
        const unsigned all = (1u << WORDS) - 1;
        unsigned top = largest_set(shares, all, k);
        Choice choice = choose(row, WORDS, sampling(temperature, k, 1));
        assert_int_equal(kept(&choice, WORDS), top);
        assert_chances_are_those_of(&choice, WORDS);
        choice = choose(row, WORDS, sampling(temperature, 0, p));
        assert_int_equal(kept(&choice, WORDS), nucleus(shares, all, p));
        choice = choose(row, WORDS, sampling(temperature, k, p));
        assert_int_equal(kept(&choice, WORDS), nucleus(shares, top, p));
        assert_chances_are_those_of(&choice, WORDS);
        for (size_t i = 0; i < WORDS; i++) {
            if (!(top >> i & 1))
                assert_int_equal(choice.words[i].fate, CHOOSE_PAST_TOP_K);
            else if (choice.words[i].fate != CHOOSE_KEPT)
                assert_int_equal(choice.words[i].fate, CHOOSE_PAST_TOP_P);
        }
        choice = choose(row, WORDS, (ChooseOptions){CHOOSE_GREEDY, temperature, k, p});
        assert_int_equal(kept(&choice, WORDS), largest_set(shares, all, 1));
        assert_int_equal(choose_draw(choice.words, choice.order, WORDS, NULL),
                         kernel_argmax(row, WORDS));
    }
}

/* ---- edges ---- */

static void test_greedy_takes_the_first_of_equals_and_draws_nothing(void **state) {
    (void)state;
    Choice choice = choose(logits, WORDS, (ChooseOptions){CHOOSE_GREEDY, 1, 3, 0.5});
    assert_int_equal(kept(&choice, WORDS), 1u << 1);
    assert_int_equal(choice.words[3].fate, CHOOSE_NOT_LARGEST);
    assert_int_equal(choose_draw(choice.words, choice.order, WORDS, NULL), 1);
    assert_true(choice.words[1].chance == 1 && choice.words[1].share < 1);
}

static void test_top_k_of_equals_keeps_the_smaller_number(void **state) {
    (void)state;
    Choice choice = choose(logits, WORDS, sampling(1, 1, 1));
    assert_int_equal(kept(&choice, WORDS), 1u << 1);
}

static void test_a_top_k_past_the_vocabulary_keeps_all(void **state) {
    (void)state;
    Choice choice = choose(logits, WORDS, sampling(1, WORDS + 1, 1));
    assert_int_equal(kept(&choice, WORDS), (1u << WORDS) - 1);
    choice = choose(logits, WORDS, sampling(1, SIZE_MAX, 1));
    assert_int_equal(kept(&choice, WORDS), (1u << WORDS) - 1);
}

static void test_a_tiny_top_p_keeps_one(void **state) {
    (void)state;
    Choice choice = choose(logits, WORDS, sampling(1, 0, 5e-324));
    assert_int_equal(kept(&choice, WORDS), 1u << 1);
    assert_true(choice.words[1].chance == 1);
}

static void test_a_top_p_that_is_reached_exactly_stops_there(void **state) {
    (void)state;
    static const double equal[4] = {0, 0, 0, 0};
    Choice choice = choose(equal, 4, sampling(1, 0, 0.5));
    assert_int_equal(kept(&choice, 4), 3);
}

static void test_extreme_temperatures_stay_numbers(void **state) {
    (void)state;
    Choice choice = choose(logits, WORDS, sampling(5e-324, 0, 1));
    for (size_t i = 0; i < WORDS; i++) {
        const double expected = i == 1 || i == 3 ? 0.5 : 0;
        assert_close(&choice.words[i].chance, &expected, 1, 0);
    }
    choice = choose(logits, WORDS, sampling(1.7e308, 0, 1));
    for (size_t i = 0; i < WORDS; i++) {
        const double expected = 1.0 / WORDS;
        assert_close(&choice.words[i].chance, &expected, 1, 1e-15);
    }
    static const double wide[3] = {-1.7e308, 1.7e308, 0};
    choice = choose(wide, 3, sampling(1, 0, 1));
    assert_true(choice.words[1].chance == 1 && choice.words[0].chance == 0);
}

static void test_a_word_that_is_impossible_is_never_kept(void **state) {
    (void)state;
    static const double row[3] = {-INFINITY, 1, -INFINITY};
    Choice choice = choose(row, 3, sampling(1, 3, 1));
    assert_int_equal(kept(&choice, 3), 2);
    assert_int_equal(choice.words[0].fate, CHOOSE_IMPOSSIBLE);
    assert_true(choice.words[1].share == 1 && choice.words[0].share == 0);
    choice = choose(row, 3, (ChooseOptions){CHOOSE_GREEDY, 1, 0, 1});
    assert_int_equal(choice.words[2].fate, CHOOSE_IMPOSSIBLE);
    Random random;
    random_init(&random, 1);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(choose_draw(choice.words, choice.order, 3, &random), 1);
}

static void test_a_single_word_is_chosen(void **state) {
    (void)state;
    static const double one[1] = {-700};
    Choice choice = choose(one, 1, sampling(1, 1, 0.1));
    assert_int_equal(choose_draw(choice.words, choice.order, 1, NULL), 0);
    assert_true(choice.words[0].chance == 1);
}

static void test_rows_that_leave_nothing_to_choose_are_refused(void **state) {
    (void)state;
    static const double rows[][2] = {
        {-INFINITY, -INFINITY}, {NAN, 1}, {1, NAN}, {INFINITY, 1}};
    ChooseOptions options = sampling(1, 0, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ChooseWord words[2];
        size_t order[2];
        Error error = {0};
        assert_false(choose_words(words, order, rows[i], 2, &options, &error));
        assert_int_equal(error.code, ERROR_VALUE);
        assert_non_null(strstr(error.message, "no word can be chosen"));
    }
}

static void test_options_that_cannot_be_are_refused(void **state) {
    (void)state;
    const ChooseOptions bad[] = {sampling(0, 0, 1),        sampling(-1, 0, 1),
                                 sampling(NAN, 0, 1),      sampling(INFINITY, 0, 1),
                                 sampling(1, 0, 0),        sampling(1, 0, -0.5),
                                 sampling(1, 0, 1.000001), sampling(1, 0, NAN)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Error error = {0};
        assert_false(choose_check(&bad[i], &error));
        assert_int_equal(error.code, ERROR_VALUE);
        assert_non_null(strstr(error.message, "must be above 0"));
    }
}

static void test_each_fate_has_a_name(void **state) {
    (void)state;
    static const char *const names[CHOOSE_FATE_COUNT] = {"kept", "impossible",
                                                         "not_largest", "top_k", "top_p"};
    for (size_t i = 0; i < CHOOSE_FATE_COUNT; i++)
        assert_string_equal(choose_fate_name((ChooseFate)i), names[i]);
}

/* ---- drawing ---- */

enum { DRAWS = 20000 };

/* Pearson's statistic of DRAWS draws; *freedom is one less than the words kept. */
static double chi_square(const Choice *choice, uint64_t seed, size_t *freedom) {
    size_t counts[WORDS] = {0};
    double sum = 0;
    Random random;
    random_init(&random, seed);
    for (size_t i = 0; i < DRAWS; i++)
        counts[choose_draw(choice->words, choice->order, WORDS, &random)]++;
    *freedom = (size_t)-1;
    for (size_t i = 0; i < WORDS; i++) {
        double expected = DRAWS * choice->words[i].chance;
        if (choice->words[i].fate != CHOOSE_KEPT) {
            assert_int_equal(counts[i], 0);
            continue;
        }
        assert_true(expected > 5); /* or the statistic means nothing */
        sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
        ++*freedom;
    }
    return sum;
}

/* The statistic exceeds these with p = 0.01, for 1 to 6 degrees of freedom. */
static void test_draws_come_as_often_as_their_chances_say(void **state) {
    (void)state;
    static const double limits[] = {0,       6.6349,  9.2103, 11.3449,
                                    13.2767, 15.0863, 16.8119};
    static const uint64_t seeds[] = {1, 2, 3};
    const ChooseOptions options[] = {sampling(1, 0, 1), sampling(2, 0, 1),
                                     sampling(1, 4, 1), sampling(1.5, 0, 0.8),
                                     sampling(0.8, 5, 0.9)};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        Choice choice = choose(logits, WORDS, options[i]);
        for (size_t j = 0; j < 3; j++) {
            size_t freedom;
            double statistic = chi_square(&choice, seeds[j], &freedom);
            if (!(statistic < limits[freedom]))
                print_error("options %zu, seed %zu: %g with %zu degrees\n", i, j,
                            statistic, freedom);
            assert_in_range(freedom, 1, 6);
            assert_true(statistic < limits[freedom]);
        }
    }
}

/* The same statistic tells wrong chances apart. */
static void test_the_test_of_draws_can_fail(void **state) {
    (void)state;
    Choice choice = choose(logits, WORDS, sampling(1, 0, 1)), wrong = choice;
    size_t counts_of = choice.order[0], other = choice.order[2], freedom;
    wrong.words[counts_of].chance += 0.03;
    wrong.words[other].chance -= 0.03;
    size_t counts[WORDS] = {0};
    Random random;
    random_init(&random, 1);
    for (size_t i = 0; i < DRAWS; i++)
        counts[choose_draw(wrong.words, wrong.order, WORDS, &random)]++;
    double sum = 0;
    for (size_t i = 0; i < WORDS; i++) {
        double expected = DRAWS * choice.words[i].chance;
        sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    }
    assert_true(sum > 16.8119);
    assert_true(chi_square(&choice, 1, &freedom) < 16.8119);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_rules_the_chances_are_the_softmax),
        cmocka_unit_test(test_temperature_divides_the_logits),
        cmocka_unit_test(
            test_the_order_falls_and_the_smaller_number_of_equals_comes_first),
        cmocka_unit_test(test_any_row_is_sorted),
        cmocka_unit_test(test_top_k_and_top_p_keep_what_trying_all_sets_finds),
        cmocka_unit_test(test_greedy_takes_the_first_of_equals_and_draws_nothing),
        cmocka_unit_test(test_top_k_of_equals_keeps_the_smaller_number),
        cmocka_unit_test(test_a_top_k_past_the_vocabulary_keeps_all),
        cmocka_unit_test(test_a_tiny_top_p_keeps_one),
        cmocka_unit_test(test_a_top_p_that_is_reached_exactly_stops_there),
        cmocka_unit_test(test_extreme_temperatures_stay_numbers),
        cmocka_unit_test(test_a_word_that_is_impossible_is_never_kept),
        cmocka_unit_test(test_a_single_word_is_chosen),
        cmocka_unit_test(test_rows_that_leave_nothing_to_choose_are_refused),
        cmocka_unit_test(test_options_that_cannot_be_are_refused),
        cmocka_unit_test(test_each_fate_has_a_name),
        cmocka_unit_test(test_draws_come_as_often_as_their_chances_say),
        cmocka_unit_test(test_the_test_of_draws_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
