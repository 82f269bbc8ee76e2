/* Scores with masks, and the softmax of what remains: masks are hatched over the scores,
 * and each row's attention weights are one bar of length 1. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a step with the softmax of a table with one or several masks as sub-steps, or the
 * sum of such a table with a mask beside the remaining scores; returns false and draws
 * nothing for other steps and if rows have no room. */
bool mask_picture(const Stage *stage);
