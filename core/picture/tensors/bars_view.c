#include "lesson/content/content.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/tensors/views.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* One row as bars over the columns' labels, or a single column over the rows' labels:
 * probabilities over a few tokens, or logits, with negative ones below the axis. Several
 * tensors, or rows, share one axis. One bar is strong: the focused one, else the tallest;
 * the tallest has a wedge if it is the strong one. If not all numbers have room, the
 * focused bar and the tallest three have theirs. The rows' tokens stand above, the
 * present one marked. Probabilities over more tokens than can stand side by side are a
 * ranked list. */

static const double LABEL_UNITS = 15.5, TICK_UNITS = 13.5, WIDEST_BAR = 66;
static const double BAR_FRACTION = 0.7; /* fraction of its column's width */
/* Fraction of the axis: lower bars of many have no label. */
static const double LABELLED = 0.012;
static const double LABEL_ROOM = 0.38; /* fraction of the plot for the columns' labels */
static const double THINNEST_COLUMN = 3; /* points; below, one bar stands for several */
static const double RANKED_GAP = 14;     /* before the numbers of a ranked list */
enum {
    TOP_NUMBERS = 3, /* numbers, if not all have room */
    FEW = 8          /* up to so many bars all but zeros have their number */
};

typedef struct Bars {
    const Stage *stage;
    Series series;
    size_t tallest, strong;
    Plot plot;      /* the values are on its vertical axis */
    size_t per_bar; /* number of columns that share one bar: 1 unless there are many */
    LabelRow labels;
    Taken taken; /* boxes of the numbers written so far */
} Bars;

/* ---- tables and rows side by side ---- */

static bool is_column(const Tensor *tensor) {
    return tensor->cols == 1 && tensor->rows > 1;
}

/* Series `index` of those side by side: this row, or the last one, of each tensor shown,
 * or each row of one tensor. */
static Series beside(const Stage *stage, size_t index, ViewPlace place) {
    size_t row = view_row(stage), node = stage->node;
    if (place.count > 1 && stage->step->shown_count)
        node = stage->step->shown[index];
    else if (place.count > 1)
        row = index;
    const Tensor *tensor = stage_tensor(stage, node);
    row = row < tensor->rows ? row : tensor->rows - 1;
    return is_column(tensor) ? series_of_all(stage->canvas, tensor)
                             : series_of(stage->canvas, tensor, row);
}

/* Draws probabilities over labelled columns as a ranked list; returns false if one of the
 * series side by side isn't of a table of its own with the same columns. */
static bool draw_ranked(const Bars *bars, Box area, ViewPlace place) {
    Series all[VIEW_GRID_MOST];
    if (place.count > 1 && !bars->stage->step->shown_count)
        return false;
    for (size_t i = 0; i < place.count; i++) {
        all[i] = beside(bars->stage, i, place);
        if (all[i].count != all[0].count || !all[i].tensor->col_labels ||
            !lesson_has_probabilities(all[i].tensor))
            return false;
    }
    RankedList list = {.series = bars->series,
                       .beside = all,
                       .beside_count = place.count,
                       .present = bars->series.focus,
                       .strong = bars->tallest,
                       .column_count = 1,
                       .columns = {{.heading = "",
                                    .series = bars->series,
                                    .is_main = true,
                                    .is_before = true,
                                    .gap = RANKED_GAP}}};
    ranked_list_place(&list, area);
    ranked_list_draw(&list);
    return true;
}

/* ---- the axis ---- */

static int step_decimals(double step) {
    int decimals = 0;
    for (double scaled = step; decimals < 9 && fabs(scaled - round(scaled)) > 1e-6;
         scaled *= 10)
        decimals++;
    return decimals;
}

/* Chooses the common axis of all series side by side: from 0 to 1 for probabilities, so
 * that pages can be compared. */
static void find_axis(Bars *bars, ViewPlace place) {
    PlotAxis *axis = &bars->plot.up;
    bool has_probabilities = true;
    for (size_t i = 0; i < place.count; i++) {
        Series series = beside(bars->stage, i, place);
        has_probabilities &= lesson_has_probabilities(series.tensor);
        for (size_t j = 0; j < series.count; j++) {
            if (tensor_is_masking(series.values[j]))
                continue;
            axis->from = fmin(axis->from, series.values[j]);
            axis->to = fmax(axis->to, series.values[j]);
        }
    }
    if (axis->to == axis->from || has_probabilities)
        axis->to = axis->from + 1;
    double tick = plot_step(axis->to / 5 - axis->from / 5);
    axis->to = fmin(ceil(axis->to / tick - 1e-9) * tick, DBL_MAX);
    axis->from = fmax(floor(axis->from / tick + 1e-9) * tick, -DBL_MAX);
    bars->plot.decimals = step_decimals(tick);
    plot_find_ticks(&bars->plot, tick);
}

