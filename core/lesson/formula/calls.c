#include "lesson/formula/calls.h"

#include "model/build/layers.h"
#include "tensor/gradient.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { CALL_TENSORS_MAX = 64 };

/* Evaluates arguments [first, first + count) to nodes. */
static bool evaluate_arguments(Evaluation *evaluation, const Expression *expression,
                               size_t first, size_t count, size_t *nodes) {
    for (size_t i = 0; i < count; i++) {
        if (!evaluate(evaluation, expression->parts[first + i], "", &nodes[i]))
            return false;
    }
    return true;
}

/* A tensor that may be left out at the end: TAPE_NONE then. */
static bool evaluate_optional(Evaluation *evaluation, const Expression *expression,
                              size_t index, size_t *node) {
    *node = TAPE_NONE;
    return index >= expression->count ||
           evaluate(evaluation, expression->parts[index], "", node);
}

static bool evaluate_size(Evaluation *evaluation, const Expression *expression,
                          size_t index, const char *what, size_t *size) {
    double value;
    if (!evaluate_whole(evaluation, expression->parts[index], what, 1, TENSOR_MAX_CELLS,
                        &value))
        return false;
    *size = (size_t)value;
    return true;
}

/* ---- operations ---- */

/* All arguments are tensors: one operation of them. */
static bool append_operation(Evaluation *evaluation, const Call *call,
                             const Expression *expression, const char *name,
                             size_t *node) {
    size_t inputs[CALL_TENSORS_MAX];
    return evaluate_arguments(evaluation, expression, 0, expression->count, inputs) &&
           tape_append(evaluation->tape, call->operation, inputs, expression->count,
                       (OperationOptions){0}, name, node, evaluation->error);
}

static bool append_layer_norm(Evaluation *evaluation, const Call *call,
                              const Expression *expression, const char *name,
                              size_t *node) {
    size_t inputs[3], tensors = expression->count < 3 ? expression->count : 3;
    OperationOptions options = {.epsilon = LAYER_NORM_EPSILON};
    if (expression->count == 2)
        return evaluate_fail(evaluation, expression, ERROR_VALUE,
                             "layer_norm takes x alone, or x, gamma and beta");
    if (expression->count == 4) {
        const Expression *epsilon = expression->parts[3];
        if (!evaluate_number(evaluation, epsilon, "epsilon", &options.epsilon))
            return false;
        if (!(options.epsilon >= 0 && options.epsilon < INFINITY))
            return evaluate_fail(
                evaluation, epsilon, ERROR_VALUE,
                "epsilon is %g, but must be 0 or a small positive number "
                "like 1e-5",
                options.epsilon);
    }
    return evaluate_arguments(evaluation, expression, 0, tensors, inputs) &&
           tape_append(evaluation->tape, call->operation, inputs, tensors, options, name,
                       node, evaluation->error);
}

static bool append_one_hot(Evaluation *evaluation, const Call *call,
                           const Expression *expression, const char *name, size_t *node) {
    size_t ids;
    OperationOptions options = {0};
    return evaluate_arguments(evaluation, expression, 0, 1, &ids) &&
           evaluate_size(evaluation, expression, 1, "one_hot's n", &options.cols) &&
           tape_append(evaluation->tape, call->operation, &ids, 1, options, name, node,
                       evaluation->error);
}

static bool append_positional_encoding(Evaluation *evaluation, const Call *call,
                                       const Expression *expression, const char *name,
                                       size_t *node) {
    OperationOptions options = {0};
    return evaluate_size(evaluation, expression, 0, "positional_encoding's n",
                         &options.rows) &&
           evaluate_size(evaluation, expression, 1, "positional_encoding's d",
                         &options.cols) &&
           tape_append(evaluation->tape, call->operation, NULL, 0, options, name, node,
                       evaluation->error);
}

static bool append_causal_mask(Evaluation *evaluation, const Call *call,
                               const Expression *expression, const char *name,
                               size_t *node) {
    OperationOptions options = {0};
    if (!evaluate_size(evaluation, expression, 0, "causal_mask's n", &options.rows))
        return false;
    options.cols = options.rows;
    return tape_append(evaluation->tape, call->operation, NULL, 0, options, name, node,
                       evaluation->error);
}

