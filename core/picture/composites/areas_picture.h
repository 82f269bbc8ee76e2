/* A count that is a sum of products, as areas: the factors of a product are the sides of
 * a rectangle, its coefficient is the number of rectangles. Each column of a table of one
 * row is a figure, all of one scale, so that magnitudes can be compared. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a step or an operation that computes such a count from given sizes, possibly
 * through intermediate counts; returns false and draws nothing for other steps. */
bool areas_picture(const Stage *stage);
