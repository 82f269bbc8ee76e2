#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/layers/layers_parts.h"
#include "picture/stage/caption.h"
#include "tensor/operations/operation.h"

#include <math.h>

/* Lengths in units. */
static const double WIDEST_CELL = 118, GAP = 30, SUM_RADIUS = 21;

/* Along a lane: heights of captions, with a shape and, enlarged, without one; of what is
 * above the upper table's, and between its name and the lane. */
static const double CAPTION = 56, NAME_ALONE = 34, ABOVE_MORE = 12, BELOW_NAME = 12,
                    TALLEST = 72;

/* Row by row: heights of rows; height of a pair and the gap below, relative to a row. */
static const double TALLEST_ROW = 44, CHOSEN_ROW = 34, CHOSEN_LARGE_ROW = 26,
                    LEAST_ROW = 3, LEAST_CELL = 4, PAIR = 2.5;
static const double MERGE = 120, NAME_UNITS = 22, NAME_GAP = 14, LABEL_UNITS = 17,
                    SHAPE_UNITS = 14, SHAPE = 90, LEAST_BELOW = 30, EDGE = 5, RING = 17,
                    LANE = 9, THIN_LANE = 4;

enum { FEW_ROWS = 3 };

/* Tables of a sum: on the lane, added to it, and the sum. */
enum { ON_LANE, ADDED, SUM, TABLES, TERMS = SUM };

typedef struct Sum {
    const Stage *stage;
    size_t nodes[TABLES];
    const Tensor *shape; /* of each of them */
    double reach;        /* of their colours */
    bool open;           /* the sum is not shown yet */
    /* Row by row: the row in focus; widths of labels, of a cell, and between terms and
     * sum; heights of the names, of a row and of the chosen one. */
    size_t row;
    double labels, cell, merge, below, height, chosen;
    Caption captions[TABLES];
    bool all_numbers; /* all rows have numbers */
    double digits;
    Point corner; /* of the first pair's cells */
} Sum;

/* ---- conditions ---- */

/* Reports whether this step computes a node. A composite step shows the term that it
 * computes; a sum by itself both of its given terms. */
