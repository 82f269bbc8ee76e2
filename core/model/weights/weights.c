#include "model/weights/weights.h"

#include "base/strings/utf8.h"
#include "model/weights/safetensors.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char OUTER[] = "transformer.";

/* Hints name keys of a lesson's `model:`. */
enum { HINT_SIZE = 160 };

/* Matrices have two axes in PyTorch, whatever their size. */
static bool has_two_axes(const TransformerParameter *parameter) {
    return parameter->is_table || parameter->start == TRANSFORMER_START_XAVIER;
}

static bool begins_with(const char *name, const char *beginning) {
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), end = strlen(ending);
    return length >= end && strcmp(name + length - end, ending) == 0;
}

/* A tensor's name without the transformer's own. */
static const char *inner_name(const char *name) {
    return begins_with(name, OUTER) ? name + sizeof OUTER - 1 : name;
}

/* The file's tensor of PyTorch's name, with or without the transformer's before it. */
static const SafetensorsTensor *find(const Safetensors *tensors, const char *name) {
    const SafetensorsTensor *tensor = safetensors_tensor(tensors, name);
    char outer[200];
    if (tensor)
        return tensor;
    snprintf(outer, sizeof outer, "%s%s", OUTER, name);
    return safetensors_tensor(tensors, outer);
}

/* ---- what in the lesson would fit the file ---- */

/* One more than the highest layer of a tower that the file has tensors of. */
static size_t count_layers(const Safetensors *tensors, const char *tower) {
    char beginning[64];
    size_t count = 0;
    snprintf(beginning, sizeof beginning, "%s.layers.", tower);
    for (size_t i = 0; i < tensors->count; i++) {
        const char *name = inner_name(tensors->tensors[i].name);
        if (!begins_with(name, beginning))
            continue;
        unsigned long layer = strtoul(name + strlen(beginning), NULL, 10);
        if (layer < TENSOR_MAX_CELLS && layer + 1 > count)
            count = layer + 1;
    }
    return count;
}

/* Says so when file and model have towers of different heights. */
static bool hint_layers(const Weights *weights, const char *name, char out[HINT_SIZE]) {
    const TransformerTower *tower;
    for (size_t i = 0; (tower = transformer_tower(weights->shape->kind, i)); i++) {
        size_t own = transformer_layers(weights->shape, tower);
        size_t stored = count_layers(&weights->tensors, tower->name);
        if (!begins_with(name, tower->name) || own == stored)
            continue;
        snprintf(out, HINT_SIZE,
                 "the file has %zu %s layer%s and the model %zu; 'layers: %zu' or "
                 "'%s_layers: %zu' would fit",
                 stored, tower->name, stored == 1 ? "" : "s", own, stored, tower->name,
                 stored);
        return true;
    }
    return false;
}

static bool is_final_norm(const char *name) {
    return begins_with(name, "encoder.norm.") || begins_with(name, "decoder.norm.");
}

static void hint_missing(const Weights *weights, const char *name, char out[HINT_SIZE]) {
    if (hint_layers(weights, name, out))
        return;
    const char *hint = "it must be saved with the others";
    if (is_final_norm(name))
        hint = "without a norm behind the last layer write 'final_norm: false'";
    else if (ends_with(name, "bias"))
        hint = "where linear maps have no biases write 'biases: false'";
    else if (strstr(name, "multihead_attn"))
        hint = "a decoder that reads no encoder is 'kind: decoder'";
    else if (!begins_with(name, "encoder.") && !begins_with(name, "decoder."))
        hint = "it must be saved beside the transformer";
    snprintf(out, HINT_SIZE, "%s", hint);
}

static void hint_extra(const Weights *weights, const char *name, char out[HINT_SIZE]) {
    if (hint_layers(weights, name, out))
        return;
    const char *hint = "leave it out when saving";
    if (is_final_norm(name) && !weights->shape->final_norm)
        hint = "it is a norm behind the last layer: write 'final_norm: true'";
    else if (ends_with(name, "bias") && !weights->shape->biases)
        hint = "it is a linear map's bias: write 'biases: true'";
    else if (weights->shape->kind != TRANSFORMER_ENCODER_DECODER &&
             (strstr(name, "multihead_attn") || begins_with(name, "encoder.") ||
              begins_with(name, "decoder.") || ends_with(name, "_embed.weight")))
        hint = "a model of both towers is 'kind: encoder_decoder'";
    snprintf(out, HINT_SIZE, "%s", hint);
}

