/* A transformer's weights in a safetensors file.
 *
 * The names are those of a module that is an nn.Transformer with `src_embed`, `tgt_embed`
 * and `generator` beside it (TransformerParameter.torch_name), or those of another layout
 * (model/weights/layout.h). PyTorch's matrices stand the other way round than ours, and
 * W_Q, W_K and W_V may be one tensor: both is undone here. Tensors whose names begin with
 * WEIGHTS_TRAINING are a training's state and are passed over. */
#ifndef MODEL_WEIGHTS_H
#define MODEL_WEIGHTS_H

#include "model/build/transformer.h"
#include "model/weights/layout.h"

#define WEIGHTS_TRAINING "optimizer."

/* A file with the weights of a model; the bytes and the shape are borrowed. */
typedef struct Weights {
    Safetensors tensors;
    const Layout *layout;
    const TransformerShape *shape;
    size_t ignored;            /* how many of its tensors change no number, … */
    const char *first_ignored; /* … and the first of them */
} Weights;

/* Reads a file's bytes and holds it against the shape: each tensor that the model needs
 * is there, has the model's size and finite numbers, and there is no other but those that
 * change nothing. Without biases the norms' may be missing, as PyTorch leaves them out
 * then; they are zeros, as is a bias of the logits that the layout doesn't know, and in
 * LLaMA's layout one that the file has in no layer while it has others. The shape must
 * have passed transformer_check. safetensors_read's errors, ERROR_NAME for a tensor that
 * is missing or too many, ERROR_SHAPE, ERROR_VALUE, each with what in the lesson would
 * fit the file. Under the arena's guard. */
bool weights_read(Weights *weights, Arena *arena, const char *file, const uint8_t *bytes,
                  size_t length, const TransformerShape *shape, Error *error);

/* What fills a model of the shape with them; never fails. `weights` must outlive its use.
 */
TransformerWeights weights_fill(const Weights *weights);

/* PyTorch's tensors for a shape's parameters: values[i] (rows × cols) are those of
 * parameter i of transformer_parameters. New in the arena, in the order of computation.
 * Rows of the generator for IDs that the model never says get the weights 0 and the bias
 * WEIGHTS_NEVER, so that PyTorch gives them no chance either. Under the arena's guard. */
#define WEIGHTS_NEVER (-1e9)
const SafetensorsTensor *weights_tensors(Arena *arena, const TransformerShape *shape,
                                         const double *const *values,
                                         SafetensorsType type, size_t *count);

#endif
