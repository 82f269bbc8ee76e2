/* The picture of a training: how loss and accuracy went until now, and beside their
 * curves the tensors that the step watches, as they stood behind the present update.
 *
 * Which update that is the player's present step says (PlayerStep.frame); what lies ahead
 * of it is not drawn. The curves are linked to the epochs' steps, so that a click or a
 * drag along them goes through the training. */
#ifndef PICTURE_TRAINING_VIEW_H
#define PICTURE_TRAINING_VIEW_H

#include "picture/stage/page_content.h"
#include "picture/stage/stage.h"

/* Draws the player's present step, which must have a film, into stage->area. */
void training_view(const Stage *stage);

/* The same in the inspector's place: the loss, what it is made of, and what the next
 * update does. False, and nothing drawn, where the present step has no film. */
bool training_inspect(const PageParts *parts, Box area);

#endif
