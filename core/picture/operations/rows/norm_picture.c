#include "base/maths.h"
#include "base/number.h"
#include "lesson/content/content.h"
#include "picture/charts/charts.h"
#include "picture/draw/lanes.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/operations/rows/row_pictures.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* Normalization of one row as dots on number lines below each other: the row; for layer
 * norm the row moved to mean 0; the row scaled to standard deviation 1, or root mean
 * square 1; and, if they are given, each number times its γ plus its β. Between the lines
 * are the operations. Beside them are all rows before and after, and γ and β. In brief:
 * the first line and the last. */

enum { TEETH = 40, LINES_MAX = 4, LEAST_COLUMNS_OF_SMALL_DOTS = 17, COLUMNS_MAX = 1024 };

static const double NAME_UNITS = 22, STATISTIC_UNITS = 18, NUMBER_UNITS = 17.5,
                    TICK_UNITS = 15;
static const double GUTTER = 168, SIDE_SHARE = 0.36, SIDE_GAP = 48, MARGIN = 30;
static const double LARGEST_LINE = 130, LEAST_LINE = 64;
static const double LARGEST_ROW = 52, LEAST_ROW = 9; /* the latter in points */
static const double LINE_AT = 0.66;                  /* fraction of the pitch */
static const double DOT = 9, SMALL_DOT = 5;
static const double TABLE_CELL = 38, TABLE_GAP = 6, HEAD = 44;
static const double TOOTH = 3, TEAR = 4; /* of a tear: its teeth, half its width */
/* Part of the way from a line whose name is a fraction to the next operation's text. */
static const double BELOW_FRACTION = 0.6;
static const double STEP_LANE = 7, STEP_ROOM = 26; /* an arrow from line to line */
/* Largest reach after scaling over that before it for one scale. */
static const double ALIKE = 4;
/* Largest reach before scaling over that after it for one scale. */
static const double SQUEEZED = 6;
static const double ROUNDING = 1e-6;       /* numbers this small are 0 */
static const double MARGIN_OF_REACH = 1.2; /* room for numbers at the ends */
static const int BAND_ALPHA = 30, THREAD_ALPHA = 150, THIN_THREAD_ALPHA = 60;
static const char CENTRED[] = "x - \\mu";
static const char NORMALISED[] = "\\frac{x - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}";
static const char SIZED[] = "\\frac{x}{\\op{RMS}\\left(x\\right)}";

typedef struct Norm {
    const Stage *stage;
    const TapeNode *node;
    const Tensor *x, *out;
    Tensor *moved, *normal; /* of all rows; not on the tape */
    size_t row, line_count;
    size_t wide, one;     /* the lines before and after scaling */
    bool centred;         /* layer norm; else RMS norm, which keeps the mean */
    size_t learned;       /* number of γ and β that are given */
    double mean, spread;  /* the row's μ, or 0, and √(σ² + ε) */
    double before, after; /* reaches of the lines' scales: up to x − μ, and after it */
    int decimals; /* with which the explained numbers can be computed on paper; 0: none */
    NumberLine lines[LINES_MAX];
} Norm;

/* ---- numbers ---- */

/* Returns the number subtracted from a row. */
static double mean_of(const Norm *norm, size_t row) {
    const Tensor *x = norm->x;
    return norm->centred ? kernel_mean(x->values + row * x->cols, x->cols) : 0;
}

static bool work_out(Norm *norm) {
    const Canvas *canvas = norm->stage->canvas;
    const Tensor *x = norm->x;
    norm->moved = canvas_tensor_like(canvas, x);
    norm->normal = canvas_tensor_like(canvas, x);
    if (!norm->moved || !norm->normal)
        return false;
    for (size_t i = 0; i < tensor_cells(x); i++)
        norm->moved->values[i] = x->values[i] - mean_of(norm, i / x->cols);
    double epsilon = norm->node->options.epsilon;
    kernel_norm(norm->normal->values, x->values, NULL, NULL, norm->centred, epsilon,
                x->rows, x->cols);
    const double *row = x->values + norm->row * x->cols;
    norm->mean = mean_of(norm, norm->row);
    norm->spread = sqrt(kernel_variance(row, norm->mean, x->cols) + epsilon);
    norm->after =
        MARGIN_OF_REACH * fmax(heatmap_reach(norm->normal), heatmap_reach(norm->out));
    if (norm->after < ROUNDING) /* rows of equal numbers */
        norm->after = 1;
    norm->before = MARGIN_OF_REACH * fmax(heatmap_reach(x), heatmap_reach(norm->moved));
    if (norm->before <= norm->after * SQUEEZED && norm->before * ALIKE >= norm->after)
        norm->before = norm->after = fmax(norm->before, norm->after);
    else /* by a round number, which leaves room for all dots */
        norm->after = norm->before * plot_step(norm->after / norm->before);
    return true;
}

