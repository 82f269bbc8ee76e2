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

/* Appends the gate: silu(x W_gate) times x W_up. */
static bool append_gated(Build build, size_t x, FeedForwardWeights w, size_t *hidden) {
    size_t up;
    return build_linear(build, x, w.w_up, w.b_up, "up", "up", &up) &&
           build_binary(build, OPERATION_MULTIPLY, *hidden, up, "gated", hidden);
}

static bool append_feed_forward(Build build, size_t x, FeedForwardWeights w,
                                size_t *node) {
    const FeedForwardNames names = names_of(w.activation);
    OperationKind bend = activations[w.activation].bend;
    size_t hidden;
    return build_linear(build, x, w.w_1, w.b_1, names.first, names.first, &hidden) &&
           build_unary(build, bend, hidden, operation_of(bend)->name, &hidden) &&
           (w.activation != ACTIVATION_SWIGLU || append_gated(build, x, w, &hidden)) &&
           build_linear(build, hidden, w.w_2, w.b_2, names.last,
                        build_result(build, names.last), node);
}

bool layers_feed_forward_append(Tape *tape, const char *group, const char *path, size_t x,
                                FeedForwardWeights weights, size_t *node, Error *error) {
    Build build = {tape, group, path, error};
    if (!check_feed_forward(build, x, weights))
        return false;
    build_group_begin(build);
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
           (weights.beta == TAPE_NONE ||
            build_check_shape(build, "beta", weights.beta, 1, cols,
                              "a number for each column of X")) &&
           build_norm(build, x, weights.gamma, weights.beta, layer->epsilon, name, node);
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
    /* if muted, the layer lacks its residual connection */
    tape_set_stand_in(build.tape, *node, 1);
    return true;
}

/* ---- layers ---- */

/* Appends sublayer `index` with its sum and norm; the last one's end is the layer's
 * result. */
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
    build_group_begin(build);
    bool appended = true;
    for (size_t i = 0; appended && i < layer->sublayer_count; i++) {
        appended = append_step(build, layer, i, x, memory, node);
        x = *node;
    }
    tape_group_end(tape);
    return appended;
}
