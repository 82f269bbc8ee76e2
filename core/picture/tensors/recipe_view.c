#include "lesson/play/player.h"
#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/stage/caption.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* One row of a product A V as a weighted sum: from its token a band as wide as a weight
 * of 1 splits into bands to the rows of V, each as wide as its attention weight; each row
 * times its weight gives a part, and the parts add up, column by column, to the row of
 * the result. All rows of the result stand beside it. Of many rows of V only those with
 * the largest weights have lines; the rest share one line. If rows are so wide that the
 * parts have no room for numbers, only the sum is written, right below the rows. */

static const double LABEL_UNITS = 17, NUMBER_UNITS = 18, LEAST_LINE = 25,
                    LARGEST_LINE = 66;
/* Width of a weight of 1; length of the bands. */
static const double BAND_UNITS = 56, LANES_UNITS = 150;
/* Fraction of a sign's room: = and + side by side. */
static const double EQUALS_FRACTION = 1.35;
static const double WIDE_CELL = 84; /* of few columns */
/* Of the result's table, of the room. */
static const double TABLE_CELL = 56, TABLE_FRACTION = 0.2;
enum { LINES_MAX = 24 };

/* One line of the weighted sum. */
typedef struct Line {
    size_t row;    /* row of V; PLAYER_NONE: all rows without a line of their own */
    double weight; /* attention weight, of several rows their sum */
} Line;

typedef struct Recipe {
    const Stage *stage;
    const Tensor *weights, *values, *out;
    size_t weights_node, values_node, row;
    size_t count, written; /* number of lines; of those with a single row */
    Line lines[LINES_MAX];
    double reach;
    Heatmap chosen; /* rows of V of the written lines */
    Heatmap parts;  /* weight × row for each line, with their sum below */
    bool folded;    /* only the sum is written, below the rows themselves */
    size_t sum;     /* row of the sum among the parts */
    Box area;       /* of all lines and the sum */
    /* Distance of lines; additional distance of the sum, for its frame. */
    double pitch, gap;
    /* Widths of the columns from left to right. */
    double word, lanes, labels, number, sign;
    double cells; /* width of one row of cells */
    double table; /* width of the result with its labels */
} Recipe;

static double share_at(const Recipe *recipe, size_t row) {
    return tensor_at(recipe->weights, recipe->row, row);
}

/* ---- choice of lines ---- */

/* Reports whether fewer than `most` rows have a larger weight, or an equal one further
 * up. */
static bool is_among(const Recipe *recipe, size_t row, size_t most) {
    size_t before = 0;
    for (size_t i = 0; i < recipe->values->rows && before < most; i++)
        before += share_at(recipe, i) > share_at(recipe, row) ||
                  (share_at(recipe, i) == share_at(recipe, row) && i < row);
    return before < most;
}

/* Chooses the rows with lines, in their order, followed by one line for all others. */
static void choose_lines(Recipe *recipe, size_t most) {
    size_t rows = recipe->values->rows;
    bool all = rows <= most;
    double rest = 0;
    for (size_t i = 0; i < rows; i++) {
        if (all || is_among(recipe, i, most - 1))
            recipe->lines[recipe->count++] = (Line){i, share_at(recipe, i)};
        else
            rest += share_at(recipe, i);
    }
    recipe->written = recipe->count;
    if (!all)
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
                parts->values[line * cols + j] += share_at(recipe, i) * value;
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

static const char *line_label(const Recipe *recipe, const Line *line) {
    const Canvas *canvas = recipe->stage->canvas;
    if (line->row != PLAYER_NONE)
        return token_text(canvas,
                          view_label(canvas, recipe->values->row_labels, line->row));
    const char *others = canvas_count(canvas, recipe->values->rows + 1 - recipe->count);
    return canvas_words(canvas, "view.others", others, NULL);
}

static double widest_label(const Recipe *recipe) {
    const Canvas *canvas = recipe->stage->canvas;
    double widest = 0;
    for (size_t i = 0; i < recipe->count; i++) {
        const char *label = line_label(recipe, &recipe->lines[i]);
        widest = fmax(widest,
                      canvas_text_width(canvas, FONT_BOLD,
                                        canvas_size(canvas, LABEL_UNITS, label), label));
    }
    return widest;
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
 * remaining width. */
static void place_parts(Recipe *recipe, Box area) {
    const Canvas *canvas = recipe->stage->canvas;
    double lines = (double)recipe->count + 1;
    recipe->gap = 2 * ROLE_FRAME_MARGIN + 2;
    recipe->pitch = floor(fmin((area.h - recipe->gap) / lines, LARGEST_LINE));
    recipe->labels = fmin(widest_label(recipe), area.w * 0.18);
    recipe->word =
        fmin(token_width(canvas, canvas_size(canvas, LABEL_UNITS, "一"), word_of(recipe)),
             area.w * 0.14);
    recipe->lanes = fmin(LANES_UNITS, area.w * 0.12);
    recipe->number =
        canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, NUMBER_UNITS, ""),
                          view_number(recipe->stage, recipe->weights_node, 1));
    recipe->sign = 44;
    recipe->table = table_width(recipe, area);
    double fixed = recipe->word + recipe->lanes + recipe->labels + 26 + recipe->number +
                   recipe->sign + (recipe->folded ? 0 : EQUALS_FRACTION) * recipe->sign +
                   recipe->table + (recipe->table > 0 ? 1.6 * recipe->sign : 0);
    double cell = fmax(
        recipe->pitch * heatmap_aspect(canvas, recipe->values, recipe->pitch), WIDE_CELL);
    double tables = recipe->folded ? 1 : 2;
    recipe->cells =
        fmax(fmin((area.w - fixed) / tables, cell * (double)recipe->values->cols), 1);
    double used = fixed + tables * recipe->cells,
           height = recipe->pitch * lines + recipe->gap;
    recipe->area = (Box){round(area.x + (area.w - used) / 2),
                         round(area.y + fmax(area.h - height, 0) * 0.4), used, height};
}

