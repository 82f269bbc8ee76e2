#include "model/learn/train.h"

#include "model/weights/weights.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOMENT_1 WEIGHTS_TRAINING "exp_avg."
#define MOMENT_2 WEIGHTS_TRAINING "exp_avg_sq."
#define HISTORY WEIGHTS_TRAINING "history"

enum { HISTORY_COLS = 3, NOTES = 2 };

static const char identity_key[] = "glassformer.training";
static const char state_key[] = "glassformer.state";

/* ---- the state as a line: whole numbers, and doubles to the last bit ---- */

static const char *format_state(Arena *arena, const TrainState *state) {
    const uint64_t *bits = state->random.state;
    return arena_format(
        arena,
        "epoch %zu batch %zu updates %zu words %zu right %zu loss %a norm %a random "
        "%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64,
        state->epoch, state->batch, state->updates, state->words, state->right,
        state->loss, state->gradient_norm, bits[0], bits[1], bits[2], bits[3]);
}

static bool parse_state(const char *text, TrainState *state) {
    uint64_t *bits = state->random.state;
    int end = -1;
    *state = (TrainState){0};
    int count =
        sscanf(text,
               "epoch %zu batch %zu updates %zu words %zu right %zu loss %la norm "
               "%la random %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 "%n",
               &state->epoch, &state->batch, &state->updates, &state->words,
               &state->right, &state->loss, &state->gradient_norm, &bits[0], &bits[1],
               &bits[2], &bits[3], &end);
    return count == 11 && end >= 0 && !text[end];
}

static const char *format_identity(Arena *arena, const Trainer *trainer) {
    return arena_format(arena, "%016" PRIx64, trainer_identity(trainer));
}

/* ---- writing ---- */

/* The file under construction. */
typedef struct Writer {
    const Trainer *trainer;
    Arena *arena;
    SafetensorsTensor *tensors;
    size_t count;
} Writer;

static void add_tensor(Writer *this, const char *name, size_t rows, size_t cols,
                       const double *values) {
    this->tensors[this->count++] = (SafetensorsTensor){.name = name,
                                                       .type = SAFETENSORS_F64,
                                                       .axis_count = 2,
                                                       .axes = {rows, cols},
                                                       .cells = rows * cols,
                                                       .values = values};
}

static void add_moments(Writer *this, TrainerArray array, const char *prefix) {
    const Transformer *model = trainer_model(this->trainer);
    for (size_t i = 0; i < model->parameter_count; i++) {
        const TransformerParameter *parameter = &model->parameters[i];
        add_tensor(this, arena_format(this->arena, "%s%s", prefix, parameter->name),
                   parameter->rows, parameter->cols,
                   trainer_array(this->trainer, array, i));
    }
}

static void add_history(Writer *this) {
    size_t epochs;
    const TrainEpoch *history = trainer_history(this->trainer, &epochs);
    double *values = arena_alloc(this->arena, epochs * HISTORY_COLS, sizeof *values);
    for (size_t i = 0; i < epochs; i++) {
        values[i * HISTORY_COLS] = history[i].loss;
        values[i * HISTORY_COLS + 1] = history[i].accuracy;
        values[i * HISTORY_COLS + 2] = history[i].gradient_norm;
    }
    add_tensor(this, HISTORY, epochs, HISTORY_COLS, values);
}

