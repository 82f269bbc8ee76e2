/* A forward and a backward pass of the whole transformer over several examples at once,
 * for training: the numbers that a tape computes, without the record.
 *
 * The rows of all examples stand below each other in one tall matrix, so that a linear
 * map is one product; only attention goes from example to example. No row is padding:
 * what is padded in a text is left out. Everything is found and allocated when the pass
 * is made; a pass over a batch allocates nothing. The pass lives in the arena it was made
 * in.
 *
 * Parameters are one array of pass_size cells, and so are their gradients: each parameter
 * lies in it with its rows padded by zeros (see model/learn/lanes.h), which stay zeros;
 * pass_get and pass_put translate.
 *
 * The results equal the tape's and PyTorch's to rounding, not to the bit: sums are made
 * in another order. Source: as for model/build/transformer.h. */
#ifndef MODEL_PASS_H
#define MODEL_PASS_H

#include "model/build/transformer.h"
#include "model/learn/lanes.h"

/* The words of a text that are not padding: their IDs and their places in the text. */
typedef struct PassText {
    size_t count;
    const size_t *ids, *places;
} PassText;

/* What the decoder reads (`target`) and, for each of its words, the ID that it must say;
 * 0 where it doesn't matter. Borrowed while the example is in the batch. */
typedef struct PassExample {
    PassText source, target;
    const size_t *expected;
} PassExample;

/* The largest batch. */
typedef struct PassLimits {
    size_t examples;
    size_t source_rows, target_rows; /* of all its examples together */
    size_t source_longest, target_longest;
    size_t places; /* positions are smaller than this */
} PassLimits;

/* What a forward pass found. */
typedef struct PassResult {
    double loss;  /* the mean cross entropy over the words that count */
    size_t words; /* how many words count */
    size_t right; /* how many of them were the most probable one */
} PassResult;

typedef struct Pass Pass;

/* A pass for models of a shape that has passed transformer_check and has a decoder.
 * ERROR_MEMORY. */
Pass *pass_create(Arena *arena, const TransformerShape *shape, PassLimits limits,
                  Error *error);

const TransformerShape *pass_shape(const Pass *pass);
const LanesKernels *pass_kernels(const Pass *pass);

/* The shape's parameters, as transformer_parameters lists them. */
size_t pass_parameter_count(const Pass *pass);
const TransformerParameter *pass_parameter(const Pass *pass, size_t index);

/* How many cells the array of all parameters has, a multiple of LANES. */
size_t pass_size(const Pass *pass);

/* Copies parameter `index` between the array `cells` and `values` [rows,cols]. */
void pass_get(const Pass *pass, const double *cells, size_t index, double *values);
void pass_put(const Pass *pass, double *cells, size_t index, const double *values);

/* Empties the batch; adds an example to it. A text has at least one word, and all must
 * stay within the limits. */
void pass_clear(Pass *pass);
void pass_add(Pass *pass, const PassExample *example);

/* Computes the batch's loss with these parameters, and what backward needs. At least one
 * word must count. */
PassResult pass_forward(Pass *pass, const double *values);

/* Fills `gradients` with those of the last forward pass's loss, for the same parameters.
 */
void pass_backward(Pass *pass, const double *values, double *gradients);

#endif
