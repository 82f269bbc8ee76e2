#include "picture/operations/pictures.h"
#include "picture/stage/caption.h"
#include "tensor/kernels.h"

#include <math.h>

/* Layer norm in two columns. On the left the input, with each row's mean and deviation
 * beside it; an arrow leads to the right column, where rows lie under rows: the
 * normalised rows, times γ, plus β, and the result, column under column. */

static const double LARGEST_CELL = 84, NAME_UNITS = 22, SIGN_UNITS = 28;
static const double STATISTICS_GAP = 16, ARROW = 76, ROW_GAP = 14, CAPTION_GAP = 22;
static const double ALIKE = 1.25; /* reaches this near to each other share a scale */
static const char NORMALISED[] = "\\frac{x - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}";
static const char *const STATISTICS[] = {"μ", "σ"};

typedef struct Norm {
    const Stage *stage;
    const TapeNode *node;
    const Tensor *x;
    Tensor *statistics, *normal; /* what the tape does not hold */
    double w, h;                 /* of a cell */
    double labels, top, captions;
    double own_reach, reach; /* of the input's scale and of the right column's */
    Heatmap input, beside, middle, gamma, beta, result;
} Norm;

/* Works out what lies between: means and deviations, and the normalised rows. */
static bool work_out(Norm *norm) {
    const Tensor *x = norm->x;
    norm->statistics = canvas_tensor(norm->stage->canvas, x->rows, 2);
    norm->normal = canvas_tensor(norm->stage->canvas, x->rows, x->cols);
    if (!norm->statistics || !norm->normal)
        return false;
    norm->statistics->col_labels = STATISTICS;
    for (size_t i = 0; i < x->rows; i++) {
        const double *row = x->values + i * x->cols;
        double mean = kernel_mean(row, x->cols);
        norm->statistics->values[2 * i] = mean;
        norm->statistics->values[2 * i + 1] = sqrt(kernel_variance(row, mean, x->cols));
    }
    kernel_layer_norm(norm->normal->values, x->values, NULL, NULL,
                      norm->node->options.epsilon, x->rows, x->cols);
    return true;
}

static void choose_scales(Norm *norm) {
    const Stage *stage = norm->stage;
    norm->own_reach = heatmap_reach(norm->x);
    norm->reach = fmax(heatmap_reach(norm->normal), heatmap_reach(&norm->node->output));
    for (size_t i = 1; i < 3; i++)
        norm->reach =
            fmax(norm->reach, heatmap_reach(stage_tensor(stage, norm->node->inputs[i])));
    double larger = fmax(norm->own_reach, norm->reach);
    if (larger <= fmin(norm->own_reach, norm->reach) * ALIKE)
        norm->own_reach = norm->reach = larger;
}

/* ---- where things lie ---- */

/* The names on the right: of γ, β and the result, and the formula of what lies between.
 */
static double captions_width(const Norm *norm) {
    const Stage *stage = norm->stage;
    const Canvas *canvas = stage->canvas;
    const char *names[] = {NORMALISED, stage_formula_name(stage, norm->node->inputs[1]),
                           stage_formula_name(stage, norm->node->inputs[2]),
                           stage_formula_name(stage, stage->node)};
    double widest = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        widest = fmax(widest, canvas_formula_extent(canvas, names[i],
                                                    canvas_size(canvas, NAME_UNITS, ""))
                                  .width);
    return fmin(widest, stage->area.w * 0.2) + canvas_length(canvas, CAPTION_GAP);
}

static double aspect_of(const Norm *norm) {
    const Canvas *canvas = norm->stage->canvas;
    double aspect = heatmap_aspect(canvas, norm->x, norm->h);
    aspect = fmax(aspect, heatmap_aspect(canvas, norm->normal, norm->h));
    return fmax(aspect, heatmap_aspect(canvas, &norm->node->output, norm->h));
}

static double fixed_width(const Norm *norm) {
    return norm->labels + norm->captions +
           canvas_length(norm->stage->canvas, STATISTICS_GAP + ARROW);
}

static void measure_cells(Norm *norm, Box area) {
    const Canvas *canvas = norm->stage->canvas;
    double cols = 2 * (double)norm->x->cols + 2, rows = 2 * (double)norm->x->rows + 2;
    norm->labels = fmin(heatmap_row_label_width(canvas, norm->x), area.w * 0.2);
    norm->captions = captions_width(norm);
    norm->top = canvas_length(canvas, 30);
    double largest = canvas_length(canvas, LARGEST_CELL);
    for (int pass = 0; pass < 3; pass++) { /* narrow columns turn labels upright */
        double height = area.h - norm->top - 3 * canvas_length(canvas, ROW_GAP);
        norm->h = fmax(fmin(height / rows, largest), 0.5);
        norm->w = fmin((area.w - fixed_width(norm)) / cols, norm->h * aspect_of(norm));
        norm->w = fmax(norm->w, 0.5);
        norm->h = fmin(norm->h, norm->w);
        norm->top = fmax(
            norm->top, heatmap_col_label_height(canvas, norm->x, norm->w, area.h * 0.3));
    }
    if (norm->w > 24 && norm->h > 24) {
        norm->w = floor(norm->w);
        norm->h = floor(norm->h);
    }
}

