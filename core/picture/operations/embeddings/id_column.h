/* A text's IDs below each other, each with its word as a chip before it: what a lookup
 * and a one-hot table begin with, a row for each of theirs. */
#ifndef PICTURE_ID_COLUMN_H
#define PICTURE_ID_COLUMN_H

#include "picture/stage/stage.h"

typedef struct IdColumn {
    const Stage *stage;
    size_t node; /* the IDs', in a row or a column */
    const Tensor *ids;
    Tensor *column;     /* the same below each other, with their words */
    double words, size; /* how wide chips are, with the gap behind; their letters; or 0 */
    Heatmap cells;      /* of the IDs; whoever lays it out sets where they lie */
} IdColumn;

/* The IDs of a node, with the words that label rows of what is made of them. False when
 * the frame's arena is exhausted. */
bool id_column_init(IdColumn *column, const Stage *stage, size_t node,
                    const Tensor *labelled);

/* Chooses the chips' size for an area of this size. */
void id_column_measure(IdColumn *column, double width, double height);

/* How wide a cell is beside cells of this size. */
double id_column_cell(double w, double h);

/* The chips, and what links the IDs' cells to the tape; the cells are drawn before. */
void id_column_draw(const IdColumn *column);

#endif
