#include "close.h"

#include "model/say/beam.h"
#include "model/say/decode.h"
#include "model/say/kv_cache.h"
#include "tensor/kernels.h"

#include <string.h>

enum { PLENTY = 256 << 20 };

/* A model with random weights on a tape of its own. */
typedef struct Bench {
    Arena *arena;
    Tape *tape;
    Transformer model;
} Bench;

static Tensor ids_of(const double *ids, size_t count) {
    return (Tensor){.rows = 1, .cols = count, .values = (double *)(uintptr_t)ids};
}

static const double source_ids[] = {1, 5, 2, 4}, padded_ids[] = {3, 0, 2, 0, 0};
static const double start_ids[] = {1}, begin_ids[] = {1, 3, 2};

static const TransformerShape both = {
    .kind = TRANSFORMER_ENCODER_DECODER,
    .d_model = 8,
    .heads = 2,
    .d_ff = 12,
    .encoder_layers = 1,
    .decoder_layers = 2,
    .source_vocabulary = 6,
    .target_vocabulary = 5,
    .first_output = 1,
    .epsilon = 1e-5,
    .biases = true,
};

static TransformerShape decoder_alone(void) {
    TransformerShape shape = both;
    shape.kind = TRANSFORMER_DECODER;
    return shape;
}

/* Weights larger than those of a new model, so that no two texts score alike. */
static bool fill_widely(void *context, const TransformerParameter *parameter,
                        double *values, Error *error) {
    Random *random = context;
    (void)error;
    for (size_t i = 0; i < parameter->rows * parameter->cols; i++)
        values[i] = 0.7 * random_normal(random);
    return true;
}

static Bench bench_new(TransformerShape shape, uint64_t seed) {
    Bench bench = {.arena = arena_create(PLENTY)};
    Error error = {0};
    Random random;
    random_init(&random, seed);
    bench.tape = tape_create(bench.arena);
    TransformerInput input = {.source = ids_of(source_ids, 4),
                              .target = ids_of(start_ids, 1)};
    if (!transformer_append(bench.tape, bench.arena, &shape, &input,
                            (TransformerWeights){fill_widely, &random}, &bench.model,
                            &error)) {
        print_error("%s\n", error.message);
        fail();
    }
    return bench;
}

static PredictModel model_of(const Bench *bench) {
    return (PredictModel){bench->tape, &bench->model};
}

static void bench_finish(Bench *bench) {
    arena_destroy(bench->arena);
}

static const TransformerInput translating = {
    .source = {.rows = 1, .cols = 4, .values = (double[]){1, 5, 2, 4}},
    .target = {.rows = 1, .cols = 1, .values = (double[]){1}},
};

static DecodeOptions options_of(ChooseRule rule, size_t length) {
    return (DecodeOptions){
        .choose = {rule, 1, 0, 1}, .length = length, .end = DECODE_NO_END, .seed = 7};
}

static Decode decode_good(const Bench *bench, const TransformerInput *input,
                          DecodeOptions options) {
    Decode decode;
    Error error = {0};
    if (!decode_run(&decode, bench->arena, model_of(bench), input, &options, &error)) {
        print_error("%s\n", error.message);
        fail();
    }
    return decode;
}

/* ---- a straightforward reference: the model run for one text, nothing shared ---- */

/* The parameters' values, in the order in which a model asks for them. */
typedef struct Plain {
    const Bench *bench;
    size_t next;
} Plain;

static bool fill_plainly(void *context, const TransformerParameter *parameter,
                         double *values, Error *error) {
    Plain *plain = context;
    (void)error;
    const TransformerParameter *own = &plain->bench->model.parameters[plain->next++];
    assert_string_equal(own->name, parameter->name);
    memcpy(values, tape_node(plain->bench->tape, own->node)->output.values,
           own->rows * own->cols * sizeof *values);
    return true;
}

/* The last row of `what` of the model run on a text. */
static void plain_row(const Bench *bench, Tensor source, const size_t *ids, size_t count,
                      const char *what, double *row) {
    Arena *arena = arena_create(PLENTY);
    Tape *tape = tape_create(arena);
    Plain plain = {.bench = bench};
    double *values = arena_alloc(arena, count, sizeof *values);
    Transformer model;
    for (size_t i = 0; i < count; i++)
        values[i] = (double)ids[i];
    TransformerInput input = {.source = source, .target = ids_of(values, count)};
    assert_true(transformer_append(tape, arena, &bench->model.shape, &input,
                                   (TransformerWeights){fill_plainly, &plain}, &model,
                                   NULL));
    const Tensor *rows = &tape_node(tape, tape_find(tape, what))->output;
    memcpy(row, rows->values + (rows->rows - 1) * rows->cols, rows->cols * sizeof *row);
    arena_destroy(arena);
}

