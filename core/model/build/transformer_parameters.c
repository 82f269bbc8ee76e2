#include "model/build/transformer.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "tensor/tape/tape.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the architecture ---- */

static const TransformerTower encoder = {
    .name = "encoder",
    .side = TRANSFORMER_SOURCE,
    .sublayer_count = 2,
    .sublayers = {SUBLAYER_SELF_ATTENTION, SUBLAYER_FEED_FORWARD},
};

static const TransformerTower decoder = {
    .name = "decoder",
    .side = TRANSFORMER_TARGET,
    .causal = true,
    .sublayer_count = 3,
    .sublayers = {SUBLAYER_SELF_ATTENTION, SUBLAYER_CROSS_ATTENTION,
                  SUBLAYER_FEED_FORWARD},
};

static const TransformerTower decoder_alone = {
    .name = "decoder",
    .side = TRANSFORMER_TARGET,
    .causal = true,
    .sublayer_count = 2,
    .sublayers = {SUBLAYER_SELF_ATTENTION, SUBLAYER_FEED_FORWARD},
};

static const struct {
    const char *name;
    const TransformerTower *towers[TRANSFORMER_MAX_TOWERS];
} kinds[TRANSFORMER_KIND_COUNT] = {
    [TRANSFORMER_ENCODER_DECODER] = {"encoder_decoder", {&encoder, &decoder}},
    [TRANSFORMER_ENCODER] = {"encoder", {&encoder, NULL}},
    [TRANSFORMER_DECODER] = {"decoder", {&decoder_alone, NULL}},
};

const char *transformer_kind_name(TransformerKind kind) {
    return kinds[kind].name;
}

const char *transformer_positions_name(TransformerPositions positions) {
    static const char *const names[TRANSFORMER_POSITIONS_COUNT] = {
        [TRANSFORMER_POSITIONS_SINES] = "sines",
        [TRANSFORMER_POSITIONS_LEARNED] = "learned",
        [TRANSFORMER_POSITIONS_ROTARY] = "rotary",
        [TRANSFORMER_POSITIONS_NONE] = "none",
    };
    return names[positions];
}

const TransformerTower *transformer_tower(TransformerKind kind, size_t index) {
    return index < TRANSFORMER_MAX_TOWERS ? kinds[kind].towers[index] : NULL;
}

bool transformer_is_causal(const TransformerShape *shape, const TransformerTower *tower) {
    return shape->mask == TRANSFORMER_MASK_OWN ? tower->causal
                                               : shape->mask == TRANSFORMER_MASK_CAUSAL;
}

size_t transformer_layers(const TransformerShape *shape, const TransformerTower *tower) {
    return tower->side == TRANSFORMER_SOURCE ? shape->encoder_layers
                                             : shape->decoder_layers;
}

size_t transformer_kv_heads(const TransformerShape *shape) {
    return shape->kv_heads ? shape->kv_heads : shape->heads;
}

static size_t vocabulary_size(const TransformerShape *shape,
                              const TransformerTower *tower) {
    return tower->side == TRANSFORMER_SOURCE ? shape->source_vocabulary
                                             : shape->target_vocabulary;
}

static bool has_output(const TransformerShape *shape) {
    return shape->kind != TRANSFORMER_ENCODER;
}

static bool check_tower(const TransformerShape *shape, const TransformerTower *tower,
                        const char **field, Error *error) {
    bool source = tower->side == TRANSFORMER_SOURCE;
    size_t layers = transformer_layers(shape, tower);
    *field = source ? "encoder_layers" : "decoder_layers";
    if (layers < 1 || layers > TRANSFORMER_LAYERS_MAX)
        return error_set(error, ERROR_VALUE, 0, 0, "%s is %zu, but must be from 1 to %d",
                         *field, layers, TRANSFORMER_LAYERS_MAX);
    *field = source ? "source_vocabulary" : "target_vocabulary";
    size_t words = vocabulary_size(shape, tower);
    if (words < 1 || words > TENSOR_MAX_CELLS / shape->d_model)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the %s has %zu IDs, but with d_model %zu there can be from 1 "
                         "to %zu: a table has at most %d cells",
                         tower->name, words, shape->d_model,
                         TENSOR_MAX_CELLS / shape->d_model, TENSOR_MAX_CELLS);
    return true;
}

