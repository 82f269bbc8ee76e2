#include "base/arena.h"
#include "base/error.h"
#include "close.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include "model/build/layers.h"

#include "base/random.h"
#include "tensor/operations/kernels.h"

#include <stdlib.h>
#include <string.h>

/* A tape with given tensors of random numbers on it. */
typedef struct Bench {
    Arena *arena;
    Tape *tape;
    Random random;
    Error error;
} Bench;

static Bench bench_new(void) {
    Bench bench = {.arena = arena_create((size_t)16 << 20)};
    bench.tape = tape_create(bench.arena);
    random_init(&bench.random, 3);
    return bench;
}

static size_t bench_given(Bench *bench, const char *name, size_t rows, size_t cols) {
    Tensor tensor = {.rows = rows, .cols = cols};
    size_t node;
    tensor.values = arena_alloc(bench->arena, rows * cols, sizeof *tensor.values);
    for (size_t i = 0; i < rows * cols; i++)
        tensor.values[i] = random_normal(&bench->random);
    assert_true(tape_given(bench->tape, name, tensor, &node, &bench->error));
    return node;
}

static const Tensor *output_of(const Bench *bench, size_t node) {
    return &tape_node(bench->tape, node)->output;
}

static void assert_error(const Bench *bench, ErrorCode code, const char *words) {
    if (bench->error.code != code || !strstr(bench->error.message, words)) {
        print_error("gave %d: %s\n", bench->error.code, bench->error.message);
        fail();
    }
}

/* ---- one head ---- */

static void test_attention_keeps_every_part_under_its_name(void **state) {
    Bench bench = bench_new();
    size_t q = bench_given(&bench, "Q", 3, 4), k = bench_given(&bench, "K", 5, 4);
    size_t v = bench_given(&bench, "V", 5, 2), mask = bench_given(&bench, "M", 3, 5);
    size_t node;
    assert_true(attention_append(bench.tape, "attention", "A", q, k, v, mask, &node,
                                 &bench.error));
    static const char *const names[] = {"K.T",      "A.scores",  "sqrt(4)", "A.scaled",
                                        "A.masked", "A.weights", "A"};
    static const bool quiet[] = {true, false, true, false, false, false, false};
    assert_int_equal(tape_count(bench.tape), 4 + 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(tape_node(bench.tape, 4 + i)->name, names[i]);
        assert_int_equal(tape_node(bench.tape, 4 + i)->quiet, quiet[i]);
        assert_int_equal(tape_node(bench.tape, 4 + i)->group, 0);
    }
    assert_string_equal(tape_group(bench.tape, 0)->name, "attention");
    assert_int_equal(tape_group(bench.tape, 0)->first, 4);
    assert_int_equal(tape_group(bench.tape, 0)->count, 7);
    assert_int_equal(node, 10);
    assert_int_equal(output_of(&bench, node)->rows, 3);
    assert_int_equal(output_of(&bench, node)->cols, 2);
    const Tensor *weights = output_of(&bench, tape_find(bench.tape, "A.weights"));
    for (size_t i = 0; i < 3; i++) {
        double total = 0, one = 1;
        for (size_t j = 0; j < 5; j++)
            total += tensor_at(weights, i, j);
        assert_close(&total, &one, 1, 1e-12);
    }
    arena_destroy(bench.arena);
}

static void test_a_mask_of_minus_infinity_hides_keys(void **state) {
    Bench bench = bench_new();
    size_t q = bench_given(&bench, "Q", 2, 2), k = bench_given(&bench, "K", 2, 2);
    size_t v = bench_given(&bench, "V", 2, 3), mask = bench_given(&bench, "M", 1, 2);
    double *values = output_of(&bench, mask)->values;
    values[0] = 0;
    values[1] = -INFINITY;
    size_t node;
    assert_true(attention_append(bench.tape, "attention", "A", q, k, v, mask, &node,
                                 &bench.error));
    const double *first_value = output_of(&bench, v)->values;
    assert_close(output_of(&bench, node)->values, first_value, 3, 0);
    assert_close(output_of(&bench, node)->values + 3, first_value, 3, 0);
    arena_destroy(bench.arena);
}

