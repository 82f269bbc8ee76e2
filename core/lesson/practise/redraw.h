/* Variants of a lesson with other numbers of the same kind, as for neighbours in an
 * exam. */
#ifndef LESSON_REDRAW_H
#define LESSON_REDRAW_H

#include "lesson/content/lesson.h"

/* Redraws the small numbers that a lesson gives: each table of whole numbers, or of
 * numbers with one or two decimals, between its own least and largest, and recomputes the
 * rest. IDs, masks and a model's parameters stay. The same seed draws the same. If there
 * is nothing to redraw, *redrawn is false and nothing changes. False when there is no
 * memory. */
bool lesson_redraw(Lesson *lesson, uint64_t seed, bool *redrawn);

#endif
