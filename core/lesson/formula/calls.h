/* The functions that a lesson can call: one row each in one table.
 *
 * A row says a function's name, how many arguments it takes and what they are called, how
 * it is set in a formula, and how it is appended to the tape. Operations of the tensor
 * layer and composites of the model layer stand side by side. */
#ifndef LESSON_CALLS_H
#define LESSON_CALLS_H

#include "lesson/formula/evaluate.h"

typedef struct Call {
    const char *name;
    size_t least, most;      /* arguments */
    const char *arguments;   /* as in a signature: "Q, K, V[, M]" */
    const char *formula;     /* the name in a formula: "Attention" */
    double (*fold)(double);  /* for a number as argument, where that gives a number */
    OperationKind operation; /* what is appended by those that append one */
    /* Appends the call, naming the result's node. */
    bool (*append)(Evaluation *evaluation, const struct Call *call,
                   const Expression *expression, const char *name, size_t *node);
} Call;

/* A function's row; NULL when there is none. */
const Call *calls_lookup(const char *name);

/* The function nearest to an unknown name, or NULL. */
const char *calls_nearest(const char *name);

#endif
