/* The map of a lesson with a model: the architecture as two towers.
 *
 * The encoder stands at the left, the decoder at the right, both read from below; the
 * encoder's result, the memory, runs over to every decoder layer. Of equal layers one is
 * drawn with its sublayers, the one the cursor is in; the others are folded into "5 ×".
 * What the boxes are comes from the model's list of parts. */
#ifndef PICTURE_TOWERS_H
#define PICTURE_TOWERS_H

#include "model/build/transformer.h"
#include "picture/page/page.h"

/* The width in units that the map of a model wants. */
double towers_width(const Transformer *model);

/* Draws the model's map into the area. Boxes are linked to their steps. */
void towers_draw(const PageParts *parts, const Transformer *model, Box area);

/* map.c: a tensor as a small image, not wider or taller than the box. */
void map_thumbnail(const PageParts *parts, size_t node, Box box);

/* Whether the page shows the influence of a node, though its step may be still to come.
 */
bool map_shows_influence(const PageParts *parts, size_t node);

/* A line through the words in a box: what they stand for is muted. */
void map_strike(const Canvas *canvas, Box box);

#endif
