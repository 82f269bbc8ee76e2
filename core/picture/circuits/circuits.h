/* Attention as a circuit, of one head and of several, and its parts on the tape.
 *
 * The parts are found by the structure of nodes, whether a lesson calls `attention`, a
 * model contains it, or a formula spells it out. A missing part is TAPE_NONE. */
#pragma once

#include "picture/stage/stage.h"

enum { ATTENTION_HEADS_MAX = 256 };

/* Origin of queries, keys or values. If a step begins with given Q, K and V, there is
 * only `table`. */
typedef struct AttentionLane {
    size_t table;  /* Q [n,d_k], K [m,d_k] or V [m,d_v] */
    size_t source; /* node that the table is computed from in this step */
    size_t weight; /* the table is source · weight */
    size_t bias;   /* added to source · weight */
    bool band;     /* the table is columns first_col to end_col of the source */
    size_t first_col, end_col;
} AttentionLane;

/* One head: probabilities = softmax(Q Kᵀ / √d_k + mask), output = probabilities · V. */
typedef struct AttentionParts {
    AttentionLane query, key, value;
    size_t scores; /* Q Kᵀ */
    size_t last;   /* scaled and masked scores, the softmax's input */
    bool masked;
    size_t probabilities; /* never TAPE_NONE */
    bool bare; /* no softmax: `probabilities` are the scaled and masked scores themselves
                */
    size_t output; /* TAPE_NONE: the step ends with the probabilities */
} AttentionParts;

/* Several heads side by side, their concatenated outputs, and the output projection. */
typedef struct AttentionHeads {
    AttentionLane query, key, value; /* of all heads together */
    size_t count;
    const AttentionParts *heads; /* in the frame's arena */
    size_t joined;       /* concatenated outputs of the heads; a single head's output */
    size_t weight, bias; /* W_O and b_O; TAPE_NONE: none */
    size_t output;
} AttentionHeads;

/* Finds the attention that the player's step computes; returns false if it is none. A
 * step may end with the attention weights, or with the scores if it computes the queries
 * or the keys itself. */
bool attention_find(const Stage *stage, AttentionParts *parts);

/* Finds the heads that the step computes; returns false if there are none, or memory is
 * short. */
bool attention_find_heads(const Stage *stage, AttentionHeads *heads);

/* Finds the number of a step's head, from 0, and the number of heads of the attention
 * around it; returns false if there is none. */
bool attention_head_of(const Stage *stage, size_t *head, size_t *count);

/* Draws the player's step into stage->area: the input forks into three lanes, queries and
 * keys meet in the scores, softmax turns the scores into attention weights, and the
 * output is the sum of the values weighted by them. Returns false and draws nothing if
 * the step is no attention. */
bool attention_circuit(const Stage *stage);

/* Draws the player's step into stage->area: queries, keys and values are split by columns
 * into heads, each head has its own attention weights, and the heads' outputs are
 * concatenated and multiplied by W_O. Returns false and draws nothing if the step is no
 * multi-head attention. */
bool heads_circuit(const Stage *stage);

/* Draws the shown projections of one tensor into stage->area if stage->view requires it:
 * from the row in focus a lane leads through each weight matrix to its result, as from a
 * token's vector to its query, key and value. Returns false and draws nothing if there is
 * no room. */
bool projections_circuit(const Stage *stage);

/* Draws a small circuit of the attention that contains the player's step, with the step's
 * part highlighted and a link to the whole attention, in the upper right corner of *area,
 * and cuts its height off. Draws nothing if the step is no operation of an attention, or
 * needs the whole area. */
void circuit_inset(const Stage *stage, Box *area);
