#include "picture/composites/composites.h"

#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Lengths in units. */
static const double NAME = 21, TICK = 15, NUMBER = 19, COUNT = 150, WORDS = 24;
static const double AXIS = 84, BELOW = 74, GAP = 60, DOT = 6, FOCUS_DOT = 9;
/* Largest fraction of the area's width. */
static const double LEAST_SIDE = 170, TEXT_FRACTION = 0.4;
/* Fraction of the reach; ticks to each end. */
static const double MARGIN = 0.08, TICKS = 2.2;
static const double ROUNDING = 1e-9, HARDLY = 1e-3; /* fractions of the reach */
enum { DOTS_MOST = 2000 };

typedef struct Same {
    const Stage *stage;
    size_t upper, lower; /* nodes */
    const Tensor *tensor;
    double reach, apart; /* largest |value|; largest difference, 0 if it is rounding */
    Plot plot;
} Same;

/* ---- conditions ---- */

static bool find(Same *same) {
    const Stage *stage = same->stage;
    const TapeNode *node = stage_node(stage, stage->node);
    if (stage->values || stage->is_question || stage->step->shown_count || node->muted ||
        node->operation != OPERATION_SUBTRACT || !stage_only_picks(stage))
        return false;
    same->upper = node->inputs[0];
    same->lower = node->inputs[1];
    same->tensor = stage_tensor(stage, same->upper);
    const Tensor *other = stage_tensor(stage, same->lower);
    same->reach = heatmap_reach(same->tensor);
    bool alike = other->rows == same->tensor->rows && other->cols == same->tensor->cols;
    for (size_t i = 0; alike && i < tensor_cells(other); i++) {
        double apart = fabs(same->tensor->values[i] - other->values[i]);
        alike = apart <= same->reach * HARDLY; /* false if both are infinite */
        same->apart = fmax(same->apart, apart);
    }
    if (same->apart <= same->reach * ROUNDING)
        same->apart = 0;
    return alike && tensor_cells(other) > 0;
}

/* ---- layout ---- */

static bool place(Same *same) {
    Box area = same->stage->area;
    double text = area.w * TEXT_FRACTION;
    double side = fmin(area.h - BELOW, area.w - text - (AXIS + GAP));
    double used = AXIS + GAP + side + text;
    double least = 0, end = same->reach * (1 + MARGIN);
    for (size_t i = 0; i < tensor_cells(same->tensor); i++)
        least = fmin(least, same->tensor->values[i]);
    least = fmax(least, -same->reach) - same->reach * MARGIN;
    double step = plot_step(same->reach / TICKS);
    same->plot = (Plot){.canvas = same->stage->canvas,
                        .box = {round(area.x + (area.w - used) / 2 + AXIS),
                                round(area.y + (area.h - BELOW - side) / 2), side, side},
                        .across = {.from = least, .to = end},
                        .up = {.from = least, .to = end},
                        .decimals = PLOT_SHORT,
                        .units = TICK,
                        .gap = 8,
                        .ink = same->stage->canvas->theme->ink_faint,
                        .is_ground = true};
    plot_find_ticks(&same->plot, step);
    return side >= LEAST_SIDE;
}

/* ---- drawing ---- */

/* Draws one table's axis each and the line of equality. */
static void draw_axes(const Same *same) {
    const Canvas *canvas = same->stage->canvas;
    const Plot *plot = &same->plot;
    Box box = plot->box;
    double bottom = box.y + box.h;
    NumberLine across = {.canvas = canvas,
                         .left = box.x,
                         .right = box.x + box.w,
                         .y = bottom,
                         .least = plot->across.from,
                         .most = plot->across.to};
    plot_draw_ticks(plot);
    number_line_draw_ticks(&across, TICK);
    canvas_outline(canvas, box, 0, canvas->theme->line, 1);
    scene_line(canvas->scene, (Point){box.x, bottom}, (Point){box.x + box.w, box.y}, 2,
               canvas->theme->line);
    canvas_formula(canvas, step_formula_name(same->stage, same->upper), NAME,
                   (Point){box.x + box.w / 2, bottom + BELOW - 20}, LABEL_CENTER);
    canvas_formula(canvas, step_formula_name(same->stage, same->lower), NAME,
                   (Point){box.x + 14, box.y + 22}, LABEL_LEFT);
}

