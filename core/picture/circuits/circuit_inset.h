/* Where one is: the circuit of the attention that the player's step is a part of, small,
 * with that part lit. A click leads to the whole. */
#ifndef PICTURE_CIRCUIT_INSET_H
#define PICTURE_CIRCUIT_INSET_H

#include "picture/stage/stage.h"

/* Draws it above the upper right corner of *area, where `taken` points are taken off
 * already, and takes off what it needs besides; nothing where the step is no operation of
 * an attention, or needs all the room. */
void circuit_inset(const Stage *stage, double taken, Box *area);

#endif
