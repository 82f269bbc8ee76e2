/* Training in a lesson file: what `weights: {train: …}` says.
 *
 *   weights:
 *     train:
 *       pairs: [["when you play", "you win"], ["he brings", "the storm"]]
 *       epochs: 200
 *       learning_rate: 0.01
 *
 * A decoder alone has `texts:`, a list, in place of pairs. Only the reader's files
 * include this; the lesson tells of its training in lesson/model/learning.h. */
#ifndef LESSON_TRAINING_H
#define LESSON_TRAINING_H

#include "lesson/model/model_words.h"
#include "lesson/read/reader.h"

/* The texts to learn from, as a `corpus:` would list them: all, or of one side alone. */
typedef enum TrainingTexts {
    TRAINING_ALL,
    TRAINING_SOURCES,
    TRAINING_TARGETS
} TrainingTexts;

/* A list of those texts, new in the arena; NULL when there are none. */
const YamlNode *training_texts(Arena *arena, const TrainSpec *train, TrainingTexts which);

/* What to read texts with. */
typedef struct TrainingWords {
    const ModelWords *source, *target;
    const char *start, *end; /* put around a target */
} TrainingWords;

/* Whether a model of that kind learns from such a list; else an error. */
bool training_suits(LessonReader *reader, const TrainSpec *train, TransformerKind kind);

/* Makes the lesson's `training`, for a model that it suits. All errors found, each with
 * its place. */
bool training_read(LessonReader *reader, const TrainSpec *train, TransformerKind kind,
                   const TrainingWords *words);

/* A text to read and to say: `target` is the start and the text, `expected` the text and
 * the end. ERROR_NAME when the vocabulary lacks one of them, model_words_ids' errors. */
bool training_read_target(LessonReader *reader, const YamlNode *node, const char *what,
                          const TrainingWords *words, Tensor *target, Tensor *expected);

#endif