static void draw_dot(const Same *same, size_t index, double radius, Color edge,
                     double width) {
    const Canvas *canvas = same->stage->canvas;
    double value = same->tensor->values[index],
           other = stage_tensor(same->stage, same->lower)->values[index];
    ColorScale scale = heatmap_scale(canvas, HEATMAP_SIGNED, same->reach);
    Point at = plot_point(&same->plot, value, other);
    canvas_link_cell(canvas, same->stage->node, index / same->tensor->cols,
                     index % same->tensor->cols);
    canvas_dot(canvas, (Point){round(at.x), round(at.y)}, round(radius),
               color_scale_at(&scale, value), edge, width);
    canvas_unlink(canvas);
}

/* Draws the focused dot, with its numbers below the line, where no dot can be. */
static void draw_focus(const Same *same, size_t index) {
    const Canvas *canvas = same->stage->canvas;
    Box box = same->plot.box;
    const char *text =
        canvas_number(canvas, same->tensor->values[index], HEATMAP_DECIMALS);
    draw_dot(same, index, FOCUS_DOT, canvas->theme->focus, 3);
    canvas_label(
        canvas, FONT_BOLD, NUMBER, canvas->theme->ink,
        (Point){box.x + box.w - 12, round(box.y + box.h - 14)}, LABEL_RIGHT,
        canvas_format(canvas, "%s %s %s", text, same->apart > 0 ? "≈" : "=", text));
}

/* Draws "0" and the number of pairs, as large as the page allows; or the largest
 * difference. */
static void draw_count(const Same *same) {
    const Stage *stage = same->stage;
    const Canvas *canvas = stage->canvas;
    Box box = same->plot.box;
    double left = box.x + box.w + GAP;
    double width = stage->area.x + stage->area.w - left, middle = box.y + box.h / 2;
    double size = canvas_size(canvas, COUNT, "0");
    char apart[NUMBER_SIZE];
    int decimals = 0;
    for (double rest = same->apart; rest > 0 && rest < 1; rest *= 10)
        decimals++;
    number_format_digits(apart, same->apart, decimals);
    const char *words =
        canvas_words(canvas, same->apart > 0 ? "view.hardly_differ" : "view.differ",
                     canvas_count(canvas, tensor_cells(same->tensor)), NULL);
    size = fmin(size, size * width / canvas_text_width(canvas, FONT_BOLD, size, apart));
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                (Point){left, round(middle + size * 0.2)}, LABEL_LEFT, apart);
    canvas_paragraph(
        canvas, FONT_TEXT, canvas_size(canvas, WORDS, words), canvas->theme->ink_soft,
        (Box){left, label_baseline(middle, size), width, 0}, WORDS * 1.4, 2, words);
}

bool equal_tables_picture(const Stage *stage) {
    Same same = {.stage = stage};
    if (!find(&same) || !place(&same))
        return false;
    size_t cells = tensor_cells(same.tensor), stride = (cells - 1) / DOTS_MOST + 1;
    draw_axes(&same);
    for (size_t i = 0; i < cells && i < stage->visible; i += stride)
        draw_dot(&same, i, DOT, stage->canvas->theme->ink_soft, 1);
    size_t focus = stage->focus_row * same.tensor->cols + stage->focus_col;
    if (stage->has_focus && focus < cells && focus < stage->visible)
        draw_focus(&same, focus);
    if (stage->visible >= cells)
        draw_count(&same);
    return true;
}
