#include "picture/charts/charts.h"

#include "base/number.h"
#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double LEAST_GAPPED = 5; /* points: narrower segments have no gap */
/* Largest size of the digits, relative to the bar's height. */
static const double TALLEST = 0.84;
static const double BESIDE = 8; /* points beside a number */

/* Sum of the probabilities before column `col`; NaN and negative numbers count as 0. */
static double sum_before(const ProbabilityBar *bar, size_t col) {
    double sum = 0;
    for (size_t j = 0; j < col; j++) {
        double probability = tensor_at(bar->heatmap->tensor, bar->row, j);
        sum += probability > 0 ? probability : 0;
    }
    return fmin(sum, 1);
}

Box probability_bar_part(const ProbabilityBar *bar, size_t col) {
    Box box = bar->box;
    double left = round(box.x + box.w * sum_before(bar, col));
    double right = round(box.x + box.w * sum_before(bar, col + 1));
    return (Box){left, box.y, right - left, box.h};
}

static bool is_visible(const ProbabilityBar *bar, size_t col) {
    return bar->row * bar->heatmap->tensor->cols + col < bar->heatmap->visible;
}

static void draw_number(const Canvas *canvas, const ProbabilityBar *bar, Box box,
                        Color ground, double probability) {
    char text[NUMBER_SIZE];
    number_format_shortest(text, probability, heatmap_decimals(bar->heatmap->tensor));
    double size = fmin(canvas_size(canvas, bar->units, ""), floor(box.h * TALLEST));
    double width = canvas_text_width(canvas, FONT_TEXT, size, text);
    size = fmin(size, floor(size * (box.w - BESIDE) / width));
    if (size < fmin(heatmap_least_digits(canvas), bar->units))
        return;
    canvas_text(canvas, FONT_TEXT, size,
                palette_ink(ground, canvas->theme->cell_dark, canvas->theme->cell_light),
                (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, size)},
                LABEL_CENTER, text);
}

static void draw_part(const Canvas *canvas, const ProbabilityBar *bar, size_t col) {
    Box box = probability_bar_part(bar, col);
    double probability = tensor_at(bar->heatmap->tensor, bar->row, col);
    if (box.w < 1 || !is_visible(bar, col))
        return;
    if (box.w >= LEAST_GAPPED)
        box.w -= box.x + box.w < bar->box.x + bar->box.w ? 2 : 0;
    ColorScale scale = {&canvas->theme->sequential, 0, 1, canvas->theme->masked};
    Color ground = color_scale_at(&scale, probability);
    if (bar->heatmap->node != TAPE_NONE)
        canvas_link_cell(canvas, bar->heatmap->node, bar->row, col);
    canvas_fill(canvas, box, box.w >= LEAST_GAPPED ? 2 : 0, ground);
    if (bar->units > 0)
        draw_number(canvas, bar, box, ground, probability);
    heatmap_mark_differing(canvas, bar->heatmap, bar->row, col, box);
    canvas_unlink(canvas);
}

static bool is_masked_whole(const ProbabilityBar *bar) {
    return !(sum_before(bar, bar->heatmap->tensor->cols) > 0);
}

void probability_bar_draw(const Canvas *canvas, const ProbabilityBar *bar) {
    const Theme *theme = canvas->theme;
    size_t cols = bar->heatmap->tensor->cols;
    Box frame = box_inset(bar->box, -2);
    scene_rectangle(canvas->scene, frame, 3, theme->panel, theme->line, 1);
    if (is_masked_whole(bar) && is_visible(bar, cols - 1))
        canvas_masked(canvas, bar->box);
    for (size_t j = 0; j < cols; j++)
        draw_part(canvas, bar, j);
    if (!bar->has_focus || !is_visible(bar, bar->focus_col))
        return;
    Box part = probability_bar_part(bar, bar->focus_col);
    if (part.w >= LEAST_GAPPED)
        canvas_outline(canvas, box_inset(part, -2), 4, theme->focus, 3);
}

static const double AXIS_UNITS = 13.5, AXIS_GAP = 6;

double probability_axis_height(const Canvas *canvas) {
    return canvas_size(canvas, AXIS_UNITS, "") + AXIS_GAP;
}

void probability_axis_draw(const Canvas *canvas, Box bars, double end) {
    char last[NUMBER_SIZE];
    const char *const ends[] = {"0", number_format_short(last, end, 1)};
    for (int i = 0; i < 2; i++) {
        double x = round(bars.x + bars.w * i);
        scene_line(canvas->scene, (Point){x, bars.y}, (Point){x, bars.y + bars.h}, 1,
                   canvas->theme->line);
        canvas_label(canvas, FONT_TEXT, AXIS_UNITS, canvas->theme->ink_faint,
                     (Point){x, round(bars.y - AXIS_GAP)}, LABEL_CENTER,
                     canvas_format(canvas, "%s", ends[i]));
    }
}
