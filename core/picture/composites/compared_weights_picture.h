/* Two tables of attention weights side by side: each row as two bars of length 1, one
 * above the other, with a ribbon for each weight between them. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a step that shows two such tables of one shape; returns false and draws nothing
 * for other steps and if rows have no room. */
bool compared_weights_picture(const Stage *stage);
