/* The run of a model on a text other than the one it was built with: a group of the tape
 * with its own computations and the model's parameters. */
#pragma once

#include "model/build/model.h"

typedef struct Arena Arena;
typedef struct Error Error;
typedef struct Tape Tape;

/* A run: where it is appended, and the model. */
typedef struct Reading {
    Tape *tape;
    Arena *arena;      /* names and labels; must live as long as the tape */
    Transformer model; /* its parameters on that tape; after the run, all its parts */
} Reading;

/* The model's own run, whose changes others repeat. */
typedef struct ReadingSource {
    const Tape *tape;
    const Transformer *model;
    bool repeats_cells; /* cells set by hand are repeated, and not only what is muted */
} ReadingSource;

/* Returns a model with its parameters, but without targets and loss, for a run on another
 * text. */
Transformer reading_model(const Transformer *model);

/* Appends the run as a group named `group`; the names of its nodes begin with "PATH.".
 * Where it is on the source's tape, it repeats what is muted there, now and later. The
 * source's IDs are copied. ERROR_VALUE, ERROR_SHAPE, ERROR_LIMIT. On failure the tape may
 * have some of the nodes. Under the arena's guard. */
bool reading_append(Reading *reading, const ReadingSource *from,
                    const TransformerInput *input, const char *group, const char *path,
                    Error *error);

/* Returns the node of one side's IDs, or TAPE_NONE. */
size_t reading_ids(const Transformer *model, TransformerSide side);
