/* The functions of terms, one table row each. A new row is at once evaluated,
 * differentiated, printed, followed and accepted in typed answers. */
#pragma once

#include "tensor/terms/term.h"

extern const TermFunction term_exp, term_log, term_sqrt, term_sin, term_cos, term_erf,
    term_sigmoid, term_tanh;

/* Returns the function of that index; NULL past the last. */
const TermFunction *term_function_at(size_t index);
