/* Picture of a training run: loss and accuracy so far, and beside their curves the
 * watched tensors after the present update.
 *
 * The present update is the player's step (PlayerStep.frame); later ones are not drawn.
 * The curves are linked to the epochs' steps, so that a click or a drag along them moves
 * through the training. */
#pragma once

#include "picture/stage/page_content.h"
#include "picture/stage/stage.h"

/* Draws the player's present step, which must have a recorded training run, into
 * stage->area. */
void training_view(const Stage *stage);

/* Draws the step in the inspector's place: the loss, its terms, and the next update;
 * returns false and draws nothing if the step has no recorded training run. */
bool training_inspect(const PageParts *parts, Box area);
