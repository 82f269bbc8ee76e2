#include "base/maths.h"
#include "base/number.h"
#include "picture/charts/charts.h"
#include "picture/tensors/views.h"
#include "tensor/tensor.h"

#include <float.h>

/* Each column's numbers as a vertical histogram, side by side on one axis, with their
 * standard deviation below. Strokes mark the mean plus and minus one standard
 * deviation. */

static const double HEAD = 40, TICK_UNITS = 15, NUMBER_UNITS = 17.5;
static const double WIDEST = 0.43; /* fraction of a column's width, to either side */
static const double LEAST_BIN = 4; /* points */
static const double LARGEST_PITCH = 150;
static const int FILL_ALPHA = 150;
enum { BINS_MAX = 20 };

typedef struct Histograms {
    const Stage *stage;
    const Tensor *tensor;
    Plot plot; /* the values are on its vertical axis */
    Color hue;
    double pitch;
    Box below; /* for the standard deviations */
} Histograms;

/* Mean and standard deviation of a column's numbers, without masking ones. */
typedef struct Spread {
    double least, most, mean, deviation;
    size_t count;
} Spread;

static Spread spread_of(const Tensor *tensor, size_t col) {
    Spread s = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < tensor->rows; i++) {
        double value = tensor_at(tensor, i, col);
        if (tensor_is_masking(value))
            continue;
        s.least = fmin(s.least, value);
        s.most = fmax(s.most, value);
        s.mean += (value - s.mean) / (double)++s.count;
    }
    double squares = 0;
    for (size_t i = 0; i < tensor->rows; i++) {
        double away = tensor_at(tensor, i, col) - s.mean;
        if (!tensor_is_masking(tensor_at(tensor, i, col)))
            squares += away * away / (double)s.count;
    }
    s.deviation = sqrt(squares);
    return s;
}

/* ---- one column ---- */

typedef struct Bins {
    size_t count, most; /* number of bins, and of numbers in the fullest */
    size_t numbers[BINS_MAX];
    size_t rows[BINS_MAX]; /* row of one of a bin's numbers */
    double from, width;
} Bins;

static Bins bins_of(const Histograms *h, size_t col, const Spread *spread) {
    double tall = plot_y(&h->plot, spread->least) - plot_y(&h->plot, spread->most);
    double bins = fmin(fmax(floor(tall / LEAST_BIN), 1), BINS_MAX);
    bins = fmin(bins, ceil(sqrt((double)spread->count) * 1.2));
    Bins b = {.count = (size_t)bins, .from = spread->least};
    b.width = (spread->most / bins - spread->least / bins);
    for (size_t i = 0; i < h->tensor->rows; i++) {
        double value = tensor_at(h->tensor, i, col);
        if (tensor_is_masking(value))
            continue;
        double at = b.width > 0 ? floor((value - b.from) / b.width) : 0;
        size_t bin = (size_t)fmin(fmax(at, 0), bins - 1);
        b.rows[bin] = i;
        if (++b.numbers[bin] > b.most)
            b.most = b.numbers[bin];
    }
    return b;
}

static double middle_of(const Histograms *h, size_t col) {
    return h->plot.box.x + h->pitch * ((double)col + 0.5);
}

static void draw_bins(const Histograms *h, size_t col, const Bins *bins) {
    const Canvas *canvas = h->stage->canvas;
    Color fill = h->hue;
    fill.a = (uint8_t)FILL_ALPHA;
    for (size_t i = 0; i < bins->count; i++) {
        double half = WIDEST * h->pitch * (double)bins->numbers[i] / (double)bins->most;
        double from = bins->from + bins->width * (double)i;
        double top = round(plot_y(&h->plot, from + bins->width));
        double bottom = round(plot_y(&h->plot, from));
        Box box = {round(middle_of(h, col) - half), top, round(2 * half),
                   fmax(bottom - top, 2)};
        if (!bins->numbers[i])
            continue;
        if (box.h > LEAST_BIN)
            box.h -= 1;
        canvas_link_cell(canvas, h->stage->node, bins->rows[i], col);
        canvas_fill(canvas, box, 0, fill);
    }
    canvas_unlink(canvas);
}

