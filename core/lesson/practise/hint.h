/* Hints: feedback on a learner's answer. */
#pragma once

#include "lesson/play/follow.h"
#include "lesson/practise/answer.h"

enum { HINT_TEXT_SIZE = 64 };

/* Kinds of feedback. After a colon: the fields of Hint that belong to it. */
typedef enum HintKind {
    HINT_NONE,
    HINT_RIGHT,
    HINT_FAULT,       /* syntax error: problem */
    HINT_LABEL,       /* no column has this label: text */
    HINT_PART,        /* part `number` of the sum: yours, term */
    HINT_NUMERATOR,   /* yours, term */
    HINT_DENOMINATOR, /* yours, term */
    HINT_FACTOR,      /* yours, term */
    HINT_INNER,       /* under a root, in an exponent …: yours, term */
    HINT_MISSING,     /* part `number` is missing: term */
    HINT_TOO_MANY,    /* the sum has no such part: yours */
    HINT_PARTIAL,     /* the sum of the first `number` parts only: term, the next part */
    HINT_SIGN,        /* wrong sign of part `number`: term */
    HINT_LINES,       /* row and column of a product: cell */
    HINT_NEGATED,     /* the whole has the wrong sign */
    HINT_NEAR,        /* right except for the last digits */
    HINT_TRANSPOSED,  /* the number of the transposed cell: cell */
    HINT_OTHER_CELL,  /* the number of another cell: cell */
    HINT_BEFORE,      /* the number before this operation: cell */
    HINT_LEFT_OUT,    /* the softmax of the numbers before a scaling or a mask: cell */
    HINT_NOT_DIVIDED, /* the numerator without division: term, the denominator */
    HINT_ROW_FOR_COLUMN, /* a product with a row instead of the column: cell */
    HINT_FIRST,          /* no diagnosis: term, the first part */
    HINT_COPIED,         /* a copy of a cell of another tensor: cell */
    HINT_REASON,         /* explanation of the wrong option `number` */
    HINT_ORDER,          /* the first `number` are right, the next one is wrong */
    HINT_TREND,          /* wrong direction */
    HINT_CHOSEN,         /* computation of the chosen number of a row: cell, term */
    HINT_GAP,            /* the sum with one part left out: term, gap */
    HINT_WHOLE,          /* the whole sum: term */
    HINT_COUNT
} HintKind;

typedef struct Hint {
    HintKind kind;
    AnswerProblem problem;
    char text[HINT_TEXT_SIZE];      /* UTF-8, truncated */
    size_t number;                  /* counted from 1 */
    const Term *yours, *term, *gap; /* NULL if the kind has none */
    FollowCell cell;
} Hint;
