/* A state dict that PyTorch saved: read, stepped through, written again, damaged. */
#include "close.h"
#include "contains.h"
#include "lesson_text.h"
#include "weights_bench.h"
#include "weights_of_model.h"

#include <sys/stat.h>
#include <unistd.h>

enum { DAMAGED_FILES = 500 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* PyTorch's file, the shape and input of its model. */
static Bench bench_of_pytorch(void) {
    Bench bench = bench_new();
    FILE *file = model_reference_open_named("weights.txt");
    assert_true(model_reference_next(file, bench.reference));
    fclose(file);
    bench.file = reference_bytes(bench.arena, "weights.safetensors");
    return bench;
}

static bool bench_read(Bench *bench, const TransformerShape *shape) {
    return weights_read(&bench->weights, bench->arena, "a.safetensors", bench->file.bytes,
                        bench->file.length, shape, &bench->error);
}

/* Makes the file anew from what was read of it, with the tensors changed. */
static SafetensorsTensor *bench_tensors(Bench *bench, Safetensors *file) {
    Safetensors read;
    assert_true(safetensors_read(&read, bench->arena, "a", bench->file.bytes,
                                 bench->file.length, &bench->error));
    SafetensorsTensor *tensors =
        arena_alloc(bench->arena, read.count + 4, sizeof *tensors);
    memcpy(tensors, read.tensors, read.count * sizeof *tensors);
    for (size_t i = 0; i < read.count; i++) {
        double *values = arena_alloc(bench->arena, tensors[i].cells, sizeof *values);
        safetensors_values(values, &tensors[i], 0, tensors[i].cells);
        tensors[i].values = values;
    }
    *file = (Safetensors){.count = read.count, .tensors = tensors};
    return tensors;
}

static void bench_write(Bench *bench, const Safetensors *file) {
    assert_true(safetensors_write(bench->arena, file, &bench->file.bytes,
                                  &bench->file.length, &bench->error));
}

static void bench_must_read(Bench *bench) {
    if (bench_read(bench, &bench->reference->shape))
        return;
    print_error("%s\n", bench->error.message);
    fail();
}

/* The model of the weights, computed on the reference's IDs. */
static Tape *bench_model(Bench *bench, Transformer *model) {
    Tape *tape = tape_create(bench->arena);
    if (!transformer_append(tape, bench->arena, &bench->reference->shape,
                            &bench->reference->input, weights_fill(&bench->weights),
                            model, &bench->error)) {
        print_error("%s\n", bench->error.message);
        fail();
    }
    return tape;
}

static void assert_pytorchs_numbers(const ModelReference *reference, const Tape *tape,
                                    const Transformer *model) {
    for (size_t i = 0; i < reference->output_count; i++) {
        const ModelOutput *expected = &reference->outputs[i];
        const TransformerPart *part = transformer_part(model, expected->name);
        size_t node = part ? part->node : tape_find(tape, expected->name);
        assert_int_not_equal(node, TAPE_NONE);
        const Tensor *actual = &tape_node(tape, node)->output;
        assert_int_equal(actual->rows, expected->tensor.rows);
        assert_int_equal(actual->cols, expected->tensor.cols);
        assert_close(actual->values, expected->tensor.values, tensor_cells(actual),
                     1e-10);
    }
}

/* ---- reading ---- */

static void test_a_state_dict_steps_through_with_pytorchs_numbers(void **state) {
    Bench bench = bench_of_pytorch();
    Transformer model;
    bench_must_read(&bench);
    Tape *tape = bench_model(&bench, &model);
    assert_true(bench.reference->output_count == 55);
    assert_pytorchs_numbers(bench.reference, tape, &model);
    bench_free(&bench);
}

static void test_the_transformers_names_may_have_its_own_before_them(void **state) {
    Bench bench = bench_of_pytorch();
    Safetensors file;
    Transformer model;
    SafetensorsTensor *tensors = bench_tensors(&bench, &file);
    for (size_t i = 0; i < file.count; i++) {
        if (!strstr(tensors[i].name, "embed") && !strstr(tensors[i].name, "generator"))
            tensors[i].name =
                arena_format(bench.arena, "transformer.%s", tensors[i].name);
    }
    bench_write(&bench, &file);
    bench_must_read(&bench);
    Tape *tape = bench_model(&bench, &model);
    assert_pytorchs_numbers(bench.reference, tape, &model);
    bench_free(&bench);
}

static void test_a_trainings_state_is_passed_over(void **state) {
    Bench bench = bench_of_pytorch();
    Safetensors file;
    static const double moments[3] = {1, 2, 3};
    SafetensorsTensor *tensors = bench_tensors(&bench, &file);
    tensors[file.count++] = (SafetensorsTensor){.name = "optimizer.m.generator.bias",
                                                .axis_count = 1,
                                                .axes = {3},
                                                .cells = 3,
                                                .values = moments};
    bench_write(&bench, &file);
    bench_must_read(&bench);
    bench_free(&bench);
}

/* PyTorch's bias=False takes the norms' biases away, too. */
static void test_without_biases_the_norms_may_have_none(void **state) {
    Bench bench = bench_of_pytorch();
    Safetensors file;
    SafetensorsTensor *tensors = bench_tensors(&bench, &file);
    size_t kept = 0;
    for (size_t i = 0; i < file.count; i++) {
        if (!strstr(tensors[i].name, "bias"))
            tensors[kept++] = tensors[i];
    }
    file.count = kept;
    bench_write(&bench, &file);
    Transformer model;
    bench.reference->shape.biases = false;
    bench_must_read(&bench);
    Tape *tape = bench_model(&bench, &model);
    static const double zeros[8];
    const TapeNode *beta = tape_node(tape, tape_find(tape, "decoder.1.norm_3.beta"));
    assert_close(beta->output.values, zeros, 8, 0);
    bench_free(&bench);
}

/* Errors in the shape or the file, and their messages. */
static void test_what_does_not_fit_is_said_with_what_would(void **state) {
    static const struct {
        const char *shape; /* layers of both towers, d_model, d_ff, vocabularies, then
                              whether it has a final norm, and biases */
        ErrorCode code;
        const char *words[3];
    } cases[] = {
        {"3 2 8 16 7 9 1 1",
         ERROR_NAME,
         {"it has no 'encoder.layers.2.self_attn.in_proj_weight'",
          "the file has 2 encoder layers and the model 3", "'encoder_layers: 2'"}},
        {"2 1 8 16 7 9 1 1",
         ERROR_NAME,
         {"it has 'decoder.layers.1.", "which this model doesn't have",
          "'decoder_layers: 2' would fit"}},
        {"2 2 4 16 7 9 1 1",
         ERROR_SHAPE,
         {"'src_embed.weight' is [7,8], but this model's is [7,4]",
          "'d_model: 8' would fit", ""}},
        {"2 2 8 12 7 9 1 1",
         ERROR_SHAPE,
         {"linear1.weight' is [16,8], but this model's is [12,8]", "'d_ff: 16'", ""}},
        {"2 2 8 16 6 9 1 1",
         ERROR_SHAPE,
         {"'src_embed.weight' is [7,8], but this model's is [6,8]",
          "a vocabulary of 6 would fit", "7 rows, one of them for padding"}},
        {"2 2 8 16 7 23 1 1",
         ERROR_SHAPE,
         {"'tgt_embed.weight' is [9,8]", "a vocabulary of 8 would fit", ""}},
        {"2 2 8 16 7 9 0 1",
         ERROR_NAME,
         {"it has 'decoder.norm.bias'", "write 'final_norm: true'", ""}},
        {"2 2 8 16 7 9 1 0",
         ERROR_NAME,
         {"bias', which this model doesn't have", "write 'biases: true'", ""}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Bench bench = bench_of_pytorch();
        TransformerShape shape = bench.reference->shape;
        int norm, biases;
        assert_int_equal(sscanf(cases[i].shape, "%zu %zu %zu %zu %zu %zu %d %d",
                                &shape.encoder_layers, &shape.decoder_layers,
                                &shape.d_model, &shape.d_ff, &shape.source_vocabulary,
                                &shape.target_vocabulary, &norm, &biases),
                         8);
        shape.final_norm = norm;
        shape.biases = biases;
        bool good = bench_read(&bench, &shape);
        for (size_t j = 0; j < 3; j++) {
            if (good || bench.error.code != cases[i].code ||
                !strstr(bench.error.message, cases[i].words[j]))
                fail_msg("case %zu gave %d: %s", i, bench.error.code,
                         good ? "no error" : bench.error.message);
        }
        bench_free(&bench);
    }
}

static void test_a_model_of_another_kind_is_told_of(void **state) {
    static const struct {
        TransformerKind kind;
        const char *words[2];
    } cases[] = {
        {TRANSFORMER_ENCODER, {"it has 'decoder.", "'kind: encoder_decoder'"}},
        {TRANSFORMER_DECODER, {"multihead_attn", "'kind: encoder_decoder'"}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Bench bench = bench_of_pytorch();
        TransformerShape shape = bench.reference->shape;
        shape.kind = cases[i].kind;
        bool good = bench_read(&bench, &shape);
        for (size_t j = 0; j < 2; j++) {
            if (good || !strstr(bench.error.message, cases[i].words[j]))
                fail_msg("case %zu gave: %s", i, good ? "no error" : bench.error.message);
        }
        bench_free(&bench);
    }
}

static size_t index_of(const Safetensors *file, const char *name) {
    for (size_t i = 0; i < file->count; i++) {
        if (strcmp(file->tensors[i].name, name) == 0)
            return i;
    }
    fail_msg("there is no '%s'", name);
    return 0;
}

static void test_each_tensor_must_be_there(void **state) {
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"src_embed.weight", "it must be saved together with the transformer"},
        {"generator.weight", "it must be saved together with the transformer"},
        {"encoder.norm.weight", "'final_norm: false'"},
        {"decoder.norm.bias", "'final_norm: false'"},
        {"encoder.layers.0.linear2.bias", "'biases: false'"},
        {"encoder.layers.1.linear2.weight", "it must be saved with the others"},
        {"decoder.layers.1.multihead_attn.in_proj_weight", "'kind: decoder'"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Bench bench = bench_of_pytorch();
        Safetensors file;
        char words[100];
        SafetensorsTensor *tensors = bench_tensors(&bench, &file);
        tensors[index_of(&file, cases[i].name)] = tensors[file.count - 1];
        file.count--;
        bench_write(&bench, &file);
        snprintf(words, sizeof words, "it has no '%s'", cases[i].name);
        bool good = bench_read(&bench, &bench.reference->shape);
        if (good || bench.error.code != ERROR_NAME ||
            !strstr(bench.error.message, words) ||
            !strstr(bench.error.message, cases[i].words))
            fail_msg("%s gave: %s", cases[i].name, bench.error.message);
        bench_free(&bench);
    }
}

static void test_no_tensor_may_be_there_that_the_model_has_not(void **state) {
    static const char *const names[] = {"pos_encoder.pe", "transformer.generator.weight",
                                        "encoder", "encoder.layers.1.linear3.weight"};
    for (size_t i = 0; i < COUNT(names); i++) {
        Bench bench = bench_of_pytorch();
        Safetensors file;
        char words[100];
        SafetensorsTensor *tensors = bench_tensors(&bench, &file);
        tensors[file.count] = tensors[0];
        tensors[file.count++].name = names[i];
        bench_write(&bench, &file);
        snprintf(words, sizeof words,
                 "it has '%s', which this model doesn't have; a model "
                 "that has it computes something else",
                 names[i]);
        bool good = bench_read(&bench, &bench.reference->shape);
        if (good || !strstr(bench.error.message, words))
            fail_msg("%s gave: %s", names[i], bench.error.message);
        bench_free(&bench);
    }
}

static void test_axes_must_be_as_many_as_pytorchs(void **state) {
    Bench bench = bench_of_pytorch();
    Safetensors file;
    SafetensorsTensor *tensors = bench_tensors(&bench, &file);
    SafetensorsTensor *bias = &tensors[index_of(&file, "encoder.norm.bias")];
    bias->axis_count = 2;
    bias->axes[1] = 1;
    bench_write(&bench, &file);
    assert_false(bench_read(&bench, &bench.reference->shape));
    assert_int_equal(bench.error.code, ERROR_SHAPE);
    assert_contains(bench.error.message, "'encoder.norm.bias' is [8,1], but this "
                                         "model's is [8]");
    bench_free(&bench);
}

static void test_a_number_that_is_not_finite_is_named(void **state) {
    Bench bench = bench_of_pytorch();
    Safetensors file;
    SafetensorsTensor *tensors = bench_tensors(&bench, &file);
    ((double *)tensors[index_of(&file, "tgt_embed.weight")].values)[10] = NAN;
    bench_write(&bench, &file);
    assert_false(bench_read(&bench, &bench.reference->shape));
    assert_int_equal(bench.error.code, ERROR_VALUE);
    assert_contains(bench.error.message,
                    "a.safetensors: 'tgt_embed.weight' is not a number at [1,2]");
    bench_free(&bench);
}

/* ---- writing ---- */

/* Reads PyTorch's file into a model and writes the model's parameters. */
static void write_again(Bench *bench, SafetensorsType type) {
    Transformer model;
    Safetensors file = {0};
    bench_must_read(bench);
    Tape *tape = bench_model(bench, &model);
    const double *const *values = weights_of_model(bench->arena, tape, &model);
    assert_non_null(values);
    file.tensors = weights_tensors(bench->arena, &model.shape, values, type, &file.count);
    bench_write(bench, &file);
}

/* All but the row of the generator that stands for padding, which the model never says.
 */
static void assert_written(SafetensorsType type, double (*rounded)(double)) {
    Bench bench = bench_of_pytorch();
    Safetensors before, after;
    bench_tensors(&bench, &before);
    write_again(&bench, type);
    bench_tensors(&bench, &after);
    assert_int_equal(after.count, before.count);
    for (size_t i = 0; i < after.count; i++) {
        const SafetensorsTensor *a = &after.tensors[i], *b = &before.tensors[i];
        bool is_generator = strncmp(a->name, "generator", 9) == 0;
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->type, type);
        assert_int_equal(a->axis_count, b->axis_count);
        assert_memory_equal(a->axes, b->axes, a->axis_count * sizeof *a->axes);
        for (size_t j = 0; j < a->cells; j++) {
            bool never = is_generator && j < a->cells / 9;
            double expected = rounded(b->values[j]);
            if (never)
                expected = a->axis_count == 1 ? WEIGHTS_NEVER : 0;
            assert_close(&a->values[j], &expected, 1, 0);
        }
    }
    bench_free(&bench);
}

static double as_it_is(double value) {
    return value;
}

static double as_float(double value) {
    return (double)(float)value;
}

static void test_a_models_parameters_are_written_as_pytorch_saves_them(void **state) {
    assert_written(SAFETENSORS_F64, as_it_is);
    assert_written(SAFETENSORS_F32, as_float);
}

/* Every kind, with and without biases and final norms, down to one dimension. */
static void test_what_was_written_is_the_same_model_again(void **state) {
    for (size_t i = 0; i < 4 * TRANSFORMER_KIND_COUNT; i++) {
        const TransformerShape shape = {
            .kind = (TransformerKind)(i / 4),
            .d_model = i % 4 == 3 ? 1 : 6,
            .heads = i % 4 == 3 ? 1 : 3,
            .d_ff = i % 4 == 3 ? 1 : 5,
            .encoder_layers = 2,
            .decoder_layers = 3,
            .source_vocabulary = 7,
            .target_vocabulary = 9,
            .first_output = i % 2,
            .epsilon = 1e-5,
            .final_norm = i % 2 == 0,
            .biases = i % 4 < 2,
        };
        Bench bench = bench_of_pytorch();
        bench.reference->shape = shape;
        Transformer first, second;
        Safetensors file = {0};
        Random random;
        Tape *tape = tape_create(bench.arena);
        random_init(&random, i);
        assert_true(transformer_append(tape, bench.arena, &shape, &bench.reference->input,
                                       transformer_random_weights(&random), &first,
                                       &bench.error));
        file.tensors = weights_tensors(bench.arena, &shape,
                                       weights_of_model(bench.arena, tape, &first),
                                       SAFETENSORS_F64, &file.count);
        bench_write(&bench, &file);
        bench_must_read(&bench);
        Tape *again = bench_model(&bench, &second);
        assert_int_equal(tape_count(tape), tape_count(again));
        for (size_t j = 0; j < tape_count(tape); j++) {
            const Tensor *a = &tape_node(tape, j)->output;
            assert_close(a->values, tape_node(again, j)->output.values, tensor_cells(a),
                         0);
        }
        bench_free(&bench);
    }
}

/* ---- damaged files ---- */

/* The header's numbers are where most damage is done. */
static void change_number(uint8_t *bytes, size_t length, Random *random) {
    size_t header = 8 + (size_t)bytes[0] + ((size_t)bytes[1] << 8);
    size_t begin = 8 + random_below(random, header - 8);
    for (size_t i = begin; i < header && i < length; i++) {
        if (bytes[i] < '0' || bytes[i] > '9')
            continue;
        bytes[i] = (uint8_t)('0' + random_below(random, 10));
        if (random_below(random, 2))
            return;
    }
}

/* Changes a copy of the file; returns its new length. */
static size_t damage(uint8_t *bytes, size_t length, size_t header, Random *random) {
    size_t at, count = 1 + random_below(random, 3);
    switch (random_below(random, 7)) {
    case 0: /* bits of the header */
        for (; count > 0; count--)
            bytes[8 + random_below(random, header)] ^=
                (uint8_t)(1 << random_below(random, 8));
        return length;
    case 1: /* its length */
        bytes[random_below(random, 8)] = (uint8_t)random_below(random, 256);
        return length;
    case 2: /* cut short */
        return random_below(random, length);
    case 3: /* too long */
        bytes[length] = (uint8_t)random_below(random, 256);
        return length + 1;
    case 4: /* a piece of the header somewhere else */
        at = 8 + random_below(random, header - 40);
        memmove(bytes + 8 + random_below(random, header - 40), bytes + at,
                1 + random_below(random, 40));
        return length;
    case 5: /* bits of a number's sign and exponent */
        at = 8 + header + 8 * random_below(random, (length - header - 8) / 8) + 6;
        bytes[at + 1] ^= (uint8_t)random_below(random, 256);
        bytes[at] |= (uint8_t)random_below(random, 256);
        return length;
    default:
        change_number(bytes, length, random);
        return length;
    }
}

static void test_five_hundred_damaged_files_load_or_are_told_of(void **state) {
    Bench bench = bench_of_pytorch();
    size_t loaded = 0, refused = 0, codes[ERROR_USAGE + 1] = {0};
    size_t length = bench.file.length;
    size_t header = (size_t)bench.file.bytes[0] + ((size_t)bench.file.bytes[1] << 8);
    assert_int_equal(header % 8, 0);
    for (size_t i = 0; i < DAMAGED_FILES; i++) {
        Arena *arena = arena_create(PLENTY);
        Random random;
        Weights weights;
        Error error = {0};
        random_init(&random, i);
        uint8_t *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, bench.file.bytes, length);
        size_t left = damage(copy, length, header, &random);
        /* exactly as many bytes, so that AddressSanitizer sees one read too far */
        uint8_t *bytes = malloc(left ? left : 1);
        assert_non_null(bytes);
        memcpy(bytes, copy, left);
        if (weights_read(&weights, arena, "a", bytes, left, &bench.reference->shape,
                         &error)) {
            bench.weights = weights;
            Transformer model;
            bench_model(&bench, &model);
            loaded++;
        } else {
            assert_int_not_equal(error.code, ERROR_NONE);
            assert_int_equal(strncmp(error.message, "a: ", 3), 0);
            assert_true(strlen(error.message) > 20);
            codes[error.code]++;
            refused++;
        }
        free(copy);
        free(bytes);
        arena_destroy(arena);
    }
    assert_int_equal(loaded + refused, DAMAGED_FILES);
    assert_true(refused > 300);
    assert_true(loaded > 10); /* numbers may change and still be numbers */
    assert_true(codes[ERROR_SYNTAX] && codes[ERROR_SHAPE] && codes[ERROR_NAME] &&
                codes[ERROR_VALUE] && codes[ERROR_LIMIT] && codes[ERROR_ENCODING]);
    bench_free(&bench);
}