static void draw_deviation(const Histograms *h, size_t col, const Spread *spread) {
    const Canvas *canvas = h->stage->canvas;
    double x = middle_of(h, col), half = h->pitch * WIDEST;
    for (int side = -1; side <= 1; side += 2) {
        double y = round(plot_y(&h->plot, spread->mean + side * spread->deviation));
        scene_line(canvas->scene, (Point){x - half, y}, (Point){x + half, y}, 2,
                   canvas->theme->ink);
    }
    char number[NUMBER_SIZE];
    number_format(number, spread->deviation, spread->deviation < 10 ? 2 : 1);
    const char *text = canvas_format(canvas, "±%s", number);
    double size = canvas_size(canvas, NUMBER_UNITS, "");
    if (canvas_text_width(canvas, FONT_TEXT, size, text) + 4 <= h->pitch)
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink,
                    (Point){x, round(h->below.y + h->below.h - size * 0.3)}, LABEL_CENTER,
                    text);
}

/* Draws the focused number as a dot at its value. */
static void draw_focus(const Histograms *h) {
    const Stage *stage = h->stage;
    double value = tensor_at(h->tensor, stage->focus_row, stage->focus_col);
    if (tensor_is_masking(value))
        return;
    canvas_link_cell(stage->canvas, stage->node, stage->focus_row, stage->focus_col);
    canvas_dot(stage->canvas,
               (Point){middle_of(h, stage->focus_col), plot_y(&h->plot, value)}, 6,
               stage->canvas->theme->page, stage->canvas->theme->focus, 2);
    canvas_unlink(stage->canvas);
}

/* ---- layout ---- */

static void find_axis(Histograms *h) {
    double low = 0, high = 0; /* strokes may lie beyond all numbers */
    for (size_t j = 0; j < h->tensor->cols; j++) {
        Spread spread = spread_of(h->tensor, j);
        if (!spread.count)
            continue;
        low = fmin(low, fmin(spread.least, spread.mean - spread.deviation));
        high = fmax(high, fmax(spread.most, spread.mean + spread.deviation));
    }
    if (!(high > low))
        low = -1, high = 1;
    double margin = high / 24 - low / 24;
    h->plot.up = (PlotAxis){.from = fmax(low - margin, -DBL_MAX),
                            .to = fmin(high + margin, DBL_MAX)};
    plot_find_ticks(&h->plot, plot_step(high / 4 - low / 4));
}

/* Draws the columns' names, as above a table. */
static void draw_labels(const Histograms *h, double room) {
    Box box = h->plot.box;
    Heatmap table = stage_heatmap(h->stage, h->stage->node, box, 1);
    table.col_labels = true;
    table.col_label_room = room;
    table.has_focus = h->stage->has_focus;
    table.focus_col = h->stage->focus_col;
    heatmap_draw_labels(h->stage->canvas, &table);
}

void histogram_view(const Stage *stage, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    Histograms h = {.stage = stage,
                    .tensor = stage_tensor(stage, stage->node),
                    .hue = view_hue(stage, place),
                    .plot = {.canvas = canvas,
                             .decimals = PLOT_SHORT,
                             .units = TICK_UNITS,
                             .gap = 10,
                             .ink = canvas->theme->ink_faint,
                             .is_ground = true}};
    Box area = stage->area;
    view_caption(stage, box_take_top(&area, HEAD), h.hue);
    find_axis(&h);
    box_take_left(&area, plot_ticks_width(&h.plot));
    double cols = (double)h.tensor->cols;
    h.pitch = fmin(area.w / cols, LARGEST_PITCH);
    area.w = round(h.pitch * cols);
    double labels = heatmap_col_label_height(canvas, h.tensor, h.pitch, area.h * 0.3);
    box_take_top(&area, labels);
    h.below = box_take_bottom(&area, 32);
    h.plot.box = area;
    if (area.h < 1 || h.pitch < 1)
        return;
    plot_draw_ticks(&h.plot);
    for (size_t j = 0; j < h.tensor->cols; j++) {
        Spread spread = spread_of(h.tensor, j);
        if (!spread.count)
            continue;
        Bins bins = bins_of(&h, j, &spread);
        draw_bins(&h, j, &bins);
        draw_deviation(&h, j, &spread);
    }
    draw_labels(&h, labels);
    if (stage->has_focus)
        draw_focus(&h);
}
