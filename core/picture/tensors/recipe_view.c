#include "base/arena.h"
#include "lesson/play/player.h"
#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/stage/caption.h"
#include "picture/stage/ruler.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* One row of a product A V as a weighted sum: from its token a band as wide as a weight
 * of 1 splits into bands to the rows of V, each as wide as its attention weight; each row
 * times its weight gives a part, and the parts add up, column by column, to the row of
 * the result. All rows of the result stand beside it. Of many rows of V only those with
 * the largest weights have lines; the rest share one line. If rows are so wide that the
 * parts have no room for numbers, only the sum is written, right below the rows. */

static const double LABEL_UNITS = 17, LABEL_GAP = 8, NUMBER_UNITS = 18, NUMBER_GAP = 18;
static const double HEAD = 44, LEAST_LINE = 25, LARGEST_LINE = 66, SIGN = 44;
/* Width of a weight of 1; length of the bands. */
static const double BAND_UNITS = 56, LANES_UNITS = 150;
/* Room for = and + side by side, of a sign's; where they are in it. */
static const double EQUALS_FRACTION = 1.35, EQUALS_AT = 0.41, PLUS_AT = 0.75;
static const double WIDE_CELL = 84; /* of few columns */
/* Of the result's table, of the room. */
static const double TABLE_CELL = 56, TABLE_FRACTION = 0.2;
enum { LINES_MAX = 24 };

/* One line of the weighted sum. */
typedef struct Line {
    size_t row;    /* row of V; PLAYER_NONE: all rows without a line of their own */
    double weight; /* attention weight, of several rows their sum */
} Line;

/* Columns from left to right. */
enum {
    WORD,
    LANES,
    LABELS,
    NUMBER,
    TIMES,
    VALUES,
    EQUALS,
    PARTS,
    ARROW,
    RESULT,
    COLUMNS
};

typedef struct Recipe {
    const Stage *stage;
    Series weights; /* the row of attention weights */
    const Tensor *values, *out;
    size_t values_node, row;
    size_t count, written; /* number of lines; of those with a single row */
    Line lines[LINES_MAX];
    double reach;
    Heatmap chosen; /* rows of V of the written lines */
    Heatmap parts;  /* weight × row for each line, with their sum below */
    bool folded;    /* only the sum is written, below the rows themselves */
    size_t sum;     /* row of the sum among the parts */
    Track columns[COLUMNS];
    double top, pitch, gap; /* of the lines; additional distance of the sum */
} Recipe;

/* ---- choice of lines ---- */

/* Chooses the rows with the largest weights, in their order, followed by one line for all
 * others. */
static void choose_lines(Recipe *recipe, size_t most) {
    size_t rows = recipe->values->rows;
    const size_t *order = series_order(&recipe->weights);
    bool *chosen = arena_alloc(recipe->stage->canvas->scene->arena, rows, sizeof *chosen);
    double rest = 0;
    for (size_t i = 0; i < (rows <= most ? rows : most - 1); i++)
        chosen[order[i]] = true;
    for (size_t i = 0; i < rows; i++) {
        if (chosen[i])
            recipe->lines[recipe->count++] = (Line){i, recipe->weights.values[i]};
        else
            rest += recipe->weights.values[i];
    }
    recipe->written = recipe->count;
    if (rows > most)
        recipe->lines[recipe->count++] = (Line){PLAYER_NONE, rest};
}

/* Line of a row of V; rows without one are in the last line. */
static size_t line_of(const Recipe *recipe, size_t row) {
    size_t line = 0;
    while (line + 1 < recipe->count && recipe->lines[line].row != row)
        line++;
    return line;
}

