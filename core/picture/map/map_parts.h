/* Functions that the room's own files share. */
#pragma once

#include "model/build/transformer.h"
#include "picture/chrome/chrome.h"

/* Draws a tensor as a small image that fits into the box. */
void map_thumbnail(const PageParts *parts, size_t node, Box box);

/* Reports whether the map shows a node of a later step: the page shows its influence, or
 * a change has moved it. */
bool map_shows_ahead(const PageParts *parts, size_t node);

/* Draws the box of a step or a part; dark if it is the present one. */
void map_box(const Canvas *canvas, Box box, bool present);

/* Draws the ring of a step or a part whose tensor is not shown yet. */
void map_ring(const Canvas *canvas, Box box);

/* Strikes out the words in a box, whose step or part is muted. */
void map_strike(const Canvas *canvas, Box box);

/* Preferred width of a model's map, and its drawing. Boxes are linked to their steps. */
double towers_width(const Transformer *model);
void towers_draw(const PageParts *parts, const Transformer *model, Box area);

/* Draws a small map without words in its boxes, for a lesson whose steps are not a
 * model's, with the block of the present step highlighted and named below; and its
 * height, 0 if no block is known. */
double towers_small_height(const PageParts *parts);
void towers_draw_small(const PageParts *parts, Box area);
