/* A lesson with other numbers of the same kind: a copy for each who sits beside another.
 */
#ifndef LESSON_REDRAW_H
#define LESSON_REDRAW_H

#include "lesson/content/lesson.h"

/* Draws the small numbers anew that a lesson gives: each table of whole numbers, or of
 * numbers with one or two digits behind the point, between its own least and largest, and
 * computes all else from them. IDs, masks and what a model has stay as they are. The same
 * seed draws the same. Where there is nothing to be drawn *redrawn is false, and nothing
 * changes. False when there is no memory. */
bool lesson_redraw(Lesson *lesson, uint64_t seed, bool *redrawn);

#endif
