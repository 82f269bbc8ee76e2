/* Slope of softmax, a (1 − a): how much each probability can still change. A curve over
 * probabilities from 0 to 1, every probability a dot on it, and both tables beside it. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a step with A ⊙ (1 − A) as sub-steps; returns false and draws nothing for other
 * steps and if the tables are too large. */
bool softmax_slope_picture(const Stage *stage);
