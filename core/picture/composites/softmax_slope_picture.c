#include "picture/composites/composites.h"

#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/stage/caption.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

enum { ROWS_MOST = 8, COLUMNS_MOST = 10, SEGMENTS = 96, LABELLED_FROM = 3 };

/* Lengths in units. */
static const double NAME = 22, TICK = 15, COUNT = 16, CAPTION = 52, DROP = 22;
static const double LEAST_HEIGHT = 200, LEAST_ROW = 26, TALLEST_ROW = 58, DOT = 7,
                    GAP = 44;
static const double TABLES_FRACTION = 0.42, TICKS = 48, HEAD = 44, FOOT = 58;
static const double MARGIN = 0.04, HEADROOM = 1.12; /* fractions of the range */
static const double HIGHEST = 0.25;                 /* ½ (1 − ½) */
static const int DOT_ALPHA = 190;

typedef struct SoftmaxSlope {
    const Stage *stage;
    size_t probabilities; /* node */
    const Tensor *a, *out;
    Plot plot;
    double radius;
} SoftmaxSlope;

/* ---- conditions ---- */

/* Reports whether a node is 1 minus another. */
static bool is_rest_of(const Stage *stage, size_t node, size_t probabilities) {
    const TapeNode *at = stage_node(stage, node);
    return at->operation == OPERATION_SUBTRACT && !at->muted &&
           at->inputs[1] == probabilities && tensor_cells(at->operands[0]) == 1 &&
           at->operands[0]->values[0] == 1;
}

static bool find(SoftmaxSlope *slope) {
    const Stage *stage = slope->stage;
    const TapeNode *node = stage_node(stage, stage->node);
    if (stage->values || stage->is_question || node->muted ||
        node->operation != OPERATION_MULTIPLY || !player_step(stage->player)->child_count)
        return false;
    slope->probabilities =
        node->inputs[is_rest_of(stage, node->inputs[0], node->inputs[1])];
    slope->a = stage_tensor(stage, slope->probabilities);
    slope->out = stage_tensor(stage, stage->node);
    bool valid = stage_colors(stage->tape, slope->probabilities) == HEATMAP_PROBABILITIES;
    for (size_t i = 0; i < tensor_cells(slope->a); i++)
        valid &= slope->a->values[i] >= 0 && slope->a->values[i] <= 1;
    return valid && slope->a->rows <= ROWS_MOST && slope->a->cols <= COLUMNS_MOST &&
           (is_rest_of(stage, node->inputs[0], node->inputs[1]) ||
            is_rest_of(stage, node->inputs[1], node->inputs[0]));
}

/* ---- the curve ---- */

static Point point_of(const SoftmaxSlope *slope, double probability) {
    return plot_point(&slope->plot, probability, probability * (1 - probability));
}

static void draw_axes(const SoftmaxSlope *slope) {
    const Stage *stage = slope->stage;
    const Canvas *canvas = stage->canvas;
    const Plot *plot = &slope->plot;
    double bottom = plot->box.y + plot->box.h, size = canvas_size(canvas, TICK, "");
    plot_draw_ticks(plot);
    static const char *const ticks[] = {"0", "0.5", "1"};
    for (size_t i = 0; i < 3; i++)
        canvas_text(canvas, FONT_TEXT, size, plot->ink,
                    (Point){plot_x(plot, (double)i / 2), round(bottom + size * 1.5)},
                    LABEL_CENTER, ticks[i]);
    canvas_formula(
        canvas, stage_formula_name(stage, slope->probabilities), NAME,
        (Point){plot->box.x + plot->box.w / 2, round(bottom + size * 1.5 + DROP)},
        LABEL_CENTER);
    canvas_formula(canvas, stage_formula_name(stage, stage->node), NAME,
                   (Point){plot->box.x, round(plot->box.y - DROP)}, LABEL_LEFT);
}

static void draw_curve(const SoftmaxSlope *slope) {
    const Canvas *canvas = slope->stage->canvas;
    Point line[SEGMENTS + 1];
    for (size_t i = 0; i <= SEGMENTS; i++)
        line[i] = point_of(slope, (double)i / SEGMENTS);
    scene_path(canvas->scene, line, SEGMENTS + 1, 3, canvas->theme->ink_faint);
}

static bool is_near(const SoftmaxSlope *slope, size_t i, size_t j) {
    Point one = point_of(slope, slope->a->values[i]),
          other = point_of(slope, slope->a->values[j]);
    return point_distance(one, other) < slope->radius * 0.75;
}

/* Number of dots at a dot's position, counted at the first of them; 0 at the others. */
static size_t dots_at(const SoftmaxSlope *slope, size_t i) {
    size_t count = 0;
    for (size_t j = 0; j < tensor_cells(slope->a) && j < slope->stage->visible; j++) {
        if (is_near(slope, i, j) && j < i)
            return 0;
        count += is_near(slope, i, j);
    }
    return count;
}

/* Writes the number of coinciding dots beside them, below the curve. */
static void draw_count(const SoftmaxSlope *slope, size_t i) {
    const Canvas *canvas = slope->stage->canvas;
    size_t count = dots_at(slope, i);
    double size = canvas_size(canvas, COUNT, "");
    bool left = slope->a->values[i] < 0.5;
    Point at = point_of(slope, slope->a->values[i]);
    double gap = slope->radius + 7;
    if (count >= LABELLED_FROM)
        canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                    (Point){at.x + (left ? gap : -gap), round(at.y - 4)},
                    left ? LABEL_LEFT : LABEL_RIGHT,
                    canvas_format(canvas, "× %zu", count));
}

