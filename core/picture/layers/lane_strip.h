/* The whole, small, above an opened part of it: the residual lane of the layer around the
 * player's step, with the part that the step is in lit. */
#ifndef PICTURE_LANE_STRIP_H
#define PICTURE_LANE_STRIP_H

#include "picture/stage/stage.h"

/* Draws it into a strip that it takes off the top of *area; nothing where the step lies
 * in no layer, or the area has no room for it. Each part is linked to its step. */
void lane_strip(const Stage *stage, Box *area);

#endif
