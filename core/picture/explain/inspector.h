/* The inspector, below the picture. */
#ifndef PICTURE_INSPECTOR_H
#define PICTURE_INSPECTOR_H

#include "picture/stage/page_content.h"

/* How the focused cell came to be, with its numbers. */
void inspector_draw(const PageParts *parts, Box area);

/* The same in one line: the cell's name and its sum. */
void inspector_draw_sum(const PageParts *parts, Box area);

#endif
