#include "picture/tensors/views.h"

#include "base/maths.h"
#include "base/number.h"
#include "lesson/content/lesson.h"
#include "lesson/play/player.h"
#include "picture/stage/caption.h"
#include "tensor/tape/tape.h"

/* Of the table of a result, in units: height of a row, least width of the cells, digits,
 * name, largest height of a name. */
static const double RESULT_ROW = 50, LEAST_CELLS = 20, RESULT_UNITS = 18, NAME_UNITS = 22,
                    LOW_NAME = 40;

size_t view_row(const Stage *stage) {
    const Tensor *tensor = stage_tensor(stage, stage->node);
    size_t row, col;
    if (stage->has_focus)
        return stage->focus_row;
    return lesson_followed(stage->player->lesson, tensor, &row, &col) ? row
                                                                      : tensor->rows - 1;
}

/* Links a series of the stage's tensor to it, with what is visible and in focus. */
static Series on_stage(const Stage *stage, Series series) {
    size_t focus = stage->focus_row * series.tensor->cols + stage->focus_col;
    series.node = stage->node;
    series.visible = stage->visible;
    series.focus = stage->has_focus ? focus - series.first : SIZE_MAX;
    return series;
}

Series view_series(const Stage *stage) {
    return on_stage(stage, series_of(stage->canvas, stage_tensor(stage, stage->node),
                                     view_row(stage)));
}

Series view_series_of_all(const Stage *stage) {
    return on_stage(stage,
                    series_of_all(stage->canvas, stage_tensor(stage, stage->node)));
}

Heatmap view_strip(const Stage *stage, size_t node, size_t row, Box cells, double reach,
                   Tensor **tensor) {
    Heatmap strip = stage_heatmap(stage, node, cells, reach);
    Tensor *numbers = canvas_row(stage->canvas, strip.tensor, row);
    strip.written_as = strip.tensor;
    strip.tensor = numbers;
    strip.first_row = row;
    strip.hidden = NULL;
    if (node == stage->node) {
        size_t before = row * numbers->cols;
        stage_result(stage, &strip);
        strip.visible = stage->visible > before ? stage->visible - before : 0;
    }
    if (tensor)
        *tensor = numbers;
    return strip;
}

NumberLine view_line(const Stage *stage, size_t node, size_t row, Box box, double least,
                     double most, double radius) {
    NumberLine line = {.canvas = stage->canvas,
                       .left = box.x,
                       .right = box.x + box.w,
                       .y = round(box.y + box.h / 2),
                       .least = least,
                       .most = most,
                       .table = stage_heatmap(stage, node, box, most),
                       .row = row,
                       .radius = radius};
    if (node == stage->node)
        stage_result(stage, &line.table);
    stage_focus(stage, &line.table, true, true);
    return line;
}

void view_name(const Stage *stage, size_t node, double width, double height, Point axis,
               LabelAlign align) {
    Caption name = caption_low(stage, stage_formula_name(stage, node), node,
                               stage_tensor(stage, node), NAME_UNITS, width, height);
    caption_draw_name(stage, &name, axis, align);
}

void view_result(const Stage *stage, Box area, double reach, size_t row) {
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, stage->node);
    double labels = fmin(heatmap_row_label_width(canvas, tensor), area.w - LEAST_CELLS);
    double height = fmin(area.h, RESULT_ROW * (double)tensor->rows);
    Box cells = {round(area.x + labels), round(area.y + (area.h - height) / 2),
                 area.w - labels, height};
    Heatmap table = stage_heatmap(stage, stage->node, cells, reach);
    table.number_size = canvas_size(canvas, RESULT_UNITS, "");
    table.row_labels = true;
    table.label_room = labels;
    stage_result(stage, &table);
    stage_focus(stage, &table, false, false);
    bool has_row = row < tensor->rows;
    if (has_row)
        table.focus_row = row;
    heatmap_draw(canvas, &table);
    if (has_row)
        heatmap_outline(canvas, &table, row, row + 1, 0, tensor->cols,
                        canvas->theme->focus);
    else if (stage->has_focus)
        heatmap_outline_cell(canvas, &table, stage->focus_row, stage->focus_col,
                             canvas->theme->focus);
    Caption name = caption_of(stage, stage->node, NAME_UNITS, area.w);
    if (name.above + name.below < LOW_NAME)
        caption_draw_name(stage, &name, (Point){cells.x + cells.w / 2, cells.y - 24},
                          LABEL_CENTER);
}

void view_arc(double from, double to, double foot, double height,
              Point points[CURVE_POINTS]) {
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double angle = PI * (double)i / (CURVE_POINTS - 1);
        points[i] = (Point){(from + to) / 2 - (to - from) / 2 * cos(angle),
                            foot - height * sin(angle)};
    }
}

bool view_cell_visible(const Stage *stage, size_t row, size_t col) {
    return row * stage_tensor(stage, stage->node)->cols + col < stage->visible;
}

const char *view_number(const Stage *stage, size_t node, double value) {
    char text[NUMBER_SIZE];
    number_format_shortest(text, value, heatmap_decimals(stage_tensor(stage, node)));
    return canvas_format(stage->canvas, "%s", text);
}

static double as_written(double value, int decimals) {
    double unit = pow(10, decimals);
    return round(value * unit) / unit;
}

const char *view_equals(const Tensor *weights, size_t row, int decimals,
                        const Tensor *values, const Tensor *result) {
    const double NEAR = 0.0005; /* half a unit of the third decimal */
    int within = heatmap_decimals(values);
    bool same = true;
    for (size_t j = 0; j < values->cols; j++) {
        double sum = 0;
        for (size_t i = 0; i < values->rows; i++)
            sum += as_written(tensor_at(weights, row, i), decimals) *
                   as_written(tensor_at(values, i, j), within);
        same &= fabs(sum - tensor_at(result, row, j)) < NEAR;
    }
    return same ? "=" : "\\approx";
}

const char *view_label(const Canvas *canvas, const char *const *labels, size_t index) {
    return labels ? labels[index] : canvas_count(canvas, index);
}

Color view_hue(const Stage *stage, ViewPlace place) {
    if (place.count < 2 &&
        stage_colors(stage->tape, stage->node) == HEATMAP_PROBABILITIES)
        return stage->canvas->theme->probabilities;
    return stage_color(stage, stage->node, place.index);
}

double view_caption(const Stage *stage, Box strip, Color hue) {
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, stage->node);
    double middle = strip.y + strip.h / 2, right = strip.x + strip.w;
    double size = canvas_size(canvas, 14, "");
    scene_begin_caption(canvas->scene, stage->node);
    Box shape =
        canvas_label(canvas, FONT_TEXT, 14, canvas->theme->ink_faint,
                     (Point){right, label_baseline(middle, size)}, LABEL_RIGHT,
                     canvas_format(canvas, "%zu × %zu", tensor->rows, tensor->cols));
    Caption caption = caption_low(stage, stage_formula_name(stage, stage->node),
                                  stage->node, tensor, 22, strip.w / 2, strip.h);
    double formula = fmin(middle, strip.y + strip.h - caption.below);
    Theme toned = *canvas->theme; /* gives names without a role the table's hue */
    toned.ink = hue;
    Canvas named = *canvas;
    named.theme = &toned;
    Box name = canvas_formula(&named, caption.name, caption.units,
                              (Point){shape.x - 16, formula}, LABEL_RIGHT);
    scene_end_caption(canvas->scene);
    return right - name.x;
}
