/* The rules on one row of logits: what their nodes on the tape hold is compared with
 * plain softmaxes and with trying all sets of words. */
#include "contains.h"
#include "generate_bench.h"

#include "tensor/operations/kernels.h"

enum { WORDS = 7 };

static const double logits[WORDS] = {0.3, 2.1, -1.2, 2.1, 0.9, -3, 1.4};

/* ---- a model whose logits are a given row ---- */

/* All weights are 0 but the logits' biases. */
static bool fill_row(void *context, const TransformerParameter *parameter, double *values,
                     Error *error) {
    (void)error;
    bool is_row = strcmp(parameter->name, "logits.b") == 0;
    for (size_t i = 0; i < parameter->rows * parameter->cols; i++)
        values[i] = is_row ? ((const double *)context)[i] : 0;
    return true;
}

static Bench bench_of_row(const double *row, size_t count) {
    TransformerShape shape = {.kind = TRANSFORMER_DECODER,
                              .d_model = 1,
                              .heads = 1,
                              .d_ff = 1,
                              .decoder_layers = 1,
                              .target_vocabulary = count + 1,
                              .first_output = 1,
                              .epsilon = 1e-5,
                              .biases = true};
    return bench_with(shape, (TransformerWeights){fill_row, (void *)(uintptr_t)row});
}

/* A row of logits and what the rules make of it. */
typedef struct Choice {
    double logits[WORDS], shares[WORDS], chances[WORDS];
    CandidateFate fates[WORDS];
    size_t order[WORDS], chosen;
} Choice;

static Choice choose(const double *row, size_t count, DecodingOptions options) {
    Choice choice;
    Bench bench = bench_of_row(row, count);
    Generated said = say_good(&bench, reading(start_ids, 1), options);
    const DecodingStep *turn = &said.steps[0];
    const size_t bytes = count * sizeof(double);
    size_t *order =
        generate_order(bench.arena, tensor_of(&bench, turn->logits)->values, count);
    memcpy(choice.logits, tensor_of(&bench, turn->logits)->values, bytes);
    memcpy(choice.shares, tensor_of(&bench, turn->all_probabilities)->values, bytes);
    memcpy(choice.chances, tensor_of(&bench, turn->probabilities)->values, bytes);
    memcpy(choice.order, order, count * sizeof *order);
    for (size_t i = 0; i < count; i++)
        choice.fates[i] = candidate_fate(&said, bench.tape, turn->first + i);
    choice.chosen = said.ids[0] - 1;
    bench_finish(&bench);
    return choice;
}

static DecodingOptions sampling(double temperature, size_t top_k, double top_p) {
    DecodingOptions options = options_of(GENERATE_SAMPLE, 1);
    options.temperature = temperature;
    options.top_k = top_k;
    options.top_p = top_p;
    return options;
}

/* Greedy doesn't care for the options of sampling. */
static DecodingOptions greedy(double temperature, size_t top_k, double top_p) {
    DecodingOptions options = sampling(temperature, top_k, top_p);
    options.rule = GENERATE_GREEDY;
    return options;
}

/* The kept words as bits. */
static unsigned kept(const Choice *choice, size_t count) {
    unsigned set = 0;
    for (size_t i = 0; i < count; i++)
        set |= choice->fates[i] == CANDIDATE_KEPT ? 1u << i : 0;
    return set;
}

static void assert_chances_are_those_of(const Choice *choice, size_t count) {
    double total = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        total += choice->fates[i] == CANDIDATE_KEPT ? choice->shares[i] : 0;
    for (size_t i = 0; i < count; i++) {
        double expected =
            choice->fates[i] == CANDIDATE_KEPT ? choice->shares[i] / total : 0;
        assert_close(&choice->chances[i], &expected, 1, 1e-15);
        sum += choice->chances[i];
    }
    const double one = 1;
    assert_close(&sum, &one, 1, 1e-14);
}

/* ---- the rules, against trying all sets ---- */

static void test_without_rules_the_chances_are_the_softmax(void **state) {
    double expected[WORDS];
    kernel_softmax(expected, logits, 1, WORDS);
    Choice choice = choose(logits, WORDS, sampling(1, 0, 1));
    for (size_t i = 0; i < WORDS; i++) {
        assert_close(&choice.shares[i], &expected[i], 1, 0);
        assert_close(&choice.logits[i], &logits[i], 1, 0);
    }
    assert_int_equal(kept(&choice, WORDS), (1u << WORDS) - 1);
    assert_chances_are_those_of(&choice, WORDS);
}

static void test_temperature_divides_the_logits(void **state) {
    double divided[WORDS], expected[WORDS];
    for (size_t i = 0; i < WORDS; i++)
        divided[i] = logits[i] / 0.7;
    kernel_softmax(expected, divided, 1, WORDS);
    Choice choice = choose(logits, WORDS, sampling(0.7, 0, 1));
    for (size_t i = 0; i < WORDS; i++)
        assert_close(&choice.shares[i], &expected[i], 1, 1e-15);
}

