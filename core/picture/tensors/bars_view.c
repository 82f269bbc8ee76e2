#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/charts/plot.h"
#include "picture/draw/emphasis.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* One row as bars over the columns' labels, or a single column over the rows' labels:
 * probabilities over a few tokens (many are a ranked list), or logits, with negative ones
 * below the axis. Several tensors, or rows, share one axis. One bar is strong: the
 * focused one, else the tallest; the tallest has a wedge if it is the strong one. If not
 * all numbers have room, the focused bar and the tallest three have theirs. The rows'
 * tokens stand above, the present one marked. */

static const double LABEL_UNITS = 15.5, TICK_UNITS = 13.5, WIDEST_BAR = 66;
static const double BAR_FRACTION = 0.7; /* fraction of its column's width */
/* Fraction of the axis: lower bars of many have no label. */
static const double LABELLED = 0.012;
static const double LABEL_ROOM = 0.38; /* fraction of the plot for the columns' labels */
/* Factor by which labels may exceed their room rather than be cut. */
static const double RATHER_THAN_CUT = 1.5;
static const double THINNEST_COLUMN = 3; /* points; below, one bar stands for several */
enum { TOP_NUMBERS = 3 };                /* numbers, if not all have room */
enum {
    NUMBERS_MAX = 48,
    FEW = 8
}; /* capacity; up to FEW bars all but zeros have their number */

typedef struct Bars {
    const Stage *stage;
    const Tensor *tensor;
    bool column; /* the tensor has only one column: a bar for each row */
    size_t row, tallest;
    Plot plot;      /* the values are on its vertical axis */
    size_t per_bar; /* number of columns that share one bar: 1 unless there are many */
    bool upright;   /* column labels stand upright */
    double largest; /* largest size of column labels */
    size_t every;   /* columns from one label to the next */
    size_t number_count;
    Box numbers[NUMBERS_MAX]; /* boxes of the numbers written so far */
} Bars;

/* ---- data ---- */

static bool is_column(const Tensor *tensor) {
    return tensor->cols == 1 && tensor->rows > 1;
}

/* Number of values that are drawn as bars. */
static size_t length_of(const Tensor *tensor) {
    return is_column(tensor) ? tensor->rows : tensor->cols;
}

static double value_at(const Bars *bars, size_t index) {
    return bars->column ? tensor_at(bars->tensor, index, 0)
                        : tensor_at(bars->tensor, bars->row, index);
}

static const char *const *labels_of(const Bars *bars) {
    return bars->column ? bars->tensor->row_labels : bars->tensor->col_labels;
}

static size_t focus_of(const Bars *bars) {
    return bars->column ? bars->stage->focus_row : bars->stage->focus_col;
}

/* Reports whether a bar is in focus; charts of several rows side by side have a focus
 * only if a cell is pointed at. */
static bool has_focus(const Bars *bars) {
    return bars->stage->has_focus && focus_of(bars) < length_of(bars->tensor);
}

static void link_bar(const Bars *bars, size_t index) {
    canvas_link_cell(bars->stage->canvas, bars->stage->node,
                     bars->column ? index : bars->row, bars->column ? 0 : index);
}

static bool is_visible(const Bars *bars, size_t index) {
    return view_cell_visible(bars->stage, bars->column ? index : bars->row,
                             bars->column ? 0 : index);
}

/* ---- the axis ---- */

/* Widens the axis to include a tensor's row, or its only column. */
static void widen_axis(Bars *bars, const Tensor *tensor, size_t row) {
    for (size_t j = 0; j < length_of(tensor); j++) {
        double value =
            is_column(tensor) ? tensor_at(tensor, j, 0) : tensor_at(tensor, row, j);
        if (tensor_is_masking(value))
            continue;
        bars->plot.up.from = fmin(bars->plot.up.from, value);
        bars->plot.up.to = fmax(bars->plot.up.to, value);
    }
}

static int step_decimals(double step) {
    int decimals = 0;
    for (double scaled = step; decimals < 9 && fabs(scaled - round(scaled)) > 1e-6;
         scaled *= 10)
        decimals++;
    return decimals;
}

/* Chooses the common axis of all tensors that the step shows: from 0 to 1 for
 * probabilities, so that pages can be compared. */
