/* The weights that a `model:` block begins with: drawn at random, as they are for a
 * training, or read from a file. */
#ifndef LESSON_MODEL_WEIGHTS_H
#define LESSON_MODEL_WEIGHTS_H

#include "lesson/read/reader.h"
#include "model/weights/weights.h"

/* What `weights:` says. {0} are random weights of seed 0, as without `weights:`. */
typedef struct ModelWeights {
    size_t seed;
    Random random;
    const YamlNode *file;   /* its name, or NULL */
    const TrainSpec *train; /* see lesson/model/training.h; NULL: they are not trained */
    Arena *room;            /* holds the file while the model is made */
    Weights stored;
} ModelWeights;

/* Gets the weights of a model of that shape, which must have passed transformer_check and
 * stay where it is; a training must have been read by training_read. A file's path is
 * relative to the lesson's folder. ERROR_FILE and weights_read's errors, at the
 * node. *fill is good until model_weights_close, which is to be called in any
 * case. */
bool model_weights_open(ModelWeights *weights, LessonReader *reader,
                        const TransformerShape *shape, TransformerWeights *fill);
void model_weights_close(ModelWeights *weights);

#endif
