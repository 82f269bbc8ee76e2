#include "base/maths.h"
#include "base/number.h"
#include "picture/operations/pictures.h"
#include "tensor/kernels.h"

#include <stdio.h>
#include <string.h>

/* A number inside a formula: ASCII, as formulas are written. */
static const char *formula_number(const Stage *stage, double value) {
    if (isinf(value))
        return value < 0 ? "-\\infty" : "\\infty";
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%.3f", value);
    return canvas_format(stage->canvas, "%s", strcmp(text, "-0.000") ? text : "0.000");
}

/* A formula beside each row: `format` has one %s, for that row's number. */
static const char *const *row_notes(const Stage *stage, const Tensor *tensor,
                                    const char *name,
                                    double (*of)(const double *, size_t)) {
    const char **notes =
        arena_alloc(stage->canvas->scene->arena, tensor->rows, sizeof *notes);
    for (size_t i = 0; notes && i < tensor->rows; i++)
        notes[i] = canvas_format(
            stage->canvas, "%s %s", name,
            formula_number(stage, of(tensor->values + i * tensor->cols, tensor->cols)));
    return notes;
}

static void outline_row(const Stage *stage, const Panel *panel, Color color) {
    if (stage->has_focus && panel->tensor && stage->focus_row < panel->tensor->rows)
        heatmap_outline(stage->canvas, &panel->heatmap, stage->focus_row,
                        stage->focus_row + 1, 0, stage_lit(stage, panel->tensor->cols),
                        color);
}

/* ---- softmax: scores → exponentials with the row's total → shares ---- */

static double row_largest(const double *x, size_t d) {
    return x[kernel_argmax(x, d)];
}

static double row_sum(const double *x, size_t d) {
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += x[j];
    return sum;
}

static Tensor *exponentials(const Stage *stage, const Tensor *scores) {
    Tensor *out = canvas_tensor_like(stage->canvas, scores);
    for (size_t i = 0; out && i < scores->rows; i++) {
        const double *row = scores->values + i * scores->cols;
        double largest = row_largest(row, scores->cols);
        for (size_t j = 0; j < scores->cols; j++)
            out->values[i * scores->cols + j] =
                largest == -INFINITY ? 0 : exp(row[j] - largest);
    }
    return out;
}

void softmax_picture(const Stage *stage) {
    const Canvas *canvas = stage->canvas;
    size_t input = stage_node(stage, stage->node)->inputs[0];
    const Tensor *scores = stage_tensor(stage, input);
    Tensor *raised = exponentials(stage, scores);
    if (!raised) {
        plain_picture(stage);
        return;
    }
    Panel panels[3] = {panel_of(stage, input, NULL)};
    panels[0].row_notes = row_notes(stage, scores, "\\op{max} =", row_largest);
    panels[1] = (Panel){.sign = "\\to",
                        .sign_above = "e^{x - \\max}",
                        .node = TAPE_NONE,
                        .tensor = raised,
                        .formula = "e^{x - \\max}",
                        .row_notes = row_notes(stage, raised, "\\Sigma =", row_sum),
                        .colors = HEATMAP_SHARES};
    panels[2] = panel_of_output(stage, "\\to");
    panels[2].sign_above = "\\div \\Sigma";
    panels[2].note = canvas_string(canvas, "stage.rows_sum_to_one");
    panels_show(stage, panels, 3);
    outline_row(stage, &panels[0], stage_color(stage, input, 0));
    outline_row(stage, &panels[1], canvas->theme->ink_soft);
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
