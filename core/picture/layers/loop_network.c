#include "picture/draw/canvas.h"
#include "picture/draw/lanes.h"
#include "picture/draw/patterns.h"
#include "picture/layers/layers_parts.h"

#include <math.h>

static const double CELL = 14, TALLEST_CELL = 14, GATE = 26, GATE_GAP = 4; /* units */
static const double LEAST_BAND = 44, LEAST_CELL = 3, NARROWEST = 0.28,
                    BAND_FRACTION = 0.34;

/* Fraction of the largest; points. */
static const double LEAST_READ = 0.25, WIDEST_READ = 3;

enum { HINGE_POINTS = 25, BAND_MIX = 84 };

/* The chosen token's row of a node as one column; several of very many numbers share a
 * cell, which shows the largest. */
typedef struct Column {
    const Stage *stage;
    size_t node, row;
    size_t count, all; /* number of cells, and of numbers */
    double x, w, top, pitch;
    double reach;
} Column;

static size_t bin_begin(const Column *column, size_t cell) {
    return cell * column->all / column->count;
}

/* Number that a cell shows. */
static size_t shown_in(const Column *column, size_t cell) {
    const Tensor *tensor = stage_tensor(column->stage, column->node);
    size_t best = bin_begin(column, cell);
    for (size_t i = best + 1; i < bin_begin(column, cell + 1); i++) {
        if (fabs(tensor_at(tensor, column->row, i)) >
            fabs(tensor_at(tensor, column->row, best)))
            best = i;
    }
    return best;
}

static double shown_value(const Column *column, size_t cell) {
    return tensor_at(stage_tensor(column->stage, column->node), column->row,
                     shown_in(column, cell));
}

static Column column_of(const Stage *stage, size_t node, size_t row, double height) {
    const Tensor *tensor = stage_tensor(stage, node);
    Column column = {.stage = stage, .node = node, .row = row, .all = tensor->cols};
    size_t most = (size_t)fmax(height / LEAST_CELL, 1);
    column.count = column.all < most ? column.all : most;
    column.w = CELL;
    column.reach = heatmap_reach(tensor);
    column.pitch = fmin(height / (double)column.count, TALLEST_CELL);
    return column;
}

static double column_height(const Column *column) {
    return column->pitch * (double)column->count;
}

static Box cell_of(const Column *column, size_t cell) {
    double y = round(column->top + column->pitch * (double)cell);
    double end = round(column->top + column->pitch * (double)(cell + 1));
    return (Box){column->x, y, column->w, end - y};
}

static Box column_box(const Column *column) {
    return (Box){column->x, column->top, column->w, column_height(column)};
}

static void place_column(Column *column, double x, Box box) {
    column->x = round(x);
    column->top = box.y + (box.h - column_height(column)) / 2;
}

/* Draws the cells, coloured by number; zeros as outlines. */
static void draw_column(const Column *column) {
    const Canvas *canvas = column->stage->canvas;
    const Theme *theme = canvas->theme;
    const ColorScale scale = {&theme->diverging, -column->reach, column->reach,
                              theme->masked};
    for (size_t i = 0; i < column->count; i++) {
        Box cell = cell_of(column, i);
        double value = shown_value(column, i);
        if (cell.h > 4)
            cell.h -= 1;
        canvas_link_cell(canvas, column->node, column->row, shown_in(column, i));
        canvas_fill(canvas, cell, 1,
                    fabs(value) > 0 ? color_scale_at(&scale, value) : theme->page);
        pattern_negative(canvas, cell, value);
        if (cell.h > 4)
            canvas_outline(canvas, cell, 1, theme->line, 1);
        canvas_unlink(canvas);
    }
}

/* Draws each number's contribution to each hidden unit as a line with its width and sign;
 * nothing if several share a cell. */
static void draw_read(const Column *in, const Column *sums, size_t w_1) {
    const Canvas *canvas = in->stage->canvas;
    const Tensor *x = stage_tensor(in->stage, in->node),
                 *weights = stage_tensor(in->stage, w_1);
    const Palette *palette = &canvas->theme->diverging;
    if (in->count != weights->rows || sums->count != weights->cols)
        return;
    double most = 0;
    for (size_t i = 0; i < tensor_cells(weights); i++)
        most = fmax(most,
                    fabs(tensor_at(x, in->row, i / weights->cols) * weights->values[i]));
    for (size_t i = 0; most > 0 && i < tensor_cells(weights); i++) {
        Box from = cell_of(in, i / weights->cols), to = cell_of(sums, i % weights->cols);
        double part =
            tensor_at(x, in->row, i / weights->cols) * weights->values[i] / most;
        Color color = palette->stops[part < 0 ? 0 : palette->count - 1];
        const Point ends[] = {{from.x + from.w, from.y + from.h / 2},
                              {to.x, to.y + to.h / 2}};
        if (fabs(part) > LEAST_READ)
            pattern_path(canvas, pattern_sign(canvas->theme, part), ends, 2,
                         fabs(part) * WIDEST_READ, 1, color);
    }
}

