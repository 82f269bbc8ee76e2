/* Answers: what a learner types for a number, read into a term.
 *
 * A number or a simple expression: + − * / ^, parentheses, sqrt exp log sin cos, e and
 * pi, inf; ×, ·, ÷, √ and − as well. Powers bind tightest and to the right, then signs,
 * then
 * * and /, then + and −, as in Python. The term's leaves are numbers, so that it can be
 * compared part by part with an explanation (tensor/terms/term.h) and be drawn like one.
 */
#ifndef LESSON_ANSWER_H
#define LESSON_ANSWER_H

#include "tensor/terms/term.h"

enum { ANSWER_MAX_DEPTH = 32, ANSWER_WORD_SIZE = 24 };

/* What is wrong with an answer. */
typedef enum AnswerFault {
    ANSWER_FINE,
    ANSWER_EMPTY,
    ANSWER_COMMA,       /* a decimal comma */
    ANSWER_SIGN,        /* a character that means nothing here: `word` */
    ANSWER_NAME,        /* a name that means nothing: `word` */
    ANSWER_UNFINISHED,  /* it ends where a number should stand */
    ANSWER_PARENTHESIS, /* one without its other */
    ANSWER_TWO_NUMBERS, /* side by side, with no sign between them */
    ANSWER_TOO_DEEP,    /* or too long */
    ANSWER_NO_NUMBER,   /* it has no value: 0/0, sqrt(-1) */
    ANSWER_BEYOND,      /* past what a number can be: `word` */
    ANSWER_FAULT_COUNT
} AnswerFault;

typedef struct AnswerProblem {
    AnswerFault fault;
    char word[ANSWER_WORD_SIZE]; /* UTF-8; "" where no word goes with it */
} AnswerProblem;

/* Reads an answer; the term is new in the arena. NULL with the problem. */
const Term *answer_parse(Arena *arena, const char *text, AnswerProblem *problem);

/* "comma", "sign" …: under `practise.fault.` in the interface's strings; "" for
 * ANSWER_FINE. */
const char *answer_fault_name(AnswerFault fault);

#endif
