/* Reads tests/reference/kernels.txt: what PyTorch computes for every operation.
 * tests/reference/kernels.py writes the file and says what its lines mean. */
#pragma once

#include "base/arena.h"
#include "tensor/operations/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCE_MAX_INPUTS = 4, REFERENCE_MAX_CASES = 400 };

typedef struct ReferenceCase {
    char name[64];
    OperationKind kind;
    OperationOptions options;
    size_t input_count;
    Tensor inputs[REFERENCE_MAX_INPUTS];
    const Tensor *input_pointers[REFERENCE_MAX_INPUTS];
    Tensor output;
} ReferenceCase;

typedef struct Reference {
    Arena *arena;
    size_t count;
    ReferenceCase *cases;
} Reference;

/* Ends the test program: a reference that can't be read is no reference. */
static inline void reference_refuse(const char *what, const char *word) {
    fprintf(stderr, "tests/reference/kernels.txt: %s '%s'\n", what, word);
    exit(1);
}

static inline OperationKind reference_kind(const char *name) {
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        if (operation_has_row((OperationKind)i) &&
            strcmp(operation_of((OperationKind)i)->name, name) == 0)
            return (OperationKind)i;
    }
    reference_refuse("unknown operation", name);
    return OPERATION_COUNT;
}

static inline void reference_option(OperationOptions *options, const char *field,
                                    double value) {
    const struct {
        const char *name;
        size_t *place;
    } sizes[] = {
        {"row_begin", &options->row_begin}, {"row_end", &options->row_end},
        {"col_begin", &options->col_begin}, {"col_end", &options->col_end},
        {"rows", &options->rows},           {"cols", &options->cols},
        {"keep", &options->keep},           {"heads", &options->heads},
        {"seed", &options->seed},
    };
    const struct {
        const char *name;
        double *place;
    } numbers[] = {{"epsilon", &options->epsilon},
                   {"share", &options->share},
                   {"base", &options->base}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (strcmp(sizes[i].name, field) == 0) {
            *sizes[i].place = (size_t)value;
            return;
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(numbers[i].name, field) == 0) {
            *numbers[i].place = value;
            return;
        }
    }
    reference_refuse("unknown option", field);
}

static inline Tensor reference_tensor(FILE *file, Arena *arena) {
    Tensor tensor = {0};
    if (fscanf(file, "%zu %zu", &tensor.rows, &tensor.cols) != 2)
        reference_refuse("no shape", "");
    tensor.values = arena_alloc(arena, tensor_cells(&tensor), sizeof *tensor.values);
    for (size_t i = 0; i < tensor_cells(&tensor); i++) {
        if (fscanf(file, "%lf", &tensor.values[i]) != 1)
            reference_refuse("too few numbers", "");
    }
    return tensor;
}

/* All cases of the file, in an arena of their own. Freed by reference_free. */
static inline Reference reference_load(void) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000], word[64];
    snprintf(path, sizeof path, "%s/tests/reference/kernels.txt", source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        reference_refuse("can't read", path);
    Reference reference = {.arena = arena_create((size_t)64 << 20)};
    reference.cases =
        arena_alloc(reference.arena, REFERENCE_MAX_CASES, sizeof *reference.cases);
    ReferenceCase *item = reference.cases;
    while (fscanf(file, "%63s", word) == 1) {
        char name[64];
        double value;
        if (word[0] == '#') {
            if (fscanf(file, "%*[^\n]") < 0)
                break;
        } else if (strcmp(word, "case") == 0) {
            if (reference.count == REFERENCE_MAX_CASES ||
                fscanf(file, "%63s %63s", item->name, name) != 2)
                reference_refuse("bad case", item->name);
            item->kind = reference_kind(name);
        } else if (strcmp(word, "option") == 0) {
            if (fscanf(file, "%63s %lf", name, &value) != 2)
                reference_refuse("bad option of", item->name);
            reference_option(&item->options, name, value);
        } else if (strcmp(word, "of") == 0) {
            if (fscanf(file, "%63s %zu", name, &item->options.input) != 2)
                reference_refuse("bad operation of", item->name);
            item->options.operation = reference_kind(name);
        } else if (strcmp(word, "input") == 0) {
            if (item->input_count == REFERENCE_MAX_INPUTS)
                reference_refuse("too many inputs of", item->name);
            item->input_pointers[item->input_count] = &item->inputs[item->input_count];
            item->inputs[item->input_count++] = reference_tensor(file, reference.arena);
        } else if (strcmp(word, "output") == 0) {
            item->output = reference_tensor(file, reference.arena);
        } else if (strcmp(word, "end") == 0) {
            item = &reference.cases[++reference.count];
        } else {
            reference_refuse("unknown word", word);
        }
    }
    fclose(file);
    if (reference.count == 0)
        reference_refuse("no cases", "");
    return reference;
}

static inline void reference_free(Reference *reference) {
    arena_destroy(reference->arena);
    *reference = (Reference){0};
}

static inline OperationCall reference_call(const ReferenceCase *item) {
    return (OperationCall){item->input_pointers, item->input_count, item->options,
                           item->kind};
}
