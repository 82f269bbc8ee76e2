#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Target and predicted probabilities of a row: the probability of each token as a bar,
 * the target's outlined up to 1. Below them is the loss of the target's probability, and
 * beside them the total loss. For the gradient of cross entropy with respect to the
 * scores: that gradient, with an arrow on each bar as long as the step up or down, which
 * is the negative gradient. */

static const double PITCH = 84, LEAST_PITCH = 30; /* distance of columns in units */
static const double FACET_GAP = 64, BAR_SHARE = 0.62, WIDEST_BAR = 64;
static const double HEAD = 44, LABELS = 40, CELL = 46, TALLEST = 300, LEAST_BARS = 60;
static const double LABEL_UNITS = 17, NUMBER_UNITS = 17.5, TICK_UNITS = 15;
static const double ARROW = 4, ARROW_HEAD = 9;
static const double RESULT = 190, LOSS = 92, NAME_UNITS = 22, AXIS = 60;
enum { ROWS_MAX = 6 };

typedef struct Push {
    const Stage *stage;
    /* Nodes; the last is TAPE_NONE if it isn't drawn. */
    size_t logits, entropy, gradient;
    /* The first has the shape of logits or gradient. */
    const Tensor *out, *targets, *losses;
    Tensor *chances;
    size_t first, rows; /* rows that are shown */
    double pitch, ground, tall;
    double left;           /* left end of the first row's bars */
    double labels, result; /* `result` is the width of the total loss */
} Push;

/* Returns the column of a row's target; the number of columns if it has none. */
static size_t target_of(const Push *push, size_t row) {
    double target = push->targets->values[row];
    bool aims = target >= 0 && target < (double)push->out->cols;
    return aims ? (size_t)target : push->out->cols;
}

/* ---- where things lie ---- */

static double facet_width(const Push *push) {
    return push->pitch * (double)push->out->cols;
}

static Box column(const Push *push, size_t row, size_t col) {
    double x = push->left +
               (facet_width(push) + FACET_GAP) * (double)(row - push->first) +
               push->pitch * (double)col;
    return (Box){round(x), push->ground - push->tall, round(push->pitch), push->tall};
}

static Box bar_room(const Push *push, size_t row, size_t col) {
    Box box = column(push, row, col);
    double width = round(fmin(box.w * BAR_SHARE, WIDEST_BAR));
    return (Box){round(box.x + (box.w - width) / 2), box.y, width, box.h};
}

/* Places as many rows side by side as fit, the focused one among them. */
static bool place(Push *push, Box area) {
    const Stage *stage = push->stage;
    const Canvas *canvas = stage->canvas;
    double cols = (double)push->out->cols;
    push->result =
        push->gradient == TAPE_NONE && stage->node != push->entropy ? RESULT : 0;
    double room = area.w - push->result - AXIS + FACET_GAP; /* with a gap for each row */
    double most = floor(room / (LEAST_PITCH * cols + FACET_GAP));
    push->rows = (size_t)fmin(fmin(most, (double)push->out->rows), ROWS_MAX);
    if (!push->rows)
        return false;
    size_t row = stage->has_focus ? stage->focus_row : 0;
    push->first = row < push->rows / 2 ? 0 : row - push->rows / 2;
    if (push->first + push->rows > push->out->rows)
        push->first = push->out->rows - push->rows;
    double count = (double)push->rows;
    push->pitch = fmin((room / count - FACET_GAP) / cols, PITCH);
    double spare_width = room - count * (facet_width(push) + FACET_GAP);
    push->left = round(area.x + spare_width / 2 + AXIS);
    push->labels =
        fmax(heatmap_col_label_height(canvas, push->out, push->pitch, 110), LABELS);
    double fixed = HEAD + push->labels + CELL;
    push->tall = round(fmin(area.h - fixed, TALLEST));
    double spare = fmax(area.h - fixed - push->tall, 0);
    push->ground = round(area.y + spare * 0.4 + HEAD + push->tall);
    return push->tall >= LEAST_BARS;
}

/* ---- drawing ---- */

static void draw_axis(const Push *push) {
    const Canvas *canvas = push->stage->canvas;
    double facets = (facet_width(push) + FACET_GAP) * (double)push->rows - FACET_GAP;
    Plot plot = {.canvas = canvas,
                 .box = {push->left, push->ground - push->tall, facets, push->tall},
                 .up = {.to = 1},
                 .decimals = PLOT_SHORT,
                 .units = TICK_UNITS,
                 .gap = 12,
                 .ink = canvas->theme->ink_faint,
                 .is_ground = true};
    plot_find_ticks(&plot, 0.5);
    plot_draw_ticks(&plot);
}

