/* Manners: how an operation moves while its result comes to be, and how long.
 *
 * A motion is what the operation does: a row slides over columns, a transpose turns, a
 * mask falls like a shutter. One table has a row for every operation; a test asks it of
 * all. What is drawn of a manner is in picture/transitions. */
#ifndef LESSON_TRANSITION_H
#define LESSON_TRANSITION_H

#include "lesson/content/lesson.h"

typedef enum TransitionKind {
    TRANSITION_MISSING,   /* a row that says nothing is a mistake */
    TRANSITION_APPEAR,    /* cells come to be where they stand */
    TRANSITION_GATHER,    /* a row meets its columns, products drop into the sum */
    TRANSITION_LAND,      /* the operands' cells slide onto the result's */
    TRANSITION_TRANSPOSE, /* cells go on arcs to swapped places */
    TRANSITION_ROTATE,    /* hands turn */
    TRANSITION_MASK,      /* what is masked falls from above */
    TRANSITION_NORMALIZE, /* a row grows as bars, which are squeezed to one */
    TRANSITION_STRIKE,    /* cells land, and some are struck out */
    TRANSITION_LOOKUP,    /* rows are lifted out */
    TRANSITION_CONCAT,    /* blocks move together */
    TRANSITION_SLIDE,     /* a row's cells slide along their line */
    TRANSITION_MORPH,     /* bars take the lengths of those behind them */
    TRANSITION_MERGE,     /* two pieces go together and are one */
    TRANSITION_SPREAD,    /* a gradient spreads over what it was made from */
    TRANSITION_COUNT
} TransitionKind;

/* When, in shares of its time, the explained cell comes to be, and from which share of
 * that on its sum is whole; {0}: nothing is told of it. */
typedef struct TransitionExplanation {
    double from, to, sum;
} TransitionExplanation;

#define TRANSITION_EXPLAINED 0.85 /* of that time: from then on its result is there */

/* Whether an operation has its row in the table; a test asks it of all. */
bool transition_has_row(OperationKind kind);

/* How a node of a tape moves: as its operation does, but an addition of a mask is a
 * shutter, and what is muted only lands. */
TransitionKind transition_of(const Tape *tape, size_t node);

/* How the node moves that a step of a lesson only shows at `index`, of which nothing is
 * worked out there: it appears, but of a corpus the newest pieces merge, and of several
 * that are bars each becomes the next. */
TransitionKind transition_of_shown(const Lesson *lesson, const LessonStep *step,
                                   size_t index);

/* How long the first takes, in milliseconds; less for few cells. At most
 * TRANSITION_LONGEST.
 */
#define TRANSITION_LONGEST 4000.0
double transition_length(const Tape *tape, size_t node);

/* The explained cell comes first and, where there are others, slowly. */
TransitionExplanation transition_explanation(const Tape *tape, size_t node);

#endif
