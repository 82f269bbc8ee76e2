#include "picture/draw/lanes.h"
#include "picture/operations/pictures.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"

#include <math.h>
#include <string.h>

/* Rows below rows: the parts stand below each other on the left, apart, and slide
 * together into one table on the right, where each part's rows keep its colour. */

/* In units. */
static const double LARGEST_ROW = 58, LANES = 210, APART = 26, NAME_UNITS = 22;

typedef struct Stacking {
    const Stage *stage;
    const TapeNode *node;
    size_t count;
    Heatmap parts[PANELS_MAX], whole;
    double head;    /* over a table, for its name; over the first and the whole … */
    double columns; /* … also column labels */
    double labels, row, col;
} Stacking;

static double widest_labels(const Stacking *this) {
    const Canvas *canvas = this->stage->canvas;
    double widest = heatmap_row_label_width(canvas, &this->node->output);
    for (size_t i = 0; i < this->count; i++)
        widest = fmax(widest, heatmap_row_label_width(canvas, this->node->operands[i]));
    return fmin(widest, this->stage->area.w * 0.2);
}

static void measure(Stacking *this, Box area) {
    const Canvas *canvas = this->stage->canvas;
    const Tensor *whole = &this->node->output;
    RoleTab tab = {.role = ROLE_KEY, .name = "K"};
    double margin = role_frame_margin(canvas);
    this->head = role_tab_height(canvas, &tab) + 2 * margin;
    this->labels = widest_labels(this);
    double fixed = 2 * this->labels + canvas_length(canvas, LANES) + 4 * margin;
    double room = fmax(area.w - fixed, 2) / 2 / (double)whole->cols;
    double apart = (this->head + canvas_length(canvas, APART)) * (double)this->count;
    this->row =
        fmin((area.h - apart) / (double)whole->rows, canvas_length(canvas, LARGEST_ROW));
    this->columns =
        heatmap_col_label_height(canvas, whole, fmin(room, this->row * 2), area.h * 0.25);
    this->row = fmax(
        fmin(this->row, (area.h - apart - this->columns) / (double)whole->rows), 0.5);
    this->col = fmin(this->row * heatmap_aspect(canvas, whole, this->row), room);
    if (this->row > 24 && this->col > 24) {
        this->row = floor(this->row);
        this->col = floor(this->col);
    }
}

static Heatmap table_at(const Stacking *this, size_t node, const Tensor *tensor, double x,
                        double y, double reach) {
    Box cells = {round(x), round(y), this->col * (double)tensor->cols,
                 this->row * (double)tensor->rows};
    Heatmap heatmap = stage_heatmap(this->stage, node, cells, reach);
    heatmap.row_labels = true;
    heatmap.label_room = this->labels;
    heatmap.col_label_room = this->columns;
    return heatmap;
}

static void place(Stacking *this, Box area) {
    const Canvas *canvas = this->stage->canvas;
    const Tensor *whole = &this->node->output;
    double apart = canvas_length(canvas, APART), margin = role_frame_margin(canvas);
    double reach = heatmap_reach(whole), width = this->col * (double)whole->cols;
    double height = this->columns + this->row * (double)whole->rows +
                    (this->head + apart) * (double)this->count - apart;
    double used = 2 * (width + this->labels) + canvas_length(canvas, LANES) + 4 * margin;
    double x = area.x + (area.w - used) / 2 + this->labels + margin;
    double y = area.y + fmax(area.h - height, 0) * 0.45 + this->columns;
    for (size_t i = 0; i < this->count; i++) {
        y += this->head;
        this->parts[i] =
            table_at(this, this->node->inputs[i], this->node->operands[i], x, y, reach);
        this->parts[i].col_labels = i == 0;
        y += this->parts[i].cells.h + apart;
    }
    double tall = this->columns + this->head + this->row * (double)whole->rows;
    x += width + canvas_length(canvas, LANES) + this->labels + 2 * margin;
    y = area.y + fmax(area.h - tall, 0) * 0.45 + this->columns + this->head;
    this->whole = table_at(this, this->stage->node, whole, x, y, reach);
    this->whole.col_labels = true;
    this->whole.visible = this->stage->visible;
    this->whole.lesson = this->stage->player->lesson;
    this->whole.step = this->stage->step && this->stage->step->result == this->stage->node
                           ? this->stage->step
                           : NULL;
    this->whole.has_focus = this->stage->has_focus;
    this->whole.focus_row = this->stage->focus_row;
    this->whole.focus_col = this->stage->focus_col;
}