static bool is_made_here(const Stage *stage, size_t node) {
    const PlayerStep *steps = stage->player->steps, *at = player_step(stage->player);
    if (!at->child_count)
        return true;
    for (size_t i = at->parts; i < at->next; i = steps[i].next) {
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
    const Tensor *term = stage_tensor(stage, node);
    OperationKind kind = stage_node(stage, node)->operation;
    return tensor_same_shape(term, stage_tensor(stage, this->nodes[SUM])) &&
           tensor_cells(term) > 1 &&
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
    this->nodes[ON_LANE] = step->shown[0];
    this->nodes[ADDED] = step->shown[1];
    this->nodes[SUM] = sum_of(stage, this->nodes[ON_LANE], this->nodes[ADDED]);
    this->open = step->shown_count == 2;
    return this->nodes[SUM] != TAPE_NONE &&
           (this->open || step->shown[2] == this->nodes[SUM]) &&
           is_table(this, this->nodes[ON_LANE]) && is_table(this, this->nodes[ADDED]);
}

static bool find_parts(Sum *this) {
    const Stage *stage = this->stage;
    if (stage->step->shown_count)
        return find_shown(this);
    this->nodes[SUM] = stage->node;
    const TapeNode *sum = stage_node(stage, stage->node);
    if (sum->operation != OPERATION_ADD || sum->muted)
        return false;
    bool first = holds_places(stage, sum->inputs[0]);
    this->nodes[ADDED] = sum->inputs[first ? 0 : 1];
    this->nodes[ON_LANE] = sum->inputs[first ? 1 : 0];
    if (holds_places(stage, this->nodes[ADDED]))
        return is_made_here(stage, this->nodes[ADDED]);
    bool is_residual = !player_step(stage->player)->child_count ||
                       (!is_made_here(stage, this->nodes[ON_LANE]) &&
                        is_made_here(stage, this->nodes[ADDED]));
    return is_residual && is_table(this, this->nodes[ON_LANE]) &&
           is_table(this, this->nodes[ADDED]);
}

/* Colour of the outline of the focused cell, or of its terms; its a is 0 if the table has
 * none. */
static Color outline_of(const Sum *this, size_t table) {
    const Stage *stage = this->stage;
    bool own = this->nodes[table] == stage->focus_node;
    if (!stage->has_focus || (this->open && !own))
        return (Color){0};
    return own ? stage->canvas->theme->focus
               : stage_color(stage, this->nodes[table], table == ADDED);
}

/* ---- row by row: the terms of a row lie upon each other as two layers and merge into
 * one. Only the row in focus has numbers if not all have room ---- */

static double height_of(const Sum *s, size_t row) {
    return row == s->row ? s->chosen : s->height;
}

/* Box of a row: the terms lie above each other, their sum beside them in the middle. */
static Box row_box(const Sum *s, size_t table, size_t row) {
    double height = height_of(s, row), width = s->cell * (double)s->shape->cols;
    double top = s->corner.y + PAIR * s->height * (double)row +
                 (row > s->row ? PAIR * (s->chosen - s->height) : 0);
    Box box = {s->corner.x, round(top), width, round(height)};
    if (table < TERMS) {
        box.y += (double)table * box.h;
    } else {
        box.x += width + s->merge;
        box.y = round(top + height / 2);
    }
    return box;
}

static Point middle_of(Box box, double fraction) {
    return (Point){box.x + box.w * fraction, box.y + box.h / 2};
}

/* A row as a table of its own. */
static Heatmap row_heatmap(const Sum *s, size_t table, size_t row) {
    const Stage *stage = s->stage;
    size_t before = row * s->shape->cols;
    Heatmap heatmap =
        stage_heatmap(stage, s->nodes[table], row_box(s, table, row), s->reach);
    Tensor *alone = arena_alloc(stage->canvas->scene->arena, 1, sizeof *alone);
    *alone = *heatmap.tensor;
    alone->rows = 1;
    alone->values += before;
    heatmap.written_as = heatmap.tensor;
    heatmap.tensor = alone;
    heatmap.hidden = NULL;
    heatmap.colors = HEATMAP_SIGNED;
    heatmap.first_row = row;
    heatmap.number_size = s->digits;
    heatmap.without_numbers = !s->all_numbers && row != s->row;
    if (table == SUM) {
        stage_result(stage, &heatmap);
        heatmap.visible = stage->visible > before ? stage->visible - before : 0;
    }
    return heatmap;
}

/* Size of the digits of a row in all three tables; 0 if one has no room for them. */
static double digits_of(const Sum *s, size_t row) {
    double least = INFINITY;
    for (size_t i = 0; i < TABLES; i++) {
        Heatmap heatmap = row_heatmap(s, i, row);
        least = fmin(least, heatmap_number_size(s->stage->canvas, &heatmap));
    }
    return least;
}

/* Fits the names, each into its part of the cells' width. */
static void fit_names(Sum *s) {
    const Stage *stage = s->stage;
    double width = s->cell * (double)s->shape->cols, tall = 0;
    for (size_t i = 0; i < TABLES; i++) {
        double room = i < TERMS ? width / 2 - 3 * NAME_GAP : width - SHAPE;
        size_t node = s->nodes[i];
        s->captions[i] = caption_fit(stage, lane_table_name(stage, node), node,
                                     stage_tensor(stage, node), NAME_UNITS, room);
        tall = fmax(tall, s->captions[i].above + s->captions[i].below);
    }
    s->below = fmax(tall + NAME_GAP, LEAST_BELOW);
}

/* Chooses one height for all rows if all have numbers at it, else a taller chosen row. */
static bool choose_heights(Sum *s, double height) {
    double rows = (double)s->shape->rows;
    double even = fmin(floor(height / rows / PAIR), TALLEST_ROW);
    s->height = s->chosen = even;
    s->all_numbers = true;
    s->digits = INFINITY;
    for (size_t i = 0; i < s->shape->rows && s->digits > 0; i++)
        s->digits = fmin(s->digits, digits_of(s, i));
    if (s->digits > 0)
        return true;
    bool large = s->stage->canvas->enlarged > 1;
    s->all_numbers = false;
    s->chosen = fmax(even, large ? CHOSEN_LARGE_ROW : CHOSEN_ROW);
    s->height = floor((height / PAIR - s->chosen) / fmax(rows - 1, 1));
    s->height = fmin(s->height, s->chosen);
    s->digits = 0;
    s->digits = digits_of(s, s->row);
    return s->digits > 0 && s->height >= LEAST_ROW;
}

static bool place(Sum *s) {
    Box area = s->stage->area;
    const Tensor *shape = s->shape;
    double cols = (double)shape->cols, rows = (double)shape->rows;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    s->labels = fmin(heatmap_row_label_width(s->stage->canvas, shape), area.w * 0.2);
    s->merge = fmin(MERGE, area.w * 0.14);
    double beside = s->labels + s->merge + EDGE;
    s->cell = floor(fmin((area.w - beside) / cols / 2, WIDEST_CELL));
    if (s->cell < LEAST_CELL)
        return false;
    fit_names(s);
    if (!choose_heights(s, area.h - s->below))
        return false;
    double used = beside + 2 * s->cell * cols;
    double tall = PAIR * (s->height * (rows - 1) + s->chosen) + s->below;
    s->corner = (Point){round(area.x + (area.w - used) / 2 + s->labels + EDGE),
                        round(area.y + fmax(area.h - tall, 0) * 0.45)};
    return true;
}

/* Draws the lanes of both terms, which merge and lead to the sum. */
static void draw_merge(const Sum *s, size_t row) {
    const Canvas *canvas = s->stage->canvas;
    bool chosen = row == s->row;
    Box sum = row_box(s, TERMS, row);
    Point to = middle_of(sum, 0), meet = {to.x - s->merge * 0.45, to.y};
    double thick = fmin(chosen ? LANE : THIN_LANE, height_of(s, row) * 0.4);
    to.x -= 3;
    Lane lane = {.thickness = thick, .strong = chosen};
    for (size_t i = 0; i < TERMS; i++)
        lane_between(canvas, middle_of(row_box(s, i, row), 1), meet, lane);
    lane.arrow = chosen;
    lane_between(canvas, meet, to, lane);
    if (chosen && s->open)
        lane_question(canvas, meet, RING);
    else if (chosen)
        lane_sum(canvas, meet, fmin(RING, s->chosen));
}

/* Draws the edge of a term in the colour of the focused cell's term. */
static void draw_edge(const Sum *s, size_t table, size_t row) {
    Box box = row_box(s, table, row);
    box.x -= EDGE + 2;
    box.w = EDGE;
    Color color = stage_color(s->stage, s->nodes[table], table);
    canvas_fill(s->stage->canvas, box, 0, color);
}

static void draw_row(const Sum *s, size_t row) {
    const Stage *stage = s->stage;
    const Canvas *canvas = stage->canvas;
    for (size_t i = 0; i < TABLES; i++) {
        Heatmap heatmap = row_heatmap(s, i, row);
        if (i == SUM && s->open) {
            canvas_outline(canvas, heatmap.cells, 3, canvas->theme->line, 1.5);
            continue;
        }
        heatmap_draw(canvas, &heatmap);
        if (i < TERMS)
            draw_edge(s, i, row);
        Color outline = outline_of(s, i);
        if (outline.a && stage->focus_row == row)
            heatmap_outline_cell(canvas, &heatmap, 0, stage->focus_col, outline);
    }
}

static void draw_label(const Sum *s, size_t row) {
    const Canvas *canvas = s->stage->canvas;
    if (!s->shape->row_labels)
        return;
    const char *label = s->shape->row_labels[row];
    double size = canvas_size(canvas, LABEL_UNITS, label);
    Box sum = row_box(s, SUM, row);
    if (row == s->row || size <= PAIR * s->height)
        canvas_row_label(canvas, size, s->labels - NAME_GAP + 2, row == s->row,
                         (Point){s->corner.x - (EDGE + NAME_GAP) + 2, sum.y + sum.h / 2},
                         label);
}

/* Draws the names below the cells in one line: each term's behind its colour, and the
 * sum's with the common shape. */
static void draw_name(const Sum *s, size_t table, double left, double y) {
    const Canvas *canvas = s->stage->canvas;
    double size = canvas_size(canvas, SHAPE_UNITS, "");
    double half = NAME_UNITS / 2;
    if (table < TERMS) {
        canvas_fill(canvas, (Box){left, y - half, EDGE, 2 * half}, 0,
                    stage_color(s->stage, s->nodes[table], table));
        left += EDGE + NAME_GAP / 2;
    }
    Caption caption = s->captions[table];
    scene_begin_caption(canvas->scene, caption.node);
    Box name =
        canvas_formula(canvas, caption.name, caption.units, (Point){left, y}, LABEL_LEFT);
    if (table == SUM)
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_faint,
                    (Point){name.x + name.w + NAME_GAP, label_baseline(y, size)},
                    LABEL_LEFT, caption.shape);
    scene_end_caption(canvas->scene);
}

