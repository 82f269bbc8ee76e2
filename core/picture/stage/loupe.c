#include "picture/stage/panels_parts.h"

#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double CELL_W = 76, WIDEST_CELL = 150, CELL_H = 42; /* units */
static const double LEAST_LEFT = 320; /* units kept for the tables */
static const double GAP = 22, BETWEEN = 10, LABELS = 30;
static const double NAME_UNITS = 19, SIGN_UNITS = 24, NAME_SHARE = 0.26, SIGN = 34;
/* Points: lowest row that gets a frame; wedge that marks a lower row. */
static const double LEAST_FRAMED = 8, WEDGE = 10;
static const double LABEL_PAD = 5;           /* points */
static const double MORE = 34, NAME_GAP = 8; /* room for "…"; gap before it */
enum { LEAST_CELLS = 3 };

static bool is_dense(const Stage *stage, const Panel *panel) {
    return panel->tensor && panel->node != TAPE_NONE && panel->colors != HEATMAP_PLAIN &&
           heatmap_number_size(stage->canvas, &panel->heatmap) == 0;
}

static bool is_alike(const Tensor *a, const Tensor *b) {
    return a->rows == b->rows && a->cols == b->cols;
}

static bool is_input(const Stage *stage, size_t node, size_t of) {
    const TapeNode *at = stage_node(stage, of);
    for (size_t i = 0; i < at->input_count; i++) {
        if (at->inputs[i] == node)
            return true;
    }
    return false;
}

/* Returns true if the cells differ: equal ones aren't worth enlarging. */
static bool says_something(const Tensor *tensor, const Loupe *loupe) {
    for (size_t j = loupe->col + 1; j < loupe->end; j++) {
        if (tensor_at(tensor, loupe->row, j) != tensor_at(tensor, loupe->row, loupe->col))
            return true;
    }
    return false;
}

/* Sets the width of a cell to that of the widest label of its tensor, within limits. */
static void measure_cell(const Stage *stage, const Tensor *tensor, Loupe *loupe) {
    double widest = heatmap_col_labels(stage->canvas, tensor).flat + 2 * LABEL_PAD;
    loupe->labelled = tensor->col_labels && widest <= WIDEST_CELL;
    loupe->cell = loupe->labelled ? fmax(CELL_W, ceil(widest)) : CELL_W;
}

Loupe loupe_of(const Stage *stage, const Panel *panels, size_t count) {
    Loupe loupe = {.row = stage->focus_row};
    size_t focus = 0;
    while (focus < count && panels[focus].node != stage->focus_node)
        focus++;
    if (!stage->has_focus || stage->values || stage->is_question || focus == count ||
        !is_dense(stage, &panels[focus]))
        return loupe;
    const Tensor *tensor = panels[focus].tensor;
    double room = stage->area.w * (1 - NAME_SHARE) - (SIGN + 2 * MORE);
    measure_cell(stage, tensor, &loupe);
    size_t most = (size_t)fmax(floor(room / loupe.cell), 1);
    size_t cells = most < tensor->cols ? most : tensor->cols;
    size_t before = cells / 2 < stage->focus_col ? stage->focus_col - cells / 2 : 0;
    loupe.col = before + cells > tensor->cols ? tensor->cols - cells : before;
    loupe.end = loupe.col + cells;
    if (cells < LEAST_CELLS || !says_something(tensor, &loupe))
        return loupe;
    for (size_t i = 0; i < count && loupe.count + 1 < LOUPE_ROWS_MOST; i++) {
        if (i != focus && is_dense(stage, &panels[i]) &&
            is_alike(panels[i].tensor, tensor) &&
            is_input(stage, panels[i].node, panels[focus].node))
            loupe.panels[loupe.count++] = i;
    }
    loupe.panels[loupe.count++] = focus;
    if (stage->area.h - loupe_height(&loupe) < LEAST_LEFT)
        loupe.count = 0;
    return loupe;
}

double loupe_height(const Loupe *loupe) {
    double rows = (double)loupe->count;
    if (!loupe->count)
        return 0;
    return GAP + rows * CELL_H + (rows - 1) * BETWEEN + (loupe->labelled ? LABELS : 0);
}

/* Draws the name, such as "S_7 [you]", before the row, with the sign before its table. */
static void draw_name(const Stage *stage, const Panel *panel, const Loupe *loupe, Box row,
                      bool signs) {
    const Canvas *canvas = stage->canvas;
    const char *const *labels = panel->tensor->row_labels;
    const char *label =
        labels ? labels[loupe->row] : canvas_format(canvas, "%zu", loupe->row);
    double middle = row.y + row.h / 2;
    double right = row.x - (MORE + NAME_GAP);
    const char *name = canvas_format(canvas, "%s\\text{ [%s]}", panel->formula, label);
    double room = stage->area.w * NAME_SHARE;
    if (canvas_formula_extent(canvas, name, canvas_size(canvas, NAME_UNITS, "")).width >
        room)
        name = canvas_format(canvas, "\\text{[%s]}", label);
    Box drawn =
        canvas_formula(canvas, name, NAME_UNITS, (Point){right, middle}, LABEL_RIGHT);
    if (signs && panel->sign)
        canvas_formula(canvas, panel->sign, SIGN_UNITS,
                       (Point){drawn.x - SIGN / 2, middle}, LABEL_CENTER);
}