/* ---- decimals ---- */

static double rounded(double value, int decimals) {
    double scale = pow(10, decimals);
    return round(value * scale) / scale;
}

static double learned_of(const Norm *norm, size_t index, size_t col) {
    return stage_tensor(norm->stage, norm->node->inputs[1 + index])->values[col];
}

/* Writes a number with the chosen decimals, or with three; with fewer if it has no more.
 */
static const char *number_of(const Norm *norm, double value, char told[NUMBER_SIZE]) {
    int most = norm->decimals ? norm->decimals : 3, decimals = 0;
    while (decimals < most && fabs(rounded(value, decimals) - value) > ROUNDING)
        decimals++;
    return number_format_shortest(told, value, decimals);
}

/* Reports whether each rounded number of a column is the rounded result of the rounded
 * ones before it; none has fewer than two digits that count. */
static bool adds_up(const Norm *norm, size_t col, int decimals) {
    double unit = pow(10, -decimals), near = unit / 2 + ROUNDING * unit;
    double x = rounded(tensor_at(norm->x, norm->row, col), decimals);
    double mean = rounded(norm->mean, decimals);
    double moved = rounded(tensor_at(norm->moved, norm->row, col), decimals);
    double normal = rounded(tensor_at(norm->normal, norm->row, col), decimals);
    double out = rounded(tensor_at(norm->out, norm->row, col), decimals);
    double result = normal;
    if (norm->learned)
        result *= rounded(learned_of(norm, 0, col), decimals);
    if (norm->learned > 1)
        result += rounded(learned_of(norm, 1, col), decimals);
    double least = fmin(fmin(fabs(x), fabs(moved)), fmin(fabs(normal), fabs(out)));
    return least > 10 * unit - near && fabs(x - mean - moved) < near &&
           fabs(moved / rounded(norm->spread, decimals) - normal) <= near &&
           fabs(result - out) <= near;
}

/* Chooses the decimals of the explained column's numbers: the table's own; fewer, which
 * are easier to read; more. */
static void choose_decimals(Norm *norm) {
    const Stage *stage = norm->stage;
    const int more[] = {0, -1, 1, 2};
    int own = heatmap_decimals(norm->out);
    for (size_t i = 0; stage->has_focus && own > 1 && i < 4 && !norm->decimals; i++) {
        if (adds_up(norm, stage->focus_col, own + more[i]))
            norm->decimals = own + more[i];
    }
}

/* ---- where things lie ---- */

static void place_lines(Norm *norm, Box area) {
    const Stage *stage = norm->stage;
    int own = heatmap_decimals(norm->out);
    size_t last = norm->line_count - 1;
    double pitch = area.h / (double)norm->line_count;
    double radius = norm->x->cols >= LEAST_COLUMNS_OF_SMALL_DOTS ? SMALL_DOT : DOT;
    for (size_t i = 0; i < norm->line_count; i++) {
        double reach = i <= norm->wide ? norm->before : norm->after;
        Box slot = {area.x, area.y + pitch * ((double)i + LINE_AT - 0.5), area.w, pitch};
        norm->lines[i] = view_line(stage, i == last ? stage->node : norm->node->inputs[0],
                                   norm->row, slot, -reach, reach, radius);
        if (i > 0 && i < last) {
            norm->lines[i].table.tensor = i == norm->one ? norm->normal : norm->moved;
            norm->lines[i].table.node = TAPE_NONE;
        }
        if (heatmap_decimals(norm->lines[i].table.tensor) >= own)
            norm->lines[i].decimals = norm->decimals;
    }
}

/* ---- the lines ---- */

/* Draws the standard deviation of the row, or its root mean square, as a band from its
 * line to the next, where it is 1. Equal numbers, for which only ε avoids a division by
 * 0, have none. */
