/* Reader of tests/reference/gradients.txt: gradients of every operation from PyTorch's
 * autograd. tests/reference/gradients.py writes the file and describes its format. */
#pragma once

#include "reference.h"

typedef struct GradientCase {
    ReferenceCase forward;
    Tensor gradient;                   /* of the output */
    Tensor back[REFERENCE_MAX_INPUTS]; /* of the inputs; no cells where there is none */
} GradientCase;

typedef struct GradientReference {
    Arena *arena;
    size_t count;
    GradientCase *cases;
} GradientReference;

static inline void gradient_reference_word(FILE *file, Arena *arena, const char *word,
                                           GradientCase *item) {
    ReferenceCase *forward = &item->forward;
    char name[64];
    double value;
    size_t input;
    if (strcmp(word, "case") == 0) {
        if (fscanf(file, "%63s %63s", forward->name, name) != 2)
            reference_refuse("bad case", forward->name);
        forward->kind = reference_kind(name);
    } else if (strcmp(word, "option") == 0) {
        if (fscanf(file, "%63s %lf", name, &value) != 2)
            reference_refuse("bad option of", forward->name);
        reference_option(&forward->options, name, value);
    } else if (strcmp(word, "input") == 0) {
        if (forward->input_count == REFERENCE_MAX_INPUTS)
            reference_refuse("too many inputs of", forward->name);
        forward->input_pointers[forward->input_count] =
            &forward->inputs[forward->input_count];
        forward->inputs[forward->input_count++] = reference_tensor(file, arena);
    } else if (strcmp(word, "output") == 0) {
        forward->output = reference_tensor(file, arena);
    } else if (strcmp(word, "gradient") == 0) {
        item->gradient = reference_tensor(file, arena);
    } else if (strcmp(word, "back") == 0) {
        if (fscanf(file, "%zu", &input) != 1 || input >= forward->input_count)
            reference_refuse("bad input of", forward->name);
        item->back[input] = reference_tensor(file, arena);
    } else {
        reference_refuse("unknown word", word);
    }
}

/* All cases of the file, in an arena of their own, which the caller destroys. */
static inline GradientReference gradient_reference_load(void) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000], word[64];
    snprintf(path, sizeof path, "%s/tests/reference/gradients.txt",
             source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        reference_refuse("can't read", path);
    GradientReference reference = {.arena = arena_create((size_t)64 << 20)};
    reference.cases =
        arena_alloc(reference.arena, REFERENCE_MAX_CASES, sizeof *reference.cases);
    while (fscanf(file, "%63s", word) == 1) {
        if (word[0] == '#') {
            if (fscanf(file, "%*[^\n]") < 0)
                break;
        } else if (strcmp(word, "end") == 0) {
            if (++reference.count == REFERENCE_MAX_CASES)
                reference_refuse("too many cases", "");
        } else {
            gradient_reference_word(file, reference.arena, word,
                                    &reference.cases[reference.count]);
        }
    }
    fclose(file);
    if (reference.count == 0)
        reference_refuse("no cases", "");
    return reference;
}