static Heatmap placed_heatmap(const Norm *norm, const Tensor *tensor, size_t node,
                              double x, double y, double reach) {
    return (Heatmap){
        .tensor = tensor,
        .node = node,
        .cells = {x, y, norm->w * (double)tensor->cols, norm->h * (double)tensor->rows},
        .reach = reach,
        .visible = (size_t)-1,
        .label_room = norm->labels,
        .col_label_room = norm->top,
        .has_focus = norm->stage->has_focus,
        .focus_row = norm->stage->focus_row,
        .focus_col = norm->stage->focus_col};
}

static void place_heatmaps(Norm *norm, Box area) {
    const Stage *stage = norm->stage;
    const Canvas *canvas = stage->canvas;
    const size_t *inputs = norm->node->inputs;
    double gap = canvas_length(canvas, ROW_GAP),
           beside = canvas_length(canvas, STATISTICS_GAP);
    double cols = (double)norm->x->cols, rows = (double)norm->x->rows;
    double used_w = fixed_width(norm) + norm->w * (2 * cols + 2);
    double used_h = norm->top + norm->h * (2 * rows + 2) + 3 * gap;
    double x = round(area.x + fmax(area.w - used_w, 0) / 2 + norm->labels);
    double y = round(area.y + fmax(area.h - used_h, 0) * 0.4 + norm->top);
    norm->input = placed_heatmap(norm, norm->x, inputs[0], x, y, norm->own_reach);
    x += norm->w * cols + beside;
    norm->beside =
        placed_heatmap(norm, norm->statistics, TAPE_NONE, x, y, norm->own_reach);
    x = round(x + 2 * norm->w + canvas_length(canvas, ARROW));
    norm->middle = placed_heatmap(norm, norm->normal, TAPE_NONE, x, y, norm->reach);
    y = round(y + norm->h * rows + gap);
    norm->gamma = placed_heatmap(norm, stage_tensor(stage, inputs[1]), inputs[1], x, y,
                                 norm->reach);
    y = round(y + norm->h + gap);
    norm->beta = placed_heatmap(norm, stage_tensor(stage, inputs[2]), inputs[2], x, y,
                                norm->reach);
    y = round(y + norm->h + gap);
    norm->result =
        placed_heatmap(norm, &norm->node->output, stage->node, x, y, norm->reach);
    norm->input.row_labels = norm->input.col_labels = norm->beside.col_labels = true;
    norm->result.row_labels = true;
    norm->beside.colors = HEATMAP_PLAIN;
    norm->beside.has_focus = false;
    norm->result.visible = stage->visible;
    norm->result.lesson = stage->player->lesson;
    norm->result.step =
        stage->step && stage->step->result == stage->node ? stage->step : NULL;
}

/* ---- drawing ---- */

static double middle_of(Box cells) {
    return cells.y + cells.h / 2;
}

static void draw_sign(const Norm *norm, const char *sign, const Heatmap *heatmap) {
    const Canvas *canvas = norm->stage->canvas;
    double x = heatmap->cells.x - canvas_length(canvas, 22);
    if (heatmap->row_labels && heatmap->tensor->row_labels)
        x -= norm->labels;
    canvas_formula(canvas, sign, SIGN_UNITS, (Point){x, middle_of(heatmap->cells)},
                   LABEL_CENTER);
}

/* A name to the right of its cells; a shape too where more than one row has room. */
static void draw_name(const Norm *norm, const Heatmap *heatmap, const char *name) {
    const Canvas *canvas = norm->stage->canvas;
    double left =
        heatmap->cells.x + heatmap->cells.w + canvas_length(canvas, CAPTION_GAP);
    double room = norm->stage->area.x + norm->stage->area.w - left;
    Caption caption =
        caption_fit(norm->stage, name, heatmap->node, heatmap->tensor, NAME_UNITS, room);
    Point axis = {left, middle_of(heatmap->cells)};
    double drop = caption_shape_drop(canvas, caption.below);
    bool shaped = heatmap->cells.h > drop * 1.8;
    if (shaped)
        axis.y -= round(drop / 2);
    if (shaped || heatmap->tensor->rows > 1)
        caption_draw(norm->stage, &caption, axis, drop, LABEL_LEFT);
    else if (caption.name[0])
        canvas_formula(canvas, caption.name, caption.units, axis, LABEL_LEFT);
}