static void draw_spread(const Norm *norm) {
    const NumberLine *from = &norm->lines[norm->wide], *to = &norm->lines[norm->one];
    double none = sqrt(norm->node->options.epsilon) * (1 + ROUNDING);
    if (!isfinite(norm->spread) || !(norm->spread > none))
        return;
    double above = from->y - from->radius * 1.6, below = to->y + to->radius * 1.6;
    double left = number_line_x(from, -norm->spread),
           right = number_line_x(from, norm->spread);
    double one_left = number_line_x(to, -1), one_right = number_line_x(to, 1);
    const Point band[] = {{left, above},      {right, above},     {right, from->y},
                          {one_right, to->y}, {one_right, below}, {one_left, below},
                          {one_left, to->y},  {left, from->y}};
    Color color = norm->stage->canvas->theme->other[0];
    color.a = (uint8_t)BAND_ALPHA;
    scene_polygon(norm->stage->canvas->scene, band, 8, color);
}

/* If the scale changes from one line to the next, tears everything between them and
 * prints the factor. */
static void draw_tear(const Norm *norm) {
    const NumberLine *from = &norm->lines[norm->wide], *to = &norm->lines[norm->one];
    const Canvas *canvas = norm->stage->canvas;
    if (from->most == to->most)
        return;
    Point teeth[2 * TEETH + 2];
    double pitch = (from->right - from->left) / TEETH, y = round((from->y + to->y) / 2);
    for (size_t i = 0; i <= TEETH; i++) {
        double x = from->left + pitch * (double)i, up = i % 2 ? TOOTH : -TOOTH;
        teeth[i] = (Point){x, y - TEAR + up};
        teeth[2 * TEETH + 1 - i] = (Point){x, y + TEAR + up};
    }
    scene_polygon(canvas->scene, teeth, 2 * TEETH + 2, canvas->theme->page);
    for (size_t i = 0; i < 2; i++)
        scene_path(canvas->scene, teeth + i * (TEETH + 1), TEETH + 1, 1.5,
                   canvas->theme->ink_faint);
    bool shrinks = from->most > to->most;
    char times[NUMBER_SIZE];
    number_format_short(times, shrinks ? from->most / to->most : to->most / from->most,
                        1);
    const char *words =
        canvas_words(canvas, "view.scale_changes", shrinks ? "÷" : "×", times, NULL);
    double size = canvas_size(canvas, TICK_UNITS, words);
    double width = canvas_text_width(canvas, FONT_TEXT, size, words) + 2 * TOOTH;
    canvas_fill(canvas, (Box){from->right - width, y - size * 0.7, width + 2, size * 1.4},
                2, canvas->theme->page);
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                (Point){from->right - TOOTH, label_baseline(y, size)}, LABEL_RIGHT,
                words);
}

/* Draws the way from the row's mean to 0. */
static void draw_mean(const Norm *norm) {
    const Canvas *canvas = norm->stage->canvas;
    const NumberLine *from = &norm->lines[0], *to = &norm->lines[1];
    if (!isfinite(norm->mean))
        return;
    double x = number_line_x(from, norm->mean), up = from->radius * 2.2;
    double zero = number_line_x(to, 0);
    const Point way[] = {
        {x, from->y - up}, {x, from->y}, {zero, to->y}, {zero, to->y + up}};
    scene_path(canvas->scene, way, 4, 3, canvas->theme->other[0]);
}

/* Draws marks at a standard deviation of 1. */
static void draw_ones(const Norm *norm) {
    const NumberLine *one = &norm->lines[norm->one];
    const Canvas *canvas = norm->stage->canvas;
    double size = canvas_size(canvas, TICK_UNITS, "");
    double apart = number_line_x(one, 1) - number_line_x(one, -1);
    if (one->most < 1 || norm->one + 1 == norm->line_count ||
        canvas_text_width(canvas, FONT_BOLD, size, "−1") > apart)
        return;
    for (int sign = -1; sign <= 1; sign += 2)
        canvas_text(
            canvas, FONT_BOLD, size, canvas->theme->other[0],
            (Point){number_line_x(one, sign), round(one->y + one->radius * 1.6 + size)},
            LABEL_CENTER, sign < 0 ? "−1" : "1");
}

