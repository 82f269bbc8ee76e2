/* The map, left of the picture. */
#ifndef PICTURE_MAP_H
#define PICTURE_MAP_H

#include "picture/stage/page_content.h"

/* The lesson's statements, each with its tensor, the present one dark, below a small
 * transformer with the block lit that they are about; of a lesson with a model its own
 * architecture (towers.h). map_width is in points. */
double map_width(const PageParts *parts);
void map_draw(const PageParts *parts, Box area);

#endif
