#include "model/learn/train.h"

#include "model/learn/pass.h"
#include "model/learn/train_examples.h"

#include <assert.h>
#include <string.h>

/* The state at the end of every stride-th epoch, the start's first. */
typedef struct Snapshots {
    size_t stride;
    size_t count, most;
    TrainState *states;
    double *cells; /* values and both moments, each */
} Snapshots;

struct Trainer {
    TrainOptions options;
    Pass *pass;
    size_t size; /* cells of all parameters */
    size_t example_count, batch, batches;
    PassExample *examples;
    size_t *order; /* of the examples in the present epoch */
    double *values, *gradients;
    Optimizer optimizer;
    TrainState state;
    size_t history_count;
    TrainEpoch *history; /* options.epochs of them */
    Snapshots snapshots;
    uint64_t identity;
    double *filling; /* the largest parameter's cells */
};

/* ---- options ---- */

bool train_check(const TrainOptions *options, const char **field, Error *error) {
    const char *unused;
    field = field ? field : &unused;
    *field = "epochs";
    if (options->epochs < 1 || options->epochs > TRAIN_MAX_EPOCHS)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "epochs is %zu, but must be from 1 to %d", options->epochs,
                         TRAIN_MAX_EPOCHS);
    return optimizer_check(&options->optimizer, field, error);
}

/* A row meets every parameter of its side once on its way forward and twice on its way
 * back. */
double train_work(const TransformerShape *shape, const TrainExample *examples,
                  size_t count, const TrainOptions *options) {
    double rows = 0, d = (double)shape->d_model, parameters = 0;
    const TransformerTower *tower;
    for (size_t i = 0; i < count; i++)
        rows += (double)(tensor_cells(&examples[i].source) +
                         tensor_cells(&examples[i].target));
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++)
        parameters += (double)transformer_layers(shape, tower) *
                      (4 * d * d * (double)(tower->sublayer_count - 1) +
                       2 * d * (double)shape->d_ff);
    parameters += d * (double)shape->target_vocabulary;
    return 3 * rows * parameters * (double)options->epochs;
}

/* ---- identity ---- */

/* 64-bit FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_number(uint64_t hash, double number) {
    return hash_bytes(hash, &number, sizeof number);
}

static uint64_t hash_text(uint64_t hash, const PassText *text) {
    hash = hash_number(hash, (double)text->count);
    hash = hash_bytes(hash, text->ids, text->count * sizeof *text->ids);
    return hash_bytes(hash, text->places, text->count * sizeof *text->places);
}

static uint64_t hash_options(uint64_t hash, const Trainer *trainer) {
    const TransformerShape *shape = pass_shape(trainer->pass);
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
                 8 * shape->biases + 16 * (int)shape->mask),
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
    return hash_bytes(hash, &trainer->options.seed, sizeof trainer->options.seed);
}

static uint64_t identity_of(const Trainer *trainer) {
    uint64_t hash = hash_options(0xCBF29CE484222325u, trainer);
    for (size_t i = 0; i < trainer->example_count; i++) {
        const PassExample *example = &trainer->examples[i];
        hash = hash_text(hash, &example->source);
        hash = hash_text(hash, &example->target);
        hash = hash_bytes(hash, example->expected,
                          example->target.count * sizeof *example->expected);
    }
    return hash_bytes(hash, trainer->values, trainer->size * sizeof *trainer->values);
}

uint64_t trainer_identity(const Trainer *trainer) {
    return trainer->identity;
}

/* ---- snapshots ---- */

static double *snapshot_cells(const Trainer *trainer, size_t index) {
    return trainer->snapshots.cells + index * 3 * trainer->size;
}

static void snapshot_copy(Trainer *trainer, size_t to, size_t from) {
    trainer->snapshots.states[to] = trainer->snapshots.states[from];
    memcpy(snapshot_cells(trainer, to), snapshot_cells(trainer, from),
           3 * trainer->size * sizeof(double));
}

/* Keeps the state at the end of an epoch, where the stride has one. When there is no room
 * every second one is dropped, and from then on only half as many are kept. */