static void
test_the_order_falls_and_the_smaller_number_of_equals_comes_first(void **state) {
    static const size_t expected[WORDS] = {1, 3, 6, 4, 0, 2, 5};
    Choice choice = choose(logits, WORDS, sampling(1, 0, 1));
    assert_memory_equal(choice.order, expected, sizeof expected);
    static const double equal[WORDS] = {0, 0, 0, 0, 0, 0, 0};
    choice = choose(equal, WORDS, sampling(1, 0, 1));
    for (size_t i = 0; i < WORDS; i++)
        assert_int_equal(choice.order[i], i);
}

static void test_any_row_is_sorted(void **state) {
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
                assert_int_equal(choice.fates[i], CANDIDATE_PAST_TOP_K);
            else if (choice.fates[i] != CANDIDATE_KEPT)
                assert_int_equal(choice.fates[i], CANDIDATE_PAST_TOP_P);
        }
        choice = choose(row, WORDS, greedy(temperature, k, p));
        assert_int_equal(kept(&choice, WORDS), largest_set(shares, all, 1));
        assert_int_equal(choice.chosen, kernel_argmax(row, WORDS));
    }
}

/* ---- edges ---- */

static void test_greedy_takes_the_first_of_equals_and_draws_nothing(void **state) {
    Choice choice = choose(logits, WORDS, greedy(1, 3, 0.5));
    assert_int_equal(kept(&choice, WORDS), 1u << 1);
    assert_int_equal(choice.fates[3], CANDIDATE_NOT_LARGEST);
    assert_int_equal(choice.chosen, 1);
    assert_true(choice.shares[1] < 1);
}

static void test_top_k_of_equals_keeps_the_smaller_number(void **state) {
    Choice choice = choose(logits, WORDS, sampling(1, 1, 1));
    assert_int_equal(kept(&choice, WORDS), 1u << 1);
}

static void test_a_top_k_past_the_vocabulary_keeps_all(void **state) {
    Choice choice = choose(logits, WORDS, sampling(1, WORDS + 1, 1));
    assert_int_equal(kept(&choice, WORDS), (1u << WORDS) - 1);
    choice = choose(logits, WORDS, sampling(1, SIZE_MAX, 1));
    assert_int_equal(kept(&choice, WORDS), (1u << WORDS) - 1);
}

static void test_a_tiny_top_p_keeps_one(void **state) {
    Choice choice = choose(logits, WORDS, sampling(1, 0, 5e-324));
    assert_int_equal(kept(&choice, WORDS), 1u << 1);
    assert_true(choice.chances[1] == 1);
}

static void test_a_top_p_that_is_reached_exactly_stops_there(void **state) {
    static const double equal[4] = {0, 0, 0, 0};
    Choice choice = choose(equal, 4, sampling(1, 0, 0.5));
    assert_int_equal(kept(&choice, 4), 3);
}

static void test_extreme_temperatures_stay_numbers(void **state) {
    Choice choice = choose(logits, WORDS, sampling(1e-300, 0, 1));
    for (size_t i = 0; i < WORDS; i++) {
        const double expected = i == 1 || i == 3 ? 0.5 : 0;
        assert_close(&choice.chances[i], &expected, 1, 0);
    }
    choice = choose(logits, WORDS, sampling(1.7e308, 0, 1));
    for (size_t i = 0; i < WORDS; i++) {
        const double expected = 1.0 / WORDS;
        assert_close(&choice.chances[i], &expected, 1, 1e-15);
    }
    static const double wide[3] = {-1.7e308, 1.7e308, 0};
    choice = choose(wide, 3, sampling(1, 0, 1));
    assert_true(choice.chances[1] == 1 && choice.chances[0] == 0);
}

static void assert_refused(const double *row, size_t count, DecodingOptions options,
                           const char *words) {
    Bench bench = bench_of_row(row, count);
    GenerateRequest request = request_of(&bench, reading(start_ids, 1), options);
    Generated said;
    Error error = {0};
    assert_false(generate_run(&said, &request, &error));
    assert_int_equal(error.code, ERROR_VALUE);
    assert_contains(error.message, words);
    bench_finish(&bench);
}

static void test_a_temperature_that_leaves_no_numbers_is_refused(void **state) {
    static const double below[2] = {-1, -2};
    assert_refused(logits, WORDS, sampling(5e-324, 0, 1), "take a larger temperature");
    assert_refused(logits, WORDS, sampling(5e-324, 3, 0.5), "take a larger temperature");
    assert_refused(below, 2, sampling(5e-324, 0, 1), "take a larger temperature");
}