/* Computes the weighted vectors; the last row is their sum, as on the tape. */
static void work_out(Recipe *recipe) {
    const Canvas *canvas = recipe->stage->canvas;
    size_t cols = recipe->values->cols;
    recipe->sum = recipe->folded ? 0 : recipe->count;
    Tensor *chosen = canvas_tensor(canvas, recipe->written, cols);
    Tensor *parts = canvas_tensor(canvas, recipe->sum + 1, cols);
    for (size_t i = 0; i < recipe->values->rows; i++) {
        size_t line = line_of(recipe, i);
        for (size_t j = 0; j < cols; j++) {
            double value = tensor_at(recipe->values, i, j);
            if (!recipe->folded)
                parts->values[line * cols + j] += recipe->weights.values[i] * value;
            if (recipe->lines[line].row == i)
                chosen->values[line * cols + j] = value;
        }
    }
    for (size_t j = 0; j < cols; j++)
        parts->values[recipe->sum * cols + j] = tensor_at(recipe->out, recipe->row, j);
    recipe->chosen = (Heatmap){.tensor = chosen, .node = TAPE_NONE};
    recipe->parts = (Heatmap){.tensor = parts, .node = TAPE_NONE};
}

/* ---- layout ---- */

static const char *line_label(const void *of, size_t index) {
    const Recipe *recipe = of;
    const Canvas *canvas = recipe->stage->canvas;
    size_t row = recipe->lines[index].row;
    if (row != PLAYER_NONE)
        return token_text(canvas, view_label(canvas, recipe->values->row_labels, row));
    const char *others = canvas_count(canvas, recipe->values->rows + 1 - recipe->count);
    return canvas_words(canvas, "view.others", others, NULL);
}

static const char *word_of(const Recipe *recipe) {
    return view_label(recipe->stage->canvas, recipe->out->row_labels, recipe->row);
}

/* Width for the table of the result; 0 if it has only one row. */
static double table_width(const Recipe *recipe, Box area) {
    const Canvas *canvas = recipe->stage->canvas;
    if (recipe->out->rows == 1)
        return 0;
    double labels = fmin(heatmap_row_label_width(canvas, recipe->out), area.w * 0.12);
    double cells = TABLE_CELL * (double)recipe->out->cols;
    return labels + fmin(cells, area.w * TABLE_FRACTION - labels);
}

/* Places the lines and one more for the sum; the cells of values and parts divide the
 * width that the other columns leave. */
static void place_columns(Recipe *recipe, Box area) {
    const Canvas *canvas = recipe->stage->canvas;
    double lines = (double)recipe->count + 1, cols = (double)recipe->values->cols;
    recipe->gap = 2 * ROLE_FRAME_MARGIN + 2;
    recipe->pitch = floor(fmin((area.h - recipe->gap) / lines, LARGEST_LINE));
    double labels =
        chart_widest(canvas, FONT_BOLD, LABEL_UNITS, recipe->count, line_label, recipe);
    double word =
        token_width(canvas, canvas_size(canvas, LABEL_UNITS, "一"), word_of(recipe));
    double number =
        canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, NUMBER_UNITS, ""),
                          view_number(recipe->stage, recipe->weights.node, 1));
    double table = table_width(recipe, area);
    double cell = recipe->pitch * heatmap_aspect(canvas, recipe->values, recipe->pitch);
    double cells = fmax(cell, WIDE_CELL) * cols;
    const Track row = {.parts = 1, .least = 1, .want = cells, .most = cells};
    const Track columns[COLUMNS] = {
        [WORD] = track_of(fmin(word, area.w * 0.14)),
        [LANES] = track_of(fmin(LANES_UNITS, area.w * 0.12)),
        [LABELS] = track_of(fmin(labels, area.w * 0.18) + LABEL_GAP),
        [NUMBER] = track_of(number + NUMBER_GAP),
        [TIMES] = track_of(SIGN),
        [VALUES] = row,
        [EQUALS] = track_of(recipe->folded ? 0 : EQUALS_FRACTION * SIGN),
        [PARTS] = recipe->folded ? track_of(0) : row,
        [ARROW] = track_of(table > 0 ? 1.6 * SIGN : 0),
        [RESULT] = track_of(table),
    };
    memcpy(recipe->columns, columns, sizeof columns);
    ruler_share(recipe->columns, COLUMNS, 0, area.w);
    double used = ruler_used(recipe->columns, COLUMNS);
    ruler_place(recipe->columns, COLUMNS, round(area.x + (area.w - used) / 2));
    double height = recipe->pitch * lines + recipe->gap;
    recipe->top = round(area.y + fmax(area.h - height, 0) * 0.4);
}