static void snapshot_keep(Trainer *trainer) {
    Snapshots *snapshots = &trainer->snapshots;
    size_t bytes = trainer->size * sizeof(double), epoch = trainer->state.epoch;
    if (epoch != snapshots->count * snapshots->stride)
        return;
    if (snapshots->count == snapshots->most) {
        snapshots->count = (snapshots->count + 1) / 2;
        snapshots->stride *= 2;
        for (size_t i = 1; i < snapshots->count; i++)
            snapshot_copy(trainer, i, 2 * i);
        if (epoch != snapshots->count * snapshots->stride)
            return;
    }
    double *cells = snapshot_cells(trainer, snapshots->count);
    snapshots->states[snapshots->count++] = trainer->state;
    memcpy(cells, trainer->values, bytes);
    memcpy(cells + trainer->size, trainer->optimizer.first, bytes);
    memcpy(cells + 2 * trainer->size, trainer->optimizer.second, bytes);
}

static void begin_epoch(Trainer *trainer);

static void snapshot_restore(Trainer *trainer, size_t index) {
    size_t bytes = trainer->size * sizeof(double);
    const double *cells = snapshot_cells(trainer, index);
    trainer->state = trainer->snapshots.states[index];
    trainer->optimizer.updates = trainer->state.updates;
    memcpy(trainer->values, cells, bytes);
    memcpy(trainer->optimizer.first, cells + trainer->size, bytes);
    memcpy(trainer->optimizer.second, cells + 2 * trainer->size, bytes);
    begin_epoch(trainer);
}

/* ---- making a trainer ---- */

/* Draws the order of the epoch that begins; state.random stays as it is until the epoch
 * is over, so that a state within an epoch can be had again. */
static void begin_epoch(Trainer *trainer) {
    Random random = trainer->state.random;
    for (size_t i = 0; i < trainer->example_count; i++)
        trainer->order[i] = i;
    for (size_t i = trainer->example_count; trainer->batches > 1 && i > 1; i--) {
        size_t other = random_below(&random, i), kept = trainer->order[i - 1];
        trainer->order[i - 1] = trainer->order[other];
        trainer->order[other] = kept;
    }
}

/* The random numbers behind those that the epoch's order took. */
static void end_random(Trainer *trainer) {
    for (size_t i = trainer->example_count; trainer->batches > 1 && i > 1; i--)
        random_below(&trainer->state.random, i);
}

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "there is no memory to train with; take a smaller model, fewer "
                     "epochs or fewer examples");
}

static bool make_snapshots(Trainer *trainer, Arena *arena) {
    Snapshots *snapshots = &trainer->snapshots;
    size_t each = 3 * trainer->size * sizeof(double);
    size_t memory = trainer->options.memory ? trainer->options.memory : TRAIN_MEMORY;
    snapshots->stride = 1;
    snapshots->most = memory / each < 2 ? 2 : memory / each;
    if (snapshots->most > trainer->options.epochs + 1)
        snapshots->most = trainer->options.epochs + 1;
    snapshots->states = arena_alloc(arena, snapshots->most, sizeof *snapshots->states);
    snapshots->cells = arena_alloc(arena, snapshots->most, each);
    return snapshots->states && snapshots->cells;
}

static bool make_arrays(Trainer *trainer, Arena *arena, Error *error) {
    size_t largest = 0;
    for (size_t i = 0; i < pass_parameter_count(trainer->pass); i++) {
        const TransformerParameter *parameter = pass_parameter(trainer->pass, i);
        size_t cells = parameter->rows * parameter->cols;
        largest = cells > largest ? cells : largest;
    }
    trainer->size = pass_size(trainer->pass);
    trainer->values = arena_alloc(arena, trainer->size, sizeof *trainer->values);
    trainer->gradients = arena_alloc(arena, trainer->size, sizeof *trainer->gradients);
    trainer->order = arena_alloc(arena, trainer->example_count, sizeof *trainer->order);
    trainer->history =
        arena_alloc(arena, trainer->options.epochs, sizeof *trainer->history);
    trainer->filling = arena_alloc(arena, largest, sizeof *trainer->filling);
    return (trainer->values && trainer->gradients && trainer->order && trainer->history &&
            trainer->filling && make_snapshots(trainer, arena)) ||
           no_memory(error);
}

