#include "picture/operations/pictures.h"
#include "tensor/operations/kernels.h"

#include <math.h>

/* What is left of a row of logits to choose from: top-k and top-p cut all but a few. The
 * shares between are the softmax of each row. */

static Tensor *softmax_of(const Stage *stage, const Tensor *x) {
    Tensor *out = canvas_tensor_like(stage->canvas, x);
    if (out)
        kernel_softmax(out->values, x->values, x->rows, x->cols);
    return out;
}

static Panel shares_panel(const Stage *stage, size_t input, const Tensor *shares) {
    return (Panel){.sign = "\\to",
                   .sign_above = "\\op{softmax}",
                   .node = TAPE_NONE,
                   .tensor = shares,
                   .formula =
                       canvas_format(stage->canvas, "\\op{softmax}\\left(%s\\right)",
                                     stage_formula_name(stage, input)),
                   .colors = HEATMAP_SHARES};
}

/* ---- top-k and top-p ---- */

static bool is_kept(const Tensor *out, size_t row, size_t col) {
    return tensor_at(out, row, col) != -INFINITY;
}

/* Strikes out what is cut of a row and frames what stays. */
static void mark_choice(const Stage *stage, const Panel *panel, const Tensor *out) {
    const Canvas *canvas = stage->canvas;
    for (size_t i = 0; i < tensor_cells(out) && i < stage->visible; i++) {
        size_t row = i / out->cols, col = i % out->cols;
        if (is_kept(out, row, col))
            heatmap_outline_cell(canvas, &panel->heatmap, row, col,
                                 canvas->theme->ink_soft);
        else
            heatmap_strike_cell(canvas, &panel->heatmap, row, col);
    }
}

void top_k_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Panel panels[2] = {panel_of(stage, node->inputs[0], NULL),
                       panel_of_output(stage, "\\to")};
    panels[1].sign_above = canvas_format(stage->canvas, "k = %zu", node->options.keep);
    panels_show(stage, panels, 2);
    mark_choice(stage, &panels[0], stage_tensor(stage, stage->node));
}

/* How much the kept columns of each row have together. */
static const char *const *kept_shares(const Stage *stage, const Tensor *shares,
                                      const Tensor *out) {
    const char **notes =
        arena_alloc(stage->canvas->scene->arena, shares->rows, sizeof *notes);
    for (size_t i = 0; notes && i < shares->rows; i++) {
        double kept = 0;
        for (size_t j = 0; j < shares->cols; j++)
            kept += is_kept(out, i, j) ? tensor_at(shares, i, j) : 0;
        notes[i] = canvas_format(stage->canvas, "\\Sigma = %.3f", kept);
    }
    return notes;
}

void top_p_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    const Tensor *out = stage_tensor(stage, stage->node);
    const Tensor *shares = softmax_of(stage, stage_tensor(stage, node->inputs[0]));
    if (!shares) {
        plain_picture(stage);
        return;
    }
    Panel panels[3] = {panel_of(stage, node->inputs[0], NULL),
                       shares_panel(stage, node->inputs[0], shares),
                       panel_of_output(stage, "\\to")};
    panels[1].row_notes = kept_shares(stage, shares, out);
    panels[2].sign_above = canvas_format(stage->canvas, "p = %g", node->options.share);
    panels_show(stage, panels, 3);
    mark_choice(stage, &panels[1], out);
}
