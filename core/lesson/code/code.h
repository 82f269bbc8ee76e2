/* Code: a lesson's computation in NumPy and in PyTorch.
 *
 * Every operation's table row has a pattern in either language. A step becomes one
 * executable line: `A = softmax(S)`; all steps in order, after the given tensors and a
 * few helper functions, are a complete script. Names are the lesson's, converted to
 * identifiers ("encoder.0.norm_1" becomes encoder_0_norm_1); a tensor without a name is
 * inlined, or named after the result it is computed for ("A_matmul"). Edits and mutes are
 * included. Code is written in arenas that have a guard. */
#pragma once

#include "lesson/code/code_line.h"
#include "lesson/play/player.h"

typedef struct Language Language;

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

/* Passes the whole script to `write`, piece by piece: the imports and functions used;
 * given tensors, those with many random numbers as a call, those of large models read
 * from a file; every step, under its heading, and a print of each step's result that no
 * other uses. Allocates in `scratch`. False when `write` returns
 * false. */
bool code_script(const Code *code, CodeLanguage language, const Language *words,
                 Arena *scratch, bool (*write)(void *context, const char *text),
                 void *context);
