/* The choice: one turn of a generation, the words from the likeliest down.
 *
 * Above stands the text that the turn reads and the word it says; below, for each word,
 * its share as a bar, what rule cut it away (hatched, the word struck out), the chance of
 * those that stay and how often it was drawn. Numbers are the tape's present ones; the
 * word said is the one that was chosen when the lesson was read, struck out where the
 * present numbers choose another. */
#ifndef PICTURE_CHOICE_VIEW_H
#define PICTURE_CHOICE_VIEW_H

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"

/* Draws turn `turn` into stage->area. */
void choice_view(const Stage *stage, const LessonGenerate *generate, size_t turn);

#endif
