/* The initial weights of a `model:` block: random, also for training, or read from a
 * file. */
#pragma once

#include "lesson/read/reader.h"
#include "model/weights/weights.h"

/* The value of `weights:`. {0} are random weights of seed 0, as without `weights:`. */
typedef struct ModelWeights {
    size_t seed;
    Random random;
    const YamlNode *file;   /* the file's name, or NULL */
    const TrainSpec *train; /* see lesson/model/training.h; NULL: no training */
    Arena *room;            /* holds the file while the model is built */
    Weights stored;
} ModelWeights;

/* Opens the weights of a model of that shape, which must have passed transformer_check
 * and stay at its address; a training must have been read by training_read. A file's path
 * is relative to the lesson's folder. ERROR_FILE and weights_read's errors, at the node.
 * *fill is valid until model_weights_close, which must be called in any case. */
bool model_weights_open(ModelWeights *weights, LessonReader *reader,
                        const TransformerShape *shape, TransformerWeights *fill);
void model_weights_close(ModelWeights *weights);