static const char *hint_shape(const TransformerParameter *parameter,
                              const SafetensorsTensor *tensor, char out[HINT_SIZE]) {
    const char *name = parameter->torch_name;
    bool two = has_two_axes(parameter) && tensor->axis_count == 2;
    size_t rows = tensor->axis_count ? tensor->axes[0] : 0;
    bool words = parameter->is_table || begins_with(name, "generator");
    if (two && tensor->axes[1] != parameter->torch_cols && !strstr(name, "linear2"))
        snprintf(out, HINT_SIZE, "; 'd_model: %zu' would fit", tensor->axes[1]);
    else if (words && rows > 1 && (two || tensor->axis_count == 1))
        snprintf(out, HINT_SIZE,
                 "; a vocabulary of %zu would fit: the file has %zu rows, one of them "
                 "for padding, ID 0",
                 rows - 1, rows);
    else if (strstr(name, "linear1") && rows)
        snprintf(out, HINT_SIZE, "; 'd_ff: %zu' would fit", rows);
    else
        snprintf(out, HINT_SIZE, "; d_model, d_ff and the vocabulary must fit the file");
    return out;
}

/* ---- reading ---- */

/* The norms' biases, which PyTorch leaves out together with those of the linear maps. */
static bool may_be_missing(const Weights *weights,
                           const TransformerParameter *parameter) {
    return !weights->shape->biases && parameter->start == TRANSFORMER_START_ZERO;
}

static void write_axes(char out[100], const size_t *axes, size_t count) {
    size_t used = (size_t)snprintf(out, 100, "[");
    for (size_t i = 0; i < count && used < 100; i++)
        used += (size_t)snprintf(out + used, 100 - used, "%s%zu", i ? "," : "", axes[i]);
    if (used < 99)
        snprintf(out + used, 100 - used, "]");
}

static bool check_tensor(const Weights *weights, const char *file,
                         const TransformerParameter *parameter, Error *error) {
    const SafetensorsTensor *tensor = find(&weights->tensors, parameter->torch_name);
    size_t axes[2] = {parameter->torch_rows, parameter->torch_cols};
    size_t count = has_two_axes(parameter) ? 2 : 1;
    char hint[HINT_SIZE], has[100], wanted[100];
    if (!tensor && may_be_missing(weights, parameter))
        return true;
    if (!tensor) {
        hint_missing(weights, parameter->torch_name, hint);
        return safetensors_fail(error, ERROR_NAME, file, "it has no '%s'; %s",
                                parameter->torch_name, hint);
    }
    if (tensor->axis_count == count &&
        memcmp(tensor->axes, axes, count * sizeof *axes) == 0)
        return true;
    write_axes(has, tensor->axes, tensor->axis_count);
    write_axes(wanted, axes, count);
    return safetensors_fail(error, ERROR_SHAPE, file,
                            "'%s' is %s, but this model's is %s%s", parameter->torch_name,
                            has, wanted, hint_shape(parameter, tensor, hint));
}

/* Whether each tensor of the file is one that some parameter is taken from. */
static bool check_extra(const Weights *weights, const char *file, Arena *arena,
                        const TransformerParameter *parameters, size_t count,
                        Error *error) {
    const Safetensors *tensors = &weights->tensors;
    bool *used = arena_alloc(arena, tensors->count + 1, sizeof *used);
    char name[UTF8_SHORT_SIZE], hint[HINT_SIZE];
    for (size_t i = 0; i < count; i++) {
        const SafetensorsTensor *tensor = find(tensors, parameters[i].torch_name);
        if (tensor)
            used[tensor - tensors->tensors] = true;
    }
    for (size_t i = 0; i < tensors->count; i++) {
        const char *extra = tensors->tensors[i].name;
        if (used[i] || begins_with(extra, WEIGHTS_TRAINING))
            continue;
        hint_extra(weights, inner_name(extra), hint);
        return safetensors_fail(error, ERROR_NAME, file,
                                "it has '%s', which this model has not; %s",
                                utf8_shorten(name, extra, strlen(extra)), hint);
    }
    return true;
}

bool weights_read(Weights *weights, Arena *arena, const char *file, const uint8_t *bytes,
                  size_t length, const TransformerShape *shape, Error *error) {
    size_t count;
    *weights = (Weights){.shape = shape};
    if (!safetensors_read(&weights->tensors, arena, file, bytes, length, error))
        return false;
    const TransformerParameter *parameters = transformer_parameters(arena, shape, &count);
    for (size_t i = 0; i < count; i++) {
        if (!check_tensor(weights, file, &parameters[i], error))
            return false;
    }
    return check_extra(weights, file, arena, parameters, count, error) &&
           safetensors_check_finite(&weights->tensors, file, error);
}

