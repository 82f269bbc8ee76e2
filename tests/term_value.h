/* Evaluates a term again with other values of the inputs than those it was made with. */
#pragma once

#include "tensor/terms/term.h"

#include <stdlib.h>

/* The term's value for these inputs (inputs[i] is input i). */
static inline double term_evaluate(const Term *term, const Tensor *const *inputs) {
    if (term->kind == TERM_NUMBER)
        return term->value;
    if (term->kind == TERM_CELL)
        return tensor_at(inputs[term->input], term->row, term->col);
    Term *parts = calloc(term->count + 1, sizeof *parts), again = *term;
    const Term **addresses = calloc(term->count + 1, sizeof *addresses);
    for (size_t i = 0; i < term->count; i++) {
        parts[i] = *term->parts[i];
        parts[i].value = term_evaluate(term->parts[i], inputs);
        addresses[i] = &parts[i];
    }
    again.parts = addresses;
    double value = term_value(&again);
    free(parts);
    free(addresses);
    return value;
}