static void find_axis(Bars *bars, size_t count) {
    const LessonStep *step = bars->stage->step;
    bool has_probabilities = lesson_has_probabilities(bars->tensor);
    widen_axis(bars, bars->tensor, bars->row);
    for (size_t i = 0; count > 1 && !step->shown_count && i < bars->tensor->rows; i++)
        widen_axis(bars, bars->tensor, i);
    for (size_t i = 0; count > 1 && i < step->shown_count; i++) {
        const Tensor *other = stage_tensor(bars->stage, step->shown[i]);
        widen_axis(bars, other, bars->row < other->rows ? bars->row : other->rows - 1);
        has_probabilities &= lesson_has_probabilities(other);
    }
    PlotAxis *axis = &bars->plot.up;
    if (axis->to == axis->from || has_probabilities)
        axis->to = axis->from + 1;
    double tick = plot_step(axis->to / 5 - axis->from / 5);
    axis->to = fmin(ceil(axis->to / tick - 1e-9) * tick, DBL_MAX);
    axis->from = fmax(floor(axis->from / tick + 1e-9) * tick, -DBL_MAX);
    bars->plot.decimals = step_decimals(tick);
    plot_find_ticks(&bars->plot, tick);
}

static double y_of(const Bars *bars, double value) {
    return round(plot_y(&bars->plot, value));
}

/* ---- columns ---- */

static size_t bar_count(const Bars *bars) {
    return (length_of(bars->tensor) + bars->per_bar - 1) / bars->per_bar;
}

static double pitch_of(const Bars *bars) {
    return bars->plot.box.w / (double)bar_count(bars);
}

static bool is_focus(const Bars *bars, size_t col) {
    return has_focus(bars) && focus_of(bars) == col;
}

/* Index of the strong bar. */
static size_t marked(const Bars *bars) {
    return has_focus(bars) ? focus_of(bars) : bars->tallest;
}

/* Column of bar `index`: the one with the largest number among those that share it. */
static size_t column_of(const Bars *bars, size_t index) {
    size_t first = index * bars->per_bar, best = first;
    for (size_t j = first; j < first + bars->per_bar && j < length_of(bars->tensor);
         j++) {
        double value = value_at(bars, j);
        double so_far = value_at(bars, best);
        if (tensor_is_masking(so_far) || fabs(value) > fabs(so_far))
            best = j;
    }
    return best;
}

static double middle_of(const Bars *bars, size_t col) {
    return bars->plot.box.x + pitch_of(bars) * ((double)(col / bars->per_bar) + 0.5);
}

/* Box of a bar from 0 to its value; masking numbers hang a little below 0. */
static Box bar_box(const Bars *bars, size_t col) {
    double value = value_at(bars, col), pitch = pitch_of(bars);
    double width = pitch < 6 ? fmax(pitch - 1, 1) : pitch * BAR_FRACTION;
    width = fmin(round(width), WIDEST_BAR);
    double x = round(middle_of(bars, col) - width / 2), zero = y_of(bars, 0);
    if (tensor_is_masking(value))
        return (Box){x, zero, width, 10};
    double y = y_of(bars, value);
    return y <= zero ? (Box){x, fmin(y, zero - 1), width, fmax(zero - y, 1)}
                     : (Box){x, zero, width, y - zero};
}

static void draw_bar(const Bars *bars, size_t index) {
    const Canvas *canvas = bars->stage->canvas;
    const Theme *theme = canvas->theme;
    size_t col = column_of(bars, index);
    double pitch = pitch_of(bars);
    link_bar(bars, col);
    canvas_target(canvas,
                  (Box){bars->plot.box.x + pitch * (double)index, bars->plot.box.y, pitch,
                        bars->plot.box.h}); /* the whole column can be pointed at */
    if (is_visible(bars, col)) {
        Box box = bar_box(bars, col);
        double radius = fmin(3, fmin(box.w, box.h) / 2);
        if (tensor_is_masking(value_at(bars, col)))
            canvas_masked(canvas, box);
        else
            canvas_fill(canvas, box, radius, emphasis_bar(theme, col == marked(bars)));
        if (col == marked(bars) && col == bars->tallest &&
            !tensor_is_masking(value_at(bars, col)))
            emphasis_largest(canvas, box, emphasis_bar(theme, true));
    }
    canvas_unlink(canvas);
}

