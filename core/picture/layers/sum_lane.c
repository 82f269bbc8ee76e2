#include "picture/layers/sum_lane.h"

#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/layers/sum_rows.h"
#include "picture/stage/caption.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Lengths in units. */
static const double GAP = 30, SUM_RADIUS = 21, CAPTION = 56, NAME = 21;
static const double NAME_ALONE = 34; /* height of an enlarged caption without a shape */
static const double ABOVE_MORE = 12; /* additional height of a caption above its table */
static const double BELOW_NAME = 12; /* between the upper table's name and the lane */
static const double TALLEST_ROW = 72, WIDEST_CELL = 118, LABEL = 15;

enum { FEW_ROWS = 3 };

typedef struct Sum {
    const Stage *stage;
    size_t rows, added; /* nodes: the table on the lane, and the one added to it */
    size_t sum;         /* node of the sum */
    bool open;          /* the sum is not shown yet */
    Box area;
    /* Width of the tokens on the left; size of every table. */
    double labels, width, height;
    double caption;       /* height of a name, with its shape if there is room */
    double reach, digits; /* of every table */
    WordRows cells;       /* used if digits have no room, for the focused cell */
} Sum;

/* Reports whether this step computes a node. A composite step shows the term that it
 * computes; a sum by itself both of its given terms. */
static bool is_made_here(const Stage *stage, size_t node) {
    const PlayerStep *steps = stage->player->steps, *at = player_step(stage->player);
    if (!at->child_count)
        return true;
    for (size_t i = stage->player->step + 1; i < at->next; i = steps[i].next) {
        if (steps[i].node == node)
            return true;
    }
    return false;
}

static bool holds_places(const Stage *stage, size_t node) {
    return stage_node(stage, node)->operation == OPERATION_POSITIONAL_ENCODING;
}

/* Reports whether a node is a table of the sum's shape and no mask. */
static bool is_table(const Sum *this, size_t node) {
    const Stage *stage = this->stage;
    const Tensor *term = stage_tensor(stage, node), *sum = stage_tensor(stage, this->sum);
    OperationKind kind = stage_node(stage, node)->operation;
    return term->rows == sum->rows && term->cols == sum->cols && tensor_cells(term) > 1 &&
           operation_of(kind)->values != OPERATION_VALUES_MASK && !tensor_is_mask(term);
}

/* Sum of two shown tables; TAPE_NONE: there is none. */
static size_t sum_of(const Stage *stage, size_t left, size_t right) {
    for (size_t i = 0; i < tape_count(stage->tape); i++) {
        const TapeNode *at = stage_node(stage, i);
        if (at->operation == OPERATION_ADD && !at->muted && at->inputs[0] == left &&
            at->inputs[1] == right)
            return i;
    }
    return TAPE_NONE;
}

/* Finds two shown tables that are added later, possibly shown with their sum. */
static bool find_shown(Sum *this) {
    const Stage *stage = this->stage;
    const LessonStep *step = stage->step;
    if (step->shown_count != 2 && step->shown_count != 3)
        return false;
    this->rows = step->shown[0];
    this->added = step->shown[1];
    this->sum = sum_of(stage, this->rows, this->added);
    this->open = step->shown_count == 2;
    return this->sum != TAPE_NONE && (this->open || step->shown[2] == this->sum) &&
           is_table(this, this->rows) && is_table(this, this->added);
}

static bool find_parts(Sum *this) {
    const Stage *stage = this->stage;
    if (stage->step->shown_count)
        return find_shown(this);
    this->sum = stage->node;
    const TapeNode *sum = stage_node(stage, stage->node);
    if (sum->operation != OPERATION_ADD || sum->muted)
        return false;
    bool first = holds_places(stage, sum->inputs[0]);
    this->added = sum->inputs[first ? 0 : 1];
    this->rows = sum->inputs[first ? 1 : 0];
    if (holds_places(stage, this->added))
        return is_made_here(stage, this->added);
    bool is_residual =
        !player_step(stage->player)->child_count ||
        (!is_made_here(stage, this->rows) && is_made_here(stage, this->added));
    return is_residual && is_table(this, this->rows) && is_table(this, this->added);
}

