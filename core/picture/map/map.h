/* The map to the left of the picture. */
#pragma once

#include "picture/stage/page_content.h"

/* Draws the lesson's statements, each with its tensor, the present one dark, below a
 * small transformer with the block of the present step highlighted; for a lesson with a
 * model, the model's architecture (towers.h). map_width is in points. */
double map_width(const PageParts *parts);
void map_draw(const PageParts *parts, Box area);