static void test_a_word_that_is_impossible_is_never_kept(void **state) {
    static const double row[3] = {-INFINITY, 1, -INFINITY};
    Choice choice = choose(row, 3, sampling(1, 3, 1));
    assert_int_equal(kept(&choice, 3), 2);
    assert_int_equal(choice.fates[0], CANDIDATE_IMPOSSIBLE);
    assert_true(choice.shares[1] == 1 && choice.shares[0] == 0);
    choice = choose(row, 3, greedy(1, 0, 1));
    assert_int_equal(choice.fates[2], CANDIDATE_IMPOSSIBLE);
    Random random;
    random_init(&random, 1);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(generate_draw(choice.order, choice.chances, 3, &random), 1);
}

static void test_a_single_word_is_chosen(void **state) {
    static const double one[1] = {-700};
    Choice choice = choose(one, 1, sampling(1, 1, 0.1));
    assert_int_equal(choice.chosen, 0);
    assert_true(choice.chances[0] == 1);
}

static void test_rows_that_leave_nothing_to_choose_are_refused(void **state) {
    static const double rows[][2] = {
        {-INFINITY, -INFINITY}, {NAN, 1}, {1, NAN}, {INFINITY, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_refused(rows[i], 2, sampling(1, 0, 1), "no token can be chosen");
        assert_refused(rows[i], 2, greedy(1, 0, 1), "no token can be chosen");
        assert_refused(rows[i], 2, options_of(GENERATE_BEAM, 1),
                       "no token can be chosen");
    }
}

static void test_options_that_cannot_be_are_refused(void **state) {
    const DecodingOptions bad[] = {sampling(0, 0, 1),        sampling(-1, 0, 1),
                                   sampling(NAN, 0, 1),      sampling(INFINITY, 0, 1),
                                   sampling(1, 0, 0),        sampling(1, 0, -0.5),
                                   sampling(1, 0, 1.000001), sampling(1, 0, NAN)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Error error = {0};
        assert_false(generate_check(&bad[i], &error));
        assert_int_equal(error.code, ERROR_VALUE);
        assert_contains(error.message, "must be above 0");
    }
}

static void test_each_rule_and_each_fate_has_a_name(void **state) {
    static const char *const names[CANDIDATE_FATE_COUNT] = {
        "kept",  "impossible", "not_largest", "top_k",
        "top_p", "cut",        "finished",    "given_up"};
    static const char *const rules[GENERATE_RULE_COUNT] = {"greedy", "sample", "beam"};
    GenerateRule rule;
    for (size_t i = 0; i < CANDIDATE_FATE_COUNT; i++)
        assert_string_equal(candidate_fate_name((CandidateFate)i), names[i]);
    for (size_t i = 0; i < GENERATE_RULE_COUNT; i++) {
        assert_string_equal(generate_rule_name((GenerateRule)i), rules[i]);
        assert_true(generate_rule_from_name(rules[i], &rule));
        assert_int_equal(rule, i);
    }
    assert_false(generate_rule_from_name("best", &rule));
}

static void test_numbers_that_are_none_come_last_in_order(void **state) {
    static const double values[] = {NAN, -INFINITY, 2, NAN, 3};
    static const size_t expected[] = {4, 2, 1, 0, 3};
    Arena *arena = arena_create(4096);
    assert_memory_equal(generate_order(arena, values, 5), expected, sizeof expected);
    arena_destroy(arena);
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
        counts[generate_draw(choice->order, choice->chances, WORDS, &random)]++;
    *freedom = (size_t)-1;
    for (size_t i = 0; i < WORDS; i++) {
        double expected = DRAWS * choice->chances[i];
        if (choice->fates[i] != CANDIDATE_KEPT) {
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
    static const double limits[] = {0,       6.6349,  9.2103, 11.3449,
                                    13.2767, 15.0863, 16.8119};
    static const uint64_t seeds[] = {1, 2, 3};
    const DecodingOptions options[] = {sampling(1, 0, 1), sampling(2, 0, 1),
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

/* The same statistic rejects wrong probabilities. */
static void test_the_test_of_draws_can_fail(void **state) {
    Choice choice = choose(logits, WORDS, sampling(1, 0, 1)), wrong = choice;
    size_t counts_of = choice.order[0], other = choice.order[2], freedom;
    wrong.chances[counts_of] += 0.03;
    wrong.chances[other] -= 0.03;
    size_t counts[WORDS] = {0};
    Random random;
    random_init(&random, 1);
    for (size_t i = 0; i < DRAWS; i++)
        counts[generate_draw(wrong.order, wrong.chances, WORDS, &random)]++;
    double sum = 0;
    for (size_t i = 0; i < WORDS; i++) {
        double expected = DRAWS * choice.chances[i];
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
        cmocka_unit_test(test_a_temperature_that_leaves_no_numbers_is_refused),
        cmocka_unit_test(test_each_rule_and_each_fate_has_a_name),
        cmocka_unit_test(test_numbers_that_are_none_come_last_in_order),
        cmocka_unit_test(test_draws_come_as_often_as_their_chances_say),
        cmocka_unit_test(test_the_test_of_draws_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