static void draw_lines(const Norm *norm) {
    size_t cols = norm->x->cols;
    if (!norm->stage->brief)
        draw_spread(norm);
    if (norm->centred)
        draw_mean(norm);
    number_lines_draw_axes(norm->lines, norm->line_count,
                           cols >= LEAST_COLUMNS_OF_SMALL_DOTS ? THIN_THREAD_ALPHA
                                                               : THREAD_ALPHA);
    if (!norm->stage->brief)
        draw_tear(norm);
    draw_ones(norm);
    number_lines_draw(norm->lines, norm->line_count,
                      cols < 4 * LEAST_COLUMNS_OF_SMALL_DOTS ? NUMBER_UNITS : 0,
                      TICK_UNITS);
}

/* ---- what they are called ---- */

static double names_right(const Norm *norm) {
    return norm->lines[0].left - STEP_ROOM;
}

static void draw_name(const Norm *norm, const NumberLine *line, const char *name) {
    double room = GUTTER - STEP_ROOM;
    Caption caption =
        caption_fit(norm->stage, name, line->table.node, norm->x, NAME_UNITS, room);
    caption_draw_name(norm->stage, &caption, (Point){names_right(norm), line->y},
                      LABEL_RIGHT);
}

/* Draws an arrow from one line to the next with its operation beside it, in the colour of
 * the operand. */
static void draw_step(const Norm *norm, size_t index, const char *does) {
    Theme toned = *norm->stage->canvas->theme;
    toned.ink = toned.other[0];
    Canvas canvas = *norm->stage->canvas;
    canvas.theme = &toned;
    const NumberLine *from = &norm->lines[index], *to = from + 1;
    double x = from->left - round(STEP_ROOM / 2);
    double near = 14;
    lane_draw(&canvas,
              &(Lane){.color = toned.other[0],
                      .points = (Point[]){{x, from->y + near}, {x, to->y - near}},
                      .count = 2,
                      .thickness = STEP_LANE,
                      .leaves_upright = true,
                      .ends_upright = true,
                      .arrow = true});
    double share = index == norm->one && !norm->stage->brief ? BELOW_FRACTION : 0.5;
    double size = canvas_size(&canvas, STATISTIC_UNITS, "");
    canvas_formula_fit(&canvas, does, canvas_least(&canvas, ""), GUTTER - STEP_ROOM,
                       &size);
    canvas_formula(&canvas, does, size,
                   (Point){names_right(norm), round(from->y + (to->y - from->y) * share)},
                   LABEL_RIGHT);
}

/* Returns the name and value of a divisor or subtrahend; only exactly 0 is printed as
 * zero. */
static const char *statistic(const Norm *norm, const char *name, double value) {
    char told[NUMBER_SIZE];
    if (!isfinite(value))
        return name;
    bool near_zero = strcmp(number_of(norm, value, told), "≈0") == 0;
    return canvas_format(norm->stage->canvas, near_zero ? "%s %s" : "%s = %s", name,
                         told);
}

/* Returns the last operation: the explained column's γ and β, or, without one, their
 * names. */
static const char *learned_step(const Norm *norm) {
    const Stage *stage = norm->stage;
    const size_t *inputs = norm->node->inputs;
    const char *text = "";
    for (size_t i = 0; i < norm->learned; i++) {
        char number[NUMBER_SIZE];
        double value = norm->decimals ? learned_of(norm, i, stage->focus_col) : 0;
        const char *name = norm->decimals ? number_of(norm, value, number)
                                          : stage_formula_name(stage, inputs[1 + i]);
        const char *pattern = i == 0                        ? "%s%s %s"
                              : norm->decimals && value < 0 ? "%s %s%s"
                                                            : "%s + %s%s";
        const char *sign = i ? "" : norm->decimals ? "\\times" : "\\odot";
        text = canvas_format(stage->canvas, pattern, text, sign, name);
    }
    return text;
}

