/* Examples made ready for training: IDs as numbers, padding left out.
 *
 * Only train.c and train_examples.c include this. Everything lives in the arena given. */
#ifndef MODEL_TRAIN_EXAMPLES_H
#define MODEL_TRAIN_EXAMPLES_H

#include "model/learn/pass.h"
#include "model/learn/train.h"

/* The examples as a pass takes them, new in the arena. ERROR_VALUE and ERROR_SHAPE naming
 * the example, counting from 1; ERROR_MEMORY. */
PassExample *train_examples_make(Arena *arena, const TransformerShape *shape,
                                 const TrainExample *examples, size_t count,
                                 Error *error);

/* What any `batch` of the examples stays within. */
PassLimits train_examples_limits(const PassExample *examples, size_t count, size_t batch);

#endif