/* ---- the loop ---- */

static void test_greedy_says_the_likeliest_word_of_each_row(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    Decode decode = decode_good(&bench, &translating, options_of(CHOOSE_GREEDY, 6));
    assert_int_equal(decode.begin, 1);
    assert_int_equal(decode.count, 7);
    assert_int_equal(decode.turn_count, 6);
    assert_false(decode.ended);
    size_t ids[7] = {1};
    for (size_t i = 0; i < 6; i++) {
        double row[4], shares[4];
        plain_row(&bench, translating.source, ids, i + 1, "logits", row);
        plain_row(&bench, translating.source, ids, i + 1, "probabilities", shares);
        size_t best = 0;
        for (size_t j = 0; j < 4; j++) {
            const ChooseWord *word = &decode.turns[i].words[j];
            assert_close(&word->logit, &row[j], 1, 0);
            assert_close(&word->share, &shares[j], 1, 0);
            best = row[j] > row[best] ? j : best;
        }
        ids[i + 1] = best + 1; /* ID 0, padding, is never said */
        assert_int_equal(decode.turns[i].chosen, ids[i + 1]);
        assert_int_equal(decode.turns[i].order[0], best);
        assert_int_equal(decode.turns[i].read, i + 1);
    }
    assert_memory_equal(decode.ids, ids, sizeof ids);
    bench_finish(&bench);
}

static void test_the_ending_word_ends_it(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    DecodeOptions options = options_of(CHOOSE_GREEDY, 6);
    Decode whole = decode_good(&bench, &translating, options);
    options.end = whole.ids[3];
    Decode decode = decode_good(&bench, &translating, options);
    size_t first = 1;
    while (whole.ids[first] != options.end)
        first++;
    assert_true(decode.ended);
    assert_int_equal(decode.turn_count, first);
    assert_int_equal(decode.count, first + 1);
    assert_int_equal(decode.ids[decode.count - 1], options.end);
    bench_finish(&bench);
}

static void test_a_decoder_goes_on_with_a_beginning(void **state) {
    (void)state;
    Bench bench = bench_new(decoder_alone(), 5);
    TransformerInput input = {.target = ids_of(begin_ids, 3)};
    Decode decode = decode_good(&bench, &input, options_of(CHOOSE_GREEDY, 4));
    assert_int_equal(decode.begin, 3);
    assert_int_equal(decode.count, 7);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(decode.ids[i], (size_t)begin_ids[i]);
    double row[4];
    plain_row(&bench, (Tensor){0}, decode.ids, 6, "logits", row);
    for (size_t j = 0; j < 4; j++)
        assert_close(&decode.turns[3].words[j].logit, &row[j], 1, 0);
    bench_finish(&bench);
}

static void test_one_seed_says_one_text_and_others_another(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    DecodeOptions options = options_of(CHOOSE_SAMPLE, 12);
    Decode first = decode_good(&bench, &translating, options);
    Decode again = decode_good(&bench, &translating, options);
    assert_memory_equal(first.ids, again.ids, 13 * sizeof *first.ids);
    size_t different = 0;
    for (options.seed = 8; options.seed < 16; options.seed++) {
        Decode other = decode_good(&bench, &translating, options);
        different += memcmp(first.ids, other.ids, 13 * sizeof *first.ids) != 0;
    }
    assert_true(different >= 6);
    bench_finish(&bench);
}

static void test_cut_words_are_never_said(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    DecodeOptions options = options_of(CHOOSE_SAMPLE, 40);
    options.choose.top_k = 3;
    options.choose.top_p = 0.7;
    options.choose.temperature = 1.3;
    Decode decode = decode_good(&bench, &translating, options);
    size_t cut = 0;
    for (size_t i = 0; i < decode.turn_count; i++) {
        const DecodeTurn *turn = &decode.turns[i];
        assert_int_equal(turn->words[turn->chosen - 1].fate, CHOOSE_KEPT);
        for (size_t j = 0; j < decode.word_count; j++)
            cut += turn->words[j].fate != CHOOSE_KEPT;
    }
    assert_true(cut >= decode.turn_count);
    bench_finish(&bench);
}

