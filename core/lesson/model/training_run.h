/* Doing what a lesson's `weights: {train: …}` says, and filming it for `- train:` steps.
 *
 *   steps:
 *     - train: {watch: [probabilities, encoder.0.self_attention.head.0.weights]}
 *
 * The model is on the tape with the weights that training begins with; a trainer changes
 * them there. The tensors that steps watch are kept as they were before it and behind
 * each update (see LessonFilm), so that the player can go through the training as through
 * any step. `before: {NAME: TENSOR}` under `weights: {train: …}` keeps a tensor of the
 * untrained model as a given one. Only the reader's files include this. */
#ifndef LESSON_TRAINING_RUN_H
#define LESSON_TRAINING_RUN_H

#include "lesson/read/reader.h"

enum {
    TRAINING_FRAMES_MOST = 20000, /* updates that a film may have */
    TRAINING_FILM_CELLS = 8 << 20 /* of a film in all */
};

/* What a step watches, once the model is on the tape. */
typedef struct TrainingFilm {
    const TrainStepSpec *spec; /* the step's `train:` */
    size_t count;
    size_t *watched; /* nodes */
    LessonFilm *film;
    struct TrainingFilm *next;
} TrainingFilm;

/* Trains the model, and computes again what is made from it. A reader that is not to
 * train leaves the model as it is, which is then all of the film. All errors found:
 * ERROR_NAME for tensors that the model doesn't have, ERROR_LIMIT for films that are too
 * large and for a training that would take too long, and trainer_create's, at the node.
 */
bool training_run(LessonReader *reader, const TrainSpec *train, const Transformer *model);

/* Reads a step's `train:` into `step`. ERROR_VALUE where the lesson trains nothing. */
bool training_step_read(LessonReader *reader, const TrainStepSpec *spec,
                        LessonStep *step);

#endif
