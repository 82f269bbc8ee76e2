/* Multiplications, held against formulas written down by hand, and what makes a cache
 * possible: that rows of words which were read before don't change. */
#include "generate_bench.h"

#include "model/generate/generate.h"

/* ---- formulas ---- */

/* A layer with n words of its own, each looking at `seen` of them, and m of memory: a
 * projection of n words takes n·d², the scores and the blends n·(words looked at)·d each,
 * however many heads. Keys and values of the memory are made `made` times. */
static size_t layer_cost(const TransformerShape *shape, bool decodes, size_t n,
                         size_t seen, size_t m, size_t made) {
    size_t d = shape->d_model, cross = decodes ? 2 * n * d * d + 2 * n * m * d : 0;
    return 4 * n * d * d + 2 * n * seen * d + cross + 2 * made * d * d +
           2 * n * d * shape->d_ff;
}

static bool has_encoder(const TransformerShape *shape) {
    return shape->kind == TRANSFORMER_ENCODER_DECODER;
}

static size_t encoder_cost(const TransformerShape *shape, size_t m) {
    return has_encoder(shape)
               ? shape->encoder_layers * layer_cost(shape, false, m, m, 0, 0)
               : 0;
}

static size_t logits_cost(const TransformerShape *shape, size_t rows) {
    return rows * shape->d_model * (shape->target_vocabulary - shape->first_output);
}

static size_t whole_cost(const TransformerShape *shape, size_t m, size_t n) {
    bool crosses = has_encoder(shape);
    return encoder_cost(shape, m) +
           shape->decoder_layers * layer_cost(shape, crosses, n, n, m, crosses ? m : 0) +
           logits_cost(shape, n);
}

/* One new word at place n. */
static size_t cached_cost(const TransformerShape *shape, size_t m, size_t n) {
    return shape->decoder_layers * layer_cost(shape, has_encoder(shape), 1, n, m, 0) +
           logits_cost(shape, 1);
}

static void test_turns_cost_what_the_formulas_say(void **state) {
    for (size_t i = 0; i < SHAPES; i++) {
        TransformerShape shape = shape_of(i);
        Bench bench = bench_new(shape, 50 + i);
        size_t m = 4, sum = 0, sum_cached = 0;
        DecodingOptions options = options_of(GENERATE_SAMPLE, 6);
        Generated without = say_good(&bench, reading(begin_ids, 3), options);
        options.cache = true;
        Generated with = say_good(&bench, reading(begin_ids, 3), options);
        assert_int_equal(with.count, without.count);
        assert_memory_equal(with.ids, without.ids, with.count * sizeof *with.ids);
        for (size_t t = 0; t < 6; t++) {
            /* the first turn reads all words, but is asked for one row of logits */
            size_t expected = t ? cached_cost(&shape, m, t + 3)
                                : whole_cost(&shape, m, 3) - logits_cost(&shape, 2);
            assert_int_equal(with.steps[t].multiplications, expected);
            assert_int_equal(without.steps[t].multiplications,
                             whole_cost(&shape, m, t + 3));
            sum += without.steps[t].multiplications;
            sum_cached += with.steps[t].multiplications;
        }
        assert_int_equal(without.multiplications, sum);
        assert_int_equal(with.multiplications, sum_cached);
        assert_true(sum > 2 * sum_cached);
        bench_finish(&bench);
    }
}

static void test_a_beam_costs_what_all_its_texts_do(void **state) {
    Bench bench = bench_new(both, 90);
    DecodingOptions options = options_of(GENERATE_BEAM, 4);
    options.width = 2;
    Generated beam = say_good(&bench, reading(start_ids, 1), options);
    options.cache = true;
    Generated cached = say_good(&bench, reading(start_ids, 1), options);
    assert_int_equal(beam.step_count, 4);
    for (size_t t = 0; t < 4; t++) {
        size_t texts = t ? 2 : 1;
        assert_int_equal(beam.steps[t].multiplications,
                         texts * whole_cost(&both, 4, t + 1));
        assert_int_equal(cached.steps[t].multiplications,
                         t ? 2 * cached_cost(&both, 4, t + 1) : whole_cost(&both, 4, 1));
    }
    bench_finish(&bench);
}

/* One decoder layer, d 2, d_ff 3, two words to say. A word: four projections of 2 · 2, a
 * score and a blend of 2 each, 2 · 3 and 3 · 2, and 2 · 2 for the logits. */
