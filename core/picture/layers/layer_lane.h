/* The residual lane: a layer as what it is to a word. One thick lane runs from left to
 * right; each sublayer is a side loop that leaves it and comes back at a ⊕, and a norm is
 * a gate that the lane (or the loop) passes. One word's row is in numbers. */
#ifndef PICTURE_LAYER_LANE_H
#define PICTURE_LAYER_LANE_H

#include "picture/layers/lane_layout.h"

/* Draws the player's step into stage->area; false, and nothing drawn, where it is no such
 * lane (picture/layers/lane_parts.h). */
bool layer_lane(const Stage *stage);

/* The same of what is laid out already. */
void layer_lane_draw(const LaneLayout *lanes);

#endif
