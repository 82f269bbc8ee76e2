/* A lesson's training: repeating it, and its recorded frames. */
#pragma once

#include "lesson/content/lesson.h"
#include "tensor/tensor.h"

typedef struct Error Error;
typedef struct TrainOptions TrainOptions;
typedef struct Trainer Trainer;

/* Creates a trainer that repeats the lesson's training from its beginning, with
 * parameters of its own, also for a lesson left untrained. `options` are the training's,
 * except for the epochs. NULL with trainer_create's errors. */
Trainer *lesson_trainer(const Lesson *lesson, Arena *arena, const TrainOptions *options,
                        Error *error);

/* Larger numbers are masks, and are ignored in a film's reach. */
#define LESSON_FILM_REACH 1e9

/* Returns tensor number `index` of a step with a film, in a frame. Borrows the lesson's
 * numbers and labels. */
Tensor lesson_film_tensor(const Lesson *lesson, const LessonStep *step, size_t index,
                          size_t frame);
