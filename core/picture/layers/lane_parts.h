/* What lies on a residual lane: a composite step taken apart into the tensor that comes
 * in, and side loops that leave it and come back at a sum. A layer is such a step, and so
 * is a lesson's own `layer_norm(X + feed_forward(X, …))`. */
#ifndef PICTURE_LANE_PARTS_H
#define PICTURE_LANE_PARTS_H

#include "picture/stage/stage.h"

enum { LANE_LOOPS_MAX = 4 };

/* One sublayer and what stands around it. Steps are numbers of the player's tree. */
typedef struct LaneLoop {
    size_t step, node;      /* the sublayer and what it gives */
    size_t memory;          /* the node that it reads besides; TAPE_NONE: none */
    size_t sum_step, sum;   /* where it comes back */
    size_t norm_step, norm; /* PLAYER_NONE and TAPE_NONE: there is none */
    bool norm_first;        /* the gate lies on the loop, not behind the sum */
    size_t in, out;         /* nodes on the lane before it and behind it */
} LaneLoop;

typedef struct LaneParts {
    size_t count;
    LaneLoop loops[LANE_LOOPS_MAX];
} LaneParts;

/* Takes a step of the player's tree apart; false where it is built otherwise. */
bool lane_parts(LaneParts *parts, const Stage *stage, size_t step);

/* The player's step that makes a node as a statement's result; PLAYER_NONE: none does. */
size_t lane_maker(const Stage *stage, size_t node);

/* The first node of what a step opens into. */
size_t lane_first_node(const Stage *stage, size_t step);

/* Whether a step reads a node: an operation as an input, a composite with any. */
bool lane_reads(const Stage *stage, size_t step, size_t node);

/* What a sublayer is called on its box: "Masked attention"; NULL where it has no name. */
const char *lane_sublayer_name(const Stage *stage, size_t step);

#endif
