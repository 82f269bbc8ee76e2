/* The whole model as one picture: the residual lanes of its towers with layers as boxes
 * on them, the encoder output's lane to every cross-attention, and the next token's
 * probabilities at the end. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the model into stage->area if stage->view requires it, or if the player's step is
 * the encoder output, which no single operation computes; returns false and draws nothing
 * for other steps. */
bool whole_model(const Stage *stage);
