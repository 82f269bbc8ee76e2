/* Attention with one head and with several, as operations on a tape.
 *
 * A composite appends its operations as one group and returns the node of its result. Its
 * nodes are named after `path`: with path "A" the weights are "A.weights", the result is
 * "A". In a model (`group` NULL) groups are named by their paths, heads are counted from
 * 0 ("A.head.0"), and results have names of their own: `output` of a head, `projected` of
 * several. On failure the tape may have some of the nodes; the caller must discard it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Error Error;
typedef struct Tape Tape;

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
