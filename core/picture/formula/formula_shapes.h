/* Shapes of a formula that grow with their content: bars, radicals, tall delimiters. For
 * formula.c alone. */
#pragma once

#include "picture/formula/formula_layout.h"

/* Draws a rule, radical or fence mark with the formula's origin at `origin`. Horizontal
 * bars are moved to whole points, so that they are sharp. */
void formula_shape_draw(Scene *scene, const Mark *mark, Point origin);
