#include "model/build/layers.h"

#include "base/error.h"
#include "model/build/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- feed-forward ---- */

static const struct {
    const char *name;
    OperationKind bend; /* the activation */
    const char *formula;
} activations[ACTIVATION_COUNT] = {
#define LINEAR_1 "\\left(\\tensor{X} \\tensor{W_1} + \\tensor{b_1}\\right) "
#define LINEAR_2 "\\tensor{W_2} + \\tensor{b_2}"
    [ACTIVATION_RELU] = {"relu", OPERATION_RELU, "\\op{ReLU}" LINEAR_1 LINEAR_2},
    [ACTIVATION_GELU] = {"gelu", OPERATION_GELU, "\\op{GELU}" LINEAR_1 LINEAR_2},
    [ACTIVATION_GELU_TANH] = {"gelu_tanh", OPERATION_GELU_TANH,
                              "\\op{GELU}" LINEAR_1 LINEAR_2},
    [ACTIVATION_SILU] = {"silu", OPERATION_SILU, "\\op{SiLU}" LINEAR_1 LINEAR_2},
    [ACTIVATION_SWIGLU] = {"swiglu", OPERATION_SILU,
                           "\\left(\\op{SiLU}\\left(\\tensor{X} "
                           "\\tensor{W_gate}\\right) "
                           "\\odot \\tensor{X} \\tensor{W_up}\\right) "
                           "\\tensor{W_down}"},
#undef LINEAR_1
#undef LINEAR_2
};

const char *activation_name(Activation activation) {
    return activations[activation].name;
}

/* Names of its linear maps: the one before the activation, the last, and the one beside
 * the gate. */
typedef struct FeedForwardNames {
    const char *first, *w_1, *b_1, *last, *w_2, *b_2;
} FeedForwardNames;

static FeedForwardNames names_of(Activation activation) {
    return activation == ACTIVATION_SWIGLU
               ? (FeedForwardNames){"gate", "W_gate", "b_gate",
                                    "down", "W_down", "b_down"}
               : (FeedForwardNames){"linear_1", "W_1", "b_1", "linear_2", "W_2", "b_2"};
}

/* Checks x [·,n] w [n,m] + b [1,m]; b may be TAPE_NONE. */
static bool check_linear(Build build, const char *x_name, size_t x, const char *w_name,
                         size_t w, const char *b_name, size_t b) {
    char why[64];
    snprintf(why, sizeof why, "a number for each column of %s", w_name);
    return build_check_product(build, x_name, x, w_name, w) &&
           (b == TAPE_NONE ||
            build_check_shape(build, b_name, b, 1, build_tensor(build, w)->cols, why));
}

static bool check_feed_forward(Build build, size_t x, FeedForwardWeights w) {
    const FeedForwardNames names = names_of(w.activation);
    if (!check_linear(build, "X", x, names.w_1, w.w_1, names.b_1, w.b_1) ||
        !check_linear(build, names.w_1, w.w_1, names.w_2, w.w_2, names.b_2, w.b_2))
        return false;
    const Tensor *gate = build_tensor(build, w.w_1);
    return w.activation != ACTIVATION_SWIGLU ||
           (build_check_shape(build, "W_up", w.w_up, gate->rows, gate->cols,
                              "it stands beside W_gate") &&
            check_linear(build, "X", x, "W_up", w.w_up, "b_up", w.b_up));
}

static size_t append_feed_forward(Build build, size_t x, FeedForwardWeights w) {
    const FeedForwardNames names = names_of(w.activation);
    OperationKind bend = activations[w.activation].bend;
    size_t hidden = build_linear(build, x, w.w_1, w.b_1, names.first, names.first);
    hidden = build_unary(build, bend, hidden, operation_of(bend)->name);
    if (w.activation == ACTIVATION_SWIGLU) {
        size_t up = build_linear(build, x, w.w_up, w.b_up, "up", "up");
        hidden = build_binary(build, OPERATION_MULTIPLY, hidden, up, "gated");
    }
    return build_linear(build, hidden, w.w_2, w.b_2, names.last,
                        build_result(build, names.last));
}

