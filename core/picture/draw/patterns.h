/* Patterns that replace colour for signs and roles in themes with Theme.patterns. Other
 * themes don't use them. */
#pragma once

#include "picture/draw/canvas.h"

/* Hatches a negative number's ground in the page's colour; reports whether it did. */
bool pattern_negative(const Canvas *canvas, Box box, double value);

/* Hatches the negative cells of a tensor shown as an image, run by run; none if they are
 * too many to be seen. */
void pattern_image(const Canvas *canvas, Box box, const Tensor *tensor);

/* Dashes of a role's lines: drawn length and gap, relative to the dash of a thin line; 0
 * for solid lines. */
typedef struct PatternDash {
    double on, off;
} PatternDash;
PatternDash pattern_dash(const Theme *theme, Role role);

/* Dashes of a line that carries a number: dashed if it is negative. */
PatternDash pattern_sign(const Theme *theme, double value);

/* Dashes of the lines that use the theme's other colours in turn: heads, curves. */
PatternDash pattern_nth(const Theme *theme, size_t index);

/* Draws a path with dashes `scale` times as long; solid without dashes. */
void pattern_path(const Canvas *canvas, PatternDash dash, const Point *points,
                  size_t count, double width, double scale, Color color);
