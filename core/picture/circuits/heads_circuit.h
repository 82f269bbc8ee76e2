/* Multi-head attention as a circuit: queries, keys and values are split by columns into
 * heads, each head has its own attention weights, and the heads' outputs are concatenated
 * and multiplied by W_O. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the player's step into stage->area; returns false and draws nothing if it is no
 * multi-head attention. */
bool heads_circuit(const Stage *stage);
