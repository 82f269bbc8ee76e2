/* Training: a model learns to predict the next token of its examples, update by update.
 *
 * A trainer is a tape, its gradients and an optimizer: it writes a batch of examples into
 * a record of the model (see model/learn/record.h), replays that in place for the loss
 * (mean cross entropy over the tokens that count, under teacher forcing), runs it
 * backward for the gradients and updates the parameters in place. Everything is allocated
 * on creation, in the arena given; an update allocates nothing and may be called as long
 * as there are epochs left. The same options give the same bits.
 *
 * The rules, which are sufficient to reproduce a training:
 * - Random numbers are xoshiro256**, seeded by splitmix64 (base/random.h). A lesson draws
 *   its model's initial parameters and the order of its examples each from a generator of
 *   their own, both seeded with `seed`.
 * - Start: parameters in the order of transformer_parameters, each row by row. A matrix
 *   is uniform within ±√(6 / (rows + columns)) (Xavier), where W_Q, W_K and W_V count as
 *   the one matrix [d_model, 3 d_model] that they are in PyTorch, so that theirs is
 *   √(6 / (4 d_model)), and the generator's columns are all of the vocabulary's. The
 *   biases of attentions are 0; those of the feed-forward networks and of the generator
 *   are uniform within ±1/√(rows of their matrix). Embeddings, padding's row too, are
 *   normal with standard deviation 1, or 1/√d_model with scale_embedding. γ is 1, β is 0.
 *   Uniform numbers are 2 u - 1 of a u in [0, 1) with 53 bits; normal ones come from
 *   Marsaglia's polar method, both of a pair used, rounded to multiples of 2^-32. There
 *   is no dropout.
 * - Examples: the decoder reads the start and the text, and must predict the text and the
 *   end. ID 0 is padding: it is masked, and is never a target. The logits begin with ID
 *   `first_output` (1 in lessons): the column of padding, which PyTorch's generator has,
 *   is no part of the softmax.
 * - Order: with all examples in one batch, always as written. Otherwise each epoch starts
 *   from the written order and shuffles it (Fisher and Yates: for i from the count down
 *   to 2, positions i - 1 and a random one below i are exchanged; that one is 64 random
 *   bits modulo i, where bits below 2^64 mod i are drawn again), and cuts it into
 *   batches; the last one takes the remainder.
 * - Loss of a batch: the mean cross entropy of all its tokens that count, whichever text
 *   they are of, so that a long text weighs more than a short one.
 * - Clipping: if `clip` is not 0, all gradients together, of norm n, are multiplied by
 *   min(1, clip / (n + 1e-6)).
 * - Learning rate of update t, counted from 1: learning_rate × min(1, t / warmup).
 * - SGD: θ -= rate × g. Adam, g being the clipped gradient: m = β1 m + (1-β1) g,
 *   v = β2 v + (1-β2) g², both from 0; θ -= rate × m / (1-β1^t) / (√(v / (1-β2^t)) + ε).
 *   Lessons have β1 = 0.9, β2 = 0.999, ε = 1e-8. There is no weight decay.
 * - An epoch's loss is the mean over all its tokens, each as it was before its update;
 *   its accuracy is the fraction of them whose ID had the largest logit (of equals, the
 *   first); its gradient norm is the mean of its updates', before clipping. */
#pragma once

#include "base/random.h"
#include "model/build/model.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;
typedef struct Error Error;
typedef struct Record Record;
typedef struct Tape Tape;

/* Optimizers: update parameters from their gradients.
 *
 * An optimizer works on parameters in place; each is an array of numbers with an array of
 * gradients. Its moments live in the arena it was made in; a step allocates nothing.
 * Source: Kingma and Ba 2015, algorithm 1, as torch.optim.Adam computes it; Pascanu et
 * al. 2013 for clipping, as torch.nn.utils.clip_grad_norm_ does it. */

