/* A transformer's weights in a safetensors file.
 *
 * The names are those of a module that is an nn.Transformer with `src_embed`, `tgt_embed`
 * and `generator` beside it (TransformerParameter.torch_name), or those of another layout
 * (layout.c). PyTorch stores matrices transposed, and W_Q, W_K and W_V may
 * be one tensor; both are converted here. Tensors whose names begin with WEIGHTS_TRAINING
 * are a training's state and are ignored. */
#pragma once

#include "model/build/transformer.h"
#include "model/weights/safetensors.h"

/* Layouts: names and storage order of the weights in the files of published models.
 *
 * One table has a row for each weight of a lesson's model, with its name in each layout:
 * nn.Transformer's (from transformer_parameters), those of Hugging Face's GPT-2, BERT and
 * LLaMA, and nanoGPT's, which has GPT-2's names and nn.Linear's matrices. A file's layout
 * is recognized by its names; GPT-2 and nanoGPT are told apart by a matrix that is not
 * square. */

typedef struct Layout {
    const char *title;  /* "GPT-2", for messages; NULL: nn.Transformer's */
    const char *sign;   /* name that identifies it; NULL: several do */
    const char *outer;  /* optional prefix of all names: "transformer." */
    const char *layers; /* prefix of a layer's names: "h."; NULL: its tower's */
    TransformerKind kind;
    bool pre_norm;
    const char *norm;         /* value of a lesson's `norm:`: "post" */
    size_t column;            /* column in the table of names */
    const char *const *extra; /* optional names of a file that a lesson's model lacks */
    bool turned;              /* stores matrices transposed that others don't */
} Layout;

/* Position of a weight in a file. Cell (r, c) of the weight is the tensor's (first + c,
 * r); if straight, (r, first + c); of a table, (first + r, c). A vector has one axis. */
typedef struct LayoutEntry {
    char name[120];
    size_t axis_count, axes[2];
    size_t first;
    bool straight, is_table;
} LayoutEntry;

/* Returns the layout of a file; NULL if its names match none. */
const Layout *layout_of(const Safetensors *tensors);

/* Finds a parameter of the shape in a file of that layout; false if the layout has none
 * such. */
bool layout_find(const Layout *layout, const TransformerParameter *parameter,
                 LayoutEntry *place);

/* Returns the file's tensor of that name, with the layout's outer prefix or with a norm's
 * older name; NULL if there is none. */
const SafetensorsTensor *layout_tensor(const Layout *layout, const Safetensors *tensors,
                                       const char *name);

/* Returns a tensor's name without the layout's outer prefix. */
const char *layout_inner(const Layout *layout, const char *name);

/* Returns the lessons' name of the weight that a tensor of that inner name holds, without
 * tower and layer ("self_attention.W_Q"); NULL if the layout has none such. */
const char *layout_lesson_name(const Layout *layout, const char *name);

/* Reports whether a tensor is one that files may have and that a lesson's model doesn't
 * use. */
bool layout_ignores(const Layout *layout, const char *name);

/* Returns one more than the highest layer of a tower that the file has tensors of. */
size_t layout_layers(const Layout *layout, const Safetensors *tensors, const char *tower);

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
