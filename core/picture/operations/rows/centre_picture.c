#include "lesson/content/content.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Rows as dots on number lines. A mean: each row with its mean marked. A mean of squares,
 * or its root: each row with a band of that width on both sides of 0, beside it the
 * column of these, and, if the rows are scaled ones, the unscaled rows above them on the
 * same scale. A row minus a column: each row, and below it the row moved by its column's
 * number, which comes to lie at 0. */

static const double NAME_UNITS = 22, NUMBER_UNITS = 17.5, TICK_UNITS = 15;
static const double GUTTER = 120, SIDE = 150, CELL = 92, LARGEST_CELL_HEIGHT = 54;
static const double LARGEST_LINE = 104, LEAST_LINE = 46;
static const double DOT = 9, HEAD = 34, FOOT = 34, KEY = 44;
static const double MARGIN_OF_REACH = 1.12;
/* fractions of the pitch: position of a line; a moved row is closer to the original, with
 * its numbers below it, clear of the threads */
static const double DROP = 0.68, MOVED_DROP = 0.45;
static const int THREAD_ALPHA = 150;
enum { BAND_ALPHA = 40 };
enum { COLUMNS_MOST = 48 };

typedef struct Centre {
    const Stage *stage;
    size_t input, column;     /* nodes: the rows, and a number for each */
    const Tensor *x, *middle; /* their tensors */
    size_t moved;             /* node of the moved rows; TAPE_NONE: none */
    /* The column has root mean squares, of the moved rows, instead of means. */
    bool sizes;
    bool squared;       /* the column has mean squares, without the root */
    double least, most; /* numbers at the lines' ends */
    double pitch;       /* distance between lines */
    double gutter;      /* room left of the lines for names and labels */
    Box area;           /* area of the lines */
} Centre;

static size_t lines_each(const Centre *c) {
    return c->moved == TAPE_NONE ? 1 : 2;
}

static NumberLine line_of(const Centre *c, size_t row, bool moved) {
    size_t at = row * lines_each(c) + moved;
    double y = c->area.y + c->pitch * ((double)at + (moved ? MOVED_DROP : DROP));
    NumberLine line =
        view_line(c->stage, moved ? c->moved : c->input, row,
                  (Box){c->area.x, y, c->area.w, 0}, c->least, c->most, DOT);
    line.numbers_below = moved;
    line.table.has_focus &= moved && !c->sizes;
    return line;
}

/* Returns the root mean square of a row from the column. */
static double size_of(const Centre *c, size_t row) {
    double value = c->middle->values[row];
    return c->squared ? sqrt(value) : value;
}

/* Returns the root mean square of a row before scaling. */
static double size_before(const Centre *c, size_t row) {
    double sum = 0;
    for (size_t j = 0; j < c->x->cols; j++)
        sum += tensor_at(c->x, row, j) * tensor_at(c->x, row, j);
    return sqrt(sum / (double)c->x->cols);
}

/* Draws a band with its ends, `up` points above and below a height. */
static void draw_band(const Canvas *canvas, double left, double right, double y,
                      double up) {
    Color ink = canvas->theme->other[0], band = ink;
    band.a = BAND_ALPHA;
    canvas_fill(canvas, (Box){left, y - up, right - left, 2 * up}, 0, band);
    for (int i = 0; i < 2; i++) {
        double x = i ? right : left;
        scene_line(canvas->scene, (Point){x, y - up}, (Point){x, y + up}, 3, ink);
    }
}

/* Draws the key of the bands where the first line begins. */
static void draw_band_key(const Centre *c, double y) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    draw_band(canvas, c->area.x, c->area.x + KEY, y, DOT);
    const char *name = stage_formula_name(stage, c->column);
    const char *size = c->moved != TAPE_NONE ? "\\pm\\sqrt{\\op{mean}\\left(x^2\\right)}"
                       : c->squared ? canvas_format(canvas, "\\pm\\sqrt{%s}", name)
                                    : canvas_format(canvas, "\\pm %s", name);
    canvas_formula(canvas, size, NAME_UNITS, (Point){c->area.x + KEY + 12, y},
                   LABEL_LEFT);
}

/* Draws a band from minus to plus the row's root mean square, behind its dots and no
 * taller, so that their numbers are clear of it. */
static void draw_size(const Centre *c, const NumberLine *line, double size) {
    const Canvas *canvas = c->stage->canvas;
    double up = line->radius;
    if (!isfinite(size) || line->row >= c->stage->visible)
        return;
    double left = number_line_x(line, -size), right = number_line_x(line, size);
    canvas_link_cell(canvas, c->column, line->row, 0);
    draw_band(canvas, left, right, line->y, up);
    canvas_unlink(canvas);
}

