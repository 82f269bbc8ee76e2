/* Training: a model learns to say the next word of its examples, update by update.
 *
 * A trainer draws batches of examples, computes their loss (mean cross entropy over the
 * words that count, under teacher forcing), goes back through the model for the gradients
 * and updates the parameters. Everything is resolved and allocated when it is made, in
 * the arena given; an update allocates nothing and may be called as long as there are
 * epochs left. The same options give the same bits, so a trainer can go back to any
 * epoch: it keeps snapshots at a stride, and computes again what lies between them.
 *
 * The rules, from which anyone can train the same:
 * - Random numbers are xoshiro256**, seeded by splitmix64 (base/random.h). A lesson draws
 *   its model's start and the order of its examples each from a generator of their own,
 *   both begun with `seed`.
 * - Start: parameters in the order of transformer_parameters, each row by row. A matrix
 *   is uniform within ±√(6 / (rows + columns)) (Xavier), where W_Q, W_K and W_V count as
 *   the one matrix [d_model, 3 d_model] that they are in PyTorch, so that theirs is
 *   √(6 / (4 d_model)), and the generator's columns are all of the vocabulary's. The
 *   biases of attentions are 0; those of the feed-forward networks and of the generator
 *   are uniform within ±1/√(rows of their matrix). Embeddings are normal with deviation
 *   1, or 1/√d_model with scale_embedding. γ is 1, β is 0. Uniform numbers are
 *   2 u - 1 of a u in [0, 1) with 53 bits; normal ones come from Marsaglia's polar
 *   method, both of a pair used, rounded to multiples of 2^-32. There is no dropout.
 * - Examples: the decoder reads the start and the text, and must say the text and the
 *   end. ID 0 is padding: it is not seen, and it is no word that must be said. The logits
 *   begin with ID `first_output` (1 in lessons): the column of padding, which PyTorch's
 *   generator has, is no part of the softmax.
 * - Order: with all examples in one batch, as they are written, always. Otherwise each
 *   epoch begins with the written order and shuffles it (Fisher and Yates: for i from the
 *   count down to 2, places i - 1 and a random one below i are exchanged), and cuts it
 *   into batches; the last one takes what is left.
 * - Loss of a batch: the cross entropies of all its words that count, added up and
 * divided by how many they are. So a long text weighs more than a short one. Gradients
 * are this loss's.
 * - Clipping: where `clip` is not 0, all gradients together, of length n, are multiplied
 *   by min(1, clip / (n + 1e-6)).
 * - Learning rate of update t, counted from 1: learning_rate × min(1, t / warmup).
 * - SGD: θ -= rate × g. Adam, g being the gradient behind clipping: m = β1 m + (1-β1) g,
 *   v = β2 v + (1-β2) g², both from 0; θ -= rate × m / (1-β1^t) / (√(v / (1-β2^t)) + ε).
 *   Lessons have β1 = 0.9, β2 = 0.999, ε = 1e-8. There is no weight decay.
 * - An epoch's loss is that of all its words together, each as it was before its update;
 *   its accuracy is the share of them whose ID had the largest logit (of equals, the
 *   first); its gradient norm is the mean of its updates', before clipping. */
#ifndef MODEL_TRAIN_H
#define MODEL_TRAIN_H

#include "model/build/transformer.h"
#include "model/learn/optimizer.h"

/* Rows [1,n] of IDs. `source` is only read where the model has an encoder; `target` is
 * what the decoder reads and `expected`, as long, what it must say for each of its words.
 * 0 is padding: behind a text it is ignored, and a word expected to be 0 doesn't count.
 */
typedef struct TrainExample {
    Tensor source, target, expected;
} TrainExample;

enum { TRAIN_MAX_EPOCHS = 1000000 };

typedef struct TrainOptions {
    OptimizerOptions optimizer;
    size_t epochs; /* how many there can be; 1 or more */
    size_t batch;  /* examples in an update; 0: all */
    uint64_t
        seed; /* of the order in which examples come, when there are several batches */
    size_t memory; /* for snapshots, in bytes; 0: TRAIN_MEMORY */
} TrainOptions;

enum { TRAIN_MEMORY = 16 << 20 };

typedef struct TrainUpdate {
    double loss;         /* of the batch, before the update */
    size_t words, right; /* words that count, and those that were the most probable one */
    double gradient_norm;
} TrainUpdate;

