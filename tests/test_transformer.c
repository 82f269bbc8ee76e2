#include "close.h"
#include "contains.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "transformer_reference.h"

enum { PLENTY = 64 << 20 };

/* A model on a tape of its own. */
typedef struct Bench {
    Arena *arena;
    Tape *tape;
    Transformer model;
    Error error;
} Bench;

static const TransformerShape small = {
    .kind = TRANSFORMER_ENCODER_DECODER,
    .d_model = 8,
    .heads = 2,
    .d_ff = 12,
    .encoder_layers = 2,
    .decoder_layers = 2,
    .source_vocabulary = 6,
    .target_vocabulary = 7,
    .epsilon = 1e-5,
    .final_norm = true,
    .biases = true,
};

static const double source_ids[] = {1, 5, 2, 4}, target_ids[] = {1, 3, 6};

static Tensor ids_of(Arena *arena, const double *ids, size_t count) {
    Tensor tensor = {.rows = 1, .cols = count};
    tensor.values = arena_alloc(arena, count, sizeof *ids);
    if (tensor.values)
        memcpy(tensor.values, ids, count * sizeof *ids);
    return tensor;
}

/* A model being built under a guard. */
typedef struct GuardedModel {
    Bench *bench;
    const TransformerShape *shape;
    uint64_t seed;
    bool good;
} GuardedModel;

static void build_guarded(void *context) {
    GuardedModel *this = context;
    Bench *bench = this->bench;
    Random random;
    random_init(&random, this->seed);
    bench->tape = tape_create(bench->arena);
    TransformerInput input = {.source = ids_of(bench->arena, source_ids, 4),
                              .target = ids_of(bench->arena, target_ids, 3)};
    this->good = transformer_append(bench->tape, bench->arena, this->shape, &input,
                                    transformer_random_weights(&random), &bench->model,
                                    &bench->error);
}

/* Builds a model with random weights; whether that went well is `*good`. */
static Bench bench_try(const TransformerShape *shape, uint64_t seed, size_t limit,
                       bool *good) {
    Bench bench = {.arena = arena_create(limit)};
    GuardedModel guarded = {&bench, shape, seed, false};
    *good = arena_guard(bench.arena, build_guarded, &guarded)
                ? guarded.good
                : error_set(&bench.error, ERROR_MEMORY, 0, 0, "no memory");
    return bench;
}

static Bench bench_new(const TransformerShape *shape) {
    bool good;
    Bench bench = bench_try(shape, 1, PLENTY, &good);
    if (!good)
        print_error("%s\n", bench.error.message);
    assert_true(good);
    return bench;
}

static size_t find(const Bench *bench, const char *name) {
    size_t node = tape_find(bench->tape, name);
    if (node == TAPE_NONE)
        print_error("there is no '%s'\n", name);
    assert_int_not_equal(node, TAPE_NONE);
    return node;
}

static const Tensor *output_of(const Bench *bench, const char *name) {
    return &tape_node(bench->tape, find(bench, name))->output;
}

/* ---- numbers ---- */

/* A part's result goes by its part's name even where the node is called memory. */
static const Tensor *reference_output(const Tape *tape, const Transformer *model,
                                      const char *name) {
    const TransformerPart *part = transformer_part(model, name);
    size_t node = part ? part->node : tape_find(tape, name);
    if (node == TAPE_NONE)
        print_error("there is no '%s'\n", name);
    assert_int_not_equal(node, TAPE_NONE);
    return &tape_node(tape, node)->output;
}