/* Draws the row's number of the column, down to 0 on the next line. */
static void draw_middle(const Centre *c, const NumberLine *line, const NumberLine *next) {
    const Canvas *canvas = c->stage->canvas;
    double value = c->middle->values[line->row], up = line->radius * 2;
    bool there = next || line->row < c->stage->visible;
    if (!isfinite(value) || !there)
        return;
    double x = number_line_x(line, value), width = 3;
    Color color = canvas->theme->other[0];
    if (!next) { /* balance point of the dots */
        canvas_link_cell(canvas, c->column, line->row, 0);
        number_line_draw_balance(line, value);
        canvas_unlink(canvas);
        return;
    }
    double zero = number_line_x(next, 0);
    const Point way[] = {
        {x, line->y - up}, {x, line->y}, {zero, next->y}, {zero, next->y + up}};
    scene_path(canvas->scene, way, 4, width, color);
}

static void draw_line(const Centre *c, const NumberLine *line, bool ticks) {
    if (ticks)
        number_line_draw_ticks(line, TICK_UNITS);
    number_line_draw_dots(line);
    number_line_draw_numbers(line, NUMBER_UNITS,
                             line->numbers_below || c->pitch <= 84 ? 1 : 2);
}

static void draw_row(const Centre *c, size_t row) {
    bool last = row + 1 == c->x->rows;
    NumberLine line = line_of(c, row, false);
    if (c->sizes)
        draw_size(c, &line,
                  c->moved == TAPE_NONE ? size_of(c, row) : size_before(c, row));
    if (c->moved == TAPE_NONE) {
        number_line_draw_axis(&line);
        if (!c->sizes)
            draw_middle(c, &line, NULL);
        draw_line(c, &line, last);
        return;
    }
    NumberLine next = line_of(c, row, true);
    if (c->sizes)
        draw_size(c, &next, size_of(c, row));
    if (!c->sizes)
        draw_middle(c, &line, &next);
    number_lines_draw_axes((NumberLine[]){line, next}, 2, THREAD_ALPHA);
    draw_line(c, &line, false);
    draw_line(c, &next, last);
}

/* ---- beside the lines ---- */

/* Draws the column as cells as high as their rows' lines. */
static void draw_column(const Centre *c, Box side) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    double slot = c->pitch * (double)lines_each(c);
    double h = fmin(LARGEST_CELL_HEIGHT, slot - 4);
    bool below = c->sizes && c->moved != TAPE_NONE; /* it belongs to the moved rows */
    double reach = fmax(heatmap_reach(c->middle),
                        heatmap_reach(below ? stage_tensor(stage, c->moved) : c->x));
    double left = side.x + side.w - CELL;
    bool own = c->column == stage->node;
    for (size_t i = 0; i < c->x->rows; i++) {
        NumberLine line = line_of(c, i, below);
        Box box = {round(left), round(line.y - h / 2), CELL, h};
        Heatmap heatmap = view_strip(stage, c->column, i, box, reach, NULL);
        heatmap.number_size = canvas_size(canvas, NUMBER_UNITS, "");
        heatmap_draw(canvas, &heatmap);
        if (own && stage->has_focus && stage->focus_row == i)
            heatmap_outline_cell(canvas, &heatmap, 0, 0, canvas->theme->focus);
        canvas_formula(canvas, own ? "\\to" : "-", NAME_UNITS, (Point){left - 26, line.y},
                       LABEL_CENTER);
    }
}

static void draw_labels(const Centre *c) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    double room = c->gutter - 20;
    for (size_t i = 0; c->x->row_labels && i < c->x->rows; i++) {
        const char *label = c->x->row_labels[i];
        bool focus = stage->has_focus && stage->focus_row == i;
        canvas_row_label(canvas, canvas_size(canvas, 17, label), room, focus,
                         (Point){c->area.x - 20, line_of(c, i, false).y}, label);
    }
}

static void include(Centre *c, double value) {
    c->least = fmin(c->least, value);
    c->most = fmax(c->most, value);
}

/* Includes a root mean square at both sides of 0. */
static void include_size(Centre *c, double size) {
    if (!isfinite(size))
        return;
    include(c, -size);
    include(c, size);
}

/* Sets the lines' ends to the least and the largest finite number, 0 included. */
static void choose_ends(Centre *c) {
    const Tensor *tensors[] = {
        c->x, c->moved == TAPE_NONE ? c->x : stage_tensor(c->stage, c->moved)};
    c->least = c->most = 0;
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < tensor_cells(tensors[t]); i++) {
            if (!tensor_is_masking(tensors[t]->values[i]))
                include(c, tensors[t]->values[i]);
        }
    }
    for (size_t i = 0; c->sizes && i < c->middle->rows; i++)
        include_size(c, size_of(c, i));
    for (size_t i = 0; c->sizes && c->moved != TAPE_NONE && i < c->x->rows; i++)
        include_size(c, size_before(c, i));
    double range = c->most - c->least;
    double margin = range > 0 ? range * (MARGIN_OF_REACH - 1) : 1;
    c->least -= margin;
    c->most += margin;
}

