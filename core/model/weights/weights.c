#include "model/weights/weights.h"

#include "base/maths.h"
#include "base/strings/utf8.h"
#include "tensor/operations/operation.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hints name keys of a lesson's `model:`. */
enum { HINT_SIZE = 160 };

/* For messages. */
#define LAYOUT_TITLES "nn.Transformer, GPT-2, nanoGPT, BERT, LLaMA"

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

/* Finds the file's tensor that holds a parameter, and its position there; NULL if it has
 * none. */
static const SafetensorsTensor *
find(const Weights *weights, const TransformerParameter *parameter, LayoutEntry *place) {
    return layout_find(weights->layout, parameter, place)
               ? layout_tensor(weights->layout, &weights->tensors, place->name)
               : NULL;
}

/* ---- hints: lesson keys that would fit the file ---- */

/* Writes a hint if file and model have different numbers of layers. */
static bool hint_layers(const Weights *weights, const char *name, char out[HINT_SIZE]) {
    const TransformerTower *tower;
    for (size_t i = 0; (tower = transformer_tower(weights->shape->kind, i)); i++) {
        size_t own = transformer_layers(weights->shape, tower);
        size_t stored = layout_layers(weights->layout, &weights->tensors, tower->name);
        const char *layers = weights->layout->layers;
        if (!begins_with(name, layers ? layers : tower->name) || own == stored)
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

/* A hint for a layout other than nn.Transformer's, by the lessons' names of weights. */
static const char *hint_of(const Layout *layout, const char *name, bool extra) {
    static const struct {
        const char *part, *missing, *extra;
    } rows[] = {
        {"position.table", "without learned positions write 'positions: sines'",
         "it is a table of learned positions: write 'positions: learned' and 'context:'"},
        {"segment.table", "without it write 'segments: 0'",
         "it is BERT's segment embedding: write 'segments:' with its number of rows"},
        {"embedding_norm.", "without it write 'embedding_norm: false'",
         "it is a norm before the first layer: write 'embedding_norm: true'"},
        {"norm.beta", "without a norm after the last layer write 'final_norm: false'",
         "it is a norm after the last layer: write 'final_norm: true'"},
        {".beta", "norms without it are RMS norms: write 'norm: rms'",
         "norms that have it are layer norms: write 'norm: pre'"},
        {"W_gate", "the feed-forward network of this file isn't 'activation: swiglu'",
         "it is a gate: write 'activation: swiglu'"},
        {"W_up", "the feed-forward network of this file isn't 'activation: swiglu'",
         "it is a gate: write 'activation: swiglu'"},
        {"W_1", "the feed-forward network of this file may be 'activation: swiglu'",
         "it is of a network without a gate: write another 'activation:'"},
        {"logits.W", "if the logits use the embedding table, write 'tie: true'",
         "the logits have a matrix of their own: write 'tie: false'"},
        {"norm.gamma", "without a norm after the last layer write 'final_norm: false'",
         "it is a norm after the last layer: write 'final_norm: true'"},
        {".b_", "without biases in linear layers write 'biases: false'",
         "it is the bias of a linear layer: write 'biases: true'"},
    };
    const char *own = layout_lesson_name(layout, name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strstr(own ? own : name, rows[i].part))
            return extra ? rows[i].extra : rows[i].missing;
    }
    return extra ? "a model that has it computes something else"
                 : "it must be saved with the others";
}

static void hint_missing(const Weights *weights, const char *name, char out[HINT_SIZE]) {
    const char *hint = "it must be saved with the others";
    if (hint_layers(weights, name, out))
        return;
    if (weights->layout->title)
        hint = hint_of(weights->layout, name, false);
    else if (is_final_norm(name))
        hint = "without a norm after the last layer write 'final_norm: false'";
    else if (ends_with(name, "bias"))
        hint = "without biases in linear layers write 'biases: false'";
    else if (strstr(name, "multihead_attn"))
        hint = "a decoder without an encoder is 'kind: decoder'";
    else if (!begins_with(name, "encoder.") && !begins_with(name, "decoder."))
        hint = "it must be saved together with the transformer";
    snprintf(out, HINT_SIZE, "%s", hint);
}

static void hint_extra(const Weights *weights, const char *name, char out[HINT_SIZE]) {
    const char *hint = "a model that has it computes something else";
    if (hint_layers(weights, name, out))
        return;
    if (weights->layout->title)
        hint = hint_of(weights->layout, name, true);
    else if (is_final_norm(name) && !weights->shape->final_norm)
        hint = "it is a norm after the last layer: write 'final_norm: true'";
    else if (ends_with(name, "bias") && !weights->shape->biases)
        hint = "it is the bias of a linear layer: write 'biases: true'";
    else if (weights->shape->kind != TRANSFORMER_ENCODER_DECODER &&
             (strstr(name, "multihead_attn") || begins_with(name, "encoder.") ||
              begins_with(name, "decoder.") || ends_with(name, "_embed.weight")))
        hint = "a model with encoder and decoder is 'kind: encoder_decoder'";
    snprintf(out, HINT_SIZE, "%s", hint);
}

static void hint_rows(const Weights *weights, const TransformerParameter *parameter,
                      size_t rows, char out[HINT_SIZE]) {
    bool padded = weights->shape->first_output > 0;
    if (strstr(parameter->name, ".position."))
        snprintf(out, HINT_SIZE, "; 'context: %zu' would fit", rows);
    else if (strstr(parameter->name, ".segment."))
        snprintf(out, HINT_SIZE, "; 'segments: %zu' would fit", rows);
    else
        snprintf(out, HINT_SIZE,
                 "; a vocabulary of %zu would fit: the file has %zu rows%s",
                 rows - padded, rows, padded ? ", one of them for padding, ID 0" : "");
}

static const char *hint_shape(const Weights *weights,
                              const TransformerParameter *parameter,
                              const LayoutEntry *place, const SafetensorsTensor *tensor,
                              char out[HINT_SIZE]) {
    const char *name = parameter->name;
    bool two = has_two_axes(parameter) && tensor->axis_count == 2;
    size_t inputs = tensor->axes[!place->straight], rows = tensor->axes[place->straight];
    size_t wanted = place->axes[!place->straight];
    /* d_k, columns of one head */
    size_t wide = weights->shape->d_model / weights->shape->heads;
    bool words = parameter->is_table || begins_with(name, "logits");
    snprintf(out, HINT_SIZE, "; d_model, d_ff and the vocabulary must fit the file");
    if (!tensor->axis_count)
        return out;
    if (two && inputs != wanted && !ends_with(name, ".W_2") && !ends_with(name, "W_down"))
        snprintf(out, HINT_SIZE, "; 'd_model: %zu' would fit", inputs);
    else if (words && rows > 1 && (two || tensor->axis_count == 1))
        hint_rows(weights, parameter, rows, out);
    else if ((ends_with(name, "_K") || ends_with(name, "_V")) && rows % wide == 0)
        snprintf(out, HINT_SIZE, "; 'kv_heads: %zu' would fit", rows / wide);
    else if ((strstr(name, "_1") || strstr(name, "_gate") || strstr(name, "_up")) && rows)
        snprintf(out, HINT_SIZE, "; 'd_ff: %zu' would fit", rows);
    return out;
}

/* ---- reading ---- */

/* Reports whether a file has a bias of that kind, "…q_proj.bias", in any layer. */
static bool has_kind(const Weights *weights, const char *own) {
    const Safetensors *tensors = &weights->tensors;
    for (size_t i = 0; i < tensors->count; i++) {
        const char *inner = layout_inner(weights->layout, tensors->tensors[i].name);
        const char *found = layout_lesson_name(weights->layout, inner);
        if (found && strstr(found, own))
            return true;
    }
    return false;
}

/* Reports whether a parameter is optional: biases that PyTorch leaves out together (norms
 * and linear maps); a bias of the logits, which some layouts lack; and in LLaMA's layout
 * biases of linear maps that no layer has while other biases exist (Qwen2). */
static bool may_be_missing(const Weights *weights, const TransformerParameter *parameter,
                           const LayoutEntry *place) {
    const Layout *layout = weights->layout;
    const char *own = strstr(parameter->name, ".b_");
    if (!*place->name && strcmp(parameter->name, "logits.b") == 0)
        return true;
    if (!layout->title || layout->turned)
        return !weights->shape->biases && parameter->start == TRANSFORMER_START_ZERO;
    return layout->kind == TRANSFORMER_DECODER && weights->shape->rms && own &&
           !has_kind(weights, own) && has_kind(weights, ".b_");
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
    LayoutEntry place = {.name = ""};
    const SafetensorsTensor *tensor = find(weights, parameter, &place);
    char hint[HINT_SIZE], has[100], wanted[100];
    if (!tensor && may_be_missing(weights, parameter, &place))
        return true;
    if (!tensor) {
        const char *name = *place.name ? place.name : parameter->name;
        hint_missing(weights, name, hint);
        return safetensors_fail(error, ERROR_NAME, file, "it has no '%s'; %s", name,
                                hint);
    }
    if (!safetensors_type_is_real(tensor->type))
        return safetensors_fail(error, ERROR_VALUE, file,
                                "'%s' has the type '%s'; weights are F64, F32, F16 or "
                                "BF16",
                                place.name, safetensors_type_name(tensor->type));
    if (tensor->axis_count == place.axis_count &&
        memcmp(tensor->axes, place.axes, place.axis_count * sizeof *place.axes) == 0)
        return true;
    write_axes(has, tensor->axes, tensor->axis_count);
    write_axes(wanted, place.axes, place.axis_count);
    return safetensors_fail(error, ERROR_SHAPE, file,
                            "'%s' is %s, but this model's is %s%s", place.name, has,
                            wanted, hint_shape(weights, parameter, &place, tensor, hint));
}

/* Reports whether a tensor is a second copy of the embedding table, as the logits'
 * matrix. */
static bool is_table_again(const Weights *weights, const SafetensorsTensor *tensor,
                           const SafetensorsTensor *table) {
    size_t size = safetensors_type_size(tensor->type);
    return weights->shape->tied && table && tensor->type == table->type &&
           tensor->cells == table->cells &&
           memcmp(tensor->bytes, table->bytes, tensor->cells * size) == 0;
}

/* Reports whether a tensor can be ignored because no step of the model needs it: its name
 * is one that the layout ignores, or it is a second copy of the embedding table. */
static bool is_harmless(const Weights *weights, const SafetensorsTensor *tensor,
                        const SafetensorsTensor *table) {
    const Layout *layout = weights->layout;
    const char *own = layout_lesson_name(layout, layout_inner(layout, tensor->name));
    return layout_ignores(layout, tensor->name) ||
           (own && strcmp(own, "logits.W") == 0 &&
            is_table_again(weights, tensor, table));
}

/* Reports whether a tensor can't be a weight, because it consists of whole numbers and
 * the layout doesn't have its name. */
static bool is_unknown(const Weights *weights, const SafetensorsTensor *tensor) {
    const Layout *layout = weights->layout;
    return !layout_lesson_name(layout, layout_inner(layout, tensor->name)) &&
           !safetensors_type_is_real(tensor->type);
}

/* Counts a tensor that needn't be read, and keeps the name of the first one; false if the
 * tensor must be read. The state of a training is not counted. */
static bool pass_over(Weights *weights, const SafetensorsTensor *tensor,
                      const SafetensorsTensor *table) {
    if (begins_with(tensor->name, WEIGHTS_TRAINING))
        return true;
    bool harmless = is_harmless(weights, tensor, table);
    if (!harmless && !is_unknown(weights, tensor))
        return false;
    size_t *count = harmless ? &weights->ignored : &weights->unknown;
    const char **first = harmless ? &weights->first_ignored : &weights->first_unknown;
    *first = (*count)++ ? *first : tensor->name;
    return true;
}

/* Checks that all tensors have names of the layout; one that hasn't could change
 * numbers. */
static bool check_names(const Weights *weights, const char *file, Error *error) {
    const Layout *layout = weights->layout;
    char name[UTF8_SHORT_SIZE];
    for (size_t i = 0; layout->title && i < weights->tensors.count; i++) {
        const SafetensorsTensor *tensor = &weights->tensors.tensors[i];
        if (layout_lesson_name(layout, layout_inner(layout, tensor->name)) ||
            begins_with(tensor->name, WEIGHTS_TRAINING) ||
            is_harmless(weights, tensor, NULL) || is_unknown(weights, tensor))
            continue;
        return safetensors_fail(
            error, ERROR_NAME, file,
            "its names begin as %s's, but it has '%s', which none of the layouts that "
            "are read has (" LAYOUT_TITLES "); a model that has it computes something "
            "else",
            layout->title, utf8_shorten(name, tensor->name, strlen(tensor->name)));
    }
    return true;
}

/* Checks that each tensor of the file is a parameter or needn't be read; counts the
 * latter. */
static bool check_extra(Weights *weights, const char *file, Arena *arena,
                        const TransformerParameter *parameters, size_t count,
                        Error *error) {
    const Safetensors *tensors = &weights->tensors;
    const Layout *layout = weights->layout;
    bool *used = arena_alloc(arena, tensors->count + 1, sizeof *used);
    char name[UTF8_SHORT_SIZE], hint[HINT_SIZE];
    LayoutEntry place;
    const SafetensorsTensor *table = find(weights, &parameters[0], &place);
    for (size_t i = 0; i < count; i++) {
        const SafetensorsTensor *tensor = find(weights, &parameters[i], &place);
        if (tensor)
            used[tensor - tensors->tensors] = true;
    }
    for (size_t i = 0; i < tensors->count; i++) {
        const SafetensorsTensor *extra = &tensors->tensors[i];
        if (used[i] || pass_over(weights, extra, table))
            continue;
        hint_extra(weights, layout_inner(layout, extra->name), hint);
        return safetensors_fail(
            error, ERROR_NAME, file, "it has '%s', which this model doesn't have; %s",
            utf8_shorten(name, extra->name, strlen(extra->name)), hint);
    }
    return true;
}

/* Checks properties that a layout's names don't show. */
static bool check_layout(const Weights *weights, const char *file, Error *error) {
    const Layout *layout = weights->layout;
    const TransformerShape *shape = weights->shape;
    if (!layout->title)
        return true;
    if (shape->kind != layout->kind)
        return safetensors_fail(error, ERROR_VALUE, file,
                                "its names are those of %s, which is 'kind: %s'",
                                layout->title, transformer_kind_name(layout->kind));
    bool rms = strcmp(layout->norm, "rms") == 0;
    if (shape->pre_norm == layout->pre_norm && shape->rms && !rms)
        return safetensors_fail(error, ERROR_VALUE, file,
                                "its names are those of %s, whose norms are layer norms: "
                                "'norm: %s'",
                                layout->title, layout->norm);
    return shape->pre_norm == layout->pre_norm ||
           safetensors_fail(
               error, ERROR_VALUE, file,
               "its names are those of %s, whose norms are %s: 'norm: %s'", layout->title,
               layout->pre_norm ? "before the sublayers" : "after the residual sums",
               layout->norm);
}

static int compare_names(const void *left, const void *right) {
    const SafetensorsTensor *a = left, *b = right;
    return strcmp(a->name, b->name);
}

/* Removes the prefix that torch.compile puts before all names. */
static void drop_compiled(Weights *weights, Arena *arena) {
    static const char outer[] = "_orig_mod.";
    Safetensors *tensors = &weights->tensors;
    SafetensorsTensor *inner = arena_alloc(arena, tensors->count + 1, sizeof *inner);
    for (size_t i = 0; i < tensors->count; i++) {
        inner[i] = tensors->tensors[i];
        if (begins_with(inner[i].name, outer))
            inner[i].name += sizeof outer - 1;
        else if (safetensors_type_is_real(inner[i].type))
            return;
    }
    if (tensors->count)
        qsort(inner, tensors->count, sizeof *inner, compare_names);
    tensors->tensors = inner;
}

static bool refuse_layout(const Safetensors *tensors, const char *file, Error *error) {
    char name[UTF8_SHORT_SIZE];
    static const char titles[] = LAYOUT_TITLES;
    if (!tensors->count)
        return safetensors_fail(error, ERROR_NAME, file, "it has no tensors");
    const char *first = tensors->tensors[0].name;
    for (size_t i = 0; i < tensors->count; i++) {
        const char *one = tensors->tensors[i].name;
        if (strstr(one, "embed") || strstr(one, "shared"))
            first = one;
    }
    return safetensors_fail(error, ERROR_NAME, file,
                            "its names are of none of the layouts that are read (%s); it "
                            "has e.g. '%s'",
                            titles, utf8_shorten(name, first, strlen(first)));
}

/* Checks the rotary frequencies, base^(-2i/d), that older files store with the weights.
 * The program computes its own, so those of the file must be equal up to rounding, and as
 * many. */
static bool check_rotary(const Weights *weights, const char *file, Error *error) {
    const TransformerShape *shape = weights->shape;
    size_t columns = shape->d_model / shape->heads;
    double base = shape->rotary_base > 0 ? shape->rotary_base : ROTARY_BASE;
    for (size_t i = 0; i < weights->tensors.count; i++) {
        const SafetensorsTensor *tensor = &weights->tensors.tensors[i];
        if (!ends_with(tensor->name, "rotary_emb.inv_freq") ||
            !safetensors_type_is_real(tensor->type))
            continue;
        if (tensor->cells != columns / 2)
            return safetensors_fail(
                error, ERROR_SHAPE, file,
                "'%s' holds %zu number%s, but must hold %zu, half of a head's %zu "
                "columns; correct 'heads:', or use a model whose heads are rotated whole",
                tensor->name, tensor->cells, tensor->cells == 1 ? "" : "s", columns / 2,
                columns);
        for (size_t pair = 0; pair < tensor->cells; pair++) {
            double stored;
            double own = pow(base, -(double)pair / (double)tensor->cells);
            safetensors_values(&stored, tensor, pair, 1);
            if (fabs(stored - own) <= 0.01 * own)
                continue;
            char hint[HINT_SIZE] = "no rotary base gives this frequency";
            double fitting = pow(stored, -(double)tensor->cells / (double)pair);
            if (pair && stored > 0 && isfinite(fitting))
                snprintf(hint, sizeof hint,
                         "'rotary_base: %.6g' would fit, unless the frequency is scaled",
                         fitting);
            return safetensors_fail(
                error, ERROR_VALUE, file,
                "'%s' has the frequency %g at [%zu], but the rotary base %g gives %g; %s",
                tensor->name, stored, pair, base, own, hint);
        }
    }
    return true;
}

bool weights_read(Weights *weights, Arena *arena, const char *file, const uint8_t *bytes,
                  size_t length, const TransformerShape *shape, Error *error) {
    size_t count;
    *weights = (Weights){.shape = shape};
    if (!safetensors_read(&weights->tensors, arena, file, bytes, length, error))
        return false;
    drop_compiled(weights, arena);
    weights->layout = layout_of(&weights->tensors);
    if (!weights->layout)
        return refuse_layout(&weights->tensors, file, error);
    const TransformerParameter *parameters = transformer_parameters(arena, shape, &count);
    if (!check_names(weights, file, error) || !check_layout(weights, file, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!check_tensor(weights, file, &parameters[i], error))
            return false;
    }
    return check_extra(weights, file, arena, parameters, count, error) &&
           safetensors_check_finite(&weights->tensors, file, error) &&
           check_rotary(weights, file, error);
}

/* ---- filling ---- */

enum { PIECE = 256, TURNED = 8 };

/* Column c of a parameter is row first + c of the file's tensor. Transposes a few columns
 * at a time, so that writes stay close together. */
static void fill_transposed(const SafetensorsTensor *tensor, const LayoutEntry *place,
                            const TransformerParameter *parameter, double *values) {
    double piece[TURNED][PIECE];
    size_t rows = parameter->rows, cols = parameter->cols;
    for (size_t c = 0; c < cols; c += TURNED) {
        size_t across = cols - c < TURNED ? cols - c : TURNED;
        for (size_t r = 0; r < rows; r += PIECE) {
            size_t down = rows - r < PIECE ? rows - r : PIECE;
            for (size_t j = 0; j < across; j++) {
                size_t row = place->first + c + j;
                safetensors_values(piece[j], tensor, row * rows + r, down);
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
    LayoutEntry place;
    const SafetensorsTensor *tensor = find(weights, parameter, &place);
    size_t rows = parameter->rows, cols = parameter->cols;
    (void)error;
    if (!tensor)
        memset(values, 0, rows * cols * sizeof *values);
    else if (place.is_table)
        safetensors_values(values, tensor, place.first * cols, rows * cols);
    else if (!place.straight)
        fill_transposed(tensor, &place, parameter, values);
    for (size_t r = 0; tensor && place.straight && r < rows; r++)
        safetensors_values(values + r * cols, tensor, r * place.axes[1] + place.first,
                           cols);
    return true;
}

TransformerWeights weights_fill(const Weights *weights) {
    return (TransformerWeights){fill, (void *)weights};
}

/* ---- conversion to PyTorch's tensors ---- */

/* Finds PyTorch's tensor of a parameter's name among those begun, or begins a new one. */
static void begin_tensor(Arena *arena, SafetensorsTensor *tensors, size_t *count,
                         const TransformerParameter *parameter, SafetensorsType type) {
    /* Parts of one tensor are close together in the list. */
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
