/* A model being appended to a tape: transformer.c appends the towers, transformer_ends.c
 * logits and loss, transformer_parts.c notes down which part is where. Only these three
 * include this. Each function returns false, with the appender's error filled, when it
 * can't. */
#ifndef MODEL_APPENDER_H
#define MODEL_APPENDER_H

#include "model/build/model.h"

/* Parameters lie on the tape in the order in which the towers' table asks for them, so
 * they are taken one by one. */
typedef struct Appender {
    Tape *tape;
    Arena *arena;
    const TransformerShape *shape;
    Transformer *model;
    TransformerPart *parts;
    const TransformerPack *pack; /* the input's, or NULL */
    size_t taken;                /* parameters used so far */
    Error *error;
} Appender;

/* The node of the next parameter, whose name ends in `name`; a bias' is TAPE_NONE where
 * the shape has none. */
size_t appender_take(Appender *appender, const char *name);
size_t appender_take_bias(Appender *appender, const char *name);

/* How many parts a model of the shape has at most. */
size_t appender_parts_most(const TransformerShape *shape);

/* Notes down a part outside the layers, whose nodes are [first, the tape's end) and whose
 * result is `node`. Memory and what follows belong to no tower: NULL. */
bool appender_add_part(Appender *appender, const TransformerTower *tower,
                       TransformerPartKind kind, const char *torch_name, size_t first,
                       size_t node);

/* Notes down a layer, whose tower, number, names and nodes are set, and each sublayer,
 * sum and norm in it, in the order of computation. */
void appender_add_layer(Appender *appender, TransformerPart layer);

/* Appends what turns the last layer's rows x into logits and probabilities; what is
 * expected and its loss, where the input says so. */
bool appender_append_output(Appender *appender, size_t x);
bool appender_append_loss(Appender *appender, const TransformerInput *input);

#endif
