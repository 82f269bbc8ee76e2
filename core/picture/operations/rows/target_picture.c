#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/stage/caption.h"
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
static const double RESULT = 190, LOSS = 92, NAME_UNITS = 22;
enum { ROWS_MAX = 6 };

typedef struct Push {
    const Stage *stage;
    size_t logits, entropy,
        /* Nodes; the last is TAPE_NONE if it isn't drawn. */
        gradient;
    /* The first has the shape of logits or gradient. */
    const Tensor *out, *targets, *losses;
    Tensor *chances;
    size_t first, rows; /* rows that are shown */
    double pitch, ground, tall;
    double left;                  /* left end of the first row's bars */
    double cells, labels, result; /* `result` is the width of the total loss */
} Push;

static bool target_of(const Push *push, size_t row, size_t *col) {
    double target = push->targets->values[row];
    *col = target >= 0 ? (size_t)target : 0;
    return target >= 0 && target < (double)push->out->cols;
}

/* Returns the difference of target and predicted probability: the target is 1 for one
 * token and 0 for any other. */
static double wanted(const Push *push, size_t row, size_t col) {
    size_t target;
    if (!target_of(push, row, &target))
        return 0;
    return (col == target) - tensor_at(push->chances, row, col);
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
    double axis = 60;
    push->result =
        push->gradient == TAPE_NONE && stage->node != push->entropy ? RESULT : 0;
    area.w -= push->result;
    double least = LEAST_PITCH * cols + FACET_GAP;
    double most = floor((area.w - axis + FACET_GAP) / least);
    push->rows = (size_t)fmin(fmin(most, (double)push->out->rows), ROWS_MAX);
    if (!push->rows)
        return false;
    size_t row = stage->has_focus ? stage->focus_row : 0;
    push->first = row < push->rows / 2 ? 0 : row - push->rows / 2;
    if (push->first + push->rows > push->out->rows)
        push->first = push->out->rows - push->rows;
    double count = (double)push->rows;
    push->pitch = fmin((area.w - axis - FACET_GAP * (count - 1)) / count / cols, PITCH);
    double used =
        axis + push->result + count * facet_width(push) + FACET_GAP * (count - 1);
    push->left = round(area.x + (area.w + push->result - used) / 2 + axis);
    push->cells = CELL;
    push->labels =
        fmax(heatmap_col_label_height(canvas, push->out, push->pitch, 110), LABELS);
    double fixed = HEAD + push->labels + push->cells;
    push->tall = round(fmin(area.h - fixed, TALLEST));
    double spare = fmax(area.h - fixed - push->tall, 0);
    push->ground = round(area.y + spare * 0.4 + HEAD + push->tall);
    return push->tall >= LEAST_BARS;
}

/* ---- drawing ---- */

static void draw_axis(const Push *push) {
    const Canvas *canvas = push->stage->canvas;
    double right =
        column(push, push->first + push->rows - 1, push->out->cols - 1).x + push->pitch;
    double size = canvas_size(canvas, TICK_UNITS, "");
    const char *const ticks[] = {"0", "0.5", "1"};
    for (int i = 0; i < 3; i++) {
        double y = push->ground - round(push->tall * i / 2);
        scene_line(canvas->scene, (Point){push->left, y}, (Point){right, y}, 1,
                   i ? canvas->theme->line : canvas->theme->ink_faint);
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_faint,
                    (Point){push->left - 12, label_baseline(y, size)}, LABEL_RIGHT,
                    ticks[i]);
    }
}

static void draw_arrow(const Push *push, Box bar, double from, double to, bool focus) {
    const Canvas *canvas = push->stage->canvas;
    double x = bar.x + bar.w / 2;
    canvas_arrow(canvas, (Point){x, from}, (Point){x, to}, ARROW,
                 fmin(ARROW_HEAD, bar.w * 0.8),
                 focus ? canvas->theme->focus : canvas->theme->other[0]);
}

static void draw_bar(const Push *push, size_t row, size_t col) {
    const Stage *stage = push->stage;
    const Canvas *canvas = stage->canvas;
    Box room = bar_room(push, row, col);
    double chance = tensor_at(push->chances, row, col);
    size_t target = 0;
    bool is_target = target_of(push, row, &target) && target == col;
    bool pushed = push->gradient != TAPE_NONE;
    canvas_link_cell(canvas, push->logits, row, col);
    if (is_target)
        canvas_outline(canvas, box_inset(room, -3), 4, canvas->theme->good_ink, 3);
    double height = isfinite(chance) ? round(room.h * chance) : 0;
    Box bar = {room.x, push->ground - height, room.w, height};
    if (isfinite(chance))
        canvas_fill(canvas, bar, 0, canvas->theme->sequential.stops[2]);
    canvas_link_cell(canvas, pushed ? push->gradient : push->logits, row, col);
    canvas_target(canvas, column(push, row, col));
    bool focus = stage->has_focus && stage->focus_row == row && stage->focus_col == col;
    if (pushed && isfinite(chance) && row * push->out->cols + col < stage->visible)
        draw_arrow(push, room, bar.y, bar.y - round(room.h * wanted(push, row, col)),
                   focus);
    canvas_unlink(canvas);
}

