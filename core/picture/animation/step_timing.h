/* Timing of a step with several operations: when each of its parts appears, in the order
 * in which the result needs them, so that a query appears before its scores and an
 * attention weight before its value. The kind of transition depends on the operation. */
#pragma once

#include "lesson/play/pace.h"
#include "picture/transitions/ghost.h"

enum { FLOW_PARTS_MOST = 64, FLOW_LEGENDS_MOST = 8 };

typedef struct Flow {
    const Still *still;
    const Player *player;
    const PaceMoment *moment;
    size_t first, last; /* the step's nodes */
    uint64_t *made_of;  /* for each node a bit for every drawn table that it is computed
                           from, or is */
    size_t count;
    size_t nodes[FLOW_PARTS_MOST]; /* drawn nodes, in order */
    size_t legend_count;
    Box legends[FLOW_LEGENDS_MOST]; /* bars of legends: images that belong to no tensor's
                                       cells */
} Flow;

/* Finds the parts of the animation of the player's step. */
void flow_init(Flow *flow, const Still *still, const Player *player,
               const PaceMoment *moment);

/* Moment of a part in its own time. */
PaceMoment flow_moment(const Flow *flow, size_t part);

/* Shows items that are no part's cells together with the part they belong to: lanes grow
 * towards it, items beside it appear with it. The step's inputs are visible from the
 * beginning. */
void flow_show_beside(const Flow *flow);

/* First node on the tape that a step computes, itself or in its sub-steps. */
size_t flow_first_node(const Player *player, size_t step);
