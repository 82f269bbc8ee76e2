/* Functions that a lesson can call.
 *
 * Those of a single operation come from the operations' table; the others are the
 * composites of core/model, and the gradient. A call has a name, arguments, a notation in
 * formulas, and a function that appends it to the tape. */
#pragma once

#include "lesson/formula/evaluation.h"

typedef struct Call {
    const char *name;
    size_t least, most;    /* number of arguments */
    const char *arguments; /* as in a signature: "Q, K, V[, M]" */
    /* the name in a formula, "Attention"; or the whole notation, with #1 for the
     * argument: "\\sqrt{#1}" */
    const char *symbol;
    OperationKind operation; /* the operation it appends; OPERATION_GIVEN: several */
    /* Appends the call, naming the result's node. */
    bool (*append)(Evaluation *evaluation, const struct Call *call,
                   const Expression *expression, const char *name, size_t *node);
} Call;

/* Returns the call of that index; false past the last. */
bool calls_at(Call *call, size_t index);

/* Finds a function by its name; false if there is none. */
bool calls_lookup(Call *call, const char *name);

/* Returns the expression for a call of NumPy or PyTorch: "K.T" for transpose(K); NULL for
 * an unknown function. */
const char *calls_instead(Arena *arena, const Expression *expression);

/* Returns the function nearest to an unknown name, or NULL. */
const char *calls_nearest(const char *name);

/* Replaces the number of tokens `said` by `own` in calls that have it as an argument,
 * "causal_mask(4)"; the result is new in the arena, under its guard. */
const Expression *calls_with_words(const Expression *expression, Arena *arena,
                                   size_t said, size_t own);
