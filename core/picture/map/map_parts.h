/* What maps are drawn with, of statements and of models. */
#ifndef PICTURE_MAP_PARTS_H
#define PICTURE_MAP_PARTS_H

#include "picture/stage/page_content.h"

/* A tensor as a small image, not wider or taller than the box. */
void map_thumbnail(const PageParts *parts, size_t node, Box box);

/* Whether the map shows a node though its step may be still to come: the page shows its
 * influence, or a change has moved it.
 */
bool map_shows_ahead(const PageParts *parts, size_t node);

/* The box of a step or a part; dark while it is the present one. */
void map_box(const Canvas *canvas, Box box, bool present);

/* A line through the words in a box: what they stand for is muted. */
void map_strike(const Canvas *canvas, Box box);

#endif