static bool check_sizes(const TransformerShape *shape, const char **field, Error *error) {
    size_t d = shape->d_model;
    *field = "d_model";
    if (d < 1 || d > TRANSFORMER_WIDTH_MAX)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "d_model is %zu, but must be from 1 to %d", d,
                         TRANSFORMER_WIDTH_MAX);
    *field = "heads";
    if (shape->heads < 1 || d % shape->heads)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "d_model is %zu, which can't be divided into %zu heads; heads "
                         "must divide d_model",
                         d, shape->heads);
    *field = "positions";
    if (shape->positions == TRANSFORMER_POSITIONS_ROTARY && d / shape->heads % 2)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "rotary positions rotate pairs of columns, but a head has %zu; "
                         "d_model divided by heads must be even",
                         d / shape->heads);
    *field = "kv_heads";
    if (shape->heads % transformer_kv_heads(shape))
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "%zu heads can't share the keys and values of %zu; kv_heads must "
            "divide heads",
            shape->heads, shape->kv_heads);
    *field = "d_ff";
    if (shape->d_ff < 1 || shape->d_ff > TENSOR_MAX_CELLS / d)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "d_ff is %zu, but with d_model %zu it must be from 1 to %zu",
                         shape->d_ff, d, TENSOR_MAX_CELLS / d);
    *field = "positions";
    if (shape->positions == TRANSFORMER_POSITIONS_LEARNED && !shape->context)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "learned positions need a table; write 'context:' with "
                         "its number of rows");
    *field = "context";
    if (shape->context > TENSOR_MAX_CELLS / d)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "context is %zu, but with d_model %zu it can be %zu at most",
                         shape->context, d, TENSOR_MAX_CELLS / d);
    *field = "segments";
    if (shape->segments > TENSOR_MAX_CELLS / d)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "segments is %zu, but with d_model %zu it can be %zu at most",
                         shape->segments, d, TENSOR_MAX_CELLS / d);
    *field = "epsilon";
    if (!(shape->epsilon >= 0 && shape->epsilon < INFINITY))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "epsilon is %g, but must be 0 or a small positive number like "
                         "1e-5",
                         shape->epsilon);
    return true;
}

bool transformer_check(const TransformerShape *shape, const char **field, Error *error) {
    const TransformerTower *tower;
    const char *unused;
    field = field ? field : &unused;
    if (!check_sizes(shape, field, error))
        return false;
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++) {
        if (!check_tower(shape, tower, field, error))
            return false;
    }
    *field = "unpadded";
    if (shape->unpadded && shape->first_output)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "no ID is padding, so that none may be left out of the logits");
    *field = "first_output";
    if (has_output(shape) && shape->first_output >= shape->target_vocabulary)
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "the model can generate IDs from %zu on, but the decoder has only "
            "%zu; there must be one at least",
            shape->first_output, shape->target_vocabulary);
    return true;
}

/* ---- parameters ---- */

enum { PATH_SIZE = 96 };

/* The list under construction: first counted, then filled. */
typedef struct List {
    Arena *arena;
    const TransformerShape *shape;
    size_t count;
    TransformerParameter *items; /* NULL while counting */
    char path[PATH_SIZE], torch_path[PATH_SIZE];
} List;

static void set_path(char path[PATH_SIZE], const char *outer, const char *inner) {
    snprintf(path, PATH_SIZE, "%s%s%s", outer, *outer && *inner ? "." : "", inner);
}

static void add(List *list, const char *name, const char *torch_name,
                TransformerParameter parameter) {
    TransformerParameter *item = list->items ? &list->items[list->count] : NULL;
    list->count++;
    if (!item)
        return;
    const char *dot = list->torch_path[0] ? "." : "";
    *item = parameter;
    item->name = arena_format(list->arena, "%s.%s", list->path, name);
    item->torch_name =
        arena_format(list->arena, "%s%s%s", list->torch_path, dot, torch_name);
    item->node = TAPE_NONE;
}

/* The matrix of a linear map: `cols` of the `of` columns of PyTorch's tensor, from
 * `first` on. */
