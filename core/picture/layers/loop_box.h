/* Small picture of a sublayer inside the box on its side loop: an attention as arcs from
 * the chosen token to those it attends to, a feed-forward network as bands through its
 * gate. */
#pragma once

#include "picture/layers/lane_parts.h"

/* Draws the sublayer for row `row` into the box; nothing if it is neither. */
void loop_box_draw(const Stage *stage, const LaneLoop *loop, size_t row, Box box);