static void compare_model(ModelReference *reference) {
    Arena *arena = arena_create(PLENTY);
    Tape *tape = tape_create(arena);
    Transformer model;
    Error error;
    if (!transformer_append(tape, arena, &reference->shape, &reference->input,
                            (TransformerWeights){model_fill, reference}, &model,
                            &error)) {
        print_error("%s: %s\n", reference->name, error.message);
        fail();
    }
    for (size_t i = 0; i < reference->output_count; i++) {
        const ModelOutput *expected = &reference->outputs[i];
        const Tensor *actual = reference_output(tape, &model, expected->name);
        if (actual->rows != expected->tensor.rows ||
            actual->cols != expected->tensor.cols) {
            print_error("%s: %s is [%zu,%zu]\n", reference->name, expected->name,
                        actual->rows, actual->cols);
            fail();
        }
        for (size_t j = 0; j < tensor_cells(actual); j++) {
            double difference = fabs(actual->values[j] - expected->tensor.values[j]);
            if (!(difference <= 1e-10))
                print_error("%s: %s\n", reference->name, expected->name);
        }
        assert_close(actual->values, expected->tensor.values, tensor_cells(actual),
                     1e-10);
    }
    arena_destroy(arena);
}

static void test_every_sublayer_agrees_with_pytorch(void **state) {
    FILE *file = model_reference_open();
    ModelReference *reference = malloc(sizeof *reference);
    size_t models = 0, outputs = 0;
    assert_non_null(reference);
    reference->arena = arena_create(PLENTY);
    while (model_reference_next(file, reference)) {
        compare_model(reference);
        models++;
        outputs += reference->output_count;
    }
    assert_int_equal(models, 20);
    assert_true(outputs > 500);
    arena_destroy(reference->arena);
    free(reference);
    fclose(file);
}

/* ---- parameters ---- */

static void test_parameters_cover_pytorchs_tensors_exactly_once(void **state) {
    Bench bench = bench_new(&small);
    size_t cells = 0;
    for (size_t i = 0; i < bench.model.parameter_count; i++) {
        const TransformerParameter *a = &bench.model.parameters[i];
        size_t length = a->is_table ? a->rows : a->cols, covered = 0;
        assert_int_equal(a->torch_cols, a->is_table ? a->cols : a->rows);
        assert_true(a->torch_first + length <= a->torch_rows);
        for (size_t j = 0; j < bench.model.parameter_count; j++) {
            const TransformerParameter *b = &bench.model.parameters[j];
            assert_true(i == j || strcmp(a->name, b->name) != 0);
            if (strcmp(a->torch_name, b->torch_name) != 0)
                continue;
            assert_true(i == j || a->torch_first != b->torch_first);
            covered += b->is_table ? b->rows : b->cols;
        }
        assert_int_equal(covered, a->torch_rows);
        cells += a->rows * a->cols;
    }
    /* torch.nn.Transformer(8, 2, 2, 2, 12) has 2768 parameters; the rest is the tables'
     * and the generator's. */
    assert_int_equal(cells, 2768 + 6 * 8 + 7 * 8 + 7 * 8 + 7);
    arena_destroy(bench.arena);
}