/* One epoch: means over its updates, each measured before its update. */
typedef struct TrainEpoch {
    double loss, accuracy; /* accuracy: the share of words that were right */
    double gradient_norm;
} TrainEpoch;

typedef struct Trainer Trainer;

/* Whether training can be done so: ERROR_VALUE naming the field that can't be. *field
 * (NULL is fine) is then its name. */
bool train_check(const TrainOptions *options, const char **field, Error *error);

/* Roughly how many multiplications a training has. */
double train_work(const TransformerShape *shape, const TrainExample *examples,
                  size_t count, const TrainOptions *options);

/* A trainer of a model whose parameters begin as `start` says. Copies what it needs.
 * ERROR_VALUE for an encoder alone, which says no words, for options that can't be, and
 * for an example that can't be learned, which the sentence names, counting from 1;
 * ERROR_MEMORY; and what `start` says. */
Trainer *trainer_create(Arena *arena, const TransformerShape *shape,
                        const TrainExample *examples, size_t count,
                        const TrainOptions *options, TransformerWeights start,
                        Error *error);

/* One update; false, and nothing done, when all epochs are over. *update may be NULL. */
bool trainer_update(Trainer *trainer, TrainUpdate *update);

/* Updates to the end of the epoch; false, and nothing done, when all are over. */
bool trainer_epoch(Trainer *trainer);

/* Makes everything as it was when `epoch` epochs were over, to the last bit: goes back,
 * or on. False when there are not so many. */
bool trainer_go_to(Trainer *trainer, size_t epoch);

/* Loss and accuracy of all examples with the present parameters. */
TrainEpoch trainer_evaluate(Trainer *trainer);

/* Where it stands: epochs that are over, updates in the present one, updates in all; and
 * how many updates an epoch has. */
typedef struct TrainPlace {
    size_t epoch, batch, updates, batches;
} TrainPlace;

TrainPlace trainer_place(const Trainer *trainer);

/* The epochs known, *count of them, from the first on; more than are over after going
 * back. Borrowed, and valid as long as the trainer. */
const TrainEpoch *trainer_history(const Trainer *trainer, size_t *count);

const TrainOptions *trainer_options(const Trainer *trainer);
const TransformerShape *trainer_shape(const Trainer *trainer);

/* The parameters, in the order of transformer_parameters. */
size_t trainer_parameter_count(const Trainer *trainer);
const TransformerParameter *trainer_parameter(const Trainer *trainer, size_t index);

typedef enum TrainerArray {
    TRAINER_VALUES,
    TRAINER_GRADIENTS, /* of the last update */
    TRAINER_FIRST_MOMENT,
    TRAINER_SECOND_MOMENT,
    TRAINER_ARRAY_COUNT
} TrainerArray;

/* Copies one parameter's numbers into `values` [rows,cols]. */
void trainer_get(const Trainer *trainer, TrainerArray array, size_t index,
                 double *values);

/* The present parameters as weights, to put a model on a tape with. Lives as long as the
 * trainer. */
TransformerWeights trainer_weights(Trainer *trainer);

/* A number that two trainers have in common when they would do the same: from the shape,
 * the options (but not how many epochs), the examples and the start. */
uint64_t trainer_identity(const Trainer *trainer);

/* What a checkpoint keeps beside arrays and history (see model/learn/checkpoint.h). */
typedef struct TrainState {
    size_t epoch, batch, updates;
    Random random; /* as it was when the epoch began */
    /* Sums over the updates of the present epoch. */
    double loss, gradient_norm;
    size_t words, right;
} TrainState;

TrainState trainer_state(const Trainer *trainer);

/* Puts a state back that a trainer of the same identity was in: `fill` gives each array's
 * parameters but the gradients, `history` has state.epoch epochs. Snapshots begin anew,
 * so that going back before this epoch computes from the start. ERROR_VALUE when it can't
 * be such a state, and what `fill` says; the trainer is then as it was when it was made.
 */
bool trainer_restore(Trainer *trainer, const TrainState *state, const TrainEpoch *history,
                     bool (*fill)(void *context, TrainerArray array,
                                  const TransformerParameter *parameter, double *values,
                                  Error *error),
                     void *context, Error *error);

#endif
