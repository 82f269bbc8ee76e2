/* Ghosts: moving copies of a still's items, and items that are partly visible.
 *
 * A ghost has no link, so it can't be pointed at. All are functions of a progress from 0
 * (invisible, at the source) to 1 (visible, the still's own). */
#pragma once

#include "picture/transitions/still.h"

/* Easing of a progress with a smooth start and end; and progress rescaled between two
 * other values, clamped to 0 … 1. */
double motion_ease(double progress);
double motion_between(double progress, double begin, double end);

Box motion_box_between(Box from, Box to, double progress);

/* Draws a cell's run of items, moved and stretched so that its ground lies in `to`, with
 * `shown` of its opacity. */
void ghost_draw(const Still *still, size_t item, Box to, double shown);

/* Fades an item. Text appears only in the second half, so that of two texts that replace
 * each other never both are readable. */
void motion_fade(SceneItem *item, double shown);

/* Moves and stretches an item like `from` to `to`. */
void motion_move(Scene *scene, SceneItem *item, Box from, Box to);

/* Cuts a path to a fraction of its length from its beginning. */
void motion_grow(Scene *scene, SceneItem *item, double progress);