static void test_parameters_have_pytorchs_names(void **state) {
    static const struct {
        const char *name, *torch_name;
        size_t rows, cols, torch_first;
    } expected[] = {
        {"encoder.embedding.table", "src_embed.weight", 6, 8, 0},
        {"encoder.0.self_attention.W_Q", "encoder.layers.0.self_attn.in_proj_weight", 8,
         8, 0},
        {"encoder.0.self_attention.b_K", "encoder.layers.0.self_attn.in_proj_bias", 1, 8,
         8},
        {"encoder.1.self_attention.W_V", "encoder.layers.1.self_attn.in_proj_weight", 8,
         8, 16},
        {"encoder.0.self_attention.W_O", "encoder.layers.0.self_attn.out_proj.weight", 8,
         8, 0},
        {"encoder.0.self_attention.b_O", "encoder.layers.0.self_attn.out_proj.bias", 1, 8,
         0},
        {"encoder.0.norm_1.gamma", "encoder.layers.0.norm1.weight", 1, 8, 0},
        {"encoder.0.feed_forward.W_1", "encoder.layers.0.linear1.weight", 8, 12, 0},
        {"encoder.0.feed_forward.b_2", "encoder.layers.0.linear2.bias", 1, 8, 0},
        {"encoder.norm.beta", "encoder.norm.bias", 1, 8, 0},
        {"decoder.1.cross_attention.W_K",
         "decoder.layers.1.multihead_attn.in_proj_weight", 8, 8, 8},
        {"decoder.1.norm_3.gamma", "decoder.layers.1.norm3.weight", 1, 8, 0},
        {"decoder.embedding.table", "tgt_embed.weight", 7, 8, 0},
        {"logits.W", "generator.weight", 8, 6, 1},
        {"logits.b", "generator.bias", 1, 6, 1},
    };
    TransformerShape shape = small;
    shape.first_output = 1;
    Bench bench = bench_new(&shape);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const TransformerParameter *parameter = bench.model.parameters;
        const TransformerParameter *end = parameter + bench.model.parameter_count;
        while (parameter < end && strcmp(parameter->name, expected[i].name) != 0)
            parameter++;
        assert_true(parameter < end);
        assert_string_equal(parameter->torch_name, expected[i].torch_name);
        assert_int_equal(parameter->rows, expected[i].rows);
        assert_int_equal(parameter->cols, expected[i].cols);
        assert_int_equal(parameter->torch_first, expected[i].torch_first);
        const TapeNode *node = tape_node(bench.tape, parameter->node);
        assert_int_equal(node->operation, OPERATION_GIVEN);
        assert_string_equal(node->name, parameter->name);
    }
    arena_destroy(bench.arena);
}

static void test_random_weights_start_as_stated(void **state) {
    TransformerShape shape = small;
    shape.d_model = 64;
    shape.d_ff = 128;
    shape.source_vocabulary = 500;
    Bench bench = bench_new(&shape);
    for (size_t i = 0; i < bench.model.parameter_count; i++) {
        const TransformerParameter *parameter = &bench.model.parameters[i];
        const Tensor *tensor = &tape_node(bench.tape, parameter->node)->output;
        size_t cells = tensor_cells(tensor);
        double sum = 0, squares = 0, largest = 0, n = (double)cells;
        for (size_t j = 0; j < cells; j++) {
            sum += tensor->values[j];
            squares += tensor->values[j] * tensor->values[j];
            largest = fmax(largest, fabs(tensor->values[j]));
        }
        if (strstr(parameter->name, "gamma")) {
            assert_true(sum == n && squares == n);
        } else if (strstr(parameter->name, "beta") || strstr(parameter->name, ".b_Q") ||
                   strstr(parameter->name, ".b_O")) {
            assert_true(largest == 0);
        } else if (parameter->is_table) {
            if (cells > 10000)
                assert_true(fabs(squares / n - 1) < 0.05);
        } else {
            /* Uniform within the bound: the variance is a third of its square. */
            double bound =
                parameter->rows == 1
                    ? 1 / sqrt(64)
                    : sqrt(6 / (double)(parameter->torch_rows + parameter->torch_cols));
            if (strstr(parameter->name, "b_2"))
                bound = 1 / sqrt(128);
            assert_true(largest <= bound);
            if (cells > 4000)
                assert_true(largest > bound * 0.99 &&
                            fabs(squares / n / (bound * bound / 3) - 1) < 0.1);
        }
    }
    arena_destroy(bench.arena);
}

static void test_a_seed_gives_one_model(void **state) {
    bool good;
    Bench one = bench_try(&small, 7, PLENTY, &good);
    Bench same = bench_try(&small, 7, PLENTY, &good);
    Bench other = bench_try(&small, 8, PLENTY, &good);
    const Tensor *a = output_of(&one, "probabilities");
    const Tensor *b = output_of(&same, "probabilities");
    const Tensor *c = output_of(&other, "probabilities");
    assert_int_equal(tensor_cells(a), 3 * 7);
    assert_memory_equal(a->values, b->values, tensor_cells(a) * sizeof(double));
    assert_true(memcmp(a->values, c->values, tensor_cells(a) * sizeof(double)) != 0);
    arena_destroy(one.arena);
    arena_destroy(same.arena);
    arena_destroy(other.arena);
}

