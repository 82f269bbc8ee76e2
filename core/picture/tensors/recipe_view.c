#include "picture/stage/caption.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include <math.h>

/* One row of a product A V as a recipe: each row of V, times its share, gives a part; the
 * parts add up, column by column, to the row of the result. Shares are bars as well as
 * numbers. Of many rows only those with the largest shares are written out; the rest
 * stand together in one line. */

static const double LABEL_UNITS = 17, NUMBER_UNITS = 18, LEAST_LINE = 25,
                    LARGEST_LINE = 62;
static const double SHARE_UNITS = 150; /* the bar of a share of 1 */
enum { LINES_MAX = 24 };

/* One line of the recipe. */
typedef struct Line {
    size_t row;   /* of V; PLAYER_NONE: all rows that have no line of their own */
    double share; /* theirs together, for those */
} Line;

typedef struct Recipe {
    const Stage *stage;
    const Tensor *shares, *values, *out;
    size_t shares_node, values_node, row;
    size_t count, written; /* lines; those of a single row */
    Line lines[LINES_MAX];
    double reach;
    Heatmap chosen; /* the written lines' rows of V */
    Heatmap parts;  /* share × row for each line, and below them their sum */
    Box area;       /* of all lines, the sum's too */
    double pitch;
    double labels, bar, number, sign; /* widths of the columns, from left to right */
    double cells;                     /* … of one row of cells */
} Recipe;

static double share_at(const Recipe *recipe, size_t row) {
    return tensor_at(recipe->shares, recipe->row, row);
}

/* ---- which lines ---- */

/* Whether fewer than `most` rows have a larger share (or the same, further up). */
static bool is_among(const Recipe *recipe, size_t row, size_t most) {
    size_t before = 0;
    for (size_t i = 0; i < recipe->values->rows && before < most; i++)
        before += share_at(recipe, i) > share_at(recipe, row) ||
                  (share_at(recipe, i) == share_at(recipe, row) && i < row);
    return before < most;
}

/* The rows in their order, then all others as one. */
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

/* Where the line of a row of V is; the last line holds the rows without one. */
static size_t line_of(const Recipe *recipe, size_t row) {
    size_t line = 0;
    while (line + 1 < recipe->count && recipe->lines[line].row != row)
        line++;
    return line;
}

/* Works out the parts; the last row is the result as the tape has it. */
static bool work_out(Recipe *recipe) {
    const Canvas *canvas = recipe->stage->canvas;
    size_t cols = recipe->values->cols;
    Tensor *chosen = canvas_tensor(canvas, recipe->written, cols);
    Tensor *parts = canvas_tensor(canvas, recipe->count + 1, cols);
    if (!chosen || !parts)
        return false;
    for (size_t i = 0; i < recipe->values->rows; i++) {
        size_t line = line_of(recipe, i);
        for (size_t j = 0; j < cols; j++) {
            double value = tensor_at(recipe->values, i, j);
            parts->values[line * cols + j] += share_at(recipe, i) * value;
            if (recipe->lines[line].row == i)
                chosen->values[line * cols + j] = value;
        }
    }
    for (size_t j = 0; j < cols; j++)
        parts->values[recipe->count * cols + j] = tensor_at(recipe->out, recipe->row, j);
    recipe->chosen = (Heatmap){.tensor = chosen, .node = TAPE_NONE};
    recipe->parts = (Heatmap){.tensor = parts, .node = TAPE_NONE};
    return true;
}

/* ---- where things lie ---- */

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

/* The sum's line is one more; the cells of values and parts share what is left over. */
static void place_parts(Recipe *recipe, Box area) {
    const Canvas *canvas = recipe->stage->canvas;
    double lines = (double)recipe->count + 1;
    recipe->pitch = floor(fmin(area.h / lines, canvas_length(canvas, LARGEST_LINE)));
    recipe->labels = fmin(widest_label(recipe), area.w * 0.22);
    recipe->bar = fmin(canvas_length(canvas, SHARE_UNITS), area.w * 0.14);
    recipe->number =
        canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, NUMBER_UNITS, ""),
                          view_number(recipe->stage, recipe->shares_node, 1));
    recipe->sign = canvas_length(canvas, 44);
    double fixed = recipe->labels + canvas_length(canvas, 14) + recipe->bar +
                   canvas_length(canvas, 12) + recipe->number + 2 * recipe->sign;
    double widest = recipe->pitch *
                    heatmap_aspect(canvas, recipe->values, recipe->pitch) *
                    (double)recipe->values->cols;
    recipe->cells = fmin((area.w - fixed) / 2, widest);
    double used = fixed + 2 * recipe->cells, height = recipe->pitch * lines;
    recipe->area = (Box){round(area.x + (area.w - used) / 2),
                         round(area.y + fmax(area.h - height, 0) * 0.4), used, height};
}