/* Returns a row as a tensor with column labels. */
static Tensor *row_of(const Push *push, const Tensor *tensor, size_t row) {
    Tensor *out = canvas_tensor_like(push->stage->canvas, tensor);
    if (out) {
        *out = *tensor;
        out->rows = 1;
        out->row_labels = NULL;
        out->values += row * tensor->cols;
    }
    return out;
}

static void label_row(const Push *push, Heatmap *cells, bool focus) {
    cells->col_labels = true;
    cells->col_label_room = push->labels;
    cells->has_focus = focus;
    cells->focus_row = (size_t)-1;
    cells->focus_col = push->stage->focus_col;
}

/* Draws the row's gradient below its bars, with the words above it. */
static void draw_gradient(const Push *push, size_t row, double reach) {
    const Stage *stage = push->stage;
    Tensor *numbers = row_of(push, push->out, row);
    if (!numbers)
        return;
    Heatmap cells =
        stage_heatmap(stage, push->gradient,
                      (Box){column(push, row, 0).x, push->ground + push->labels,
                            facet_width(push), push->cells},
                      reach);
    size_t before = row * push->out->cols;
    cells.tensor = numbers;
    cells.written_as = push->out;
    cells.first_row = row;
    cells.visible = stage->visible > before ? stage->visible - before : 0;
    cells.number_size = canvas_size(stage->canvas, NUMBER_UNITS, "");
    label_row(push, &cells, stage->has_focus && stage->focus_row == row);
    heatmap_draw(stage->canvas, &cells);
    if (cells.has_focus)
        heatmap_outline_cell(stage->canvas, &cells, 0, stage->focus_col,
                             stage->canvas->theme->focus);
}

/* Returns the common reach of the rows' losses and of the total. */
static double loss_reach(const Push *push) {
    const Stage *stage = push->stage;
    double made = push->result > 0 ? heatmap_reach(stage_tensor(stage, stage->node)) : 0;
    return fmax(heatmap_reach(stage_tensor(stage, push->entropy)), made);
}

/* Draws one number in a cell: a row's loss, or the total. */
static void draw_cell(const Push *push, size_t node, size_t row, Box box) {
    const Stage *stage = push->stage;
    const Tensor *tensor = stage_tensor(stage, node);
    Heatmap cell = stage_heatmap(stage, node, box, loss_reach(push));
    cell.tensor = row_of(push, tensor, row);
    cell.written_as = tensor;
    if (!cell.tensor)
        return;
    bool own = node == stage->node;
    cell.first_row = row;
    cell.visible = !own || row < stage->visible ? 1 : 0;
    cell.number_size = canvas_size(stage->canvas, NUMBER_UNITS, "");
    cell.lesson = stage->player->lesson;
    cell.step = own && stage->step->result == node ? stage->step : NULL;
    heatmap_draw(stage->canvas, &cell);
    if (own && stage->has_focus && stage->focus_row == row)
        heatmap_outline_cell(stage->canvas, &cell, 0, 0, stage->canvas->theme->focus);
}

/* Draws the words below a row's bars, and below those the loss of the target's
 * probability. */
static void draw_loss(const Push *push, size_t row) {
    const Stage *stage = push->stage;
    const Canvas *canvas = stage->canvas;
    Box words = {column(push, row, 0).x, push->ground + push->labels, facet_width(push),
                 push->cells};
    Heatmap labels = {
        .tensor = row_of(push, push->chances, row), .node = TAPE_NONE, .cells = words};
    size_t target = 0;
    bool aims = target_of(push, row, &target);
    label_row(push, &labels, aims);
    labels.focus_col = target;
    if (!labels.tensor)
        return;
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
    Box cell = {round(left), round(words.y + CELL * 0.3), width, push->cells};
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
    Box cell = {round(last.x + last.w + push->result - LOSS), y, LOSS, push->cells};
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
    size_t target;
    if (!labels)
        return "";
    if (strstr(labels[row], "→") || !push->out->col_labels ||
        !target_of(push, row, &target))
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
    if (!push->chances || entropy->muted || !place(push, area))
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
    StageScale legend = {HEATMAP_SIGNED, reach};
    if (pushed)
        stage_legends(stage, stage->area, &legend, 1);
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
