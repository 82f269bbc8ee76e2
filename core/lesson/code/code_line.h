/* One operation's line in NumPy or PyTorch, made from the pattern in its table row. */
#pragma once

#include "tensor/operations/operation.h"

typedef struct Lesson Lesson;
typedef struct LessonDrawn LessonDrawn;
typedef struct Tape Tape;

typedef enum CodeLanguage { CODE_NUMPY, CODE_TORCH, CODE_LANGUAGE_COUNT } CodeLanguage;

/* Precedence that needs no parentheses; other patterns have their operation's. */
enum { CODE_LOOSE = OPERATION_BINDS_SUM - 1 };

/* A node that is inlined instead of referred to by name. */
typedef struct CodePart {
    const char *text; /* NULL: referred to by name */
    int strength;     /* an OperationBinding */
} CodePart;

typedef struct Code {
    const Lesson *lesson;
    const Tape *tape;
    const char *const *names; /* an identifier for each node of the tape */
    const CodePart *parts;    /* NULL except within code_step and code_script */
    bool masked;              /* a row is masked whole somewhere */
    bool loads;               /* large given tensors are read from a file */
} Code;

/* Returns the line that computes a node, "S = X @ W_Q", without a newline at its end. A
 * given tensor is written with all digits of its numbers. Edits follow on separate lines.
 * New in `arena`. */
const char *code_line(const Code *code, CodeLanguage language, size_t node, Arena *arena);

/* Returns the right side of a node's line, without edits, and its precedence. The text is
 * new in `arena`. */
const char *code_value(const Code *code, CodeLanguage language, size_t node,
                       Arena *arena);
int code_strength(const Code *code, size_t node);

/* Returns a node's text as an operand that needs at least that precedence. */
const char *code_operand(const Code *code, CodeLanguage language, size_t node, int least,
                         Arena *arena);

/* Returns how a given tensor's numbers were drawn; NULL if they are written out: they are
 * given as numbers, or few. */
const LessonDrawn *code_drawn(const Code *code, size_t node);

/* Reports whether a given tensor is read from a file, if any are. */
bool code_is_large(const Code *code, size_t node);

/* Reports whether a node has no line, since it is inlined: a constant, or a transpose
 * without a step. */
bool code_is_within(const Code *code, size_t node);
