/* The signs of a formula that grow with what they hold: bars, radicals, tall delimiters.
 * For formula.c alone. */
#ifndef PICTURE_FORMULA_SHAPES_H
#define PICTURE_FORMULA_SHAPES_H

#include "picture/formula/formula_layout.h"

/* Draws a rule, radical or fence mark with the formula's origin at `origin`. Horizontal
 * bars are put on whole points, so that they are sharp. */
void formula_shape_draw(Scene *scene, const Mark *mark, Point origin);

#endif