static double line_middle(const Recipe *recipe, size_t index) {
    return round(recipe->area.y + recipe->pitch * ((double)index + 0.5));
}

static double bar_left(const Recipe *recipe) {
    return recipe->area.x + recipe->labels + canvas_length(recipe->stage->canvas, 14);
}

static double values_left(const Recipe *recipe) {
    return bar_left(recipe) + recipe->bar + canvas_length(recipe->stage->canvas, 12) +
           recipe->number + recipe->sign;
}

static double parts_left(const Recipe *recipe) {
    return values_left(recipe) + recipe->cells + recipe->sign;
}

/* Places the two heatmaps; `visible` cells of the result are there yet. */
static void place_cells(Recipe *recipe) {
    size_t cols = recipe->values->cols, before = recipe->row * cols;
    size_t visible = recipe->stage->visible;
    visible = visible > before ? visible - before : 0;
    Box box = {round(values_left(recipe)), recipe->area.y, recipe->cells,
               recipe->pitch * (double)recipe->written};
    recipe->chosen.cells = box;
    recipe->chosen.visible = (size_t)-1;
    box.x = round(parts_left(recipe));
    box.h = recipe->pitch * (double)(recipe->count + 1);
    recipe->parts.cells = box;
    recipe->parts.visible = recipe->count * cols + (visible < cols ? visible : cols);
    recipe->chosen.reach = recipe->parts.reach = recipe->reach;
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

/* The share as a bar and as a number; the bar's frame is a share of 1. */
static void draw_share(const Recipe *recipe, const Line *line, double middle) {
    const Canvas *canvas = recipe->stage->canvas;
    const Theme *theme = canvas->theme;
    double height = round(fmin(recipe->pitch * 0.36, canvas_length(canvas, 16)));
    Box whole = {bar_left(recipe), round(middle - height / 2), recipe->bar, height};
    Box part = whole;
    part.w = whole.w * fmin(line->share, 1);
    if (line->row != PLAYER_NONE)
        canvas_link_cell(canvas, recipe->shares_node, recipe->row, line->row);
    canvas_fill(canvas, whole, 2, theme->panel);
    canvas_fill(canvas, part, 2, theme->sequential.stops[3]);
    double size = canvas_size(canvas, NUMBER_UNITS, "");
    canvas_text(canvas, FONT_BOLD, size, theme->ink,
                (Point){whole.x + whole.w + canvas_length(canvas, 12) + recipe->number,
                        middle + round(size * 0.36)},
                LABEL_RIGHT,
                view_number(recipe->stage, recipe->shares_node, line->share));
    canvas_unlink(canvas);
}

static void draw_label(const Recipe *recipe, const char *label, FontRole font,
                       Color color, double right, double room, double middle) {
    const Canvas *canvas = recipe->stage->canvas;
    LabelFit fit =
        canvas_fit(canvas, font, canvas_size(canvas, LABEL_UNITS, label), room, label);
    canvas_text(canvas, font, fit.size, color,
                (Point){right, middle + round(fit.size * 0.36)}, LABEL_RIGHT, fit.text);
}

static void draw_line(const Recipe *recipe, size_t index) {
    const Line *line = &recipe->lines[index];
    const Theme *theme = recipe->stage->canvas->theme;
    double middle = line_middle(recipe, index), left = values_left(recipe);
    draw_label(recipe, line_label(recipe, line), FONT_TEXT, theme->ink_soft,
               recipe->area.x + recipe->labels, recipe->labels, middle);
    draw_share(recipe, line, middle);
    if (line->row != PLAYER_NONE) {
        draw_sign(recipe, "\\times", left - recipe->sign, recipe->sign, middle);
        link_row(recipe, &recipe->chosen, index, recipe->values_node, line->row);
        draw_sign(recipe, "=", parts_left(recipe) - recipe->sign, recipe->sign * 0.6,
                  middle);
    }
    if (index > 0) /* between the lines, at the parts' left: they are added */
        draw_sign(recipe, "+", parts_left(recipe) - recipe->sign * 0.54,
                  recipe->sign * 0.4, middle - recipe->pitch / 2);
}

/* The rule, and below it the row of the result. */
static void draw_sum(const Recipe *recipe) {
    const Stage *stage = recipe->stage;
    const Canvas *canvas = stage->canvas;
    double left = parts_left(recipe), middle = line_middle(recipe, recipe->count);
    double rule = recipe->area.y + recipe->pitch * (double)recipe->count;
    double thick = fmax(canvas_length(canvas, 2), 2), more = recipe->sign * 0.4;
    canvas_fill(canvas, (Box){left - more, rule - thick, recipe->cells + more, thick}, 0,
                canvas->theme->ink);
    link_row(recipe, &recipe->parts, recipe->count, stage->node, recipe->row);
    draw_sign(recipe, "=", left - recipe->sign, recipe->sign * 0.6, middle);
    const char *label =
        token_text(canvas, view_label(canvas, recipe->out->row_labels, recipe->row));
    Box name = canvas_formula(canvas, stage_formula_name(stage, stage->node), 22,
                              (Point){left - recipe->sign, middle}, LABEL_RIGHT);
    double gap = canvas_length(canvas, 14);
    draw_label(recipe, label, FONT_BOLD, canvas->theme->ink, name.x - gap,
               fmax(name.x - gap - bar_left(recipe), 0), middle);
}

/* The focused column's parts, which add up to the focused cell. */
static void draw_focus(const Recipe *recipe) {
    const Stage *stage = recipe->stage;
    size_t col = stage->focus_col, count = recipe->count;
    if (!stage->has_focus)
        return;
    heatmap_outline(stage->canvas, &recipe->parts, 0, count, col, col + 1,
                    stage->canvas->theme->accent);
    heatmap_outline_cell(stage->canvas, &recipe->parts, count, col,
                         stage->canvas->theme->focus);
}

/* A tensor's name above its column; a tall one is told by its operation's name. */
static void draw_name(const Recipe *recipe, size_t node, double middle, double room) {
    const Stage *stage = recipe->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, node);
    double y = recipe->area.y - canvas_length(canvas, 20);
    Caption name =
        caption_fit(stage, stage_formula_name(stage, node), node, tensor, 22, room);
    if (name.below > canvas_length(canvas, 18))
        name = caption_fit(stage, stage_operation_words(stage, node), TAPE_NONE, tensor,
                           17, room);
    if (name.name[0])
        canvas_formula(canvas, name.name, name.units, (Point){middle, y}, LABEL_CENTER);
}

