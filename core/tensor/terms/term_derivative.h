/* The derivative of a term with respect to one of its cells.
 *
 * It is built rule by rule and simplified: terms that are 0 are dropped, factors of 1
 * omitted. At a choice (the largest, the greater) it is the derivative of the case that
 * holds at the present values. */
#pragma once

#include "tensor/terms/term_short.h"

/* Returns d term / d cell (row, col) of input number `input`, as a term over the same
 * inputs. Where the derivative contains `term` itself (e^x, a quotient), `self` replaces
 * it, a term of the same value; NULL: it is used as it is. NULL when the arena is
 * exhausted. */
const Term *term_derivative(Arena *arena, const Term *term, size_t input, size_t row,
                            size_t col, const Term *self);