static void draw_names(const Sum *s) {
    Box last = row_box(s, TERMS - 1, s->shape->rows - 1), sum = row_box(s, TERMS, 0);
    double y = round(last.y + last.h + s->below / 2);
    draw_name(s, 0, last.x - EDGE - 2, y);
    draw_name(s, 1, last.x + last.w / 2, y);
    draw_name(s, TERMS, sum.x, y);
}

/* Draws the rows; returns false and draws nothing if they have no room. */
static bool draw_rows(Sum *s) {
    const Stage *stage = s->stage;
    size_t rows = s->shape->rows;
    s->row = stage->has_focus && stage->focus_row < rows ? stage->focus_row : rows - 1;
    if (!place(s))
        return false;
    for (size_t i = 0; i < rows; i++)
        draw_merge(s, i);
    for (size_t i = 0; i < rows; i++) {
        draw_row(s, i);
        draw_label(s, i);
    }
    draw_names(s);
    return true;
}

/* ---- along a lane ---- */

/* Height of a name, with its shape if there is room. */
static double caption_height(const LaneTables *tables) {
    return tables->without_shapes ? NAME_ALONE : CAPTION;
}

static LaneTables measure(const Sum *this, Box area) {
    const Stage *stage = this->stage;
    double cols = (double)this->shape->cols, rows = (double)this->shape->rows;
    LaneTables tables = {.stage = stage,
                         .reach = this->reach,
                         .without_shapes = stage->canvas->enlarged > 1};
    const Tensor *labelled = stage_tensor(stage, this->nodes[ON_LANE]);
    tables.labels = fmin(heatmap_row_label_width(stage->canvas, labelled), area.w * 0.2);
    double across = area.w - tables.labels - 4 * GAP - 2 * SUM_RADIUS;
    double down = area.h - 2 * caption_height(&tables) - ABOVE_MORE - (GAP + BELOW_NAME);
    tables.width = fmin(across / 2.1, WIDEST_CELL * cols);
    tables.height = fmin(down / 2, TALLEST * rows);
    lane_tables_measure(&tables, this->nodes, TABLES);
    return tables;
}

