/* The tree of a beam search: a column for each turn, a chip for each word put behind a
 * text, with the sum of its log chances.
 *
 * Kept texts lead on, cut ones (the best few of each turn) are struck out, finished ones
 * are framed; the way to the best is drawn strong. Sums are the tape's present numbers;
 * what was kept is as it was chosen when the lesson was read. */
#ifndef PICTURE_TREE_VIEW_H
#define PICTURE_TREE_VIEW_H

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"

/* Draws the tree of a beam search into stage->area: whole, or as far as turn `turn`
 * (PLAYER_NONE: whole), which is then shown with more of what it cut. */
void tree_view(const Stage *stage, const LessonGenerate *generate, size_t turn);

#endif
