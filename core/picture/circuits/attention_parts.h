/* What an attention is made of, found on the tape by how its nodes hang together: it does
 * not matter whether a lesson calls `attention`, a model has it, or a formula writes it
 * out.
 *
 * A part that is not there is TAPE_NONE. Nothing is drawn here. */
#ifndef PICTURE_ATTENTION_PARTS_H
#define PICTURE_ATTENTION_PARTS_H

#include "picture/stage/stage.h"

enum { ATTENTION_HEADS_MAX = 256 };

/* Where queries, keys or values come from. Of a step that begins with Q, K and V given
 * there is only `table`. */
typedef struct AttentionLane {
    size_t table;  /* Q [n,d_k], K [m,d_k] or V [m,d_v] */
    size_t source; /* what the table is made from in this step … */
    size_t weight; /* … as source · weight, … */
    size_t bias;   /* … to which this is added; … */
    bool band;     /* … or as some of its columns: */
    size_t first_col, end_col;
} AttentionLane;

/* One head: shares = softmax(Q Kᵀ / √d_k + mask), output = shares V. */
typedef struct AttentionParts {
    AttentionLane query, key, value;
    size_t scores; /* Q Kᵀ */
    size_t last;   /* scaled and masked scores, of which the shares are made */
    bool masked;
    size_t probabilities; /* never TAPE_NONE */
    bool bare;     /* no softmax: `shares` are the scores themselves, scaled and masked */
    size_t output; /* TAPE_NONE: the step ends with the shares */
} AttentionParts;

/* Several heads side by side: their outputs joined, and what a matrix makes of them. */
typedef struct AttentionHeads {
    AttentionLane query, key, value; /* of all heads at once */
    size_t count;
    const AttentionParts *heads; /* in the frame's arena */
    size_t joined;               /* the heads' outputs side by side; of one head its */
    size_t weight, bias;         /* W_O, b_O; TAPE_NONE: none */
    size_t output;
} AttentionHeads;

/* The attention that the player's step is; false when it is none. A step may end with the
 * shares; or with the scores, where it makes the queries or the keys itself. */
bool attention_find(const Stage *stage, AttentionParts *parts);

/* The several heads that the step is; false when it is none, or memory is short. */
bool attention_find_heads(const Stage *stage, AttentionHeads *heads);

/* Which of the heads of the attention around it, from 0, a step or its attention is, and
 * of how many; false when it is none. */
bool attention_head_of(const Stage *stage, size_t *head, size_t *count);

#endif
