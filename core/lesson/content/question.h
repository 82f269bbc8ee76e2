/* Questions: asked by a step before it shows its result (`ask:`).
 *
 * If the answer is a number or a direction, it is computed from the tape, so an author
 * can't write a wrong one. */
#pragma once

#include "base/strings/language.h"
#include "tensor/tape/what_if.h"

enum { QUESTION_OPTIONS_MAX = 4 };

typedef enum QuestionKind {
    QUESTION_CELL,      /* asks for a number */
    QUESTION_CHOICE,    /* asks to choose one option */
    QUESTION_ORDER,     /* asks for the order of options */
    QUESTION_DIRECTION, /* asks in which direction a number changes when another does */
    QUESTION_THOUGHT    /* asks to think; the answer is then shown */
} QuestionKind;

typedef struct QuestionOption {
    Text text;
    Text because; /* explanation of a wrong option */
    bool right;   /* true for exactly one option */
} QuestionOption;

typedef struct Question {
    QuestionKind kind;
    Text text;                     /* the question; empty: the default for its kind */
    Text because;                  /* explanation of the answer; may be empty */
    size_t row, col;               /* QUESTION_CELL: cell of the result */
    size_t count;                  /* number of options to choose from or to order */
    const QuestionOption *options; /* options; for an order, in the right order */
    WhatIf what;                   /* QUESTION_DIRECTION */
    bool open;                     /* the picture is visible during the question */
} Question;
