/* Tables that a step shows side by side, one of them computed by a norm: each row as dots
 * on a number line, all lines of one scale, with a mark at the mean. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the tables; returns false and draws nothing if they differ in shape, none is
 * computed by a norm, or there is no room. */
bool row_spread_picture(const Stage *stage);
