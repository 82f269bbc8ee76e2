/* The inspector below the picture. */
#ifndef PICTURE_INSPECTOR_H
#define PICTURE_INSPECTOR_H

#include "picture/stage/page_content.h"

/* Draws the focused cell's computation with its numbers. */
void inspector_draw(const PageParts *parts, Box area);

/* Draws the cell's name and its sum in one line. */
void inspector_draw_sum(const PageParts *parts, Box area);

#endif
