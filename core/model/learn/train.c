#include "model/learn/train.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

struct Trainer {
    TrainOptions options;
    const Transformer *model;
    Record *record;
    OptimizerPart *parts; /* the parameters */
    Optimizer optimizer;
    size_t example_count, batch, batches;
    TrainReady *examples;
    size_t *order; /* order of the examples in the present epoch */
    Random next;   /* state of the random numbers after drawing that order */
    TrainState state;
    TrainEpoch *history; /* options.epochs of them */
    uint64_t identity;
};

/* ---- options ---- */

static bool check_options(const TrainOptions *options, Error *error) {
    if (options->epochs < 1 || options->epochs > TRAIN_MAX_EPOCHS)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "epochs is %zu, but must be from 1 to %d", options->epochs,
                         TRAIN_MAX_EPOCHS);
    return optimizer_check(&options->optimizer, error);
}

/* Operations that a layer costs for each example in addition to its multiplications:
 * about 5 microseconds for its nodes on the tape, forward and backward. */
static const double LAYER_COST = 20000;

/* Each row is multiplied with every parameter of its side once in the forward and twice
 * in the backward pass. */
double train_work(const TransformerShape *shape, const TrainExample *examples,
                  size_t count, const TrainOptions *options) {
    double rows = 0, d = (double)shape->d_model, parameters = 0, layers = 1;
    const TransformerTower *tower;
    for (size_t i = 0; i < count; i++)
        rows += (double)(tensor_cells(&examples[i].source) +
                         tensor_cells(&examples[i].target));
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++) {
        double count_here = (double)transformer_layers(shape, tower);
        layers += count_here;
        parameters += count_here * (4 * d * d * (double)(tower->sublayer_count - 1) +
                                    2 * d * (double)shape->d_ff);
    }
    parameters += d * (double)shape->target_vocabulary;
    return (3 * rows * parameters + LAYER_COST * layers * (double)count) *
           (double)options->epochs;
}

/* ---- identity ---- */

static uint64_t hash_number(uint64_t hash, double number) {
    return hash_bytes(hash, &number, sizeof number);
}

static uint64_t hash_text(uint64_t hash, const TrainText *text) {
    hash = hash_number(hash, (double)text->count);
    hash = hash_bytes(hash, text->ids, text->count * sizeof *text->ids);
    return hash_bytes(hash, text->positions, text->count * sizeof *text->positions);
}

