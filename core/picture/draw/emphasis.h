/* What is spoken of, what is new and what is largest, told apart from each other and from
 * the roles, whose hues none of them wears.
 *
 * What is spoken of (a token, an entry, a place) has an outline of the theme's focus on a
 * ground a little darker than the page; what is new just now has the same ground; what is
 * largest, chosen or said has a small wedge that points down at it. What is not there yet
 * lies far back, near the page's colour. */
#ifndef PICTURE_EMPHASIS_H
#define PICTURE_EMPHASIS_H

#include "picture/draw/canvas.h"

/* The ground of what is spoken of, where the others have the theme's bar. */
Color emphasis_ground(const Theme *theme);

/* The fill of a bar: of what is largest or said a stronger one than that of the others.
 */
Color emphasis_bar(const Theme *theme, bool largest);

/* The wedge of what is largest, in the middle of its box's upper edge, in an ink that can
 * be seen on the box's `ground`; nothing where the box is too small for it. */
void emphasis_largest(const Canvas *canvas, Box box, Color ground);

/* Mixes what was drawn from the scene's item `first` on into the page, and has its texts
 * in the faintest ink that can be read. */
void emphasis_far_back(const Canvas *canvas, size_t first);

#endif