/* ---- the tape ---- */

static void test_every_node_is_a_parameter_or_belongs_to_a_part(void **state) {
    for (int variant = 0; variant < 16; variant++) {
        TransformerShape shape = small;
        shape.kind = (TransformerKind)(variant % 3);
        shape.pre_norm = variant & 1;
        shape.final_norm = variant & 2;
        shape.scale_embedding = variant & 4;
        shape.biases = variant & 8;
        Bench bench = bench_new(&shape);
        size_t next = bench.model.parameter_count, given = 0;
        for (size_t i = 0; i < next; i++)
            assert_int_equal(bench.model.parameters[i].node, i);
        for (size_t i = 0; i < bench.model.part_count; i++) {
            const TransformerPart *part = &bench.model.parts[i];
            assert_ptr_equal(transformer_part(&bench.model, part->name), part);
            if (part->parent != TRANSFORMER_NONE) {
                const TransformerPart *layer = &bench.model.parts[part->parent];
                assert_int_equal(layer->kind, TRANSFORMER_LAYER);
                assert_true(part->first >= layer->first &&
                            part->first + part->count <= layer->first + layer->count);
                continue;
            }
            given += part->kind == TRANSFORMER_IDS;
            next += part->kind == TRANSFORMER_IDS;
            assert_int_equal(part->first, next);
            next += part->count;
            if (part->count)
                assert_int_equal(part->node, next - 1);
        }
        assert_int_equal(next, tape_count(bench.tape));
        assert_int_equal(given, shape.kind == TRANSFORMER_ENCODER_DECODER ? 2 : 1);
        arena_destroy(bench.arena);
    }
}

static void test_groups_nest_from_tower_to_head(void **state) {
    Bench bench = bench_new(&small);
    static const char *const path[] = {"decoder", "decoder.1",
                                       "decoder.1.cross_attention",
                                       "decoder.1.cross_attention.head.1"};
    size_t node = find(&bench, "decoder.1.cross_attention.head.1.scores");
    size_t group = tape_node(bench.tape, node)->group;
    for (size_t i = 4; i > 0; i--) {
        assert_int_not_equal(group, TAPE_NONE);
        assert_string_equal(tape_group(bench.tape, group)->name, path[i - 1]);
        group = tape_group(bench.tape, group)->parent;
    }
    assert_int_equal(group, TAPE_NONE);
    static const char *const names[] = {"source",
                                        "encoder.embedding",
                                        "encoder.position",
                                        "encoder.input",
                                        "encoder.0.self_attention.query_product",
                                        "encoder.0.self_attention.query",
                                        "encoder.0.self_attention.head.0.query",
                                        "encoder.0.self_attention.head.1.weights",
                                        "encoder.0.self_attention.head.1.output",
                                        "encoder.0.self_attention.concat",
                                        "encoder.0.self_attention.projected",
                                        "encoder.0.residual_1",
                                        "encoder.0.norm_1",
                                        "encoder.0.feed_forward.linear_1",
                                        "encoder.0.feed_forward.relu",
                                        "encoder.0.feed_forward.linear_2",
                                        "encoder.0.residual_2",
                                        "encoder.0.norm_2",
                                        "encoder.1.norm_2",
                                        "memory",
                                        "target",
                                        "decoder.mask",
                                        "decoder.1.self_attention.head.0.masked",
                                        "decoder.1.norm_3",
                                        "decoder.norm",
                                        "logits_product",
                                        "logits",
                                        "probabilities"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t at = find(&bench, names[i]);
        assert_true(i == 0 || at > find(&bench, names[i - 1]));
    }
    assert_int_equal(tape_find(bench.tape, "encoder.norm"), TAPE_NONE);
    assert_int_equal(transformer_part(&bench.model, "encoder.norm")->node,
                     bench.model.memory);
    assert_string_equal(
        transformer_part(&bench.model, "decoder.1.cross_attention")->torch_name,
        "decoder.layers.1.multihead_attn");
    assert_string_equal(transformer_part(&bench.model, "decoder.norm")->torch_name,
                        "decoder.norm");
    arena_destroy(bench.arena);
}