/* ---- filling ---- */

enum { PIECE = 256, TURNED = 8 };

/* Column c of a parameter is row torch_first + c of PyTorch's tensor. A few columns are
 * turned together, so that what is written lies together. */
static void fill_turned(const SafetensorsTensor *tensor,
                        const TransformerParameter *parameter, double *values) {
    double piece[TURNED][PIECE];
    size_t rows = parameter->rows, cols = parameter->cols;
    for (size_t c = 0; c < cols; c += TURNED) {
        size_t across = cols - c < TURNED ? cols - c : TURNED;
        for (size_t r = 0; r < rows; r += PIECE) {
            size_t down = rows - r < PIECE ? rows - r : PIECE;
            for (size_t j = 0; j < across; j++) {
                size_t row = parameter->torch_first + c + j;
                safetensors_values(piece[j], tensor, row * parameter->torch_cols + r,
                                   down);
            }
            for (size_t i = 0; i < down; i++) {
                for (size_t j = 0; j < across; j++)
                    values[(r + i) * cols + c + j] = piece[j][i];
            }
        }
    }
}

static bool fill(void *context, const TransformerParameter *parameter, double *values,
                 Error *error) {
    const Weights *weights = context;
    const SafetensorsTensor *tensor = find(&weights->tensors, parameter->torch_name);
    size_t cells = parameter->rows * parameter->cols;
    (void)error;
    if (!tensor)
        memset(values, 0, cells * sizeof *values);
    else if (parameter->is_table)
        safetensors_values(values, tensor, parameter->torch_first * parameter->cols,
                           cells);
    else
        fill_turned(tensor, parameter, values);
    return true;
}

TransformerWeights weights_fill(const Weights *weights) {
    return (TransformerWeights){fill, (void *)weights};
}

/* ---- as PyTorch's tensors ---- */

/* PyTorch's tensor of a parameter's name among those begun; a new one where there is
 * none. */
static void begin_tensor(Arena *arena, SafetensorsTensor *tensors, size_t *count,
                         const TransformerParameter *parameter, SafetensorsType type) {
    /* The parts of one tensor stand close together. */
    for (size_t i = *count; i > 0 && i + 8 > *count; i--) {
        if (strcmp(tensors[i - 1].name, parameter->torch_name) == 0)
            return;
    }
    size_t cells = parameter->torch_rows * parameter->torch_cols;
    double *values = arena_alloc(arena, cells, sizeof *values);
    bool never = begins_with(parameter->torch_name, "generator") &&
                 ends_with(parameter->torch_name, "bias");
    for (size_t i = 0; never && i < parameter->torch_first; i++)
        values[i] = WEIGHTS_NEVER;
    tensors[(*count)++] =
        (SafetensorsTensor){.name = parameter->torch_name,
                            .type = type,
                            .axis_count = has_two_axes(parameter) ? 2 : 1,
                            .axes = {parameter->torch_rows, parameter->torch_cols},
                            .cells = cells,
                            .values = values};
}

static double *values_of(SafetensorsTensor *tensors, size_t count, const char *name) {
    while (count > 0 && strcmp(tensors[count - 1].name, name) != 0)
        count--;
    assert(count > 0);
    return (double *)tensors[count - 1].values;
}

static void put_values(double *torch, const TransformerParameter *parameter,
                       const double *values) {
    size_t cols = parameter->cols, torch_cols = parameter->torch_cols;
    for (size_t r = 0; r < parameter->rows; r++) {
        for (size_t c = 0; c < cols; c++) {
            size_t row = parameter->torch_first + (parameter->is_table ? r : c);
            torch[row * torch_cols + (parameter->is_table ? c : r)] =
                values[r * cols + c];
        }
    }
}

const SafetensorsTensor *weights_tensors(Arena *arena, const TransformerShape *shape,
                                         const double *const *values,
                                         SafetensorsType type, size_t *count) {
    size_t parameter_count = 0;
    const TransformerParameter *parameters =
        transformer_parameters(arena, shape, &parameter_count);
    SafetensorsTensor *made = arena_alloc(arena, parameter_count, sizeof *made);
    *count = 0;
    for (size_t i = 0; i < parameter_count; i++) {
        begin_tensor(arena, made, count, &parameters[i], type);
        put_values(values_of(made, *count, parameters[i].torch_name), &parameters[i],
                   values[i]);
    }
    return made;
}