/* Draws a probability; on it an arrow as long as its difference from the target, which is
 * 1 for one token and 0 for any other. */
static void draw_bar(const Push *push, size_t row, size_t col) {
    const Stage *stage = push->stage;
    const Canvas *canvas = stage->canvas;
    Box room = bar_room(push, row, col);
    double chance = tensor_at(push->chances, row, col);
    size_t target = target_of(push, row);
    bool pushed = push->gradient != TAPE_NONE;
    canvas_link_cell(canvas, push->logits, row, col);
    if (target == col)
        canvas_outline(canvas, box_inset(room, -3), 4, canvas->theme->good_ink, 3);
    double height = isfinite(chance) ? round(room.h * chance) : 0;
    Box bar = {room.x, push->ground - height, room.w, height};
    if (isfinite(chance))
        canvas_fill(canvas, bar, 0, canvas->theme->sequential.stops[2]);
    canvas_link_cell(canvas, pushed ? push->gradient : push->logits, row, col);
    canvas_target(canvas, column(push, row, col));
    if (pushed && target < push->out->cols && isfinite(chance) &&
        row * push->out->cols + col < stage->visible) {
        double x = bar.x + bar.w / 2, up = round(room.h * ((col == target) - chance));
        bool focus =
            stage->has_focus && stage->focus_row == row && stage->focus_col == col;
        canvas_arrow(canvas, (Point){x, bar.y}, (Point){x, bar.y - up}, ARROW,
                     fmin(ARROW_HEAD, bar.w * 0.8),
                     focus ? canvas->theme->focus : canvas->theme->other[0]);
    }
    canvas_unlink(canvas);
}

/* Returns one row of a node as cells, with numbers of one size. */
static Heatmap row_cells(const Push *push, size_t node, size_t row, Box box,
                         double reach) {
    Heatmap cells = view_strip(push->stage, node, row, box, reach, NULL);
    cells.number_size = canvas_size(push->stage->canvas, NUMBER_UNITS, "");
    return cells;
}

static void label_row(const Push *push, Heatmap *cells, bool focus, size_t col) {
    cells->col_labels = true;
    cells->col_label_room = push->labels;
    cells->has_focus = focus;
    cells->focus_row = (size_t)-1;
    cells->focus_col = col;
}

/* Draws the row's gradient below its bars, with the words above it. */
static void draw_gradient(const Push *push, size_t row, double reach) {
    const Stage *stage = push->stage;
    Box box = {column(push, row, 0).x, push->ground + push->labels, facet_width(push),
               CELL};
    Heatmap cells = row_cells(push, push->gradient, row, box, reach);
    label_row(push, &cells, stage->has_focus && stage->focus_row == row,
              stage->focus_col);
    heatmap_draw(stage->canvas, &cells);
    stage_outline_focus(stage, &cells);
}

/* Returns the common reach of the rows' losses and of the total. */
static double loss_reach(const Push *push) {
    const Stage *stage = push->stage;
    double made = push->result > 0 ? heatmap_reach(stage_tensor(stage, stage->node)) : 0;
    return fmax(heatmap_reach(stage_tensor(stage, push->entropy)), made);
}

/* Draws one number in a cell: a row's loss, or the total. */
static void draw_cell(const Push *push, size_t node, size_t row, Box box) {
    Heatmap cell = row_cells(push, node, row, box, loss_reach(push));
    heatmap_draw(push->stage->canvas, &cell);
    stage_outline_focus(push->stage, &cell);
}

/* Draws the words below a row's bars, and below those the loss of the target's
 * probability. */
static void draw_loss(const Push *push, size_t row) {
    const Stage *stage = push->stage;
    const Canvas *canvas = stage->canvas;
    Box words = {column(push, row, 0).x, push->ground + push->labels, facet_width(push),
                 CELL};
    Heatmap labels = {.tensor = canvas_row(canvas, push->chances, row),
                      .node = TAPE_NONE,
                      .cells = words};
    size_t target = target_of(push, row);
    bool aims = target < push->out->cols;
    label_row(push, &labels, aims, target);
    heatmap_draw_labels(canvas, &labels);
    const char *cost =
        aims ? canvas_format(canvas,
                             "-\\log %.3f =", tensor_at(push->chances, row, target))
             : "";
    double formula =
        canvas_formula_extent(canvas, cost, canvas_size(canvas, NUMBER_UNITS, "")).width +
        10;
    double width = fmin(LOSS, words.w);
    bool said = aims && formula + width <= words.w + round(FACET_GAP / 2);
    double left = words.x + (words.w - width + (said ? formula : 0)) / 2;
    Box cell = {round(left), round(words.y + CELL * 0.3), width, CELL};
    if (said)
        canvas_formula(canvas, cost, NUMBER_UNITS,
                       (Point){cell.x - 10, cell.y + cell.h / 2}, LABEL_RIGHT);
    draw_cell(push, push->entropy, row, cell);
}

