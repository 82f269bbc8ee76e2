#include "base/maths.h"
#include "base/number.h"
#include "picture/charts/charts.h"
#include "picture/draw/patterns.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <float.h>
#include <string.h>

/* Columns as curves over numbers in the rows' labels ("d_k = 8"), on common axes.
 * Positions that grow by a constant factor are equidistant, and a large range of values
 * is logarithmic too. Computed columns are lines with a dot at each row; given columns,
 * for comparison, are thin lines. Names stand at the curves' ends. */

static const double TICK_UNITS = 14, NAME_UNITS = 19, END_UNITS = 16, DOT = 4.5,
                    FOCUS_DOT = 8;
/* Ratio of largest to smallest value from which the axis is logarithmic. */
static const double MUCH = 40;
/* Fraction of the plot's height, above and below the curves. */
static const double HEADROOM = 0.06;

/* Style of a column's curve. */
typedef struct Curve {
    bool given;
    Color hue; /* soft ink if it is given, else one of the theme's hues in turn */
    PatternDash dash;
} Curve;

typedef struct Curves {
    const Stage *stage;
    const Tensor *tensor;
    Series last; /* row in which the curves end */
    Plot plot;
    double ends; /* width of the names at the ends */
    Curve curves[LESSON_CURVES_MAX];
} Curves;

/* ---- axes ---- */

static double row_place(const Curves *curves, size_t row) {
    double place = 0;
    lesson_curve_position(curves->tensor, row, &place);
    return place;
}

/* Reports whether each position is a constant multiple, at least twice, of the one
 * before. */
static bool multiplies(const Tensor *tensor) {
    double first = 0, times = 0;
    for (size_t i = 0; i < tensor->rows; i++) {
        double before = first;
        lesson_curve_position(tensor, i, &first);
        if (!(first > 0) || (i && !(first >= 2 * before)))
            return false;
        if (i > 1 && fabs(first / before / times - 1) > 1e-9)
            return false;
        times = first / before;
    }
    return true;
}

static void find_range(Curves *curves) {
    const Tensor *tensor = curves->tensor;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        if (tensor_is_masking(tensor->values[i]))
            continue;
        low = fmin(low, tensor->values[i]);
        high = fmax(high, tensor->values[i]);
    }
    if (!(low <= high))
        low = 0, high = 1;
    PlotAxis *across = &curves->plot.across, *up = &curves->plot.up;
    across->ratios = multiplies(tensor);
    across->from = plot_along(*across, row_place(curves, 0));
    across->to = plot_along(*across, row_place(curves, tensor->rows - 1));
    up->ratios = low > 0 && high / low > MUCH;
    if (!up->ratios)
        low = fmin(low, 0);
    up->from = plot_along(*up, low);
    up->to = plot_along(*up, high);
    if (!(up->to > up->from))
        up->to = up->from + 1;
    double room = up->to * HEADROOM - up->from * HEADROOM;
    up->from = fmax(up->from - (low == 0 ? 0 : room), -DBL_MAX);
    up->to = fmin(up->to + room, DBL_MAX);
    plot_find_ticks(&curves->plot, plot_step(up->to / 6 - up->from / 6));
}

/* Draws the labels' numbers below the plot, and their common name below these. */
static void draw_place_axis(const Curves *curves) {
    const Canvas *canvas = curves->stage->canvas;
    double size = canvas_size(canvas, TICK_UNITS, ""), free = -INFINITY;
    double bottom = curves->plot.box.y + curves->plot.box.h;
    for (size_t i = 0; i < curves->tensor->rows; i++) {
        double place = 0;
        size_t name = lesson_curve_position(curves->tensor, i, &place);
        double x = plot_x(&curves->plot, place);
        bool focus = curves->stage->has_focus && curves->stage->focus_row == i;
        const char *text = curves->tensor->row_labels[i] + name;
        double half = canvas_text_width(canvas, FONT_BOLD, size, text) / 2;
        if (x - half < free)
            continue;
        free = x + half + size * 0.5;
        canvas_text(canvas, focus ? FONT_BOLD : FONT_TEXT, size,
                    focus ? canvas->theme->ink : canvas->theme->ink_soft,
                    (Point){x, round(bottom + size * 1.6)}, LABEL_CENTER, text);
    }
    double place;
    const char *label = curves->tensor->row_labels[0];
    size_t name = lesson_curve_position(curves->tensor, 0, &place);
    while (name && strchr(" =", label[name - 1]))
        name--;
    if (name)
        canvas_formula(canvas, canvas_format(canvas, "\\tensor{%.*s}", (int)name, label),
                       NAME_UNITS,
                       (Point){curves->plot.box.x + curves->plot.box.w / 2,
                               round(bottom + size * 3.1)},
                       LABEL_CENTER);
}

