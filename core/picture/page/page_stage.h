/* The middle of a page: the step's picture, with what moves in it, the way followed back,
 * and what the page has to say of it. */
#ifndef PICTURE_PAGE_STAGE_H
#define PICTURE_PAGE_STAGE_H

#include "picture/stage/page_content.h"

/* An area far too small stays empty. */
void page_stage_draw(const PageParts *parts, Box area);

#endif
