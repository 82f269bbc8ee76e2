/* The page: everything one frame shows, laid out for its size.
 *
 * page_draw is a pure function from a Page to a scene: the same Page gives the same
 * scene, so stepping back shows exactly what was there. A page is no narrower than
 * PAGE_WIDTH, or PAGE_UPRIGHT_WIDTH, and no lower than PAGE_HEIGHT points: page_fit says
 * how it gets onto a screen of any size. */
#ifndef PICTURE_PAGE_H
#define PICTURE_PAGE_H

#include "picture/stage/page_content.h"

enum { PAGE_WIDTH = 1600, PAGE_HEIGHT = 900, PAGE_UPRIGHT_WIDTH = 1000 }; /* points */

/* How a page lies on a screen: laid out in whole points, painted larger or smaller. */
typedef struct PageFit {
    double width, height; /* of the page, in points */
    double scale;         /* pixels a point */
} PageFit;

/* The fit of a picture of so many pixels, both above 0: PAGE_WIDTH × PAGE_HEIGHT points
 * as large as they can be, with more points where another shape has room for them;
 * PAGE_UPRIGHT_WIDTH across one that stands upright. So pictures of one shape are laid
 * out alike, whatever their size. */
PageFit page_fit(double pixels_wide, double pixels_high);

/* How large type is there at least, where 1 is as usual: larger where a screen is held
 * upright, as a phone is. */
double page_least_type(double width, double height);

/* Draws the page into a scene, which is initialised in `arena` (the frame's). */
void page_draw(Scene *scene, Arena *arena, const Page *page);

/* What a page says, for whoever hears it: its words, the sum of the cell that is
 * explained or what is asked, in lines. New in the arena; NULL when that is exhausted. */
const char *page_read(Arena *arena, const Page *page);

/* The sum of the cell that is explained alone. */
const char *page_read_sum(Arena *arena, const Page *page);

/* Draws it into a box of another page's scene, as large as that: to be seen, not to be
 * pointed at. */
void page_draw_small(Scene *scene, const Page *page, Box box);

#endif
