/* Parts of a residual lane: a composite step taken apart into its input and side loops,
 * which leave the lane and come back at a sum. A layer is such a step, and so is a
 * lesson's own `layer_norm(X + feed_forward(X, …))`. */
#pragma once

#include "picture/stage/stage.h"

enum { LANE_LOOPS_MAX = 4 };

/* One sublayer with its sum and norm. Steps are numbers of the player's tree. */
typedef struct LaneLoop {
    size_t step, node;    /* the sublayer and its result */
    size_t memory;        /* node that it attends to besides its input; TAPE_NONE: none */
    size_t sum_step, sum; /* the residual sum after it */
    size_t norm_step, norm; /* PLAYER_NONE and TAPE_NONE: there is none */
    bool norm_first;        /* the norm lies on the loop, not behind the sum */
    size_t in, out;         /* nodes on the lane before and behind it */
} LaneLoop;

typedef struct LaneParts {
    size_t count;
    LaneLoop loops[LANE_LOOPS_MAX];
} LaneParts;

/* Takes a step of the player's tree apart; returns false if it has another structure. */
bool lane_parts(LaneParts *parts, const Stage *stage, size_t step);

/* Player's step that computes a node as a statement's result; PLAYER_NONE: none. */
size_t lane_maker(const Stage *stage, size_t node);

/* First node of a step's sub-steps. */
size_t lane_first_node(const Stage *stage, size_t step);

/* Reports whether a step reads a node: an operation as an input, a composite with any
 * sub-step. */
bool lane_reads(const Stage *stage, size_t step, size_t node);

/* Name of a sublayer for its box: "Masked attention"; NULL if it has none. */
const char *lane_sublayer_name(const Stage *stage, size_t step);
