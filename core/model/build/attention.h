/* Attention: one head, and several side by side, as operations on a tape.
 *
 * A composite appends its operations as one group and returns the node of its result. Its
 * nodes are named after `path`: with path "A" the weights are "A.weights", the result is
 * "A". In a model (`group` NULL) groups are called by their paths, heads are counted from
 * 0 ("A.head.0"), and results have names of their own: `output` of a head, `projected` of
 * several. On failure the tape may have some of the nodes; the caller gives it up. */
#ifndef MODEL_ATTENTION_H
#define MODEL_ATTENTION_H

#include "tensor/tape/tape.h"

/* What is added behind the four projections: nodes.
 * b_q [1,h·d_k]  b_k [1,g·d_k]  b_v [1,g·d_v]  b_o [1,d_out] */
typedef struct AttentionBiases {
    size_t b_q, b_k, b_v, b_o;
} AttentionBiases;

/* Whether and by what queries and keys are turned before they meet (rotary positions). */
typedef struct AttentionRotation {
    bool enabled;
    size_t positions; /* of the rows: a node; TAPE_NONE: 0, 1, 2 … */
    double base;      /* of the wavelengths; 0: ROTARY_BASE */
} AttentionRotation;

/* The four projections of an attention with several heads: nodes.
 * w_q [d_model,h·d_k]  w_k [d_memory,g·d_k]  w_v [d_memory,g·d_v]  w_o [h·d_v,d_out]
 * Of h heads always h / g, one after the other, share keys and values: g, which divides
 * h, is as many as w_k has columns for; with fewer columns than w_q there are fewer. */
typedef struct AttentionWeights {
    size_t w_q, w_k, w_v, w_o;
    const AttentionBiases *biases; /* NULL: none */
    AttentionRotation rotation;    /* {0}: not at all */
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
 * values from memory [m,d_memory] (x itself for self-attention).
 * Appends query, key, value (each after its product, where there are biases), where they
 * are turned query_rotated and key_rotated, for each
 * head h its columns and an attention as group `head_h`, their concatenation `concat` and
 * the result [n,d_out]. ERROR_SHAPE when the
 * shapes disagree, ERROR_VALUE when the heads don't divide the columns.
 * Source: Vaswani et al. 2017, section 3.2.2; Shazeer 2019, Ainslie et al. 2023 for heads
 * that share. */
bool attention_multi_head_append(Tape *tape, const char *group, const char *path,
                                 size_t x, size_t memory, AttentionWeights weights,
                                 size_t heads, size_t mask, size_t *node, Error *error);

#endif
