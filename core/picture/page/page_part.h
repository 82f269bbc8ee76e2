/* A part of a page in larger type.
 *
 * Pictures are laid out in points and know of one size of type. A part that is to be
 * larger is laid out in an area that is as much smaller, and what was drawn is scaled up:
 * type, digits, gaps and lines alike. Where that has no room it takes the largest size
 * that has. */
#ifndef PICTURE_PAGE_PART_H
#define PICTURE_PAGE_PART_H

#include "picture/stage/page_content.h"

typedef void (*PagePart)(const PageParts *parts, Box area);

/* What is drawn of a page where it is `scale` times as large. */
typedef struct PageScaled {
    Canvas canvas;
    Page page;
    PageParts parts; /* the two above, which must not move meanwhile */
} PageScaled;

void page_scaled_init(PageScaled *scaled, const PageParts *parts, double scale);

/* Draws a part `scale` times as large; gives back how much is wrong with that:
 * scene_troubles. */
size_t page_part_draw_at(const PageParts *parts, Box area, PagePart draw, double scale);

/* The largest scale, up to the page's, at which a part has room in an area, or the least
 * is wrong with it. Draws nothing. */
double page_part_scale(const PageParts *parts, Box area, PagePart draw, size_t *troubles);

/* Draws a part into an area, as large as the page's type is to be or as has room there.
 * What is on its way to be is tried as it will be. */
void page_part_draw(const PageParts *parts, Box area, PagePart draw);

#endif