static double line_middle(const Recipe *recipe, size_t index) {
    double gap = index == recipe->count ? recipe->gap : 0;
    return round(recipe->area.y + gap + recipe->pitch * ((double)index + 0.5));
}

static double labels_right(const Recipe *recipe) {
    return recipe->area.x + recipe->word + recipe->lanes + recipe->labels + 8;
}

static double number_right(const Recipe *recipe) {
    return labels_right(recipe) + 18 + recipe->number;
}

static double values_left(const Recipe *recipe) {
    return number_right(recipe) + recipe->sign;
}

static double parts_left(const Recipe *recipe) {
    return values_left(recipe) +
           (recipe->folded ? 0 : recipe->cells + EQUALS_FRACTION * recipe->sign);
}

/* Places the two heatmaps; `visible` cells of the result are computed. */
static void place_cells(Recipe *recipe) {
    size_t cols = recipe->values->cols, before = recipe->row * cols;
    size_t visible = recipe->stage->visible;
    visible = visible > before ? visible - before : 0;
    Box box = {round(values_left(recipe)), recipe->area.y, recipe->cells,
               recipe->pitch * (double)recipe->written};
    recipe->chosen.cells = box;
    recipe->chosen.visible = (size_t)-1;
    box.x = round(parts_left(recipe));
    box.y += recipe->pitch * (double)(recipe->count - recipe->sum) + recipe->gap;
    box.h = recipe->pitch * (double)(recipe->sum + 1);
    recipe->parts.cells = box;
    recipe->parts.visible = recipe->sum * cols + (visible < cols ? visible : cols);
    recipe->chosen.reach = recipe->parts.reach = recipe->reach;
}

/* Lays out the panels with the weighted vectors or, if `folded`, without them. */
static void place_as(Recipe *recipe, Box area, bool folded) {
    recipe->folded = folded;
    work_out(recipe);
    place_parts(recipe, area);
    place_cells(recipe);
}

