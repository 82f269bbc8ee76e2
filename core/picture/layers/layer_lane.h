/* A layer as a residual lane. One thick lane runs from left to right; each sublayer is a
 * side loop that leaves it and comes back at a ⊕, and a norm is a gate on the lane or the
 * loop. One token's row has numbers. */
#pragma once

#include "picture/layers/lane_layout.h"

/* Draws the player's step into stage->area; returns false and draws nothing if it has no
 * such lane (picture/layers/lane_parts.h). */
bool layer_lane(const Stage *stage);

/* Draws a lane that is laid out already. */
void layer_lane_draw(const LaneLayout *lanes);
