/* Reads tests/reference/transformer.txt and files like it, one model at a time, and draws
 * the weights that its generator, transformer.py, has drawn for PyTorch. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "model/build/transformer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL_MAX_OUTPUTS = 400 };

typedef struct ModelOutput {
    char name[80];
    Tensor tensor;
} ModelOutput;

typedef struct ModelReference {
    Arena *arena;
    char name[64];
    TransformerShape shape;
    uint64_t seed;
    TransformerInput input;
    size_t output_count;
    ModelOutput outputs[MODEL_MAX_OUTPUTS];
} ModelReference;

/* Ends the test program: a reference that can't be read is no reference. */
static inline void model_refuse(const char *what, const char *word) {
    fprintf(stderr, "tests/reference/transformer.txt: %s '%s'\n", what, word);
    exit(1);
}

static inline FILE *model_reference_open_named(const char *name) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/reference/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file)
        model_refuse("can't read", path);
    return file;
}

static inline FILE *model_reference_open(void) {
    return model_reference_open_named("transformer.txt");
}

static inline void model_set_shape(TransformerShape *shape, const char *field,
                                   const char *value) {
    const struct {
        const char *name;
        size_t *size;
        bool *yes;
    } fields[] = {
        {"d_model", &shape->d_model, NULL},
        {"heads", &shape->heads, NULL},
        {"d_ff", &shape->d_ff, NULL},
        {"encoder_layers", &shape->encoder_layers, NULL},
        {"decoder_layers", &shape->decoder_layers, NULL},
        {"source_vocabulary", &shape->source_vocabulary, NULL},
        {"target_vocabulary", &shape->target_vocabulary, NULL},
        {"first_output", &shape->first_output, NULL},
        {"pre_norm", NULL, &shape->pre_norm},
        {"final_norm", NULL, &shape->final_norm},
        {"scale_embedding", NULL, &shape->scale_embedding},
        {"biases", NULL, &shape->biases},
        {"context", &shape->context, NULL},
        {"tied", NULL, &shape->tied},
        {"rms", NULL, &shape->rms},
        {"kv_heads", &shape->kv_heads, NULL},
        {"unpadded", NULL, &shape->unpadded},
        {"segments", &shape->segments, NULL},
        {"embedding_norm", NULL, &shape->embedding_norm},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, field) != 0)
            continue;
        if (fields[i].size)
            *fields[i].size = (size_t)strtod(value, NULL);
        else
            *fields[i].yes = strtod(value, NULL) != 0;
        return;
    }
    if (strcmp(field, "positions") == 0)
        while (strcmp(transformer_positions_name(shape->positions), value) != 0)
            shape->positions++;
    else if (strcmp(field, "activation") == 0)
        while (strcmp(activation_name(shape->activation), value) != 0)
            shape->activation++;
    else if (strcmp(field, "epsilon") == 0)
        shape->epsilon = strtod(value, NULL);
    else if (strcmp(field, "rotary_base") == 0)
        shape->rotary_base = strtod(value, NULL);
    else
        model_refuse("unknown field", field);
}

static inline Tensor model_read_tensor(FILE *file, Arena *arena, size_t rows,
                                       size_t cols) {
    Tensor tensor = {.rows = rows, .cols = cols};
    tensor.values = arena_alloc(arena, rows * cols, sizeof *tensor.values);
    for (size_t i = 0; i < rows * cols; i++) {
        if (fscanf(file, "%lf", &tensor.values[i]) != 1)
            model_refuse("too few numbers", "");
    }
    return tensor;
}

static inline TransformerKind model_kind(const char *name) {
    for (size_t i = 0; i < TRANSFORMER_KIND_COUNT; i++) {
        if (strcmp(transformer_kind_name((TransformerKind)i), name) == 0)
            return (TransformerKind)i;
    }
    model_refuse("unknown kind", name);
    return TRANSFORMER_KIND_COUNT;
}

/* The next model of the file, into `model`, whose arena it is reset for; false at the
 * end. */
static inline bool model_reference_next(FILE *file, ModelReference *model) {
    char word[64], name[64];
    double value;
    size_t rows, cols;
    Arena *arena = model->arena;
    arena_reset(arena);
    *model = (ModelReference){.arena = arena};
    while (fscanf(file, "%63s", word) == 1) {
        if (word[0] == '#') {
            if (fscanf(file, "%*[^\n]") < 0)
                break;
        } else if (strcmp(word, "model") == 0) {
            if (fscanf(file, "%63s %63s", model->name, name) != 2)
                model_refuse("bad model", model->name);
            model->shape.kind = model_kind(name);
        } else if (strcmp(word, "shape") == 0) {
            if (fscanf(file, "%63s %63s", name, word) != 2)
                model_refuse("bad shape of", model->name);
            model_set_shape(&model->shape, name, word);
        } else if (strcmp(word, "seed") == 0) {
            if (fscanf(file, "%lf", &value) != 1)
                model_refuse("bad seed of", model->name);
            model->seed = (uint64_t)value;
        } else if (strcmp(word, "source") == 0 || strcmp(word, "target") == 0) {
            if (fscanf(file, "%zu", &cols) != 1)
                model_refuse("bad IDs of", model->name);
            Tensor ids = model_read_tensor(file, arena, 1, cols);
            *(word[0] == 's' ? &model->input.source : &model->input.target) = ids;
        } else if (strcmp(word, "output") == 0) {
            ModelOutput *output = &model->outputs[model->output_count++];
            if (model->output_count == MODEL_MAX_OUTPUTS ||
                fscanf(file, "%79s %zu %zu", output->name, &rows, &cols) != 3)
                model_refuse("bad output of", model->name);
            output->tensor = model_read_tensor(file, arena, rows, cols);
        } else if (strcmp(word, "end") == 0) {
            return true;
        } else {
            model_refuse("unknown word", word);
        }
    }
    return false;
}

/* 64-bit FNV-1a. */
static inline uint64_t model_hash(const char *text) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
    return hash;
}

/* One cell of PyTorch's tensor, from u in [-1, 1). */
static inline double model_cell(const ModelReference *model,
                                const TransformerParameter *parameter, double u) {
    const char *name = parameter->torch_name;
    if (parameter->is_table)
        return u;
    if (parameter->torch_cols > 1)
        return u * sqrt(6 / (double)(parameter->torch_rows + parameter->torch_cols));
    if (strstr(name, ".norm"))
        return strcmp(name + strlen(name) - 4, "bias") == 0 ? u / 2 : 1 + u / 2;
    return model->shape.biases ? u / 2 : 0;
}

/* Draws PyTorch's whole tensor and takes from it what is the parameter's. */
static inline bool model_fill(void *context, const TransformerParameter *parameter,
                              double *values, Error *error) {
    (void)error;
    const ModelReference *model = context;
    size_t cells = parameter->torch_rows * parameter->torch_cols;
    double *torch = arena_alloc(model->arena, cells, sizeof *torch);
    Random random;
    random_init(&random, model_hash(parameter->torch_name) ^ model->seed);
    for (size_t i = 0; i < cells; i++)
        torch[i] = model_cell(model, parameter, 2 * random_uniform(&random) - 1);
    for (size_t r = 0; r < parameter->rows; r++) {
        for (size_t c = 0; c < parameter->cols; c++) {
            size_t row = parameter->torch_first + (parameter->is_table ? r : c);
            size_t col = parameter->is_table ? c : r;
            values[r * parameter->cols + c] = torch[row * parameter->torch_cols + col];
        }
    }
    return true;
}
