#pragma once

#include "base/arena.h"
#include "model/build/model.h"
#include "tensor/tape/tape.h"

/* The present values of a model's parameters, for weights_tensors: an array in the arena,
 * borrowing from the tape; NULL when the arena is exhausted. */
static inline const double *const *weights_of_model(Arena *arena, const Tape *tape,
                                                    const Transformer *model) {
    const double **values = arena_alloc(arena, model->parameter_count, sizeof *values);
    for (size_t i = 0; values && i < model->parameter_count; i++)
        values[i] = tape_node(tape, model->parameters[i].node)->output.values;
    return values;
}
