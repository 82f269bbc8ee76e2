/* The loop of turns: its words, its texts and its tree, held against the model run for
 * each text on a tape of its own and against trying all texts. */
#include "contains.h"
#include "generate_bench.h"

#include "tensor/operations/kernels.h"

enum { PLENTY = 256 << 20 };

/* ---- a straightforward reference: the model run for one text, nothing shared ---- */

/* Values of the parameters, in the order in which a model requests them. */
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
    Bench bench = bench_new(both, 3);
    TransformerInput input = reading(start_ids, 1);
    Generated said = say_good(&bench, input, options_of(GENERATE_GREEDY, 6));
    assert_int_equal(said.step_count, 6);
    assert_int_equal(said.count, 6);
    assert_false(said.ended);
    size_t ids[7] = {1};
    for (size_t i = 0; i < 6; i++) {
        double row[4], shares[4];
        plain_row(&bench, input.source, ids, i + 1, "logits", row);
        plain_row(&bench, input.source, ids, i + 1, "probabilities", shares);
        const DecodingStep *turn = &said.steps[i];
        assert_close(tensor_of(&bench, turn->logits)->values, row, 4, 0);
        assert_close(tensor_of(&bench, turn->all_probabilities)->values, shares, 4, 0);
        size_t best = 0;
        for (size_t j = 0; j < 4; j++)
            best = row[j] > row[best] ? j : best;
        ids[i + 1] = best + 1; /* ID 0, padding, is never said */
        assert_int_equal(turn->chosen_count, 1);
        assert_int_equal(generated_token(&said, turn->chosen[0]), ids[i + 1]);
        const Tensor *read = tensor_of(&bench, turn->ids[0]);
        assert_int_equal(read->cols, i + 1);
        for (size_t j = 0; j <= i; j++)
            assert_true(read->values[j] == (double)ids[j]);
    }
    assert_memory_equal(said.ids, ids + 1, 6 * sizeof *ids);
    bench_finish(&bench);
}

static void test_the_ending_word_ends_it(void **state) {
    Bench bench = bench_new(both, 3);
    DecodingOptions options = options_of(GENERATE_GREEDY, 6);
    Generated whole = say_good(&bench, reading(start_ids, 1), options);
    options.end = whole.ids[2];
    Generated said = say_good(&bench, reading(start_ids, 1), options);
    size_t first = 0;
    while (whole.ids[first] != options.end)
        first++;
    assert_true(said.ended);
    assert_int_equal(said.step_count, first + 1);
    assert_int_equal(said.count, first + 1);
    assert_int_equal(said.ids[said.count - 1], options.end);
    bench_finish(&bench);
}

static void test_a_decoder_goes_on_with_a_beginning(void **state) {
    Bench bench = bench_new(decoder_alone(), 5);
    Generated said =
        say_good(&bench, reading(begin_ids, 3), options_of(GENERATE_GREEDY, 4));
    const Tensor *read = tensor_of(&bench, said.steps[3].ids[0]);
    size_t ids[6];
    assert_int_equal(said.count, 4);
    assert_int_equal(read->cols, 6);
    for (size_t i = 0; i < 6; i++) {
        ids[i] = (size_t)read->values[i];
        assert_int_equal(ids[i], i < 3 ? (size_t)begin_ids[i] : said.ids[i - 3]);
    }
    double row[4];
    plain_row(&bench, (Tensor){0}, ids, 6, "logits", row);
    assert_close(tensor_of(&bench, said.steps[3].logits)->values, row, 4, 0);
    bench_finish(&bench);
}

static void test_one_seed_says_one_text_and_others_another(void **state) {
    Bench bench = bench_new(both, 3);
    TransformerInput input = reading(start_ids, 1);
    DecodingOptions options = options_of(GENERATE_SAMPLE, 12);
    Generated first = say_good(&bench, input, options);
    Generated again = say_good(&bench, input, options);
    assert_memory_equal(first.ids, again.ids, 12 * sizeof *first.ids);
    size_t different = 0;
    for (options.seed = 8; options.seed < 16; options.seed++) {
        Generated other = say_good(&bench, input, options);
        different += memcmp(first.ids, other.ids, 12 * sizeof *first.ids) != 0;
    }
    assert_true(different >= 6);
    bench_finish(&bench);
}