/* Draws the total loss right of all rows. */
static void draw_result(const Push *push) {
    const Stage *stage = push->stage;
    const Canvas *canvas = stage->canvas;
    Box last = column(push, push->first + push->rows - 1, push->out->cols - 1);
    double y = round(push->ground + push->labels + CELL * 0.3);
    Box cell = {round(last.x + last.w + push->result - LOSS), y, LOSS, CELL};
    canvas_formula(canvas, "\\to", NAME_UNITS, (Point){cell.x - 44, y + cell.h / 2},
                   LABEL_CENTER);
    Caption name = caption_of(stage, stage->node, NAME_UNITS, push->result - 20);
    caption_draw_name(stage, &name, (Point){cell.x + cell.w, y - 24}, LABEL_RIGHT);
    draw_cell(push, stage->node, 0, cell);
}

/* Returns the heading of a row: its input and, if known, its target, "you → win". */
static const char *head_of(const Push *push, size_t row) {
    const Canvas *canvas = push->stage->canvas;
    const char *const *labels =
        push->losses->row_labels ? push->losses->row_labels : push->out->row_labels;
    size_t target = target_of(push, row);
    if (!labels)
        return "";
    if (strstr(labels[row], "→") || !push->out->col_labels || target == push->out->cols)
        return labels[row];
    return canvas_format(canvas, "%s → %s", labels[row], push->out->col_labels[target]);
}

static void draw_head(const Push *push, size_t row) {
    const Canvas *canvas = push->stage->canvas;
    const char *label = head_of(push, row);
    double size = canvas_size(canvas, LABEL_UNITS, label), width = facet_width(push);
    double room = push->losses->rows > 1 /* up to the next row's */
                      ? column(push, 1, 0).x - column(push, 0, 0).x - 6
                      : width;
    canvas_text_within(
        canvas, FONT_BOLD, size, fmax(room, width), canvas->theme->ink,
        (Point){column(push, row, 0).x + width / 2, push->ground - push->tall - 18},
        LABEL_CENTER, label);
}

/* Draws `push`; returns false if there is no room. */
static bool draw(Push *push) {
    const Stage *stage = push->stage;
    const TapeNode *entropy = stage_node(stage, push->entropy);
    bool pushed = push->gradient != TAPE_NONE;
    push->logits = entropy->inputs[0];
    const Tensor *logits = stage_tensor(stage, push->logits);
    push->out = pushed ? stage_tensor(stage, push->gradient) : logits;
    push->targets = stage_tensor(stage, entropy->inputs[1]);
    push->losses = stage_tensor(stage, push->entropy);
    push->chances = canvas_tensor_like(stage->canvas, logits);
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    if (entropy->muted || !place(push, area))
        return false;
    kernel_softmax(push->chances->values, logits->values, logits->rows, logits->cols);
    draw_axis(push);
    double reach = heatmap_reach(push->out);
    for (size_t i = push->first; i < push->first + push->rows; i++) {
        draw_head(push, i);
        for (size_t j = 0; j < push->out->cols; j++)
            draw_bar(push, i, j);
        if (pushed)
            draw_gradient(push, i, reach);
        else
            draw_loss(push, i);
    }
    if (pushed)
        stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, reach}, 1);
    if (push->result > 0)
        draw_result(push);
    return true;
}

/* Follows a node back to the cross entropy through operations that only combine the rows'
 * losses. */
static size_t entropy_behind(const Stage *stage, size_t node) {
    for (;;) {
        const TapeNode *at = stage_node(stage, node);
        bool gathers = at->operation == OPERATION_MEAN ||
                       at->operation == OPERATION_SUM ||
                       at->operation == OPERATION_TRANSPOSE;
        if (!gathers)
            return at->operation == OPERATION_CROSS_ENTROPY ? node : TAPE_NONE;
        node = at->inputs[0];
    }
}

bool push_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Push push = {.stage = stage, .entropy = TAPE_NONE, .gradient = TAPE_NONE};
    if (node->operation == OPERATION_BACKWARD &&
        node->options.operation == OPERATION_CROSS_ENTROPY && node->options.input == 0) {
        push.entropy = node->inputs[2];
        push.gradient = stage->node;
    } else if (tensor_cells(&node->output) == 1) {
        push.entropy = entropy_behind(stage, stage->node);
    }
    return push.entropy != TAPE_NONE && draw(&push);
}

void cross_entropy_picture(const Stage *stage) {
    Push push = {.stage = stage, .entropy = stage->node, .gradient = TAPE_NONE};
    if (!draw(&push))
        plain_picture(stage);
}
