/* Picture of any step: a training run so far, a generation or one of its steps, shown
 * tensors side by side, a chain of intermediate results, or a single operation; for the
 * step that closes a lesson, the picture of the lesson's cover. step_picture.c has the
 * table of all pictures and the steps they are for. */
#pragma once

#include "picture/stage/stage.h"

/* Step whose picture represents a lesson: the one marked as cover, else the last that
 * computes probabilities, else the last. */
size_t step_picture_cover(const Player *player);

/* Draws the player's step into stage->area; sets `node` itself. */
void step_picture(const Stage *stage);
