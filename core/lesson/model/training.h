/* Training in a lesson file: the keys of `weights: {train: …}`.
 *
 *   weights:
 *     train:
 *       pairs: [["when you play", "you win"], ["he brings", "the storm"]]
 *       epochs: 200
 *       learning_rate: 0.01
 *
 * A decoder alone has `texts:`, a list, instead of pairs. Only the reader's files include
 * this; a loaded lesson's training is described in lesson/model/learning.h. */
#pragma once

#include "lesson/model/model_words.h"
#include "lesson/read/reader.h"

/* Selects the training's texts: all, or one side. */
typedef enum TrainingTexts {
    TRAINING_ALL,
    TRAINING_SOURCES,
    TRAINING_TARGETS
} TrainingTexts;

/* Returns those texts as a list in the form of `corpus:`, new in the arena; NULL if there
 * are none. */
const YamlNode *training_texts(Arena *arena, const TrainSpec *train, TrainingTexts which);

/* Vocabularies for the texts of a training. */
typedef struct TrainingWords {
    const ModelWords *source, *target;
    const char *start, *end; /* tokens added around a target */
} TrainingWords;

/* Reports whether a model of that kind can be trained with such a list; else adds an
 * error. */
bool training_suits(LessonReader *reader, const TrainSpec *train, TransformerKind kind);

/* Makes the lesson's `training`, for a model that it suits. All errors found, each with
 * its position. */
bool training_read(LessonReader *reader, const TrainSpec *train, TransformerKind kind,
                   const TrainingWords *words);

/* Reads a text as decoder input and target: `target` is the begin token and the text,
 * `expected` the text and the end token. ERROR_NAME if the vocabulary lacks one of them,
 * model_words_ids' errors. */
bool training_read_target(LessonReader *reader, const YamlNode *node, const char *what,
                          const TrainingWords *words, Tensor *target, Tensor *expected);
