/* The training that a lesson tells of: done again, and as its films kept it. */
#ifndef LESSON_LEARNING_H
#define LESSON_LEARNING_H

#include "lesson/content/lesson.h"

/* A trainer that does what the lesson's training did, or would have done, from its
 * beginning, with parameters of its own. `options` are the training's, but for the
 * epochs. NULL with trainer_create's errors. */
Trainer *lesson_trainer(const Lesson *lesson, Arena *arena, const TrainOptions *options,
                        Error *error);

/* Numbers from here on only serve to mask, and don't count for a film's reach. */
#define LESSON_FILM_REACH 1e9

/* Tensor number `index` of a step with a film, as it was in a frame. Borrows the lesson's
 * numbers and labels. */
Tensor lesson_film_tensor(const Lesson *lesson, const LessonStep *step, size_t index,
                          size_t frame);

#endif
