#include "picture/charts/number_line.h"
#include "picture/draw/part_name.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/caption.h"

#include "base/number.h"

#include <math.h>

/* A table less another of its shape: each cell a number line of its own, all of one
 * scale, with an arrow from one number to the other, as long as the difference. Of an
 * update it leads from the weight as it was to what it becomes, against the gradient;
 * else from what is subtracted to what it is subtracted from. */

static const double NUMBER_UNITS = 17.5, TICK_UNITS = 15, NAME_UNITS = 21;
static const double LEAST_CELL = 150, WIDEST_CELL = 330, LEAST_ROW = 92,
                    TALLEST_ROW = 150;
static const double CELL_GAP = 48, TICKS = 34, KEY = 46, DOT = 6, RING = 9;
static const double ARROW = 4, ARROW_HEAD = 11, LEAST_ARROW = 4, LEAST_SEEN = 8;
static const double MARGIN_OF_REACH = 1.06, LINE_SHARE = 0.55; /* of a row's height */

typedef struct Change {
    const Stage *stage;
    size_t before, after; /* nodes: where arrows begin and end; the latter TAPE_NONE
                             where only the gradient says where they would */
    size_t by;            /* the arrows': a difference, or what is subtracted */
    const Tensor *shape;  /* the labels' */
    double least, most;   /* at the lines' ends */
    double gutter, heads; /* for row labels, for column labels */
    double width, height; /* of a cell */
    Point corner;         /* of the first one */
} Change;

/* ---- what changes ---- */

static bool is_gradient(const Stage *stage, size_t node) {
    return stage_node(stage, node)->gradient_of != TAPE_NONE;
}

/* "30 · G", or G itself. */
static bool is_step_along_gradient(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    if (at->operation != OPERATION_MULTIPLY)
        return is_gradient(stage, node);
    return (stage_node(stage, at->inputs[0])->quiet &&
            is_gradient(stage, at->inputs[1])) ||
           (stage_node(stage, at->inputs[1])->quiet && is_gradient(stage, at->inputs[0]));
}

static bool is_of_shape(const Stage *stage, size_t node, const Tensor *shape) {
    const Tensor *tensor = stage_tensor(stage, node);
    return tensor->rows == shape->rows && tensor->cols == shape->cols;
}

static bool has_masks(const Tensor *tensor) {
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        if (heatmap_is_masking(tensor->values[i]))
            return true;
    }
    return false;
}

static bool find_difference(Change *c) {
    const Stage *stage = c->stage;
    const TapeNode *node = stage_node(stage, stage->node);
    if (node->operation != OPERATION_SUBTRACT || node->muted || !stage_only_picks(stage))
        return false;
    c->shape = &node->output;
    bool update = is_step_along_gradient(stage, node->inputs[1]);
    c->before = node->inputs[update ? 0 : 1];
    c->after = update ? stage->node : node->inputs[0];
    c->by = update ? node->inputs[1] : stage->node;
    return is_of_shape(stage, c->before, c->shape) &&
           is_of_shape(stage, c->after, c->shape) && is_of_shape(stage, c->by, c->shape);
}

/* A table and its gradient side by side. */
static bool find_pull(Change *c) {
    const LessonStep *step = c->stage->step;
    if (step->shown_count != 2 ||
        stage_node(c->stage, step->shown[1])->gradient_of != step->shown[0])
        return false;
    c->before = step->shown[0];
    c->by = step->shown[1];
    c->after = TAPE_NONE;
    c->shape = stage_tensor(c->stage, c->before);
    return is_of_shape(c->stage, c->by, c->shape);
}

/* ---- where things lie ---- */

static double start_of(const Change *c, size_t row, size_t col) {
    return tensor_at(stage_tensor(c->stage, c->before), row, col);
}

static double end_of(const Change *c, size_t row, size_t col) {
    if (c->after != TAPE_NONE)
        return tensor_at(stage_tensor(c->stage, c->after), row, col);
    return start_of(c, row, col) - tensor_at(stage_tensor(c->stage, c->by), row, col);
}

static void choose_ends(Change *c) {
    for (size_t i = 0; i < tensor_cells(c->shape); i++) {
        double ends[] = {start_of(c, i / c->shape->cols, i % c->shape->cols),
                         end_of(c, i / c->shape->cols, i % c->shape->cols)};
        for (int j = 0; j < 2; j++) {
            c->least = fmin(c->least, ends[j]);
            c->most = fmax(c->most, ends[j]);
        }
    }
    double range = c->most - c->least;
    double margin = range > 0 ? range * (MARGIN_OF_REACH - 1) : 1;
    c->least -= margin;
    c->most += margin;
}

