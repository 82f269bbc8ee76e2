/* Small feed-forward network inside the box on its side loop: one token's vector is
 * projected to the hidden units, each passes the activation's gate on its own, and a
 * second projection returns to the model dimension. A unit's band is as wide as its
 * contribution. */
#pragma once

#include "picture/operations/matrices/matrix_pictures.h"
#include "tensor/tape/tape.h"

/* Draws all six parts of a network for row `row` into the box; nothing if it is too
 * narrow. */
void loop_network_draw(const Stage *stage, const Network *network, size_t row, Box box);
