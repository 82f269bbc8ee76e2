/* Examples to learn from, and the same made ready: IDs as numbers, padding left out.
 *
 * Everything made lives in the arena given. */
#ifndef MODEL_TRAIN_EXAMPLES_H
#define MODEL_TRAIN_EXAMPLES_H

#include "model/build/model.h"

/* Rows [1,n] of IDs. `source` is only read where the model has an encoder; `target` is
 * what the decoder reads and `expected`, as long, what it must say for each of its words.
 * 0 is padding: behind a text it is ignored, and a word expected to be 0 doesn't count.
 */
typedef struct TrainExample {
    Tensor source, target, expected;
} TrainExample;

/* The words of a text that are not padding: their IDs and their places in the text. */
typedef struct TrainText {
    size_t count;
    const size_t *ids, *places;
} TrainText;

/* An example made ready: its texts, by TransformerSide, and for each word of the target
 * the ID that it must be followed by; 0 where that doesn't count. */
typedef struct TrainReady {
    TrainText texts[2];
    const size_t *expected;
    size_t counted; /* the words that count; one at least */
} TrainReady;

/* The examples made ready, new in the arena. NULL with ERROR_VALUE and ERROR_SHAPE naming
 * the example, counting from 1. Under the arena's guard. */
TrainReady *train_examples_make(Arena *arena, const TransformerShape *shape,
                                const TrainExample *examples, size_t count, Error *error);

#endif