/* Whether one of the arrows is long enough to be seen; else tables say more: of noughts
 * that there is no difference, of tiny numbers how tiny. */
static bool can_be_seen(const Change *c) {
    const Canvas *canvas = c->stage->canvas;
    double line = c->width - canvas_length(canvas, CELL_GAP), longest = 0;
    for (size_t i = 0; i < tensor_cells(c->shape); i++) {
        size_t row = i / c->shape->cols, col = i % c->shape->cols;
        longest = fmax(longest, fabs(end_of(c, row, col) - start_of(c, row, col)));
    }
    return longest / (c->most - c->least) * line >= canvas_length(canvas, LEAST_SEEN);
}

static bool place(Change *c, Box area) {
    const Canvas *canvas = c->stage->canvas;
    double cols = (double)c->shape->cols, rows = (double)c->shape->rows;
    box_take_bottom(&area, canvas_length(canvas, KEY));
    c->gutter = fmin(heatmap_row_label_width(canvas, c->shape), area.w * 0.2);
    c->width =
        floor(fmin((area.w - c->gutter) / cols, canvas_length(canvas, WIDEST_CELL)));
    c->heads = heatmap_col_label_height(canvas, c->shape, c->width, 60);
    double fixed = c->heads + canvas_length(canvas, TICKS);
    c->height = floor(fmin((area.h - fixed) / rows, canvas_length(canvas, TALLEST_ROW)));
    double used = c->gutter + c->width * cols, tall = fixed + c->height * rows;
    c->corner = (Point){round(area.x + (area.w - used) / 2 + c->gutter),
                        round(area.y + fmax(area.h - tall, 0) * 0.45 + c->heads)};
    return c->width >= canvas_length(canvas, LEAST_CELL) &&
           c->height >= canvas_length(canvas, LEAST_ROW);
}

static Box cell_box(const Change *c, size_t row, size_t col) {
    return (Box){c->corner.x + c->width * (double)col,
                 c->corner.y + c->height * (double)row, c->width, c->height};
}

static NumberLine line_of(const Change *c, Box cell) {
    double gap = canvas_length(c->stage->canvas, CELL_GAP) / 2;
    return (NumberLine){.canvas = c->stage->canvas,
                        .left = cell.x + gap,
                        .right = cell.x + cell.w - gap,
                        .y = round(cell.y + cell.h * LINE_SHARE),
                        .least = c->least,
                        .most = c->most,
                        .radius = canvas_length(c->stage->canvas, DOT)};
}

/* ---- drawing ---- */

static Color number_color(const Change *c, double value) {
    const Theme *theme = c->stage->canvas->theme;
    double reach = fmax(c->most, -c->least);
    ColorScale scale = {&theme->diverging, -reach, reach, theme->masked};
    return color_scale_at(&scale, value);
}

static void draw_arrow(const Canvas *canvas, double y, double from, double to) {
    double way = to < from ? -1 : 1, length = fabs(to - from);
    double head = fmin(canvas_length(canvas, ARROW_HEAD), length), half = head * 0.7;
    if (length < canvas_length(canvas, LEAST_ARROW))
        return;
    Color color = canvas->theme->other[0];
    scene_line(canvas->scene, (Point){from, y}, (Point){to - way * head, y},
               canvas_length(canvas, ARROW), color);
    const Point tip[] = {
        {to, y}, {to - way * head, y - half}, {to - way * head, y + half}};
    scene_polygon(canvas->scene, tip, 3, color);
}

/* By how much an arrow moves a number: with its sign. */
static bool moves_against(const Change *c, size_t node) {
    return node == c->by && (c->by != c->stage->node || c->after == TAPE_NONE);
}

static const char *value_text(const Change *c, size_t node, size_t row, size_t col) {
    const Tensor *tensor = stage_tensor(c->stage, node);
    double value = tensor_at(tensor, row, col);
    char text[NUMBER_SIZE];
    if (moves_against(c, node))
        value = -value;
    number_format_told(text, value, heatmap_decimals(tensor));
    return canvas_format(c->stage->canvas, "%s%s", node == c->by && value > 0 ? "+" : "",
                         text);
}

static void draw_value(const Change *c, size_t node, size_t row, size_t col, Point at,
                       bool strong) {
    const Canvas *canvas = c->stage->canvas;
    canvas_link_cell(canvas, node, row, col);
    canvas_text(canvas, strong ? FONT_BOLD : FONT_TEXT,
                canvas_size(canvas, NUMBER_UNITS, ""),
                strong ? canvas->theme->ink : canvas->theme->ink_soft, at, LABEL_CENTER,
                value_text(c, node, row, col));
    canvas_unlink(canvas);
}