/* ---- numbers at the bars ---- */

/* Reports whether a box is free of numbers and of other columns' bars. */
static bool is_free(const Bars *bars, Box box, size_t col) {
    for (size_t i = 0; i < bars->number_count; i++) {
        if (boxes_meet(bars->numbers[i], box))
            return false;
    }
    double pitch = pitch_of(bars);
    double first = floor((box.x - bars->plot.box.x) / pitch) - 1;
    double last = ceil((box.x + box.w - bars->plot.box.x) / pitch) + 1;
    for (size_t i = (size_t)fmax(first, 0); i < bar_count(bars) && (double)i < last;
         i++) {
        size_t other = column_of(bars, i);
        if (other != col && boxes_meet(bar_box(bars, other), box))
            return false;
    }
    return true;
}

static void draw_number(Bars *bars, size_t col) {
    const Canvas *canvas = bars->stage->canvas;
    double value = value_at(bars, col);
    bool focus = is_focus(bars, col);
    FontRole font = focus ? FONT_BOLD : FONT_TEXT;
    const char *text = view_number(bars->stage, bars->stage->node, value);
    double size = canvas_size(canvas, LABEL_UNITS, "");
    double width = canvas_text_width(canvas, font, size, text);
    Box bar = bar_box(bars, col);
    bool down = value < 0 || tensor_is_masking(value);
    double gap = 6;
    double baseline = down ? bar.y + bar.h + gap + size * LABEL_ASCENT : bar.y - gap;
    double least = bars->plot.box.x + width / 2,
           most = bars->plot.box.x + bars->plot.box.w - width / 2;
    double middle = round(fmax(fmin(bar.x + bar.w / 2, most), least));
    Box box = {middle - width / 2, baseline - size * LABEL_ASCENT, width,
               size * (LABEL_ASCENT + LABEL_DESCENT)};
    if (bars->number_count == NUMBERS_MAX || !is_free(bars, box_inset(box, -1), col) ||
        !is_visible(bars, col))
        return;
    bars->numbers[bars->number_count++] = box;
    canvas_fill(canvas, box, 0, canvas->theme->page); /* hides the axis' lines */
    link_bar(bars, col);
    canvas_text(canvas, font, size, canvas->theme->ink, (Point){middle, baseline},
                LABEL_CENTER, text);
    canvas_unlink(canvas);
}

/* Reports whether all numbers have room side by side. */
static bool have_room(const Bars *bars) {
    const Stage *stage = bars->stage;
    double size = canvas_size(stage->canvas, LABEL_UNITS, ""), pitch = pitch_of(bars);
    size_t count = bar_count(bars);
    bool fit = count <= NUMBERS_MAX;
    for (size_t i = 0; i < count && count > FEW && fit; i++) {
        const char *text =
            view_number(stage, stage->node, value_at(bars, column_of(bars, i)));
        fit = canvas_text_width(stage->canvas, FONT_TEXT, size, text) <= pitch;
    }
    return fit;
}

/* Draws the focused bar's number, then others from the highest bar on as far as there is
 * room. */
static void draw_numbers(Bars *bars) {
    size_t count = bar_count(bars);
    bool all = have_room(bars);
    double least = count > FEW
                       ? LABELLED * bars->plot.up.to - LABELLED * bars->plot.up.from
                       : DBL_MIN;
    bool *done = arena_alloc(bars->stage->canvas->scene->arena, count, sizeof *done);
    if (has_focus(bars))
        draw_number(bars, focus_of(bars));
    for (size_t tries = 0; tries < (all ? count : TOP_NUMBERS); tries++) {
        size_t best = count;
        double largest = 0;
        for (size_t i = 0; i < count; i++) {
            double value = value_at(bars, column_of(bars, i));
            double height = tensor_is_masking(value) ? least : all ? fabs(value) : value;
            if (!done[i] && height >= least && height > largest) {
                best = i;
                largest = height;
            }
        }
        if (best == count)
            return;
        done[best] = true;
        if (!is_focus(bars, column_of(bars, best)))
            draw_number(bars, column_of(bars, best));
    }
}

/* ---- labels of the columns ---- */

static const char *column_label(const Bars *bars, size_t col) {
    const Canvas *canvas = bars->stage->canvas;
    const char *label = view_label(canvas, labels_of(bars), col);
    return token_text(canvas, label);
}

