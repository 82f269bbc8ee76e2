/* The middle of a page: the step's picture with its animation, the path followed back,
 * and the page's notes. */
#pragma once

#include "picture/stage/page_content.h"

/* Draws the middle; an area far too small stays empty. */
void page_stage_draw(const PageParts *parts, Box area);
