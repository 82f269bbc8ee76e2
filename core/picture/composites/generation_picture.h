/* The loop of inference: a line for each turn, with the text that it reads as chips, the
 * word of the last turn marked, and the word it says, which the next turn reads.
 *
 * Where it matters what a turn costs, that stands between them: a square for each row
 * that is computed, pale where it was computed before, hollow where a cache kept it, and
 * the multiplications as bars. Else each word has its probability, and the encoder's text
 * lies above the turns, with a line to each of them. */
#ifndef PICTURE_GENERATION_PICTURE_H
#define PICTURE_GENERATION_PICTURE_H

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"

/* Draws all turns of a generation into stage->area. */
void generation_picture(const Stage *stage, const LessonGenerate *generate);

#endif
