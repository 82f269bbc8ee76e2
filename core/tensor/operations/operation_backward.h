/* What an operation gives back to one of its inputs, explained cell by cell.
 *
 * An OPERATION_BACKWARD has as inputs those of the operation it belongs to, in order,
 * then that operation's output, then the gradient of that output. Its options are the
 * operation's own, with `operation` and `input` beside them. */
#ifndef TENSOR_OPERATION_BACKWARD_H
#define TENSOR_OPERATION_BACKWARD_H

#include "tensor/operations/operation.h"

/* An operation may have at most so many inputs to be gone through backwards. */
enum { BACKWARD_INPUTS_MAX = 256 };

/* The sum over the cells of `out` of gradient × factor, where the factor is the
 * derivative of the cell's own explanation with respect to cell (row, col) of input
 * `input`. Parts that are 0 are left out. `set`, where given, marks cells of `out` that
 * are set by hand, and give nothing back. Term inputs count an OPERATION_BACKWARD's
 * inputs. NULL when the arena is exhausted. */
const Term *backward_by_rule(OperationKind kind, const OperationCall *call,
                             const Tensor *out, const Tensor *gradient, const bool *set,
                             size_t input, size_t row, size_t col, Arena *arena);

#endif
