/* A dial: an angle as the hand of a clock, which stands upright at place 0 and turns
 * clockwise by the same angle from place to place. How far its tip lies to the right is
 * the angle's sine, how far up its cosine. */
#ifndef PICTURE_DIAL_H
#define PICTURE_DIAL_H

#include "picture/draw/canvas.h"

typedef struct Dial {
    Point centre;
    double radius;       /* points */
    double angle_step;   /* radians from place to place */
    size_t count;        /* places, each a dot on the rim where the hand comes by */
    double sine, cosine; /* where the hand's tip is now; of the radius */
    Color across, up;    /* the colours of sine and cosine … */
    Link sine_link, cosine_link; /* … and what they stand for */
} Dial;

/* The rim alone, with its places: of the dial's centre, radius, turn and count. */
void dial_draw_rim(const Canvas *canvas, const Dial *dial);

void dial_draw(const Canvas *canvas, const Dial *dial);

#endif
