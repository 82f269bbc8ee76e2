#include "model/layers.h"

#include "model/build.h"

#include <stdio.h>

static bool check_feed_forward(Build build, size_t x, FeedForwardWeights w) {
    return build_check_product(build, "X", x, "W_1", w.w_1) &&
           build_check_shape(build, "b_1", w.b_1, 1, build_tensor(build, w.w_1)->cols,
                             "a number for each column of W_1") &&
           build_check_product(build, "W_1", w.w_1, "W_2", w.w_2) &&
           build_check_shape(build, "b_2", w.b_2, 1, build_tensor(build, w.w_2)->cols,
                             "a number for each column of W_2");
}

static bool append_feed_forward(Build build, size_t x, FeedForwardWeights w,
                                size_t *node) {
    size_t wide, hidden;
    return build_binary(build, OPERATION_MATMUL, x, w.w_1, "wide", &wide) &&
           build_binary(build, OPERATION_ADD, wide, w.b_1, "wide_biased", &wide) &&
           build_unary(build, OPERATION_RELU, wide, "hidden", &hidden) &&
           build_binary(build, OPERATION_MATMUL, hidden, w.w_2, "narrow", &hidden) &&
           build_binary(build, OPERATION_ADD, hidden, w.b_2, "", node);
}

bool layers_feed_forward_append(Tape *tape, const char *group, const char *path, size_t x,
                                FeedForwardWeights weights, size_t *node, Error *error) {
    Build build = {tape, path, error};
    if (!check_feed_forward(build, x, weights) || !tape_group_begin(tape, group, error))
        return false;
    bool appended = append_feed_forward(build, x, weights, node);
    tape_group_end(tape);
    return appended;
}

/* layer norm of x + sublayer, named `residual` and `norm`. */
static bool append_add_norm(Build build, size_t x, size_t sublayer, NormWeights weights,
                            const char *residual, const char *norm, size_t *node) {
    size_t sum, cols = build_tensor(build, x)->cols;
    const Tensor *added = build_tensor(build, sublayer);
    if (added->cols != cols)
        return error_set(build.error, ERROR_SHAPE, 0, 0,
                         "a sublayer gives [%zu,%zu], which can't be added to X with its "
                         "%zu columns; W_O and W_2 need %zu columns",
                         added->rows, added->cols, cols, cols);
    return build_check_shape(build, "gamma", weights.gamma, 1, cols,
                             "a number for each column of X") &&
           build_check_shape(build, "beta", weights.beta, 1, cols,
                             "a number for each column of X") &&
           build_binary(build, OPERATION_ADD, x, sublayer, residual, &sum) &&
           build_layer_norm(build, sum, weights.gamma, weights.beta, norm, node);
}

static const char *sublayer_path(char out[BUILD_NAME_SIZE], Build build,
                                 const char *part) {
    return snprintf(out, BUILD_NAME_SIZE, "%s.%s", build.path, part) < 0 ? part : out;
}

static bool append_encoder(Build build, size_t x, const EncoderLayer *layer,
                           size_t *node) {
    char path[BUILD_NAME_SIZE];
    size_t sublayer, normed;
    return attention_multi_head_append(build.tape, "self_attention",
                                       sublayer_path(path, build, "self_attention"), x, x,
                                       layer->attention, layer->heads, layer->mask,
                                       &sublayer, build.error) &&
           append_add_norm(build, x, sublayer, layer->norm_1, "residual_1", "norm_1",
                           &normed) &&
           layers_feed_forward_append(build.tape, "feed_forward",
                                      sublayer_path(path, build, "feed_forward"), normed,
                                      layer->feed_forward, &sublayer, build.error) &&
           append_add_norm(build, normed, sublayer, layer->norm_2, "residual_2", "",
                           node);
}

bool layers_encoder_append(Tape *tape, const char *group, const char *path, size_t x,
                           const EncoderLayer *layer, size_t *node, Error *error) {
    Build build = {tape, path, error};
    if (!tape_group_begin(tape, group, error))
        return false;
    bool appended = append_encoder(build, x, layer, node);
    tape_group_end(tape);
    return appended;
}

static bool append_decoder(Build build, size_t x, size_t memory,
                           const DecoderLayer *layer, size_t *node) {
    char path[BUILD_NAME_SIZE];
    size_t sublayer, first, second;
    return attention_multi_head_append(build.tape, "self_attention",
                                       sublayer_path(path, build, "self_attention"), x, x,
                                       layer->self_attention, layer->heads, layer->mask,
                                       &sublayer, build.error) &&
           append_add_norm(build, x, sublayer, layer->norm_1, "residual_1", "norm_1",
                           &first) &&
           attention_multi_head_append(build.tape, "cross_attention",
                                       sublayer_path(path, build, "cross_attention"),
                                       first, memory, layer->cross_attention,
                                       layer->heads, TAPE_NONE, &sublayer, build.error) &&
           append_add_norm(build, first, sublayer, layer->norm_2, "residual_2", "norm_2",
                           &second) &&
           layers_feed_forward_append(build.tape, "feed_forward",
                                      sublayer_path(path, build, "feed_forward"), second,
                                      layer->feed_forward, &sublayer, build.error) &&
           append_add_norm(build, second, sublayer, layer->norm_3, "residual_3", "",
                           node);
}

bool layers_decoder_append(Tape *tape, const char *group, const char *path, size_t x,
                           size_t memory, const DecoderLayer *layer, size_t *node,
                           Error *error) {
    Build build = {tape, path, error};
    if (!tape_group_begin(tape, group, error))
        return false;
    bool appended = append_decoder(build, x, memory, layer, node);
    tape_group_end(tape);
    return appended;
}
