/* Transformer layers as operations on a tape.
 *
 * A layer is a list of sublayers: self-attention, cross-attention to the encoder's
 * output, feed-forward. Each has a residual connection and a layer norm or RMS norm:
 * behind the sum (post-norm, as in the original) or in front of the sublayer (pre-norm).
 * Naming, grouping and failure are as in attention.c; sublayers are groups
 * within the layer's, sums and norms are counted from 1: residual_1, norm_1. Source:
 * Vaswani et al. 2017, section 3; Xiong et al. 2020 for pre-norm. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Error Error;
typedef struct Tape Tape;

/* Attention with one head and with several, as operations on a tape.
 *
 * A composite appends its operations as one group and returns the node of its result. Its
 * nodes are named after `path`: with path "A" the weights are "A.weights", the result is
 * "A". In a model (`group` NULL) groups are named by their paths, heads are counted from
 * 0 ("A.head.0"), and results have names of their own: `output` of a head, `projected` of
 * several. On failure the tape may have some of the nodes; the caller must discard it. */

/* Biases of the four projections: nodes. b_q [1,h·d_k]  b_k [1,g·d_k]  b_v [1,g·d_v] b_o
 * [1,d_out] */
typedef struct AttentionBiases {
    size_t b_q, b_k, b_v, b_o;
} AttentionBiases;

/* Rotary position embedding of queries and keys. */
typedef struct AttentionRotation {
    bool enabled;
    size_t positions; /* node of the rows' positions; TAPE_NONE: 0, 1, 2 … */
    double base;      /* base of the wavelengths; 0: ROTARY_BASE */
} AttentionRotation;

/* The four projections of multi-head attention: nodes.
 *   w_q [d_model,h·d_k]  w_k [d_memory,g·d_k]  w_v [d_memory,g·d_v]  w_o [h·d_v,d_out]
 * Groups of h / g consecutive heads share keys and values (grouped-query attention): g,
 * which divides h, follows from the number of w_k's columns. */
typedef struct AttentionWeights {
    size_t w_q, w_k, w_v, w_o;
    const AttentionBiases *biases; /* NULL: none */
    AttentionRotation rotation;    /* {0}: none */
} AttentionWeights;

/* Scaled dot-product attention of one head, as group `group`.
 *   q [n,d_k]  k [m,d_k]  v [m,d_v]    mask [n,m], a row [1,m] or a column [n,1] that is
 *   added to the scaled scores, or TAPE_NONE
 * Appends scores, scaled, masked (where there is a mask), weights (rows sum to 1) and the
 * result [n,d_v]. ERROR_SHAPE when the shapes disagree, and tape_append's errors.
 * Source: Vaswani et al. 2017, eq. 1. */
bool attention_append(Tape *tape, const char *group, const char *path, size_t q, size_t k,
                      size_t v, size_t mask, size_t *node, Error *error);

/* Attention with `heads` heads, as group `group`: queries from x [n,d_model], keys and
 * values from memory [m,d_memory] (x itself for self-attention). Appends query, key,
 * value (each after its product, if there are biases), query_rotated and key_rotated if
 * they are rotated, for each head h its columns and an attention as group `head_h`, their
 * concatenation `concat` and the result [n,d_out]. ERROR_SHAPE when the shapes disagree,
 * ERROR_VALUE when the heads don't divide the columns. Source: Vaswani et al. 2017,
 * section 3.2.2; Shazeer 2019, Ainslie et al. 2023 for shared keys and values. */
bool attention_multi_head_append(Tape *tape, const char *group, const char *path,
                                 size_t x, size_t memory, AttentionWeights weights,
                                 size_t heads, size_t mask, size_t *node, Error *error);

/* Activations of the feed-forward network. SwiGLU (Shazeer 2020) is gated: silu(x W_gate)
 * times x W_up, then W_down. */
typedef enum Activation {
    ACTIVATION_RELU,
    ACTIVATION_GELU,
    ACTIVATION_GELU_TANH,
    ACTIVATION_SILU,
    ACTIVATION_SWIGLU,
    ACTIVATION_COUNT
} Activation;

/* Returns "relu", "gelu", "gelu_tanh", "silu" or "swiglu". */
const char *activation_name(Activation activation);

/* Nodes. w_1 [d_model,d_ff]  b_1 [1,d_ff]  w_2 [d_ff,d_out]  b_2 [1,d_out]; any bias may
 * be TAPE_NONE. For SwiGLU these are W_gate and W_down; it also has w_up [d_model,d_ff]
 * and b_up [1,d_ff], which other activations ignore. */
typedef struct FeedForwardWeights {
    size_t w_1, b_1, w_2, b_2;
    Activation activation;
    size_t w_up, b_up;
} FeedForwardWeights;

/* Nodes: gamma, beta [1,d_model]. Without beta (TAPE_NONE) it is RMS norm. */
typedef struct NormWeights {
    size_t gamma, beta;
} NormWeights;

typedef enum SublayerKind {
    SUBLAYER_SELF_ATTENTION,
    SUBLAYER_CROSS_ATTENTION,
    SUBLAYER_FEED_FORWARD,
    SUBLAYER_COUNT
} SublayerKind;

/* Returns "self_attention", "cross_attention" or "feed_forward". */
const char *sublayer_name(SublayerKind kind);

/* Returns "self_attn" or "multihead_attn"; "" for feed-forward, which PyTorch keeps in
 * the layer. */
const char *sublayer_torch_name(SublayerKind kind);

/* Returns the formula (TeX, see picture/formula/formula.h) of a composite:
 * "self_attention", "head", "feed_forward" …, whose result is `node`; NULL if it has
 * none. */
const char *layers_formula(const Tape *tape, const char *composite, size_t node);

typedef struct Sublayer {
    SublayerKind kind;
    AttentionWeights attention; /* weights of either attention */
    size_t mask;                /* mask of either attention, or TAPE_NONE */
    FeedForwardWeights feed_forward;
    NormWeights norm;
} Sublayer;

typedef struct Layer {
    size_t heads;
    bool pre_norm;
    double epsilon;
    size_t sublayer_count;
    const Sublayer *sublayers;
} Layer;

/* Feed-forward network relu(x w_1 + b_1) w_2 + b_2 for x [n,d_model], or with another
 * activation, as group `group`; the result is [n,d_out]. Appends linear_1, the activation
 * by its name and linear_2; for SwiGLU gate, silu, up, gated and down. ERROR_SHAPE when
 * the shapes disagree, and tape_append's errors. */
bool layers_feed_forward_append(Tape *tape, const char *group, const char *path, size_t x,
                                FeedForwardWeights weights, size_t *node, Error *error);

/* A layer on x [n,d_model], as group `group`; cross-attention reads memory [m,d_memory].
 * The result has x's shape. ERROR_SHAPE, ERROR_VALUE, and tape_append's errors. */
bool layers_append(Tape *tape, const char *group, const char *path, size_t x,
                   size_t memory, const Layer *layer, size_t *node, Error *error);
