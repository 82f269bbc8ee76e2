/* The whole model as one picture: the residual lanes of its towers, layers as boxes on
 * them, the memory's lane from the encoder to every cross-attention, and the next word's
 * shares at the end. */
#ifndef PICTURE_WHOLE_MODEL_H
#define PICTURE_WHOLE_MODEL_H

#include "picture/stage/stage.h"

/* Draws it into stage->area where stage->view asks for it, or the player's step is the
 * encoder's memory, which is made by no operation of its own; false, and nothing drawn,
 * for any other step. */
bool whole_model(const Stage *stage);

#endif