static void draw_captions(const Norm *norm) {
    const Stage *stage = norm->stage;
    const Canvas *canvas = stage->canvas;
    const size_t *inputs = norm->node->inputs;
    draw_name(norm, &norm->middle, NORMALISED);
    draw_name(norm, &norm->gamma, stage_formula_name(stage, inputs[1]));
    draw_name(norm, &norm->beta, stage_formula_name(stage, inputs[2]));
    draw_name(norm, &norm->result, stage_formula_name(stage, stage->node));
    Box cells = norm->input.cells;
    Caption caption = caption_fit(stage, stage_formula_name(stage, inputs[0]), inputs[0],
                                  norm->x, NAME_UNITS, cells.w + norm->labels);
    Point axis = {
        cells.x + cells.w / 2,
        cells.y + cells.h +
            fmax(canvas_length(canvas, 26), caption.above + canvas_length(canvas, 8))};
    double drop = caption_shape_drop(canvas, caption.below);
    caption_draw(stage, &caption, axis, drop, LABEL_CENTER);
    if (norm->own_reach != norm->reach) { /* the input's own scale, below its caption */
        double left = cells.x - norm->labels; /* clear of the result's labels */
        heatmap_legend(canvas,
                       (Box){round(left),
                             round(axis.y + drop + canvas_length(canvas, 14)),
                             canvas_length(canvas, 130), 0},
                       HEATMAP_SIGNED, norm->own_reach);
    }
}

/* The focused row on its way, and what its cell is multiplied by and added to. */
static void draw_focus(const Norm *norm) {
    const Stage *stage = norm->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    size_t row = stage->focus_row, col = stage->focus_col, cols = norm->x->cols;
    if (!stage->has_focus || row >= norm->x->rows || col >= cols)
        return;
    Color color = stage_color(stage, norm->node->inputs[0], 0);
    heatmap_outline(canvas, &norm->input, row, row + 1, 0, cols, color);
    heatmap_outline(canvas, &norm->beside, row, row + 1, 0, 2, theme->ink_soft);
    heatmap_outline_cell(canvas, &norm->middle, row, col, theme->ink_soft);
    heatmap_outline(canvas, &norm->gamma, 0, 1, col, col + 1, theme->other[1]);
    heatmap_outline(canvas, &norm->beta, 0, 1, col, col + 1, theme->other[2]);
    heatmap_outline_cell(canvas, &norm->result, row, col, theme->focus);
}

/* x with its means and deviations → the result, where there is neither γ nor β. */
static void plain_norm(const Norm *norm) {
    const Stage *stage = norm->stage;
    Panel panels[3] = {panel_of(stage, norm->node->inputs[0], NULL)};
    panels[1] = (Panel){.node = TAPE_NONE,
                        .tensor = norm->statistics,
                        .formula = "\\mu, \\sigma",
                        .colors = HEATMAP_PLAIN};
    panels[2] = panel_of_output(stage, "\\to");
    panels[2].sign_above = NORMALISED;
    panels_show(stage, panels, 3);
    size_t row = stage->focus_row;
    if (!stage->has_focus || row >= norm->x->rows)
        return;
    heatmap_outline(stage->canvas, &panels[0].heatmap, row, row + 1, 0, norm->x->cols,
                    stage_color(stage, norm->node->inputs[0], 0));
    heatmap_outline(stage->canvas, &panels[1].heatmap, row, row + 1, 0, 2,
                    stage->canvas->theme->ink_soft);
}

void layer_norm_picture(const Stage *stage) {
    const Canvas *canvas = stage->canvas;
    Norm norm = {.stage = stage, .node = stage_node(stage, stage->node)};
    norm.x = stage_tensor(stage, norm.node->inputs[0]);
    if (!work_out(&norm)) {
        canvas->scene->incomplete = true;
        return;
    }
    if (norm.node->input_count != 3) {
        plain_norm(&norm);
        return;
    }
    Box area = stage->area;
    box_take_bottom(&area, stage_legend_height(canvas));
    choose_scales(&norm);
    measure_cells(&norm, area);
    place_heatmaps(&norm, area);
    Heatmap *const all[] = {&norm.input, &norm.beside, &norm.middle,
                            &norm.gamma, &norm.beta,   &norm.result};
    heatmap_same_digits(canvas, all, sizeof all / sizeof *all);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        heatmap_draw(canvas, all[i]);
    double arrow = norm.middle.cells.x - canvas_length(canvas, ARROW) / 2;
    canvas_formula(canvas, "\\to", SIGN_UNITS + 4,
                   (Point){arrow, middle_of(norm.middle.cells)}, LABEL_CENTER);
    draw_sign(&norm, "\\odot", &norm.gamma);
    draw_sign(&norm, "+", &norm.beta);
    draw_sign(&norm, "=", &norm.result);
    draw_captions(&norm);
    draw_focus(&norm);
    StageScale legend = {HEATMAP_SIGNED, norm.reach};
    stage_legends(stage, stage->area, &legend, 1);
}
