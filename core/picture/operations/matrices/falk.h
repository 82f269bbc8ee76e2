/* Falk's scheme of a product as a figure, to which more tables can be added. */
#ifndef PICTURE_FALK_H
#define PICTURE_FALK_H

#include "picture/stage/figure.h"

/* Its tracks across, behind which others may stand, and down. */
enum {
    FALK_LABELS = 1,
    FALK_INNER, /* the summed axis */
    FALK_BETWEEN,
    FALK_OUTER,
    FALK_NAMES,
    FALK_COLUMNS
};
enum {
    FALK_HEADS = 1,
    FALK_INNER_ROWS,
    FALK_ABOVE,
    FALK_OUTER_ROWS,
    FALK_BELOW,
    FALK_LINES
};

typedef struct Falk {
    Figure figure;
    FigureTable *left, *right, *made;
} Falk;

/* A product's scheme, not yet laid out, in the frame's arena; `instead` stands in the
 * product's place, a node of its shape or itself. NULL when that is exhausted. */
Falk *falk_of(const Stage *stage, size_t product, size_t instead);

/* Draws it laid out, the focus's cell of the product in this colour. */
void falk_draw(Falk *falk, Color focus);

#endif
