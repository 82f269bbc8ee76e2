/* Problems: cells that are undefined for the present numbers, and the reason.
 *
 * If a row is masked whole, a standard deviation is zero, or a divisor is zero,
 * arithmetic continues with zeros, infinities or NaN; views of the cell show the
 * reason. */
#pragma once

#include "tensor/tape/tape.h"

/* Returns why a cell of a node has no proper value: a key of the interface strings
 * ("trouble.row_masked"), or NULL if nothing is wrong. −∞ in a mask is fine. Fast in the
 * usual case. */
const char *problem_of(const Tape *tape, size_t node, size_t row, size_t col);

/* A computed tensor with cells that are not finite although all its inputs are. −∞ put
 * there by a mask or a choice doesn't count. */
typedef struct Problem {
    size_t node, cells;
    size_t row, col; /* its first such cell */
} Problem;

/* Lists all problems in the tape's order, in `arena`; false when that is exhausted. */
bool problem_list(const Tape *tape, Arena *arena, const Problem **list, size_t *count);
