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

/* The same small and without words in its boxes, for a lesson whose steps are not a
 * model's, with the block lit that the present step is about, and its name below.
 * Its height in points; 0 where nothing says which block that is. */
double towers_small_height(const PageParts *parts);
void towers_draw_small(const PageParts *parts, Box area);

#endif
