/* The body of a page: the words, and below them the picture. */
#ifndef PICTURE_PAGE_BODY_H
#define PICTURE_PAGE_BODY_H

#include "picture/stage/page_content.h"

/* Fills an area with them. Where type is large and a picture has no room beside all the
 * words it has the sentences' place, too. */
void page_body_draw(const PageParts *parts, Box area);

#endif
