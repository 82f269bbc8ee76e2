/* Drawing functions shared by the maps of statements and of models. */
#pragma once

#include "picture/stage/page_content.h"

/* Draws a tensor as a small image that fits into the box. */
void map_thumbnail(const PageParts *parts, size_t node, Box box);

/* Reports whether the map shows a node of a later step: the page shows its influence, or
 * a change has moved it. */
bool map_shows_ahead(const PageParts *parts, size_t node);

/* Draws the box of a step or a part; dark if it is the present one. */
void map_box(const Canvas *canvas, Box box, bool present);

/* Strikes out the words in a box, whose step or part is muted. */
void map_strike(const Canvas *canvas, Box box);
