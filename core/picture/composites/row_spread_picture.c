#include "picture/composites/composites.h"

#include "lesson/content/content.h"
#include "picture/charts/charts.h"
#include "picture/draw/token.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Lengths in units. */
static const double NAME = 22, NUMBER = 17, TICK = 15, WORD = 17;
static const double LEAST_ROW = 58, TALLEST_ROW = 140, LEAST_LINE = 190, GAP = 44;
static const double CAPTION = 64, TICKS = 36, KEY = 30, DOT = 8, BALANCE = 2,
                    LINE_FRACTION = 0.58;
static const double MARGIN = 0.06; /* fraction of the range, beyond its ends */
enum { TABLES_MOST = 3, COLUMNS_MOST = 24 };

typedef struct Spread {
    const Stage *stage;
    const size_t *nodes;
    size_t count;
    const Tensor *shape;
    double least, most; /* numbers at the lines' ends */
    /* Width of the labels on the left, and of a table; height of a row. */
    double words, width, line;
    Point corner;
} Spread;

/* Reports whether a node's rows were normalized. */
static bool is_normed(const Stage *stage, size_t node) {
    return operation_of(stage_node(stage, node)->operation)->normalizes;
}

static bool find(Spread *this) {
    const Stage *stage = this->stage;
    bool normed = false;
    if (stage->is_question || stage->values || this->count < 2 ||
        this->count > TABLES_MOST)
        return false;
    for (size_t i = 0; i < this->count; i++) {
        const Tensor *tensor = stage_tensor(stage, this->nodes[i]);
        if (tensor->rows != this->shape->rows || tensor->cols != this->shape->cols ||
            stage_colors(stage->tape, this->nodes[i]) != HEATMAP_SIGNED)
            return false;
        normed |= is_normed(stage, this->nodes[i]);
        for (size_t j = 0; j < tensor_cells(tensor); j++) {
            if (tensor_is_masking(tensor->values[j]))
                return false;
            this->least = fmin(this->least, tensor->values[j]);
            this->most = fmax(this->most, tensor->values[j]);
        }
    }
    double range = this->most - this->least;
    this->least -= range * MARGIN;
    this->most += range * MARGIN;
    return normed && range > 0 && this->shape->cols > 1 &&
           this->shape->cols <= COLUMNS_MOST;
}

static bool place(Spread *this) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    Box area = stage->area;
    double rows = (double)this->shape->rows;
    double below = CAPTION + TICKS + KEY;
    this->words = fmin(heatmap_row_label_width(canvas, this->shape), area.w * 0.2);
    this->width = floor((area.w - this->words) / (double)this->count - GAP);
    this->line = floor(fmin((area.h - below) / rows, TALLEST_ROW));
    double spare = area.h - below - this->line * rows;
    this->corner = (Point){area.x + this->words + round(GAP / 2),
                           round(area.y + fmax(spare, 0) * 0.4)};
    return this->line >= LEAST_ROW && this->width >= LEAST_LINE;
}

static NumberLine line_of(const Spread *this, size_t table, size_t row) {
    Box slot = {this->corner.x + (this->width + GAP) * (double)table,
                this->corner.y + this->line * ((double)row + LINE_FRACTION), this->width,
                0};
    size_t node = this->nodes[table];
    NumberLine line =
        view_line(this->stage, node, row, slot, this->least, this->most, DOT);
    stage_result(this->stage, &line.table);
    line.table.visible = SIZE_MAX;
    line.table.has_focus &= this->stage->focus_node == node;
    return line;
}

/* Number of lines of numbers that fit above a number line's dots. */
static size_t number_tiers(const Spread *this) {
    double room = this->line * LINE_FRACTION - 2 * DOT;
    return (size_t)fmax(floor(room / round(NUMBER * 1.2)), 1);
}

/* Draws the key "▲ row mean" in the lower left corner. */
static void draw_key(const Spread *this) {
    const Canvas *canvas = this->stage->canvas;
    Box area = this->stage->area;
    Box strip = box_take_bottom(&area, KEY);
    double side = DOT * BALANCE, y = strip.y + strip.h / 2;
    const Point foot[] = {{strip.x + side * 0.6, round(y - side / 2)},
                          {strip.x, round(y + side / 2)},
                          {strip.x + side * 1.2, round(y + side / 2)}};
    scene_polygon(canvas->scene, foot, 3, canvas->theme->other[0]);
    canvas_label(canvas, FONT_TEXT, WORD, canvas->theme->ink_soft,
                 (Point){strip.x + side * 1.2 + 10,
                         label_baseline(y, canvas_size(canvas, WORD, ""))},
                 LABEL_LEFT, canvas_string(canvas, "operation.mean"));
}

static void draw_table(const Spread *this, size_t table) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    NumberLine line = {0};
    for (size_t row = 0; row < this->shape->rows; row++) {
        line = line_of(this, table, row);
        number_line_draw_axis(&line);
        const double *values = line.table.tensor->values + row * this->shape->cols;
        number_line_draw_balance(&line, kernel_mean(values, this->shape->cols));
        number_line_draw_dots(&line);
        number_line_draw_numbers(&line, NUMBER, number_tiers(this));
    }
    line.y += round(line.radius * BALANCE);
    number_line_draw_ticks(&line, TICK);
    Caption caption = caption_of(stage, this->nodes[table], NAME, this->width);
    caption_draw(
        stage, &caption,
        (Point){(line.left + line.right) / 2, line.y + round(TICKS + CAPTION * 0.4)},
        caption_shape_drop(canvas, caption.below), LABEL_CENTER);
}

static void draw_words(const Spread *this) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    for (size_t row = 0; this->shape->row_labels && row < this->shape->rows; row++) {
        bool focus = stage->has_focus && stage->focus_row == row;
        const char *word = token_text(canvas, this->shape->row_labels[row]);
        canvas_row_label(
            canvas, canvas_size(canvas, WORD, word), fmax(this->words, 1), focus,
            (Point){stage->area.x + this->words, line_of(this, 0, row).y}, word);
    }
}

bool row_spread_picture(const Stage *stage) {
    Spread this = {
        .stage = stage, .nodes = stage->step->shown, .count = stage->step->shown_count};
    if (!this.count)
        return false;
    this.shape = stage_tensor(stage, this.nodes[0]);
    if (!find(&this) || !place(&this))
        return false;
    for (size_t i = 0; i < this.count; i++)
        draw_table(&this, i);
    draw_words(&this);
    draw_key(&this);
    return true;
}