static void test_words_label_rows_and_chances(void **state) {
    static const char *const words[] = {"<pad>", "<sos>", "you", "win",
                                        "or",    "you",   "die"};
    static const char *const read[] = {"<sos>", "win", "die"};
    Bench bench = {.arena = arena_create(PLENTY)};
    Random random;
    random_init(&random, 1);
    bench.tape = tape_create(bench.arena);
    TransformerShape shape = small;
    shape.kind = TRANSFORMER_DECODER;
    shape.first_output = 1;
    TransformerInput input = {.target = ids_of(bench.arena, target_ids, 3),
                              .target_words = words};
    input.target.col_labels = read;
    assert_true(transformer_append(bench.tape, bench.arena, &shape, &input,
                                   transformer_random_weights(&random), &bench.model,
                                   &bench.error));
    assert_string_equal(output_of(&bench, "decoder.embedding.table")->row_labels[6],
                        "die");
    const Tensor *chances = output_of(&bench, "probabilities");
    assert_int_equal(chances->cols, 6);
    assert_string_equal(chances->row_labels[1], "win");
    assert_string_equal(chances->col_labels[0], "<sos>");
    const Tensor *weights = output_of(&bench, "decoder.1.self_attention.head.0.weights");
    assert_string_equal(weights->row_labels[2], "die");
    assert_string_equal(weights->col_labels[1], "win");
    arena_destroy(bench.arena);
}

/* ---- masks ---- */

static void test_the_decoder_never_sees_the_future(void **state) {
    Bench bench = bench_new(&small);
    const Tensor *chances = output_of(&bench, "probabilities");
    double before[3 * 7];
    memcpy(before, chances->values, sizeof before);
    assert_true(tape_edit(bench.tape, find(&bench, "target"), 0, 2, 2));
    assert_close(chances->values, before, 2 * 7, 0);
    assert_true(memcmp(chances->values + 14, before + 14, 7 * sizeof(double)) != 0);
    arena_destroy(bench.arena);
}

static void test_padding_is_never_looked_at(void **state) {
    static const double padded[] = {1, 5, 0, 0}, cut[] = {1, 5};
    double results[2][3 * 7];
    for (int i = 0; i < 2; i++) {
        Bench bench = {.arena = arena_create(PLENTY)};
        Random random;
        random_init(&random, 1);
        bench.tape = tape_create(bench.arena);
        TransformerInput input = {.source = i ? ids_of(bench.arena, cut, 2)
                                              : ids_of(bench.arena, padded, 4),
                                  .target = ids_of(bench.arena, target_ids, 3)};
        assert_true(transformer_append(bench.tape, bench.arena, &small, &input,
                                       transformer_random_weights(&random), &bench.model,
                                       &bench.error));
        const Tensor *chances = output_of(&bench, "probabilities");
        memcpy(results[i], chances->values, sizeof results[i]);
        if (i == 0) {
            const Tensor *shares =
                output_of(&bench, "decoder.0.cross_attention.head.0.weights");
            for (size_t row = 0; row < 3; row++)
                assert_true(tensor_at(shares, row, 2) == 0 &&
                            tensor_at(shares, row, 3) == 0);
        }
        arena_destroy(bench.arena);
    }
    assert_close(results[0], results[1], 3 * 7, 1e-12);
}

/* ---- what can't be ---- */