static void measure(Sum *this) {
    const Stage *stage = this->stage;
    const Tensor *sum = stage_tensor(stage, this->sum);
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    this->area = area;
    this->caption = stage->canvas->enlarged > 1 ? NAME_ALONE : CAPTION;
    const Tensor *labelled = stage_tensor(stage, this->rows);
    this->labels = fmin(heatmap_row_label_width(stage->canvas, labelled), area.w * 0.2);
    double across = area.w - this->labels - 4 * GAP - 2 * SUM_RADIUS;
    this->width = fmin(across / 2.1, WIDEST_CELL * (double)sum->cols);
    double down = area.h - 2 * this->caption - ABOVE_MORE - (GAP + BELOW_NAME);
    this->height = fmin(down / 2, TALLEST_ROW * (double)sum->rows);
    const size_t nodes[] = {this->rows, this->added, this->sum};
    for (size_t i = 0; i < 3; i++)
        this->reach =
            fmax(i ? this->reach : 0, heatmap_reach(stage_tensor(stage, nodes[i])));
}

/* Own name of a node, or what its rows are. */
static const char *name_of(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    const char *key = at->operation == OPERATION_POSITIONAL_ENCODING ? "part.position"
                      : at->operation == OPERATION_EMBED             ? "part.embedding"
                                                                     : NULL;
    return at->name[0] || !key ? stage_formula_name(stage, node)
                               : canvas_format(stage->canvas, "\\text{%s}",
                                               canvas_string(stage->canvas, key));
}

/* Colour of the outline of the focused cell, or of its terms. */
static Color outline_of(const Sum *this, size_t node) {
    const Stage *stage = this->stage;
    return node == stage->focus_node ? stage->canvas->theme->focus
                                     : stage_color(stage, node, node == this->added);
}

/* Lays out tables with only the focused cell's number; returns false if rows have no
 * room. */
static bool measure_cells(Sum *this) {
    const Stage *stage = this->stage;
    const size_t nodes[] = {this->rows, this->added, this->sum};
    const Tensor *tensors[3];
    for (size_t i = 0; i < 3; i++)
        tensors[i] = stage_tensor(stage, nodes[i]);
    const Tensor *sum = tensors[2];
    if (!stage->has_focus || stage->focus_row >= sum->rows ||
        stage->focus_col >= sum->cols || this->open)
        return false;
    this->cells = word_rows_measure(stage->canvas, tensors, 3, stage->focus_row,
                                    stage->focus_col, floor(this->width), this->height);
    this->width = word_rows_width(&this->cells);
    this->height = word_rows_height(&this->cells);
    return this->cells.end - this->cells.first == sum->rows;
}

static void draw_cells(const Sum *this, size_t node, Box cells, bool labels) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, node);
    WordRows rows = this->cells;
    if (node == this->sum)
        rows.visible = stage->visible;
    word_rows_draw(canvas, &rows, (Point){cells.x, cells.y}, node, tensor, this->reach);
    for (size_t i = 0; labels && tensor->row_labels && i < tensor->rows; i++) {
        Box row = word_rows_row(&rows, (Point){cells.x, cells.y}, i);
        bool chosen = i == rows.chosen;
        FontRole font = chosen ? FONT_BOLD : FONT_TEXT;
        LabelFit fit = canvas_fit(canvas, font, canvas_size(canvas, LABEL, ""),
                                  this->labels, tensor->row_labels[i]);
        if (chosen || row.h >= fit.size)
            canvas_text(canvas, font, fit.size,
                        chosen ? canvas->theme->ink : canvas->theme->ink_soft,
                        (Point){cells.x - round(GAP / 2),
                                label_baseline(row.y + row.h / 2, fit.size)},
                        LABEL_RIGHT, fit.text);
    }
}

static void draw_numbers(const Sum *this, size_t node, Box cells, bool labels) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    Heatmap heatmap = stage_heatmap(stage, node, cells, this->reach);
    heatmap.colors = HEATMAP_SIGNED;
    heatmap.number_size = this->digits;
    heatmap.row_labels = labels;
    heatmap.label_room = this->labels;
    stage_focus(stage, &heatmap, true, false);
    if (node == this->sum)
        stage_result(stage, &heatmap);
    heatmap_draw(canvas, &heatmap);
    if (stage->has_focus && (!this->open || node == stage->focus_node))
        heatmap_outline_cell(canvas, &heatmap, stage->focus_row, stage->focus_col,
                             outline_of(this, node));
}