/* ---- columns ---- */

static size_t bar_count(const Bars *bars) {
    return (bars->series.count + bars->per_bar - 1) / bars->per_bar;
}

static double pitch_of(const Bars *bars) {
    return bars->plot.box.w / (double)bar_count(bars);
}

/* Column of bar `index`: the one with the largest number among those that share it. */
static size_t column_of(const Bars *bars, size_t index) {
    const double *values = bars->series.values;
    size_t first = index * bars->per_bar, best = first;
    for (size_t j = first; j < first + bars->per_bar && j < bars->series.count; j++) {
        if (tensor_is_masking(values[best]) || fabs(values[j]) > fabs(values[best]))
            best = j;
    }
    return best;
}

static double middle_of(const Bars *bars, size_t col) {
    return bars->plot.box.x + pitch_of(bars) * ((double)(col / bars->per_bar) + 0.5);
}

/* Box of a bar from 0 to its value; masking numbers hang a little below 0. */
static Box bar_box(const Bars *bars, size_t col) {
    double value = bars->series.values[col], pitch = pitch_of(bars);
    double width = pitch < 6 ? fmax(pitch - 1, 1) : pitch * BAR_FRACTION;
    width = fmin(round(width), WIDEST_BAR);
    double x = round(middle_of(bars, col) - width / 2);
    double zero = round(plot_y(&bars->plot, 0));
    if (tensor_is_masking(value))
        return (Box){x, zero, width, 10};
    double y = round(plot_y(&bars->plot, value));
    return y <= zero ? (Box){x, fmin(y, zero - 1), width, fmax(zero - y, 1)}
                     : (Box){x, zero, width, y - zero};
}

static void draw_bar(const Bars *bars, size_t index) {
    const Canvas *canvas = bars->plot.canvas;
    size_t col = column_of(bars, index);
    double pitch = pitch_of(bars);
    canvas_link(canvas, series_link(&bars->series, col));
    canvas_target(canvas,
                  (Box){bars->plot.box.x + pitch * (double)index, bars->plot.box.y, pitch,
                        bars->plot.box.h}); /* the whole column can be pointed at */
    Box box = bar_box(bars, col);
    Color fill = emphasis_bar(canvas->theme, col == bars->strong);
    if (series_is_visible(&bars->series, col) &&
        tensor_is_masking(bars->series.values[col])) {
        canvas_masked(canvas, box);
    } else if (series_is_visible(&bars->series, col)) {
        canvas_fill(canvas, box, fmin(3, fmin(box.w, box.h) / 2), fill);
        if (col == bars->strong && col == bars->tallest)
            emphasis_largest(canvas, box, fill);
    }
    canvas_unlink(canvas);
}

/* ---- numbers at the bars ---- */

/* Reports whether a box is free of other columns' bars. */
static bool is_free(const Bars *bars, Box box, size_t col) {
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
    const Canvas *canvas = bars->plot.canvas;
    double value = bars->series.values[col];
    FontRole font = col == bars->series.focus ? FONT_BOLD : FONT_TEXT;
    const char *text = series_number(&bars->series, col);
    double size = canvas_size(canvas, LABEL_UNITS, ""), gap = 6;
    double width = canvas_text_width(canvas, font, size, text);
    Box bar = bar_box(bars, col), plot = bars->plot.box;
    bool down = value < 0 || tensor_is_masking(value);
    double baseline = down ? bar.y + bar.h + gap + size * LABEL_ASCENT : bar.y - gap;
    double most = plot.x + plot.w - width / 2;
    double middle = round(fmax(fmin(bar.x + bar.w / 2, most), plot.x + width / 2));
    Box box = {middle - width / 2, baseline - size * LABEL_ASCENT, width,
               size * (LABEL_ASCENT + LABEL_DESCENT)};
    if (!series_is_visible(&bars->series, col) ||
        !is_free(bars, box_inset(box, -1), col) || !taken_add(&bars->taken, box))
        return;
    canvas_fill(canvas, box, 0, canvas->theme->page); /* hides the axis' lines */
    canvas_link(canvas, series_link(&bars->series, col));
    canvas_text(canvas, font, size, canvas->theme->ink, (Point){middle, baseline},
                LABEL_CENTER, text);
    canvas_unlink(canvas);
}

static const char *number_of(const void *of, size_t index) {
    const Bars *bars = of;
    return series_number(&bars->series, column_of(bars, index));
}

/* Draws the focused bar's number, then others from the highest bar on as far as there is
 * room. */
