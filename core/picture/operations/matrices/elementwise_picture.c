#include "picture/draw/canvas.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HINGES_MOST = 32 };

/* Of a scale: values within a smaller fraction can't be compared. */
static const double TOO_PALE = 0.1;
static const double ROUNDING = 1e-9; /* differences up to this are rounding errors */

/* Returns the meaning of a number whose formula doesn't show it: √d_k for a product of
 * queries and keys of dimension d_k, else its value. NULL: the formula is enough. */
static const char *meaning_of(const Stage *stage, size_t node, const char *formula) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *made = stage_node(stage, stage->node);
    double value = stage_tensor(stage, node)->values[0];
    char *end;
    strtod(formula, &end);
    const TapeNode *scores = stage_node(stage, made->inputs[0]);
    if (!*end)
        return NULL;
    if (made->operation == OPERATION_DIVIDE && scores->operation == OPERATION_MATMUL &&
        fabs(value * value - (double)scores->operands[0]->cols) < ROUNDING)
        return canvas_format(canvas, "d_k = %zu", scores->operands[0]->cols);
    return canvas_format(canvas, "= %s", heatmap_mark(canvas, value, fabs(value)));
}

/* Returns the panel of an input; a number that is the same for every cell is drawn as a
 * number, not as a heatmap. */
static Panel scalar_panel(const Stage *stage, size_t node, const char *sign) {
    const char *formula = stage_formula_name(stage, node);
    return (Panel){.sign = sign,
                   .node = TAPE_NONE,
                   .formula = formula,
                   .meaning = meaning_of(stage, node, formula)};
}

/* Outlines the cell of an input that the focused output cell comes from. */
static void outline_source(const Stage *stage, const Panel *panel, Color color) {
    if (!panel->tensor || !stage->has_focus)
        return;
    size_t row = panel->tensor->rows == 1 ? 0 : stage->focus_row;
    size_t col = panel->tensor->cols == 1 ? 0 : stage->focus_col;
    heatmap_outline_cell(stage->canvas, &panel->heatmap, row, col, color);
}

/* Chooses scales: factors and their product are different quantities with a scale each.
 * Tables that are added or subtracted, and a table divided by a number, share a scale
 * with the result, except one that would be too pale. */
static void choose_scales(const Stage *stage, Panel *panels, size_t count) {
    bool own = operation_of(stage_node(stage, stage->node)->operation)->rescales;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        own &= panels[i].tensor != NULL;
        if (!panels[i].tensor || panels[i].colors != HEATMAP_SIGNED)
            continue;
        panels[i].reach = heatmap_scale_reach(panels[i].tensor);
        most = fmax(most, panels[i].reach);
    }
    for (size_t i = 0; i < count; i++) {
        if (!panels[i].tensor || panels[i].colors != HEATMAP_SIGNED)
            continue;
        double reach = panels[i].reach;
        bool pale = reach < most * TOO_PALE && reach > most * ROUNDING;
        panels[i].reach = own || pale ? reach : most;
    }
}

void binary_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    const char *sign = operation_of(node->operation)->symbol;
    Panel panels[3];
    for (size_t i = 0; i < 2; i++) {
        const Tensor *input = stage_tensor(stage, node->inputs[i]);
        bool scalar = tensor_cells(input) == 1 &&
                      tensor_cells(stage_tensor(stage, stage->node)) > 1;
        panels[i] = scalar ? scalar_panel(stage, node->inputs[i], i ? sign : NULL)
                           : panel_of(stage, node->inputs[i], i ? sign : NULL);
    }
    panels[2] = panel_of_output(stage, "=");
    choose_scales(stage, panels, 3);
    panels_show(stage, panels, 3);
    for (size_t i = 0; i < 2; i++)
        outline_source(stage, &panels[i], stage_color(stage, node->inputs[i], i));
}

/* Strikes out what is set to zero, by ReLU or dropout. */
static void strike_zeroed(const Stage *stage, const Panel *output, const Tensor *input) {
    for (size_t i = 0; i < tensor_cells(input) && i < output->heatmap.visible; i++) {
        if (input->values[i] != 0 && output->tensor->values[i] == 0)
            heatmap_strike_cell(stage->canvas, &output->heatmap, i / input->cols,
                                i % input->cols);
    }
}

/* Returns the formula above the arrow, of x. */
static const char *above_arrow(const Stage *stage, const Operation *operation) {
    if (operation->arrow)
        return operation->arrow;
    const char *hole = strstr(operation->formula, "#1");
    return canvas_format(stage->canvas, "%.*sx%s", (int)(hole - operation->formula),
                         operation->formula, hole + strlen("#1"));
}

/* Draws one token's units, each on the curve of its activation function. */
static bool units_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    if (!operation_of(node->operation)->bends)
        return false;
    Network network = NETWORK_NONE;
    network.z = node->inputs[0];
    network.a = stage->node;
    return node->operands[0]->cols <= HINGES_MOST && network_picture(stage, &network);
}

/* Draws tables; the units if an operation is an activation function and there are few
 * enough. */
void unary_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    if (units_picture(stage))
        return;
    Panel panels[2] = {panel_of(stage, node->inputs[0], NULL),
                       panel_of_output(stage, "\\to")};
    panels[1].sign_above = above_arrow(stage, operation_of(node->operation));
    choose_scales(stage, panels, 2);
    panels_show(stage, panels, 2);
    strike_zeroed(stage, &panels[1], panels[0].tensor);
    outline_source(stage, &panels[0], stage_color(stage, node->inputs[0], 0));
}
