#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/draw/canvas.h"
#include "picture/operations/matrices/falk.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Falk's scheme: the left factor stands to the left of the product, the right factor
 * above it, so that every cell of the product lies where its row and its column meet. */

static const double GAP = 44, BRACKET = 7, PART_UNITS = 19;

Falk *falk_of(const Stage *stage, size_t product, size_t instead) {
    const TapeNode *node = stage_node(stage, product);
    Falk *falk = arena_alloc(stage->canvas->scene->arena, 1, sizeof *falk);
    if (!falk)
        return NULL;
    falk->figure = figure_of(stage);
    Figure *figure = &falk->figure;
    box_take_bottom(&figure->area, 4);
    const Tensor *a = stage_tensor(stage, node->inputs[0]),
                 *b = stage_tensor(stage, node->inputs[1]);
    figure->across[FALK_INNER] = figure_cells(a->cols, 1);
    figure->across[FALK_INNER].within = 1 + FALK_OUTER;
    figure->across[FALK_BETWEEN] = figure->down[FALK_ABOVE] = track_of(GAP);
    figure->across[FALK_OUTER] = figure_cells(b->cols, 0);
    bool picks = stage_node(stage, node->inputs[0])->operation == OPERATION_ONE_HOT;
    /* To be readable if rows are selected. */
    figure->down[FALK_INNER_ROWS] = figure_cells(b->rows, picks ? 0 : 1);
    figure->down[FALK_INNER_ROWS].within = 1 + FALK_OUTER_ROWS;
    figure->down[FALK_OUTER_ROWS] = figure_cells(a->rows, 0);
    figure->columns = FALK_COLUMNS;
    figure->lines = FALK_LINES;
    falk->left = figure_add(figure, node->inputs[0], NULL, FALK_INNER, FALK_OUTER_ROWS);
    falk->right = figure_add(figure, node->inputs[1], NULL, FALK_OUTER, FALK_INNER_ROWS);
    falk->made = figure_add(figure, instead, NULL, FALK_OUTER, FALK_OUTER_ROWS);
    falk->left->labels = FALK_LABELS;
    falk->left->below = FALK_BELOW;
    falk->right->heads = FALK_HEADS;
    falk->right->beside = falk->made->beside = FALK_NAMES;
    const TapeNode *right = stage_node(stage, falk->right->node);
    if (!falk->right->tab.name && falk->made->tab.name &&
        /* Weights of the role, whatever their name. */
        right->operation == OPERATION_GIVEN)
        falk->right->tab = caption_tab_of(stage, falk->right->formula, falk->right->node,
                                          falk->made->tab.role, true);
    return falk;
}

/* Draws bands from the focused row and column to the cell where they meet. */
static void draw_bands(const Stage *stage, const Heatmap *a, const Heatmap *b) {
    const Canvas *canvas = stage->canvas;
    Box row =
        heatmap_cells(a, stage->focus_row, stage->focus_row + 1, 0, a->tensor->cols);
    Box col =
        heatmap_cells(b, 0, b->tensor->rows, stage->focus_col, stage->focus_col + 1);
    Color left = stage_color(stage, a->node, 0), top = stage_color(stage, b->node, 1);
    left.a = top.a = 28;
    canvas_fill(canvas, (Box){row.x + row.w, row.y, b->cells.x - row.x - row.w, row.h}, 0,
                left);
    canvas_fill(canvas, (Box){col.x, col.y + col.h, col.w, a->cells.y - col.y - col.h}, 0,
                top);
}

static void draw_focus(const Stage *stage, const Heatmap *a, const Heatmap *b,
                       const Heatmap *c, Color color) {
    const Canvas *canvas = stage->canvas;
    size_t row = stage->focus_row, col = stage->focus_col;
    size_t pairs = a->tensor->cols;
    heatmap_outline(canvas, a, row, row + 1, 0, pairs, stage_color(stage, a->node, 0));
    heatmap_outline(canvas, b, 0, pairs, col, col + 1, stage_color(stage, b->node, 1));
    bool picks = stage_node(stage, a->node)->operation == OPERATION_ONE_HOT;
    for (size_t i = 0; picks && i < pairs; i++) { /* the row of b that is selected */
        if (tensor_at(a->tensor, row, i) > 0)
            heatmap_outline(canvas, b, i, i + 1, 0, b->tensor->cols,
                            stage_color(stage, a->node, 0));
    }
    heatmap_outline_cell(canvas, c, row, col, color);
}

/* Draws a bracket between two points, above or left of it, with ticks and name on the
 * outer side. */
