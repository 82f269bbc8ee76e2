/* Where a model's lane begins: words as rows, and their places added to them. */
#ifndef PICTURE_INPUT_LANE_H
#define PICTURE_INPUT_LANE_H

#include "picture/stage/stage.h"

/* Draws the player's step into stage->area; false, and nothing drawn, where it is not a
 * sum with positional encodings, nor ends in one with such as are made in it. */
bool input_lane(const Stage *stage);

#endif
