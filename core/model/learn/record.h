/* The tape that training replays: a model that reads several examples at once.
 *
 * The tokens of the examples follow each other in one sequence. Positions restart with
 * each example, and a mask keeps examples from attending to each other, so every number
 * is the same as for the example alone: attention weights across examples are 0, and
 * adding 0 changes nothing. Unused rows are padding. The tape is built once; afterwards
 * examples are written into its given tensors and it is replayed in place, forward and
 * backward, which allocates nothing. Parameters are not copied: their values are those of
 * the tape they come from. */
#pragma once

#include "model/learn/train_examples.h"

typedef struct Record Record;

/* Result of a forward pass, summed over the tokens that count. */
typedef struct RecordResult {
    double loss;  /* sum of their cross entropies */
    size_t right; /* tokens that had the highest probability */
} RecordResult;

/* Creates a record for up to `most` of these examples at a time; fewer if they are long.
 * `model` has a decoder and its parameters on `tape`. Under the arena's guard.
 * ERROR_LIMIT. */
Record *record_create(Arena *arena, const Tape *tape, const Transformer *model,
                      const TrainReady *examples, size_t count, size_t most,
                      Error *error);

/* Writes examples[order[0]], examples[order[1]] … into the record until it is full or
 * `count` are written; returns how many, at least one. */
size_t record_load(Record *record, const TrainReady *examples, const size_t *order,
                   size_t count);

/* Runs the loaded examples forward with the present parameters. */
RecordResult record_forward(Record *record);

/* Adds the gradients of the last forward pass's loss, times `weight`, to the
 * gradients. */
void record_backward(Record *record, double weight);

/* Sets the gradients to 0. */
void record_clear(Record *record);

/* Returns d loss / d parameter `index` of the model, in its shape. The address never
 * changes. */
const double *record_gradient(const Record *record, size_t index);
