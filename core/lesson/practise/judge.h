/* Judging an answer: compares it with the explanation of the number asked for. */
#pragma once

#include "lesson/practise/hint.h"

typedef struct Judge {
    const Tape *tape;
    FollowCell cell;  /* the cell asked for */
    const Term *term; /* its explanation */
    Arena *arena;     /* arena for the hints' terms */
} Judge;

/* Returns the tolerance for answers near a value: half a unit of the third decimal, or 1
 * % of it, whichever is larger. */
double judge_tolerance(double value);

/* Reports whether an answer is within judge_tolerance; infinities must be equal. */
bool judge_is_close(double answer, double value);

/* Returns the first hint for a wrong answer: the part that differs if the typed
 * expression has the explanation's structure; else what number it equals by mistake; else
 * the first part, computed. `decimals` are those of a plain number as typed, else -1. */
Hint judge_answer(const Judge *judge, const Term *typed, int decimals);

/* Returns the second hint: the whole sum except for one part, which is the one of the
 * hint `before` if possible. */
Hint judge_gap(const Judge *judge, const Hint *before);
