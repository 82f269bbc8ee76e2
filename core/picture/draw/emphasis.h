/* Emphasis: marks for what is discussed, new or largest, distinct from each other and
 * from the roles' hues.
 *
 * What is discussed (a token, an entry, a position) has an outline in the theme's focus
 * colour on a ground a little darker than the page; what is new just now has the same
 * ground; what is largest, chosen or generated has a small wedge that points down at it.
 * What is not computed yet is faded towards the page's colour. */
#pragma once

#include "picture/draw/canvas.h"

/* Ground of what is discussed, where others have the theme's bar colour. */
Color emphasis_ground(const Theme *theme);

/* Fill of a bar: stronger for the largest or chosen one. */
Color emphasis_bar(const Theme *theme, bool largest);

/* Draws the wedge of the largest value at the middle of its box's upper edge, in an ink
 * visible on `ground`; nothing if the box is too small. */
void emphasis_largest(const Canvas *canvas, Box box, Color ground);

/* Fades the items from `first` on towards the page, and draws their texts in the faintest
 * readable ink. */
void emphasis_far_back(const Canvas *canvas, size_t first);
