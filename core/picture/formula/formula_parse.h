/* A formula's source as a tree. For formula.c and formula_layout.c alone; the language is
 * told in picture/formula/formula.h. Nodes and their texts live in the arena given. */
#ifndef PICTURE_FORMULA_PARSE_H
#define PICTURE_FORMULA_PARSE_H

#include "base/arena.h"
#include "picture/formula/formula_tree.h"

/* Reads a formula. What can't be understood becomes an atom of FACE_BAD, as does one that
 * is too long, and *understood false. NULL when the arena is exhausted. */
const FormulaNode *formula_parse(Arena *arena, const char *source, bool *understood);

#endif