static double value_width(const Change *c, size_t node, size_t row, size_t col) {
    const Canvas *canvas = c->stage->canvas;
    return canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, NUMBER_UNITS, ""),
                             value_text(c, node, row, col));
}

/* Where a number of that half width stands: at `x`, or beside a line's end. */
static double within_line(const NumberLine *line, double x, double half) {
    return fmax(fmin(x, line->right - half), line->left + half);
}

/* The numbers below a line, each at its dot, or as near as both have room; `arrives`: the
 * second one, too. One that stays where it is stands there once. */
static void draw_ends(const Change *c, const NumberLine *line, size_t row, size_t col,
                      bool arrives) {
    const Canvas *canvas = line->canvas;
    double start = start_of(c, row, col), end = end_of(c, row, col);
    bool both = arrives && (start < end || end < start);
    double half_a = value_width(c, c->before, row, col) / 2,
           half_b = both ? value_width(c, c->after, row, col) / 2 : 0;
    double a = within_line(line, number_line_x(line, start), half_a),
           b = both ? within_line(line, number_line_x(line, end), half_b) : a;
    double least = half_a + half_b + canvas_length(canvas, 12), way = b < a ? -1 : 1;
    double missing = both ? fmax(least - fabs(b - a), 0) / 2 : 0;
    a -= way * missing;
    b += way * missing;
    double over = fmax(fmax(a + half_a, b + half_b) - line->right, 0) -
                  fmax(line->left - fmin(a - half_a, b - half_b), 0);
    double y = line->y + line->radius * 1.5 + canvas_length(canvas, 4) +
               canvas_size(canvas, NUMBER_UNITS, "") * LABEL_ASCENT;
    draw_value(c, c->before, row, col, (Point){round(a - over), round(y)}, false);
    if (both)
        draw_value(c, c->after, row, col, (Point){round(b - over), round(y)},
                   c->after == c->stage->node);
}

static void draw_by(const Change *c, const NumberLine *line, size_t row, size_t col) {
    const Canvas *canvas = line->canvas;
    double middle = (number_line_x(line, start_of(c, row, col)) +
                     number_line_x(line, end_of(c, row, col))) /
                    2;
    middle = within_line(line, middle, value_width(c, c->by, row, col) / 2);
    draw_value(c, c->by, row, col,
               (Point){round(middle),
                       round(line->y - line->radius * 1.5 - canvas_length(canvas, 8))},
               c->by == c->stage->node);
}

/* What is not computed yet: of an update where it leads, else how far it is. */
static bool is_there(const Change *c, size_t node, size_t row, size_t col) {
    return node != c->stage->node || row * c->shape->cols + col < c->stage->visible;
}

/* A ring where an arrow begins, a dot where it ends: within the ring where it stays. */
static void draw_dot(const Change *c, const NumberLine *line, size_t node, size_t row,
                     size_t col, bool ring) {
    const Canvas *canvas = line->canvas;
    const Theme *theme = canvas->theme;
    double value = tensor_at(stage_tensor(c->stage, node), row, col);
    Point at = {round(number_line_x(line, value)), line->y};
    canvas_link_cell(canvas, node, row, col);
    if (ring)
        canvas_dot(canvas, at, canvas_length(canvas, RING), theme->page, theme->ink_soft,
                   2);
    else
        canvas_dot(canvas, at, canvas_length(canvas, DOT), number_color(c, value),
                   theme->ink_soft, 1.5);
    canvas_unlink(canvas);
}

static void draw_cell(const Change *c, size_t row, size_t col) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    Box cell = cell_box(c, row, col), place = box_inset(cell, canvas_length(canvas, 3));
    NumberLine line = line_of(c, cell);
    size_t own = c->after == TAPE_NONE ? c->by : stage->node;
    bool arrives = is_there(c, c->after, row, col), known = is_there(c, c->by, row, col);
    canvas_fill(canvas, place, canvas_length(canvas, 6), canvas->theme->panel);
    canvas_link_cell(canvas, own, row, col);
    canvas_target(canvas, place);
    canvas_unlink(canvas);
    number_line_draw_axis(&line);
    if (row + 1 == c->shape->rows) {
        NumberLine ticks = line;
        ticks.y = round(cell.y + cell.h);
        number_line_draw_ticks(&ticks, TICK_UNITS);
    }
    draw_dot(c, &line, c->before, row, col, true);
    if (arrives && known) {
        canvas_link_cell(canvas, c->by, row, col);
        draw_arrow(canvas, line.y, number_line_x(&line, start_of(c, row, col)),
                   number_line_x(&line, end_of(c, row, col)));
        canvas_unlink(canvas);
    }
    if (arrives && c->after != TAPE_NONE)
        draw_dot(c, &line, c->after, row, col, false);
    if (known)
        draw_by(c, &line, row, col);
    draw_ends(c, &line, row, col, arrives && c->after != TAPE_NONE);
    Heatmap printed = {.lesson = stage->player->lesson, .step = stage->step};
    if (stage->step->result == own && is_there(c, own, row, col))
        heatmap_mark_differing(canvas, &printed, row, col, place);
    if (stage->has_focus && stage->focus_row == row && stage->focus_col == col)
        canvas_outline(canvas, place, 6, canvas->theme->focus, 2);
}

