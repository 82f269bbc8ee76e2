/* What would become of a number if another one were otherwise.
 *
 * The tape stays as it is: what depends on the change is computed beside it, by the same
 * operations, in an arena of the caller's. */
#ifndef TENSOR_WHAT_IF_H
#define TENSOR_WHAT_IF_H

#include "tensor/tape/tape.h"

typedef struct WhatIf {
    size_t node, row, col; /* the number that is watched */
    size_t changed;        /* the node that is otherwise: … */
    size_t changed_row;    /* … in this row; TAPE_NONE: in all of them; … */
    size_t changed_col;    /* … in this column; the same */
    double times, add;     /* x becomes times · x + add */
    bool mutes;            /* … or, in place of all that, its operation is left out */
} WhatIf;

typedef enum Trend { TREND_NONE, TREND_UP, TREND_DOWN, TREND_SAME, TREND_COUNT } Trend;

/* A difference below it can't be seen in three decimals. */
#define WHAT_IF_SEEN 0.0005

/* Which way the number goes, and what it was and would be. TREND_NONE, and no numbers,
 * where one of them is no number, or the arena is exhausted. */
Trend tape_what_if(const Tape *tape, const WhatIf *what, Arena *arena, double *before,
                   double *after);

#endif
