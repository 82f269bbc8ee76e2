/* Variants of a lesson with other numbers of the same kind, as for neighbours in an
 * exam. */
#pragma once

#include "lesson/content/lesson.h"

#include <stdint.h>

/* Redraws the small numbers that a lesson gives: each table of whole numbers, or of
 * numbers with one or two decimals, between its own least and largest, and recomputes the
 * rest. IDs, masks and a model's parameters stay. The same seed draws the same. Draws
 * again while a result is not finite, as long as all draws together take no more work
 * than the lesson may. If there is nothing to redraw, or no draw is finite, *redrawn is
 * false and nothing changes. False when there is no memory. */
bool lesson_redraw(Lesson *lesson, uint64_t seed, bool *redrawn);
