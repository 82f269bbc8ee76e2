/* Constructors that simplify: terms that are 0 are dropped, factors of 1 omitted. */
#pragma once

#include "tensor/terms/term.h"

/* Report whether a term is the number 0 (the derivative of a term that does not depend on
 * the cell), or another number. */
bool term_is_zero(const Term *term);
bool term_is_number(const Term *term, double value);

/* −term, left − right, left ÷ right, left × right and the sum of parts, simplified. An
 * empty sum is 0. NULL when the arena is exhausted. */
const Term *term_negative(Arena *arena, const Term *term);
const Term *term_minus(Arena *arena, const Term *left, const Term *right);
const Term *term_over(Arena *arena, const Term *left, const Term *right);
const Term *term_times(Arena *arena, const Term *left, const Term *right);
const Term *term_plus(Arena *arena, size_t count, const Term *const *parts);