static bool append_top_k(Evaluation *evaluation, const Call *call,
                         const Expression *expression, const char *name, size_t *node) {
    size_t logits;
    OperationOptions options = {0};
    return evaluate_arguments(evaluation, expression, 0, 1, &logits) &&
           evaluate_size(evaluation, expression, 1, "top_k's k", &options.keep) &&
           tape_append(evaluation->tape, call->operation, &logits, 1, options, name, node,
                       evaluation->error);
}

static bool append_top_p(Evaluation *evaluation, const Call *call,
                         const Expression *expression, const char *name, size_t *node) {
    size_t logits;
    OperationOptions options = {0};
    return evaluate_arguments(evaluation, expression, 0, 1, &logits) &&
           evaluate_number(evaluation, expression->parts[1], "top_p's p",
                           &options.share) &&
           tape_append(evaluation->tape, call->operation, &logits, 1, options, name, node,
                       evaluation->error);
}

/* gradient(L, W): the operations on the way back from L to W. */
static bool append_gradient(Evaluation *evaluation, const Call *call,
                            const Expression *expression, const char *name,
                            size_t *node) {
    size_t t[2];
    (void)call;
    for (size_t i = 0; i < 2; i++) {
        if (expression->parts[i]->kind != EXPRESSION_NAME)
            return evaluate_fail(evaluation, expression->parts[i], ERROR_VALUE,
                                 "gradient takes the names of two tensors; make this one "
                                 "in a step of its own first");
    }
    return evaluate_arguments(evaluation, expression, 0, 2, t) &&
           gradient_append(evaluation->tape, t[0], t[1], name, node, evaluation->error);
}

/* ---- composites ---- */

/* What a composite's nodes are named after: the statement's name, where the composite is
 * the whole statement; else that name and the function's, counted from the second on. */
static const char *composite_path(Evaluation *evaluation, const Call *call,
                                  const char *name) {
    const char *statement = evaluation->statement->name;
    size_t number = ++evaluation->composites;
    if (*name)
        return name;
    const char *prefix = statement ? statement : "", *dot = statement ? "." : "";
    return number == 1
               ? arena_format(evaluation->arena, "%s%s%s", prefix, dot, call->name)
               : arena_format(evaluation->arena, "%s%s%s_%zu", prefix, dot, call->name,
                              number);
}

/* A result that has no name of the lesson's is named like the composite's other nodes. */
static bool finish_composite(Evaluation *evaluation, const char *path, const char *name,
                             size_t node) {
    if (*name)
        return true;
    const char *output = arena_format(evaluation->arena, "%s.output", path);
    if (!output)
        return error_set(evaluation->error, ERROR_MEMORY, 0, 0,
                         "the lesson needs more memory than it may use");
    tape_rename(evaluation->tape, node, output);
    return true;
}

static bool no_path(Evaluation *evaluation) {
    return error_set(evaluation->error, ERROR_MEMORY, 0, 0,
                     "the lesson needs more memory than it may use");
}

static bool append_attention(Evaluation *evaluation, const Call *call,
                             const Expression *expression, const char *name,
                             size_t *node) {
    size_t t[3], mask;
    const char *path = composite_path(evaluation, call, name);
    if (!path)
        return no_path(evaluation);
    return evaluate_arguments(evaluation, expression, 0, 3, t) &&
           evaluate_optional(evaluation, expression, 3, &mask) &&
           attention_append(evaluation->tape, call->name, path, t[0], t[1], t[2], mask,
                            node, evaluation->error) &&
           finish_composite(evaluation, path, name, *node);
}

static bool append_multi_head_attention(Evaluation *evaluation, const Call *call,
                                        const Expression *expression, const char *name,
                                        size_t *node) {
    size_t t[6], heads, mask;
    const char *path = composite_path(evaluation, call, name);
    if (!path)
        return no_path(evaluation);
    return evaluate_arguments(evaluation, expression, 0, 6, t) &&
           evaluate_size(evaluation, expression, 6, "heads", &heads) &&
           evaluate_optional(evaluation, expression, 7, &mask) &&
           attention_multi_head_append(evaluation->tape, call->name, path, t[0], t[1],
                                       (AttentionWeights){t[2], t[3], t[4], t[5], NULL},
                                       heads, mask, node, evaluation->error) &&
           finish_composite(evaluation, path, name, *node);
}

