/* The derivative of a term: how fast its value moves with one of the cells it is made of.
 *
 * Rule by rule, as one would write it down, and shortened on the way: what is 0 is left
 * out, what is 1 is not multiplied by. Where a case is chosen (the largest, the greater)
 * it is the derivative of the case that holds at the present values. */
#ifndef TENSOR_TERM_DERIVATIVE_H
#define TENSOR_TERM_DERIVATIVE_H

#include "tensor/terms/term_short.h"

/* d term / d cell (row, col) of input number `input`, as a term over the same inputs.
 * Where `term` itself comes up again (e^x, a quotient) `self` stands for it, a term of
 * the same value; NULL: it comes up as it is. NULL when the arena is exhausted. */
const Term *term_derivative(Arena *arena, const Term *term, size_t input, size_t row,
                            size_t col, const Term *self);

#endif
