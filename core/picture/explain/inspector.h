/* The inspector below the picture. */
#pragma once

#include "picture/stage/page_content.h"

/* Draws the focused cell's computation with its numbers. */
void inspector_draw(const PageParts *parts, Box area);

/* Draws the cell's name and its sum in one line. */
void inspector_draw_sum(const PageParts *parts, Box area);
