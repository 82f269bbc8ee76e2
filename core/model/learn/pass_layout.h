/* Where each parameter lies in the one array that a pass computes with.
 *
 * Only pass.c and pass_run.c include this. Rows are padded to a multiple of LANES. The
 * columns that make queries, keys and values, and the rows of W_O, are padded head by
 * head, so that each head's columns begin at a multiple of LANES. */
#ifndef MODEL_PASS_LAYOUT_H
#define MODEL_PASS_LAYOUT_H

#include "model/build/transformer.h"

/* One parameter: `rows` × `stride` cells from `offset` on. Its columns (rows) come in
 * groups of `col_group` (`row_group`), each padded to `col_pitch` (`row_pitch`). */
typedef struct PassPlace {
    size_t offset, rows, stride;
    size_t col_group, col_pitch, row_group, row_pitch;
} PassPlace;

typedef struct PassLayout {
    size_t count;
    const TransformerParameter *parameters;
    const PassPlace *places;
    size_t size; /* cells in all */
} PassLayout;

/* New in the arena; false when it is exhausted. */
bool pass_layout_init(PassLayout *layout, Arena *arena, const TransformerShape *shape);

/* The cell of a parameter's (row, col) within the array. */
static inline size_t pass_layout_cell(const PassPlace *place, size_t row, size_t col) {
    row = row / place->row_group * place->row_pitch + row % place->row_group;
    col = col / place->col_group * place->col_pitch + col % place->col_group;
    return place->offset + row * place->stride + col;
}

#endif