static bool fill_values(Trainer *trainer, TransformerWeights start, Error *error) {
    for (size_t i = 0; i < pass_parameter_count(trainer->pass); i++) {
        if (!start.fill(start.context, pass_parameter(trainer->pass, i), trainer->filling,
                        error))
            return false;
        pass_put(trainer->pass, trainer->values, i, trainer->filling);
    }
    return true;
}

Trainer *trainer_create(Arena *arena, const TransformerShape *shape,
                        const TrainExample *examples, size_t count,
                        const TrainOptions *options, TransformerWeights start,
                        Error *error) {
    if (shape->kind == TRANSFORMER_ENCODER) {
        error_set(error, ERROR_VALUE, 0, 0,
                  "kind encoder says no words that it could learn; train an "
                  "encoder_decoder or a decoder");
        return NULL;
    }
    if (!transformer_check(shape, NULL, error) || !train_check(options, NULL, error))
        return NULL;
    Trainer *trainer = arena_alloc(arena, 1, sizeof *trainer);
    if (!trainer) {
        no_memory(error);
        return NULL;
    }
    trainer->options = *options;
    trainer->example_count = count;
    trainer->batch = options->batch && options->batch < count ? options->batch : count;
    trainer->examples = train_examples_make(arena, shape, examples, count, error);
    if (!trainer->examples)
        return NULL;
    trainer->batches = (count + trainer->batch - 1) / trainer->batch;
    PassLimits limits = train_examples_limits(trainer->examples, count, trainer->batch);
    trainer->pass = pass_create(arena, shape, limits, error);
    if (!trainer->pass || !make_arrays(trainer, arena, error) ||
        !optimizer_init(&trainer->optimizer, arena, &options->optimizer, trainer->size,
                        error) ||
        !fill_values(trainer, start, error))
        return NULL;
    trainer->identity = identity_of(trainer);
    random_init(&trainer->state.random, options->seed);
    begin_epoch(trainer);
    snapshot_keep(trainer);
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
    end_random(trainer);
    state->epoch++;
    state->batch = state->words = state->right = 0;
    state->loss = state->gradient_norm = 0;
    if (trainer->history_count < state->epoch)
        trainer->history_count = state->epoch;
    snapshot_keep(trainer);
    begin_epoch(trainer);
}

/* Puts batch number `batch` of the present order into the pass. */
static void load_batch(Trainer *trainer, size_t batch) {
    size_t first = batch * trainer->batch, end = first + trainer->batch;
    pass_clear(trainer->pass);
    for (size_t i = first; i < end && i < trainer->example_count; i++)
        pass_add(trainer->pass, &trainer->examples[trainer->order[i]]);
}

bool trainer_update(Trainer *trainer, TrainUpdate *update) {
    TrainState *state = &trainer->state;
    if (state->epoch == trainer->options.epochs)
        return false;
    load_batch(trainer, state->batch);
    PassResult result = pass_forward(trainer->pass, trainer->values);
    pass_backward(trainer->pass, trainer->values, trainer->gradients);
    double norm = optimizer_step(&trainer->optimizer, pass_kernels(trainer->pass),
                                 trainer->values, trainer->gradients);
    if (update)
        *update = (TrainUpdate){result.loss, result.words, result.right, norm};
    state->loss += result.loss * (double)result.words;
    state->words += result.words;
    state->right += result.right;
    state->gradient_norm += norm;
    state->updates = trainer->optimizer.updates;
    if (++state->batch == trainer->batches)
        end_epoch(trainer);
    return true;
}

bool trainer_epoch(Trainer *trainer) {
    size_t epoch = trainer->state.epoch;
    while (trainer->state.epoch == epoch) {
        if (!trainer_update(trainer, NULL))
            return false;
    }
    return true;
}

