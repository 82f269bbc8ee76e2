#include "picture/draw/canvas.h"
#include "picture/operations/pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/stage/panels.h"
#include "tensor/tape/tape.h"

#include <assert.h>
#include <string.h>

/* The backward pass of an operation: computes the gradient of an input from that of the
 * output. For a product this is a product again, with the other factor transposed. For an
 * operation that maps cell to cell, the gradient is multiplied by the derivative in each
 * cell. For any other operation, a formula above an arrow names the factor. */

typedef struct Backward {
    const Stage *stage;
    const TapeNode *node;
    OperationKind operation; /* operation of the forward pass */
    size_t index, input;     /* index and node of the input whose gradient is computed */
    /* Nodes: output of the operation, and the output's gradient. */
    size_t result, gradient;
} Backward;

/* ---- through a product ---- */

static const char *transposed_name(const Stage *stage, size_t node) {
    const char *name = stage_formula_name(stage, node);
    size_t length = strlen(name);
    bool single =
        strncmp(name, "\\tensor{", 8) == 0 && strchr(name, '}') == name + length - 1;
    return single ? canvas_format(stage->canvas, "%.*s.T}", (int)(length - 1), name)
                  : canvas_format(stage->canvas, "\\left(%s\\right)^{\\text{T}}", name);
}

static Panel transposed_panel(const Stage *stage, size_t node, const char *sign) {
    const Tensor *x = stage_tensor(stage, node);
    Tensor *turned = canvas_tensor(stage->canvas, x->cols, x->rows);
    turned->row_labels = x->col_labels;
    turned->col_labels = x->row_labels;
    for (size_t i = 0; i < tensor_cells(x); i++)
        turned->values[i % x->cols * x->rows + i / x->cols] = x->values[i];
    return (Panel){.sign = sign,
                   .node = TAPE_NONE,
                   .tensor = turned,
                   .formula = transposed_name(stage, node),
                   .colors = stage_colors(stage->tape, node)};
}

/* For A in A B the gradient times Bᵀ; for B, Aᵀ times the gradient. The row and the
 * column whose products are added to the focused cell are outlined. */
static void product_picture(const Backward *b) {
    const Stage *stage = b->stage;
    const Canvas *canvas = stage->canvas;
    bool left = b->index == 0;
    Panel panels[3] = {left ? panel_of(stage, b->gradient, NULL)
                            : transposed_panel(stage, b->node->inputs[0], NULL),
                       left ? transposed_panel(stage, b->node->inputs[1], "\\cdot")
                            : panel_of(stage, b->gradient, "\\cdot"),
                       panel_of_output(stage, "=")};
    panels_show(stage, panels, 3);
    if (!stage->has_focus)
        return;
    heatmap_outline(canvas, &panels[0].heatmap, stage->focus_row, stage->focus_row + 1, 0,
                    panels[0].tensor->cols, canvas->theme->other[0]);
    heatmap_outline(canvas, &panels[1].heatmap, 0, panels[1].tensor->rows,
                    stage->focus_col, stage->focus_col + 1, canvas->theme->other[1]);
}

/* ---- cell by cell ---- */

static bool is_cell_by_cell(const Backward *b) {
    return operation_of(b->operation)->work == OPERATION_WORK_BY_CELL &&
           !stage_node(b->stage, b->result)->muted && /* the gradient passes unchanged */
           tensor_same_shape(stage_tensor(b->stage, b->input),
                             stage_tensor(b->stage, b->result));
}

/* Returns the derivative in every cell: the backward pass of a gradient of ones. */
static const Tensor *slopes_of(const Backward *b) {
    enum { INPUTS_MAX = 2 };
    const Tensor *result = stage_tensor(b->stage, b->result);
    const Tensor *inputs[INPUTS_MAX];
    double *gradients[INPUTS_MAX] = {0};
    size_t count = b->node->input_count - 2;
    Tensor *slopes = canvas_tensor_like(b->stage->canvas, result);
    Tensor *ones = canvas_tensor(b->stage->canvas, result->rows, result->cols);
    assert(count <= INPUTS_MAX);
    for (size_t i = 0; i < count; i++)
        inputs[i] = stage_tensor(b->stage, b->node->inputs[i]);
    for (size_t i = 0; i < tensor_cells(ones); i++)
        ones->values[i] = 1;
    gradients[b->index] = slopes->values;
    OperationCall call = {inputs, count, b->node->options, b->operation};
    operation_of(b->operation)->backward(&call, result, ones->values, gradients);
    return slopes;
}

static const char *derivative(const Backward *b) {
    return canvas_format(b->stage->canvas, "\\frac{\\partial %s}{\\partial %s}",
                         stage_formula_name(b->stage, b->result),
                         stage_formula_name(b->stage, b->input));
}

static void slopes_picture(const Backward *b) {
    const Stage *stage = b->stage;
    Panel panels[3] = {panel_of(stage, b->gradient, NULL),
                       {.sign = "\\odot",
                        .node = TAPE_NONE,
                        .tensor = slopes_of(b),
                        .formula = derivative(b),
                        .colors = HEATMAP_SIGNED},
                       panel_of_output(stage, "=")};
    for (size_t i = 0; i < 3; i++) /* different quantities: a scale each */
        panels[i].reach = heatmap_scale_reach(panels[i].tensor);
    panels_show(stage, panels, 3);
    for (size_t i = 0; stage->has_focus && i < 2; i++)
        heatmap_outline_cell(stage->canvas, &panels[i].heatmap, stage->focus_row,
                             stage->focus_col, stage->canvas->theme->other[i]);
}

/* ---- the whole ---- */

/* Draws the output's gradient, and an arrow to the input's with the derivative above
 * it. */
static void arrow_picture(const Backward *b) {
    Panel panels[2] = {panel_of(b->stage, b->gradient, NULL),
                       panel_of_output(b->stage, "\\to")};
    panels[1].sign_above = canvas_format(b->stage->canvas, "\\cdot %s", derivative(b));
    panels_show(b->stage, panels, 2);
}

void backward_picture(const Stage *stage) {
    if (push_picture(stage))
        return;
    const TapeNode *node = stage_node(stage, stage->node);
    Backward b = {.stage = stage,
                  .node = node,
                  .operation = node->options.operation,
                  .index = node->options.input,
                  .input = node->inputs[node->options.input],
                  .result = node->inputs[node->input_count - 2],
                  .gradient = node->inputs[node->input_count - 1]};
    if (b.operation == OPERATION_MATMUL)
        product_picture(&b);
    else if (is_cell_by_cell(&b))
        slopes_picture(&b);
    else
        arrow_picture(&b);
}
