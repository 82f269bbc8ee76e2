/* A sum as a residual connection: a table on the lane, and one that comes in from
 * above and is added to it, such as positional encodings to embeddings, or a
 * sublayer's result. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the player's step into stage->area: a sum of two tables of one shape, possibly of
 * positional encodings that the step computes; or two shown tables that are added later,
 * with a question instead of ⊕; or two tables with their sum. Returns false and draws
 * nothing for other steps. */
bool sum_lane(const Stage *stage);
