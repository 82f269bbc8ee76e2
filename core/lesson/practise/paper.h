/* What can be asked on paper, where nothing answers: each number that is asked for can be
 * reckoned from others that may be printed, and is not told by them. */
#ifndef LESSON_PAPER_H
#define LESSON_PAPER_H

#include "lesson/practise/practise.h"

enum { PAPER_NUMBERS = 4, PAPER_QUESTIONS = 6, PAPER_LEAVES = 24 };

/* Keeps of a round that has just begun what paper can ask: the lesson's own questions and
 * numbers up to PAPER_NUMBERS, then ideas up to PAPER_QUESTIONS in all. Rows' largest
 * become numbers; numbers of an operation are moved to where there is something to
 * reckon. `redrawn`: the numbers are others than the lesson's, and its texts with digits
 * no longer fit. The same round gives the same questions, whatever the language and the
 * paper. */
void practise_for_paper(Practise *practise, bool redrawn);

/* The cells that a cell is made of, each once; what stands for another as that one, and
 * without the formula's own constants. Returns how many; PAPER_LEAVES + 1: more than are
 * written. */
size_t paper_leaves(const Tape *tape, FollowCell cell, Arena *scratch,
                    FollowCell leaves[PAPER_LEAVES]);

/* Whether a cell is asked for, or would tell one that is: it is made of that alone and of
 * what is given. */
bool paper_reveals(const Practise *practise, FollowCell cell, Arena *scratch);

/* Whether the picture of the exercise in hand leaves a cell blank: one that tells what is
 * asked for, and beside a number that is watched, which nobody needs, whatever that could
 * be reckoned back from. Where `scratch` lacks memory, perhaps not: ask it. */
bool paper_hides(const Practise *practise, FollowCell cell, Arena *scratch);

/* Whether a text has no digits: those may be of other numbers than were drawn. */
bool paper_fits(const Text *text);

#endif