/* The chances of the words behind a text at temperature 3. */
static void warm_row(const Bench *bench, const size_t *ids, size_t count, double *row) {
    double logits[4];
    plain_row(bench, (Tensor){0}, ids, count, "logits", logits);
    for (size_t i = 0; i < 4; i++)
        logits[i] /= 3;
    kernel_softmax(row, logits, 1, 4);
}

/* The texts of two words come as often as the products of their chances say: Pearson's
 * statistic of 16 texts stays below 30.5779, which it exceeds with p = 0.01. */
static void test_texts_come_as_often_as_their_chances_say(void **state) {
    (void)state;
    enum { TEXTS = 4000 };
    Bench bench = bench_new(decoder_alone(), 21);
    TransformerInput input = {.target = ids_of(start_ids, 1)};
    double first[4], second[4];
    warm_row(&bench, (size_t[]){1}, 1, first);
    for (uint64_t seed = 0; seed < 3; seed++) {
        size_t counts[4][4] = {{0}};
        double sum = 0;
        DecodeOptions options = options_of(CHOOSE_SAMPLE, 2);
        options.cache = true;
        options.choose.temperature = 3;
        for (size_t i = 0; i < TEXTS; i++) {
            options.seed = seed * TEXTS + i;
            Decode decode = decode_good(&bench, &input, options);
            counts[decode.ids[1] - 1][decode.ids[2] - 1]++;
        }
        for (size_t i = 0; i < 4; i++) {
            warm_row(&bench, (size_t[]){1, i + 1}, 2, second);
            for (size_t j = 0; j < 4; j++) {
                double expected = TEXTS * first[i] * second[j];
                double difference = (double)counts[i][j] - expected;
                assert_true(expected > 5);
                sum += difference * difference / expected;
            }
        }
        if (!(sum < 30.5779))
            print_error("seed %d: %g\n", (int)seed, sum);
        assert_true(sum < 30.5779);
    }
    bench_finish(&bench);
}

static void test_edited_weights_say_other_words(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    DecodeOptions options = options_of(CHOOSE_GREEDY, 3);
    size_t bias = tape_find(bench.tape, "logits.b");
    for (size_t word = 0; word < 4; word++) {
        assert_true(tape_edit(bench.tape, bias, 0, word, 100));
        for (options.cache = false;; options.cache = true) {
            Decode decode = decode_good(&bench, &translating, options);
            for (size_t i = 1; i < 4; i++)
                assert_int_equal(decode.ids[i], word + 1);
            if (options.cache)
                break;
        }
        tape_restore(bench.tape);
    }
    bench_finish(&bench);
}

/* ---- with and without the cache ---- */

/* Shapes that differ in every field that matters to a decoder. */
static size_t shapes(TransformerShape out[9]) {
    for (size_t i = 0; i < 9; i++)
        out[i] = both;
    out[1].biases = false;
    out[2].pre_norm = out[2].final_norm = true;
    out[3].heads = 1;
    out[3].scale_embedding = true;
    out[4].heads = 8;
    out[4].first_output = 0;
    out[5].kind = TRANSFORMER_DECODER;
    out[6].kind = TRANSFORMER_DECODER;
    out[6].pre_norm = true;
    out[6].biases = false;
    out[6].first_output = 0;
    out[7].final_norm = true;
    out[7].encoder_layers = 3;
    out[7].decoder_layers = 1;
    out[8].d_model = 32; /* products large enough for the tiled kernel */
    out[8].heads = 4;
    out[8].d_ff = 40;
    return 9;
}

static void test_the_cache_gives_the_same_bits(void **state) {
    (void)state;
    TransformerShape all[9];
    size_t count = shapes(all);
    const TransformerInput inputs[] = {
        translating,
        {.source = ids_of(padded_ids, 5), .target = ids_of(begin_ids, 3)},
        {.source = ids_of(source_ids, 4), .target = ids_of((double[]){0, 2, 0}, 3)},
    };
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < sizeof inputs / sizeof *inputs; j++) {
            Bench bench = bench_new(all[i], 30 + i);
            DecodeOptions options = options_of(CHOOSE_SAMPLE, 14);
            Decode without = decode_good(&bench, &inputs[j], options);
            options.cache = true;
            Decode with = decode_good(&bench, &inputs[j], options);
            assert_int_equal(with.count, without.count);
            assert_memory_equal(with.ids, without.ids, with.count * sizeof *with.ids);
            for (size_t t = 0; t < with.turn_count; t++) {
                const DecodeTurn *a = &with.turns[t], *b = &without.turns[t];
                for (size_t w = 0; w < with.word_count; w++)
                    assert_close(&a->words[w].logit, &b->words[w].logit, 1, 0);
                assert_int_equal(a->read, b->read);
                assert_int_equal(b->rows, b->read);
                assert_int_equal(a->rows, t ? 1 : a->read);
            }
            bench_finish(&bench);
        }
    }
}