bool trainer_go_to(Trainer *trainer, size_t epoch) {
    const Snapshots *snapshots = &trainer->snapshots;
    const TrainState *state = &trainer->state;
    if (epoch > trainer->options.epochs)
        return false;
    size_t nearest = epoch / snapshots->stride;
    if (nearest >= snapshots->count)
        nearest = snapshots->count - 1;
    bool ahead = state->epoch > epoch || (state->epoch == epoch && state->batch);
    if (ahead || snapshots->states[nearest].epoch > state->epoch)
        snapshot_restore(trainer, nearest);
    while (state->epoch < epoch)
        trainer_epoch(trainer);
    return true;
}

TrainEpoch trainer_evaluate(Trainer *trainer) {
    size_t words = 0, right = 0;
    double loss = 0;
    for (size_t i = 0; i < trainer->batches; i++) {
        load_batch(trainer, i);
        PassResult result = pass_forward(trainer->pass, trainer->values);
        loss += result.loss * (double)result.words;
        words += result.words;
        right += result.right;
    }
    return (TrainEpoch){.loss = loss / (double)words,
                        .accuracy = (double)right / (double)words};
}

/* ---- reading ---- */

TrainPlace trainer_place(const Trainer *trainer) {
    const TrainState *state = &trainer->state;
    return (TrainPlace){state->epoch, state->batch, state->updates, trainer->batches};
}

const TrainEpoch *trainer_history(const Trainer *trainer, size_t *count) {
    *count = trainer->history_count;
    return trainer->history;
}

const TrainOptions *trainer_options(const Trainer *trainer) {
    return &trainer->options;
}

const TransformerShape *trainer_shape(const Trainer *trainer) {
    return pass_shape(trainer->pass);
}

size_t trainer_parameter_count(const Trainer *trainer) {
    return pass_parameter_count(trainer->pass);
}

const TransformerParameter *trainer_parameter(const Trainer *trainer, size_t index) {
    return pass_parameter(trainer->pass, index);
}

static double *array_of(const Trainer *trainer, TrainerArray array) {
    double *const arrays[TRAINER_ARRAY_COUNT] = {
        [TRAINER_VALUES] = trainer->values,
        [TRAINER_GRADIENTS] = trainer->gradients,
        [TRAINER_FIRST_MOMENT] = trainer->optimizer.first,
        [TRAINER_SECOND_MOMENT] = trainer->optimizer.second,
    };
    return arrays[array];
}

void trainer_get(const Trainer *trainer, TrainerArray array, size_t index,
                 double *values) {
    pass_get(trainer->pass, array_of(trainer, array), index, values);
}

static bool fill_trained(void *context, const TransformerParameter *parameter,
                         double *values, Error *error) {
    const Trainer *trainer = context;
    for (size_t i = 0; i < pass_parameter_count(trainer->pass); i++) {
        if (strcmp(pass_parameter(trainer->pass, i)->name, parameter->name) == 0) {
            pass_get(trainer->pass, trainer->values, i, values);
            return true;
        }
    }
    return error_set(error, ERROR_NAME, 0, 0, "the trained model has no '%s'",
                     parameter->name);
}

TransformerWeights trainer_weights(Trainer *trainer) {
    return (TransformerWeights){fill_trained, trainer};
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
                     bool (*fill)(void *context, TrainerArray array,
                                  const TransformerParameter *parameter, double *values,
                                  Error *error),
                     void *context, Error *error) {
    static const TrainerArray arrays[] = {TRAINER_VALUES, TRAINER_FIRST_MOMENT,
                                          TRAINER_SECOND_MOMENT};
    if (!check_state(trainer, state, error))
        return false;
    for (size_t i = 0; i < 3 * pass_parameter_count(trainer->pass); i++) {
        TrainerArray array = arrays[i % 3];
        if (!fill(context, array, pass_parameter(trainer->pass, i / 3), trainer->filling,
                  error)) {
            snapshot_restore(trainer, 0);
            return false;
        }
        pass_put(trainer->pass, array_of(trainer, array), i / 3, trainer->filling);
    }
    trainer->state = *state;
    trainer->optimizer.updates = state->updates;
    trainer->history_count = state->epoch;
    if (state->epoch)
        memcpy(trainer->history, history, state->epoch * sizeof *history);
    trainer->snapshots.count = 1;
    trainer->snapshots.stride = 1;
    begin_epoch(trainer);
    return true;
}