/* A read under a guard. */
typedef struct GuardedRead {
    const Bench *bench;
    Arena *arena;
    Error error;
    bool good;
} GuardedRead;

static void read_guarded(void *context) {
    GuardedRead *this = context;
    const Bench *bench = this->bench;
    Weights weights;
    this->good = weights_read(&weights, this->arena, "a", bench->file.bytes,
                              bench->file.length, &bench->reference->shape, &this->error);
}

static void test_short_memory_is_an_error_wherever_it_comes(void **state) {
    Bench bench = bench_of_pytorch();
    bool good = false;
    size_t failures = 0;
    for (size_t limit = 0; !good && limit < PLENTY; limit += 1009) {
        Arena *arena = arena_create(limit);
        GuardedRead read = {.bench = &bench, .arena = arena};
        bool whole = arena_guard(arena, read_guarded, &read);
        good = whole && read.good;
        failures += !good;
        if (whole && !good)
            assert_int_equal(read.error.code, ERROR_MEMORY);
        arena_destroy(arena);
    }
    assert_true(good);
    assert_true(failures > 5);
    bench_free(&bench);
}

/* ---- in a lesson ---- */

#define LESSON                                                                           \
    "title: t\n"                                                                         \
    "model:\n"                                                                           \
    "  d_model: 8\n"                                                                     \
    "  heads: 2\n"                                                                       \
    "  layers: 2\n"                                                                      \
    "  d_ff: 16\n"                                                                       \
    "  final_norm: true\n"                                                               \
    "  source: [3, 1, 4, 6, 0]\n"                                                        \
    "  target: [2, 7, 1, 8]\n"
