/* Shapes with smooth edges: polygons, thick paths, rounded rectangles.
 *
 * Polygons and paths go through FreeType's smooth rasteriser, into spans of coverage:
 * SDL_ttf has letters only. FreeType is called only here. Corners are computed once for
 * each radius and cached. Coordinates are pixels, with fractions. A Shapes object is for
 * one thread at a time. */
#pragma once

#include "paint/raster.h"

typedef struct Shapes Shapes;

/* NULL when there is no memory. The caller destroys it. */
Shapes *shapes_create(void);

/* NULL is fine. */
void shapes_destroy(Shapes *shapes);

/* Returns true if memory was too short for some shape since the last call. */
bool shapes_were_short(Shapes *shapes);

/* Fills a polygon, even-odd. Points that are not finite leave the shape out. */
void shapes_polygon(Shapes *shapes, const Raster *raster, const Point *points,
                    size_t count, Color color);

/* Draws a path `width` pixels thick with round joins and straight ends; it is closed if
 * the last point is the first. A straight line along an axis is fitted to whole pixels
 * and at least one thick. */
void shapes_path(Shapes *shapes, const Raster *raster, const Point *points, size_t count,
                 double width, Color color);

/* A rectangle with corners rounded by `radius`, and an outline of `width` whole pixels
 * inside its edge. A colour with alpha 0 leaves its part out. */
void shapes_rectangle(Shapes *shapes, const Raster *raster, PixelBox box, double radius,
                      Color fill, Color stroke, int width);
