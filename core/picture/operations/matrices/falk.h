/* Falk's scheme of a product as a figure that more tables can be added to. */
#pragma once

#include "picture/stage/figure.h"

/* Tracks of the scheme across and down; more may follow across. */
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

/* Returns the scheme of a product in the frame's arena, not yet laid out. `instead` is
 * drawn in the product's position: the product itself or a node of its shape. NULL if the
 * arena is exhausted. */
Falk *falk_of(const Stage *stage, size_t product, size_t instead);

/* Draws a scheme that is laid out; the focused cell of the product has this colour. */
void falk_draw(Falk *falk, Color focus);