static void add_matrix(List *list, const char *name, const char *torch_name, size_t rows,
                       size_t cols, size_t of, size_t first) {
    add(list, name, torch_name,
        (TransformerParameter){.rows = rows,
                               .cols = cols,
                               .torch_rows = of,
                               .torch_cols = rows,
                               .torch_first = first,
                               .start = TRANSFORMER_START_XAVIER,
                               .scale = sqrt(6 / (double)(rows + of))});
}

static void add_vector(List *list, const char *name, const char *torch_name, size_t cols,
                       size_t of, size_t first, TransformerStart start, double scale) {
    add(list, name, torch_name,
        (TransformerParameter){.rows = 1,
                               .cols = cols,
                               .torch_rows = of,
                               .torch_cols = 1,
                               .torch_first = first,
                               .start = start,
                               .scale = scale});
}

/* PyTorch stacks W_Q, W_K and W_V in one tensor. */
static void add_attention(List *list) {
    static const char *const inputs[][2] = {
        {"W_Q", "b_Q"}, {"W_K", "b_K"}, {"W_V", "b_V"}};
    size_t d = list->shape->d_model, first = 0;
    size_t shared = d / list->shape->heads * transformer_kv_heads(list->shape);
    for (size_t i = 0; i < 3; i++) {
        size_t cols = i ? shared : d, all = d + 2 * shared;
        add_matrix(list, inputs[i][0], "in_proj_weight", d, cols, all, first);
        if (list->shape->biases)
            add_vector(list, inputs[i][1], "in_proj_bias", cols, all, first,
                       TRANSFORMER_START_ZERO, 0);
        first += cols;
    }
    add_matrix(list, "W_O", "out_proj.weight", d, d, d, 0);
    if (list->shape->biases)
        add_vector(list, "b_O", "out_proj.bias", d, d, 0, TRANSFORMER_START_ZERO, 0);
}

static void add_linear(List *list, const char *const names[2], const char *torch,
                       size_t rows, size_t cols, size_t of, size_t first) {
    char name[64];
    snprintf(name, sizeof name, "%s.weight", torch);
    add_matrix(list, names[0], name, rows, cols, of, first);
    snprintf(name, sizeof name, "%s.bias", torch);
    if (list->shape->biases)
        add_vector(list, names[1], name, cols, of, first, TRANSFORMER_START_FAN_IN,
                   1 / sqrt((double)rows));
}

static void add_feed_forward(List *list) {
    size_t d = list->shape->d_model, d_ff = list->shape->d_ff;
    if (list->shape->activation == ACTIVATION_SWIGLU) {
        add_linear(list, (const char *const[]){"W_gate", "b_gate"}, "gate_proj", d, d_ff,
                   d_ff, 0);
        add_linear(list, (const char *const[]){"W_up", "b_up"}, "up_proj", d, d_ff, d_ff,
                   0);
        add_linear(list, (const char *const[]){"W_down", "b_down"}, "down_proj", d_ff, d,
                   d, 0);
        return;
    }
    add_linear(list, (const char *const[]){"W_1", "b_1"}, "linear1", d, d_ff, d_ff, 0);
    add_linear(list, (const char *const[]){"W_2", "b_2"}, "linear2", d_ff, d, d, 0);
}

static void add_norm(List *list) {
    size_t d = list->shape->d_model;
    add_vector(list, "gamma", "weight", d, d, 0, TRANSFORMER_START_ONE, 0);
    if (!list->shape->rms)
        add_vector(list, "beta", "bias", d, d, 0, TRANSFORMER_START_ZERO, 0);
}

static void add_sublayer(List *list, SublayerKind kind, const char *layer,
                         const char *torch_layer) {
    set_path(list->path, layer, sublayer_name(kind));
    set_path(list->torch_path, torch_layer, sublayer_torch_name(kind));
    if (kind == SUBLAYER_FEED_FORWARD)
        add_feed_forward(list);
    else
        add_attention(list);
}