static void test_sizes_that_cannot_be_are_refused(void **state) {
    TransformerShape shape;
    const struct {
        size_t *place, value;
        const char *words;
    } cases[] = {
        {&shape.d_model, 0, "d_model is 0, but must be from 1"},
        {&shape.d_model, 5000, "d_model is 5000, but must be from 1 to 2048"},
        {&shape.heads, 0, "divided into 0 heads"},
        {&shape.heads, 3, "d_model is 8, which can't be divided into 3 heads"},
        {&shape.d_ff, 0, "d_ff is 0, but with d_model 8 it must be from 1 to 524288"},
        {&shape.d_ff, 1000000, "d_ff is 1000000"},
        {&shape.encoder_layers, 0, "encoder_layers is 0, but must be from 1 to 1000"},
        {&shape.decoder_layers, 1001, "decoder_layers is 1001"},
        {&shape.source_vocabulary, 0, "the encoder has 0 IDs"},
        {&shape.target_vocabulary, 600000, "the decoder has 600000 IDs"},
        {&shape.first_output, 7, "the model can generate IDs from 7 on"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Error error;
        shape = small;
        *cases[i].place = cases[i].value;
        assert_false(transformer_check(&shape, NULL, &error));
        assert_int_equal(error.code, ERROR_VALUE);
        if (!strstr(error.message, cases[i].words))
            print_error("%s\n", error.message);
        assert_contains(error.message, cases[i].words);
    }
    const double epsilons[] = {-1, INFINITY, NAN};
    for (size_t i = 0; i < 3; i++) {
        Error error;
        shape = small;
        shape.epsilon = epsilons[i];
        assert_false(transformer_check(&shape, NULL, &error));
        assert_contains(error.message, "epsilon");
    }
}

static void test_ids_that_are_no_rows_are_refused(void **state) {
    const double bad[] = {6, -1, 0.5, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Bench bench = {.arena = arena_create(PLENTY)};
        Random random;
        random_init(&random, 1);
        bench.tape = tape_create(bench.arena);
        TransformerInput input = {.source = ids_of(bench.arena, &bad[i], 1),
                                  .target = ids_of(bench.arena, target_ids, 3)};
        assert_false(transformer_append(bench.tape, bench.arena, &small, &input,
                                        transformer_random_weights(&random), &bench.model,
                                        &bench.error));
        assert_int_equal(bench.error.code, ERROR_VALUE);
        arena_destroy(bench.arena);
    }
}

static bool refuse_gamma(void *context, const TransformerParameter *parameter,
                         double *values, Error *error) {
    (void)context;
    (void)values;
    return strcmp(parameter->name, "encoder.1.norm_1.gamma") != 0 ||
           error_set(error, ERROR_NAME, 0, 0, "there is no %s", parameter->torch_name);
}

static void test_what_weights_refuse_is_passed_on(void **state) {
    Bench bench = {.arena = arena_create(PLENTY)};
    bench.tape = tape_create(bench.arena);
    TransformerInput input = {.source = ids_of(bench.arena, source_ids, 4),
                              .target = ids_of(bench.arena, target_ids, 3)};
    assert_false(transformer_append(bench.tape, bench.arena, &small, &input,
                                    (TransformerWeights){refuse_gamma, NULL},
                                    &bench.model, &bench.error));
    assert_int_equal(bench.error.code, ERROR_NAME);
    assert_string_equal(bench.error.message, "there is no encoder.layers.1.norm1.weight");
    arena_destroy(bench.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_sublayer_agrees_with_pytorch),
        cmocka_unit_test(test_parameters_cover_pytorchs_tensors_exactly_once),
        cmocka_unit_test(test_parameters_have_pytorchs_names),
        cmocka_unit_test(test_random_weights_start_as_stated),
        cmocka_unit_test(test_a_seed_gives_one_model),
        cmocka_unit_test(test_every_node_is_a_parameter_or_belongs_to_a_part),
        cmocka_unit_test(test_groups_nest_from_tower_to_head),
        cmocka_unit_test(test_words_label_rows_and_chances),
        cmocka_unit_test(test_the_decoder_never_sees_the_future),
        cmocka_unit_test(test_padding_is_never_looked_at),
        cmocka_unit_test(test_sizes_that_cannot_be_are_refused),
        cmocka_unit_test(test_ids_that_are_no_rows_are_refused),
        cmocka_unit_test(test_what_weights_refuse_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