/* A table under its name: a tab where its role wears one. A part that is called as the
 * whole is told by its rows. */
static void draw_table(const Stacking *this, size_t node, const Heatmap *heatmap) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    const char *name = stage_formula_name(stage, node);
    RoleTab tab = caption_tab(stage, name, node);
    Box table = heatmap->cells;
    double labels =
        heatmap->col_labels && heatmap->tensor->col_labels ? this->columns : 0;
    table.y -= labels;
    table.h += labels;
    if (tab.name) {
        role_tab(canvas, &tab, role_frame_box(canvas, table));
        role_frame(canvas, tab.role, table);
    } else if (node == stage->node ||
               strcmp(name, stage_formula_name(stage, stage->node)) != 0) {
        Caption caption = caption_fit(stage, name, node, heatmap->tensor, NAME_UNITS,
                                      table.w + canvas_length(canvas, LANES) * 0.6);
        canvas_formula(canvas, caption.name, caption.units,
                       (Point){table.x, table.y - this->head / 2}, LABEL_LEFT);
    }
    heatmap_draw(canvas, heatmap);
}

/* From a part to its rows of the whole. */
static void draw_lane(const Stacking *this, size_t part, size_t above) {
    const Canvas *canvas = this->stage->canvas;
    const Heatmap *from = &this->parts[part];
    double margin = role_frame_margin(canvas) * 1.5;
    Box to = heatmap_cells(&this->whole, above, above + from->tensor->rows, 0, 1);
    Point ends[] = {
        {from->cells.x + from->cells.w + margin, from->cells.y + from->cells.h / 2},
        {to.x - this->labels - margin, to.y + to.h / 2}};
    lane_draw(canvas,
              &(Lane){.role = role_of_node(this->stage->tape, this->node->inputs[part]),
                      .points = ends,
                      .count = 2,
                      .arrow = true});
}

/* Each part's rows have its colour in the whole, too. */
static void outline_parts(const Stacking *this) {
    const Stage *stage = this->stage;
    for (size_t i = 0, above = 0; i < this->count; i++) {
        size_t rows = this->node->operands[i]->rows, cols = this->node->output.cols;
        Color color = stage_color(stage, this->node->inputs[i], i);
        heatmap_outline(stage->canvas, &this->parts[i], 0, rows, 0, cols, color);
        heatmap_outline(stage->canvas, &this->whole, above, above + rows, 0, cols, color);
        above += rows;
    }
}

void stack_picture(const Stage *stage) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    Stacking this = {.stage = stage, .node = node, .count = node->input_count};
    if (this.count > PANELS_MAX) {
        given_picture(stage);
        return;
    }
    Box area = stage->area;
    box_take_bottom(&area, stage_legend_height(canvas));
    measure(&this, area);
    place(&this, area);
    Heatmap *all[PANELS_MAX + 1];
    for (size_t i = 0; i < this.count; i++)
        all[i] = &this.parts[i];
    all[this.count] = &this.whole;
    heatmap_same_digits(canvas, all, this.count + 1);
    size_t above = 0;
    for (size_t i = 0; i < this.count; i++) {
        draw_lane(&this, i, above);
        draw_table(&this, node->inputs[i], &this.parts[i]);
        above += node->operands[i]->rows;
    }
    draw_table(&this, stage->node, &this.whole);
    outline_parts(&this);
    if (stage->has_focus && stage->focus_node == stage->node)
        heatmap_outline_cell(canvas, &this.whole, stage->focus_row, stage->focus_col,
                             canvas->theme->focus);
    StageScale scale = {stage_colors(stage->tape, stage->node), this.whole.reach};
    stage_legends(stage, stage->area, &scale, 1);
}
