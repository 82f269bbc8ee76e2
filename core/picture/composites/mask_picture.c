#include "picture/composites/composites.h"

#include "base/number.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

enum { MASKS_MOST = 3, ROWS_MOST = 12, COLUMNS_MOST = 12 };

/* Lengths in units. */
static const double TALLEST_ROW = 104, LEAST_ROW = 40, LEAST_CELL = 42, WIDE = 1.2;
static const double TABLE_FRACTION = 0.44, BAR_FRACTION = 0.5, WORDLESS_BAR = 0.7,
                    BETWEEN = 92, WIDEST_BAR = 640, LEAST_BAR = 160;
static const double AXIS = 22, OVER_NAME = 8, CAPTION_END = 6, NAME_UNITS = 22,
                    NUMBER_UNITS = 18, WORD_UNITS = 15, KEY = 26, KEY_GAP = 10,
                    NEXT_KEY = 34, LANE = 7;
static const double HATCH = 9; /* points between the lines of a mask */
static const int SHINES = 70;  /* of 256: colour that a masked score keeps */

typedef struct MaskView {
    const Stage *stage;
    size_t masked, scores; /* nodes: with and without masks */
    size_t count, masks[MASKS_MOST];
    const Tensor *shape;
    Heatmap table, weights; /* of the scores; of the attention weights, or, for a sum
                              alone, of the remaining scores */
    bool has_softmax;
    int decimals;        /* of the scores, as many as there is room for */
    double bars, labels; /* left end of the bars; width of row labels */
    double bar_width;
    double axis, drop; /* height of both names below the cells; of shapes below that */
} MaskView;

/* ---- masks ---- */

/* Value of a mask for a cell; a mask of one row or column applies to all. */
static double mask_at(const MaskView *v, size_t mask, size_t row, size_t col) {
    const Tensor *tensor = stage_tensor(v->stage, v->masks[mask]);
    return tensor_at(tensor, tensor->rows == 1 ? 0 : row, tensor->cols == 1 ? 0 : col);
}

/* Reports whether a node is a sum with a mask, one of these masks, or the result. */
static bool is_of_it(const MaskView *v, size_t node) {
    bool found = node == v->stage->node;
    size_t sum = v->masked;
    for (size_t i = 0; i < v->count; i++, sum = stage_node(v->stage, sum)->inputs[0])
        found |= node == sum || node == v->masks[i];
    return found;
}

/* Follows sums back from the input of a softmax with sub-steps, or from a sum that is a
 * step by itself; the last mask comes first. */
static bool find(MaskView *v) {
    const Stage *stage = v->stage;
    const PlayerStep *steps = stage->player->steps, *at = player_step(stage->player);
    const TapeNode *node = stage_node(stage, stage->node);
    v->has_softmax = at->child_count;
    if (node->operation != (v->has_softmax ? OPERATION_SOFTMAX : OPERATION_ADD) ||
        node->muted || stage->values)
        return false;
    v->masked = v->scores = v->has_softmax ? node->inputs[0] : stage->node;
    while (v->count < (v->has_softmax ? MASKS_MOST : 1)) {
        const TapeNode *sum = stage_node(stage, v->scores);
        if (sum->operation != OPERATION_ADD || sum->muted ||
            !tensor_has(stage_tensor(stage, sum->inputs[1]), tensor_is_masking))
            break;
        v->masks[v->count++] = sum->inputs[1];
        v->scores = sum->inputs[0];
    }
    v->shape = stage_tensor(stage, v->scores);
    for (size_t i = at->parts; i < at->next; i = steps[i].next) {
        if (steps[i].child_count || !is_of_it(v, steps[i].node))
            return false;
    }
    return v->count && tensor_same_shape(v->shape, &node->output) &&
           v->shape->rows <= ROWS_MOST && v->shape->cols <= COLUMNS_MOST &&
           !tensor_has(v->shape, tensor_is_masking);
}

/* ---- layout ---- */

