/* Training: a model learns to say the next word of its examples, update by update.
 *
 * A trainer is a tape, its gradients and an optimizer: it writes a batch of examples into
 * a record of the model (see model/learn/record.h), replays that in place for the loss
 * (mean cross entropy over the words that count, under teacher forcing), goes back
 * through it for the gradients and updates the parameters where they are. Everything is
 * allocated when it is made, in the arena given; an update allocates nothing and may be
 * called as long as there are epochs left. The same options give the same bits.
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
 *   are uniform within ±1/√(rows of their matrix). Embeddings, padding's row too, are
 *   normal with deviation 1, or 1/√d_model with scale_embedding. γ is 1, β is 0.
 *   Uniform numbers are 2 u - 1 of a u in [0, 1) with 53 bits; normal ones come from
 *   Marsaglia's polar method, both of a pair used, rounded to multiples of 2^-32. There
 *   is no dropout.
 * - Examples: the decoder reads the start and the text, and must say the text and the
 *   end. ID 0 is padding: it is not seen, and it is no word that must be said. The logits
 *   begin with ID `first_output` (1 in lessons): the column of padding, which PyTorch's
 *   generator has, is no part of the softmax.
 * - Order: with all examples in one batch, as they are written, always. Otherwise each
 *   epoch begins with the written order and shuffles it (Fisher and Yates: for i from the
 *   count down to 2, places i - 1 and a random one below i are exchanged; that one is 64
 *   random bits modulo i, where bits below 2^64 mod i are drawn anew), and cuts it into
 *   batches; the last one takes what is left.
 * - Loss of a batch: the mean cross entropy of all its words that count, whichever text
 *   they are of, so that a long text weighs more than a short one.
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

#include "base/random.h"
#include "model/learn/optimizer.h"
#include "model/learn/train_examples.h"

enum { TRAIN_MAX_EPOCHS = 1000000 };

typedef struct TrainOptions {
    OptimizerOptions optimizer;
    size_t epochs; /* how many there can be; 1 or more */
    size_t batch;  /* examples in an update; 0: all */
    uint64_t seed; /* of the order in which examples come, in several batches */
} TrainOptions;

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

/* Roughly how many multiplications a training has. */
double train_work(const TransformerShape *shape, const TrainExample *examples,
                  size_t count, const TrainOptions *options);

/* A trainer of the model whose parameters are on `tape`; it trains them there, and
 * computes nothing else on that tape, which must outlive it. Copies what it needs of the
 * rest. ERROR_VALUE for an encoder alone, which says no words, for options that can't be,
 * and for an example that can't be learned, which the sentence names, counting from 1.
 * Under the arena's guard. */
Trainer *trainer_create(Arena *arena, const Tape *tape, const Transformer *model,
                        const TrainExample *examples, size_t count,
                        const TrainOptions *options, Error *error);

/* One update; false, and nothing done, when all epochs are over. *update may be NULL. */
bool trainer_update(Trainer *trainer, TrainUpdate *update);

/* Loss and accuracy of all examples with the present parameters. */
TrainEpoch trainer_evaluate(Trainer *trainer);

/* Where it stands: epochs that are over, updates in the present one, updates in all; and
 * how many updates an epoch has. */
typedef struct TrainProgress {
    size_t epoch, batch, updates, batches;
} TrainProgress;

TrainProgress trainer_progress(const Trainer *trainer);

/* The epochs that are over, *count of them, from the first on. Borrowed, and valid as
 * long as the trainer. */
const TrainEpoch *trainer_history(const Trainer *trainer, size_t *count);

/* The model that is trained, with its parameters. */
const Transformer *trainer_model(const Trainer *trainer);

typedef enum TrainerArray {
    TRAINER_VALUES,
    TRAINER_FIRST_MOMENT,
    TRAINER_SECOND_MOMENT,
    TRAINER_GRADIENTS, /* of the last update */
    TRAINER_ARRAY_COUNT
} TrainerArray;

/* One parameter's numbers [rows,cols], by its place in the model's list. Borrowed. */
const double *trainer_array(const Trainer *trainer, TrainerArray array, size_t index);

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

/* Puts a state back that a trainer of the same identity was in: `arrays` are the
 * parameters' numbers of each kind but the gradients, `history` has state.epoch epochs.
 * ERROR_VALUE when it can't be such a state; the trainer is then as it was. */
bool trainer_restore(Trainer *trainer, const TrainState *state, const TrainEpoch *history,
                     const double *const *const arrays[TRAINER_GRADIENTS], Error *error);

#endif