static void add_parameters(Writer *this, SafetensorsType type) {
    const Transformer *model = trainer_model(this->trainer);
    size_t count = model->parameter_count, stored;
    const double **values = arena_alloc(this->arena, count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = trainer_array(this->trainer, TRAINER_VALUES, i);
    const SafetensorsTensor *tensors =
        weights_tensors(this->arena, &model->shape, values, type, &stored);
    this->tensors =
        arena_alloc(this->arena, stored + 2 * count + 1, sizeof *this->tensors);
    memcpy(this->tensors, tensors, stored * sizeof *tensors);
    this->count = stored;
}

bool checkpoint_write(const Trainer *trainer, Arena *arena, uint8_t **bytes,
                      size_t *length, Error *error) {
    Writer this = {.trainer = trainer, .arena = arena};
    TrainState state = trainer_state(trainer);
    const SafetensorsNote notes[NOTES] = {
        {identity_key, format_identity(arena, trainer)},
        {state_key, format_state(arena, &state)},
    };
    add_parameters(&this, SAFETENSORS_F64);
    add_moments(&this, TRAINER_FIRST_MOMENT, MOMENT_1);
    add_moments(&this, TRAINER_SECOND_MOMENT, MOMENT_2);
    if (state.epoch)
        add_history(&this);
    const Safetensors file = {this.count, this.tensors, NOTES, notes};
    return safetensors_write(arena, &file, bytes, length, error);
}

bool checkpoint_write_weights(const Trainer *trainer, Arena *arena, uint8_t **bytes,
                              size_t *length, Error *error) {
    Writer this = {.trainer = trainer, .arena = arena};
    add_parameters(&this, SAFETENSORS_F32);
    const Safetensors file = {.count = this.count, .tensors = this.tensors};
    return safetensors_write(arena, &file, bytes, length, error);
}

/* ---- reading ---- */

/* The file being read. */
typedef struct Reader {
    const char *file;
    Arena *arena;
    const Weights *weights;
} Reader;

/* Finds a tensor's numbers; NULL with an error if it is missing or has another size. */
static const SafetensorsTensor *find_tensor(const Reader *this, const char *name,
                                            size_t rows, size_t cols, Error *error) {
    const SafetensorsTensor *tensor = safetensors_tensor(&this->weights->tensors, name);
    if (tensor && tensor->type == SAFETENSORS_F64 && tensor->axis_count == 2 &&
        tensor->axes[0] == rows && tensor->axes[1] == cols)
        return tensor;
    error_set(error, ERROR_VALUE, 0, 0,
              "'%s' is damaged: a training can only go on from a file with '%s' in it, "
              "F64 numbers [%zu,%zu]; begin anew with another --out",
              this->file, name, rows, cols);
    return NULL;
}

static bool read_array(const Reader *this, TrainerArray array,
                       const TransformerParameter *parameter, double *values,
                       Error *error) {
    TransformerWeights weights = weights_fill(this->weights);
    if (array == TRAINER_VALUES)
        return weights.fill(weights.context, parameter, values, error);
    const char *name = arena_format(this->arena, "%s%s",
                                    array == TRAINER_FIRST_MOMENT ? MOMENT_1 : MOMENT_2,
                                    parameter->name);
    const SafetensorsTensor *tensor =
        find_tensor(this, name, parameter->rows, parameter->cols, error);
    if (tensor)
        safetensors_values(values, tensor, 0, tensor->cells);
    return tensor != NULL;
}

/* Reads every parameter's numbers and moments. */
static bool read_arrays(const Reader *this, const Transformer *model,
                        const double *const *arrays[TRAINER_GRADIENTS], Error *error) {
    for (TrainerArray array = 0; array < TRAINER_GRADIENTS; array++) {
        double **read = arena_alloc(this->arena, model->parameter_count, sizeof *read);
        for (size_t i = 0; i < model->parameter_count; i++) {
            const TransformerParameter *parameter = &model->parameters[i];
            read[i] = arena_alloc(this->arena, parameter->rows,
                                  parameter->cols * sizeof **read);
            if (!read_array(this, array, parameter, read[i], error))
                return false;
        }
        arrays[array] = (const double *const *)read;
    }
    return true;
}

static bool read_history(const Reader *this, size_t epochs, TrainEpoch **history,
                         Error *error) {
    const SafetensorsTensor *tensor =
        find_tensor(this, HISTORY, epochs, HISTORY_COLS, error);
    if (!tensor)
        return false;
    *history = arena_alloc(this->arena, epochs, sizeof **history);
    for (size_t i = 0; i < epochs; i++) {
        double row[HISTORY_COLS];
        safetensors_values(row, tensor, i * HISTORY_COLS, HISTORY_COLS);
        (*history)[i] = (TrainEpoch){row[0], row[1], row[2]};
    }
    return true;
}

static bool check_notes(const Safetensors *tensors, const Trainer *trainer, Arena *arena,
                        const char *file, TrainState *state, Error *error) {
    const char *identity = safetensors_note(tensors, identity_key);
    const char *text = safetensors_note(tensors, state_key);
    const char *own = format_identity(arena, trainer);
    if (!identity || !text)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "'%s' has weights, but no training that could go on; write to "
                         "another file",
                         file);
    if (strcmp(identity, own) != 0)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "'%s' is from another training: of another lesson, or of this "
                         "one with other texts, sizes or options; write to another file",
                         file);
    return parse_state(text, state) ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "'%s' is damaged: '%.60s' isn't the progress of a training; "
                     "begin anew with another --out",
                     file, text);
}

bool checkpoint_read(Trainer *trainer, Arena *arena, const char *file,
                     const uint8_t *bytes, size_t length, Error *error) {
    Safetensors tensors;
    TrainState state;
    Weights weights;
    TrainEpoch *history = NULL;
    const Transformer *model = trainer_model(trainer);
    const double *const *arrays[TRAINER_GRADIENTS];
    Reader this = {.file = file, .arena = arena, .weights = &weights};
    return safetensors_read(&tensors, arena, file, bytes, length, error) &&
           check_notes(&tensors, trainer, arena, file, &state, error) &&
           weights_read(&weights, arena, file, bytes, length, &model->shape, error) &&
           (!state.epoch || read_history(&this, state.epoch, &history, error)) &&
           read_arrays(&this, model, arrays, error) &&
           trainer_restore(trainer, &state, history, arrays, error);
}
