/* Where one is: the circuit of the attention that the player's step is a part of, small,
 * with that part lit. A click leads to the whole. */
#ifndef PICTURE_CIRCUIT_INSET_H
#define PICTURE_CIRCUIT_INSET_H

#include "picture/stage/stage.h"

/* Draws it into the lower left corner of stage->area and gives back the height that it
 * takes; 0 where the step is no operation of an attention, or needs all the room. */
double circuit_inset(const Stage *stage);

#endif
