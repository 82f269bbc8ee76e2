/* Small circuit of the attention that contains the player's step, with the step's part
 * highlighted. A click leads to the whole attention. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the inset above the upper right corner of *area, from which `taken` points have
 * been cut off already, and cuts off the additional height that it needs; draws nothing
 * if the step is no operation of an attention, or needs the whole area. */
void circuit_inset(const Stage *stage, double taken, Box *area);