static void test_the_cache_keeps_the_keys_and_values_of_the_tape(void **state) {
    (void)state;
    Bench bench = bench_new(both, 8);
    Error error = {0};
    KvCache *cache =
        kv_cache_create(bench.arena, model_of(&bench), &translating.source, 3, &error);
    assert_non_null(cache);
    size_t ids[] = {1, 3, 2};
    for (size_t i = 0; i < 3; i++)
        kv_cache_read(cache, ids[i]);
    for (size_t layer = 0; layer < 2; layer++) {
        char key[64], value[64];
        double row[8];
        Tensor keys = kv_cache_keys(cache, layer), values = kv_cache_values(cache, layer);
        snprintf(key, sizeof key, "decoder.%zu.self_attention.key", layer);
        snprintf(value, sizeof value, "decoder.%zu.self_attention.value", layer);
        assert_int_equal(keys.rows, 3);
        for (size_t i = 0; i < 3; i++) {
            plain_row(&bench, translating.source, ids, i + 1, key, row);
            assert_close(keys.values + 8 * i, row, 8, 0);
            plain_row(&bench, translating.source, ids, i + 1, value, row);
            assert_close(values.values + 8 * i, row, 8, 0);
        }
    }
    bench_finish(&bench);
}

static void test_a_copied_cache_goes_its_own_way(void **state) {
    (void)state;
    Bench bench = bench_new(both, 8);
    Error error = {0};
    double left[4], right[4], row[4];
    KvCache *cache =
        kv_cache_create(bench.arena, model_of(&bench), &translating.source, 4, &error);
    KvCache *other = kv_cache_create_like(bench.arena, cache);
    kv_cache_read(cache, 1);
    kv_cache_copy(other, cache);
    kv_cache_read(cache, 2);
    kv_cache_read(other, 3);
    kv_cache_logits(cache, left);
    kv_cache_logits(other, right);
    plain_row(&bench, translating.source, (size_t[]){1, 2}, 2, "logits", row);
    assert_close(left, row, 4, 0);
    plain_row(&bench, translating.source, (size_t[]){1, 3}, 2, "logits", row);
    assert_close(right, row, 4, 0);
    assert_int_equal(kv_cache_length(other), 2);
    bench_finish(&bench);
}

static size_t source_length(const Bench *bench, const TransformerInput *input) {
    return bench->model.shape.kind == TRANSFORMER_DECODER ? 0 : input->source.cols;
}

static void test_formulas_and_counters_of_multiplications_agree(void **state) {
    (void)state;
    TransformerShape all[9];
    size_t count = shapes(all);
    const TransformerInput input = {.source = ids_of(source_ids, 4),
                                    .target = ids_of(begin_ids, 3)};
    for (size_t i = 0; i < count; i++) {
        Bench bench = bench_new(all[i], 50 + i);
        const TransformerShape *shape = &bench.model.shape;
        size_t m = source_length(&bench, &input), sum = 0, sum_cached = 0;
        DecodeOptions options = options_of(CHOOSE_SAMPLE, 6);
        Decode without = decode_good(&bench, &input, options);
        options.cache = true;
        Decode with = decode_good(&bench, &input, options);
        for (size_t t = 0; t < 6; t++) {
            size_t expected = kv_cache_logits_multiplications(shape);
            if (t == 0)
                expected += kv_cache_create_multiplications(shape, m) +
                            kv_cache_read_multiplications(shape, m, 1) +
                            kv_cache_read_multiplications(shape, m, 2);
            expected += kv_cache_read_multiplications(shape, m, t + 3);
            assert_int_equal(with.turns[t].multiplications, expected);
            assert_int_equal(without.turns[t].multiplications,
                             predict_multiplications(shape, m, t + 3));
            sum += without.turns[t].multiplications;
            sum_cached += with.turns[t].multiplications;
        }
        assert_int_equal(without.multiplications, sum);
        assert_int_equal(with.multiplications, sum_cached);
        assert_true(sum > 2 * sum_cached);
        bench_finish(&bench);
    }
}

