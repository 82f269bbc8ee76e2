/* A feed-forward network, small, as it stands on its side loop: one word's numbers widen
 * into the hidden units', each of which passes the gate that bends it by itself, and what
 * is left comes back to as many as went in, of each unit as wide a band as is its share.
 */
#ifndef PICTURE_LOOP_NETWORK_H
#define PICTURE_LOOP_NETWORK_H

#include "picture/operations/matrices/network_picture.h"

/* Draws all six parts of a network of row `row` into the box; nothing where it is too
 * narrow. */
void loop_network_draw(const Stage *stage, const Network *network, size_t row, Box box);

#endif
