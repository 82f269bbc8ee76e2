#include "picture/operations/embeddings/embedding_pictures.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/pictures.h"
#include "picture/operations/rows/row_pictures.h"

#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

/* Picture of an operation. */
typedef struct Picture {
    void (*draw)(const Stage *stage);
    /* Shows numbers between the inputs and the output, so it is replaced while a question
     * asks for the output. */
    bool hidden_by_question;
    bool marks_source; /* marks the input's cell that the focused cell is a copy of */
} Picture;

/* Pictures by operation; those computed cell by cell need no row here. */
static const Picture pictures[OPERATION_COUNT] = {
    [OPERATION_GIVEN] = {.draw = given_picture},
    [OPERATION_MATMUL] = {.draw = matmul_picture},
    [OPERATION_TRANSPOSE] = {.draw = transpose_picture, .marks_source = true},
    [OPERATION_SLICE] = {.draw = slice_picture},
    [OPERATION_CONCAT] = {.draw = concat_picture, .marks_source = true},
    [OPERATION_SOFTMAX] = {.draw = softmax_picture, .hidden_by_question = true},
    [OPERATION_SUM] = {.draw = reduction_picture},
    [OPERATION_MEAN] = {.draw = mean_picture, .hidden_by_question = true},
    [OPERATION_SUBTRACT] = {.draw = subtract_picture},
    [OPERATION_MAX] = {.draw = largest_picture, .hidden_by_question = true},
    [OPERATION_ARGMAX] = {.draw = largest_picture, .hidden_by_question = true},
    [OPERATION_ONE_HOT] = {.draw = one_hot_picture},
    [OPERATION_LAYER_NORM] = {.draw = norm_picture, .hidden_by_question = true},
    [OPERATION_RMS_NORM] = {.draw = norm_picture, .hidden_by_question = true},
    [OPERATION_EMBED] = {.draw = embed_picture, .marks_source = true},
    [OPERATION_ROTARY] = {.draw = rotary_picture},
    [OPERATION_POSITIONAL_ENCODING] = {.draw = given_picture},
    [OPERATION_CAUSAL_MASK] = {.draw = given_picture},
    [OPERATION_PADDING_MASK] = {.draw = padding_picture},
    [OPERATION_CROSS_ENTROPY] = {.draw = cross_entropy_picture,
                                 .hidden_by_question = true},
    [OPERATION_STACK] = {.draw = stack_picture, .marks_source = true},
    [OPERATION_TOP_K] = {.draw = top_k_picture},
    [OPERATION_TOP_P] = {.draw = top_p_picture, .hidden_by_question = true},
    [OPERATION_BACKWARD] = {.draw = backward_picture},
};

static Picture picture_of(OperationKind kind) {
    const Operation *operation = operation_of(kind);
    bool by_cell = operation->work == OPERATION_WORK_BY_CELL;
    if (!pictures[kind].draw && by_cell)
        return (Picture){operation->inputs.most == 1 ? unary_picture : binary_picture,
                         false, false};
    return pictures[kind];
}

bool operation_has_picture(OperationKind kind) {
    return picture_of(kind).draw != NULL;
}

void operation_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    if (node->muted)
        muted_picture(stage);
    else
        picture_of(node->operation).draw(stage);
}

void asked_picture(const Stage *stage) {
    Picture picture = picture_of(stage_node(stage, stage->node)->operation);
    Stage drawn = *stage;
    drawn.visible = 0;
    drawn.has_focus &= !picture.marks_source;
    if (picture.hidden_by_question)
        plain_picture(&drawn);
    else
        picture.draw(&drawn);
}
