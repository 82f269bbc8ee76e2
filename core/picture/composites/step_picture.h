/* The picture of a step, of whatever kind: a training as far as it has come, a turn of a
 * generation or all of them, shown tensors side by side, the flow of the results that it
 * opens into, or its operation; of the step that closes a lesson its hero's. */
#ifndef PICTURE_STEP_PICTURE_H
#define PICTURE_STEP_PICTURE_H

#include "picture/stage/stage.h"

/* The step whose picture stands for a lesson: the one that says so, else the last that
 * makes shares, else the last. */
size_t step_picture_cover(const Player *player);

/* Draws the step the player is on into stage->area. `node` is set by it. */
void step_picture(const Stage *stage);

#endif