bool layers_feed_forward_append(Tape *tape, const char *group, const char *path, size_t x,
                                FeedForwardWeights weights, size_t *node, Error *error) {
    Build build = {tape, group, path, error};
    if (!check_feed_forward(build, x, weights))
        return false;
    build_group_begin(build);
    *node = append_feed_forward(build, x, weights);
    tape_group_end(tape);
    return *node != TAPE_NONE;
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

/* The activation of the network whose result is `node`. */
static Activation activation_of(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    if (at->operation == OPERATION_ADD) /* skip the bias */
        at = tape_node(tape, at->inputs[0]);
    at = tape_node(tape, at->inputs[0]);
    if (at->operation == OPERATION_MULTIPLY)
        return ACTIVATION_SWIGLU;
    Activation found = ACTIVATION_RELU;
    while (found < ACTIVATION_SWIGLU && activations[found].bend != at->operation)
        found++;
    return found;
}

const char *layers_formula(const Tape *tape, const char *composite, size_t node) {
    static const struct {
        const char *composite, *formula;
    } formulas[] = {
        {"attention", one_head},
        {"head", one_head},
        {"multi_head_attention", several_heads},
        {"self_attention", several_heads},
        {"cross_attention", several_heads},
    };
    if (strcmp(composite, "feed_forward") == 0 || strcmp(composite, "swiglu") == 0)
        return activations[activation_of(tape, node)].formula;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        if (strcmp(formulas[i].composite, composite) == 0)
            return formulas[i].formula;
    }
    return NULL;
}

static size_t append_sublayer(Build build, const Layer *layer, const Sublayer *sublayer,
                              size_t x, size_t memory) {
    char path[BUILD_NAME_SIZE];
    Build inner = build_inner(build, sublayer_name(sublayer->kind), path);
    bool cross = sublayer->kind == SUBLAYER_CROSS_ATTENTION, appended = x != TAPE_NONE;
    size_t node = TAPE_NONE;
    if (appended && sublayer->kind == SUBLAYER_FEED_FORWARD)
        appended = layers_feed_forward_append(inner.tape, inner.group, inner.path, x,
                                              sublayer->feed_forward, &node, inner.error);
    else if (appended)
        appended = attention_multi_head_append(
            inner.tape, inner.group, inner.path, x, cross ? memory : x,
            sublayer->attention, layer->heads, sublayer->mask, &node, inner.error);
    return appended ? node : TAPE_NONE;
}

static size_t append_norm(Build build, const Layer *layer, NormWeights weights, size_t x,
                          const char *name) {
    static const char why[] = "a number for each column of X";
    if (x == TAPE_NONE)
        return x;
    size_t cols = build_tensor(build, x)->cols;
    return build_check_shape(build, "gamma", weights.gamma, 1, cols, why) &&
                   (weights.beta == TAPE_NONE ||
                    build_check_shape(build, "beta", weights.beta, 1, cols, why))
               ? build_norm(build, x, weights.gamma, weights.beta, layer->epsilon, name)
               : TAPE_NONE;
}

static size_t append_residual(Build build, size_t x, size_t added, const char *name) {
    if (added == TAPE_NONE)
        return added;
    const Tensor *in = build_tensor(build, x), *out = build_tensor(build, added);
    if (out->cols != in->cols) {
        error_set(build.error, ERROR_SHAPE, 0, 0,
                  "a sublayer gives [%zu,%zu], which can't be added to X with its "
                  "%zu columns; W_O and W_2 need %zu columns",
                  out->rows, out->cols, in->cols, in->cols);
        return TAPE_NONE;
    }
    size_t node = build_binary(build, OPERATION_ADD, x, added, name);
    if (node != TAPE_NONE) /* if muted, the layer lacks its residual connection */
        tape_set_stand_in(build.tape, node, 1);
    return node;
}

/* ---- layers ---- */

/* Appends sublayer `index` with its sum and norm; the last one's end is the layer's
 * result. */
static size_t append_step(Build build, const Layer *layer, size_t index, size_t x,
                          size_t memory) {
    const Sublayer *sublayer = &layer->sublayers[index];
    char residual[32], norm[32];
    snprintf(residual, sizeof residual, "residual_%zu", index + 1);
    snprintf(norm, sizeof norm, "norm_%zu", index + 1);
    bool last = index + 1 == layer->sublayer_count;
    if (layer->pre_norm) {
        size_t normal = append_norm(build, layer, sublayer->norm, x, norm);
        return append_residual(build, x,
                               append_sublayer(build, layer, sublayer, normal, memory),
                               last ? build_result(build, residual) : residual);
    }
    size_t sum = append_residual(
        build, x, append_sublayer(build, layer, sublayer, x, memory), residual);
    return append_norm(build, layer, sublayer->norm, sum,
                       last ? build_result(build, norm) : norm);
}

bool layers_append(Tape *tape, const char *group, const char *path, size_t x,
                   size_t memory, const Layer *layer, size_t *node, Error *error) {
    Build build = {tape, group, path, error};
    assert(layer->sublayer_count > 0);
    build_group_begin(build);
    for (size_t i = 0; x != TAPE_NONE && i < layer->sublayer_count; i++)
        x = append_step(build, layer, i, x, memory);
    tape_group_end(tape);
    *node = x;
    return x != TAPE_NONE;
}