static void test_attention_refuses_shapes_that_disagree(void **state) {
    Bench bench = bench_new();
    size_t a = bench_given(&bench, "", 3, 4), b = bench_given(&bench, "", 5, 3);
    size_t c = bench_given(&bench, "", 5, 4), mask = bench_given(&bench, "", 5, 3), node;
    size_t before = tape_count(bench.tape);
    assert_false(
        attention_append(bench.tape, "g", "A", a, b, c, TAPE_NONE, &node, &bench.error));
    assert_error(&bench, ERROR_SHAPE, "Q is [3,4] and K is [5,3]");
    assert_false(
        attention_append(bench.tape, "g", "A", a, c, a, TAPE_NONE, &node, &bench.error));
    assert_error(&bench, ERROR_SHAPE, "K is [5,4] and V is [3,4]");
    assert_false(
        attention_append(bench.tape, "g", "A", a, c, c, mask, &node, &bench.error));
    assert_error(&bench, ERROR_SHAPE, "the mask is [5,3], but the scores are [3,5]");
    assert_int_equal(tape_count(bench.tape), before);
    assert_int_equal(tape_group_count(bench.tape), 0);
    arena_destroy(bench.arena);
}

/* ---- several heads ---- */

static void test_each_head_is_an_attention_of_its_own_columns(void **state) {
    Bench bench = bench_new();
    size_t x = bench_given(&bench, "X", 3, 6), w_o = bench_given(&bench, "W_O", 6, 6);
    AttentionWeights w = {bench_given(&bench, "W_Q", 6, 6),
                          bench_given(&bench, "W_K", 6, 6),
                          bench_given(&bench, "W_V", 6, 6),
                          w_o,
                          NULL,
                          {0}};
    size_t node, head, q, k, v;
    assert_true(attention_multi_head_append(bench.tape, "multi_head_attention", "A", x, x,
                                            w, 3, TAPE_NONE, &node, &bench.error));
    static const char *const groups[] = {"multi_head_attention", "head_1", "head_2",
                                         "head_3"};
    assert_int_equal(tape_group_count(bench.tape), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(tape_group(bench.tape, i)->name, groups[i]);
        assert_int_equal(tape_group(bench.tape, i)->parent, i ? 0 : TAPE_NONE);
    }
    for (size_t h = 0; h < 3; h++) {
        char name[40];
        OperationOptions columns = {
            .row_end = 3, .col_begin = 2 * h, .col_end = 2 * h + 2};
        size_t all[] = {tape_find(bench.tape, "A.query"), tape_find(bench.tape, "A.key"),
                        tape_find(bench.tape, "A.value")};
        size_t *parts[] = {&q, &k, &v};
        for (size_t i = 0; i < 3; i++)
            assert_true(tape_append(bench.tape, OPERATION_SLICE, &all[i], 1, columns, "",
                                    parts[i], &bench.error));
        assert_true(attention_append(bench.tape, "g", "B", q, k, v, TAPE_NONE, &head,
                                     &bench.error));
        snprintf(name, sizeof name, "A.head_%zu.output", h + 1);
        const Tensor *own = output_of(&bench, tape_find(bench.tape, name));
        assert_close(own->values, output_of(&bench, head)->values, 6, 0);
        const Tensor *joined = output_of(&bench, tape_find(bench.tape, "A.concat"));
        for (size_t i = 0; i < 3; i++)
            assert_close(joined->values + i * 6 + 2 * h, own->values + i * 2, 2, 0);
    }
    assert_string_equal(tape_node(bench.tape, node)->name, "A");
    arena_destroy(bench.arena);
}

static void test_one_head_needs_no_slices(void **state) {
    Bench bench = bench_new();
    size_t x = bench_given(&bench, "X", 3, 2),
           memory = bench_given(&bench, "memory", 4, 5);
    AttentionWeights w = {bench_given(&bench, "W_Q", 2, 3),
                          bench_given(&bench, "W_K", 5, 3),
                          bench_given(&bench, "W_V", 5, 7),
                          bench_given(&bench, "W_O", 7, 2),
                          NULL,
                          {0}};
    size_t node;
    assert_true(attention_multi_head_append(bench.tape, "g", "A", x, memory, w, 1,
                                            TAPE_NONE, &node, &bench.error));
    assert_int_equal(output_of(&bench, node)->rows, 3);
    assert_int_equal(output_of(&bench, node)->cols, 2);
    for (size_t i = 0; i < tape_count(bench.tape); i++)
        assert_int_not_equal(tape_node(bench.tape, i)->operation, OPERATION_SLICE);
    assert_int_not_equal(tape_find(bench.tape, "A.head_1.scores"), TAPE_NONE);
    arena_destroy(bench.arena);
}

