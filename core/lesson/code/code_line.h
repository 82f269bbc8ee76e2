/* One operation's text, for code.c and code_step.c alone. */
#ifndef LESSON_CODE_LINE_H
#define LESSON_CODE_LINE_H

#include "lesson/code/code.h"

/* How firmly a text holds together among operators: Python's precedence. */
enum { CODE_LOOSE, CODE_SUM, CODE_PRODUCT, CODE_SIGN, CODE_WHOLE };

/* A node that is written out where it is used, not by its name. */
typedef struct CodePart {
    const char *text; /* NULL: by its name */
    int strength;
} CodePart;

/* What stands right of "S = " in a node's line, without cells set by hand, and how firmly
 * it holds together. The text is new in `arena`; NULL when that is exhausted. */
const char *code_value(const Code *code, CodeLanguage language, size_t node,
                       Arena *arena);
int code_strength(const Code *code, size_t node);

/* A node as it stands where it is used, held together that firmly at least. */
const char *code_operand(const Code *code, CodeLanguage language, size_t node, int least,
                         Arena *arena);

#endif