/* One decoder layer, one word, d 2, d_ff 3, two words to say: four projections of 2 · 2,
 * a score and a blend of 2 each, 2 · 3 and 3 · 2, and 2 · 2 for the logits. */
static void test_multiplications_counted_by_hand(void **state) {
    (void)state;
    TransformerShape shape = {.kind = TRANSFORMER_DECODER,
                              .d_model = 2,
                              .heads = 1,
                              .d_ff = 3,
                              .decoder_layers = 1,
                              .target_vocabulary = 3,
                              .first_output = 1};
    assert_int_equal(predict_multiplications(&shape, 0, 1), 16 + 4 + 12 + 4);
    assert_int_equal(predict_multiplications(&shape, 0, 2), 32 + 16 + 24 + 8);
    assert_int_equal(kv_cache_create_multiplications(&shape, 0), 0);
    assert_int_equal(kv_cache_read_multiplications(&shape, 0, 2), 16 + 8 + 12);
    assert_int_equal(kv_cache_logits_multiplications(&shape), 4);
    shape.kind = TRANSFORMER_ENCODER_DECODER;
    shape.encoder_layers = 1;
    assert_int_equal(predict_encoder_multiplications(&shape, 1), 16 + 4 + 12);
    assert_int_equal(predict_multiplications(&shape, 1, 1), 32 + 36 + 16 + 4);
}

/* ---- beam search ---- */

/* All texts up to a length, tried one by one. */
typedef struct Search {
    const Bench *bench;
    Tensor source;
    size_t length, end;
    double exponent;
    size_t ids[8], best[8], best_count;
    double best_score;
    size_t tried;
} Search;

static void try_all(Search *search, size_t count, double total) {
    double row[4];
    plain_row(search->bench, search->source, search->ids, count, "probabilities", row);
    for (size_t word = 0; word < 4; word++) {
        double sum = total + log(row[word]);
        search->ids[count] = word + 1;
        if (word + 1 != search->end && count < search->length) {
            try_all(search, count + 1, sum);
            continue;
        }
        double score = sum / pow((double)count, search->exponent);
        search->tried++;
        if (score > search->best_score) {
            search->best_score = score;
            search->best_count = count;
            memcpy(search->best, search->ids, sizeof search->best);
        }
    }
}

static Beam beam_good(const Bench *bench, const TransformerInput *input,
                      BeamOptions options) {
    Beam beam;
    Error error = {0};
    if (!beam_run(&beam, bench->arena, model_of(bench), input, &options, &error)) {
        print_error("%s\n", error.message);
        fail();
    }
    return beam;
}

static void assert_finds(const Beam *beam, const Search *search) {
    const BeamNode *best = &beam->nodes[beam->best];
    size_t ids[8];
    assert_int_equal(best->depth, search->best_count);
    beam_ids(beam, beam->best, ids);
    assert_memory_equal(ids, search->best + 1, best->depth * sizeof *ids);
    assert_close(&best->score, &search->best_score, 1, 1e-12);
}

static void test_a_beam_as_wide_as_all_texts_finds_the_best_of_them(void **state) {
    (void)state;
    static const double exponents[] = {0, 0.6, 1, 2};
    for (uint64_t seed = 60; seed < 66; seed++) {
        Bench bench = bench_new(seed % 2 ? both : decoder_alone(), seed);
        for (size_t i = 0; i < 4; i++) {
            Search search = {.bench = &bench,
                             .source = translating.source,
                             .length = 4,
                             .end = 3,
                             .exponent = exponents[i],
                             .ids = {1},
                             .best_score = -INFINITY};
            try_all(&search, 1, 0);
            assert_int_equal(search.tried, 1 + 3 + 9 + 27 * 4);
            BeamOptions options = {256, 4, 3, exponents[i], false};
            Beam beam = beam_good(&bench, &translating, options);
            assert_finds(&beam, &search);
            options.cache = true;
            beam = beam_good(&bench, &translating, options);
            assert_finds(&beam, &search);
        }
        bench_finish(&bench);
    }
}

static void test_a_beam_of_width_one_is_greedy(void **state) {
    (void)state;
    for (uint64_t seed = 70; seed < 76; seed++) {
        Bench bench = bench_new(both, seed);
        DecodeOptions greedy = options_of(CHOOSE_GREEDY, 5);
        greedy.end = 2;
        Decode decode = decode_good(&bench, &translating, greedy);
        Beam beam = beam_good(&bench, &translating, (BeamOptions){1, 5, 2, 0, false});
        size_t ids[5];
        assert_int_equal(beam.nodes[beam.best].depth, decode.turn_count);
        beam_ids(&beam, beam.best, ids);
        assert_memory_equal(ids, decode.ids + 1, decode.turn_count * sizeof *ids);
        assert_int_equal(beam.multiplications, decode.multiplications);
        bench_finish(&bench);
    }
}