/* ---- curves ---- */

/* Reports whether a column was given, through all tables that were concatenated. */
static bool was_given(const Stage *stage, size_t node, size_t col) {
    const TapeNode *at = stage_node(stage, node);
    if (at->operation == OPERATION_TRANSPOSE)
        at = stage_node(stage, at->inputs[0]);
    if (at->operation != OPERATION_CONCAT)
        return at->operation == OPERATION_GIVEN;
    for (size_t i = 0; i < at->input_count; i++) {
        size_t cols = stage_tensor(stage, at->inputs[i])->cols;
        if (col < cols)
            return was_given(stage, at->inputs[i], col);
        col -= cols;
    }
    return false;
}

/* Gives the computed columns hues and dashes in turn. */
static void choose_hues(Curves *curves) {
    const Stage *stage = curves->stage;
    const Theme *theme = stage->canvas->theme;
    size_t computed = 0;
    for (size_t j = 0; j < curves->tensor->cols; j++) {
        curves->curves[j] = (Curve){.given = true, .hue = theme->ink_faint};
        if (was_given(stage, stage->node, j))
            continue;
        curves->curves[j] =
            (Curve){false, theme->other[computed % 4], pattern_nth(theme, computed)};
        computed++;
    }
}

static bool is_drawn(const Curves *curves, size_t row, size_t col) {
    double value = tensor_at(curves->tensor, row, col);
    return view_cell_visible(curves->stage, row, col) && !tensor_is_masking(value) &&
           (!curves->plot.up.ratios || value > 0);
}

static Point point_of(const Curves *curves, size_t row, size_t col) {
    return plot_point(&curves->plot, row_place(curves, row),
                      tensor_at(curves->tensor, row, col));
}

static void draw_curve(const Curves *curves, size_t col) {
    const Canvas *canvas = curves->stage->canvas;
    const Curve *curve = &curves->curves[col];
    double width = curve->given ? 2 : 3;
    for (size_t i = 1; i < curves->tensor->rows; i++) {
        const Point line[] = {point_of(curves, i - 1, col), point_of(curves, i, col)};
        if (is_drawn(curves, i - 1, col) && is_drawn(curves, i, col))
            pattern_path(canvas, curve->dash, line, 2, width, 1, curve->hue);
    }
}

/* Draws a dot for each computed number; given ones are invisible but can be pointed
 * at. */
static void draw_dots(const Curves *curves, size_t col) {
    const Stage *stage = curves->stage;
    const Canvas *canvas = stage->canvas;
    const Curve *curve = &curves->curves[col];
    double reach = 11;
    for (size_t i = 0; i < curves->tensor->rows; i++) {
        if (!is_drawn(curves, i, col))
            continue;
        Point at = point_of(curves, i, col);
        canvas_link_cell(canvas, stage->node, i, col);
        canvas_dot(canvas, at, curve->given ? reach * 0.6 : reach, (Color){0}, (Color){0},
                   0);
        if (!curve->given)
            canvas_dot(canvas, at, round(DOT), curve->hue, (Color){0}, 0);
        canvas_unlink(canvas);
    }
}

/* Reports whether a curve runs through a box. */
static bool is_crossed(const Curves *curves, Box box) {
    for (size_t j = 0; j < curves->tensor->cols; j++) {
        for (size_t i = 1; i < curves->tensor->rows; i++) {
            if (is_drawn(curves, i - 1, j) && is_drawn(curves, i, j) &&
                line_meets(point_of(curves, i - 1, j), point_of(curves, i, j), box))
                return true;
        }
    }
    return false;
}

/* Box of a text at a dot; `side`: above left, above, below left, below. */
static Box beside_dot(const Curves *curves, Point at, double width, double size,
                      int side) {
    Box plot = curves->plot.box;
    double x = at.x + (side % 2 ? FOCUS_DOT : -width - FOCUS_DOT);
    double y = at.y + (side < 2 ? -size - FOCUS_DOT - 4 : FOCUS_DOT + 2);
    return (Box){fmin(fmax(x, plot.x + 4), plot.x + plot.w - width),
                 fmin(fmax(y, plot.y), plot.y + plot.h - size), width, size};
}

