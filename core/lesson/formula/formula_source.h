/* Formulas of statements: an expression's tree, written in the part of TeX that
 * picture/formula/formula.h typesets. */
#ifndef LESSON_FORMULA_SOURCE_H
#define LESSON_FORMULA_SOURCE_H

#include "lesson/formula/expression.h"

/* Bytes of a formula, at most; a statement whose formula would be longer has none, "". */
enum { FORMULA_MAX_BYTES = 4096 };

/* The formula of a whole statement, new in the arena: for `S = Q @ K.T`
 * `\tensor{S} = \tensor{Q} \tensor{K.T}`. Under the arena's guard. */
const char *formula_source(Arena *arena, const Statement *statement);

/* The formula of tensors side by side: `\tensor{W_Q}, \quad \tensor{W_K}`;
 * such as are written alike, once. */
const char *formula_source_names(Arena *arena, const char *const *names, size_t count);

#endif