/* Whether the beam's own rules hold at every node of the tree. */
static void check_tree(const Bench *bench, const Beam *beam, BeamOptions options) {
    size_t next = 1;
    assert_int_equal(beam->nodes[0].parent, BEAM_NONE);
    for (size_t t = 0; t < beam->turn_count; t++) {
        const BeamTurn *turn = &beam->turns[t];
        double worst_kept = 0, best_cut = -INFINITY;
        size_t places = 0;
        assert_int_equal(turn->first, next);
        next += turn->count;
        for (size_t i = turn->first; i < next; i++) {
            const BeamNode *node = &beam->nodes[i], *parent = &beam->nodes[node->parent];
            double total = parent->total + node->log_chance;
            assert_close(&node->total, &total, 1, 0);
            assert_int_equal(node->depth, t + 1);
            assert_int_equal(parent->fate, BEAM_KEPT);
            if (node->fate == BEAM_CUT) {
                best_cut = node->total > best_cut ? node->total : best_cut;
                continue;
            }
            places++;
            worst_kept = node->total < worst_kept ? node->total : worst_kept;
            bool over = node->id == options.end || node->depth == options.length;
            assert_int_equal(node->fate == BEAM_FINISHED, over);
            if (node->fate == BEAM_FINISHED)
                assert_true(node->score <= beam->nodes[beam->best].score);
            else if (t + 1 < beam->turn_count)
                assert_int_equal(node->fate, BEAM_KEPT);
        }
        assert_true(best_cut < worst_kept);
        assert_int_equal(places,
                         turn->count < options.width ? turn->count : options.width);
    }
    assert_int_equal(next, beam->node_count);
    size_t ids[8] = {1};
    for (size_t i = 1; i < beam->node_count; i++) {
        double shares[4], chance = exp(beam->nodes[i].log_chance);
        beam_ids(beam, beam->nodes[i].parent, ids + 1);
        plain_row(bench, translating.source, ids, beam->nodes[i].depth, "probabilities",
                  shares);
        assert_close(&chance, &shares[beam->nodes[i].id - 1], 1, 1e-14);
    }
}

static void test_the_whole_tree_is_kept_and_follows_the_rules(void **state) {
    (void)state;
    for (uint64_t seed = 80; seed < 84; seed++) {
        Bench bench = bench_new(both, seed);
        BeamOptions options = {3, 5, 4, 0.6, false};
        Beam beam = beam_good(&bench, &translating, options);
        check_tree(&bench, &beam, options);
        options.cache = true;
        Beam cached = beam_good(&bench, &translating, options);
        assert_int_equal(cached.node_count, beam.node_count);
        for (size_t i = 0; i < beam.node_count; i++) {
            assert_int_equal(cached.nodes[i].parent, beam.nodes[i].parent);
            assert_int_equal(cached.nodes[i].fate, beam.nodes[i].fate);
            assert_close(&cached.nodes[i].total, &beam.nodes[i].total, 1, 0);
        }
        assert_true(beam.turn_count == 1 ||
                    cached.multiplications < beam.multiplications);
        bench_finish(&bench);
    }
}

static void test_a_beam_counts_the_multiplications_of_every_text(void **state) {
    (void)state;
    Bench bench = bench_new(both, 90);
    BeamOptions options = {2, 4, BEAM_NONE, 0, false};
    const TransformerShape *shape = &bench.model.shape;
    Beam beam = beam_good(&bench, &translating, options);
    options.cache = true;
    Beam cached = beam_good(&bench, &translating, options);
    assert_int_equal(beam.turn_count, 4);
    for (size_t t = 0; t < 4; t++) {
        size_t lines = t ? 2 : 1;
        size_t expected = lines * (kv_cache_read_multiplications(shape, 4, t + 1) +
                                   kv_cache_logits_multiplications(shape));
        expected += t ? 0 : kv_cache_create_multiplications(shape, 4);
        assert_int_equal(beam.turns[t].multiplications,
                         lines * predict_multiplications(shape, 4, t + 1));
        assert_int_equal(cached.turns[t].multiplications, expected);
    }
    bench_finish(&bench);
}

