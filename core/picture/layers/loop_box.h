/* What a sublayer does, small, as it stands on its side loop: an attention as arcs from
 * the chosen word to those it reads, a feed-forward network as bands through its gate. */
#ifndef PICTURE_LOOP_BOX_H
#define PICTURE_LOOP_BOX_H

#include "picture/layers/lane_parts.h"

/* Draws it of row `row` into the box; nothing where it is neither. */
void loop_box_draw(const Stage *stage, const LaneLoop *loop, size_t row, Box box);

#endif
