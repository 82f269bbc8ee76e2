#include "model/build/layers.h"

#include "base/error.h"
#include "model/build/build.h"

#include <stdio.h>

static bool check_mask(Build build, size_t mask, size_t n, size_t m) {
    const Tensor *tensor = build_tensor(build, mask);
    if ((tensor->rows == n || tensor->rows == 1) &&
        (tensor->cols == m || tensor->cols == 1))
        return true;
    return error_set(build.error, ERROR_SHAPE, 0, 0,
                     "the mask is [%zu,%zu], but the scores are [%zu,%zu]; the mask must "
                     "be [%zu,%zu], or one row [1,%zu] for all queries",
                     tensor->rows, tensor->cols, n, m, n, m, m);
}

static bool check_attention(Build build, size_t q, size_t k, size_t v, size_t mask) {
    const Tensor *query = build_tensor(build, q), *key = build_tensor(build, k);
    const Tensor *value = build_tensor(build, v);
    if (query->cols != key->cols)
        return error_set(
            build.error, ERROR_SHAPE, 0, 0,
            "Q is [%zu,%zu] and K is [%zu,%zu]; they need the same number of "
            "columns, d_k",
            query->rows, query->cols, key->rows, key->cols);
    if (key->rows != value->rows)
        return error_set(
            build.error, ERROR_SHAPE, 0, 0,
            "K is [%zu,%zu] and V is [%zu,%zu]; every key needs its value, so "
            "they need the same number of rows",
            key->rows, key->cols, value->rows, value->cols);
    return mask == TAPE_NONE || check_mask(build, mask, query->rows, key->rows);
}

static size_t append_attention(Build build, size_t q, size_t k, size_t v, size_t mask,
                               const char *result) {
    size_t d_k = build_tensor(build, q)->cols;
    size_t scores =
        build_binary(build, OPERATION_MATMUL, q, build_transpose(build, k), "scores");
    size_t scaled = build_binary(build, OPERATION_DIVIDE, scores,
                                 build_sqrt_constant(build, d_k), "scaled");
    if (mask != TAPE_NONE)
        scaled = build_binary(build, OPERATION_ADD, scaled, mask, "masked");
    size_t weights = build_unary(build, OPERATION_SOFTMAX, scaled, "weights");
    return build_binary(build, OPERATION_MATMUL, weights, v, result);
}

bool attention_append(Tape *tape, const char *group, const char *path, size_t q, size_t k,
                      size_t v, size_t mask, size_t *node, Error *error) {
    Build build = {tape, group, path, error};
    if (!check_attention(build, q, k, v, mask))
        return false;
    build_group_begin(build);
    *node = append_attention(build, q, k, v, mask, build_result(build, "output"));
    tape_group_end(tape);
    return *node != TAPE_NONE;
}

static bool check_heads(Build build, const char *name, size_t weights, size_t heads) {
    size_t cols = build_tensor(build, weights)->cols;
    if (heads && cols % heads == 0)
        return true;
    return error_set(build.error, ERROR_VALUE, 0, 0,
                     "%s has %zu columns, which can't be divided into %zu heads; the "
                     "number of heads must divide it",
                     name, cols, heads);
}

static bool check_biases(Build build, AttentionWeights w) {
    const AttentionBiases *b = w.biases;
    const struct {
        const char *name, *why;
        size_t bias, weights;
    } rows[] = {{"b_Q", "a number for each column of W_Q", b->b_q, w.w_q},
                {"b_K", "a number for each column of W_K", b->b_k, w.w_k},
                {"b_V", "a number for each column of W_V", b->b_v, w.w_v},
                {"b_O", "a number for each column of W_O", b->b_o, w.w_o}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!build_check_shape(build, rows[i].name, rows[i].bias, 1,
                               build_tensor(build, rows[i].weights)->cols, rows[i].why))
            return false;
    }
    return true;
}

/* Number of heads that have keys and values of their own; 0: the columns don't fit. */
static size_t count_shared(Build build, AttentionWeights w, size_t heads) {
    size_t each = build_tensor(build, w.w_q)->cols / heads;
    size_t cols = build_tensor(build, w.w_k)->cols, shared = cols / each;
    return cols % each || !shared || heads % shared ? 0 : shared;
}

static bool check_shared(Build build, AttentionWeights w, size_t heads, size_t *shared) {
    const Tensor *w_q = build_tensor(build, w.w_q), *w_k = build_tensor(build, w.w_k);
    *shared = count_shared(build, w, heads);
    if (*shared)
        return check_heads(build, "W_V", w.w_v, *shared);
    return error_set(build.error, ERROR_SHAPE, 0, 0,
                     "W_Q is [%zu,%zu] and W_K is [%zu,%zu]; queries and keys need the "
                     "same number of columns, or keys %zu for each of fewer heads, whose "
                     "number divides %zu",
                     w_q->rows, w_q->cols, w_k->rows, w_k->cols, w_q->cols / heads,
                     heads);
}