/* Box of a line in a column; of the sum for the line behind the last. */
static Box line_box(const Recipe *recipe, size_t index, size_t column) {
    const Track *track = &recipe->columns[column];
    double gap = index == recipe->count ? recipe->gap : 0;
    return (Box){track->at, recipe->top + gap + recipe->pitch * (double)index,
                 track->size, recipe->pitch};
}

/* Column of the parts: that of the values if only the sum is written. */
static size_t parts_column(const Recipe *recipe) {
    return recipe->folded ? VALUES : PARTS;
}

/* Places the two heatmaps; `visible` cells of the result are computed. */
static void place_cells(Recipe *recipe) {
    size_t cols = recipe->values->cols, before = recipe->row * cols;
    size_t visible = recipe->stage->visible;
    visible = visible > before ? visible - before : 0;
    Box box = line_box(recipe, 0, VALUES);
    box.x = round(box.x);
    box.h = recipe->pitch * (double)recipe->written;
    recipe->chosen.cells = box;
    recipe->chosen.visible = (size_t)-1;
    box.x = round(recipe->columns[parts_column(recipe)].at);
    box.y += recipe->pitch * (double)(recipe->count - recipe->sum) + recipe->gap;
    box.h = recipe->pitch * (double)(recipe->sum + 1);
    recipe->parts.cells = box;
    recipe->parts.visible = recipe->sum * cols + (visible < cols ? visible : cols);
    recipe->chosen.reach = recipe->parts.reach = recipe->reach;
}

/* Lays out with the weighted vectors or, if `folded`, without them; reports whether the
 * numbers are readable. */
static bool place_as(Recipe *recipe, Box area, bool folded) {
    recipe->folded = folded;
    work_out(recipe);
    place_columns(recipe, area);
    place_cells(recipe);
    return heatmap_number_size(recipe->stage->canvas, &recipe->parts) > 0;
}

/* ---- drawing ---- */

/* Links a row of cells to a row of a tensor on the tape. */
static void link_row(const Recipe *recipe, const Heatmap *heatmap, size_t line,
                     size_t node, size_t row) {
    const Canvas *canvas = recipe->stage->canvas;
    for (size_t j = 0; j < heatmap->tensor->cols; j++) {
        canvas_link_cell(canvas, node, row, j);
        canvas_target(canvas, heatmap_cells(heatmap, line, line + 1, j, j + 1));
    }
    canvas_unlink(canvas);
}

/* Draws a sign at a fraction of a box's width. */
static void draw_sign(const Recipe *recipe, const char *sign, Box box, double along) {
    canvas_formula(recipe->stage->canvas, sign, 22,
                   (Point){box.x + box.w * along, round(box.y + box.h / 2)},
                   LABEL_CENTER);
}

/* Draws the band of all weights from the token, split into the lines' bands. */
static void draw_lanes(const Recipe *recipe) {
    const Canvas *canvas = recipe->stage->canvas;
    const Track *lanes = &recipe->columns[LANES], *word = &recipe->columns[WORD];
    double middle = recipe->top + recipe->pitch * (double)recipe->count / 2;
    double band = fmin(BAND_UNITS, 0.9 * recipe->pitch), top = middle - band / 2;
    for (size_t i = 0; i < recipe->count; i++) {
        double weight = recipe->lines[i].weight, width = band * weight;
        if (!(weight > 0))
            continue;
        const Point ends[] = {
            {lanes->at, top + width / 2},
            {lanes->at + lanes->size, round(box_middle(line_box(recipe, i, LANES)).y)}};
        lane_draw(canvas, &(Lane){.role = ROLE_PROBABILITIES,
                                  .points = ends,
                                  .count = 2,
                                  .thickness = fmax(width, 1),
                                  .strong = weight >= 0.5});
        top += width;
    }
    double size = canvas_size(canvas, LABEL_UNITS, word_of(recipe));
    double height = token_height(size);
    size_t col = recipe->stage->has_focus ? recipe->stage->focus_col : 0;
    chip_draw(canvas, word_of(recipe), true, size,
              (Link){LINK_CELL, recipe->stage->node, recipe->row, col},
              (Box){word->at, round(middle - height / 2), word->size, height});
}

