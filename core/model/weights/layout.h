/* Layouts: what the files of models that people have call a model's weights, and how they
 * keep them.
 *
 * One table has a row for each weight of a lesson's model, and in it its name in each
 * layout: nn.Transformer's (transformer_parameters says it), those of Hugging Face's
 * GPT-2, BERT and LLaMA, and nanoGPT's, which has GPT-2's names and nn.Linear's matrices.
 * Which layout a file has is seen by its names; of the last two, by a matrix that is not
 * square. */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include "model/build/transformer.h"
#include "model/weights/safetensors.h"

typedef struct Layout {
    const char *title;  /* "GPT-2" in sentences; NULL: nn.Transformer's */
    const char *sign;   /* the name that tells it; NULL: several do */
    const char *outer;  /* what may stand before all names: "transformer." */
    const char *layers; /* what a layer's names begin with: "h."; NULL: as its tower's */
    TransformerKind kind;
    bool pre_norm;
    const char *norm;         /* what lessons call that and the kind of norm: "post" */
    size_t column;            /* of the table of names */
    const char *const *extra; /* names of what a model has not, and a file may have */
    bool turned;              /* matrices that others keep straight are turned, too */
} Layout;

/* Where a file has a weight. Cell (r, c) of it is the tensor's (first + c, r); when it is
 * straight (r, first + c), of a table (first + r, c). A vector has one axis. */
typedef struct LayoutEntry {
    char name[120];
    size_t axis_count, axes[2];
    size_t first;
    bool straight, is_table;
} LayoutEntry;

/* The layout of a file; NULL where its names are of none. */
const Layout *layout_of(const Safetensors *tensors);

/* Where a file of that layout has a parameter of the shape; false where the layout has
 * none such. */
bool layout_find(const Layout *layout, const TransformerParameter *parameter,
                 LayoutEntry *place);

/* The file's tensor of that name, or of it behind the layout's outer name, or as older
 * files call a norm's; NULL where there is none. */
const SafetensorsTensor *layout_tensor(const Layout *layout, const Safetensors *tensors,
                                       const char *name);

/* A tensor's name without the layout's outer one. */
const char *layout_inner(const Layout *layout, const char *name);

/* What lessons call the weight that a tensor of that inner name is, but for tower and
 * layer ("self_attention.W_Q"); NULL where the layout has none such. */
const char *layout_lesson_name(const Layout *layout, const char *name);

/* Whether it is something that a file may have, and a model of lessons has not. */
bool layout_ignores(const Layout *layout, const char *name);

/* One more than the highest layer of a tower that the file has tensors of. */
size_t layout_layers(const Layout *layout, const Safetensors *tensors, const char *tower);

#endif
