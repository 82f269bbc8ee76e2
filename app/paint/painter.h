/* The painter: a scene replayed into pixels.
 *
 * The one way from scene to pixels: the window's surface and exported pictures are
 * painted by the same function. Edges of rectangles, images, clips and of lines along an
 * axis are fitted to whole pixels, as are the places where texts begin; all other shapes
 * have smooth edges. A line is a pixel wide at least. A painter keeps shapes it may need
 * again and borrows its fonts; it is for one thread at a time. Equal scenes give equal
 * bytes. */
#pragma once

#include "picture/scene/scene.h"

typedef struct Fonts Fonts;
typedef struct Painter Painter;

/* Where to paint: pixels are 0xFFRRGGBB, rows `stride` pixels apart. `scale` is pixels a
 * point. A part of a picture has the rows from `top` on; painted part by part, a picture
 * has the same pixels as painted whole. */
typedef struct PainterTarget {
    uint32_t *pixels;
    size_t width, height, stride;
    double scale;
} PainterTarget;

/* The fonts are borrowed. NULL when there is no memory. The caller destroys it. */
Painter *painter_create(Fonts *fonts);

/* NULL is fine. */
void painter_destroy(Painter *painter);

/* Paints all of the target: the scene's background, then its items in order. An image
 * with more cells than pixels shows in each pixel the mean of the finite values there.
 * What is not a number is left out. False when there was no memory to paint all of it, or
 * to measure a text that was laid out since this was asked last. */
bool painter_paint(Painter *painter, const Scene *scene, PainterTarget target);

/* The same for a part of a picture: the rows from `top` on that the target has. Painted
 * part by part, a picture has the same pixels as painted whole. */
bool painter_paint_rows(Painter *painter, const Scene *scene, PainterTarget target,
                        size_t top);
