/* The patterns of code.c: what each operation is in NumPy and in PyTorch.
 *
 * In a pattern #1, #2 … are the inputs and #* is all of them; #o is the output and #g the
 * gradient of an operation run backwards, #x the input that the gradient is for. Options
 * are $rows, $cols, $slice (what stands in its brackets), $r0 $c0 (where it begins),
 * $epsilon, $keep, $share, and $at and $to: where input #x lies in what is put together
 * of several. */
#ifndef LESSON_CODE_PATTERNS_H
#define LESSON_CODE_PATTERNS_H

#include "tensor/operation.h"

enum { CODE_BACKWARD_PATTERNS = 3 };

typedef struct CodePattern {
    const char *numpy, *torch;
    /* What NumPy gives back to each input; the last one that is there holds for all that
     * follow. PyTorch has autograd. */
    const char *numpy_back[CODE_BACKWARD_PATTERNS];
} CodePattern;

/* The pattern of an operation that takes inputs or makes something of nothing. Never
 * NULL; without texts for OPERATION_GIVEN and OPERATION_BACKWARD. */
const CodePattern *code_pattern(OperationKind kind);

extern const char CODE_PRELUDE_NUMPY[], CODE_PRELUDE_TORCH[];

#endif