static void test_multiplications_counted_by_hand(void **state) {
    TransformerShape shape = {.kind = TRANSFORMER_DECODER,
                              .d_model = 2,
                              .heads = 1,
                              .d_ff = 3,
                              .encoder_layers = 1,
                              .decoder_layers = 1,
                              .source_vocabulary = 6,
                              .target_vocabulary = 3,
                              .first_output = 1,
                              .epsilon = 1e-5};
    Bench bench = bench_new(shape, 1);
    DecodingOptions options = options_of(GENERATE_GREEDY, 2);
    Generated said = say_good(&bench, reading(start_ids, 1), options);
    assert_int_equal(said.steps[0].multiplications, 16 + 4 + 12 + 4);
    assert_int_equal(said.steps[1].multiplications, 32 + 16 + 24 + 8);
    options.cache = true;
    said = say_good(&bench, reading(start_ids, 1), options);
    assert_int_equal(said.steps[0].multiplications, 16 + 4 + 12 + 4);
    assert_int_equal(said.steps[1].multiplications, 16 + 8 + 12 + 4);
    bench_finish(&bench);
    shape.kind = TRANSFORMER_ENCODER_DECODER;
    bench = bench_new(shape, 1);
    TransformerInput input = {.source = ids_of(start_ids, 1),
                              .target = ids_of(start_ids, 1)};
    said = say_good(&bench, input, options);
    assert_int_equal(said.steps[0].multiplications,
                     (16 + 4 + 12) + (16 + 4) + (16 + 4) + 12 + 4);
    assert_int_equal(said.steps[1].multiplications, (16 + 8) + (8 + 4) + 12 + 4);
    bench_finish(&bench);
}

static void test_without_the_causal_mask_nothing_of_the_decoder_is_kept(void **state) {
    TransformerShape shape = both;
    shape.mask = TRANSFORMER_MASK_NONE;
    Bench bench = bench_new(shape, 8);
    DecodingOptions options = options_of(GENERATE_GREEDY, 3);
    options.cache = true;
    Generated said = say_good(&bench, reading(start_ids, 1), options);
    for (size_t n = 2; n <= 3; n++)
        assert_int_equal(said.steps[n - 1].multiplications,
                         shape.decoder_layers * layer_cost(&shape, true, n, n, 4, 0) +
                             logits_cost(&shape, 1));
    bench_finish(&bench);
}

static void test_a_whole_tape_is_the_sum_of_its_products(void **state) {
    Bench bench = bench_new(both, 2);
    size_t first = bench.model.parts[0].node, middle = bench.model.memory;
    assert_int_equal(cost_whole(bench.tape, 0, tape_count(bench.tape)),
                     whole_cost(&both, 4, 1));
    assert_int_equal(cost_whole(bench.tape, first, middle + 1), encoder_cost(&both, 4));
    bench_finish(&bench);
}

/* ---- what a cache may keep ---- */

/* How many nodes of the last turn have the same numbers, to the bit, as the turn before
 * wherever both have cells. */
static size_t compare_turns(const Bench *bench, size_t turn) {
    char prefix[32];
    size_t compared = 0, length;
    length = (size_t)snprintf(prefix, sizeof prefix, "said.turn_%zu.", turn + 1);
    for (size_t i = 0; i < tape_count(bench->tape); i++) {
        const TapeNode *node = tape_node(bench->tape, i);
        char before[128];
        if (strncmp(node->name, prefix, length) != 0 ||
            !(strstr(node->name, "coder.") || strstr(node->name, ".memory")))
            continue;
        snprintf(before, sizeof before, "said.turn_%zu.%s", turn, node->name + length);
        size_t old = tape_find(bench->tape, before);
        if (old == TAPE_NONE)
            continue;
        const Tensor *a = tensor_of(bench, old), *b = &node->output;
        for (size_t row = 0; row < a->rows && row < b->rows; row++)
            for (size_t col = 0; col < a->cols && col < b->cols; col++) {
                double x = tensor_at(a, row, col), y = tensor_at(b, row, col);
                assert_memory_equal(&x, &y, sizeof x);
            }
        compared++;
    }
    return compared;
}

static void test_rows_of_words_read_before_stay_the_same_to_the_bit(void **state) {
    const TransformerInput inputs[] = {
        reading(start_ids, 1),
        {.source = ids_of(padded_ids, 5), .target = ids_of(begin_ids, 3)},
        reading(gap_ids, 3),
    };
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t j = 0; j < sizeof inputs / sizeof *inputs; j++) {
            Bench bench = bench_new(shape_of(i), 30 + i);
            Generated said = say_good(&bench, inputs[j], options_of(GENERATE_SAMPLE, 14));
            for (size_t t = 1; t < said.step_count; t++)
                assert_true(compare_turns(&bench, t) > 20);
            bench_finish(&bench);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_cost_what_the_formulas_say),
        cmocka_unit_test(test_a_beam_costs_what_all_its_texts_do),
        cmocka_unit_test(test_multiplications_counted_by_hand),
        cmocka_unit_test(test_without_the_causal_mask_nothing_of_the_decoder_is_kept),
        cmocka_unit_test(test_a_whole_tape_is_the_sum_of_its_products),
        cmocka_unit_test(test_rows_of_words_read_before_stay_the_same_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
