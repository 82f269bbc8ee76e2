/* The map of a lesson with a model: the architecture as two towers.
 *
 * The encoder stands at the left, the decoder at the right, both read from below; the
 * encoder's result, the memory, runs over to every decoder layer. Of equal layers one is
 * drawn with its sublayers, the one the cursor is in; the others are folded into "5 ×".
 * What the boxes are comes from the model's list of parts. */
#ifndef PICTURE_TOWERS_H
#define PICTURE_TOWERS_H

#include "model/build/transformer.h"
#include "picture/stage/page_content.h"

/* The width in units that the map of a model wants. */
double towers_width(const Transformer *model);

/* Draws the model's map into the area. Boxes are linked to their steps. */
void towers_draw(const PageParts *parts, const Transformer *model, Box area);

#endif
