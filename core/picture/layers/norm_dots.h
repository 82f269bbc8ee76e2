/* A norm's gate on a lane, with each normalized row as dots on a line. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the numbers of a normalized row as dots across the gate at height `y`; larger if
 * `chosen`. Each is linked to its cell. */
void norm_dots(const Stage *stage, size_t node, size_t row, Box gate, double y,
               bool chosen);
