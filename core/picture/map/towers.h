/* Map of a lesson with a model: the architecture as two towers.
 *
 * The encoder stands on the left, the decoder on the right, both read from below; the
 * encoder output runs over to every decoder layer. Of equal layers one is drawn with its
 * sublayers, the one with the cursor; the others are folded into "5 ×". The boxes come
 * from the model's list of parts. */
#pragma once

#include "model/build/transformer.h"
#include "picture/stage/page_content.h"

/* Preferred width of a model's map in units. */
double towers_width(const Transformer *model);

/* Draws the model's map into the area. Boxes are linked to their steps. */
void towers_draw(const PageParts *parts, const Transformer *model, Box area);

/* Draws a small map without words in its boxes, for a lesson whose steps are not a
 * model's, with the block of the present step highlighted and named below; and its height
 * in points, 0 if no block is known. */
double towers_small_height(const PageParts *parts);
void towers_draw_small(const PageParts *parts, Box area);
