/* Manners: how an operation moves while its result comes to be, and how long.
 *
 * A motion is what the operation does: a row slides over columns, a transpose turns, a
 * mask falls like a shutter. One table has a row for every operation; a test asks it of
 * all. What is drawn of a manner is in picture/manners. */
#ifndef LESSON_MANNER_H
#define LESSON_MANNER_H

#include "lesson/content/lesson.h"

typedef enum MannerKind {
    MANNER_UNSAID,  /* a row that says nothing is a mistake */
    MANNER_APPEAR,  /* cells come to be where they stand */
    MANNER_GATHER,  /* a row meets its columns, products drop into the sum */
    MANNER_LAND,    /* the operands' cells slide onto the result's */
    MANNER_TURN,    /* cells go on arcs to swapped places */
    MANNER_ROTATE,  /* hands turn */
    MANNER_SHUTTER, /* what is masked falls from above */
    MANNER_SQUEEZE, /* a row grows as bars, which are squeezed to one */
    MANNER_STRIKE,  /* cells land, and some are struck out */
    MANNER_PICK,    /* rows are lifted out */
    MANNER_JOIN,    /* blocks move together */
    MANNER_SLIDE,   /* a row's cells slide along their line */
    MANNER_BECOME,  /* bars take the lengths of those behind them */
    MANNER_MERGE,   /* two pieces go together and are one */
    MANNER_SPREAD,  /* a gradient spreads over what it was made from */
    MANNER_COUNT
} MannerKind;

/* When, in shares of its time, the explained cell comes to be, and from which share of
 * that on its sum is whole; {0}: nothing is told of it. */
typedef struct MannerTelling {
    double from, to, sum;
} MannerTelling;

#define MANNER_TOLD 0.85 /* of that time: from then on its result is there */

/* Whether an operation has its row in the table; a test asks it of all. */
bool manner_has_row(OperationKind kind);

/* How a node of a tape moves: as its operation does, but an addition of a mask is a
 * shutter, and what is muted only lands. */
MannerKind manner_of(const Tape *tape, size_t node);

/* How the node moves that a step of a lesson only shows at `index`, of which nothing is
 * worked out there: it appears, but of a corpus the newest pieces merge, and of several
 * that are bars each becomes the next. */
MannerKind manner_of_shown(const Lesson *lesson, const LessonStep *step, size_t index);

/* How long the first takes, in milliseconds; less for few cells. At most MANNER_LONGEST.
 */
#define MANNER_LONGEST 4000.0
double manner_length(const Tape *tape, size_t node);

/* The explained cell comes first and, where there are others, slowly. */
MannerTelling manner_telling(const Tape *tape, size_t node);

#endif