static double label_size(const Bars *bars, const char *label) {
    double size = canvas_size(bars->stage->canvas, LABEL_UNITS, label);
    return fmax(fmin(size, bars->largest), canvas_least(bars->stage->canvas, label));
}

static double width_of_label(const Bars *bars, size_t col) {
    const char *label = column_label(bars, col);
    return canvas_text_width(bars->stage->canvas, FONT_BOLD, label_size(bars, label),
                             label);
}

/* Width of the widest label that can be drawn: if columns are narrower than letters are
 * tall, only the focused and the tallest bar are labelled. Among numbers the last is the
 * widest. */
static double widest_label(const Bars *bars, double pitch) {
    size_t cols = length_of(bars->tensor);
    if (!labels_of(bars))
        return width_of_label(bars, cols - 1);
    double widest = width_of_label(bars, bars->tallest);
    if (has_focus(bars))
        widest = fmax(widest, width_of_label(bars, focus_of(bars)));
    for (size_t j = 0; j < cols && pitch >= canvas_least(bars->stage->canvas, ""); j++)
        widest = fmax(widest, width_of_label(bars, j));
    return widest;
}

/* Height of the labels: numbers are thinned until they fit side by side; other labels
 * wider than their columns stand upright, as large as `room` allows. */
static double label_height(Bars *bars, double plot_width, double room) {
    const Canvas *canvas = bars->stage->canvas;
    double pitch = plot_width / (double)length_of(bars->tensor);
    double line = canvas_size(canvas, LABEL_UNITS, "一") + 14;
    double widest = widest_label(bars, pitch), gap = 8;
    bars->every = 1;
    if (!labels_of(bars)) {
        bars->every = plot_stride(fmax((widest + gap) / pitch, 1));
        return line;
    }
    bars->upright = widest > pitch - gap;
    if (!bars->upright)
        return line;
    double pad = 14;
    while (bars->largest > canvas_least(canvas, "") &&
           widest_label(bars, pitch) + pad > room)
        bars->largest--;
    return fmin(widest_label(bars, pitch) + pad, room * RATHER_THAN_CUT);
}

static void draw_label(const Bars *bars, size_t col, double top, double room) {
    const Canvas *canvas = bars->stage->canvas;
    const Theme *theme = canvas->theme;
    const char *label = column_label(bars, col);
    bool strong = col == marked(bars);
    FontRole font = strong ? FONT_BOLD : FONT_TEXT;
    Color color = strong ? theme->ink : theme->ink_soft;
    double size = label_size(bars, label), x = middle_of(bars, col);
    link_bar(bars, col);
    if (bars->upright) {
        LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, font, size, size,
                                 room, label);
        double pad = token_frame_in(canvas, font, &fit, label, room, pitch_of(bars));
        Box drawn =
            label_draw_upright(canvas->scene, canvas->metrics, font, fit.size, color,
                               (Point){x, top + pad}, LABEL_RIGHT, fit.text);
        if (pad > 0)
            token_frame(canvas, drawn, fit.size, label);
    } else {
        LabelFit fit = {size, label};
        Box drawn = canvas_text(canvas, font, size, color,
                                (Point){x, round(top + size * LABEL_ASCENT)},
                                LABEL_CENTER, label);
        if (token_frame_in(canvas, font, &fit, label, pitch_of(bars), INFINITY) > 0)
            token_frame(canvas, drawn, size, label);
    }
    canvas_unlink(canvas);
}

/* Least distance of two labels. */
static double label_distance(const Bars *bars, size_t a, size_t b) {
    const Canvas *canvas = bars->stage->canvas;
    double size = label_size(bars, column_label(bars, a));
    if (bars->upright)
        return size * 1.15;
    return (canvas_text_width(canvas, FONT_BOLD, size, column_label(bars, a)) +
            canvas_text_width(canvas, FONT_BOLD, size, column_label(bars, b))) /
               2 +
           6;
}

static bool are_apart(const Bars *bars, size_t a, size_t b) {
    return fabs(middle_of(bars, a) - middle_of(bars, b)) >= label_distance(bars, a, b);
}

/* Draws the labels of the focused and the tallest bar, and others at a distance from them
 * and from each other. */
