/* The functions that a lesson can call.
 *
 * Those that are one operation come from the operations' table; beside them stand the
 * composites of the model layer and the gradient. A call says its name, its arguments,
 * how it is set in a formula, and how it is appended to the tape. */
#ifndef LESSON_CALLS_H
#define LESSON_CALLS_H

#include "lesson/formula/evaluation.h"

typedef struct Call {
    const char *name;
    size_t least, most;      /* arguments */
    const char *arguments;   /* as in a signature: "Q, K, V[, M]" */
    const char *symbol;      /* the name in a formula, "Attention"; or all of it, where #1
                                stands for the argument: "\\sqrt{#1}" */
    OperationKind operation; /* the one that it appends; OPERATION_GIVEN: several */
    /* Appends the call, naming the result's node. */
    bool (*append)(Evaluation *evaluation, const struct Call *call,
                   const Expression *expression, const char *name, size_t *node);
} Call;

/* The calls one after the other; false behind the last. */
bool calls_at(Call *call, size_t index);

/* A function by its name; false when there is none. */
bool calls_lookup(Call *call, const char *name);

/* The function nearest to an unknown name, or NULL. */
const char *calls_nearest(const char *name);

/* The expression with `own` for `said` where a call says how many words there are,
 * "causal_mask(4)"; new in the arena, under its guard. */
const Expression *calls_with_words(const Expression *expression, Arena *arena,
                                   size_t said, size_t own);

#endif