/* Lays out; folded only if numbers would be unreadable otherwise. */
static void place(Recipe *recipe, Box area) {
    const Canvas *canvas = recipe->stage->canvas;
    place_as(recipe, area, false);
    if (heatmap_number_size(canvas, &recipe->parts) > 0)
        return;
    place_as(recipe, area, true);
    if (!(heatmap_number_size(canvas, &recipe->parts) > 0))
        place_as(recipe, area, false);
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

static void draw_sign(const Recipe *recipe, const char *sign, double left, double width,
                      double middle) {
    canvas_formula(recipe->stage->canvas, sign, 22, (Point){left + width / 2, middle},
                   LABEL_CENTER);
}

/* Draws the band of all weights from the token, split into the lines' bands. */
static void draw_lanes(const Recipe *recipe) {
    const Canvas *canvas = recipe->stage->canvas;
    double half = recipe->pitch * (double)recipe->count / 2;
    double middle = recipe->area.y + half;
    double band = fmin(BAND_UNITS, 0.9 * recipe->pitch);
    double from = recipe->area.x + recipe->word, top = middle - band / 2;
    for (size_t i = 0; i < recipe->count; i++) {
        double weight = recipe->lines[i].weight, width = band * weight;
        if (!(weight > 0))
            continue;
        const Point band_points[] = {{from, top + width / 2},
                                     {from + recipe->lanes, line_middle(recipe, i)}};
        lane_draw(canvas, &(Lane){.role = ROLE_PROBABILITIES,
                                  .points = band_points,
                                  .count = 2,
                                  .thickness = fmax(width, 1),
                                  .strong = weight >= 0.5});
        top += width;
    }
    double size = canvas_size(canvas, LABEL_UNITS, word_of(recipe));
    double height = token_height(size);
    Token token = {.label = word_of(recipe),
                   .kind = token_kind(word_of(recipe)),
                   .present = true,
                   .size = size};
    canvas_link_cell(canvas, recipe->stage->node, recipe->row,
                     recipe->stage->has_focus ? recipe->stage->focus_col : 0);
    token_draw(canvas, &token,
               (Box){recipe->area.x, round(middle - height / 2), recipe->word, height});
    canvas_unlink(canvas);
}

static void draw_share(const Recipe *recipe, const Line *line, double middle) {
    const Canvas *canvas = recipe->stage->canvas;
    double size = canvas_size(canvas, NUMBER_UNITS, ""), right = number_right(recipe);
    if (line->row != PLAYER_NONE)
        canvas_link_cell(canvas, recipe->weights_node, recipe->row, line->row);
    canvas_target(canvas, (Box){right - recipe->number, middle - recipe->pitch / 2,
                                recipe->number, recipe->pitch});
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                (Point){right, label_baseline(middle, size)}, LABEL_RIGHT,
                view_number(recipe->stage, recipe->weights_node, line->weight));
    canvas_unlink(canvas);
}

static void draw_label(const Recipe *recipe, const char *label, FontRole font,
                       Color color, double right, double room, double middle) {
    const Canvas *canvas = recipe->stage->canvas;
    LabelFit fit =
        canvas_fit(canvas, font, canvas_size(canvas, LABEL_UNITS, label), room, label);
    canvas_text(canvas, font, fit.size, color,
                (Point){right, label_baseline(middle, fit.size)}, LABEL_RIGHT, fit.text);
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
    return view_equals(&weights, 0, heatmap_decimals(recipe->weights), &row, &part);
}

static void draw_line(const Recipe *recipe, size_t index) {
    const Line *line = &recipe->lines[index];
    const Theme *theme = recipe->stage->canvas->theme;
    double middle = line_middle(recipe, index), left = values_left(recipe);
    draw_label(recipe, line_label(recipe, line), FONT_TEXT, theme->ink_soft,
               labels_right(recipe), recipe->labels, middle);
    draw_share(recipe, line, middle);
    if (line->row != PLAYER_NONE) {
        draw_sign(recipe, "\\times", left - recipe->sign, recipe->sign, middle);
        link_row(recipe, &recipe->chosen, index, recipe->values_node, line->row);
    }
    if (recipe->folded)
        return;
    if (line->row != PLAYER_NONE)
        draw_sign(recipe, line_equals(recipe, index), parts_left(recipe) - recipe->sign,
                  recipe->sign * 0.4, middle);
    if (index > 0) /* plus sign between the lines, left of the parts */
        draw_sign(recipe, "+", parts_left(recipe) - recipe->sign * 0.54,
                  recipe->sign * 0.4, middle - recipe->pitch / 2);
}