static bool append_feed_forward(Evaluation *evaluation, const Call *call,
                                const Expression *expression, const char *name,
                                size_t *node) {
    size_t t[5];
    const char *path = composite_path(evaluation, call, name);
    if (!path)
        return no_path(evaluation);
    return evaluate_arguments(evaluation, expression, 0, 5, t) &&
           layers_feed_forward_append(evaluation->tape, call->name, path, t[0],
                                      (FeedForwardWeights){t[1], t[2], t[3], t[4]}, node,
                                      evaluation->error) &&
           finish_composite(evaluation, path, name, *node);
}

/* encoder_layer(X, W_Q, W_K, W_V, W_O, heads, gamma_1, beta_1, W_1, b_1, W_2, b_2,
 * gamma_2, beta_2[, M]) */
static bool append_encoder_layer(Evaluation *evaluation, const Call *call,
                                 const Expression *expression, const char *name,
                                 size_t *node) {
    size_t t[14];
    EncoderLayer layer;
    const char *path = composite_path(evaluation, call, name);
    if (!path)
        return no_path(evaluation);
    if (!evaluate_arguments(evaluation, expression, 0, 5, t) ||
        !evaluate_size(evaluation, expression, 5, "heads", &layer.heads) ||
        !evaluate_arguments(evaluation, expression, 6, 8, t + 6) ||
        !evaluate_optional(evaluation, expression, 14, &layer.mask))
        return false;
    layer.attention = (AttentionWeights){t[1], t[2], t[3], t[4], NULL};
    layer.norm_1 = (NormWeights){t[6], t[7]};
    layer.feed_forward = (FeedForwardWeights){t[8], t[9], t[10], t[11]};
    layer.norm_2 = (NormWeights){t[12], t[13]};
    return layers_encoder_append(evaluation->tape, call->name, path, t[0], &layer, node,
                                 evaluation->error) &&
           finish_composite(evaluation, path, name, *node);
}

/* decoder_layer(X, memory, W_Q, W_K, W_V, W_O, C_Q, C_K, C_V, C_O, heads, gamma_1,
 * beta_1, gamma_2, beta_2, W_1, b_1, W_2, b_2, gamma_3, beta_3[, M]) */
static bool append_decoder_layer(Evaluation *evaluation, const Call *call,
                                 const Expression *expression, const char *name,
                                 size_t *node) {
    size_t t[21];
    DecoderLayer layer;
    const char *path = composite_path(evaluation, call, name);
    if (!path)
        return no_path(evaluation);
    if (!evaluate_arguments(evaluation, expression, 0, 10, t) ||
        !evaluate_size(evaluation, expression, 10, "heads", &layer.heads) ||
        !evaluate_arguments(evaluation, expression, 11, 10, t + 11) ||
        !evaluate_optional(evaluation, expression, 21, &layer.mask))
        return false;
    layer.self_attention = (AttentionWeights){t[2], t[3], t[4], t[5], NULL};
    layer.cross_attention = (AttentionWeights){t[6], t[7], t[8], t[9], NULL};
    layer.norm_1 = (NormWeights){t[11], t[12]};
    layer.norm_2 = (NormWeights){t[13], t[14]};
    layer.feed_forward = (FeedForwardWeights){t[15], t[16], t[17], t[18]};
    layer.norm_3 = (NormWeights){t[19], t[20]};
    return layers_decoder_append(evaluation->tape, call->name, path, t[0], t[1], &layer,
                                 node, evaluation->error) &&
           finish_composite(evaluation, path, name, *node);
}

/* ---- the table ---- */

static double relu(double x) {
    return x < 0 ? 0 : x;
}