/* Sets the logits' bias so that word `word` (a column) is all but certain. */
static void favour(Bench *bench, size_t word) {
    assert_true(tape_edit(bench->tape, tape_find(bench->tape, "logits.b"), 0, word, 60));
}

static void test_a_search_that_nothing_can_win_any_more_stops(void **state) {
    (void)state;
    Bench bench = bench_new(both, 91);
    favour(&bench, 2);
    Beam beam = beam_good(&bench, &translating, (BeamOptions){3, 100, 3, 0, true});
    assert_int_equal(beam.turn_count, 1);
    assert_int_equal(beam.nodes[beam.best].id, 3);
    size_t given_up = 0;
    for (size_t i = 0; i < beam.node_count; i++)
        given_up += beam.nodes[i].fate == BEAM_GIVEN_UP;
    assert_int_equal(given_up, 2);
    bench_finish(&bench);
}

/* ---- what is refused ---- */

static void assert_refused(const Bench *bench, TransformerInput input,
                           DecodeOptions options, ErrorCode code, const char *words) {
    Decode decode;
    Error error = {0};
    assert_false(
        decode_run(&decode, bench->arena, model_of(bench), &input, &options, &error));
    if (!strstr(error.message, words))
        print_error("'%s' has no '%s'\n", error.message, words);
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, words));
}

static void test_what_cannot_be_is_refused_with_a_sentence(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    DecodeOptions good = options_of(CHOOSE_GREEDY, 3), bad = good;
    TransformerInput input = translating;
    bad.length = 0;
    assert_refused(&bench, input, bad, ERROR_VALUE, "from 1 to 1000");
    bad.length = DECODE_LENGTH_MAX + 1;
    assert_refused(&bench, input, bad, ERROR_VALUE, "from 1 to 1000");
    bad = good;
    bad.choose.temperature = 0;
    assert_refused(&bench, input, bad, ERROR_VALUE, "temperature");
    input.source = ids_of((double[]){1, 6}, 2);
    assert_refused(&bench, input, good, ERROR_VALUE, "source has the ID 6");
    input.source = (Tensor){0};
    assert_refused(&bench, input, good, ERROR_VALUE, "the source is [0,0]");
    input = translating;
    input.target = ids_of((double[]){1.5}, 1);
    assert_refused(&bench, input, good, ERROR_VALUE, "target has the ID 1.5");
    bench_finish(&bench);
    TransformerShape shape = both;
    shape.kind = TRANSFORMER_ENCODER;
    bench = bench_new(shape, 3);
    assert_refused(&bench, translating, good, ERROR_VALUE, "kind encoder says no words");
    bench_finish(&bench);
}

static void test_a_model_without_numbers_left_says_so(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    DecodeOptions options = options_of(CHOOSE_GREEDY, 3);
    Beam beam;
    Error error = {0};
    tape_edit(bench.tape, tape_find(bench.tape, "logits.b"), 0, 1, NAN);
    assert_refused(&bench, translating, options, ERROR_VALUE, "no word can be chosen");
    options.cache = true;
    assert_refused(&bench, translating, options, ERROR_VALUE, "no word can be chosen");
    assert_false(beam_run(&beam, bench.arena, model_of(&bench), &translating,
                          &(BeamOptions){2, 3, BEAM_NONE, 0, true}, &error));
    assert_non_null(strstr(error.message, "no word can be chosen"));
    bench_finish(&bench);
}

static void test_an_impossible_word_is_never_in_a_beam(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    tape_edit(bench.tape, tape_find(bench.tape, "logits.b"), 0, 1, -INFINITY);
    Beam beam = beam_good(&bench, &translating, (BeamOptions){64, 3, BEAM_NONE, 0, true});
    assert_int_equal(beam.node_count, 1 + 4 + 12 + 36);
    for (size_t i = 1; i < beam.node_count; i++)
        assert_true((beam.nodes[i].id == 2) == (beam.nodes[i].fate == BEAM_CUT));
    bench_finish(&bench);
}

