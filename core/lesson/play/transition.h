/* Transitions: the animation in which an operation's result appears, and its length.
 *
 * The animation shows what the operation does: a row slides over columns, a transpose
 * rotates, a mask falls from above. One table has a row for every operation; a test
 * checks all of them. Drawing is up to picture/transitions. */
#pragma once

#include "tensor/operations/operation.h"

typedef struct Lesson Lesson;
typedef struct LessonStep LessonStep;
typedef struct Tape Tape;

typedef enum TransitionKind {
    TRANSITION_MISSING,   /* missing in a row: a mistake */
    TRANSITION_APPEAR,    /* cells appear in place */
    TRANSITION_GATHER,    /* a row meets its columns, products drop into the sum */
    TRANSITION_LAND,      /* the operands' cells slide onto the result's */
    TRANSITION_TRANSPOSE, /* cells move on arcs to their transposed positions */
    TRANSITION_ROTATE,    /* pairs rotate like clock hands */
    TRANSITION_MASK,      /* masks fall from above */
    TRANSITION_NORMALIZE, /* a row grows as bars, which are scaled to a sum of one */
    TRANSITION_STRIKE,    /* cells land, and some are struck out */
    TRANSITION_LOOKUP,    /* rows are lifted out */
    TRANSITION_CONCAT,    /* blocks move together */
    TRANSITION_SLIDE,     /* a row's cells slide along their line */
    TRANSITION_MORPH,     /* bars take the lengths of the next ones */
    TRANSITION_MERGE,     /* two subwords move together and become one */
    TRANSITION_SPREAD,    /* a gradient spreads over its inputs */
    TRANSITION_COUNT
} TransitionKind;

/* The fractions of time in which the explained cell appears, and the fraction of that
 * after which its sum is complete; {0}: it is not explained. */
typedef struct TransitionExplanation {
    double from, to, sum;
} TransitionExplanation;

#define TRANSITION_EXPLAINED 0.85 /* default of that fraction */

/* Reports whether an operation has a row in the table; a test checks all of them. */
bool transition_has_row(OperationKind kind);

/* Returns the transition of a node: its operation's, but TRANSITION_MASK for the addition
 * of a mask, and TRANSITION_LAND for a muted one. */
TransitionKind transition_of(const Tape *tape, size_t node);

/* Returns the transition of the node at `index` of a step that only shows: it appears,
 * but a corpus's newest subwords merge, and several tensors drawn as bars morph into each
 * other. */
TransitionKind transition_of_shown(const Lesson *lesson, const LessonStep *step,
                                   size_t index);

/* Returns the length of a transition, in milliseconds; less for few cells. At most
 * TRANSITION_LONGEST. */
#define TRANSITION_LONGEST 4000.0
double transition_length(const Tape *tape, size_t node);

/* Returns the timing of the explained cell, which comes first and, if there are others,
 * slowly. */
TransitionExplanation transition_explanation(const Tape *tape, size_t node);
