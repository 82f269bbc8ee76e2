/* Column of a text's token IDs, each with its word as a chip before it: the input of a
 * lookup and of a one-hot table, with one ID for each of their rows. */
#pragma once

#include "picture/stage/stage.h"

typedef struct IdColumn {
    const Stage *stage;
    size_t node; /* node of the IDs, in a row or a column */
    const Tensor *ids;
    Tensor *column; /* the IDs as a column, labelled with their words */
    /* Width of the chips with the gap after them, and font size; or 0. */
    double words, size;
    Heatmap cells; /* heatmap of the IDs; the caller places its cells */
} IdColumn;

/* Sets the IDs of a node, with the words that label rows of the output. Returns false if
 * the frame's arena is exhausted. */
bool id_column_init(IdColumn *column, const Stage *stage, size_t node,
                    const Tensor *labelled);

/* Chooses the chips' size for an area of this size in points. */
void id_column_measure(IdColumn *column, double width, double height);

/* Returns the width of an ID's cell beside cells of this size. */
double id_column_cell(double w, double h);

/* Draws the chips and links the IDs' cells to the tape; the cells must be drawn
 * before. */
void id_column_draw(const IdColumn *column);
