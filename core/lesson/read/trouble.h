/* Trouble: cells whose step has no meaning with the numbers that it is given, and why.
 *
 * A row that is masked whole, a deviation of zero, a division by zero: arithmetic goes on
 * with zeros, infinities or no number at all, and whoever shows the cell says so. */
#ifndef LESSON_TROUBLE_H
#define LESSON_TROUBLE_H

#include "tensor/tape.h"

/* Why a cell of a node has no proper value: a key of the interface strings
 * ("trouble.row_masked"), or NULL where nothing is wrong. A mask's −∞ is nothing wrong.
 * Quick where nothing is. */
const char *trouble_of(const Tape *tape, size_t node, size_t row, size_t col);

#endif
