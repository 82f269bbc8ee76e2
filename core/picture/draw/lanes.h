/* Lanes: thick soft bands along which tensors move from table to table.
 *
 * A lane has its role's colour, mixed into the page so that what lies on it stays in
 * front; draw lanes first. Points are points of the page, thicknesses units. */
#ifndef PICTURE_LANES_H
#define PICTURE_LANES_H

#include "picture/draw/canvas.h"
#include "picture/scene/role.h"

/* How much of its role's colour a lane has, of 256 parts; the rest is the page's. */
enum { LANE_TINT = 108 };

/* From a point through points to a point: S-shaped between each two. */
typedef struct Lane {
    Role role;           /* ROLE_NONE: the theme's soft ink */
    Color color;         /* in place of the role's; a = 0: that */
    const Point *points; /* from left to right, or from right to left … */
    size_t count;        /* … 2 or more */
    double thickness;    /* units; 0: that of a tensor's lane */
    bool leaves_upright; /* up or down at its first point; else sideways */
    bool ends_upright;   /* the same at its last */
    bool arrow;          /* a head, whose tip is the last point */
    bool strong;         /* deeper in colour: of the chosen row */
} Lane;

void lane_draw(const Canvas *canvas, const Lane *lane);

/* A lane's colour on the page. */
Color lane_color(const Canvas *canvas, Role role, bool strong);

/* The residual: a thick straight grey lane with a thin darker line along it, which may
 * end in an arrow's head. `thickness` 0: the usual one. */
void lane_residual(const Canvas *canvas, Point from, Point to, double thickness,
                   bool arrow);

/* ⊕ on a lane; radius in units, 0: the usual one. Gives back its box. */
Box lane_sum(const Canvas *canvas, Point centre, double radius);

/* ⊙, where two lanes meet in products; the same. */
Box lane_product(const Canvas *canvas, Point centre, double radius);

/* ⊗, where a number is multiplied by another; the same. */
Box lane_times(const Canvas *canvas, Point centre, double radius);

/* Where scores become shares: softmax's sign in a ring; how far in on a short lane. */
#define LANE_SOFTMAX_IN 21.0
void lane_softmax(const Canvas *canvas, Point centre);

#endif