#define WORDS "  vocabulary: 6\n  target_vocabulary: 8\n"
#define WEIGHTS "  weights: {file: weights.safetensors}\n"

/* A lesson as if it stood in tests/reference, where the file is. */
static Lesson *lesson_beside(const char *text, ErrorList *errors) {
    static char path[1000];
    const char *source = getenv("GLASSFORMER_SOURCE");
    snprintf(path, sizeof path, "%s/tests/reference/t.yaml", source ? source : ".");
    return lesson_parse(path, text, strlen(text), NULL, errors);
}

static void test_a_lesson_steps_through_a_files_model(void **state) {
    Bench bench = bench_of_pytorch();
    ErrorList errors = {0};
    Lesson *lesson = lesson_beside(LESSON WORDS WEIGHTS, &errors);
    if (!lesson)
        error_list_print(&errors, stderr);
    assert_non_null(lesson);
    assert_pytorchs_numbers(bench.reference, lesson->tape, lesson->model);
    lesson_destroy(lesson);
    bench_free(&bench);
}

/* PyTorch's softmax has a column more, and so smaller shares. */
static void test_a_files_model_says_that_padding_is_left_out(void **state) {
    ErrorList errors = {0};
    Lesson *lesson = lesson_beside(LESSON WORDS WEIGHTS, &errors);
    assert_non_null(lesson);
    const LessonStep *last = &lesson->steps[lesson->step_count - 1];
    assert_int_equal(last->result, lesson->model->probabilities);
    assert_string_equal(last->say.key, "say.probabilities_of_file");
    assert_contains(last->formula, "\\op{ID} > 0");
    assert_string_equal(last[-1].say.key, "say.logits_of_file");
    lesson_destroy(lesson);
    lesson = lesson_beside(LESSON WORDS, &errors);
    assert_non_null(lesson);
    assert_null(lesson->steps[lesson->step_count - 1].say.key);
    lesson_destroy(lesson);
}

