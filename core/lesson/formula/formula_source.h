/* Formulas of statements: writes an expression's tree in the subset of TeX that
 * picture/formula/formula.h typesets. */
#pragma once

#include "lesson/formula/expression.h"

/* Maximum bytes of a formula; a statement with a longer one has none, "". */
enum { FORMULA_MAX_BYTES = 4096 };

/* Returns the formula of a whole statement, new in the arena: for `S = Q @ K.T`
 * `\tensor{S} = \tensor{Q} \tensor{K.T}`. Under the arena's guard. */
const char *formula_source(Arena *arena, const Statement *statement);

/* Returns the formula of tensors side by side: `\tensor{W_Q}, \quad \tensor{W_K}`; equal
 * ones only once. */
const char *formula_source_names(Arena *arena, const char *const *names, size_t count);