static uint64_t hash_options(uint64_t hash, const Trainer *trainer) {
    const TransformerShape *shape = &trainer->model->shape;
    const OptimizerOptions *optimizer = &trainer->options.optimizer;
    const double numbers[] = {
        (double)shape->kind,
        (double)shape->d_model,
        (double)shape->heads,
        (double)shape->d_ff,
        (double)shape->encoder_layers,
        (double)shape->decoder_layers,
        (double)shape->source_vocabulary,
        (double)shape->target_vocabulary,
        (double)shape->first_output,
        (double)shape->mask,
        shape->epsilon,
        (double)(shape->pre_norm + 2 * shape->final_norm + 4 * shape->scale_embedding +
                 8 * shape->biases + 16 * (int)shape->mask + 64 * shape->tied +
                 65536 * shape->rms +
                 131072 * (int)(shape->heads - transformer_kv_heads(shape)) +
                 128 * (int)shape->positions + 1024 * (int)shape->activation) +
            0x1p40 * (double)(2 * shape->segments + shape->embedding_norm),
        (double)optimizer->kind,
        optimizer->learning_rate,
        optimizer->beta_1,
        optimizer->beta_2,
        optimizer->epsilon,
        (double)optimizer->warmup,
        optimizer->clip,
        (double)trainer->batch,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = hash_number(hash, numbers[i]);
    if (shape->rotary_base > 0 && shape->rotary_base != ROTARY_BASE)
        hash = hash_number(hash, shape->rotary_base);
    return hash_bytes(hash, &trainer->options.seed, sizeof trainer->options.seed);
}

static uint64_t identity_of(const Trainer *trainer) {
    uint64_t hash = hash_options(HASH_START, trainer);
    for (size_t i = 0; i < trainer->example_count; i++) {
        const TrainReady *example = &trainer->examples[i];
        hash = hash_text(hash, &example->texts[TRANSFORMER_SOURCE]);
        hash = hash_text(hash, &example->texts[TRANSFORMER_TARGET]);
        hash = hash_bytes(hash, example->expected,
                          example->texts[TRANSFORMER_TARGET].count *
                              sizeof *example->expected);
    }
    for (size_t i = 0; i < trainer->optimizer.count; i++)
        hash = hash_bytes(hash, trainer->parts[i].values,
                          trainer->parts[i].cells * sizeof(double));
    return hash;
}

uint64_t trainer_identity(const Trainer *trainer) {
    return trainer->identity;
}

/* ---- creation ---- */

/* Draws the order of the epoch that begins. state.random stays until the epoch is over,
 * so that a state within an epoch can be restored. */
static void begin_epoch(Trainer *trainer) {
    trainer->next = trainer->state.random;
    for (size_t i = 0; i < trainer->example_count; i++)
        trainer->order[i] = i;
    for (size_t i = trainer->example_count; trainer->batches > 1 && i > 1; i--) {
        size_t other = random_below(&trainer->next, i), swapped = trainer->order[i - 1];
        trainer->order[i - 1] = trainer->order[other];
        trainer->order[other] = swapped;
    }
}

static void make_parts(Trainer *trainer, Arena *arena, const Tape *tape) {
    size_t count = trainer->model->parameter_count;
    trainer->parts = arena_alloc(arena, count, sizeof *trainer->parts);
    for (size_t i = 0; i < count; i++) {
        const TransformerParameter *parameter = &trainer->model->parameters[i];
        trainer->parts[i] =
            (OptimizerPart){.cells = parameter->rows * parameter->cols,
                            .values = tape_node(tape, parameter->node)->output.values,
                            .gradients = record_gradient(trainer->record, i)};
    }
    optimizer_init(&trainer->optimizer, arena, &trainer->options.optimizer,
                   trainer->parts, count);
}

Trainer *trainer_create(Arena *arena, const Tape *tape, const Transformer *model,
                        const TrainExample *examples, size_t count,
                        const TrainOptions *options, Error *error) {
    if (model->shape.kind == TRANSFORMER_ENCODER) {
        error_set(error, ERROR_VALUE, 0, 0,
                  "kind encoder generates no tokens, so it can't be trained; train an "
                  "encoder_decoder or a decoder");
        return NULL;
    }
    if (!check_options(options, error))
        return NULL;
    Trainer *trainer = arena_alloc(arena, 1, sizeof *trainer);
    trainer->options = *options;
    trainer->model = model;
    trainer->example_count = count;
    trainer->batch = options->batch && options->batch < count ? options->batch : count;
    trainer->examples = train_examples_make(arena, &model->shape, examples, count, error);
    if (!trainer->examples)
        return NULL;
    trainer->batches = (count + trainer->batch - 1) / trainer->batch;
    trainer->record = record_create(arena, tape, model, trainer->examples, count,
                                    trainer->batch, error);
    if (!trainer->record)
        return NULL;
    trainer->order = arena_alloc(arena, count, sizeof *trainer->order);
    trainer->history = arena_alloc(arena, options->epochs, sizeof *trainer->history);
    make_parts(trainer, arena, tape);
    trainer->identity = identity_of(trainer);
    random_init(&trainer->state.random, options->seed);
    begin_epoch(trainer);
    return trainer;
}

/* ---- training ---- */

static void end_epoch(Trainer *trainer) {
    TrainState *state = &trainer->state;
    double batches = (double)trainer->batches, words = (double)state->words;
    TrainEpoch *epoch = &trainer->history[state->epoch];
    *epoch = (TrainEpoch){.loss = state->loss / words,
                          .accuracy = (double)state->right / words,
                          .gradient_norm = state->gradient_norm / batches};
    state->random = trainer->next;
    state->epoch++;
    state->batch = state->words = state->right = 0;
    state->loss = state->gradient_norm = 0;
    begin_epoch(trainer);
}

/* Computes batch number `batch` of the present order, one load of the record after the
 * other; if `learn`, its gradients too. The loss is the batch's mean. */
static TrainUpdate run_batch(Trainer *trainer, size_t batch, bool learn) {
    const size_t *order = trainer->order + batch * trainer->batch;
    size_t left = trainer->example_count - batch * trainer->batch;
    TrainUpdate update = {0};
    left = left < trainer->batch ? left : trainer->batch;
    for (size_t i = 0; i < left; i++)
        update.words += trainer->examples[order[i]].counted;
    if (learn)
        record_clear(trainer->record);
    while (left) {
        size_t loaded = record_load(trainer->record, trainer->examples, order, left);
        RecordResult result = record_forward(trainer->record);
        if (learn)
            record_backward(trainer->record, 1 / (double)update.words);
        update.loss += result.loss;
        update.right += result.right;
        order += loaded;
        left -= loaded;
    }
    update.loss /= (double)update.words;
    return update;
}

bool trainer_update(Trainer *trainer, TrainUpdate *update) {
    TrainState *state = &trainer->state;
    if (state->epoch == trainer->options.epochs)
        return false;
    TrainUpdate made = run_batch(trainer, state->batch, true);
    made.gradient_norm = optimizer_step(&trainer->optimizer);
    if (update)
        *update = made;
    state->loss += made.loss * (double)made.words;
    state->words += made.words;
    state->right += made.right;
    state->gradient_norm += made.gradient_norm;
    state->updates = trainer->optimizer.updates;
    if (++state->batch == trainer->batches)
        end_epoch(trainer);
    return true;
}

TrainEpoch trainer_evaluate(Trainer *trainer) {
    size_t words = 0, right = 0;
    double loss = 0;
    for (size_t i = 0; i < trainer->batches; i++) {
        TrainUpdate batch = run_batch(trainer, i, false);
        loss += batch.loss * (double)batch.words;
        words += batch.words;
        right += batch.right;
    }
    return (TrainEpoch){.loss = loss / (double)words,
                        .accuracy = (double)right / (double)words};
}

/* ---- access ---- */

TrainProgress trainer_progress(const Trainer *trainer) {
    const TrainState *state = &trainer->state;
    return (TrainProgress){state->epoch, state->batch, state->updates, trainer->batches};
}

const TrainEpoch *trainer_history(const Trainer *trainer, size_t *count) {
    *count = trainer->state.epoch;
    return trainer->history;
}

const Transformer *trainer_model(const Trainer *trainer) {
    return trainer->model;
}

const double *trainer_array(const Trainer *trainer, TrainerArray array, size_t index) {
    const OptimizerPart *part = &trainer->parts[index];
    const double *const arrays[TRAINER_ARRAY_COUNT] = {
        [TRAINER_VALUES] = part->values,
        [TRAINER_FIRST_MOMENT] = part->first,
        [TRAINER_SECOND_MOMENT] = part->second,
        [TRAINER_GRADIENTS] = part->gradients,
    };
    return arrays[array];
}

/* ---- checkpoints ---- */

TrainState trainer_state(const Trainer *trainer) {
    return trainer->state;
}

static bool check_state(const Trainer *trainer, const TrainState *state, Error *error) {
    size_t updates = state->epoch * trainer->batches + state->batch;
    const uint64_t *bits = state->random.state;
    if (state->batch < trainer->batches && state->updates == updates &&
        (bits[0] | bits[1] | bits[2] | bits[3]))
        return state->epoch <= trainer->options.epochs ||
               error_set(error, ERROR_VALUE, 0, 0,
                         "%zu epochs are over already, and only %zu are wanted; ask for "
                         "more",
                         state->epoch, trainer->options.epochs);
    return error_set(error, ERROR_VALUE, 0, 0,
                     "its state is damaged: %zu updates can't be %zu epochs and %zu "
                     "updates, with %zu an epoch; begin anew",
                     state->updates, state->epoch, state->batch, trainer->batches);
}

bool trainer_restore(Trainer *trainer, const TrainState *state, const TrainEpoch *history,
                     const double *const *const arrays[TRAINER_GRADIENTS], Error *error) {
    if (!check_state(trainer, state, error))
        return false;
    for (size_t i = 0; i < trainer->optimizer.count; i++) {
        const OptimizerPart *part = &trainer->parts[i];
        size_t bytes = part->cells * sizeof(double);
        memcpy(part->values, arrays[TRAINER_VALUES][i], bytes);
        memcpy(part->first, arrays[TRAINER_FIRST_MOMENT][i], bytes);
        memcpy(part->second, arrays[TRAINER_SECOND_MOMENT][i], bytes);
    }
    trainer->state = *state;
    trainer->optimizer.updates = state->updates;
    if (state->epoch)
        memcpy(trainer->history, history, state->epoch * sizeof *history);
    begin_epoch(trainer);
    return true;
}
