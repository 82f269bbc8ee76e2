/* IDs on a tape: the tensors whose values count rows or columns of others. */
#ifndef TENSOR_TAPE_IDS_H
#define TENSOR_TAPE_IDS_H

#include "tensor/tape/tape.h"

/* Whether an operation reads a node's values as IDs, itself or moved elsewhere first:
 * sliced, transposed, joined. */
bool tape_holds_ids(const Tape *tape, size_t node);

/* Whether all that read a node's values as IDs can take `value` in cell (row, col).
 * ERROR_VALUE with the sentence of the operation that can't. */
bool tape_accepts(const Tape *tape, size_t node, size_t row, size_t col, double value,
                  Error *error);

#endif
