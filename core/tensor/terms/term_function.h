/* The functions that stand in terms: one row each in one table. Whoever adds one adds a
 * row; it is then evaluated, differentiated, printed, followed and typed as an answer. */
#ifndef TENSOR_TERM_FUNCTION_H
#define TENSOR_TERM_FUNCTION_H

#include "tensor/terms/term.h"

extern const TermFunction term_exp, term_log, term_sqrt, term_sin, term_cos, term_erf,
    term_sigmoid, term_tanh;

/* The functions one after the other; NULL behind the last. */
const TermFunction *term_function_at(size_t index);

#endif
