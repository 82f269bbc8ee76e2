/* Inverse of a residual sum: two tables, each computed from the shown first one by a
 * residual sum, one of them normalized afterwards. Both lanes stand side by side, and
 * below each the way back by a subtraction, which recovers the input unless a norm is in
 * between. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the tables of the player's step into stage->area; returns false and draws nothing
 * if they are anything else, or have no room. */
bool inverse_lanes(const Stage *stage);
