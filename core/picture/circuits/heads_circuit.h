/* Attention with several heads as a circuit: queries, keys and values are split to the
 * heads by columns, each head has shares of its own, and what they gather is joined and
 * mixed by W_O. */
#ifndef PICTURE_HEADS_CIRCUIT_H
#define PICTURE_HEADS_CIRCUIT_H

#include "picture/stage/stage.h"

/* Draws the player's step into stage->area; false, and nothing drawn, where it is no such
 * attention. */
bool heads_circuit(const Stage *stage);

#endif
