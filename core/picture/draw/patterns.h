/* Patterns: what tells signs and roles where a theme needs no colour (Theme.patterns).
 * Other themes are drawn without them. */
#ifndef PICTURE_PATTERNS_H
#define PICTURE_PATTERNS_H

#include "picture/draw/canvas.h"
#include "picture/scene/role.h"

/* Hatches a number's ground, in the page's colour, when it is below 0; whether it did. */
bool pattern_negative(const Canvas *canvas, Box box, double value);

/* The same of a tensor shown as an image, run by run; not at all where there are too many
 * of them to be seen. */
void pattern_image(const Canvas *canvas, Box box, const Tensor *tensor);

/* How a role's lines are broken: drawn so long, then left out so long; 0 where they are
 * not. In lengths of 1 for a thin line. */
typedef struct PatternDash {
    double on, off;
} PatternDash;
PatternDash pattern_dash(const Theme *theme, Role role);

/* The same of a line that carries a number: broken where that is below 0. */
PatternDash pattern_sign(const Theme *theme, double value);

/* The same of lines that have the theme's other colours by turns: of heads, of curves. */
PatternDash pattern_nth(const Theme *theme, size_t index);

/* A path whose dashes are `scale` times the role's; whole where it has none. */
void pattern_path(const Canvas *canvas, PatternDash dash, const Point *points,
                  size_t count, double width, double scale, Color color);

#endif
