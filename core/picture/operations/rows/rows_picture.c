#include "lesson/content/content.h"
#include "lesson/content/sources.h"
#include "lesson/play/player.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/tensors/views.h"
#include "tensor/operations/kernels.h"
#include "tensor/tape/tape.h"

#include <math.h>

enum { LEAST_BARS = 5 }; /* fewer numbers compare as well in their cells */

static const double RESULT = 250, RESULT_LINE = 60, RESULT_WORD = 26, NAME_UNITS = 24;

/* ---- reductions: each row to one number ---- */

static void draw_reduction(const Stage *stage, Panel *panels) {
    size_t input = stage_node(stage, stage->node)->inputs[0], row = stage->focus_row;
    panels[0] = panel_of(stage, input, NULL);
    panels[1] = panel_of_output(stage, "\\to");
    panels[1].sign_above = stage_operation_words(stage, stage->node);
    panels_show(stage, panels, 2);
    if (stage->has_focus && row < panels[0].tensor->rows)
        heatmap_outline(stage->canvas, &panels[0].heatmap, row, row + 1, 0,
                        panels[0].tensor->cols, stage_color(stage, input, 0));
}

void reduction_picture(const Stage *stage) {
    Panel panels[2];
    draw_reduction(stage, panels);
}

/* Draws "most = 23", framed if it is explained; the frame contains the whole name. */
static void draw_most(const Stage *stage, Point middle) {
    const Canvas *canvas = stage->canvas;
    double most = stage_tensor(stage, stage->node)->values[0];
    bool visible = view_cell_visible(stage, 0, 0);
    Box name = canvas_formula(canvas, stage_formula_name(stage, stage->node), NAME_UNITS,
                              middle, LABEL_LEFT);
    canvas_link(canvas, (Link){LINK_CELL, stage->node, 0, 0});
    Box number = canvas_label(
        canvas, FONT_BOLD, NAME_UNITS - 2, canvas->theme->ink,
        (Point){name.x + name.w, round(middle.y + NAME_UNITS * 0.32)}, LABEL_LEFT,
        canvas_format(canvas, " = %s",
                      visible ? view_number(stage, stage->node, most) : "?"));
    canvas_unlink(canvas);
    double top = fmin(name.y, number.y);
    double bottom = fmax(name.y + name.h, number.y + number.h);
    if (stage->has_focus)
        canvas_outline(
            canvas,
            box_inset((Box){name.x, top, number.x + number.w - name.x, bottom - top}, -6),
            4, canvas->theme->focus, 2);
}

/* Draws a single row as bars with the largest marked: an arrow leads to its word, with
 * the operation's output below. */
static void draw_largest_bar(const Stage *stage, size_t input) {
    const Canvas *canvas = stage->canvas;
    const Tensor *x = stage_tensor(stage, input);
    const Tensor *out = stage_tensor(stage, stage->node);
    size_t best = kernel_argmax(x->values, x->cols);
    Stage bars = *stage;
    Box right = box_take_right(&bars.area, RESULT);
    bars.node = input;
    bars.has_focus = false;
    bars.visible = (size_t)-1;
    bars_view(&bars, (ViewPlace){0, 1});
    bool visible = view_cell_visible(stage, 0, 0);
    double size = canvas_size(canvas, RESULT_WORD, "一");
    const char *word = x->col_labels ? x->col_labels[best]
                                     : view_number(stage, stage->node, out->values[0]);
    box_take_left(&right, 20);
    Box strip = {right.x, round(right.y + right.h * 0.4), right.w, token_height(size)};
    sentence_draw_next(stage, strip, size, visible ? word : "?", NULL,
                       (Link){LINK_CELL, stage->node, 0, 0}, visible);
    draw_most(stage, (Point){strip.x, strip.y + strip.h + 40});
}

/* Draws the largest of several IDs marked in their vocabulary, because IDs are names, not
 * amounts. */
static void draw_largest_id(const Stage *stage, size_t input) {
    const Tensor *ids = stage_tensor(stage, input);
    Stage row = *stage;
    Box below = box_take_bottom(&row.area, RESULT_LINE);
    row.node = row.focus_node = input;
    row.has_focus = view_cell_visible(stage, 0, 0);
    row.focus_row = 0;
    row.focus_col = kernel_argmax(ids->values, ids->cols);
    row.visible = (size_t)-1;
    vocabulary_view(&row, (ViewPlace){0, 1});
    draw_most(stage, (Point){below.x + 8, round(below.y + below.h / 2)});
}

void largest_picture(const Stage *stage) {
    Panel panels[2];
    size_t input = stage_node(stage, stage->node)->inputs[0];
    const Tensor *x = stage_tensor(stage, input);
    const LessonSource *source = lesson_source_of(stage->player->lesson->sources, input);
    if (x->rows == 1 && x->cols >= LEAST_BARS) {
        if (source && source->tokenizer)
            draw_largest_id(stage, input);
        else
            draw_largest_bar(stage, input);
        return;
    }
    draw_reduction(stage, panels);
    for (size_t i = 0; i < x->rows; i++) {
        size_t best = kernel_argmax(x->values + i * x->cols, x->cols);
        heatmap_mark_largest(stage->canvas, &panels[0].heatmap, i, best);
    }
}

/* ---- top-k and top-p: logits that remain to sample from; the probabilities between are
 * the softmax of each row ---- */

static Panel shares_panel(const Stage *stage, size_t input) {
    const Tensor *x = stage_tensor(stage, input);
    Tensor *shares = canvas_tensor_like(stage->canvas, x);
    kernel_softmax(shares->values, x->values, x->rows, x->cols);
    return (Panel){.sign = "\\to",
                   .sign_above = "\\op{softmax}",
                   .node = TAPE_NONE,
                   .tensor = shares,
                   .formula =
                       canvas_format(stage->canvas, "\\op{softmax}\\left(%s\\right)",
                                     stage_formula_name(stage, input)),
                   .colors = HEATMAP_PROBABILITIES};
}

static bool is_kept(const Tensor *out, size_t row, size_t col) {
    return tensor_at(out, row, col) != -INFINITY;
}

/* Strikes out what is cut from a row and frames what remains. */
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

/* Returns the total probability of the remaining columns of each row. */
static const char *const *kept_shares(const Stage *stage, const Tensor *shares,
                                      const Tensor *out) {
    const char **notes =
        arena_alloc(stage->canvas->scene->arena, shares->rows, sizeof *notes);
    for (size_t i = 0; i < shares->rows; i++) {
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
    Panel panels[3] = {panel_of(stage, node->inputs[0], NULL),
                       shares_panel(stage, node->inputs[0]),
                       panel_of_output(stage, "\\to")};
    panels[1].row_notes = kept_shares(stage, panels[1].tensor, out);
    panels[2].sign_above = canvas_format(stage->canvas, "p = %g", node->options.share);
    panels_show(stage, panels, 3);
    mark_choice(stage, &panels[1], out);
}
