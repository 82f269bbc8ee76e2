/* The tree of a beam search: a column for each step, a chip for each token appended to a
 * hypothesis, with the sum of its log probabilities.
 *
 * Kept hypotheses lead on, pruned ones (the best few of each step) are struck out,
 * finished ones are framed; the path to the best is strong. Sums are the tape's present
 * numbers; what was kept was decided when the lesson was loaded. */
#pragma once

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"

/* Draws the tree of a beam search into stage->area: whole, or up to step `turn`
 * (PLAYER_NONE: whole), which then shows more of its pruned hypotheses. */
void tree_view(const Stage *stage, const LessonGenerate *generate, size_t turn);