static void draw_bracket(const Canvas *canvas, Point from, Point to, const char *name) {
    bool above = from.y == to.y;
    double tick_x = above ? 0 : BRACKET, tick_y = above ? BRACKET : 0;
    const Point path[] = {
        {from.x + tick_x, from.y + tick_y}, from, to, {to.x + tick_x, to.y + tick_y}};
    scene_path(canvas->scene, path, 4, 2, canvas->theme->ink_soft);
    canvas_formula(canvas, name, PART_UNITS,
                   above ? (Point){(from.x + to.x) / 2, from.y - 2 * BRACKET}
                         : (Point){from.x - BRACKET, (from.y + to.y) / 2},
                   above ? LABEL_CENTER : LABEL_RIGHT);
}

/* Labels parts side by side: their columns, and the rows that are multiplied with
 * them. */
static void draw_parts(const Stage *stage, const Heatmap *a, const Heatmap *b) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *joined = stage_node(stage, a->node);
    if (joined->operation != OPERATION_CONCAT || a->col_labels || b->row_labels)
        return;
    double size = canvas_size(canvas, PART_UNITS, "");
    for (size_t i = 0, begin = 0; i < joined->input_count; i++) {
        size_t end = begin + joined->operands[i]->cols;
        const char *name = stage_formula_name(stage, joined->inputs[i]);
        Box cols = heatmap_cells(a, 0, 1, begin, end),
            rows = heatmap_cells(b, begin, end, 0, 1);
        begin = end;
        if (canvas_formula_extent(canvas, name, size).width > cols.w || rows.h < size)
            continue;
        draw_bracket(canvas, (Point){cols.x + 2, cols.y - 2 * BRACKET},
                     (Point){cols.x + cols.w - 2, cols.y - 2 * BRACKET}, name);
        draw_bracket(canvas, (Point){rows.x - 2 * BRACKET, rows.y + 2},
                     (Point){rows.x - 2 * BRACKET, rows.y + rows.h - 2}, name);
    }
}

/* Labels the summed axis in the free corner, where the left factor's column labels and
 * the right factor's row labels would meet: the right factor's if its rows have room, the
 * left factor's if there is room below those. */
static void label_corner(const Canvas *canvas, Heatmap *a, Heatmap *b, double gap,
                         double room) {
    double pitch = b->cells.h / (double)b->tensor->rows;
    b->row_labels = b->tensor->row_labels && pitch >= canvas_size(canvas, 17, "一") * 1.1;
    b->label_room = room;
    double cell_w = a->cells.w / (double)a->tensor->cols;
    double most = b->row_labels ? gap - 8 : gap + b->cells.h;
    double wanted = heatmap_col_label_height(canvas, a->tensor, cell_w, INFINITY);
    a->col_labels = wanted > 0 && wanted <= most;
}

void falk_draw(Falk *falk, Color focus) {
    Figure *figure = &falk->figure;
    const Stage *stage = figure->stage;
    Heatmap *a = &falk->left->heatmap, *b = &falk->right->heatmap;
    stage_focus(stage, a, true, false);
    stage_focus(stage, b, false, true);
    label_corner(stage->canvas, a, b, figure->across[FALK_BETWEEN].size,
                 b->cells.x - stage->area.x);
    if (stage->has_focus)
        draw_bands(stage, a, b);
    figure_draw(figure);
    draw_parts(stage, a, b);
    if (stage->has_focus)
        draw_focus(stage, a, b, &falk->made->heatmap, focus);
}

void matmul_picture(const Stage *stage) {
    Falk *falk = falk_of(stage, stage->node, stage->node);
    if (!falk)
        return;
    falk->made->is_result = true;
    figure_lay_out(&falk->figure);
    falk_draw(falk, stage->canvas->theme->focus);
}

/* Returns the product that a table of its shape is computed from, as attention weights
 * are from scores, by following first inputs; 0: there is none. */
static size_t product_behind(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    const Tensor *shape = &at->output;
    while (at->operation != OPERATION_MATMUL) {
        if (!at->input_count || at->output.rows != shape->rows ||
            at->output.cols != shape->cols)
            return 0;
        node = at->inputs[0];
        at = stage_node(stage, node);
    }
    return node;
}

bool meeting_picture(const Stage *stage) {
    const size_t *shown = stage->step->shown;
    if (stage->step->shown_count != 3 || stage->is_question || stage->values)
        return false;
    size_t product = product_behind(stage, shown[2]);
    const TapeNode *node = stage_node(stage, product);
    if (!product || product == shown[2] || node->inputs[0] != shown[0])
        return false;
    const TapeNode *right = stage_node(stage, node->inputs[1]);
    if (right->operation != OPERATION_TRANSPOSE || right->inputs[0] != shown[1])
        return false;
    Falk *falk = falk_of(stage, product, shown[2]);
    if (!falk)
        return false;
    falk->made->is_result = falk->figure.own_legends = true;
    figure_lay_out(&falk->figure);
    falk_draw(falk, stage->canvas->theme->focus);
    return true;
}
