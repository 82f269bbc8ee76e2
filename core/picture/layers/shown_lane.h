/* Tables that a step shows side by side, each made from the one before it, as what they
 * are to the residual: tables along a lane, and between them a gate for what was done, a
 * norm's with the dots of its rows, a layer's with its blocks. */
#ifndef PICTURE_SHOWN_LANE_H
#define PICTURE_SHOWN_LANE_H

#include "picture/stage/stage.h"

/* Draws what the player's step shows into stage->area; false, and nothing drawn, where
 * the tables differ in shape or kind, aren't made from each other, or have no room for
 * digits, nor for a layer between them. */
bool shown_lane(const Stage *stage);

#endif
