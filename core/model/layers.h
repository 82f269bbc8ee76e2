/* Layers of the transformer as operations on a tape: feed-forward, encoder, decoder.
 *
 * Post-norm, as in the original: every sublayer's result is added to what came in, and
 * the sum is normalized. Naming, grouping and failure are as in model/attention.h;
 * sublayers are groups within the layer's: self_attention, cross_attention, feed_forward.
 * Source: Vaswani et al. 2017, section 3. */
#ifndef MODEL_LAYERS_H
#define MODEL_LAYERS_H

#include "model/attention.h"

#define LAYER_NORM_EPSILON 1e-5

/* Nodes. w_1 [d_model,d_ff]  b_1 [1,d_ff]  w_2 [d_ff,d_out]  b_2 [1,d_out] */
typedef struct FeedForwardWeights {
    size_t w_1, b_1, w_2, b_2;
} FeedForwardWeights;

/* Nodes. gamma, beta [1,d_model] */
typedef struct NormWeights {
    size_t gamma, beta;
} NormWeights;

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

/* relu(x w_1 + b_1) w_2 + b_2 for x [n,d_model], as group `group`; the result is
 * [n,d_out]. ERROR_SHAPE when the shapes disagree, and tape_append's errors. */
bool layers_feed_forward_append(Tape *tape, const char *group, const char *path, size_t x,
                                FeedForwardWeights weights, size_t *node, Error *error);

/* An encoder layer on x [n,d_model], as group `group`; the result has x's shape.
 * ERROR_SHAPE, ERROR_VALUE, and tape_append's errors. */
bool layers_encoder_append(Tape *tape, const char *group, const char *path, size_t x,
                           const EncoderLayer *layer, size_t *node, Error *error);

/* A decoder layer on x [n,d_model] that reads memory [m,d_memory], as group `group`; the
 * result has x's shape. ERROR_SHAPE, ERROR_VALUE, and tape_append's errors. */
bool layers_decoder_append(Tape *tape, const char *group, const char *path, size_t x,
                           size_t memory, const DecoderLayer *layer, size_t *node,
                           Error *error);

#endif
