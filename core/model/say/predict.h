/* The next word's logits, by running the whole model once more.
 *
 * Text so far in, one row of logits out: the last row that the model computes. Nothing is
 * kept from one call to the next (model/say/kv_cache.h does that). A model is one on a
 * tape: its parameters' present values count, with edits. Multiplications are those of
 * the matrix products, n·k·m for [n,k] @ [k,m]; masked scores are computed and count,
 * too. */
#ifndef MODEL_PREDICT_H
#define MODEL_PREDICT_H

#include "model/build/transformer.h"

enum { PREDICT_MEMORY = 1 << 30 }; /* bytes that saying a word may take, beside results */

/* A model and the tape that has its parameters. Both are borrowed. */
typedef struct PredictModel {
    const Tape *tape;
    const Transformer *model;
} PredictModel;

/* Weights that are copied, parameter by parameter in the model's order, from a model of
 * the same sizes that has at least these parameters. {.from = …} begins. */
typedef struct PredictCopy {
    PredictModel from;
    size_t next; /* the parameter that is probably asked for next */
} PredictCopy;

/* `copy` must outlive the weights' use. */
TransformerWeights predict_weights(PredictCopy *copy);

/* How many columns a row of logits has: column i is the word with ID first_output + i. */
size_t predict_words(const TransformerShape *shape);

/* Whether a model can say words behind `input`: it has a decoder, there is a row of IDs
 * for each tower, and the vocabularies have them. ERROR_VALUE with what would do. */
bool predict_check(const TransformerShape *shape, const TransformerInput *input,
                   Error *error);

/* Fills logits [predict_words] of the word behind input->target and the number of
 * multiplications this took, on a tape that is dropped. The input must have passed
 * predict_check. ERROR_LIMIT, ERROR_MEMORY past PREDICT_MEMORY. */
bool predict_logits(double *logits, size_t *multiplications, PredictModel model,
                    const TransformerInput *input, Error *error);

/* The same number of multiplications by its formula: source and target are numbers of
 * words; a kind without an encoder reads no source. */
size_t predict_multiplications(const TransformerShape *shape, size_t source,
                               size_t target);

/* Of the encoder alone, on `source` words; 0 where there is none. */
size_t predict_encoder_multiplications(const TransformerShape *shape, size_t source);

/* Those of all matrix products on a tape, counted one by one. */
size_t predict_count(const Tape *tape);

#endif
