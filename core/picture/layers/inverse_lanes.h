/* Two tables that are shown behind the one which each was made of by a residual sum, one
 * of them normed after it: both lanes side by side, and below each the way back. By a
 * subtraction it leads to what came in, unless a norm stands in it. */
#ifndef PICTURE_INVERSE_LANES_H
#define PICTURE_INVERSE_LANES_H

#include "picture/stage/stage.h"

/* Draws what the player's step shows into stage->area; false, and nothing drawn, where it
 * is anything else, or has no room. */
bool inverse_lanes(const Stage *stage);

#endif
