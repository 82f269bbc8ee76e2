/* A formula's source as a tree. For formula.c and formula_layout.c alone; the language is
 * told in picture/formula/formula.h. Nodes and their texts live in the arena given. */
#ifndef PICTURE_FORMULA_PARSE_H
#define PICTURE_FORMULA_PARSE_H

#include "base/arena.h"
#include "base/error.h"
#include "picture/formula/formula_tree.h"

/* Reads a formula. What can't be understood becomes an atom of FACE_BAD, and the first
 * such place is told in *error: its column counts characters from 1, and `code` stays
 * ERROR_NONE when there is none. NULL, with ERROR_LIMIT or ERROR_MEMORY, when the source
 * is too long or the arena is exhausted. */
const FormulaNode *formula_parse(Arena *arena, const char *source, Error *error);

#endif