static void test_several_heads_refuse_shapes_that_disagree(void **state) {
    Bench bench = bench_new();
    size_t x = bench_given(&bench, "X", 3, 4), square = bench_given(&bench, "W", 4, 4);
    size_t wide = bench_given(&bench, "", 4, 6), low = bench_given(&bench, "", 3, 4),
           node;
    const struct {
        AttentionWeights weights;
        size_t heads;
        ErrorCode code;
        const char *words;
    } cases[] = {
        {{low, square, square, square, NULL, {0}},
         2,
         ERROR_SHAPE,
         "X [3,4] @ W_Q [3,4]: W_Q needs 4 rows"},
        {{square, low, square, square, NULL, {0}},
         2,
         ERROR_SHAPE,
         "memory [3,4] @ W_K [3,4]"},
        {{square, square, low, square, NULL, {0}},
         2,
         ERROR_SHAPE,
         "memory [3,4] @ W_V [3,4]"},
        {{square, wide, square, square, NULL, {0}},
         2,
         ERROR_SHAPE,
         "W_Q is [4,4] and W_K is [4,6]"},
        {{square, square, wide, square, NULL, {0}},
         2,
         ERROR_SHAPE,
         "W_O is [4,4], but the concatenated heads have 6 columns"},
        {{square, square, square, square, NULL, {0}},
         3,
         ERROR_VALUE,
         "W_Q has 4 columns, which can't be divided into 3 heads"},
        {{square, square, wide, square, NULL, {0}}, 4, ERROR_VALUE, "W_V has 6 columns"},
        {{square, square, square, square, NULL, {0}}, 0, ERROR_VALUE, "0 heads"},
        {{square, square, square, square, NULL, {0}},
         1000,
         ERROR_LIMIT,
         "1000 heads are too many"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(attention_multi_head_append(bench.tape, "g", "A", x, x,
                                                 cases[i].weights, cases[i].heads,
                                                 TAPE_NONE, &node, &bench.error));
        assert_error(&bench, cases[i].code, cases[i].words);
    }
    arena_destroy(bench.arena);
}

/* ---- layers ---- */

typedef struct EncoderLayer {
    AttentionWeights attention;
    size_t heads;
    NormWeights norm_1; /* behind the attention */
    FeedForwardWeights feed_forward;
    NormWeights norm_2;
    size_t mask; /* of the attention, or TAPE_NONE */
} EncoderLayer;

typedef struct DecoderLayer {
    AttentionWeights self_attention, cross_attention;
    size_t heads;
    NormWeights norm_1; /* behind the self-attention */
    NormWeights norm_2; /* behind the cross-attention */
    FeedForwardWeights feed_forward;
    NormWeights norm_3;
    size_t mask; /* of the self-attention, or TAPE_NONE */
} DecoderLayer;

static bool append_encoder(Tape *tape, const char *group, const char *path, size_t x,
                           const EncoderLayer *layer, size_t *node, Error *error) {
    const Sublayer sublayers[] = {
        {.kind = SUBLAYER_SELF_ATTENTION,
         .attention = layer->attention,
         .mask = layer->mask,
         .norm = layer->norm_1},
        {.kind = SUBLAYER_FEED_FORWARD,
         .feed_forward = layer->feed_forward,
         .norm = layer->norm_2},
    };
    const Layer general = {layer->heads, false, LAYER_NORM_EPSILON, 2, sublayers};
    return layers_append(tape, group, path, x, TAPE_NONE, &general, node, error);
}

static bool append_decoder(Tape *tape, const char *group, const char *path, size_t x,
                           size_t memory, const DecoderLayer *layer, size_t *node,
                           Error *error) {
    const Sublayer sublayers[] = {
        {.kind = SUBLAYER_SELF_ATTENTION,
         .attention = layer->self_attention,
         .mask = layer->mask,
         .norm = layer->norm_1},
        {.kind = SUBLAYER_CROSS_ATTENTION,
         .attention = layer->cross_attention,
         .mask = TAPE_NONE,
         .norm = layer->norm_2},
        {.kind = SUBLAYER_FEED_FORWARD,
         .feed_forward = layer->feed_forward,
         .norm = layer->norm_3},
    };
    const Layer general = {layer->heads, false, LAYER_NORM_EPSILON, 3, sublayers};
    return layers_append(tape, group, path, x, memory, &general, node, error);
}

static EncoderLayer encoder_new(Bench *bench, size_t d, size_t d_ff) {
    EncoderLayer layer = {.heads = 2, .mask = TAPE_NONE};
    layer.attention = (AttentionWeights){bench_given(bench, "W_Q", d, d),
                                         bench_given(bench, "W_K", d, d),
                                         bench_given(bench, "W_V", d, d),
                                         bench_given(bench, "W_O", d, d),
                                         NULL,
                                         {0}};
    layer.norm_1 =
        (NormWeights){bench_given(bench, "g1", 1, d), bench_given(bench, "b1", 1, d)};
    layer.norm_2 =
        (NormWeights){bench_given(bench, "g2", 1, d), bench_given(bench, "b2", 1, d)};
    layer.feed_forward = (FeedForwardWeights){.w_1 = bench_given(bench, "W_1", d, d_ff),
                                              .b_1 = bench_given(bench, "b_1", 1, d_ff),
                                              .w_2 = bench_given(bench, "W_2", d_ff, d),
                                              .b_2 = bench_given(bench, "b_2", 1, d)};
    return layer;
}

static void test_an_encoder_layer_opens_into_sublayers(void **state) {
    Bench bench = bench_new();
    size_t x = bench_given(&bench, "X", 3, 4), node;
    EncoderLayer layer = encoder_new(&bench, 4, 6);
    assert_true(
        append_encoder(bench.tape, "encoder_layer", "E", x, &layer, &node, &bench.error));
    static const struct {
        const char *name;
        size_t parent;
    } groups[] = {{"encoder_layer", TAPE_NONE},
                  {"self_attention", 0},
                  {"head_1", 1},
                  {"head_2", 1},
                  {"feed_forward", 0}};
    assert_int_equal(tape_group_count(bench.tape), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(tape_group(bench.tape, i)->name, groups[i].name);
        assert_int_equal(tape_group(bench.tape, i)->parent, groups[i].parent);
    }
    static const char *const names[] = {
        "E.self_attention",    "E.self_attention.head_2.weights",
        "E.residual_1",        "E.norm_1",
        "E.feed_forward.relu", "E.feed_forward",
        "E.residual_2",        "E"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_not_equal(tape_find(bench.tape, names[i]), TAPE_NONE);
    assert_int_equal(tape_find(bench.tape, "E"), node);
    assert_int_equal(output_of(&bench, node)->rows, 3);
    assert_int_equal(output_of(&bench, node)->cols, 4);
    arena_destroy(bench.arena);
}

static void test_a_muted_residual_is_what_the_sublayer_made(void **state) {
    Bench bench = bench_new();
    size_t x = bench_given(&bench, "X", 3, 4), node;
    EncoderLayer layer = encoder_new(&bench, 4, 6);
    assert_true(
        append_encoder(bench.tape, "encoder_layer", "E", x, &layer, &node, &bench.error));
    size_t made = tape_find(bench.tape, "E.self_attention");
    size_t sum = tape_find(bench.tape, "E.residual_1");
    assert_true(tape_mute(bench.tape, sum, true));
    assert_memory_equal(output_of(&bench, sum)->values, output_of(&bench, made)->values,
                        12 * sizeof(double));
    const Term *term = tape_explain(bench.tape, sum, 1, 2, bench.arena);
    assert_int_equal(term->kind, TERM_CELL);
    assert_int_equal(tape_node(bench.tape, sum)->inputs[term->input], made);
    assert_true(tape_mute(bench.tape, sum, false));
    assert_false(tape_changed(bench.tape, node));
    arena_destroy(bench.arena);
}

static void test_layers_refuse_shapes_that_disagree(void **state) {
    Bench bench = bench_new();
    size_t x = bench_given(&bench, "X", 3, 4), row = bench_given(&bench, "", 1, 3), node;
    size_t narrow = bench_given(&bench, "", 4, 2), two = bench_given(&bench, "", 1, 2);
    size_t out = bench_given(&bench, "", 6, 3);
    const EncoderLayer good = encoder_new(&bench, 4, 6);
    EncoderLayer layer;
    const struct {
        size_t *place, node;
        const char *words;
    } cases[] = {
        {&layer.norm_1.gamma, row, "gamma is [1,3], but must be [1,4]"},
        {&layer.norm_2.beta, row, "beta is [1,3], but must be [1,4]"},
        {&layer.attention.w_o, narrow, "W_O and W_2 need 4 columns"},
        {&layer.feed_forward.w_1, out, "X [3,4] @ W_1 [6,3]: W_1 needs 4 rows"},
        {&layer.feed_forward.b_1, two, "b_1 is [1,2], but must be [1,6]"},
        {&layer.feed_forward.w_2, narrow, "W_1 [4,6] @ W_2 [4,2]: W_2 needs 6 rows"},
        {&layer.feed_forward.b_2, two, "b_2 is [1,2], but must be [1,4]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        layer = good;
        *cases[i].place = cases[i].node;
        assert_false(
            append_encoder(bench.tape, "g", "E", x, &layer, &node, &bench.error));
        assert_error(&bench, ERROR_SHAPE, cases[i].words);
    }
    layer = good;
    assert_true(append_encoder(bench.tape, "g", "E", x, &layer, &node, &bench.error));
    arena_destroy(bench.arena);
}

/* A decoder's self-attention with a causal mask sees no later row, and its result does
 * not depend on one; cross-attention sees all of the memory. */
static void test_a_decoder_layer_looks_back_only(void **state) {
    Bench bench = bench_new();
    size_t x = bench_given(&bench, "X", 3, 4),
           memory = bench_given(&bench, "memory", 5, 4);
    EncoderLayer encoder = encoder_new(&bench, 4, 6), cross = encoder_new(&bench, 4, 6);
    DecoderLayer layer = {.self_attention = encoder.attention,
                          .cross_attention = cross.attention,
                          .heads = 2,
                          .norm_1 = encoder.norm_1,
                          .norm_2 = encoder.norm_2,
                          .norm_3 = cross.norm_1,
                          .feed_forward = encoder.feed_forward};
    size_t node;
    assert_true(tape_append(bench.tape, OPERATION_CAUSAL_MASK, NULL, 0,
                            (OperationOptions){.rows = 3, .cols = 3}, "M", &layer.mask,
                            &bench.error));
    assert_true(append_decoder(bench.tape, "decoder_layer", "D", x, memory, &layer, &node,
                               &bench.error));
    assert_int_not_equal(tape_find(bench.tape, "D.cross_attention.head_1.weights"),
                         TAPE_NONE);
    double before[12];
    memcpy(before, output_of(&bench, node)->values, sizeof before);
    assert_true(tape_edit(bench.tape, x, 2, 1, 9));
    const double *after = output_of(&bench, node)->values;
    assert_close(after, before, 8, 0);
    assert_true(after[8] != before[8]);
    tape_restore(bench.tape);
    assert_true(tape_edit(bench.tape, memory, 4, 0, 9));
    for (size_t i = 0; i < 3; i++)
        assert_true(output_of(&bench, node)->values[4 * i] != before[4 * i]);
    arena_destroy(bench.arena);
}

static void test_groups_are_closed_when_a_composite_fails(void **state) {
    Bench bench = bench_new();
    size_t x = bench_given(&bench, "X", 3, 4), bad = bench_given(&bench, "bad", 1, 1),
           node;
    EncoderLayer layer = encoder_new(&bench, 4, 6);
    layer.feed_forward.b_2 = bad;
    assert_false(append_encoder(bench.tape, "g", "E", x, &layer, &node, &bench.error));
    assert_true(tape_append(bench.tape, OPERATION_RELU, &x, 1, (OperationOptions){0}, "R",
                            &node, &bench.error));
    assert_int_equal(tape_node(bench.tape, node)->group, TAPE_NONE);
    arena_destroy(bench.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attention_keeps_every_part_under_its_name),
        cmocka_unit_test(test_a_mask_of_minus_infinity_hides_keys),
        cmocka_unit_test(test_attention_refuses_shapes_that_disagree),
        cmocka_unit_test(test_each_head_is_an_attention_of_its_own_columns),
        cmocka_unit_test(test_one_head_needs_no_slices),
        cmocka_unit_test(test_several_heads_refuse_shapes_that_disagree),
        cmocka_unit_test(test_an_encoder_layer_opens_into_sublayers),
        cmocka_unit_test(test_a_muted_residual_is_what_the_sublayer_made),
        cmocka_unit_test(test_layers_refuse_shapes_that_disagree),
        cmocka_unit_test(test_a_decoder_layer_looks_back_only),
        cmocka_unit_test(test_groups_are_closed_when_a_composite_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
