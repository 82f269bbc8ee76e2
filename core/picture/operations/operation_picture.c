#include "picture/operations/pictures.h"

#include "picture/tensors/views.h"

static void (*const pictures[OPERATION_COUNT])(const Stage *) = {
    [OPERATION_GIVEN] = given_picture,
    [OPERATION_ADD] = binary_picture,
    [OPERATION_SUBTRACT] = binary_picture,
    [OPERATION_MULTIPLY] = binary_picture,
    [OPERATION_DIVIDE] = binary_picture,
    [OPERATION_NEGATE] = unary_picture,
    [OPERATION_MATMUL] = matmul_picture,
    [OPERATION_TRANSPOSE] = transpose_picture,
    [OPERATION_SLICE] = slice_picture,
    [OPERATION_CONCAT] = concat_picture,
    [OPERATION_SOFTMAX] = softmax_picture,
    [OPERATION_RELU] = unary_picture,
    [OPERATION_EXP] = unary_picture,
    [OPERATION_SQRT] = unary_picture,
    [OPERATION_SUM] = reduction_picture,
    [OPERATION_MEAN] = reduction_picture,
    [OPERATION_MAX] = reduction_picture,
    [OPERATION_ARGMAX] = reduction_picture,
    [OPERATION_ONE_HOT] = plain_picture,
    [OPERATION_LAYER_NORM] = layer_norm_picture,
    [OPERATION_EMBED] = embed_picture,
    [OPERATION_POSITIONAL_ENCODING] = given_picture,
    [OPERATION_CAUSAL_MASK] = given_picture,
    [OPERATION_PADDING_MASK] = plain_picture,
    [OPERATION_LOG] = unary_picture,
    [OPERATION_CROSS_ENTROPY] = cross_entropy_picture,
    [OPERATION_STACK] = stack_picture,
    [OPERATION_TOP_K] = top_k_picture,
    [OPERATION_TOP_P] = top_p_picture,
    [OPERATION_BACKWARD] = backward_picture,
};

static void draw_kind(const Stage *stage) {
    OperationKind operation = stage_node(stage, stage->node)->operation;
    if (pictures[operation])
        pictures[operation](stage);
    else
        plain_picture(stage);
}

void operation_picture(const Stage *stage) {
    if (stage_node(stage, stage->node)->muted)
        muted_picture(stage);
    else
        draw_kind(stage);
}

/* Pictures that show more than what comes in on the way to the output. */
static bool shows_the_way(OperationKind operation) {
    return operation == OPERATION_SOFTMAX || operation == OPERATION_LAYER_NORM ||
           operation == OPERATION_MAX || operation == OPERATION_ARGMAX ||
           operation == OPERATION_CROSS_ENTROPY || operation == OPERATION_TOP_P;
}

/* Pictures whose focus marks the very cell that the output's is a copy of. */
static bool shows_the_source(OperationKind operation) {
    return operation == OPERATION_TRANSPOSE || operation == OPERATION_EMBED ||
           operation == OPERATION_CONCAT || operation == OPERATION_STACK;
}

void asked_picture(const Stage *stage) {
    OperationKind operation = stage_node(stage, stage->node)->operation;
    Stage drawn = *stage;
    drawn.visible = 0;
    drawn.has_focus &= !shows_the_source(operation);
    if (shows_the_way(operation))
        plain_picture(&drawn);
    else
        draw_kind(&drawn);
}
