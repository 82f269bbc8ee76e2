/* Hints: what is said to a learner's answer. */
#ifndef LESSON_HINT_H
#define LESSON_HINT_H

#include "lesson/play/follow.h"
#include "lesson/practise/answer.h"

enum { HINT_TEXT_SIZE = 64 };

/* What is said to an answer. The letters say which of a hint's fields go with it. */
typedef enum HintKind {
    HINT_NONE,
    HINT_RIGHT,
    HINT_FAULT,          /* it can't be read: problem */
    HINT_LABEL,          /* no column is called so: text */
    HINT_PART,           /* part `number` of the sum: yours, term */
    HINT_NUMERATOR,      /* yours, term */
    HINT_DENOMINATOR,    /* yours, term */
    HINT_FACTOR,         /* yours, term */
    HINT_INNER,          /* under a root, in an exponent …: yours, term */
    HINT_MISSING,        /* part `number` is left out: term */
    HINT_TOO_MANY,       /* the sum has no such part: yours */
    HINT_PARTIAL,        /* it is the sum of the first `number` parts: term, the next */
    HINT_SIGN,           /* the sign of part `number`: term */
    HINT_LINES,          /* of a product: which row meets which column: cell */
    HINT_NEGATED,        /* all of it has the wrong sign */
    HINT_NEAR,           /* right but for its last digits */
    HINT_TRANSPOSED,     /* the number with row and column exchanged: cell */
    HINT_OTHER_CELL,     /* the number of another cell: cell */
    HINT_BEFORE,         /* what stood there before this operation: cell */
    HINT_LEFT_OUT,       /* the softmax of what came before a scaling or a mask: cell */
    HINT_NOT_DIVIDED,    /* the quotient's numerator: term, the denominator */
    HINT_ROW_FOR_COLUMN, /* a product with a row in place of the column: cell */
    HINT_FIRST,          /* where nothing else can be told: term, the first part */
    HINT_COPIED,         /* it is only moved here from a tensor: cell */
    HINT_REASON,         /* of a choice: why option `number` is wrong */
    HINT_ORDER,          /* the first `number` are right, the next one is another */
    HINT_TREND,          /* it goes another way */
    HINT_CHOSEN,         /* of a row: how the chosen one came to be: cell, term */
    HINT_GAP,            /* the sum with a gap: term, gap */
    HINT_WHOLE,          /* term */
    HINT_COUNT
} HintKind;

typedef struct Hint {
    HintKind kind;
    AnswerProblem problem;
    char text[HINT_TEXT_SIZE];      /* UTF-8, cut to fit */
    size_t number;                  /* from 1 */
    const Term *yours, *term, *gap; /* NULL where none goes */
    FollowCell cell;
} Hint;

#endif