static void
test_a_lessons_file_that_does_not_fit_is_told_of_with_its_place(void **state) {
    static const BadText cases[] = {
        {LESSON WORDS "  weights: {file: none.safetensors}\n", ERROR_FILE, 12, 19,
         "none.safetensors' can't be read: No such file"},
        {LESSON WORDS "  weights: {file: .}\n", ERROR_FILE, 12, 19,
         "it is not a regular file"},
        {LESSON WORDS "  weights: {file: ../gone}\n", ERROR_FILE, 12, 19,
         "'../gone' leads out of the lesson's folder"},
        {LESSON WORDS "  weights: {file: weights.txt}\n", ERROR_LIMIT, 12, 19,
         "weights.txt: its header would be"},
        {LESSON WORDS "  weights: {file: types.safetensors}\n", ERROR_NAME, 12, 19,
         "types.safetensors: its names are of none of the layouts that are read"},
        {LESSON "  vocabulary: 7\n  target_vocabulary: 8\n" WEIGHTS, ERROR_SHAPE, 12, 19,
         "a vocabulary of 6 would fit"},
        {LESSON "  vocabulary: [a, b, c, d, e, f]\n  target_vocabulary: [a, b, c, d, e, "
                "f, g, h, i]\n" WEIGHTS,
         ERROR_SHAPE, 12, 19, "a vocabulary of 8 would fit"},
        {LESSON WORDS "  weights: {file: weights.safetensors, random: 1}\n", ERROR_VALUE,
         12, 40, "has 'file:' or 'random:', not both"},
        {LESSON WORDS "  weights: {file: ''}\n", ERROR_VALUE, 12, 19, "file"},
        {LESSON WORDS "  weights: {file: [a]}\n", ERROR_VALUE, 12, 19, "file"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ErrorList errors = {0};
        Lesson *lesson = lesson_beside(cases[i].text, &errors);
        assert_null(lesson);
        assert_only_error(&errors, &cases[i]);
    }
}

/* Opening a pipe without a writer would wait forever. */
static void test_a_pipe_is_no_file(void **state) {
    static const char text[] = LESSON WORDS "  weights: {file: pipe}\n";
    char folder[] = "/tmp/glassformer-test-XXXXXX", pipe[64], path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    snprintf(path, sizeof path, "%s/lesson.yaml", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    ErrorList errors = {0};
    assert_null(lesson_parse(path, text, strlen(text), NULL, &errors));
    assert_int_equal(errors.items[0].code, ERROR_FILE);
    assert_contains(errors.items[0].message, "it is not a regular file");
    unlink(pipe);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_state_dict_steps_through_with_pytorchs_numbers),
        cmocka_unit_test(test_the_transformers_names_may_have_its_own_before_them),
        cmocka_unit_test(test_a_trainings_state_is_passed_over),
        cmocka_unit_test(test_without_biases_the_norms_may_have_none),
        cmocka_unit_test(test_what_does_not_fit_is_said_with_what_would),
        cmocka_unit_test(test_a_model_of_another_kind_is_told_of),
        cmocka_unit_test(test_each_tensor_must_be_there),
        cmocka_unit_test(test_no_tensor_may_be_there_that_the_model_has_not),
        cmocka_unit_test(test_axes_must_be_as_many_as_pytorchs),
        cmocka_unit_test(test_a_number_that_is_not_finite_is_named),
        cmocka_unit_test(test_a_models_parameters_are_written_as_pytorch_saves_them),
        cmocka_unit_test(test_what_was_written_is_the_same_model_again),
        cmocka_unit_test(test_five_hundred_damaged_files_load_or_are_told_of),
        cmocka_unit_test(test_short_memory_is_an_error_wherever_it_comes),
        cmocka_unit_test(test_a_lesson_steps_through_a_files_model),
        cmocka_unit_test(test_a_files_model_says_that_padding_is_left_out),
        cmocka_unit_test(test_a_lessons_file_that_does_not_fit_is_told_of_with_its_place),
        cmocka_unit_test(test_a_pipe_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
