/* Judging an answer: where it goes astray from what explains the number asked for. */
#ifndef LESSON_JUDGE_H
#define LESSON_JUDGE_H

#include "lesson/practise/hint.h"

typedef struct Judge {
    const Tape *tape;
    FollowCell cell;  /* asked for */
    const Term *term; /* how it came to be */
    Arena *arena;     /* hints' terms go there */
} Judge;

/* How far an answer may lie from a value: half a unit of the third decimal, or 1 % of it,
 * whichever is larger. */
double judge_tolerance(double value);

/* Whether an answer is right: within judge_tolerance; infinities must be the same. */
bool judge_is_close(double answer, double value);

/* What to say to a wrong answer first: where the expression typed has the shape of the
 * explanation, the part that differs; else what the number is the value of; else the
 * first part worked out. `decimals` are those of a plain number as typed, else -1. */
Hint judge_answer(const Judge *judge, const Term *typed, int decimals);

/* The second hint: the whole sum but for one part, that which `before` was about where
 * it can be told. */
Hint judge_gap(const Judge *judge, const Hint *before);

#endif
