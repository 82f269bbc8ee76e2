/* S-shaped curves, level at both ends or upright at both, and bands between two of
 * them. */
#pragma once

#include "picture/draw/canvas.h"

enum { CURVE_POINTS = 40 };

void curve_points(Point from, Point to, bool upright, Point points[CURVE_POINTS]);

/* Draws a level curve. */
void curve_draw(const Canvas *canvas, Point from, Point to, double width, Color color);

/* Draws a band: level, from the right edge of a box to the left edge of another, or
 * upright, from the lower edge to the upper edge. */
void curve_band(const Canvas *canvas, Box from, Box to, bool upright, Color color);