/* Contribution of a cell's units: the sum of |activation · weight|. */
static double sent_by(const Column *units, const Tensor *weights, size_t cell) {
    const Tensor *tensor = stage_tensor(units->stage, units->node);
    double sum = 0;
    for (size_t i = bin_begin(units, cell); i < bin_begin(units, cell + 1); i++) {
        for (size_t j = 0; j < weights->cols; j++)
            sum += fabs(tensor_at(tensor, units->row, i) * tensor_at(weights, i, j));
    }
    return sum;
}

/* Draws a band from every active unit, whose width at its end is its fraction of all
 * contributions. */
static void draw_sent(const Column *units, const Column *out, size_t w_2) {
    const Theme *theme = units->stage->canvas->theme;
    const Tensor *weights = stage_tensor(units->stage, w_2);
    Color strong = lane_color(units->stage->canvas, ROLE_FEED_FORWARD, true);
    Color soft = palette_mix(strong, theme->bar, 90);
    double all = 0, y = out->top;
    for (size_t i = 0; i < units->count; i++)
        all += sent_by(units, weights, i);
    for (size_t i = 0, lit = 0; all > 0 && i < units->count; i++) {
        double height = column_height(out) * sent_by(units, weights, i) / all;
        Box cell = cell_of(units, i);
        if (height > 0.05)
            curve_band(units->stage->canvas, cell, (Box){out->x, y, 0, height}, false,
                       lit++ % 2 ? soft : strong);
        y += height;
    }
}

/* Draws the activation as a gate with its curve on it. */
static void draw_activation(const Stage *stage, size_t node, Box gate) {
    const Canvas *canvas = stage->canvas;
    double numbers[HINGE_POINTS], made[HINGE_POINTS], most = 0;
    Point path[HINGE_POINTS];
    for (size_t i = 0; i < HINGE_POINTS; i++)
        numbers[i] = made[i] = 4 * (2.0 * (double)i / (HINGE_POINTS - 1) - 1);
    const Tensor in = {.rows = 1, .cols = HINGE_POINTS, .values = numbers};
    const Tensor *const inputs[] = {&in};
    Tensor out = {.rows = 1, .cols = HINGE_POINTS, .values = made};
    const TapeNode *bend = stage_node(stage, node);
    if (!bend->muted)
        operation_of(bend->operation)
            ->forward(&(OperationCall){.inputs = inputs, .count = 1}, &out);
    for (size_t i = 0; i < HINGE_POINTS; i++)
        most = fmax(most, fabs(made[i]));
    double side = gate.w * 0.62, middle = gate.y + gate.h / 2;
    for (size_t i = 0; i < HINGE_POINTS; i++)
        path[i] =
            (Point){gate.x + (gate.w - side) / 2 + side * (double)i / (HINGE_POINTS - 1),
                    middle + side * 0.4 - side * made[i] / fmax(most, 1e-9)};
    scene_rectangle(canvas->scene, gate, 6, canvas->theme->page,
                    lane_color(canvas, ROLE_FEED_FORWARD, true), 2);
    scene_path(canvas->scene, path, HINGE_POINTS, 3, canvas->theme->ink);
}

void loop_network_draw(const Stage *stage, const Network *network, size_t row, Box box) {
    const Canvas *canvas = stage->canvas;
    Column in = column_of(stage, network->x, row, box.h),
           before = column_of(stage, network->z, row, box.h),
           units = column_of(stage, network->a, row, box.h),
           out = column_of(stage, network->y, row, box.h);
    before.reach = units.reach = fmax(before.reach, units.reach);
    if (in.all < units.all) {
        double fraction = fmax((double)in.all / (double)units.all, NARROWEST);
        in.pitch = fmin(in.pitch, column_height(&units) * fraction / (double)in.count);
        out.pitch = fmin(out.pitch, column_height(&units) * fraction / (double)out.count);
    }
    double gap = GATE_GAP;
    double cells = 4 * in.w + GATE + 2 * gap;
    double band = fmin(fmax((box.w - cells) / 2, 0), box.h * BAND_FRACTION * 4);
    if (band < LEAST_BAND / 2)
        return;
    double x = box.x + (box.w - cells - 2 * band) / 2;
    place_column(&in, x, box);
    place_column(&before, x + in.w + band, box);
    place_column(&units, before.x + before.w + GATE + 2 * gap, box);
    place_column(&out, units.x + units.w + band, box);
    curve_band(canvas, column_box(&in), column_box(&before), false,
               palette_mix(canvas->theme->bar,
                           lane_color(canvas, ROLE_FEED_FORWARD, true), BAND_MIX));
    draw_read(&in, &before, network->w_1);
    draw_sent(&units, &out, network->w_2);
    draw_column(&in);
    draw_column(&before);
    draw_activation(
        stage, network->a,
        (Box){before.x + before.w + gap, before.top, GATE, column_height(&before)});
    draw_column(&units);
    draw_column(&out);
}