static void draw_numbers(Bars *bars) {
    const Series *series = &bars->series;
    const size_t *order = series_order(series);
    size_t count = bar_count(bars), left = TOP_NUMBERS;
    bool all = count <= FEW || chart_widest(bars->plot.canvas, FONT_BOLD, LABEL_UNITS,
                                            count, number_of, bars) <= pitch_of(bars);
    double range = bars->plot.up.to / 2 - bars->plot.up.from / 2;
    double least = count > FEW ? 2 * LABELLED * range : DBL_MIN;
    if (series_has_focus(series))
        draw_number(bars, series->focus);
    for (size_t i = 0; i < series->count && (all || left); i++) {
        double value = series->values[order[i]];
        bool tall = tensor_is_masking(value) || (all ? fabs(value) : value) >= least;
        if (!tall || order[i] != column_of(bars, order[i] / bars->per_bar))
            continue;
        left--;
        if (order[i] != series->focus)
            draw_number(bars, order[i]);
    }
}

/* ---- labels of the columns ---- */

static const char *label_of(const void *of, size_t col) {
    const Bars *bars = of;
    return series_label(&bars->series, col);
}

static const char *word_of(const void *of, size_t col) {
    const Bars *bars = of;
    return token_text(bars->plot.canvas, label_of(bars, col));
}

static void draw_label(Bars *bars, size_t col, double top) {
    canvas_link(bars->plot.canvas, series_link(&bars->series, col));
    label_row_draw(&bars->labels, col, top, LABEL_RIGHT, col == bars->strong);
    canvas_unlink(bars->plot.canvas);
}

/* Draws the labels of the strong and the tallest bar, and others at a distance from them;
 * no others if not even upright labels have room. */
static void draw_labels(Bars *bars, double top) {
    draw_label(bars, bars->strong, top);
    draw_label(bars, bars->tallest, top);
    for (size_t j = 0; !bars->labels.is_crowded && j < bars->series.count;
         j += bars->labels.every)
        draw_label(bars, j, top);
}

/* ---- the whole ---- */

/* Draws the caption, and the rows' tokens unless they are those of the first tensor
 * beside this one. */
static void draw_head(const Bars *bars, Box strip, ViewPlace place) {
    const Stage *stage = bars->stage;
    const Tensor *own = bars->series.tensor, *first = own;
    size_t row = view_row(stage);
    strip.w -= view_caption(stage, strip, view_hue(stage, place)) + 24;
    if (place.index && stage->step->shown_count)
        first = stage_tensor(stage, stage->step->shown[0]);
    bool is_same = first != own && first->rows == own->rows && first->row_labels &&
                   own->row_labels &&
                   strcmp(first->row_labels[row], own->row_labels[row]) == 0;
    if (!is_column(own) && (own->rows > 1 || own->row_labels) && !is_same)
        token_row_draw(stage, strip, row, bars->strong);
}

/* Height below the axis for the numbers of bars that reach its end, and those of masked
 * ones. */
static double room_below(const Bars *bars, double number) {
    double little = 10;
    for (size_t j = 0; j < bars->series.count; j++) {
        if (tensor_is_masking(bars->series.values[j]))
            return number + little;
    }
    return bars->plot.up.from < 0 ? number : little;
}

void bars_view(const Stage *stage, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    Bars bars = {.stage = stage,
                 .series = is_column(stage_tensor(stage, stage->node))
                               ? view_series_of_all(stage)
                               : view_series(stage),
                 .plot = {.canvas = canvas,
                          .units = TICK_UNITS,
                          .gap = 10,
                          .ink = canvas->theme->ink_faint,
                          .is_ground = true},
                 .per_bar = 1};
    bars.tallest = series_largest(&bars.series);
    bars.strong = series_has_focus(&bars.series) ? bars.series.focus : bars.tallest;
    find_axis(&bars, place);
    Box area = stage->area;
    draw_head(&bars, box_take_top(&area, token_row_height(canvas)), place);
    double number = canvas_size(canvas, LABEL_UNITS, "") + 10;
    box_take_top(&area, 12);
    const Box whole = area;
    box_take_top(&area, number);
    box_take_left(&area, plot_ticks_width(&bars.plot));
    box_take_right(&area, 8);
    double pitch = area.w / (double)bars.series.count, apart = 8;
    if (bars.series.labels &&
        chart_widest(canvas, FONT_BOLD, LABEL_UNITS, bars.series.count, word_of, &bars) +
                apart >
            pitch &&
        draw_ranked(&bars, whole, place))
        return;
    bars.labels = (LabelRow){.canvas = canvas,
                             .label = label_of,
                             .list = &bars,
                             .count = bars.series.count,
                             .left = area.x,
                             .pitch = pitch,
                             .units = LABEL_UNITS,
                             .is_counts = !bars.series.labels};
    label_row_measure(&bars.labels, area.h * LABEL_ROOM);
    Box below = box_take_bottom(&area, bars.labels.height);
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
    draw_labels(&bars, below.y);
}
