#include "model/build/layers.h"

#include "model/build/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- feed-forward ---- */

static bool check_feed_forward(Build build, size_t x, FeedForwardWeights w) {
    return build_check_product(build, "X", x, "W_1", w.w_1) &&
           (w.b_1 == TAPE_NONE ||
            build_check_shape(build, "b_1", w.b_1, 1, build_tensor(build, w.w_1)->cols,
                              "a number for each column of W_1")) &&
           build_check_product(build, "W_1", w.w_1, "W_2", w.w_2) &&
           (w.b_2 == TAPE_NONE ||
            build_check_shape(build, "b_2", w.b_2, 1, build_tensor(build, w.w_2)->cols,
                              "a number for each column of W_2"));
}

static bool append_feed_forward(Build build, size_t x, FeedForwardWeights w,
                                size_t *node) {
    size_t hidden;
    return build_linear(build, x, w.w_1, w.b_1, "linear_1", "linear_1", &hidden) &&
           build_unary(build, OPERATION_RELU, hidden, "relu", &hidden) &&
           build_linear(build, hidden, w.w_2, w.b_2, "linear_2",
                        build_result(build, "linear_2"), node);
}

bool layers_feed_forward_append(Tape *tape, const char *group, const char *path, size_t x,
                                FeedForwardWeights weights, size_t *node, Error *error) {
    Build build = {tape, group, path, error};
    if (!check_feed_forward(build, x, weights) || !build_group_begin(build))
        return false;
    bool appended = append_feed_forward(build, x, weights, node);
    tape_group_end(tape);
    return appended;
}

/* ---- sublayers ---- */

static const struct {
    const char *name, *torch_name;
} names[SUBLAYER_COUNT] = {
    [SUBLAYER_SELF_ATTENTION] = {"self_attention", "self_attn"},
    [SUBLAYER_CROSS_ATTENTION] = {"cross_attention", "multihead_attn"},
    [SUBLAYER_FEED_FORWARD] = {"feed_forward", ""},
};

const char *sublayer_name(SublayerKind kind) {
    return names[kind].name;
}

const char *sublayer_torch_name(SublayerKind kind) {
    return names[kind].torch_name;
}

static const char one_head[] = "\\op{softmax}\\left(\\frac{\\tensor{Q} \\tensor{K.T}}"
                               "{\\sqrt{d_k}}\\right) \\tensor{V}";
static const char several_heads[] =
    "\\op{concat}\\left(\\tensor{head_1}, \\ldots, \\tensor{head_h}\\right) "
    "\\tensor{W_O}";
static const char feed_forward[] =
    "\\op{ReLU}\\left(\\tensor{X} \\tensor{W_1} + \\tensor{b_1}\\right) \\tensor{W_2} + "
    "\\tensor{b_2}";

const char *layers_formula(const char *composite) {
    static const struct {
        const char *composite, *formula;
    } formulas[] = {
        {"attention", one_head},
        {"head", one_head},
        {"multi_head_attention", several_heads},
        {"self_attention", several_heads},
        {"cross_attention", several_heads},
        {"feed_forward", feed_forward},
    };
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        if (strcmp(formulas[i].composite, composite) == 0)
            return formulas[i].formula;
    }
    return NULL;
}

static bool append_sublayer(Build build, const Layer *layer, const Sublayer *sublayer,
                            size_t x, size_t memory, size_t *node) {
    char path[BUILD_NAME_SIZE];
    Build inner = build_inner(build, sublayer_name(sublayer->kind), path);
    if (sublayer->kind == SUBLAYER_FEED_FORWARD)
        return layers_feed_forward_append(inner.tape, inner.group, inner.path, x,
                                          sublayer->feed_forward, node, inner.error);
    bool cross = sublayer->kind == SUBLAYER_CROSS_ATTENTION;
    return attention_multi_head_append(inner.tape, inner.group, inner.path, x,
                                       cross ? memory : x, sublayer->attention,
                                       layer->heads, sublayer->mask, node, inner.error);
}

static bool append_norm(Build build, const Layer *layer, NormWeights weights, size_t x,
                        const char *name, size_t *node) {
    size_t cols = build_tensor(build, x)->cols;
    return build_check_shape(build, "gamma", weights.gamma, 1, cols,
                             "a number for each column of X") &&
           build_check_shape(build, "beta", weights.beta, 1, cols,
                             "a number for each column of X") &&
           build_layer_norm(build, x, weights.gamma, weights.beta, layer->epsilon, name,
                            node);
}

static bool append_residual(Build build, size_t x, size_t added, const char *name,
                            size_t *node) {
    const Tensor *in = build_tensor(build, x), *out = build_tensor(build, added);
    if (out->cols != in->cols)
        return error_set(build.error, ERROR_SHAPE, 0, 0,
                         "a sublayer gives [%zu,%zu], which can't be added to X with its "
                         "%zu columns; W_O and W_2 need %zu columns",
                         out->rows, out->cols, in->cols, in->cols);
    if (!build_binary(build, OPERATION_ADD, x, added, name, node))
        return false;
    tape_set_stand_in(build.tape, *node, 1); /* muted: a layer without its residual */
    return true;
}

/* ---- layers ---- */

/* Sublayer `index` with its sum and norm; the last one's end is the layer's result. */
static bool append_step(Build build, const Layer *layer, size_t index, size_t x,
                        size_t memory, size_t *node) {
    const Sublayer *sublayer = &layer->sublayers[index];
    char residual[32], norm[32];
    snprintf(residual, sizeof residual, "residual_%zu", index + 1);
    snprintf(norm, sizeof norm, "norm_%zu", index + 1);
    bool last = index + 1 == layer->sublayer_count;
    size_t out;
    if (layer->pre_norm)
        return append_norm(build, layer, sublayer->norm, x, norm, &out) &&
               append_sublayer(build, layer, sublayer, out, memory, &out) &&
               append_residual(build, x, out,
                               last ? build_result(build, residual) : residual, node);
    return append_sublayer(build, layer, sublayer, x, memory, &out) &&
           append_residual(build, x, out, residual, &out) &&
           append_norm(build, layer, sublayer->norm, out,
                       last ? build_result(build, norm) : norm, node);
}

bool layers_append(Tape *tape, const char *group, const char *path, size_t x,
                   size_t memory, const Layer *layer, size_t *node, Error *error) {
    Build build = {tape, group, path, error};
    assert(layer->sublayer_count > 0);
    if (!build_group_begin(build))
        return false;
    bool appended = true;
    for (size_t i = 0; appended && i < layer->sublayer_count; i++) {
        appended = append_step(build, layer, i, x, memory, node);
        x = *node;
    }
    tape_group_end(tape);
    return appended;
}