static void draw_captions(const Recipe *recipe) {
    double shares = bar_left(recipe) + recipe->bar / 2;
    double values = values_left(recipe) + recipe->cells / 2;
    double border = values_left(recipe) - recipe->sign / 2;
    draw_name(recipe, recipe->shares_node, shares, 2 * (border - shares));
    draw_name(recipe, recipe->values_node, values, 2 * (values - border));
}

void recipe_view(const Stage *stage, ViewPlace view_place) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    Recipe recipe = {.stage = stage,
                     .shares_node = node->inputs[0],
                     .values_node = node->inputs[1],
                     .shares = stage_tensor(stage, node->inputs[0]),
                     .values = stage_tensor(stage, node->inputs[1]),
                     .out = &node->output,
                     .row = view_row(stage)};
    recipe.reach = fmax(heatmap_reach(recipe.values), heatmap_reach(recipe.out));
    Box area = stage->area;
    Box head = box_take_top(&area, token_row_height(canvas));
    double taken = view_caption(stage, head, view_hue(stage, view_place));
    head.w -= taken + canvas_length(canvas, 24);
    token_row_draw(stage, head, recipe.row, stage->has_focus ? stage->focus_col : 0);
    box_take_top(&area, canvas_length(canvas, 44));
    box_take_bottom(&area, stage_legend_height(canvas));
    box_take_right(&area, canvas_length(canvas, 6)); /* for the outline of the focus */
    double most = floor(area.h / canvas_length(canvas, LEAST_LINE)) - 1;
    choose_lines(&recipe, (size_t)fmin(fmax(most, 2), LINES_MAX));
    if (!work_out(&recipe)) {
        canvas->scene->incomplete = true;
        return;
    }
    place_parts(&recipe, area);
    place_cells(&recipe);
    heatmap_same_digits(canvas, (Heatmap *const[]){&recipe.chosen, &recipe.parts}, 2);
    draw_captions(&recipe);
    heatmap_draw(canvas, &recipe.chosen);
    heatmap_draw(canvas, &recipe.parts);
    for (size_t i = 0; i < recipe.count; i++)
        draw_line(&recipe, i);
    draw_sum(&recipe);
    draw_focus(&recipe);
    StageScale legend = {HEATMAP_SIGNED, recipe.reach};
    stage_legends(stage, stage->area, &legend, 1);
}
