/* IDs on a tape: tensors whose values are indices of rows or columns of others. */
#pragma once

#include "tensor/tape/tape.h"

/* Reports whether an operation reads a node's values as IDs, directly or after they were
 * sliced, transposed or concatenated. */
bool tape_holds_ids(const Tape *tape, size_t node);

/* Reports whether every operation that reads a node's values as IDs accepts `value` in
 * cell (row, col). ERROR_VALUE with the message of the operation that doesn't. */
bool tape_accepts(const Tape *tape, size_t node, size_t row, size_t col, double value,
                  Error *error);
