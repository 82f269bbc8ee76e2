/* Commands and signs of the formula language, as one table. For the formula_ files
 * alone. */
#pragma once

#include "picture/formula/formula_tree.h"

typedef struct FormulaSymbol {
    const char *name; /* behind the backslash; NULL for a sign that has no command */
    const char *text; /* drawn text */
    FormulaClass class;
    FormulaFace face;
    bool limits, large;
} FormulaSymbol;

/* Symbol of a command's name (`length` bytes), or of a character as typed or as drawn
 * (one character of `length` bytes); NULL if there is none. */
const FormulaSymbol *formula_symbol_named(const char *name, size_t length);
const FormulaSymbol *formula_symbol_typed(const char *character, size_t length);
