/* A row of shares as one bar of length 1, each share a part of it, in the columns' order.
 *
 * A part has its share's colour and, where it has room, its number; it is linked to its
 * cell. A row that is masked whole has no parts and is hatched. */
#ifndef PICTURE_PROBABILITY_BAR_H
#define PICTURE_PROBABILITY_BAR_H

#include "picture/draw/heatmap.h"

typedef struct ProbabilityBar {
    const Heatmap *heatmap; /* the table: its tensor, node, visible cells and marks; not
                               where its cells lie. Borrowed */
    size_t row;
    Box box;        /* a share of 1 */
    double units;   /* the digits' size */
    bool has_focus; /* frames the part of column … */
    size_t focus_col;
} ProbabilityBar;

/* Where a column's part lies: no wider than nothing where its share is 0. */
Box probability_bar_part(const ProbabilityBar *bar, size_t col);

void probability_bar_draw(const Canvas *canvas, const ProbabilityBar *bar);

/* The one axis of shares that are bars below each other: as wide as this at most, units,
 * so that a share is as long on every page; from 0 to 1, or, of lists side by side, which
 * have less room, to a round number that none is larger than. */
#define PROBABILITY_AXIS 560.0

/* Its numbers, over what the bars take. */
double probability_axis_height(const Canvas *canvas);

/* A line at each end, 0 and `end` over them; `bars`: what the bars take, a share of `end`
 * as wide as that. */
void probability_axis_draw(const Canvas *canvas, Box bars, double end);

#endif