/* Measures both captions, which have a common baseline although fractions are taller. */
static void measure_captions(MaskView *v) {
    const size_t nodes[] = {v->scores, v->stage->node};
    v->axis = AXIS;
    for (int i = 0; i < 2; i++) {
        Caption caption = caption_of(v->stage, nodes[i], NAME_UNITS, INFINITY);
        v->axis = fmax(v->axis, caption.above + OVER_NAME);
        v->drop = fmax(v->drop, caption_shape_drop(v->stage->canvas, caption.below));
    }
}

static bool place(MaskView *v) {
    const Stage *stage = v->stage;
    const Canvas *canvas = stage->canvas;
    Box area = stage->area;
    double rows = (double)v->shape->rows, cols = (double)v->shape->cols;
    measure_captions(v);
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT + v->axis + v->drop + CAPTION_END);
    v->labels = fmin(heatmap_row_label_width(canvas, v->shape), area.w * 0.2);
    double most = fmin((area.w * TABLE_FRACTION - v->labels) / cols, TALLEST_ROW * WIDE);
    double width = most, heads = 0, height = 0;
    for (int i = 0; i < 2;
         i++) { /* columns of low rows are too narrow for horizontal labels */
        heads = heatmap_col_label_height(canvas, v->shape, width, area.h * 0.4);
        height = floor(fmin((area.h - heads) / rows, TALLEST_ROW));
        width = floor(fmin(most, height * WIDE));
    }
    bool large = canvas->enlarged > 1; /* text is enlarged already */
    double least = large ? 0.7 : 1;
    if (height < LEAST_ROW * least || width < LEAST_CELL * least)
        return false;
    double between = BETWEEN * (large ? 0.6 : 1);
    double beside = v->labels + width * cols + between;
    v->bar_width = v->has_softmax ? fmin(area.w - beside, WIDEST_BAR) : width * cols;
    if (v->bar_width < LEAST_BAR)
        return false;
    double left = area.x + (area.w - beside - v->bar_width) / 2 + v->labels;
    double top = area.y + (area.h - heads - height * rows) * 0.45 + heads;
    Box cells = {round(left), round(top), width * cols, height * rows};
    v->bars = round(cells.x + cells.w + between);
    v->table = stage_heatmap(stage, v->scores, cells, heatmap_reach(v->shape));
    v->table.row_labels = v->table.col_labels = true;
    v->table.label_room = v->labels;
    v->table.col_label_room = heads;
    stage_focus(stage, &v->table, true, true);
    NumberStyle numbers = heatmap_numbers(canvas, &v->table);
    v->decimals = numbers.size > 0 ? numbers.decimals : heatmap_decimals(v->shape);
    v->weights = stage_heatmap(stage, stage->node, cells, v->table.reach);
    v->weights.cells.x = v->bars;
    v->weights.col_labels = !v->has_softmax;
    v->weights.col_label_room = heads;
    stage_focus(stage, &v->weights, false, true);
    stage_result(stage, &v->weights);
    return true;
}

static Box cell_box(const MaskView *v, size_t row, size_t col) {
    return heatmap_cells(&v->table, row, row + 1, col, col + 1);
}

/* Reports whether a row has room for tokens above its bar. */
static bool has_words(const MaskView *v, double height) {
    double least = canvas_size(v->stage->canvas, WORD_UNITS, "") * 1.25;
    return v->shape->col_labels && height * (1 - BAR_FRACTION) / 2 >= least;
}

static ProbabilityBar bar_of(const MaskView *v, size_t row) {
    const Stage *stage = v->stage;
    Box slot = cell_box(v, row, 0);
    double height = round(slot.h * (has_words(v, slot.h) ? BAR_FRACTION : WORDLESS_BAR));
    return (ProbabilityBar){
        .heatmap = &v->weights,
        .row = row,
        .box = {v->bars, round(slot.y + (slot.h - height) / 2), v->bar_width, height},
        .units = NUMBER_UNITS,
        .has_focus = stage->has_focus && stage->focus_row == row,
        .focus_col = stage->focus_col};
}

/* ---- scores and masks ---- */

