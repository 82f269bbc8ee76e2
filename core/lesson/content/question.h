/* Questions: what a step asks before it shows what it has made (`ask:`).
 *
 * Where the answer is a number, or which way one goes, the tape has it: an author never
 * writes one that could be wrong. */
#ifndef LESSON_QUESTION_H
#define LESSON_QUESTION_H

#include "base/strings/language.h"
#include "tensor/tape/what_if.h"

enum { QUESTION_OPTIONS_MAX = 4 };

typedef enum QuestionKind {
    QUESTION_CELL,      /* what is this number? */
    QUESTION_CHOICE,    /* which of these is so? */
    QUESTION_ORDER,     /* in which order do these come? */
    QUESTION_DIRECTION, /* which way does a number go when another changes? */
    QUESTION_THOUGHT    /* thought about, and then seen */
} QuestionKind;

typedef struct QuestionOption {
    Text text;
    Text because; /* of a wrong choice: why it is wrong */
    bool right;   /* of a choice exactly one */
} QuestionOption;

typedef struct Question {
    QuestionKind kind;
    Text text;       /* the question; empty: the program's own for its kind */
    Text because;    /* why the answer is so; may be empty */
    size_t row, col; /* of a cell: the result's */
    size_t count;    /* of choices, and of what is put in order */
    const QuestionOption *options; /* an order's are in the right one */
    WhatIf what;                   /* of a direction */
    bool open;                     /* the picture is seen while it is asked */
} Question;

#endif
