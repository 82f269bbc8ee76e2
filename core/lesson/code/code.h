/* Code: a lesson's computation in NumPy and in PyTorch.
 *
 * Every operation's table row has a pattern in either language. A step becomes one
 * executable line: `A = softmax(S)`; all steps in order, after the given tensors and a
 * few helper functions, are a complete script. Names are the lesson's, converted to
 * identifiers ("encoder.0.norm_1" becomes encoder_0_norm_1); a tensor without a name is
 * inlined, or named after the result it is computed for ("A_matmul"). Edits and mutes are
 * included. Code is written in arenas that have a guard. */
#pragma once

#include "lesson/play/player.h"
#include "tensor/operations/operation.h"

typedef struct Language Language;
typedef struct LessonDrawn LessonDrawn;
typedef struct Tape Tape;
typedef struct Writer Writer;

/* One operation's line in NumPy or PyTorch, made from the pattern in its table row. */

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

/* Returns the input of a transpose without a step; other nodes themselves. */
size_t code_through(const Code *code, size_t node);

/* Returns the library's name: "NumPy", "PyTorch". */
const char *code_language_title(CodeLanguage language);

/* Finds the language of the name "numpy" or "torch"; false for another name. */
bool code_language_from_name(const char *name, CodeLanguage *language);

/* Returns for each node of the tape the first step that computes it, of the lesson's
 * steps from number `first` on; NULL for a node that no step computes. New in the
 * arena. */
const LessonStep **code_steps(const Lesson *lesson, size_t first, Arena *arena);

/* Makes unique identifiers for all of a lesson's tensors, different from all names that
 * Python and the script use. */
Code code_of(const Player *player, Arena *arena);

/* The code of one step of the tree, in a readable form: for an operation its line; for a
 * step that opens into several the fewest lines that are readable, with nested operations
 * and with composites as one call if the library has one
 * (F.scaled_dot_product_attention); for tensors that are shown a print. It runs after the
 * lines of the steps before it and ends with the step's result. */
typedef struct CodeStep {
    size_t count;
    const char *const *lines; /* may contain line breaks */
} CodeStep;

CodeStep code_step(const Code *code, CodeLanguage language, const Player *player,
                   size_t step, Arena *arena);

/* Returns the complete helper functions that a step's lines call, as in the script; "" if
 * they only call the library. */
const char *code_functions(const Code *code, CodeLanguage language, const CodeStep *lines,
                           Arena *arena);

/* Writes the whole script: the imports and functions used; given tensors, those with many
 * random numbers as a call, those of large models read from a file; every step, under its
 * heading, and a print of each step's result that no other uses. */
void code_script(const Code *code, CodeLanguage language, const Language *words,
                 Writer *writer);

/* The prelude of a script: imports and helper functions, reduced to those that are
 * used. */

enum { CODE_BLOCKS_MAX = 64 };

/* A complete import or function. */
typedef struct CodeBlock {
    const char *text, *name; /* neither is zero-terminated there */
    size_t length, name_length;
    bool imports, used;
} CodeBlock;

typedef struct CodePrelude {
    size_t count;
    CodeBlock blocks[CODE_BLOCKS_MAX];
} CodePrelude;

/* Initializes all blocks; `masked` as in Code. */
void code_prelude_init(CodePrelude *prelude, CodeLanguage language, bool masked);

/* Marks the blocks that a text uses, and those that they use. */
void code_prelude_use(CodePrelude *prelude, const char *text);

/* Reports whether a block has that name. */
bool code_prelude_has(const CodePrelude *prelude, const char *name);

/* Returns the imports that every script has. */
const char *code_imports(CodeLanguage language);
