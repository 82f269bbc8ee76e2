/* Exercises on paper, without feedback: each number asked for can be computed from
 * printed ones, and is not revealed by them. */
#pragma once

#include "lesson/practise/practise.h"

enum { PAPER_NUMBERS = 4, PAPER_QUESTIONS = 6, PAPER_LEAVES = 24 };

/* Reduces a new round to exercises for paper: the lesson's own questions and numbers up
 * to PAPER_NUMBERS, then ideas up to PAPER_QUESTIONS in all. Questions for a row's
 * largest become questions for a number; numbers are moved to cells that must be
 * computed. `redrawn`: the numbers are not the lesson's, so its texts with digits don't
 * apply. The same round gives the same questions, whatever the language and the paper. */
void practise_for_paper(Practise *practise, bool redrawn);

/* Lists the input cells of a cell, each once; cells of nodes without a step are replaced
 * by those shown, and constants of the formula are left out. Returns their number;
 * PAPER_LEAVES + 1: too many. */
size_t paper_leaves(const Tape *tape, FollowCell cell, Arena *scratch,
                    FollowCell leaves[PAPER_LEAVES]);

/* Reports whether a cell is asked for, or would reveal one that is: it is computed from
 * that alone and from given numbers. */
bool paper_reveals(const Practise *practise, FollowCell cell, Arena *scratch);

/* Reports whether the picture of the present exercise leaves a cell blank: one that
 * reveals the answer, and, if a number is observed, every other cell from which it could
 * be computed. Check whether `scratch` was exhausted: the result is then uncertain. */
bool paper_hides(const Practise *practise, FollowCell cell, Arena *scratch);

/* Reports whether a text has no digits, which may refer to numbers that were redrawn. */
bool paper_fits(const Text *text);