/* Draws both terms and their sum, or an empty frame for a sum that is not shown yet. */
static void draw_lane(const Sum *this, const LaneTables *tables, Box area) {
    const Canvas *canvas = this->stage->canvas;
    double between = 2 * GAP + 2 * SUM_RADIUS, caption = caption_height(tables);
    double w = tables->width, h = tables->height;
    double used = tables->labels + 2 * w + between + GAP;
    double tall = 2 * h + 2 * caption + ABOVE_MORE + GAP + BELOW_NAME;
    double left = round(area.x + tables->labels + (area.w - used) / 2);
    double top = round(area.y + fmax((area.h - tall) / 2, 0) + caption + ABOVE_MORE);
    Box on_lane = {left, top + h + GAP + BELOW_NAME, w, h}, sum = on_lane;
    sum.x += w + between;
    Point centre = {left + w + between / 2, round(on_lane.y + h / 2)};
    Box added = {round(centre.x - w / 2), top, w, h};
    lane_residual(canvas, (Point){left, centre.y}, (Point){sum.x + w + GAP, centre.y}, 0,
                  true);
    lane_between(canvas, (Point){centre.x, top + h},
                 (Point){centre.x, centre.y - SUM_RADIUS}, (Lane){.arrow = true});
    lane_table_draw(tables, this->nodes[ON_LANE], on_lane, true, false,
                    outline_of(this, ON_LANE));
    lane_table_draw(tables, this->nodes[ADDED], added, false, true,
                    outline_of(this, ADDED));
    if (this->open) {
        lane_frame(canvas, sum);
        lane_question(canvas, centre, SUM_RADIUS);
    } else {
        lane_table_draw(tables, this->nodes[SUM], sum, false, false,
                        outline_of(this, SUM));
        lane_sum(canvas, centre, SUM_RADIUS);
    }
}

bool sum_lane(const Stage *stage) {
    Sum this = {.stage = stage};
    if (!find_parts(&this))
        return false;
    this.shape = stage_tensor(stage, this.nodes[ON_LANE]);
    for (size_t i = 0; i < TABLES; i++)
        this.reach = fmax(this.reach, heatmap_reach(stage_tensor(stage, this.nodes[i])));
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    LaneTables tables = measure(&this, area);
    bool numbers = tables.digits > 0, many = this.shape->rows > FEW_ROWS;
    if ((numbers && !many) || !draw_rows(&this)) {
        if (!numbers && !player_step(stage->player)->child_count)
            return false; /* three tables in a row are taller */
        draw_lane(&this, &tables, area);
    }
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, this.reach}, 1);
    return true;
}
