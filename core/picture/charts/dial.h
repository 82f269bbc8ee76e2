/* A dial: an angle as the hand of a clock, which points upwards at position 0 and turns
 * clockwise by the same angle from position to position. Its tip is as far to the right
 * as the angle's sine, and as far up as its cosine. */
#pragma once

#include "picture/draw/canvas.h"

typedef struct Dial {
    Point centre;
    double radius;       /* points */
    double angle_step;   /* radians from position to position */
    size_t count;        /* number of positions, each a dot on the rim */
    double sine, cosine; /* coordinates of the hand's tip, as fractions of the radius */
    Color across, up;    /* colours of sine and cosine */
    Link sine_link, cosine_link; /* links of sine and cosine */
} Dial;

/* Draws only the rim with its positions; uses the dial's centre, radius, angle_step and
 * count. */
void dial_draw_rim(const Canvas *canvas, const Dial *dial);

void dial_draw(const Canvas *canvas, const Dial *dial);
