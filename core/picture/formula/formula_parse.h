/* Parser of formulas into trees. For formula.c and formula_layout.c alone; the language
 * is described in picture/formula/formula.h. Nodes and their texts live in the given
 * arena. */
#pragma once

#include "base/arena.h"
#include "picture/formula/formula_tree.h"

/* Parses a formula. A source that can't be parsed or is too long becomes an atom of
 * FACE_BAD and sets *understood to false. */
const FormulaNode *formula_parse(Arena *arena, const char *source, bool *understood);