static bool draw(Centre *c) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    c->x = stage_tensor(stage, c->input);
    c->middle = stage_tensor(stage, c->column);
    double lines = (double)(c->x->rows * lines_each(c));
    Box area = stage->area;
    Box head = box_take_top(&area, HEAD);
    box_take_bottom(&area, FOOT);
    c->pitch = floor(fmin(area.h / lines, LARGEST_LINE));
    if (c->pitch < LEAST_LINE || c->x->cols < 2 || c->x->cols > COLUMNS_MOST ||
        area.w < 4 * GUTTER)
        return false;
    double spare = round((area.h - c->pitch * lines) * 0.4);
    head.y += spare;
    area.y += spare;
    Box side = box_take_right(&area, SIDE);
    c->gutter =
        fmin(fmax(heatmap_row_label_width(canvas, c->x) + 14, GUTTER), area.w * 0.22);
    box_take_left(&area, c->gutter);
    c->area = area;
    choose_ends(c);
    for (size_t i = 0; i < c->x->rows; i++)
        draw_row(c, i);
    draw_column(c, side);
    draw_labels(c);
    double y = head.y + head.h / 2;
    double names = c->gutter - 20;
    view_name(stage, c->input, names, INFINITY, (Point){area.x - 20, y}, LABEL_RIGHT);
    view_name(stage, c->column, side.w, INFINITY, (Point){side.x + side.w, y},
              LABEL_RIGHT);
    if (c->sizes)
        draw_band_key(c, y);
    if (c->moved != TAPE_NONE)
        view_name(stage, c->moved, names, INFINITY,
                  (Point){area.x - 20, line_of(c, 0, true).y}, LABEL_RIGHT);
    return true;
}

void mean_picture(const Stage *stage) {
    Centre c = {.stage = stage,
                .input = stage_node(stage, stage->node)->inputs[0],
                .column = stage->node,
                .moved = TAPE_NONE};
    if (!draw(&c))
        reduction_picture(stage);
}

void subtract_picture(const Stage *stage) {
    const size_t *inputs = stage_node(stage, stage->node)->inputs;
    Centre c = {
        .stage = stage, .input = inputs[0], .column = inputs[1], .moved = stage->node};
    const Tensor *x = stage_tensor(stage, inputs[0]);
    const Tensor *column = stage_tensor(stage, inputs[1]);
    bool moves =
        column->cols == 1 && x->cols > 1 && column->rows == x->rows && x->rows > 1;
    if (!(moves && draw(&c)) && !change_picture(stage))
        binary_picture(stage);
}

/* Returns x if the node is √mean(x ⊙ x) or mean(x ⊙ x); else TAPE_NONE. */
static size_t sized_by(const Stage *stage, bool *squared) {
    const TapeNode *mean = stage_node(stage, stage->node);
    *squared = mean->operation != OPERATION_SQRT;
    if (mean->muted)
        return TAPE_NONE;
    if (!*squared)
        mean = stage_node(stage, mean->inputs[0]);
    if (mean->operation != OPERATION_MEAN || mean->muted)
        return TAPE_NONE;
    const TapeNode *squares = stage_node(stage, mean->inputs[0]);
    bool square = squares->operation == OPERATION_MULTIPLY &&
                  squares->inputs[0] == squares->inputs[1];
    return square ? squares->inputs[0] : TAPE_NONE;
}

/* Returns the rows before scaling, if the given rows are others multiplied or divided by
 * one number; else TAPE_NONE. */
static size_t rows_before(const Stage *stage, size_t rows) {
    const TapeNode *node = stage_node(stage, rows);
    bool scales =
        node->operation == OPERATION_DIVIDE || node->operation == OPERATION_MULTIPLY;
    if (!scales || node->muted || !node->input_count)
        return TAPE_NONE;
    bool one =
        node->input_count < 2 || tensor_cells(stage_tensor(stage, node->inputs[1])) == 1;
    return one && tensor_cells(stage_tensor(stage, node->inputs[0])) > 1 ? node->inputs[0]
                                                                         : TAPE_NONE;
}

bool size_picture(const Stage *stage) {
    bool squared;
    size_t input = sized_by(stage, &squared);
    size_t before =
        stage->values || input == TAPE_NONE ? TAPE_NONE : rows_before(stage, input);
    Centre both = {.stage = stage,
                   .input = before,
                   .squared = squared,
                   .column = stage->node,
                   .moved = input,
                   .sizes = true};
    if (before != TAPE_NONE && draw(&both))
        return true;
    Centre c = {.stage = stage,
                .input = input,
                .squared = squared,
                .column = stage->node,
                .moved = TAPE_NONE,
                .sizes = true};
    return !stage->values && c.input != TAPE_NONE && draw(&c);
}
