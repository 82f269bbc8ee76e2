/* Lanes: thick soft bands along which tensors move from table to table.
 *
 * A lane has its role's colour, mixed into the page so that what lies on it stays in
 * front; draw lanes first. Points are points of the page, thicknesses units. */
#pragma once

#include "picture/draw/canvas.h"

/* Fraction of its role's colour in a lane, of 256 parts; the rest is the page's. */
enum { LANE_TINT = 108 };

/* A lane through points, S-shaped between neighbours. */
typedef struct Lane {
    Role role;           /* ROLE_NONE: the theme's soft ink */
    Color color;         /* used instead of the role's colour unless its a is 0 */
    const Point *points; /* from left to right or from right to left */
    size_t count;        /* number of points, 2 or more */
    double thickness;    /* units; 0: the thickness of a tensor's lane */
    bool leaves_upright; /* leaves its first point vertically, otherwise sideways */
    bool ends_upright;   /* reaches its last point vertically, otherwise sideways */
    bool arrow;          /* ends in an arrow's head with its tip at the last point */
    bool strong;         /* deeper in colour, for the chosen row */
} Lane;

void lane_draw(const Canvas *canvas, const Lane *lane);

/* Draws a lane between two points in the style of `lane`, whose points aren't used. */
void lane_between(const Canvas *canvas, Point from, Point to, Lane lane);

/* Colour of a lane on the page. */
Color lane_color(const Canvas *canvas, Role role, bool strong);

/* Draws the residual stream: a thick straight grey lane with a thin darker line along it,
 * which may end in an arrow's head. `thickness` 0: the usual one. */
void lane_residual(const Canvas *canvas, Point from, Point to, double thickness,
                   bool arrow);

/* Draws ⊕ on a lane; radius in units, 0: the usual one. Returns its box. */
Box lane_sum(const Canvas *canvas, Point centre, double radius);

/* Draws ⊙, the dot product of two lanes; otherwise like lane_sum. */
Box lane_product(const Canvas *canvas, Point centre, double radius);

/* Draws ⊗, the product with a number; otherwise like lane_sum. */
Box lane_times(const Canvas *canvas, Point centre, double radius);

/* Softmax on a lane, from scores to probabilities: its sign in a ring; and its distance
 * from the end of a short lane. */
#define LANE_SOFTMAX_IN 21.0
void lane_softmax(const Canvas *canvas, Point centre);