static void test_beams_that_cannot_be_are_refused(void **state) {
    (void)state;
    const struct {
        BeamOptions options;
        ErrorCode code;
        const char *words;
    } cases[] = {
        {{0, 3, BEAM_NONE, 0, false}, ERROR_VALUE, "from 1 to 1000 wide"},
        {{1001, 3, BEAM_NONE, 0, false}, ERROR_VALUE, "from 1 to 1000 wide"},
        {{2, 0, BEAM_NONE, 0, false}, ERROR_VALUE, "length"},
        {{2, 3, BEAM_NONE, -1, false}, ERROR_VALUE, "length exponent"},
        {{2, 3, BEAM_NONE, NAN, false}, ERROR_VALUE, "length exponent"},
        {{1000, 1000, BEAM_NONE, 0, true}, ERROR_LIMIT, "more than 1048576 nodes"},
    };
    TransformerShape tiny = {.kind = TRANSFORMER_DECODER,
                             .d_model = 1,
                             .heads = 1,
                             .d_ff = 1,
                             .decoder_layers = 1,
                             .target_vocabulary = 41,
                             .first_output = 1,
                             .epsilon = 1e-5};
    Bench bench = bench_new(tiny, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Beam beam;
        Error error = {0};
        assert_false(beam_run(&beam, bench.arena, model_of(&bench), &translating,
                              &cases[i].options, &error));
        assert_int_equal(error.code, cases[i].code);
        assert_non_null(strstr(error.message, cases[i].words));
    }
    bench_finish(&bench);
}

static void test_too_little_memory_is_an_error_wherever_it_ends(void **state) {
    (void)state;
    Bench bench = bench_new(both, 3);
    DecodeOptions options = options_of(CHOOSE_SAMPLE, 5);
    size_t refused = 0;
    for (size_t limit = 64; limit < 8192; limit += 200) {
        Arena *arena = arena_create(limit);
        Decode decode;
        Beam beam;
        Error error = {0};
        if (!decode_run(&decode, arena, model_of(&bench), &translating, &options,
                        &error)) {
            assert_int_equal(error.code, ERROR_MEMORY);
            refused++;
        }
        arena_reset(arena);
        if (!beam_run(&beam, arena, model_of(&bench), &translating,
                      &(BeamOptions){3, 5, BEAM_NONE, 0, true}, &error))
            assert_int_equal(error.code, ERROR_MEMORY);
        arena_reset(arena);
        if (!kv_cache_create(arena, model_of(&bench), &translating.source, 20, &error))
            assert_int_equal(error.code, ERROR_MEMORY);
        arena_destroy(arena);
    }
    assert_in_range(refused, 1, 30);
    bench_finish(&bench);
}

static void test_each_fate_of_a_node_has_a_name(void **state) {
    (void)state;
    static const char *const names[BEAM_FATE_COUNT] = {"kept", "cut", "finished",
                                                       "given_up"};
    for (size_t i = 0; i < BEAM_FATE_COUNT; i++)
        assert_string_equal(beam_fate_name((BeamFate)i), names[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greedy_says_the_likeliest_word_of_each_row),
        cmocka_unit_test(test_the_ending_word_ends_it),
        cmocka_unit_test(test_a_decoder_goes_on_with_a_beginning),
        cmocka_unit_test(test_one_seed_says_one_text_and_others_another),
        cmocka_unit_test(test_cut_words_are_never_said),
        cmocka_unit_test(test_texts_come_as_often_as_their_chances_say),
        cmocka_unit_test(test_edited_weights_say_other_words),
        cmocka_unit_test(test_the_cache_gives_the_same_bits),
        cmocka_unit_test(test_the_cache_keeps_the_keys_and_values_of_the_tape),
        cmocka_unit_test(test_a_copied_cache_goes_its_own_way),
        cmocka_unit_test(test_formulas_and_counters_of_multiplications_agree),
        cmocka_unit_test(test_multiplications_counted_by_hand),
        cmocka_unit_test(test_a_beam_as_wide_as_all_texts_finds_the_best_of_them),
        cmocka_unit_test(test_a_beam_of_width_one_is_greedy),
        cmocka_unit_test(test_the_whole_tree_is_kept_and_follows_the_rules),
        cmocka_unit_test(test_a_beam_counts_the_multiplications_of_every_text),
        cmocka_unit_test(test_a_search_that_nothing_can_win_any_more_stops),
        cmocka_unit_test(test_what_cannot_be_is_refused_with_a_sentence),
        cmocka_unit_test(test_a_model_without_numbers_left_says_so),
        cmocka_unit_test(test_an_impossible_word_is_never_in_a_beam),
        cmocka_unit_test(test_beams_that_cannot_be_are_refused),
        cmocka_unit_test(test_too_little_memory_is_an_error_wherever_it_ends),
        cmocka_unit_test(test_each_fate_of_a_node_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