/* Draws the number of the dot in focus, on a side without a curve if there is one. */
static void draw_focus(const Curves *curves) {
    const Stage *stage = curves->stage;
    const Canvas *canvas = stage->canvas;
    size_t row = stage->focus_row, col = stage->focus_col;
    if (!stage->has_focus || !is_drawn(curves, row, col))
        return;
    Point at = point_of(curves, row, col);
    canvas_dot(canvas, at, FOCUS_DOT, (Color){0}, canvas->theme->focus, 2);
    char text[NUMBER_SIZE];
    number_format_short(text, tensor_at(curves->tensor, row, col), HEATMAP_DECIMALS);
    double size = canvas_size(canvas, 16, "");
    double width = canvas_text_width(canvas, FONT_BOLD, size, text);
    Box box = beside_dot(curves, at, width, size, 0);
    for (int side = 1; side < 4 && is_crossed(curves, box); side++)
        box = beside_dot(curves, at, width, size, side);
    if (is_crossed(curves, box))
        box = beside_dot(curves, at, width, size, 0);
    canvas_link_cell(canvas, stage->node, row, col);
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                (Point){box.x, round(box.y + size * 0.9)}, LABEL_LEFT, text);
    canvas_unlink(canvas);
}

/* ---- names at the ends ---- */

/* Name of a curve; a single curve has no index. */
static const char *name_of(const void *of, size_t col) {
    const Curves *curves = of;
    return curves->last.count == 1 && !curves->last.labels
               ? ""
               : series_label(&curves->last, col);
}

/* Draws the names at the height of the curves' last points, from the highest to the
 * lowest, moved down where two would meet. */
static void draw_names(const Curves *curves) {
    const Canvas *canvas = curves->stage->canvas;
    const size_t *order = series_order(&curves->last);
    size_t last = curves->tensor->rows - 1;
    double taken = -INFINITY, gap = 16;
    for (size_t i = 0; i < curves->last.count; i++) {
        if (!is_drawn(curves, last, order[i]))
            continue;
        const Curve *curve = &curves->curves[order[i]];
        const char *name = name_of(curves, order[i]);
        double size = canvas_size(canvas, END_UNITS, name);
        taken = fmax(point_of(curves, last, order[i]).y, taken + size * 1.3);
        Box line = {curves->plot.box.x + curves->plot.box.w + gap,
                    round(taken - size * 0.65), curves->ends - gap, 0};
        canvas_paragraph(canvas, FONT_BOLD, size,
                         curve->given ? canvas->theme->ink_soft : curve->hue, line,
                         size * 1.3, 1, name);
    }
}

void curve_view(const Stage *stage, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    Curves curves = {.stage = stage,
                     .tensor = stage_tensor(stage, stage->node),
                     .plot = {.canvas = canvas,
                              .decimals = PLOT_SHORT,
                              .units = TICK_UNITS,
                              .gap = 12,
                              .ink = canvas->theme->ink_soft}};
    Box area = stage->area;
    Box head = box_take_top(&area, 32);
    view_caption(stage, head, view_hue(stage, place));
    find_range(&curves);
    choose_hues(&curves);
    curves.last = series_of(canvas, curves.tensor, curves.tensor->rows - 1);
    curves.ends = fmin(
        chart_widest(canvas, FONT_BOLD, END_UNITS, curves.last.count, name_of, &curves) +
            22,
        stage->area.w * 0.3);
    double size = canvas_size(canvas, TICK_UNITS, "");
    box_take_bottom(&area, round(size * 4.2));
    box_take_left(&area, plot_ticks_width(&curves.plot));
    box_take_right(&area, curves.ends);
    curves.plot.box = box_inset(area, 6);
    plot_draw_ticks(&curves.plot);
    draw_place_axis(&curves);
    for (size_t j = 0; j < curves.tensor->cols; j++)
        draw_curve(&curves, j);
    for (size_t j = 0; j < curves.tensor->cols; j++)
        draw_dots(&curves, j);
    draw_names(&curves);
    draw_focus(&curves);
}