static void draw_dots(const SoftmaxSlope *slope) {
    const Stage *stage = slope->stage;
    const Canvas *canvas = stage->canvas;
    Color fill = canvas->theme->probabilities;
    fill.a = (uint8_t)DOT_ALPHA;
    for (size_t i = 0; i < tensor_cells(slope->a) && i < stage->visible; i++) {
        canvas_link_cell(canvas, stage->node, i / slope->a->cols, i % slope->a->cols);
        canvas_dot(canvas, point_of(slope, slope->a->values[i]), slope->radius, fill,
                   canvas->theme->page, 1);
        canvas_unlink(canvas);
    }
    for (size_t i = 0; i < tensor_cells(slope->a) && i < stage->visible; i++)
        draw_count(slope, i);
}

/* Draws the dot of the focused cell, and its probability on the axis. */
static void draw_focus(const SoftmaxSlope *slope) {
    const Stage *stage = slope->stage;
    const Canvas *canvas = stage->canvas;
    if (!stage->has_focus || stage->focus_row >= slope->a->rows ||
        stage->focus_col >= slope->a->cols)
        return;
    Point at = point_of(slope, tensor_at(slope->a, stage->focus_row, stage->focus_col));
    double bottom = slope->plot.box.y + slope->plot.box.h,
           below = at.y + slope->radius + 2;
    if (below < bottom)
        scene_line(canvas->scene, (Point){at.x, below}, (Point){at.x, bottom}, 2,
                   canvas->theme->focus);
    canvas_dot(canvas, at, slope->radius + 2, (Color){0}, canvas->theme->focus, 2);
}

/* ---- the tables ---- */

/* Draws the probabilities, and below them their slopes. */
static void draw_tables(const SoftmaxSlope *slope, Box area) {
    const Stage *stage = slope->stage;
    const Canvas *canvas = stage->canvas;
    double labels = fmin(heatmap_row_label_width(canvas, slope->a), area.w * 0.4);
    box_take_left(&area, labels);
    double row =
        floor(fmin((area.h / 2 - CAPTION) / ((double)slope->a->rows + 0.6), TALLEST_ROW));
    double head =
        heatmap_col_label_height(canvas, slope->a, area.w / (double)slope->a->cols, row);
    double height = row * (double)slope->a->rows;
    double spare = fmax(area.h - head - 2 * (height + CAPTION), 0);
    const size_t nodes[] = {slope->probabilities, stage->node};
    Heatmap tables[2], *both[] = {&tables[0], &tables[1]};
    for (size_t i = 0; i < 2; i++) {
        double y = area.y + spare * 0.4 + head + (double)i * (height + CAPTION);
        tables[i] =
            stage_heatmap(stage, nodes[i], (Box){area.x, round(y), area.w, height}, 1);
        tables[i].row_labels = true;
        tables[i].label_room = labels;
        tables[i].col_labels = i == 0;
        tables[i].col_label_room = head;
        stage_focus(stage, &tables[i], true, true);
    }
    stage_result(stage, &tables[1]);
    heatmap_same_digits(canvas, both, 2);
    for (size_t i = 0; i < 2; i++) {
        heatmap_draw(canvas, both[i]);
        Caption name = caption_of(stage, nodes[i], NAME, area.w);
        Box cells = both[i]->cells;
        caption_draw_name(stage, &name,
                          (Point){cells.x + cells.w / 2, round(cells.y + cells.h + DROP)},
                          LABEL_CENTER);
        if (stage->has_focus)
            heatmap_outline_cell(canvas, both[i], stage->focus_row, stage->focus_col,
                                 i ? canvas->theme->focus
                                   : stage_color(stage, nodes[i], 0));
    }
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_PROBABILITIES, 1}, 1);
}

bool softmax_slope_picture(const Stage *stage) {
    SoftmaxSlope slope = {.stage = stage,
                          .radius = DOT,
                          .plot = {.canvas = stage->canvas,
                                   .across = {-MARGIN, 1 + MARGIN, false},
                                   .up = {0, HIGHEST * HEADROOM, false},
                                   .decimals = PLOT_SHORT,
                                   .units = TICK,
                                   .gap = 12,
                                   .is_ground = true,
                                   .ink = stage->canvas->theme->ink_soft}};
    if (!find(&slope))
        return false;
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    double rows = 2 * (double)slope.a->rows + 1;
    if (area.h < fmax(LEAST_HEIGHT, rows * LEAST_ROW + 2 * CAPTION))
        return false;
    draw_tables(&slope, box_take_right(&area, round(area.w * TABLES_FRACTION)));
    box_take_right(&area, GAP);
    box_take_left(&area, TICKS);
    box_take_top(&area, HEAD);
    box_take_bottom(&area, FOOT);
    slope.plot.box = area;
    plot_find_ticks(&slope.plot, HIGHEST);
    draw_axes(&slope);
    draw_curve(&slope);
    draw_dots(&slope);
    draw_focus(&slope);
    return true;
}