/* Draws a table with its name and shape below, or above if `above`. */
static void draw_table(const Sum *this, size_t node, Box cells, bool labels, bool above) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    Box frame = box_inset(cells, -6);
    scene_rectangle(canvas->scene, frame, 8, canvas->theme->page, canvas->theme->line, 2);
    if (this->cells.rows)
        draw_cells(this, node, cells, labels);
    else
        draw_numbers(this, node, cells, labels);
    Caption caption = caption_fit(stage, name_of(stage, node), node,
                                  stage_tensor(stage, node), NAME, cells.w);
    bool alone = this->caption < CAPTION;
    double drop = alone ? caption.below : caption_shape_drop(canvas, caption.below);
    if (alone)
        caption.shape = "";
    double axis = above ? frame.y - 16 - drop : frame.y + frame.h + 18;
    caption_draw(stage, &caption, (Point){cells.x + cells.w / 2, axis}, drop,
                 LABEL_CENTER);
}

/* Draws an empty frame for the sum that is not shown yet, and a question mark where the
 * tables meet. */
static void draw_open(const Sum *this, Point centre, Box sum) {
    const Canvas *canvas = this->stage->canvas;
    scene_rectangle(canvas->scene, box_inset(sum, -6), 8, canvas->theme->page,
                    canvas->theme->line, 2);
    canvas_dot(canvas, centre, SUM_RADIUS, canvas->theme->page, canvas->theme->ink,
               fmax(round(SUM_RADIUS / 9), 1.5));
    double size = canvas_size(canvas, SUM_RADIUS * 1.3, "?");
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                (Point){centre.x, label_baseline(centre.y, size)}, LABEL_CENTER, "?");
}

/* Size of the digits of all three tables; 0 if one has no room for them. */
static double digits_of(const Sum *this) {
    const size_t nodes[] = {this->rows, this->added, this->sum};
    double least = INFINITY;
    for (size_t i = 0; i < 3; i++) {
        Heatmap table = stage_heatmap(
            this->stage, nodes[i], (Box){0, 0, this->width, this->height}, this->reach);
        least = fmin(least, heatmap_number_size(this->stage->canvas, &table));
    }
    return least;
}

/* Draws the sum row by row if tables have too many rows to tell them apart. */
static bool draw_rows(const Sum *this) {
    const Stage *stage = this->stage;
    const SumTables tables = {{this->rows, this->added, this->sum},
                              {name_of(stage, this->rows), name_of(stage, this->added),
                               name_of(stage, this->sum)},
                              this->reach,
                              this->open};
    return sum_rows(stage, &tables);
}

bool sum_lane(const Stage *stage) {
    Sum this = {.stage = stage};
    if (!find_parts(&this))
        return false;
    measure(&this);
    this.digits = digits_of(&this);
    bool many = stage_tensor(stage, this.sum)->rows > FEW_ROWS;
    if ((many || !(this.digits > 0)) && draw_rows(&this))
        return true;
    bool alone = !player_step(stage->player)->child_count;
    if (alone && !(this.digits > 0) && !measure_cells(&this))
        return false; /* three tables in a row are taller */
    const Canvas *canvas = stage->canvas;
    double gap = GAP, radius = SUM_RADIUS;
    double between = 2 * gap + 2 * radius;
    double used = this.labels + 2 * this.width + between + gap;
    double tall = 2 * this.height + 2 * this.caption + ABOVE_MORE + gap + BELOW_NAME;
    double left = round(this.area.x + this.labels + (this.area.w - used) / 2);
    double top = round(this.area.y + fmax((this.area.h - tall) / 2, 0) + this.caption +
                       ABOVE_MORE);
    Box places = {0, top, this.width, this.height};
    Box words = {left, top + this.height + gap + BELOW_NAME, this.width, this.height};
    Box sum = words;
    sum.x = left + this.width + between;
    Point centre = {left + this.width + between / 2, round(words.y + words.h / 2)};
    places.x = round(centre.x - this.width / 2);
    Point down[] = {{centre.x, places.y}, {centre.x, centre.y - radius}};
    lane_residual(canvas, (Point){words.x, centre.y},
                  (Point){sum.x + sum.w + gap, centre.y}, 0, true);
    lane_draw(canvas, &(Lane){.points = down, .count = 2, .arrow = true});
    draw_table(&this, this.rows, words, true, false);
    draw_table(&this, this.added, places, false, true);
    if (this.open) {
        draw_open(&this, centre, sum);
    } else {
        draw_table(&this, this.sum, sum, false, false);
        lane_sum(canvas, centre, SUM_RADIUS);
    }
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, this.reach}, 1);
    return true;
}