/* Draws the rule, and below it the row of the result. */
static void draw_sum(const Recipe *recipe) {
    const Stage *stage = recipe->stage;
    const Canvas *canvas = stage->canvas;
    double left = parts_left(recipe), middle = line_middle(recipe, recipe->count);
    double rule =
        recipe->area.y + recipe->pitch * (double)recipe->count + fmax(recipe->gap - 1, 0);
    double thick = 2, more = recipe->sign * 0.4;
    canvas_fill(canvas, (Box){left - more, rule - thick, recipe->cells + more, thick}, 0,
                canvas->theme->ink);
    link_row(recipe, &recipe->parts, recipe->sum, stage->node, recipe->row);
    const char *equals =
        view_equals(recipe->weights, recipe->row, heatmap_decimals(recipe->weights),
                    recipe->values, recipe->out);
    draw_sign(recipe, equals, left - recipe->sign, recipe->sign * 0.4, middle);
    const char *label =
        token_text(canvas, view_label(canvas, recipe->out->row_labels, recipe->row));
    Box name = canvas_formula(canvas, stage_formula_name(stage, stage->node),
                              fmin(22, recipe->pitch * 0.5),
                              (Point){left - recipe->sign, middle}, LABEL_RIGHT);
    double gap = 14;
    draw_label(recipe, label, FONT_BOLD, canvas->theme->ink, name.x - gap,
               fmax(name.x - gap - recipe->area.x, 0), middle);
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

/* Draws a tensor's name above its column; names of tall formulas are replaced by their
 * operation's. */
static void draw_name(const Recipe *recipe, size_t node, double middle, double room) {
    const Stage *stage = recipe->stage;
    const Tensor *tensor = stage_tensor(stage, node);
    double y = recipe->area.y - 20;
    Caption name =
        caption_low(stage, stage_formula_name(stage, node), node, tensor, 22, room, 44);
    caption_draw_name(stage, &name, (Point){middle, y}, LABEL_CENTER);
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
    if (role_tab_width(canvas, &tab) > recipe->cells + recipe->sign)
        tab.shape = NULL;
    if (role_tab_width(canvas, &tab) > recipe->cells + recipe->sign)
        return false;
    role_tab(canvas, &tab, role_frame_box(recipe->chosen.cells));
    role_frame(canvas, role, recipe->chosen.cells);
    return true;
}

static void draw_captions(const Recipe *recipe) {
    double weights = number_right(recipe) - recipe->number / 2;
    double values = values_left(recipe) + recipe->cells / 2;
    double border = values_left(recipe) - recipe->sign / 2;
    draw_name(recipe, recipe->weights_node, weights, 2 * (border - weights));
    if (!draw_tab(recipe))
        draw_name(recipe, recipe->values_node, values, 2 * (values - border));
}

/* Draws all rows of the result with the chosen one framed. */
static void draw_result(const Recipe *recipe) {
    const Stage *stage = recipe->stage;
    const Canvas *canvas = stage->canvas;
    if (recipe->table <= 0)
        return;
    double labels =
        fmin(heatmap_row_label_width(canvas, recipe->out), recipe->table - 20);
    double rows = (double)recipe->out->rows;
    double h = fmin(recipe->area.h, rows * round(TABLE_CELL * 0.8));
    double right = recipe->area.x + recipe->area.w;
    Box box = {round(right - recipe->table + labels),
               round(recipe->area.y + (recipe->area.h - h) / 2), recipe->table - labels,
               h};
    Heatmap table = stage_heatmap(stage, stage->node, box, recipe->reach);
    table.number_size = canvas_size(canvas, NUMBER_UNITS, "");
    table.row_labels = true;
    table.label_room = labels;
    stage_result(stage, &table);
    table.has_focus = stage->has_focus;
    table.focus_row = recipe->row;
    heatmap_draw(canvas, &table);
    heatmap_outline(canvas, &table, recipe->row, recipe->row + 1, 0, recipe->out->cols,
                    canvas->theme->focus);
    Caption name = caption_of(stage, stage->node, 22, recipe->table);
    if (name.name[0] && name.above + name.below < 40)
        canvas_formula(canvas, name.name, name.units,
                       (Point){box.x + box.w / 2, box.y - 24}, LABEL_CENTER);
}

void recipe_view(const Stage *stage, ViewPlace in_grid) {
    (void)in_grid;
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    Recipe recipe = {.stage = stage,
                     .weights_node = node->inputs[0],
                     .values_node = node->inputs[1],
                     .weights = stage_tensor(stage, node->inputs[0]),
                     .values = stage_tensor(stage, node->inputs[1]),
                     .out = &node->output,
                     .row = view_row(stage)};
    recipe.reach = fmax(heatmap_reach(recipe.values), heatmap_reach(recipe.out));
    Box area = stage->area;
    box_take_top(&area, 52);
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    box_take_right(&area, 6); /* for the outline of the focus */
    double most = floor(area.h / LEAST_LINE) - 1;
    choose_lines(&recipe, (size_t)fmin(fmax(most, 2), LINES_MAX));
    place(&recipe, area);
    heatmap_same_digits(canvas, (Heatmap *const[]){&recipe.chosen, &recipe.parts}, 2);
    draw_captions(&recipe);
    draw_lanes(&recipe);
    heatmap_draw(canvas, &recipe.chosen);
    heatmap_draw(canvas, &recipe.parts);
    for (size_t i = 0; i < recipe.count; i++)
        draw_line(&recipe, i);
    draw_sum(&recipe);
    draw_focus(&recipe);
    draw_result(&recipe);
    StageScale legend = {HEATMAP_SIGNED, recipe.reach};
    stage_legends(stage, stage->area, &legend, 1);
}
