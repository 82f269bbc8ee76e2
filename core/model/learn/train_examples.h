/* Training examples, and their prepared form: IDs as numbers, without padding.
 *
 * Everything lives in the arena given. */
#pragma once

#include "model/build/model.h"

/* Rows [1,n] of IDs. `source` is only read if the model has an encoder; `target` is the
 * decoder's input and `expected`, of the same length, the token to predict at each
 * position. 0 is padding: behind a text it is ignored, and a token with target 0 doesn't
 * count. */
typedef struct TrainExample {
    Tensor source, target, expected;
} TrainExample;

/* The tokens of a text that are not padding: their IDs and positions. */
typedef struct TrainText {
    size_t count;
    const size_t *ids, *positions;
} TrainText;

/* A prepared example: its texts, by TransformerSide, and for each token of the target the
 * ID to predict; 0 if that doesn't count. */
typedef struct TrainReady {
    TrainText texts[2];
    const size_t *expected;
    size_t counted; /* tokens that count; at least one */
} TrainReady;

/* Prepares the examples, new in the arena. NULL with ERROR_VALUE or ERROR_SHAPE; the
 * message gives the example's number, counted from 1. Under the arena's guard. */
TrainReady *train_examples_make(Arena *arena, const TransformerShape *shape,
                                const TrainExample *examples, size_t count, Error *error);
