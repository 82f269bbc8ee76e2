/* Flow: when, while a step that opens into several comes to be, each of its parts does:
 * in the order that the result needs them, so that a query is there before its scores and
 * a share before the value that it takes. How each comes is its operation's manner. */
#ifndef PICTURE_MOTION_STEP_TIMING_H
#define PICTURE_MOTION_STEP_TIMING_H

#include "lesson/play/pace.h"
#include "picture/transitions/ghost.h"

enum { FLOW_PARTS_MOST = 64, FLOW_LEGENDS_MOST = 8 };

typedef struct Flow {
    const Still *still;
    const Player *player;
    const PaceMoment *moment;
    size_t first, last; /* the step's nodes */
    uint64_t *made_of;  /* for each a bit for every drawn table it is made of, or is */
    size_t count;
    size_t nodes[FLOW_PARTS_MOST]; /* those drawn, in order */
    size_t legend_count;
    Box legends[FLOW_LEGENDS_MOST]; /* their bars: images of no tensor's cells */
} Flow;

/* Finds the parts of the player's step. False without memory for them. */
bool flow_init(Flow *flow, const Still *still, const Player *player,
               const PaceMoment *moment);

/* Where in its own time a part is. */
PaceMoment flow_moment(const Flow *flow, size_t part);

/* Lets what is no part's cell be there as far as what it belongs to: lanes grow towards
 * it, and what stands beside it comes with it. What the step was given is there from the
 * beginning. */
void flow_show_beside(const Flow *flow);

/* The first of the tape's nodes that a step makes, itself or in what it opens into. */
size_t flow_first_node(const Player *player, size_t step);

#endif