static void add_layer(List *list, const TransformerTower *tower, size_t number) {
    char layer[48], torch_layer[48], norm[32];
    snprintf(layer, sizeof layer, "%s.%zu", tower->name, number);
    snprintf(torch_layer, sizeof torch_layer, "%s.layers.%zu", tower->name, number);
    for (size_t i = 0; i < tower->sublayer_count; i++) {
        add_sublayer(list, tower->sublayers[i], layer, torch_layer);
        snprintf(norm, sizeof norm, "norm_%zu", i + 1);
        set_path(list->path, layer, norm);
        snprintf(norm, sizeof norm, "norm%zu", i + 1);
        set_path(list->torch_path, torch_layer, norm);
        add_norm(list);
    }
}

/* A lookup table of `rows` rows, "encoder.embedding.table". */
static void add_table(List *list, const TransformerTower *tower, const char *of,
                      const char *torch_name, size_t rows) {
    size_t d = list->shape->d_model;
    double scale = list->shape->scale_embedding ? 1 / sqrt((double)d) : 1;
    set_path(list->path, tower->name, of);
    set_path(list->torch_path, "", "");
    add(list, "table", torch_name,
        (TransformerParameter){.rows = rows,
                               .cols = d,
                               .torch_rows = rows,
                               .torch_cols = d,
                               .is_table = true,
                               .start = TRANSFORMER_START_EMBEDDING,
                               .scale = scale});
}

static void add_tables(List *list, const TransformerTower *tower) {
    const TransformerShape *shape = list->shape;
    bool source = tower->side == TRANSFORMER_SOURCE;
    add_table(list, tower, "embedding", source ? "src_embed.weight" : "tgt_embed.weight",
              vocabulary_size(shape, tower));
    if (shape->positions == TRANSFORMER_POSITIONS_LEARNED)
        add_table(list, tower, "position",
                  source ? "src_position.weight" : "tgt_position.weight", shape->context);
    if (shape->segments)
        add_table(list, tower, "segment",
                  source ? "src_segment.weight" : "tgt_segment.weight", shape->segments);
    if (shape->embedding_norm) {
        set_path(list->path, tower->name, "embedding_norm");
        set_path(list->torch_path, tower->name, "embedding_norm");
        add_norm(list);
    }
}

static void add_tower(List *list, const TransformerTower *tower) {
    add_tables(list, tower);
    for (size_t i = 0; i < transformer_layers(list->shape, tower); i++)
        add_layer(list, tower, i);
    if (list->shape->final_norm) {
        set_path(list->path, tower->name, "norm");
        set_path(list->torch_path, tower->name, "norm");
        add_norm(list);
    }
}

static void add_all(List *list) {
    const TransformerShape *shape = list->shape;
    const TransformerTower *tower;
    list->count = 0;
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++)
        add_tower(list, tower);
    if (!has_output(shape) || shape->tied)
        return;
    set_path(list->path, "logits", "");
    set_path(list->torch_path, "", "");
    add_linear(list, (const char *const[]){"W", "b"}, "generator", shape->d_model,
               shape->target_vocabulary - shape->first_output, shape->target_vocabulary,
               shape->first_output);
}

TransformerParameter *transformer_parameters(Arena *arena, const TransformerShape *shape,
                                             size_t *count) {
    List list = {.arena = arena, .shape = shape};
    add_all(&list);
    list.items = arena_alloc(arena, list.count, sizeof *list.items);
    add_all(&list);
    *count = list.count;
    return list.items;
}

/* ---- random weights ---- */

static bool fill_randomly(void *context, const TransformerParameter *parameter,
                          double *values, Error *error) {
    (void)error;
    Random *random = context;
    size_t cells = parameter->rows * parameter->cols;
    for (size_t i = 0; i < cells; i++) {
        switch (parameter->start) {
        case TRANSFORMER_START_XAVIER:
        case TRANSFORMER_START_FAN_IN:
            values[i] = parameter->scale * (2 * random_uniform(random) - 1);
            break;
        case TRANSFORMER_START_EMBEDDING:
            values[i] = parameter->scale * random_normal(random);
            break;
        case TRANSFORMER_START_ZERO:
            values[i] = 0;
            break;
        case TRANSFORMER_START_ONE:
            values[i] = 1;
            break;
        }
    }
    return true;
}

TransformerWeights transformer_random_weights(Random *random) {
    return (TransformerWeights){fill_randomly, random};
}
