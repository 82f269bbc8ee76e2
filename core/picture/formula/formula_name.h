/* A tensor's name as mathematics: `W_Q` is a W with the subscript Q. For the formula_
 * files alone. */
#pragma once

#include "base/arena.h"
#include "picture/formula/formula_tree.h"

/* Returns the tree of a name, in its tensor's colour:
 *   W_Q, W1        a base and its subscript; further underscores become commas
 *   K.T            a raised upright T
 *   A'             a prime
 *   head_1.scores  the last part; the number before it becomes a subscript
 *   gamma, d_model a Greek letter by its name; an upright word as subscript
 * NULL if the name has no letter or digit, or any other sign than _ . ' */
FormulaNode *formula_name(Arena *arena, const char *name);

/* Returns `count` prime signs as text; NULL for 0. */
const char *formula_primes(Arena *arena, size_t count);