typedef enum OptimizerKind {
    OPTIMIZER_ADAM,
    OPTIMIZER_SGD, /* plain SGD, without momentum */
    OPTIMIZER_KIND_COUNT
} OptimizerKind;

/* Returns "adam" or "sgd". */
const char *optimizer_kind_name(OptimizerKind kind);

typedef struct OptimizerOptions {
    OptimizerKind kind;
    double learning_rate;
    double beta_1, beta_2, epsilon; /* parameters of Adam */
    size_t warmup; /* updates t ≤ warmup have the learning rate times t / warmup */
    double clip;   /* maximum norm of all gradients together; 0: no limit */
} OptimizerOptions;

/* Returns Adam with PyTorch's defaults: learning rate 1e-3, betas 0.9 and 0.999, epsilon
 * 1e-8. */
OptimizerOptions optimizer_options(void);

/* Checks the options. ERROR_VALUE names the field and the allowed values. */
bool optimizer_check(const OptimizerOptions *options, Error *error);

/* One parameter's numbers. */
typedef struct OptimizerPart {
    size_t cells;
    double *values;
    const double *gradients;
    double *first, *second; /* Adam's moments; set by optimizer_init */
} OptimizerPart;

typedef struct Optimizer {
    OptimizerOptions options;
    size_t count;
    OptimizerPart *parts;
    size_t updates; /* number of updates made */
} Optimizer;

/* Initializes an optimizer of `count` parameters with zero moments; it borrows `parts`.
 * Under the arena's guard. */
void optimizer_init(Optimizer *optimizer, Arena *arena, const OptimizerOptions *options,
                    OptimizerPart *parts, size_t count);

/* Returns the learning rate of update number `update`, counted from 1. */
double optimizer_learning_rate(const OptimizerOptions *options, size_t update);

/* Makes one update. Returns the norm of the gradients before clipping. */
double optimizer_step(Optimizer *optimizer);

/* Training examples, and their prepared form: IDs as numbers, without padding.
 *
 * Everything lives in the arena given. */

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

enum { TRAIN_MAX_EPOCHS = 1000000 };

typedef struct TrainOptions {
    OptimizerOptions optimizer;
    size_t epochs; /* maximum number of epochs; 1 or more */
    size_t batch;  /* examples per update; 0: all */
    uint64_t seed; /* seed of the order of the examples, if there are several batches */
} TrainOptions;

typedef struct TrainUpdate {
    double loss; /* mean of the batch, before the update */
    /* tokens that count, and those that had the highest probability */
    size_t words, right;
    double gradient_norm;
} TrainUpdate;

/* Means over an epoch's updates, each measured before its update. */
typedef struct TrainEpoch {
    double loss, accuracy; /* accuracy: fraction of tokens predicted correctly */
    double gradient_norm;
} TrainEpoch;

typedef struct Trainer Trainer;

/* Estimates the operations of a training: its multiplications, and a constant for each
 * layer, example and epoch. */
double train_work(const TransformerShape *shape, const TrainExample *examples,
                  size_t count, const TrainOptions *options);

/* Creates a trainer of the model whose parameters are on `tape`, which must outlive it;
 * the parameters are trained there, and nothing else on that tape is computed. Copies
 * what it needs of the rest. ERROR_VALUE for an encoder alone, which has no logits, for
 * invalid options, and for an example that can't be learned; the message gives its
 * number, counted from 1. Under the arena's guard. */
Trainer *trainer_create(Arena *arena, const Tape *tape, const Transformer *model,
                        const TrainExample *examples, size_t count,
                        const TrainOptions *options, Error *error);

/* Makes one update; returns false, doing nothing, if all epochs are over. *update may be
 * NULL. */
bool trainer_update(Trainer *trainer, TrainUpdate *update);

/* Returns loss and accuracy over all examples with the present parameters. */
TrainEpoch trainer_evaluate(Trainer *trainer);

/* Progress: finished epochs, updates in the present epoch, updates in all, and updates
 * per epoch. */
