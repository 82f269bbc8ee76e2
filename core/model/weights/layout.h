/* Layouts: names and storage order of the weights in the files of published models.
 *
 * One table has a row for each weight of a lesson's model, with its name in each layout:
 * nn.Transformer's (from transformer_parameters), those of Hugging Face's GPT-2, BERT and
 * LLaMA, and nanoGPT's, which has GPT-2's names and nn.Linear's matrices. A file's layout
 * is recognized by its names; GPT-2 and nanoGPT are told apart by a matrix that is not
 * square. */
#pragma once

#include "model/build/transformer.h"
#include "model/weights/safetensors.h"

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
