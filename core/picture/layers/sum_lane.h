/* A sum as what it is to the residual: a table on the lane, and one that comes in from
 * above and is added to it, as places are to words and what a sublayer found to rows. */
#ifndef PICTURE_SUM_LANE_H
#define PICTURE_SUM_LANE_H

#include "picture/stage/stage.h"

/* Draws the player's step into stage->area; false, and nothing drawn, where it is no sum
 * of two tables of one shape, nor ends in one with positional encodings made in it, nor
 * shows two tables that are added later, then with a question in place of ⊕, or the two
 * and their sum. */
bool sum_lane(const Stage *stage);

#endif
