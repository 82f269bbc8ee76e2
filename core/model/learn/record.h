/* The record that training replays: a model on a tape that reads several examples at
 * once.
 *
 * The words of the examples stand one behind another in one text. Their positions begin
 * anew with each example, and a mask keeps each from seeing the others, so that every
 * number is what the example alone would give: shares of others are 0, and adding 0
 * changes nothing. Rows that stay empty are padding. The tape is made once; from then on
 * examples are written into its given tensors and it is replayed in place, forwards and
 * backwards, which allocates nothing. Parameters are not copied: their values are those
 * of the tape they come from. */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include "model/learn/train_examples.h"

typedef struct Record Record;

/* What a forward pass found, added up over the words that count. */
typedef struct RecordResult {
    double loss;  /* their cross entropies */
    size_t right; /* how many of them were the most probable one */
} RecordResult;

/* A record for any `most` of these examples at a time; it takes fewer where they are
 * long. `model` has a decoder and its parameters on `tape`. Under the arena's guard.
 * ERROR_LIMIT. */
Record *record_create(Arena *arena, const Tape *tape, const Transformer *model,
                      const TrainReady *examples, size_t count, size_t most,
                      Error *error);

/* Writes examples[order[0]], examples[order[1]] … into the record until it is full, or
 * there have been `count`; gives how many, one at least. */
size_t record_load(Record *record, const TrainReady *examples, const size_t *order,
                   size_t count);

/* Computes what has been loaded with the present parameters. */
RecordResult record_forward(Record *record);

/* Adds to the gradients those of the last forward pass' loss times `weight`. */
void record_backward(Record *record, double weight);

/* Makes the gradients 0. */
void record_clear(Record *record);

/* d loss / d parameter `index` of the model, in its shape. Stays where it is. */
const double *record_gradient(const Record *record, size_t index);

#endif