static void draw_names(const Norm *norm) {
    const Stage *stage = norm->stage;
    const Canvas *canvas = stage->canvas;
    const size_t *inputs = norm->node->inputs;
    draw_name(norm, &norm->lines[0], stage_formula_name(stage, inputs[0]));
    if (norm->centred) {
        draw_step(norm, 0, statistic(norm, "-\\mu", -norm->mean));
        draw_name(norm, &norm->lines[norm->wide], CENTRED);
    }
    if (stage->brief) {
        draw_step(norm, 0, "");
        draw_name(norm, &norm->lines[1], stage_formula_name(stage, stage->node));
        return;
    }
    const char *size = norm->centred ? "\\sqrt{\\sigma^2 + \\epsilon}" : "\\op{RMS}";
    draw_step(norm, norm->wide,
              canvas_format(canvas, "\\div %s", statistic(norm, size, norm->spread)));
    draw_name(norm, &norm->lines[norm->one], norm->centred ? NORMALISED : SIZED);
    if (!norm->learned)
        return;
    draw_step(norm, norm->one, learned_step(norm));
    draw_name(norm, &norm->lines[norm->line_count - 1],
              stage_formula_name(stage, stage->node));
}

/* ---- beside them ---- */

static bool is_alone(const Norm *norm) {
    return norm->x->rows == 1 && !norm->learned;
}

/* Draws γ and β as a table with a row for each. */
static void draw_learned(const Norm *norm, Box area) {
    const Stage *stage = norm->stage;
    const Canvas *canvas = stage->canvas;
    double label = 40;
    double reach = 0;
    for (size_t i = 1; i <= norm->learned; i++)
        reach = fmax(reach, heatmap_reach(stage_tensor(stage, norm->node->inputs[i])));
    Heatmap rows[2];
    for (size_t i = 0; i < norm->learned; i++) {
        size_t node = norm->node->inputs[i + 1];
        double y = area.y + (TABLE_CELL + TABLE_GAP) * (double)i;
        double w = fmin(area.w - label, TABLE_CELL * 2 * (double)norm->x->cols);
        rows[i] = stage_heatmap(stage, node,
                                (Box){area.x + label, round(y), w, TABLE_CELL}, reach);
        canvas_formula(canvas, stage_formula_name(stage, node), NAME_UNITS,
                       (Point){area.x + label - 12, round(y + TABLE_CELL / 2)},
                       LABEL_RIGHT);
        rows[i].number_size = canvas_size(canvas, NUMBER_UNITS, "");
    }
    heatmap_same_digits(canvas, (Heatmap *const[]){&rows[0], &rows[1]}, norm->learned);
    for (size_t i = 0; i < norm->learned; i++) {
        heatmap_draw(canvas, &rows[i]);
        if (stage->has_focus)
            heatmap_outline_cell(canvas, &rows[i], 0, stage->focus_col,
                                 canvas->theme->other[1 + i]);
    }
}

/* Draws all rows of a tensor as lines of dots in a box, or as a table if there are too
 * many. */
static void draw_rows(const Norm *norm, size_t node, Box box, double reach) {
    const Stage *stage = norm->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, node);
    size_t visible = node == stage->node ? stage->visible : SIZE_MAX;
    double pitch = box.h / (double)tensor->rows;
    if (pitch < LEAST_ROW) {
        Heatmap table = stage_heatmap(stage, node, box, reach);
        table.visible = visible;
        heatmap_draw(canvas, &table);
        return;
    }
    for (size_t i = 0; i < tensor->rows; i++) {
        double radius = fmin(SMALL_DOT, pitch / 4);
        Box slot = {box.x + radius, box.y + pitch * (double)i, box.w - 2 * radius, pitch};
        NumberLine line = view_line(stage, node, i, slot, -reach, reach, radius);
        line.table.has_focus = false; /* the row has a frame */
        number_line_draw_axis(&line);
        number_line_draw_dots(&line);
    }
}

