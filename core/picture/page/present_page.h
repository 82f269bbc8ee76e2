/* The page as a lecturer shows it: the picture in type for the back row, a line that says
 * what it is about and a sentence or two; neither bar nor timeline but a hairline. */
#ifndef PICTURE_PRESENT_PAGE_H
#define PICTURE_PRESENT_PAGE_H

#include "picture/stage/page_content.h"

/* Draws all of it, on a page that is empty so far. */
void present_draw(const PageParts *parts);

#endif