static void draw_label(const Recipe *recipe, const char *label, bool strong, Box box) {
    const Canvas *canvas = recipe->stage->canvas;
    canvas_row_label(canvas, canvas_size(canvas, LABEL_UNITS, label), box.w, strong,
                     (Point){box.x + box.w, box.y + box.h / 2}, label);
}

/* Draws a line's weight. */
static void draw_weight(const Recipe *recipe, size_t index) {
    const Canvas *canvas = recipe->stage->canvas;
    const Line *line = &recipe->lines[index];
    Box box = line_box(recipe, index, NUMBER);
    if (line->row != PLAYER_NONE)
        canvas_link(canvas, series_link(&recipe->weights, line->row));
    Box target = box;
    box_take_left(&target, LABEL_GAP / 2); /* apart from the label, also when outlined */
    canvas_target(canvas, target);
    chart_text(canvas, FONT_BOLD, canvas_size(canvas, NUMBER_UNITS, ""),
               canvas->theme->ink, box, LABEL_RIGHT,
               view_number(recipe->stage, recipe->weights.node, line->weight));
    canvas_unlink(canvas);
}

/* Equals sign between a line's weight and row and their product. */
static const char *line_equals(const Recipe *recipe, size_t index) {
    size_t cols = recipe->values->cols;
    double weight = recipe->lines[index].weight;
    Tensor weights = {.rows = 1, .cols = 1, .values = &weight}, row = weights,
           part = weights;
    row.cols = part.cols = cols;
    row.values = recipe->chosen.tensor->values + index * cols;
    part.values = recipe->parts.tensor->values + index * cols;
    return view_equals(&weights, 0, heatmap_decimals(recipe->weights.tensor), &row,
                       &part);
}

static void draw_line(const Recipe *recipe, size_t index) {
    const Line *line = &recipe->lines[index];
    Box labels = line_box(recipe, index, LABELS), signs = line_box(recipe, index, EQUALS);
    box_take_left(&labels, LABEL_GAP);
    draw_label(recipe, line_label(recipe, index), false, labels);
    draw_weight(recipe, index);
    if (line->row != PLAYER_NONE) {
        draw_sign(recipe, "\\times", line_box(recipe, index, TIMES), 0.5);
        link_row(recipe, &recipe->chosen, index, recipe->values_node, line->row);
    }
    if (!recipe->folded && line->row != PLAYER_NONE)
        draw_sign(recipe, line_equals(recipe, index), signs, EQUALS_AT);
    signs.y -= recipe->pitch / 2;
    if (!recipe->folded && index > 0)
        draw_sign(recipe, "+", signs, PLUS_AT);
}

/* Draws the rule, and below it the row of the result. */
static void draw_sum(const Recipe *recipe) {
    const Stage *stage = recipe->stage;
    const Canvas *canvas = stage->canvas;
    Box line = line_box(recipe, recipe->count, parts_column(recipe));
    double thick = 2, more = SIGN * 0.4, gap = 14, middle = round(line.y + line.h / 2);
    canvas_fill(canvas, (Box){line.x - more, line.y - 1 - thick, line.w + more, thick}, 0,
                canvas->theme->ink);
    link_row(recipe, &recipe->parts, recipe->sum, stage->node, recipe->row);
    const char *equals = view_equals(recipe->weights.tensor, recipe->row,
                                     heatmap_decimals(recipe->weights.tensor),
                                     recipe->values, recipe->out);
    draw_sign(recipe, equals, (Box){line.x - SIGN, line.y, SIGN, line.h}, 0.2);
    const char *label = token_text(canvas, word_of(recipe));
    Box name = canvas_formula(canvas, stage_formula_name(stage, stage->node),
                              fmin(22, recipe->pitch * 0.5),
                              (Point){line.x - SIGN, middle}, LABEL_RIGHT);
    double left = recipe->columns[WORD].at;
    draw_label(recipe, label, true,
               (Box){left, line.y, fmax(name.x - gap - left, 0), line.h});
}

