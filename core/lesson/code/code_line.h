/* One operation's line in NumPy or PyTorch, from the pattern in its row of the table. */
#ifndef LESSON_CODE_LINE_H
#define LESSON_CODE_LINE_H

#include "lesson/content/content.h"

typedef enum CodeLanguage { CODE_NUMPY, CODE_TORCH, CODE_LANGUAGE_COUNT } CodeLanguage;

/* How firmly a text holds together that stands where nothing can break it up; else it is
 * as its operation binds. */
enum { CODE_LOOSE = OPERATION_BINDS_UNSAID };

/* A node that is written out where it is used, not by its name. */
typedef struct CodePart {
    const char *text; /* NULL: by its name */
    int strength;     /* an OperationBinding */
} CodePart;

typedef struct Code {
    const Lesson *lesson;
    const Tape *tape;
    const char *const *names; /* an identifier for every node of the tape */
    const CodePart *parts;    /* NULL but within code_step and code_script */
    bool masked;              /* somewhere a row is masked whole */
    bool loads;               /* large given tensors are read from a file */
} Code;

/* The line that computes a node, "S = X @ W_Q", without a line's end; of a given tensor
 * its numbers, with all their digits. What is set by hand in it follows in lines of its
 * own. New in `arena`; NULL when that is exhausted. */
const char *code_line(const Code *code, CodeLanguage language, size_t node, Arena *arena);

/* What stands right of "S = " in a node's line, without cells set by hand, and how firmly
 * it holds together. The text is new in `arena`; NULL when that is exhausted. */
const char *code_value(const Code *code, CodeLanguage language, size_t node,
                       Arena *arena);
int code_strength(const Code *code, size_t node);

/* A node as it stands where it is used, held together that firmly at least. */
const char *code_operand(const Code *code, CodeLanguage language, size_t node, int least,
                         Arena *arena);

/* How a given tensor's numbers were drawn; NULL where they stand there one by one: they
 * are written, or few. */
const LessonDrawn *code_drawn(const Code *code, size_t node);

/* Whether a given tensor is read from a file, if any are. */
bool code_is_large(const Code *code, size_t node);

/* Whether a node has no line, as it stands within others': a constant, or a transpose
 * without a step. */
bool code_is_within(const Code *code, size_t node);

#endif
