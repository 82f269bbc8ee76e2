/* A part of a page in larger type.
 *
 * Pictures are laid out in points and know of one size of type. A part that is to be
 * larger is laid out in an area that is as much smaller, and what was drawn is scaled up:
 * type, digits, gaps and lines alike. Where that has no room it takes the largest size
 * that has. */
#ifndef PICTURE_PAGE_PART_H
#define PICTURE_PAGE_PART_H

#include "picture/stage/page_content.h"
#include "picture/words/insets.h"

typedef void (*PagePart)(const PageParts *parts, Box area);

/* What is drawn of a page where it is `scale` times as large. */
typedef struct PageScaled {
    Canvas canvas;
    Page page;
    TextMetrics metrics;
    SentenceNames names;
    Insets insets;
    PageParts parts; /* the first two, which must not move meanwhile */
} PageScaled;

void page_scaled_init(PageScaled *scaled, const PageParts *parts, double scale);

/* Draws a part `scale` times as large; gives back how much is wrong with that:
 * scene_troubles. */
size_t page_part_draw_at(const PageParts *parts, Box area, PagePart draw, double scale);

/* How a part fits into an area. */
typedef struct PartFit {
    double scale;
    double room;     /* the scale that it has room for, but for the number in focus */
    double least;    /* points that its words have at least; 0: as they can be read */
    double digits;   /* … that digits in cells have, where a question would lose them */
    size_t troubles; /* scene_troubles */
    bool has_number; /* presented: the cell that is explained has its number, … */
    bool loses_number; /* … or is drawn without it */
    double cells;      /* points of the smallest number in a cell; 0: there is none */
    double read;       /* beside a question: how many texts can be read; else 0 */
} PartFit;

/* The largest scale, up to the page's, at which a part has room in an area, or the least
 * is wrong with it; numbers in cells that are smaller than `cells` points are. Where a
 * question or larger type takes of its place it may be smaller, as else it gave up its
 * numbers and all that makes it more than a table. Words are no smaller than the canvas
 * has them, but in what a step opens into, where that leaves no room. Draws
 * nothing. */
PartFit page_part_fit(const PageParts *parts, Box area, PagePart draw, double cells);

/* Whether a fit is so much better than another that something may go for it. */
bool page_part_fits_better(const PartFit *fit, const PartFit *other);

/* Draws a part into an area, as large as the page's type is to be or as has room there.
 * What is on its way to be is tried as it will be. */
void page_part_draw(const PageParts *parts, Box area, PagePart draw);

#endif