static void draw_labels(const Bars *bars, Box below) {
    double pad = 4;
    double top = below.y + pad, room = below.h - pad;
    size_t focus = marked(bars);
    bool two = are_apart(bars, bars->tallest, focus);
    draw_label(bars, focus, top, room);
    if (two)
        draw_label(bars, bars->tallest, top, room);
    double pitch = bars->plot.box.w / (double)length_of(bars->tensor);
    if (pitch * (double)bars->every < label_distance(bars, 0, 0) && bars->upright)
        return;
    for (size_t j = 0; j < length_of(bars->tensor); j += bars->every) {
        if (j != focus && j != bars->tallest && are_apart(bars, j, focus) &&
            (!two || are_apart(bars, j, bars->tallest)))
            draw_label(bars, j, top, room);
    }
}

/* ---- the whole ---- */

static size_t find_tallest(const Bars *bars) {
    size_t best = 0;
    for (size_t j = 0; j < length_of(bars->tensor); j++) {
        double value = value_at(bars, j);
        double so_far = value_at(bars, best);
        if (!tensor_is_masking(value) && (tensor_is_masking(so_far) || value > so_far))
            best = j;
    }
    return best;
}

/* Reports whether a tensor's row is the same token's as that of the first tensor beside
 * it. */
static bool is_same_row(const Bars *bars, ViewPlace place) {
    const LessonStep *step = bars->stage->step;
    const Tensor *own = bars->tensor;
    const Tensor *first = place.index && step->shown_count
                              ? stage_tensor(bars->stage, step->shown[0])
                              : NULL;
    return first && first->rows == own->rows && first->row_labels && own->row_labels &&
           strcmp(first->row_labels[bars->row], own->row_labels[bars->row]) == 0;
}

static void draw_head(const Bars *bars, Box strip, ViewPlace place) {
    double taken = view_caption(bars->stage, strip, view_hue(bars->stage, place));
    strip.w -= taken + 24;
    if (!bars->column && (bars->tensor->rows > 1 || bars->tensor->row_labels) &&
        !is_same_row(bars, place))
        token_row_draw(bars->stage, strip, bars->row, marked(bars));
}

/* Height below the axis for the numbers of bars that reach its end, and those of masked
 * ones. */
static double room_below(const Bars *bars, double number) {
    double little = 10;
    for (size_t j = 0; j < length_of(bars->tensor); j++) {
        if (tensor_is_masking(value_at(bars, j)))
            return number + little;
    }
    return bars->plot.up.from < 0 ? number : little;
}

void bars_view(const Stage *stage, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    Bars bars = {.stage = stage,
                 .tensor = stage_tensor(stage, stage->node),
                 .row = view_row(stage),
                 .plot = {.canvas = canvas,
                          .units = TICK_UNITS,
                          .gap = 10,
                          .ink = canvas->theme->ink_faint,
                          .is_ground = true},
                 .largest = canvas_size(canvas, LABEL_UNITS, "一"),
                 .per_bar = 1};
    bars.column = is_column(bars.tensor);
    bars.tallest = find_tallest(&bars);
    find_axis(&bars, place.count);
    Box area = stage->area;
    draw_head(&bars, box_take_top(&area, token_row_height(canvas)), place);
    double number = canvas_size(canvas, LABEL_UNITS, "") + 10;
    box_take_top(&area, 12);
    const Box whole = area;
    box_take_top(&area, number);
    box_take_left(&area, plot_ticks_width(&bars.plot));
    box_take_right(&area, 8);
    double labels = label_height(&bars, area.w, area.h * LABEL_ROOM);
    if (bars.upright && ranked_fits(stage, place)) {
        ranked_draw(stage, whole, place);
        return;
    }
    Box below = box_take_bottom(&area, labels);
    box_take_bottom(&area, room_below(&bars, number));
    bars.plot.box = area;
    if (area.w < THINNEST_COLUMN || area.h < 1)
        return; /* no room for a single bar */
    while (area.w / (double)bar_count(&bars) < THINNEST_COLUMN)
        bars.per_bar++;
    plot_draw_ticks(&bars.plot);
    for (size_t i = 0; i < bar_count(&bars); i++)
        draw_bar(&bars, i);
    draw_numbers(&bars);
    draw_labels(&bars, below);
}
