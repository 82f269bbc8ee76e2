/* A transformer's weights in a safetensors file.
 *
 * The names are those of a module that is an nn.Transformer with `src_embed`, `tgt_embed`
 * and `generator` beside it (TransformerParameter.torch_name), or those of another layout
 * (model/weights/layout.h). PyTorch stores matrices transposed, and W_Q, W_K and W_V may
 * be one tensor; both are converted here. Tensors whose names begin with WEIGHTS_TRAINING
 * are a training's state and are ignored. */
#pragma once

#include "model/build/transformer.h"
#include "model/weights/layout.h"

#define WEIGHTS_TRAINING "optimizer."

/* A file with the weights of a model; the bytes and the shape are borrowed. */
typedef struct Weights {
    Safetensors tensors;
    const Layout *layout;
    const TransformerShape *shape;
    size_t ignored;            /* number of tensors that no step of the model needs */
    const char *first_ignored; /* name of the first of them */
    size_t unknown; /* number of tensors of whole numbers whose names the layout doesn't
                       have */
    const char *first_unknown; /* name of the first of them */
} Weights;

/* Reads a file's bytes and checks it against the shape: each tensor that the model needs
 * exists, with the model's size and finite numbers, and all others change nothing.
 * Missing biases are zeros where they are optional: those of the norms in a model without
 * biases, which PyTorch leaves out; a bias of the logits, if the layout has none; and in
 * LLaMA's layout, a bias that is missing in every layer of a file with other biases. The
 * shape must have passed transformer_check. Errors of safetensors_read, ERROR_NAME for a
 * missing or superfluous tensor, ERROR_SHAPE, ERROR_VALUE, each with the lesson's setting
 * that would fit the file. Under the arena's guard. */
bool weights_read(Weights *weights, Arena *arena, const char *file, const uint8_t *bytes,
                  size_t length, const TransformerShape *shape, Error *error);

/* Returns a source of values for a model of the shape; never fails. `weights` must
 * outlive its use. */
TransformerWeights weights_fill(const Weights *weights);

/* Makes PyTorch's tensors from a shape's parameters: values[i] (rows × cols) are those of
 * parameter i of transformer_parameters. New in the arena, in the order of computation.
 * The generator's rows for IDs that the model never generates get weights 0 and the bias
 * WEIGHTS_NEVER, so that they have probability 0 in PyTorch too. Under the arena's
 * guard. */
#define WEIGHTS_NEVER (-1e9)
const SafetensorsTensor *weights_tensors(Arena *arena, const TransformerShape *shape,
                                         const double *const *values,
                                         SafetensorsType type, size_t *count);
