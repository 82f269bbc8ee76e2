/* Strip above an opened part of a layer: the small residual lane of the layer around the
 * player's step, with the step's part highlighted. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the strip and cuts it off the top of *area; draws nothing if the step is in no
 * layer, or the area has no room. Each part is linked to its step. */
void lane_strip(const Stage *stage, Box *area);