static void draw_labels(const Change *c) {
    const Stage *stage = c->stage;
    Box all = {c->corner.x, c->corner.y, c->width * (double)c->shape->cols,
               c->height * (double)c->shape->rows};
    Heatmap labels = {.tensor = c->shape,
                      .node = TAPE_NONE,
                      .cells = all,
                      .row_labels = true,
                      .col_labels = true,
                      .label_room = c->gutter,
                      .col_label_room = c->heads,
                      .has_focus = stage->has_focus,
                      .focus_row = stage->focus_row,
                      .focus_col = stage->focus_col};
    heatmap_draw_labels(stage->canvas, &labels);
}

/* A slice's is that of what it is cut from. */
static const char *picked_name(const Stage *stage, size_t node) {
    while (stage_node(stage, node)->operation == OPERATION_SLICE)
        node = stage_node(stage, node)->inputs[0];
    return stage_node(stage, node)->name;
}

/* A name behind `x`, with its turn where there are several; gives back where it ends. */
static double draw_name(const Change *c, size_t node, const char *sign, double x,
                        double y) {
    const Canvas *canvas = c->stage->canvas;
    const char *turn =
        part_turn(canvas, c->stage->player->lesson, picked_name(c->stage, node));
    const char *name = stage_formula_name(c->stage, node);
    const char *text = turn ? canvas_format(canvas, "%s%s\\text{ · %s}", sign, name, turn)
                            : canvas_format(canvas, "%s%s", sign, name);
    Box box = canvas_formula(canvas, text, NAME_UNITS, (Point){x, y}, LABEL_LEFT);
    return box.x + box.w;
}

/* "○ W →−G● W_1": what rings, arrows and dots are. */
static void draw_key(const Change *c, Box strip) {
    const Canvas *canvas = c->stage->canvas;
    const Theme *theme = canvas->theme;
    double y = strip.y + strip.h / 2, gap = canvas_length(canvas, 10);
    double ring = canvas_length(canvas, RING), dot = canvas_length(canvas, DOT);
    double x = strip.x + c->gutter + ring;
    canvas_dot(canvas, (Point){x, y}, ring, theme->page, theme->ink_soft, 2);
    x = draw_name(c, c->before, "", x + ring + gap, y) + 3 * gap;
    double to = x + canvas_length(canvas, 44);
    draw_arrow(canvas, y, x, to);
    x = draw_name(c, c->by, moves_against(c, c->by) ? "-" : "", to + gap, y) + 3 * gap;
    if (c->after == TAPE_NONE)
        return;
    canvas_dot(canvas, (Point){x + dot, y}, dot, theme->page, theme->ink_soft, 1.5);
    draw_name(c, c->after, "", x + 2 * dot + gap, y);
}

static bool draw(Change *c) {
    const Stage *stage = c->stage;
    if (stage->values || stage->asks || /* the lines' ends would tell */
        has_masks(stage_tensor(stage, c->before)) ||
        has_masks(stage_tensor(stage, c->by)) || !place(c, stage->area))
        return false;
    choose_ends(c);
    if (!can_be_seen(c))
        return false;
    for (size_t i = 0; i < tensor_cells(c->shape); i++)
        draw_cell(c, i / c->shape->cols, i % c->shape->cols);
    draw_labels(c);
    Box area = stage->area;
    draw_key(c, box_take_bottom(&area, canvas_length(stage->canvas, KEY)));
    return true;
}

bool change_picture(const Stage *stage) {
    Change c = {.stage = stage};
    return find_difference(&c) && draw(&c);
}

bool pull_picture(const Stage *stage) {
    Change c = {.stage = stage};
    return find_pull(&c) && draw(&c);
}