static void test_cut_words_are_never_said(void **state) {
    Bench bench = bench_new(both, 3);
    DecodingOptions options = options_of(GENERATE_SAMPLE, 40);
    options.top_k = 3;
    options.top_p = 0.7;
    options.temperature = 1.3;
    Generated said = say_good(&bench, reading(start_ids, 1), options);
    size_t cut = 0;
    for (size_t i = 0; i < said.step_count; i++) {
        const DecodingStep *turn = &said.steps[i];
        assert_int_equal(candidate_fate(&said, bench.tape, turn->chosen[0]),
                         CANDIDATE_KEPT);
        for (size_t j = 0; j < said.word_count; j++)
            cut += candidate_fate(&said, bench.tape, turn->first + j) != CANDIDATE_KEPT;
    }
    assert_true(cut >= said.step_count);
    bench_finish(&bench);
}

/* Every rule says the same, with the same numbers, whether the tape keeps the model's
 * runs or not; without them it is short. */
static void test_runs_that_are_not_kept_say_the_same(void **state) {
    for (GenerateRule rule = GENERATE_GREEDY; rule < GENERATE_RULE_COUNT; rule++) {
        Bench bench = bench_new(both, 40);
        DecodingOptions options = options_of(rule, 5);
        options.temperature = 1.5;
        options.top_k = 3;
        options.width = 3;
        options.cache = rule == GENERATE_SAMPLE;
        size_t before = tape_count(bench.tape);
        Generated kept = say_good(&bench, reading(begin_ids, 2), options);
        size_t between = tape_count(bench.tape);
        GenerateRequest request = request_of(&bench, reading(begin_ids, 2), options);
        request.discards_runs = true;
        Generated said;
        assert_true(generate_run(&said, &request, NULL));
        assert_true((between - before) > 10 * (tape_count(bench.tape) - between));
        assert_int_equal(said.count, kept.count);
        assert_memory_equal(said.ids, kept.ids, said.count * sizeof *said.ids);
        assert_int_equal(said.multiplications, kept.multiplications);
        for (size_t i = 0; i < said.step_count; i++) {
            const Tensor *a = tensor_of(&bench, said.steps[i].result);
            const Tensor *b = tensor_of(&bench, kept.steps[i].result);
            assert_int_equal(tensor_cells(a), tensor_cells(b));
            assert_close(a->values, b->values, tensor_cells(a), 0);
            assert_int_equal(said.steps[i].multiplications,
                             kept.steps[i].multiplications);
        }
        bench_finish(&bench);
    }
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
    enum { TEXTS = 4000 };
    for (uint64_t seed = 0; seed < 3; seed++) {
        Bench bench = bench_new(decoder_alone(), 21);
        double first[4], second[4];
        warm_row(&bench, (size_t[]){1}, 1, first);
        size_t counts[4][4] = {{0}};
        double sum = 0;
        DecodingOptions options = options_of(GENERATE_SAMPLE, 2);
        options.temperature = 3;
        for (size_t i = 0; i < TEXTS; i++) {
            options.seed = seed * TEXTS + i;
            GenerateRequest request = request_of(&bench, reading(start_ids, 1), options);
            request.discards_runs = true;
            Generated said;
            assert_true(generate_run(&said, &request, NULL));
            counts[said.ids[0] - 1][said.ids[1] - 1]++;
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
        bench_finish(&bench);
    }
}

static void test_edited_weights_say_other_words(void **state) {
    Bench bench = bench_new(both, 3);
    GenerateRequest request =
        request_of(&bench, reading(start_ids, 1), options_of(GENERATE_GREEDY, 3));
    size_t bias = tape_find(bench.tape, "logits.b");
    for (size_t word = 0; word < 4; word++) {
        assert_true(tape_edit(bench.tape, bias, 0, word, 100));
        for (int i = 0; i < 2; i++) {
            Generated said;
            request.discards_runs = i == 1;
            assert_true(generate_run(&said, &request, NULL));
            for (size_t j = 0; j < 3; j++)
                assert_int_equal(said.ids[j], word + 1);
        }
        tape_restore(bench.tape);
    }
    bench_finish(&bench);
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

static DecodingOptions beam_of(size_t width, size_t length, size_t end, double exponent) {
    DecodingOptions options = options_of(GENERATE_BEAM, length);
    options.width = width;
    options.end = end;
    options.length_exponent = exponent;
    return options;
}

/* A text's sum of log chances. */
static double total_of(const Bench *bench, const Generated *said, size_t text) {
    GeneratedCell at;
    if (!generated_cell(said, text, &at))
        return 0;
    return tensor_at(tensor_of(bench, said->steps[at.step].result), at.row, at.col);
}

static size_t text_count(const Generated *said) {
    const DecodingStep *last = &said->steps[said->step_count - 1];
    return last->first + last->text_count * said->word_count;
}

static void test_a_beam_as_wide_as_all_texts_finds_the_best_of_them(void **state) {
    static const double exponents[] = {0, 0.6, 1, 2};
    for (uint64_t seed = 60; seed < 66; seed++) {
        Bench bench = bench_new(seed % 2 ? both : decoder_alone(), seed);
        for (size_t i = 0; i < 4; i++) {
            Search search = {.bench = &bench,
                             .source = ids_of(source_ids, 4),
                             .length = 4,
                             .end = 3,
                             .exponent = exponents[i],
                             .ids = {1},
                             .best_score = -INFINITY};
            try_all(&search, 1, 0);
            assert_int_equal(search.tried, 1 + 3 + 9 + 27 * 4);
            Generated said =
                say_good(&bench, reading(start_ids, 1), beam_of(256, 4, 3, exponents[i]));
            assert_int_equal(said.count, search.best_count);
            assert_memory_equal(said.ids, search.best + 1, said.count * sizeof *said.ids);
            double score = generated_score(
                &said.options, total_of(&bench, &said, said.best), said.count);
            assert_close(&score, &search.best_score, 1, 1e-12);
        }
        bench_finish(&bench);
    }
}

static void test_a_beam_of_width_one_is_greedy(void **state) {
    for (uint64_t seed = 70; seed < 76; seed++) {
        Bench bench = bench_new(both, seed);
        DecodingOptions greedy = options_of(GENERATE_GREEDY, 5);
        greedy.end = 2;
        Generated one = say_good(&bench, reading(start_ids, 1), greedy);
        Generated beam = say_good(&bench, reading(start_ids, 1), beam_of(1, 5, 2, 0));
        assert_int_equal(beam.count, one.count);
        assert_memory_equal(beam.ids, one.ids, one.count * sizeof *one.ids);
        assert_int_equal(beam.multiplications, one.multiplications);
        bench_finish(&bench);
    }
}

/* Checks the rules of beam search in a generation step. */
static void check_turn(const Bench *bench, const Generated *said, size_t number) {
    const DecodingStep *turn = &said->steps[number];
    const DecodingOptions *options = &said->options;
    double worst_kept = 0, best_cut = -INFINITY;
    size_t end = turn->first + turn->text_count * said->word_count, places = 0;
    for (size_t i = turn->first; i < end; i++) {
        GeneratedCell at;
        assert_true(generated_cell(said, i, &at));
        assert_int_equal(at.step, number);
        size_t parent = generated_parent(said, i);
        double chance =
            tensor_at(tensor_of(bench, turn->log_probabilities), at.row, at.col);
        double total = total_of(bench, said, parent) + chance;
        double sum = total_of(bench, said, i);
        CandidateFate fate = candidate_fate(said, bench->tape, i);
        assert_close(&sum, &total, 1, 0);
        assert_int_equal(candidate_fate(said, bench->tape, parent), CANDIDATE_KEPT);
        if (fate == CANDIDATE_CUT) {
            best_cut = fmax(best_cut, sum);
            continue;
        }
        places++;
        worst_kept = fmin(worst_kept, sum);
        bool over =
            generated_token(said, i) == options->end || number + 1 == options->length;
        assert_int_equal(fate == CANDIDATE_FINISHED, over);
        if (fate == CANDIDATE_FINISHED)
            assert_true(
                generated_score(options, sum, number + 1) <=
                generated_score(options, total_of(bench, said, said->best), said->count));
        else if (number + 1 < said->step_count)
            assert_int_equal(fate, CANDIDATE_KEPT);
    }
    assert_true(best_cut < worst_kept);
    assert_int_equal(places, end - turn->first < options->width ? end - turn->first
                                                                : options->width);
    assert_int_equal(places, turn->chosen_count);
}

static void test_the_whole_tree_is_kept_and_follows_the_rules(void **state) {
    for (uint64_t seed = 80; seed < 84; seed++) {
        Bench bench = bench_new(both, seed);
        TransformerInput input = reading(start_ids, 1);
        Generated said = say_good(&bench, input, beam_of(3, 5, 4, 0.6));
        size_t next = 1, ids[8] = {1};
        for (size_t t = 0; t < said.step_count; t++) {
            assert_int_equal(said.steps[t].first, next);
            next += said.steps[t].text_count * said.word_count;
            check_turn(&bench, &said, t);
        }
        assert_int_equal(next, text_count(&said));
        for (size_t i = 1; i < next; i++) {
            GeneratedCell at;
            double shares[4];
            assert_true(generated_cell(&said, i, &at));
            generated_ids(&said, generated_parent(&said, i), ids + 1);
            plain_row(&bench, input.source, ids, at.step + 1, "probabilities", shares);
            double chance =
                exp(tensor_at(tensor_of(&bench, said.steps[at.step].log_probabilities),
                              at.row, at.col));
            assert_close(&chance, &shares[generated_token(&said, i) - 1], 1, 1e-14);
        }
        GeneratedCell at;
        assert_false(generated_cell(&said, 0, &at));
        assert_false(generated_cell(&said, next, &at));
        bench_finish(&bench);
    }
}

/* Sets the logits' bias so that word `word` (a column) is all but certain. */
static void favour(Bench *bench, size_t word) {
    assert_true(tape_edit(bench->tape, tape_find(bench->tape, "logits.b"), 0, word, 60));
}

static void test_a_search_that_nothing_can_win_any_more_stops(void **state) {
    Bench bench = bench_new(both, 91);
    favour(&bench, 2);
    Generated said = say_good(&bench, reading(start_ids, 1), beam_of(3, 100, 3, 0));
    assert_int_equal(said.step_count, 1);
    assert_int_equal(said.ids[said.count - 1], 3);
    size_t given_up = 0;
    for (size_t i = 0; i < text_count(&said); i++)
        given_up += candidate_fate(&said, bench.tape, i) == CANDIDATE_GIVEN_UP;
    assert_int_equal(given_up, 2);
    bench_finish(&bench);
}

/* ---- what is refused ---- */

static void assert_refused(const Bench *bench, TransformerInput input,
                           DecodingOptions options, ErrorCode code, const char *words) {
    Generated said;
    Error error = {0};
    GenerateRequest request = request_of(bench, input, options);
    request.discards_runs = true;
    assert_false(generate_run(&said, &request, &error));
    if (!strstr(error.message, words))
        print_error("'%s' has no '%s'\n", error.message, words);
    assert_int_equal(error.code, code);
    assert_contains(error.message, words);
}

static void test_what_cannot_be_is_refused_with_a_sentence(void **state) {
    Bench bench = bench_new(both, 3);
    DecodingOptions good = options_of(GENERATE_GREEDY, 3);
    TransformerInput input = reading(start_ids, 1);
    const struct {
        DecodingOptions options;
        const char *words;
    } cases[] = {
        {options_of(GENERATE_GREEDY, 0), "from 1 to 1000"},
        {options_of(GENERATE_SAMPLE, DECODING_LENGTH_MAX + 1), "from 1 to 1000"},
        {beam_of(0, 3, GENERATE_NONE, 0), "from 1 to 1000"},
        {beam_of(1001, 3, GENERATE_NONE, 0), "from 1 to 1000"},
        {beam_of(2, 0, GENERATE_NONE, 0), "length"},
        {beam_of(2, 3, GENERATE_NONE, -1), "length exponent"},
        {beam_of(2, 3, GENERATE_NONE, NAN), "length exponent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(&bench, input, cases[i].options, ERROR_VALUE, cases[i].words);
    input.source = ids_of((const double[]){1, 6}, 2);
    assert_refused(&bench, input, good, ERROR_VALUE, "6");
    input.source = (Tensor){0};
    assert_refused(&bench, input, good, ERROR_SHAPE, "empty");
    assert_refused(&bench, reading((const double[]){1.5}, 1), good, ERROR_VALUE, "1.5");
    bench_finish(&bench);
    TransformerShape shape = both;
    shape.kind = TRANSFORMER_ENCODER;
    bench = bench_new(shape, 3);
    assert_refused(&bench, reading(start_ids, 1), good, ERROR_VALUE,
                   "kind encoder generates no tokens");
    bench_finish(&bench);
}

static void test_a_model_without_numbers_left_says_so(void **state) {
    Bench bench = bench_new(both, 3);
    TransformerInput input = reading(start_ids, 1);
    tape_edit(bench.tape, tape_find(bench.tape, "logits.b"), 0, 1, NAN);
    assert_refused(&bench, input, options_of(GENERATE_GREEDY, 3), ERROR_VALUE,
                   "no token can be chosen");
    assert_refused(&bench, input, beam_of(2, 3, GENERATE_NONE, 0), ERROR_VALUE,
                   "no token can be chosen");
    bench_finish(&bench);
}

static void test_an_impossible_word_is_never_in_a_beam(void **state) {
    Bench bench = bench_new(both, 3);
    tape_edit(bench.tape, tape_find(bench.tape, "logits.b"), 0, 1, -INFINITY);
    Generated said =
        say_good(&bench, reading(start_ids, 1), beam_of(64, 3, GENERATE_NONE, 0));
    assert_int_equal(text_count(&said), 1 + 4 + 12 + 36);
    for (size_t i = 1; i < text_count(&said); i++)
        assert_true((generated_token(&said, i) == 2) ==
                    (candidate_fate(&said, bench.tape, i) == CANDIDATE_CUT));
    bench_finish(&bench);
}

static void test_a_search_that_fills_the_tape_is_refused(void **state) {
    TransformerShape tiny = {.kind = TRANSFORMER_DECODER,
                             .d_model = 1,
                             .heads = 1,
                             .d_ff = 1,
                             .decoder_layers = 1,
                             .target_vocabulary = 41,
                             .first_output = 1,
                             .epsilon = 1e-5};
    Bench bench = bench_new(tiny, 4);
    GenerateRequest request =
        request_of(&bench, reading(start_ids, 1), beam_of(300, 1000, GENERATE_NONE, 0));
    Generated said;
    Error error = {0};
    assert_false(generate_run(&said, &request, &error)); /* with the model's runs */
    assert_int_equal(error.code, ERROR_LIMIT);
    bench_finish(&bench);
}

static void test_too_little_memory_is_an_error_wherever_it_ends(void **state) {
    Bench bench = bench_new(both, 3);
    size_t refused = 0;
    for (size_t limit = 64; limit < 131072; limit += 5000) {
        for (GenerateRule rule = GENERATE_SAMPLE; rule <= GENERATE_BEAM; rule++) {
            Arena *arena = arena_create(limit);
            DecodingOptions options = options_of(rule, 5);
            options.width = 3;
            GenerateRequest request = request_of(&bench, reading(start_ids, 1), options);
            request.arena = arena;
            Generated said;
            Error error = {0};
            if (!generate_run(&said, &request, &error)) {
                assert_int_equal(error.code, ERROR_MEMORY);
                refused++;
            }
            arena_destroy(arena);
        }
    }
    assert_in_range(refused, 4, 50);
    bench_finish(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greedy_says_the_likeliest_word_of_each_row),
        cmocka_unit_test(test_the_ending_word_ends_it),
        cmocka_unit_test(test_a_decoder_goes_on_with_a_beginning),
        cmocka_unit_test(test_one_seed_says_one_text_and_others_another),
        cmocka_unit_test(test_cut_words_are_never_said),
        cmocka_unit_test(test_runs_that_are_not_kept_say_the_same),
        cmocka_unit_test(test_texts_come_as_often_as_their_chances_say),
        cmocka_unit_test(test_edited_weights_say_other_words),
        cmocka_unit_test(test_a_beam_as_wide_as_all_texts_finds_the_best_of_them),
        cmocka_unit_test(test_a_beam_of_width_one_is_greedy),
        cmocka_unit_test(test_the_whole_tree_is_kept_and_follows_the_rules),
        cmocka_unit_test(test_a_search_that_nothing_can_win_any_more_stops),
        cmocka_unit_test(test_what_cannot_be_is_refused_with_a_sentence),
        cmocka_unit_test(test_a_model_without_numbers_left_says_so),
        cmocka_unit_test(test_an_impossible_word_is_never_in_a_beam),
        cmocka_unit_test(test_a_search_that_fills_the_tape_is_refused),
        cmocka_unit_test(test_too_little_memory_is_an_error_wherever_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
