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

/* A store of trained parameters and of the record of their training, so that a training
 * that has been run once is read instead of repeated. */

/* A piece of memory that a store fills or saves. */
typedef struct LessonPiece {
    void *bytes;
    size_t size;
} LessonPiece;

/* Lessons may call both functions from several threads at once. */
typedef struct LessonStore {
    /* Fills `count` pieces with what was saved under the key, `key_count` numbers that
     * have to be equal bit for bit. False if nothing was, or of another size; then no
     * piece has changed. */
    bool (*load)(const double *key, size_t key_count, const LessonPiece *pieces,
                 size_t count);
    /* Saves the pieces under the key; may save nothing. */
    void (*save)(const double *key, size_t key_count, const LessonPiece *pieces,
                 size_t count);
} LessonStore;

/* Larger numbers are masks, and are ignored in a film's reach. */
#define LESSON_FILM_REACH 1e9

/* Returns tensor number `index` of a step with a film, in a frame. Borrows the lesson's
 * numbers and labels. */
Tensor lesson_film_tensor(const Lesson *lesson, const LessonStep *step, size_t index,
                          size_t frame);