typedef struct TrainProgress {
    size_t epoch, batch, updates, batches;
} TrainProgress;

TrainProgress trainer_progress(const Trainer *trainer);

/* Returns the finished epochs, *count of them, from the first on. Borrowed, and valid as
 * long as the trainer. */
const TrainEpoch *trainer_history(const Trainer *trainer, size_t *count);

/* Returns the model that is trained, with its parameters. */
const Transformer *trainer_model(const Trainer *trainer);

typedef enum TrainerArray {
    TRAINER_VALUES,
    TRAINER_FIRST_MOMENT,
    TRAINER_SECOND_MOMENT,
    TRAINER_GRADIENTS, /* gradients of the last update */
    TRAINER_ARRAY_COUNT
} TrainerArray;

/* Returns one parameter's numbers [rows,cols], by its index in the model's list.
 * Borrowed. */
const double *trainer_array(const Trainer *trainer, TrainerArray array, size_t index);

/* Returns a number that is equal for trainers that compute the same: it is made from the
 * shape, the options (except the number of epochs), the examples and the initial
 * parameters. */
uint64_t trainer_identity(const Trainer *trainer);

/* State that a checkpoint stores beside arrays and history (see
 * checkpoint.c). */
typedef struct TrainState {
    size_t epoch, batch, updates;
    Random random; /* state when the epoch began */
    /* Sums over the updates of the present epoch. */
    double loss, gradient_norm;
    size_t words, right;
} TrainState;

TrainState trainer_state(const Trainer *trainer);

/* Restores the state of a trainer with the same identity: `arrays` are the parameters'
 * numbers of each kind but the gradients, `history` has state.epoch epochs. ERROR_VALUE
 * if the state is impossible; the trainer is then unchanged. */
bool trainer_restore(Trainer *trainer, const TrainState *state, const TrainEpoch *history,
                     const double *const *const arrays[TRAINER_GRADIENTS], Error *error);

/* Checkpoints: the state of a training in a safetensors file, to resume from.
 *
 * The file has the parameters under PyTorch's names (see model/weights/weights.h), so it
 * can be used as a weights file; Adam's moments as "optimizer.exp_avg.PARAMETER" and
 * "optimizer.exp_avg_sq.PARAMETER"; the epochs so far as "optimizer.history" (loss,
 * accuracy, gradient norm); and as metadata the progress, the state of the random numbers
 * and the training's identity (trainer_identity). All functions run under the arena's
 * guard. */

/* Writes the trainer's present state to bytes, new in the arena; equal states give equal
 * bytes. ERROR_LIMIT. */
bool checkpoint_write(const Trainer *trainer, Arena *arena, uint8_t **bytes,
                      size_t *length, Error *error);

/* Writes the trainer's weights alone, as F32, to bytes that are new in the arena. */
bool checkpoint_write_weights(const Trainer *trainer, Arena *arena, uint8_t **bytes,
                              size_t *length, Error *error);

/* Restores the trainer's state from a file; `file` names it in messages. The trainer must
 * not have started; on failure it still has not. ERROR_VALUE if the file is no
 * checkpoint, or one of another lesson, model or options; otherwise the errors of
 * safetensors_read, weights_read and trainer_restore. */
bool checkpoint_read(Trainer *trainer, Arena *arena, const char *file,
                     const uint8_t *bytes, size_t length, Error *error);

/* The tape that training replays: a model that reads several examples at once.
 *
 * The tokens of the examples follow each other in one sequence. Positions restart with
 * each example, and a mask keeps examples from attending to each other, so every number
 * is the same as for the example alone: attention weights across examples are 0, and
 * adding 0 changes nothing. Unused rows are padding. The tape is built once; afterwards
 * examples are written into its given tensors and it is replayed in place, forward and
 * backward, which allocates nothing. Parameters are not copied: their values are those of
 * the tape they come from. */

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