/* Outlines the focused column's parts, which add up to the focused cell. */
static void draw_focus(const Recipe *recipe) {
    const Stage *stage = recipe->stage;
    size_t col = stage->focus_col;
    if (!stage->has_focus)
        return;
    heatmap_outline(stage->canvas, recipe->folded ? &recipe->chosen : &recipe->parts, 0,
                    recipe->written, col, col + 1, stage->canvas->theme->ink_soft);
    heatmap_outline_cell(stage->canvas, &recipe->parts, recipe->sum, col,
                         stage->canvas->theme->focus);
}

/* Draws the frame and tab of the values' role; reports whether it did. */
static bool draw_tab(const Recipe *recipe) {
    const Stage *stage = recipe->stage;
    const Canvas *canvas = stage->canvas;
    Role role = role_of_node(stage->tape, recipe->values_node);
    if (!role_has_tab(role))
        return false;
    RoleTab tab = {.node = recipe->values_node,
                   .role = role,
                   .name = stage_formula_name(stage, recipe->values_node),
                   .shape = canvas_format(canvas, "%zu × %zu", recipe->values->rows,
                                          recipe->values->cols)};
    double room = recipe->columns[VALUES].size + SIGN;
    if (role_tab_width(canvas, &tab) > room)
        tab.shape = NULL;
    if (role_tab_width(canvas, &tab) > room)
        return false;
    role_tab(canvas, &tab, role_frame_box(recipe->chosen.cells));
    role_frame(canvas, role, recipe->chosen.cells);
    return true;
}

static void draw_captions(const Recipe *recipe) {
    const Track *number = &recipe->columns[NUMBER], *values = &recipe->columns[VALUES];
    double border = values->at - SIGN / 2, middle = values->at + values->size / 2;
    double weights = number->at + (number->size + NUMBER_GAP) / 2;
    view_name(recipe->stage, recipe->weights.node, 2 * (border - weights), HEAD,
              (Point){weights, recipe->top - 20}, LABEL_CENTER);
    if (!draw_tab(recipe))
        view_name(recipe->stage, recipe->values_node, 2 * (middle - border), HEAD,
                  (Point){middle, recipe->top - 20}, LABEL_CENTER);
}

void recipe_view(const Stage *stage, ViewPlace in_grid) {
    (void)in_grid;
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    Recipe recipe = {.stage = stage,
                     .weights = series_of(canvas, node->operands[0], view_row(stage)),
                     .values_node = node->inputs[1],
                     .values = stage_tensor(stage, node->inputs[1]),
                     .out = &node->output,
                     .row = view_row(stage)};
    recipe.weights.node = node->inputs[0];
    recipe.reach = fmax(heatmap_reach(recipe.values), heatmap_reach(recipe.out));
    Box area = stage->area;
    box_take_top(&area, 52);
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    box_take_right(&area, 6); /* for the outline of the focus */
    double most = floor(area.h / LEAST_LINE) - 1;
    choose_lines(&recipe, (size_t)fmin(fmax(most, 2), LINES_MAX));
    if (!place_as(&recipe, area, false) && !place_as(&recipe, area, true))
        place_as(&recipe, area, false); /* numbers are unreadable either way */
    heatmap_same_digits(canvas, (Heatmap *const[]){&recipe.chosen, &recipe.parts}, 2);
    draw_captions(&recipe);
    draw_lanes(&recipe);
    heatmap_draw(canvas, &recipe.chosen);
    heatmap_draw(canvas, &recipe.parts);
    for (size_t i = 0; i < recipe.count; i++)
        draw_line(&recipe, i);
    draw_sum(&recipe);
    draw_focus(&recipe);
    const Track *result = &recipe.columns[RESULT];
    if (result->size > 0)
        view_result(stage,
                    (Box){result->at, recipe.top, result->size,
                          recipe.pitch * (double)(recipe.count + 1) + recipe.gap},
                    recipe.reach, recipe.row);
    StageScale legend = {HEATMAP_SIGNED, recipe.reach};
    stage_legends(stage, stage->area, &legend, 1);
}
