/* Answers: parses the number or expression that a learner types into a term.
 *
 * Allowed are + − * / ^, parentheses, sqrt exp log sin cos, e and pi, inf; ×, ·, ÷, √ and
 * − as well. Powers bind tightest and to the right, then signs, then * and /, then + and
 * −, as in Python. The term's leaves are numbers, so it can be compared part by part with
 * an explanation (tensor/terms/term.h) and drawn like one. */
#pragma once

typedef struct Arena Arena;
typedef struct Term Term;

enum { ANSWER_MAX_DEPTH = 32, ANSWER_WORD_SIZE = 24 };

/* Syntax errors of an answer. */
typedef enum AnswerFault {
    ANSWER_FINE,
    ANSWER_EMPTY,
    ANSWER_COMMA,       /* a decimal comma */
    ANSWER_SIGN,        /* an unknown character: `word` */
    ANSWER_NAME,        /* an unknown name: `word` */
    ANSWER_UNFINISHED,  /* it ends where a number is expected */
    ANSWER_PARENTHESIS, /* an unmatched one */
    ANSWER_TWO_NUMBERS, /* two numbers without an operator between them */
    ANSWER_TOO_DEEP,    /* or too long */
    ANSWER_NO_NUMBER,   /* undefined: 0/0, sqrt(-1) */
    ANSWER_BEYOND,      /* overflow: `word` */
    ANSWER_FAULT_COUNT
} AnswerFault;

typedef struct AnswerProblem {
    AnswerFault fault;
    char word[ANSWER_WORD_SIZE]; /* UTF-8; "" if the fault has none */
} AnswerProblem;

/* Parses an answer; the term is new in the arena. NULL with the problem. */
const Term *answer_parse(Arena *arena, const char *text, AnswerProblem *problem);

/* Returns "comma", "sign" …: keys below `practise.fault.` in the interface's strings; ""
 * for ANSWER_FINE. */
const char *answer_fault_name(AnswerFault fault);
