/* The page: everything of one frame, laid out for its size.
 *
 * A page is drawn and read under a guard of its arena (see base/arena.h).
 *
 * page_draw is a pure function from a Page to a scene: the same Page gives the same
 * scene, so stepping back shows exactly what was there. A page is at least PAGE_WIDTH
 * (upright: PAGE_UPRIGHT_WIDTH) × PAGE_HEIGHT points; page_fit scales it to a screen of
 * any size. */
#pragma once

#include "picture/scene/scene.h"

typedef struct Page Page;

enum { PAGE_WIDTH = 1600, PAGE_HEIGHT = 900, PAGE_UPRIGHT_WIDTH = 1000 }; /* points */

/* Fit of a page on a screen: laid out in whole points and scaled when it is painted. */
typedef struct PageFit {
    double width, height; /* of the page, in points */
    double scale;         /* pixels per point */
} PageFit;

/* Fit for a picture of a size in pixels, both above 0: PAGE_WIDTH × PAGE_HEIGHT points as
 * large as possible, with more points in one direction if the shape differs;
 * PAGE_UPRIGHT_WIDTH across for an upright shape. Pictures of one shape thus have one
 * layout, whatever their size. */
PageFit page_fit(double pixels_wide, double pixels_high);

/* Least text scale, 1 by default: larger on an upright screen, such as a phone's. */
double page_least_type(double width, double height);

/* Draws the page into a scene, which is initialised in `arena` (the frame's). */
void page_draw(Scene *scene, Arena *arena, const Page *page);

/* Returns a page's text for screen readers, in lines: its texts, and the sum of the
 * explained cell or the question. New in the arena. */
const char *page_read(Arena *arena, const Page *page);

/* Text of only the explained cell's sum. */
const char *page_read_sum(Arena *arena, const Page *page);

/* Draws a reduced page into a box of another page's scene; it has no links. */
void page_draw_small(Scene *scene, const Page *page, Box box);
