/* Problem: cells whose step has no meaning with the numbers that it is given, and why.
 *
 * A row that is masked whole, a deviation of zero, a division by zero: arithmetic goes on
 * with zeros, infinities or no number at all, and whoever shows the cell says so. */
#ifndef LESSON_PROBLEM_H
#define LESSON_PROBLEM_H

#include "tensor/tape/tape.h"

/* Why a cell of a node has no proper value: a key of the interface strings
 * ("trouble.row_masked"), or NULL where nothing is wrong. A mask's −∞ is nothing wrong.
 * Quick where nothing is. */
const char *problem_of(const Tape *tape, size_t node, size_t row, size_t col);

/* A computed tensor some of whose cells are no finite numbers, though all that it is made
 * of are. −∞ is meant to be where a mask or a choice has put it. */
typedef struct Problem {
    size_t node, cells;
    size_t row, col; /* the first of them */
} Problem;

/* All of them in the tape's order, in `arena`; false when that is exhausted. */
bool problem_list(const Tape *tape, Arena *arena, const Problem **list, size_t *count);

#endif