/* Draws each row before and after, the chosen one framed. */
static void draw_all_rows(const Norm *norm, Box area) {
    const Stage *stage = norm->stage;
    const Canvas *canvas = stage->canvas;
    double rows = (double)norm->x->rows;
    Box head = box_take_top(&area, HEAD);
    double labels = fmin(heatmap_row_label_width(canvas, norm->x), area.w * 0.5);
    box_take_left(&area, labels);
    area.h = fmin(area.h, rows * LARGEST_ROW);
    double sign = 44, half = floor((area.w - sign) / 2);
    double middle = head.y + head.h / 2;
    Box in = {area.x, area.y, half, area.h};
    Box out = {area.x + half + sign, area.y, half, area.h};
    view_name(stage, norm->node->inputs[0], in.w, HEAD, (Point){in.x + in.w / 2, middle},
              LABEL_CENTER);
    view_name(stage, stage->node, out.w, HEAD, (Point){out.x + out.w / 2, middle},
              LABEL_CENTER);
    canvas_formula(canvas, "\\to", NAME_UNITS, (Point){area.x + half + sign / 2, middle},
                   LABEL_CENTER);
    draw_rows(norm, norm->node->inputs[0], in, norm->before);
    draw_rows(norm, stage->node, out, norm->after);
    Heatmap labelled = {.tensor = norm->x,
                        .node = TAPE_NONE,
                        .cells = area,
                        .row_labels = true,
                        .label_room = labels,
                        .has_focus = stage->has_focus,
                        .focus_row = norm->row};
    heatmap_draw_labels(canvas, &labelled);
    double pitch = area.h / rows;
    if (stage->has_focus)
        canvas_outline(canvas,
                       box_inset((Box){area.x, round(area.y + pitch * (double)norm->row),
                                       area.w, round(pitch)},
                                 -2),
                       5, canvas->theme->focus, 3);
}

/* Draws γ and β at the height between the last two lines, with a lane that leads there;
 * returns where they begin. */
static double draw_learned_there(const Norm *norm, Box area) {
    const Canvas *canvas = norm->stage->canvas;
    const NumberLine *from = &norm->lines[norm->one], *to = from + 1;
    double rows = (double)norm->learned, middle = round((from->y + to->y) / 2);
    double height = round(rows * (TABLE_CELL + TABLE_GAP) - TABLE_GAP);
    double lowest = norm->stage->area.y + norm->stage->area.h - height;
    area.y = round(fmin(middle - height / 2, lowest));
    area.h = height;
    lane_draw(canvas,
              &(Lane){.color = canvas->theme->other[0],
                      .points = (Point[]){{area.x - 4, middle}, {from->right, middle}},
                      .count = 2,
                      .thickness = STEP_LANE,
                      .arrow = true});
    draw_learned(norm, area);
    return area.y;
}

static void draw_side(const Norm *norm, Box area) {
    double end = area.y + area.h;
    if (norm->learned)
        end = draw_learned_there(norm, area) - 24;
    double rows = fmin(end - area.y - HEAD, (double)norm->x->rows * LARGEST_ROW);
    double spare = end - area.y - HEAD - rows;
    draw_all_rows(norm, (Box){area.x, area.y + round(spare * 0.4), area.w, HEAD + rows});
}

void norm_picture(const Stage *stage) {
    Norm norm = {.stage = stage, .node = stage_node(stage, stage->node)};
    norm.centred = norm.node->operation == OPERATION_LAYER_NORM;
    norm.learned = norm.node->input_count - 1;
    norm.wide = norm.centred ? 1 : 0;
    norm.one = norm.wide + 1;
    norm.line_count = norm.one + (norm.learned ? 2 : 1);
    norm.x = stage_tensor(stage, norm.node->inputs[0]);
    norm.out = stage_tensor(stage, stage->node);
    norm.row = stage->has_focus && stage->focus_row < norm.x->rows ? stage->focus_row : 0;
    Box area = stage->area;
    double most = LARGEST_LINE * (double)norm.line_count;
    if (area.h < LEAST_LINE * (double)norm.line_count || area.w < 3 * GUTTER ||
        norm.x->cols > COLUMNS_MAX) {
        plain_picture(stage);
        return;
    }
    if (!work_out(&norm))
        return;
    choose_decimals(&norm);
    if (stage->brief) {
        norm.decimals = 0;
        norm.centred = false;
        norm.learned = norm.wide = 0;
        norm.one = 1;
        norm.line_count = 2;
    }
    double spare = fmax(area.h - most, 0);
    area = (Box){area.x, area.y + round(spare * 0.3), area.w, area.h - spare};
    Box side = {0};
    if (!is_alone(&norm)) {
        side = box_take_right(&area, round(area.w * SIDE_SHARE));
        box_take_right(&area, SIDE_GAP);
    }
    box_take_left(&area, GUTTER);
    box_take_right(&area, MARGIN);
    place_lines(&norm, area);
    draw_lines(&norm);
    draw_names(&norm);
    if (!is_alone(&norm))
        draw_side(&norm, side);
}