static const Call table[] = {
    {"softmax", 1, 1, "x", "softmax", NULL, OPERATION_SOFTMAX, append_operation},
    {"relu", 1, 1, "x", "ReLU", relu, OPERATION_RELU, append_operation},
    {"exp", 1, 1, "x", "exp", exp, OPERATION_EXP, append_operation},
    {"sqrt", 1, 1, "x", "sqrt", sqrt, OPERATION_SQRT, append_operation},
    {"sum", 1, 1, "x", "sum", NULL, OPERATION_SUM, append_operation},
    {"mean", 1, 1, "x", "mean", NULL, OPERATION_MEAN, append_operation},
    {"max", 1, 1, "x", "max", NULL, OPERATION_MAX, append_operation},
    {"argmax", 1, 1, "x", "argmax", NULL, OPERATION_ARGMAX, append_operation},
    {"one_hot", 2, 2, "ids, n", "onehot", NULL, OPERATION_ONE_HOT, append_one_hot},
    {"layer_norm", 1, 4, "x[, gamma, beta[, epsilon]]", "LayerNorm", NULL,
     OPERATION_LAYER_NORM, append_layer_norm},
    {"embed", 2, 2, "E, ids", "embed", NULL, OPERATION_EMBED, append_operation},
    {"positional_encoding", 2, 2, "n, d", "PE", NULL, OPERATION_POSITIONAL_ENCODING,
     append_positional_encoding},
    {"causal_mask", 1, 1, "n", "mask", NULL, OPERATION_CAUSAL_MASK, append_causal_mask},
    {"padding_mask", 1, 1, "ids", "padding", NULL, OPERATION_PADDING_MASK,
     append_operation},
    {"concat", 1, CALL_TENSORS_MAX, "a, b, …", "concat", NULL, OPERATION_CONCAT,
     append_operation},
    {"log", 1, 1, "x", "log", log, OPERATION_LOG, append_operation},
    {"cross_entropy", 2, 2, "logits, targets", "CE", NULL, OPERATION_CROSS_ENTROPY,
     append_operation},
    {"stack", 1, CALL_TENSORS_MAX, "a, b, …", "stack", NULL, OPERATION_STACK,
     append_operation},
    {"top_k", 2, 2, "logits, k", "top-k", NULL, OPERATION_TOP_K, append_top_k},
    {"top_p", 2, 2, "logits, p", "top-p", NULL, OPERATION_TOP_P, append_top_p},
    {"gradient", 2, 2, "L, W", "grad", NULL, OPERATION_BACKWARD, append_gradient},
    {"attention", 3, 4, "Q, K, V[, M]", "Attention", NULL, OPERATION_GIVEN,
     append_attention},
    {"multi_head_attention", 7, 8, "X, memory, W_Q, W_K, W_V, W_O, heads[, M]",
     "MultiHead", NULL, OPERATION_GIVEN, append_multi_head_attention},
    {"feed_forward", 5, 5, "X, W_1, b_1, W_2, b_2", "FFN", NULL, OPERATION_GIVEN,
     append_feed_forward},
    {"encoder_layer", 14, 15,
     "X, W_Q, W_K, W_V, W_O, heads, gamma_1, beta_1, W_1, b_1, W_2, b_2, gamma_2, "
     "beta_2[, M]",
     "Encoder", NULL, OPERATION_GIVEN, append_encoder_layer},
    {"decoder_layer", 21, 22,
     "X, memory, W_Q, W_K, W_V, W_O, C_Q, C_K, C_V, C_O, heads, gamma_1, beta_1, "
     "gamma_2, beta_2, W_1, b_1, W_2, b_2, gamma_3, beta_3[, M]",
     "Decoder", NULL, OPERATION_GIVEN, append_decoder_layer},
};

enum { CALL_COUNT = sizeof table / sizeof *table };

const Call *calls_lookup(const char *name) {
    for (size_t i = 0; i < CALL_COUNT; i++) {
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    }
    return NULL;
}

const char *calls_nearest(const char *name) {
    const char *names[CALL_COUNT];
    for (size_t i = 0; i < CALL_COUNT; i++)
        names[i] = table[i].name;
    return error_nearest(name, names, CALL_COUNT);
}
