#include "picture/operations/pictures.h"
#include "tensor/operations/kernels.h"

static void outline_row(const Stage *stage, const Panel *panel, Color color) {
    if (stage->has_focus && panel->tensor && stage->focus_row < panel->tensor->rows)
        heatmap_outline(stage->canvas, &panel->heatmap, stage->focus_row,
                        stage->focus_row + 1, 0, panel->tensor->cols, color);
}

/* ---- reductions: each row to one number ---- */

static void draw_reduction(const Stage *stage, Panel *panels) {
    const TapeNode *node = stage_node(stage, stage->node);
    panels[0] = panel_of(stage, node->inputs[0], NULL);
    panels[1] = panel_of_output(stage, "\\to");
    panels[1].sign_above = stage_operation_words(stage, stage->node);
    panels_show(stage, panels, 2);
    outline_row(stage, &panels[0], stage_color(stage, node->inputs[0], 0));
}

void reduction_picture(const Stage *stage) {
    Panel panels[2];
    draw_reduction(stage, panels);
}

void largest_picture(const Stage *stage) {
    Panel panels[2];
    draw_reduction(stage, panels);
    const Tensor *x = stage_tensor(stage, stage_node(stage, stage->node)->inputs[0]);
    for (size_t i = 0; i < x->rows; i++) {
        size_t best = kernel_argmax(x->values + i * x->cols, x->cols);
        heatmap_outline_cell(stage->canvas, &panels[0].heatmap, i, best,
                             stage->canvas->theme->accent);
    }
}
