/* Gradients of an operation with respect to one input, explained cell by cell.
 *
 * The inputs of an OPERATION_BACKWARD are those of its operation, in order, then that
 * operation's output, then the gradient of that output. Its options are the operation's
 * own, with `operation` and `input` set. */
#pragma once

#include "tensor/operations/operation.h"

/* Maximum number of inputs of an operation with gradients. */
enum { BACKWARD_INPUTS_MAX = 256 };

/* Returns the sum over the cells of `out` of gradient × derivative, which is that of the
 * cell's own explanation with respect to cell (row, col) of input `input`. Parts that are
 * 0 are left out. `set`, unless NULL, marks cells of `out` that are set by hand and pass
 * no gradient. Term inputs count an OPERATION_BACKWARD's inputs. NULL when the arena is
 * exhausted. */
const Term *backward_by_rule(const OperationCall *call, const Tensor *out,
                             const Tensor *gradient, const bool *set, size_t input,
                             size_t row, size_t col, Arena *arena);
