/* Pixels: filling, and laying coverage over them.
 *
 * A raster borrows pixels 0xFFRRGGBB and cuts all drawing to its clip. Coordinates are
 * whole pixels, x to the right and y downwards; shapes that cover pixels in part come as
 * coverage, 0 to 255. Colours mix in integers, rounded to the nearest, so that every
 * build paints the same bytes. */
#pragma once

#include "picture/scene/scene.h"

#include <stddef.h>
#include <stdint.h>

/* Pixels with left ≤ x < right and top ≤ y < bottom; empty when an end is not past its
 * beginning. */
typedef struct PixelBox {
    int left, top, right, bottom;
} PixelBox;

typedef struct Raster {
    uint32_t *pixels;
    size_t stride; /* in pixels */
    PixelBox clip; /* within the pixels */
    int top;       /* the row that `pixels` begins with */
} Raster;

/* An opaque pixel of a colour, whatever its alpha. */
static inline uint32_t raster_pixel(Color color) {
    return 0xFF000000u | (uint32_t)color.r << 16 | (uint32_t)color.g << 8 | color.b;
}

/* Returns the intersection of two boxes. */
PixelBox pixel_box_cut(PixelBox a, PixelBox b);

/* Fills a box. */
void raster_fill(const Raster *raster, PixelBox box, Color color);

/* Sets `count` pixels of a row, from (left, y), which must lie within the clip. */
void raster_copy(const Raster *raster, int left, int y, const uint32_t *pixels,
                 int count);

/* Blends `color` over pixels [left, right) of a row with one coverage for all. */
void raster_span(const Raster *raster, int y, int left, int right, Color color,
                 uint8_t coverage);

/* Lays `color` over a width × height block at (left, top), thinned by coverage; rows of
 * coverage are `stride` bytes apart. */
void raster_mask(const Raster *raster, int left, int top, int width, int height,
                 const uint8_t *coverage, ptrdiff_t stride, Color color);

/* The same for coverage turned about a point: the mask's pixel (u, v), counted from its
 * origin `left`, `top` as above, lies `degrees` counter-clockwise about (x, y). Quarter
 * turns are exact, other angles interpolate. */
void raster_mask_turned(const Raster *raster, int x, int y, double degrees, int left,
                        int top, int width, int height, const uint8_t *coverage,
                        Color color);
