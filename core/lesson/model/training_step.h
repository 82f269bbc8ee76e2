/* A training as a film: what `- train:` steps show of it.
 *
 *   steps:
 *     - train: {watch: [probabilities, encoder.0.self_attention.head.0.weights]}
 *
 * While the lesson's model is trained, the tensors that the steps watch are kept as they
 * were before it and behind each update (see LessonFilm), so that the player can go
 * through the training as through any step. `before: {NAME: TENSOR}` under
 * `weights: {train: …}` keeps a tensor of the untrained model as a given one. Only the
 * reader's files include this. */
#ifndef LESSON_TRAINING_STEP_H
#define LESSON_TRAINING_STEP_H

#include "lesson/read/reader.h"

enum {
    TRAINING_WATCH_MOST = 4,       /* tensors of one step */
    TRAINING_FRAMES_MOST = 20000,  /* updates that a film may have */
    TRAINING_FILM_CELLS = 8 << 20, /* of a film in all */
    TRAINING_BEFORE_MOST = 16      /* tensors kept of the untrained model */
};

/* What a step watches, once the model is on the tape. */
typedef struct TrainingFilm {
    const YamlNode *node; /* the step's `train:` */
    size_t count;
    size_t *watched; /* nodes */
    LessonFilm *film;
    struct TrainingFilm *next;
} TrainingFilm;

/* Whether training is to go on the tape: some step watches it, or something is kept of
 * the untrained model. `train` is the node of `weights: {train: …}`. */
bool training_is_watched(const LessonReader *reader, const YamlNode *train);

/* Trains with reader->trainer a model that is on the tape with the weights that training
 * begins with, and leaves it there with those that come of it. A reader that is not to
 * train keeps the beginning alone. All errors found: ERROR_NAME for tensors that the
 * model doesn't have, ERROR_LIMIT for films that are too large. */
bool training_watch(LessonReader *reader, const YamlNode *train,
                    const Transformer *model);

/* Reads a step's `train:` into `step`. ERROR_VALUE where the lesson trains nothing. */
bool training_step_read(LessonReader *reader, const YamlNode *node, LessonStep *step);

#endif
