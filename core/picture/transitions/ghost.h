/* Ghosts: copies of a still's items on their way, and items that are there in part.
 *
 * A ghost is linked to nothing, so that it is not pointed at. All are functions of a
 * share, from 0 (not there, where it comes from) to 1 (there, and the still's own). */
#ifndef PICTURE_GHOST_H
#define PICTURE_GHOST_H

#include "picture/transitions/still.h"

/* 0 to 1 with a soft beginning and a soft end; and what of a share lies between two
 * others, as a share. */
double motion_ease(double progress);
double motion_between(double progress, double begin, double end);

Box motion_box_between(Box from, Box to, double progress);

/* Draws a cell's run, moved and stretched so that its ground lies in `to`, `shown` of its
 * colours there. */
void ghost_draw(const Still *still, size_t item, Box to, double shown);

/* Lets an item be there only by this share. Of a text that is the second half: where one
 * fades into another, they are never both to be read. */
void motion_fade(SceneItem *item, double shown);

/* Moves and stretches an item as `from` is to `to`. */
void motion_move(Scene *scene, SceneItem *item, Box from, Box to);

/* Cuts a path to this share of its length, from its beginning. */
void motion_grow(Scene *scene, SceneItem *item, double progress);

#endif
