/* The page: everything one frame shows, laid out for its size.
 *
 * page_draw is a pure function from a Page to a scene: the same Page gives the same
 * scene, so stepping back shows exactly what was there. It works from PAGE_LEAST_WIDTH ×
 * PAGE_LEAST_HEIGHT points upwards; smaller pages are drawn too, but may not hold
 * everything. */
#ifndef PICTURE_PAGE_H
#define PICTURE_PAGE_H

#include "picture/stage/page_content.h"

enum { PAGE_LEAST_WIDTH = 1024, PAGE_LEAST_HEIGHT = 640 }; /* points */

/* Draws the page into a scene, which is initialised in `arena` (the frame's). */
void page_draw(Scene *scene, Arena *arena, const Page *page);

#endif
