/* A model being appended to a tape: transformer.c appends it, transformer_parts.c
 * records the parts. Only these two include this.
 * Failure fills the appender's error. */
#pragma once

#include "base/arena.h"
#include "model/build/build.h"
#include "model/build/model.h"

/* Parameters lie on the tape in the order in which the towers' table uses them, so they
 * are taken one by one. */
typedef struct Appender {
    Tape *tape;
    Arena *arena;
    const TransformerShape *shape;
    Transformer *model;
    TransformerPart *parts;
    const TransformerPack *pack; /* the input's, or NULL */
    size_t taken;                /* number of parameters used so far */
    Error *error;
} Appender;

/* Returns a Build of the model's nodes at `path`. */
Build appender_build(const Appender *appender, const char *path);

/* Returns the node of the next parameter, whose name ends in `name`; TAPE_NONE for a bias
 * that the shape doesn't have. */
size_t appender_take(Appender *appender, const char *name);
size_t appender_take_bias(Appender *appender, const char *name);

/* Returns the maximum number of parts of a model of the shape. */
size_t appender_parts_most(const TransformerShape *shape);

/* Records a part outside the layers, whose nodes are [first, the tape's end) and whose
 * result is `node`, unless that is TAPE_NONE; returns it. `tower` is NULL for memory and
 * the parts behind the decoder. */
size_t appender_add_part(Appender *appender, const TransformerTower *tower,
                         TransformerPartKind kind, const char *torch_name, size_t first,
                         size_t node);

/* Records a layer, whose tower, number, names and nodes are set, and each sublayer, sum
 * and norm in it, in the order of computation. */
void appender_add_layer(Appender *appender, TransformerPart layer);
