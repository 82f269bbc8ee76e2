/* Code: what a lesson computes, written in NumPy and in PyTorch.
 *
 * Every operation's row in the table has a pattern in either language. A step becomes one
 * line that really runs: `A = softmax(S)`; the lines of all steps in order, behind the
 * given tensors and a few helper functions, are a script of its own. Names are the
 * lesson's, made into identifiers ("encoder.0.norm_1" is encoder_0_norm_1); a tensor
 * without a name is written where it is used, or called after what it is made for
 * ("A_matmul"). What is changed by
 * hand or muted is so in the code. */
#ifndef LESSON_CODE_H
#define LESSON_CODE_H

#include "lesson/code/code_line.h"
#include "lesson/play/player.h"

/* What people call it: "NumPy", "PyTorch". */
const char *code_language_title(CodeLanguage language);

/* Finds the language called "numpy" or "torch"; false for another name. */
bool code_language_from_name(const char *name, CodeLanguage *language);

/* Finds identifiers for all of a lesson's tensors, no two the same and none of them one
 * that Python or the script has taken. False when the arena is exhausted. */
bool code_init(Code *code, Arena *arena, const Player *player);

/* The code of one step of the tree, as one would write it: of an operation its line; of a
 * step that opens into several as few lines as can be read, operations within each other
 * and composites as one call where the library has one
 * (F.scaled_dot_product_attention); of tensors that are shown a print. It runs behind the
 * lines of the steps before it and ends with the step's result. */
typedef struct CodeStep {
    size_t count;
    const char *const *lines; /* may have line ends of their own */
} CodeStep;

/* False when the arena is exhausted. */
bool code_step(CodeStep *lines, const Code *code, CodeLanguage language,
               const Player *player, size_t step, Arena *arena);

/* The functions that a step's lines call, whole, one below the other, as the script has
 * them; "" where they call the library's alone. NULL when the arena is exhausted. */
const char *code_functions(const Code *code, CodeLanguage language, const CodeStep *lines,
                           Arena *arena);

/* Hands the whole script to `write`, piece by piece: imports and functions, of which it
 * has those that are used; given tensors, the numbers of many drawn ones as a call, of
 * large models read from a file; every step, under its heading, and a print of the last
 * result. All is made in `scratch`. False when memory is short or `write` says so. */
bool code_script(const Code *code, CodeLanguage language, const Language *words,
                 Arena *scratch, bool (*write)(void *context, const char *text),
                 void *context);

#endif
