/* Hypothetical changes: what one number would become if another one were different.
 *
 * The tape is not modified: the nodes that depend on the change are recomputed beside it,
 * in an arena of the caller's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;
typedef struct Tape Tape;

typedef struct WhatIf {
    size_t node, row, col; /* the number observed */
    size_t changed;        /* the node that is changed */
    size_t changed_row;    /* the row changed; TAPE_NONE: all */
    size_t changed_col;    /* the column changed; TAPE_NONE: all */
    double times, add;     /* x becomes times · x + add */
    bool mutes;            /* mutes the node's operation instead */
} WhatIf;

typedef enum Trend { TREND_NONE, TREND_UP, TREND_DOWN, TREND_SAME, TREND_COUNT } Trend;

/* Smaller differences are invisible at three decimals. */
#define WHAT_IF_SEEN 0.0005

/* Returns the direction of the change, and the number before and after. TREND_NONE,
 * without numbers, if one of them is NaN or the arena is exhausted. */
Trend tape_what_if(const Tape *tape, const WhatIf *what, Arena *arena, double *before,
                   double *after);