static bool check_multi_head(Build build, size_t x, size_t memory, AttentionWeights w,
                             size_t heads, size_t *shared) {
    if (!build_check_product(build, "X", x, "W_Q", w.w_q) ||
        !build_check_product(build, "memory", memory, "W_K", w.w_k) ||
        !build_check_product(build, "memory", memory, "W_V", w.w_v) ||
        !check_heads(build, "W_Q", w.w_q, heads) ||
        !check_shared(build, w, heads, shared))
        return false;
    size_t w_v_cols = build_tensor(build, w.w_v)->cols / *shared * heads;
    const Tensor *w_o = build_tensor(build, w.w_o);
    if (w_o->rows != w_v_cols)
        return error_set(build.error, ERROR_SHAPE, 0, 0,
                         "W_O is [%zu,%zu], but the concatenated heads have %zu columns; "
                         "W_O needs as many rows",
                         w_o->rows, w_o->cols, w_v_cols);
    return !w.biases || check_biases(build, w);
}

/* Inputs of all heads: x W_Q, memory W_K, memory W_V, the last two with the columns of
 * the heads that have their own. */
typedef struct Projections {
    size_t query, key, value;
    size_t heads, shared;
} Projections;

/* Appends head `head`, from 0: slices of its columns, and their attention. Lessons count
 * heads from 1, as formulas do; models from 0, as PyTorch's names do. */
static size_t append_head(Build build, Projections all, size_t head, size_t mask) {
    size_t d_k = build_tensor(build, all.query)->cols / all.heads;
    size_t d_v = build_tensor(build, all.value)->cols / all.shared;
    /* the head whose keys and values it uses */
    size_t from = head / (all.heads / all.shared), node = TAPE_NONE;
    char name[32], path[BUILD_NAME_SIZE];
    if (build.group)
        snprintf(name, sizeof name, "head_%zu", head + 1);
    else
        snprintf(name, sizeof name, "head.%zu", head);
    Build inner = build_inner(build, name, path);
    Projections own = all;
    build_group_begin(inner);
    if (all.heads > 1) {
        own.query =
            build_columns(inner, all.query, head * d_k, (head + 1) * d_k, "query");
        own.key = build_columns(inner, all.key, from * d_k, (from + 1) * d_k, "key");
        own.value =
            build_columns(inner, all.value, from * d_v, (from + 1) * d_v, "value");
    }
    if (own.query != TAPE_NONE && own.key != TAPE_NONE && own.value != TAPE_NONE &&
        check_attention(inner, own.query, own.key, own.value, mask))
        node = append_attention(inner, own.query, own.key, own.value, mask, "output");
    tape_group_end(build.tape);
    return node;
}

enum { HEADS_MAX = 256 };

/* Rotates each head's columns of x by the rows' positions. */
static size_t append_rotated(Build build, AttentionRotation rotation, size_t x,
                             size_t heads, const char *part) {
    return build_append(build, OPERATION_ROTARY, (const size_t[]){x, rotation.positions},
                        rotation.positions == TAPE_NONE ? 1 : 2,
                        (OperationOptions){.heads = heads, .base = rotation.base}, part);
}

static size_t append_multi_head(Build build, size_t x, size_t memory, AttentionWeights w,
                                size_t heads, size_t shared, size_t mask) {
    static const AttentionBiases none = {TAPE_NONE, TAPE_NONE, TAPE_NONE, TAPE_NONE};
    const AttentionBiases *b = w.biases ? w.biases : &none;
    size_t outputs[HEADS_MAX];
    Projections all = {.heads = heads, .shared = shared};
    all.query = build_linear(build, x, w.w_q, b->b_q, "query", "query");
    all.key = build_linear(build, memory, w.w_k, b->b_k, "key", "key");
    all.value = build_linear(build, memory, w.w_v, b->b_v, "value", "value");
    if (w.rotation.enabled) {
        all.query = append_rotated(build, w.rotation, all.query, heads, "query_rotated");
        all.key = append_rotated(build, w.rotation, all.key, shared, "key_rotated");
    }
    if (all.query == TAPE_NONE || all.key == TAPE_NONE || all.value == TAPE_NONE)
        return TAPE_NONE;
    for (size_t head = 0; head < heads; head++) {
        outputs[head] = append_head(build, all, head, mask);
        if (outputs[head] == TAPE_NONE)
            return TAPE_NONE;
    }
    size_t joined = heads == 1 ? outputs[0]
                               : build_append(build, OPERATION_CONCAT, outputs, heads,
                                              (OperationOptions){0}, "concat");
    return build_linear(build, joined, w.w_o, b->b_o, "projected",
                        build_result(build, "projected"));
}

bool attention_multi_head_append(Tape *tape, const char *group, const char *path,
                                 size_t x, size_t memory, AttentionWeights weights,
                                 size_t heads, size_t mask, size_t *node, Error *error) {
    Build build = {tape, group, path, error};
    if (heads > HEADS_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "%zu heads are too many; at most %d can be shown", heads,
                         HEADS_MAX);
    size_t shared;
    if (!check_multi_head(build, x, memory, weights, heads, &shared))
        return false;
    build_group_begin(build);
    *node = append_multi_head(build, x, memory, weights, heads, shared, mask);
    tape_group_end(tape);
    return *node != TAPE_NONE;
}