/* Text of a cell: the score, and the number that a mask adds without hiding it. */
static const char *cell_text(const MaskView *v, size_t row, size_t col) {
    const Canvas *canvas = v->stage->canvas;
    double added = 0;
    for (size_t i = 0; i < v->count; i++)
        added += mask_at(v, i, row, col);
    const char *score = canvas_number(canvas, tensor_at(v->shape, row, col), v->decimals);
    if (!(fabs(added) > 0) || tensor_is_masking(added))
        return score;
    return canvas_format(canvas, "%s %s %s", score, added < 0 ? "−" : "+",
                         canvas_number(canvas, fabs(added), 0));
}

static bool is_veiled(const MaskView *v, size_t mask, size_t row, size_t col) {
    return tensor_is_masking(mask_at(v, mask, row, col));
}

/* Draws a mask's lines: of two masks one rising, the other horizontal; those of a third
 * lie between the first one's. */
static void draw_mask(const MaskView *v, size_t mask, Box box) {
    const Canvas *canvas = v->stage->canvas;
    if (mask != 1) {
        canvas_hatch(canvas, box, HATCH * (mask ? 1 : 0.5), HATCH);
        return;
    }
    scene_clip(canvas->scene, box);
    for (double y = HATCH / 2; y < box.h; y += HATCH)
        scene_line(canvas->scene, (Point){box.x, box.y + y},
                   (Point){box.x + box.w, box.y + y}, 1, canvas->theme->hatch);
    scene_unclip(canvas->scene);
}

static void draw_cell(const MaskView *v, size_t row, size_t col, double size) {
    const Canvas *canvas = v->stage->canvas;
    Box box = box_inset(cell_box(v, row, col), 1);
    ColorScale scale = heatmap_scale(canvas, HEATMAP_SIGNED, v->table.reach);
    Color ground = color_scale_at(&scale, tensor_at(v->shape, row, col));
    bool veiled = false;
    for (size_t i = 0; i < v->count; i++)
        veiled |= is_veiled(v, i, row, col);
    if (veiled)
        ground = palette_mix(canvas->theme->masked, ground, SHINES);
    const char *text = cell_text(v, row, col);
    double width = canvas_text_width(canvas, FONT_TEXT, size, text);
    size = fmin(size, floor(size * box.w * 0.94 / width));
    width = canvas_text_width(canvas, FONT_TEXT, size, text);
    canvas_link_cell(canvas, v->has_softmax ? v->masked : v->scores, row, col);
    heatmap_draw_ground(canvas, box, 3, ground);
    for (size_t i = 0; i < v->count; i++) {
        if (is_veiled(v, i, row, col))
            draw_mask(v, i, box);
    }
    Point right = {box.x + (box.w + width) / 2, label_baseline(box.y + box.h / 2, size)};
    double least = canvas_least(canvas, text);
    if (!strchr(text, ' ')) /* not a sum */
        least = fmin(least, heatmap_least_digits(canvas));
    if (size >= least)
        heatmap_draw_digits(canvas, size, box, ground, veiled, right, text);
    canvas_unlink(canvas);
}

static void draw_table(const MaskView *v) {
    const Stage *stage = v->stage;
    double size = heatmap_number_size(stage->canvas, &v->table);
    heatmap_draw_labels(stage->canvas, &v->table);
    for (size_t i = 0; i < v->shape->rows; i++) {
        for (size_t j = 0; j < v->shape->cols; j++)
            draw_cell(v, i, j, size);
    }
    size_t col = v->has_softmax ? 0 : stage->focus_col; /* a row, or the same cell */
    if (stage->has_focus && stage->focus_node == stage->node)
        heatmap_outline(stage->canvas, &v->table, stage->focus_row, stage->focus_row + 1,
                        col, v->has_softmax ? v->shape->cols : col + 1,
                        stage_color(stage, v->masked, 0));
}

/* ---- softmax ---- */

/* Draws the token of a segment above it, if there is room. */
static void draw_word(const MaskView *v, const ProbabilityBar *bar, size_t col) {
    const Canvas *canvas = v->stage->canvas;
    if (!has_words(v, cell_box(v, bar->row, 0).h))
        return;
    const char *word = v->shape->col_labels[col];
    Box part = probability_bar_part(bar, col);
    double size = canvas_size(canvas, WORD_UNITS, word);
    bool focus = bar->has_focus && bar->focus_col == col;
    if (canvas_text_width(canvas, FONT_BOLD, size, word) > part.w ||
        bar->row * v->shape->cols + col >= v->weights.visible)
        return;
    canvas_text(canvas, focus ? FONT_BOLD : FONT_TEXT, size,
                focus ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){part.x + part.w / 2, part.y - round(size * 0.4)}, LABEL_CENTER,
                word);
}

