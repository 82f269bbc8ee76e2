/* A number that counts what there are, a sum of products, as areas: what is multiplied
 * are the sides of rectangles, what stands before it is how many of them there are. Of a
 * table of one row each column is a figure, all of one scale, so that what is a thousand
 * times as large is seen to be. */
#ifndef PICTURE_AREAS_PICTURE_H
#define PICTURE_AREAS_PICTURE_H

#include "picture/stage/stage.h"

/* Of a step or an operation that makes such a number of sizes that were given, maybe by
 * way of other such numbers; false, and nothing drawn, where it doesn't. */
bool areas_picture(const Stage *stage);

#endif
