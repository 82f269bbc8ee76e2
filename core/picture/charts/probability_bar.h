/* A row of probabilities as one stacked bar of length 1, its segments in the columns'
 * order.
 *
 * A segment has its probability's colour and, if there is room, its number; it is linked
 * to its cell. A row that is masked whole has no segments and is hatched. */
#pragma once

#include "picture/draw/heatmap.h"

typedef struct ProbabilityBar {
    const Heatmap *heatmap; /* table with tensor, node, visible cells and marks; its cell
                               box is not used; borrowed */
    size_t row;
    Box box;        /* box of the whole bar */
    double units;   /* size of the digits */
    bool has_focus; /* frame the segment of focus_col */
    size_t focus_col;
} ProbabilityBar;

/* Box of a column's segment; without width for a probability of 0. */
Box probability_bar_part(const ProbabilityBar *bar, size_t col);

void probability_bar_draw(const Canvas *canvas, const ProbabilityBar *bar);

/* Axis of probability bars below each other: at most this wide (units), so that a
 * probability is equally long on every page; from 0 to 1, or, in narrow lists side by
 * side, to a round number above all of them. */
#define PROBABILITY_AXIS 560.0

/* Height of the axis' numbers above the bars. */
double probability_axis_height(const Canvas *canvas);

/* Draws a line at each end of the bars, with the numbers 0 and `end` above; a probability
 * of `end` is as wide as `bars`. */
void probability_axis_draw(const Canvas *canvas, Box bars, double end);