/* Draws the path from a row's middle, or that of all rows, to the result. */
static void draw_path(const MaskView *v, double y, bool strong) {
    double margin = 12, end = v->table.cells.x + v->table.cells.w;
    const Point points[] = {{end + margin, y}, {v->bars - margin, y}};
    lane_draw(v->stage->canvas, &(Lane){.points = points,
                                        .count = 2,
                                        .thickness = LANE,
                                        .arrow = true,
                                        .strong = strong});
}

/* Draws the attention weights of a row. */
static void draw_row(const MaskView *v, size_t row) {
    ProbabilityBar bar = bar_of(v, row);
    Box cell = cell_box(v, row, 0);
    draw_path(v, cell.y + cell.h / 2, bar.has_focus);
    probability_bar_draw(v->stage->canvas, &bar);
    for (size_t j = 0; j < v->shape->cols; j++)
        draw_word(v, &bar, j);
}

/* Draws the remaining scores of all rows at once: −∞ wherever they are masked. */
static void draw_rest(const MaskView *v) {
    const Stage *stage = v->stage;
    Box cells = v->table.cells;
    draw_path(v, cells.y + cells.h / 2, stage->has_focus);
    heatmap_draw(stage->canvas, &v->weights);
    stage_outline_focus(stage, &v->weights);
}

/* ---- names ---- */

static void draw_caption(const MaskView *v, size_t node, double middle, double width) {
    Caption caption = caption_of(v->stage, node, NAME_UNITS, width);
    double y = v->table.cells.y + v->table.cells.h + v->axis;
    caption_draw(v->stage, &caption, (Point){middle, y}, v->drop, LABEL_CENTER);
}

/* Name of a mask with the value by which it hides: "M = −∞". */
static const char *key_name(const MaskView *v, size_t mask) {
    const Tensor *tensor = stage_tensor(v->stage, v->masks[mask]);
    double least = 0;
    for (size_t i = 0; i < tensor_cells(tensor); i++)
        least = fmin(least, tensor->values[i]);
    char number[NUMBER_SIZE];
    return canvas_format(v->stage->canvas, "%s = \\text{%s}",
                         stage_formula_name(v->stage, v->masks[mask]),
                         number_format_short(number, least, 0));
}

/* Draws the key "▨ M = −∞" in the lower left corner. */
static void draw_key(const MaskView *v) {
    const Canvas *canvas = v->stage->canvas;
    Box area = v->stage->area;
    Box strip = box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    double x = strip.x, y = strip.y + strip.h / 2;
    for (size_t i = v->count; i > 0; i--) {
        Box box = {x, round(y - KEY / 2), KEY * 1.4, KEY};
        canvas_fill(canvas, box, 3, canvas->theme->masked);
        draw_mask(v, i - 1, box);
        Box name = canvas_formula(canvas, key_name(v, i - 1), NAME_UNITS,
                                  (Point){box.x + box.w + KEY_GAP, y}, LABEL_LEFT);
        x = name.x + name.w + NEXT_KEY;
    }
}

bool mask_picture(const Stage *stage) {
    MaskView v = {.stage = stage};
    if (!find(&v) || !place(&v))
        return false;
    draw_table(&v);
    for (size_t i = 0; v.has_softmax && i < v.shape->rows; i++)
        draw_row(&v, i);
    if (!v.has_softmax)
        draw_rest(&v);
    Box cells = v.table.cells;
    draw_caption(&v, v.scores, cells.x + cells.w / 2, cells.w + v.labels);
    draw_caption(&v, stage->node, v.bars + v.bar_width / 2, v.bar_width);
    draw_key(&v);
    const StageScale scales[] = {{HEATMAP_SIGNED, v.table.reach},
                                 {HEATMAP_PROBABILITIES, 1}};
    stage_legends(stage, stage->area, scales, v.has_softmax ? 2 : 1);
    return true;
}