static void draw_more(const Canvas *canvas, double middle, double y) {
    canvas_label(canvas, FONT_TEXT, NAME_UNITS, canvas->theme->ink_faint,
                 (Point){middle, round(y)}, LABEL_CENTER, "…");
}

/* Returns how many of the loupe's cells are computed. */
static size_t visible_of(const Stage *stage, const Panel *panel, const Loupe *loupe) {
    size_t first = loupe->row * panel->tensor->cols + loupe->col;
    size_t cells = loupe->end - loupe->col;
    if (!panel->is_output || stage->visible >= first + cells)
        return cells;
    return stage->visible > first ? stage->visible - first : 0;
}

/* Draws a row of a tensor, linked to the cells it shows; with `labels`, the labels of its
 * columns above it. */
static void draw_row(const Stage *stage, const Panel *panel, const Loupe *loupe, Box row,
                     const char *const *labels) {
    const Canvas *canvas = stage->canvas;
    const Tensor *all = panel->tensor;
    size_t cells = loupe->end - loupe->col;
    Tensor *part = canvas_tensor(canvas, 1, cells);
    part->col_labels = labels ? labels + loupe->col : NULL;
    for (size_t j = 0; j < cells; j++)
        part->values[j] = tensor_at(all, loupe->row, loupe->col + j);
    Heatmap heatmap = {.tensor = part,
                       .node = TAPE_NONE,
                       .cells = row,
                       .colors = panel->colors,
                       .reach = panel->reach,
                       .exponent = panel->heatmap.exponent,
                       .visible = visible_of(stage, panel, loupe),
                       .col_labels = labels,
                       .has_focus = true,
                       .focus_row = loupe->row,
                       .focus_col = stage->focus_col - loupe->col,
                       .number_size = canvas_size(canvas, NAME_UNITS, "")};
    heatmap_draw(canvas, &heatmap);
    for (size_t j = 0; j < cells; j++) {
        canvas_link_cell(canvas, panel->node, loupe->row, loupe->col + j);
        canvas_target(canvas, heatmap_cells(&heatmap, 0, 1, j, j + 1));
    }
    canvas_unlink(canvas);
    if (panel->node == stage->focus_node)
        heatmap_outline_cell(canvas, &heatmap, 0, stage->focus_col - loupe->col,
                             canvas->theme->focus);
    double y = row.y + row.h * 0.6, more = MORE / 2;
    if (loupe->col > 0)
        draw_more(canvas, row.x - more, y);
    if (loupe->end < all->cols)
        draw_more(canvas, row.x + row.w + more, y);
}

/* Frames the enlarged row; two wedges mark a row that is too low for a frame. */
static void mark_row(const Canvas *canvas, const Heatmap *heatmap, size_t row) {
    Box box = heatmap_cells(heatmap, row, row + 1, 0, heatmap->tensor->cols);
    double middle = box.y + box.h / 2;
    if (box.h >= LEAST_FRAMED) {
        heatmap_outline(canvas, heatmap, row, row + 1, 0, heatmap->tensor->cols,
                        canvas->theme->focus);
        return;
    }
    for (int side = -1; side <= 1; side += 2) {
        double x = side < 0 ? box.x - 2 : box.x + box.w + 2;
        const Point wedge[] = {{x, middle},
                               {x + side * WEDGE, middle - WEDGE * 0.6},
                               {x + side * WEDGE, middle + WEDGE * 0.6}};
        scene_polygon(canvas->scene, wedge, 3, canvas->theme->focus);
    }
}

void loupe_draw(const Stage *stage, const Panel *panels, const Loupe *loupe, Box strip) {
    const Canvas *canvas = stage->canvas;
    if (!loupe->count)
        return;
    /* the focused table was measured; its inputs may have no labels */
    const Tensor *labelled = panels[loupe->panels[loupe->count - 1]].tensor;
    double width = loupe->cell * (double)(loupe->end - loupe->col);
    double names = stage->area.w * NAME_SHARE + SIGN + MORE + NAME_GAP;
    double x = fmax(strip.x + (strip.w - width) / 2, strip.x + names);
    double y = strip.y + GAP + (loupe->labelled ? LABELS : 0);
    for (size_t i = 0; i < loupe->count; i++) {
        const Panel *panel = &panels[loupe->panels[i]];
        Box row = {round(x), round(y), width, CELL_H};
        mark_row(canvas, &panel->heatmap, loupe->row);
        draw_name(stage, panel, loupe, row, i > 0);
        draw_row(stage, panel, loupe, row,
                 i == 0 && loupe->labelled ? labelled->col_labels : NULL);
        y += row.h + BETWEEN;
    }
}
