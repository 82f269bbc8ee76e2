/* Ideas: what an operation is about, asked as a question.
 *
 * "One score grows by 1: what does the share beside it do?" Which change to make and
 * which number to watch stands in one table, a row for each operation; the answer is
 * computed on the tape (tensor/tape/what_if.h). */
#ifndef LESSON_IDEAS_H
#define LESSON_IDEAS_H

#include "base/random.h"
#include "lesson/play/player.h"

/* What to ask of a step, an operation or what opens into several. False where there is
 * nothing to be asked: it takes nothing in, or its numbers leave no room for the
 * question. */
bool idea_of(const Player *player, size_t step, Random *random, WhatIf *what);

#endif
