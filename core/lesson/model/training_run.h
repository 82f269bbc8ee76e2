/* Runs the training of a lesson's `weights: {train: …}`, and records it for `- train:`
 * steps.
 *
 *   steps:
 *     - train: {watch: [probabilities, encoder.0.self_attention.head.0.weights]}
 *
 * The model is on the tape with its initial weights; a trainer changes them there. The
 * tensors that steps record are stored as they were before training and after each update
 * (see LessonFilm), so that the player can move through the training as through any step.
 * `before: {NAME: TENSOR}` under `weights: {train: …}` copies a tensor of the untrained
 * model to a given one. Only the reader's files include this. */
#pragma once

#include "lesson/read/reader.h"

enum {
    TRAINING_FRAMES_MOST = 20000, /* maximum number of updates in a film */
    TRAINING_FILM_CELLS = 8 << 20 /* maximum number of cells in all frames of a film */
};

/* The tensors that a step records, once the model is on the tape. */
typedef struct TrainingFilm {
    const TrainStepSpec *spec; /* the step's `train:` */
    size_t count;
    size_t *watched; /* nodes recorded */
    LessonFilm *film;
    struct TrainingFilm *next;
} TrainingFilm;

/* Trains the model, and recomputes everything made from it. A reader that is not to train
 * leaves the model as it is, and films have a single frame. All errors found: ERROR_NAME
 * for tensors that the model doesn't have, ERROR_LIMIT for films that are too large and
 * for a training that would take too long, and trainer_create's errors, at the node. */
bool training_run(LessonReader *reader, const TrainSpec *train, const Transformer *model);

/* Reads a step's `train:` into `step`. ERROR_VALUE if the lesson has no training. */
bool training_step_read(LessonReader *reader, const TrainStepSpec *spec,
                        LessonStep *step);
