#include "picture/charts/number_line.h"
#include "picture/draw/part_name.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/scene/scene_scale.h"
#include "picture/stage/caption.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* The difference of two tables of one shape: a line for each element, all on one axis,
 * with an arrow as long as the difference. For an update the arrow leads from the old
 * weight to the new one, against the gradient; else from the subtrahend to the minuend.
 * If an earlier step had the same numbers on a much shorter axis, that range is drawn
 * behind as a band. */

static const double NUMBER_UNITS = 17.5, TICK_UNITS = 15, NAME_UNITS = 21, LABEL = 18;
static const double LEAST_ROW = 27, TALLEST_ROW = 56, GROUP_GAP = 12, LEAST_LINE = 260;
static const double GAP = 18, PAD = 10, TICKS = 38, KEY = 46, DOT = 7, RING = 10,
                    RANGE_HEAD = 26;
static const double ARROW = 4, ARROW_HEAD = 12, LEAST_SEEN = 8;
/* Fraction of the area's width. */
static const double MARGIN_OF_REACH = 1.06, LABELS_SHARE = 0.2;
static const int BAND_SHARE = 26, GROUND_ALPHA = 190;
static const double MUCH_SHORTER = 0.6; /* of the axis: a range that is drawn as a band */

typedef struct Change {
    const Stage *stage;
    size_t before, after; /* nodes at the arrows' beginnings and ends; `after` is
                             TAPE_NONE if only the gradient defines the end */
    size_t by;            /* node of the arrows: a difference, or the subtrahend */
    const Tensor *shape;  /* tensor with the labels */
    double least, most;   /* numbers at the axis' ends */
    double row_labels, col_labels, numbers; /* widths in points */
    /* Height of an element's line; gap between two rows of the table. */
    double height, group;
    Box axis;
} Change;

/* ---- what changes ---- */

static bool is_gradient(const Stage *stage, size_t node) {
    return stage_node(stage, node)->gradient_of != TAPE_NONE;
}

/* Returns true if a node is a step along a gradient: "30 · G", or G itself. */
static bool is_step_along_gradient(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    if (at->operation != OPERATION_MULTIPLY)
        return is_gradient(stage, node);
    return (stage_node(stage, at->inputs[0])->quiet &&
            is_gradient(stage, at->inputs[1])) ||
           (stage_node(stage, at->inputs[1])->quiet && is_gradient(stage, at->inputs[0]));
}

static bool find_subtraction(Change *c) {
    const Stage *stage = c->stage;
    const TapeNode *node = stage_node(stage, stage->node);
    if (node->operation != OPERATION_SUBTRACT || node->muted)
        return false;
    c->shape = &node->output;
    bool update = is_step_along_gradient(stage, node->inputs[1]);
    c->before = node->inputs[update ? 0 : 1];
    c->after = update ? stage->node : node->inputs[0];
    c->by = update ? node->inputs[1] : stage->node;
    return tensor_same_shape(stage_tensor(stage, c->before), c->shape) &&
           tensor_same_shape(stage_tensor(stage, c->after), c->shape) &&
           tensor_same_shape(stage_tensor(stage, c->by), c->shape);
}

static bool find_difference(Change *c) {
    return stage_only_picks(c->stage) && find_subtraction(c);
}

/* Finds a step that shows a table and its gradient side by side. */
static bool find_pull(Change *c) {
    const LessonStep *step = c->stage->step;
    if (step->shown_count != 2 ||
        stage_node(c->stage, step->shown[1])->gradient_of != step->shown[0])
        return false;
    c->before = step->shown[0];
    c->by = step->shown[1];
    c->after = TAPE_NONE;
    c->shape = stage_tensor(c->stage, c->before);
    return tensor_same_shape(stage_tensor(c->stage, c->by), c->shape);
}

/* ---- where things lie ---- */

static double start_of(const Change *c, size_t row, size_t col) {
    return tensor_at(stage_tensor(c->stage, c->before), row, col);
}

static double end_of(const Change *c, size_t row, size_t col) {
    if (c->after != TAPE_NONE)
        return tensor_at(stage_tensor(c->stage, c->after), row, col);
    return start_of(c, row, col) - tensor_at(stage_tensor(c->stage, c->by), row, col);
}

static void choose_ends(Change *c) {
    for (size_t i = 0; i < tensor_cells(c->shape); i++) {
        double ends[] = {start_of(c, i / c->shape->cols, i % c->shape->cols),
                         end_of(c, i / c->shape->cols, i % c->shape->cols)};
        for (int j = 0; j < 2; j++) {
            c->least = fmin(c->least, ends[j]);
            c->most = fmax(c->most, ends[j]);
        }
    }
    double range = c->most - c->least;
    double margin = range > 0 ? range * (MARGIN_OF_REACH - 1) : 1;
    c->least -= margin;
    c->most += margin;
}

/* Returns true if an arrow is long enough to be visible. Otherwise tables show more: that
 * there is no difference, or how small it is. */
static bool can_be_seen(const Change *c) {
    double longest = 0;
    for (size_t i = 0; i < tensor_cells(c->shape); i++) {
        size_t row = i / c->shape->cols, col = i % c->shape->cols;
        longest = fmax(longest, fabs(end_of(c, row, col) - start_of(c, row, col)));
    }
    return longest / (c->most - c->least) * c->axis.w >= LEAST_SEEN;
}

static double widest_label(const Change *c, const char *const *labels, size_t count) {
    const Canvas *canvas = c->stage->canvas;
    double widest = 0;
    for (size_t i = 0; i < count; i++) {
        const char *label = token_text(canvas, view_label(canvas, labels, i));
        widest =
            fmax(widest, canvas_text_width(canvas, FONT_BOLD,
                                           canvas_size(canvas, LABEL, label), label));
    }
    double most = c->stage->area.w * LABELS_SHARE;
    return count > 1 || labels ? ceil(fmin(widest, most)) + GAP : 0;
}

static bool place(Change *c, Box area) {
    const Canvas *canvas = c->stage->canvas;
    size_t rows = c->shape->rows, cols = c->shape->cols;
    box_take_bottom(&area, KEY);
    c->row_labels = widest_label(c, c->shape->row_labels, rows);
    c->col_labels = widest_label(c, c->shape->col_labels, cols);
    c->numbers = canvas_text_width(canvas, FONT_BOLD,
                                   canvas_size(canvas, NUMBER_UNITS, ""), "−00.000") +
                 GAP;
    box_take_left(&area, c->row_labels + c->col_labels);
    box_take_right(&area, c->numbers + PAD);
    c->group = cols > 1 ? GROUP_GAP : 0;
    double gaps = c->group * (double)(rows - 1);
    double room = (area.h - RANGE_HEAD - TICKS - gaps) / (double)(rows * cols);
    c->height = floor(fmin(room, TALLEST_ROW));
    double tall = c->height * (double)(rows * cols) + gaps;
    c->axis = (Box){area.x + c->numbers,
                    round(area.y + RANGE_HEAD + (area.h - RANGE_HEAD - TICKS - tall) / 2),
                    area.w - 2 * c->numbers, tall};
    return c->height >= LEAST_ROW && c->axis.w >= LEAST_LINE;
}

/* Returns the box of an element's line, from its label to the number at its end. */
static Box row_box(const Change *c, size_t row, size_t col) {
    double y = c->axis.y + c->height * (double)(row * c->shape->cols + col) +
               c->group * (double)row;
    double left = c->axis.x - c->numbers - c->col_labels - PAD;
    return (Box){left, y, c->axis.x + c->axis.w + 2 * c->numbers + PAD - left, c->height};
}

static NumberLine line_of(const Change *c, double y) {
    return (NumberLine){.canvas = c->stage->canvas,
                        .left = c->axis.x,
                        .right = c->axis.x + c->axis.w,
                        .y = y,
                        .least = c->least,
                        .most = c->most,
                        .radius = DOT};
}

/* ---- drawing ---- */

static Color number_color(const Change *c, double value) {
    const Theme *theme = c->stage->canvas->theme;
    double reach = fmax(c->most, -c->least);
    ColorScale scale = {&theme->diverging, -reach, reach, theme->masked};
    return color_scale_at(&scale, value);
}

static void draw_arrow(const Canvas *canvas, double y, double from, double to) {
    canvas_arrow(canvas, (Point){from, y}, (Point){to, y}, ARROW, ARROW_HEAD,
                 canvas->theme->other[0]);
}

/* Returns true if numbers of this node are printed with the opposite sign, because the
 * arrow moves against them. */
static bool moves_against(const Change *c, size_t node) {
    return node == c->by && (c->by != c->stage->node || c->after == TAPE_NONE);
}

static const char *value_text(const Change *c, size_t node, size_t row, size_t col) {
    const Tensor *tensor = stage_tensor(c->stage, node);
    double value = tensor_at(tensor, row, col);
    char text[NUMBER_SIZE];
    if (moves_against(c, node))
        value = -value;
    number_format_shortest(text, value, heatmap_decimals(tensor));
    return canvas_format(c->stage->canvas, "%s%s", node == c->by && value > 0 ? "+" : "",
                         text);
}

static double value_width(const Change *c, size_t node, size_t row, size_t col) {
    const Canvas *canvas = c->stage->canvas;
    return canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, NUMBER_UNITS, ""),
                             value_text(c, node, row, col));
}

static void draw_value(const Change *c, size_t node, size_t row, size_t col, Point at,
                       LabelAlign align) {
    const Canvas *canvas = c->stage->canvas;
    bool strong = node == c->stage->node;
    double size = canvas_size(canvas, NUMBER_UNITS, ""),
           width = value_width(c, node, row, col);
    double before = align == LABEL_RIGHT ? width : 0;
    Color ground = canvas->theme->page; /* covers what runs behind the digits */
    ground.a = (uint8_t)GROUND_ALPHA;
    canvas_fill(canvas, (Box){at.x - before, at.y - size / 2, width, size}, 3, ground);
    canvas_link_cell(canvas, node, row, col);
    canvas_text(canvas, strong ? FONT_BOLD : FONT_TEXT, size,
                strong ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){round(at.x), label_baseline(at.y, size)}, align,
                value_text(c, node, row, col));
    canvas_unlink(canvas);
}

/* Draws a thin line from the labels to `from`, and from `to` to the axis' end. */
static void draw_guide(const Change *c, const NumberLine *line, double from, double to) {
    Color color = c->stage->canvas->theme->line;
    if (from > line->left)
        scene_line(line->canvas->scene, (Point){line->left, line->y},
                   (Point){from, line->y}, 1, color);
    if (to < line->right)
        scene_line(line->canvas->scene, (Point){to, line->y},
                   (Point){line->right, line->y}, 1, color);
}

/* Draws the numbers beside an arrow's ends; a number that doesn't change is drawn
 * once. */
static void draw_ends(const Change *c, const NumberLine *line, size_t row, size_t col,
                      bool arrives) {
    double start = start_of(c, row, col), end = end_of(c, row, col);
    double way = end < start ? -1 : 1, off = RING + 6, beyond = off + PAD;
    bool both = arrives && (start < end || end < start);
    Point from = {number_line_x(line, start) - way * off, line->y},
          to = {number_line_x(line, end) + way * off, line->y};
    double a = from.x - way * (value_width(c, c->before, row, col) + beyond),
           b = both ? to.x + way * (value_width(c, c->after, row, col) + beyond)
                    : to.x + way * beyond;
    draw_guide(c, line, fmin(a, b), fmax(a, b));
    draw_value(c, c->before, row, col, from, way > 0 ? LABEL_RIGHT : LABEL_LEFT);
    if (both)
        draw_value(c, c->after, row, col, to, way > 0 ? LABEL_LEFT : LABEL_RIGHT);
}

/* Returns true if a cell is computed: of an update the arrow's end, else its length. */
static bool is_there(const Change *c, size_t node, size_t row, size_t col) {
    return node != c->stage->node || row * c->shape->cols + col < c->stage->visible;
}

/* Draws a ring where an arrow begins, and a dot where it ends: inside the ring if nothing
 * changes. */
static void draw_dot(const Change *c, const NumberLine *line, size_t node, size_t row,
                     size_t col, bool ring) {
    const Canvas *canvas = line->canvas;
    const Theme *theme = canvas->theme;
    double value = tensor_at(stage_tensor(c->stage, node), row, col);
    Point at = {round(number_line_x(line, value)), line->y};
    canvas_link_cell(canvas, node, row, col);
    if (ring)
        canvas_dot(canvas, at, RING, theme->page, theme->ink_soft, 2);
    else
        canvas_dot(canvas, at, DOT, number_color(c, value), theme->ink_soft, 1.5);
    canvas_unlink(canvas);
}

static void draw_label(const Change *c, const char *label, double right, double y,
                       double width, bool focus) {
    const Canvas *canvas = c->stage->canvas;
    const char *text = token_text(canvas, label);
    canvas_row_label(canvas, canvas_size(canvas, LABEL, text), fmax(width - GAP, 1),
                     focus, (Point){right - GAP, y}, text);
}

static void draw_labels(const Change *c, size_t row, size_t col, Box place, bool focus) {
    const Canvas *canvas = c->stage->canvas;
    double y = place.y + place.h / 2;
    if (c->col_labels > 0)
        draw_label(c, view_label(canvas, c->shape->col_labels, col),
                   place.x + PAD + c->col_labels, y, c->col_labels, focus);
    if (c->row_labels > 0 && col == 0)
        draw_label(c, view_label(canvas, c->shape->row_labels, row), place.x + PAD, y,
                   c->row_labels, c->stage->has_focus && c->stage->focus_row == row);
}

static void draw_row(const Change *c, size_t row, size_t col) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    Box place = row_box(c, row, col), ground = box_inset(place, 1);
    NumberLine line = line_of(c, round(place.y + place.h / 2));
    size_t own = c->after == TAPE_NONE ? c->by : stage->node;
    bool arrives = is_there(c, c->after, row, col), known = is_there(c, c->by, row, col);
    bool focus = stage->has_focus && stage->focus_row == row && stage->focus_col == col;
    canvas_link_cell(canvas, own, row, col);
    canvas_target(canvas, ground);
    canvas_unlink(canvas);
    draw_labels(c, row, col, place, focus);
    draw_dot(c, &line, c->before, row, col, true);
    if (arrives && known) {
        canvas_link_cell(canvas, c->by, row, col);
        draw_arrow(canvas, line.y, number_line_x(&line, start_of(c, row, col)),
                   number_line_x(&line, end_of(c, row, col)));
        canvas_unlink(canvas);
    }
    if (arrives && c->after != TAPE_NONE)
        draw_dot(c, &line, c->after, row, col, false);
    if (known)
        draw_value(c, c->by, row, col, (Point){place.x + place.w - PAD, line.y},
                   LABEL_RIGHT);
    draw_ends(c, &line, row, col, arrives && c->after != TAPE_NONE);
    Heatmap printed = {.lesson = stage->player->lesson, .step = stage->step};
    if (stage->step->result == own && is_there(c, own, row, col))
        heatmap_mark_differing(canvas, &printed, row, col, ground);
    if (focus)
        canvas_outline(canvas, ground, 4, canvas->theme->focus, 2);
}

/* Draws the common axis: a line at 0, and the numbers below. */
static void draw_axis(const Change *c) {
    const Canvas *canvas = c->stage->canvas;
    NumberLine line = line_of(c, c->axis.y + c->axis.h + 4);
    double zero = round(number_line_x(&line, 0));
    if (c->least <= 0 && c->most >= 0)
        scene_line(canvas->scene, (Point){zero, c->axis.y}, (Point){zero, line.y}, 2,
                   canvas->theme->line);
    scene_line(canvas->scene, (Point){line.left, line.y}, (Point){line.right, line.y}, 2,
               canvas->theme->line);
    number_line_draw_ticks(&line, TICK_UNITS);
}

/* Returns the name of a slice's source. */
static const char *picked_name(const Stage *stage, size_t node) {
    while (stage_node(stage, node)->operation == OPERATION_SLICE)
        node = stage_node(stage, node)->inputs[0];
    return stage_node(stage, node)->name;
}

/* Draws a name after `x`, with its step number if there are several; returns where it
 * ends. */
static double draw_name(const Change *c, size_t node, const char *sign, double x,
                        double y) {
    const Canvas *canvas = c->stage->canvas;
    const char *turn =
        part_step(canvas, c->stage->player->lesson, picked_name(c->stage, node));
    const char *name = stage_formula_name(c->stage, node);
    const char *text = turn ? canvas_format(canvas, "%s%s\\text{ · %s}", sign, name, turn)
                            : canvas_format(canvas, "%s%s", sign, name);
    Box box = canvas_formula(canvas, text, NAME_UNITS, (Point){x, y}, LABEL_LEFT);
    return box.x + box.w;
}

/* Draws the key of rings, arrows and dots, "○ W →−G● W_1", below the axis, or further
 * left if it is too long. */
static void draw_key(const Change *c, Box strip) {
    const Canvas *canvas = c->stage->canvas;
    const Theme *theme = canvas->theme;
    size_t first = canvas->scene->count;
    double y = strip.y + strip.h / 2, gap = 10;
    double ring = RING;
    double x = c->axis.x + ring;
    canvas_dot(canvas, (Point){x, y}, ring, theme->page, theme->ink_soft, 2);
    x = draw_name(c, c->before, "", x + ring + gap, y) + 3 * gap;
    double to = x + 44;
    draw_arrow(canvas, y, x, to);
    x = draw_name(c, c->by, moves_against(c, c->by) ? "-" : "", to + gap, y) + 3 * gap;
    if (c->after != TAPE_NONE) {
        canvas_dot(canvas, (Point){x + DOT, y}, DOT, theme->page, theme->ink_soft, 1.5);
        x = draw_name(c, c->after, "", x + 2 * DOT + gap, y);
    }
    double over = fmin(x - (strip.x + strip.w), c->axis.x - strip.x);
    if (over > 0)
        scene_scale(canvas->scene, first, 1, (Point){-over, 0});
}

/* Draws the axis' range in the last earlier step that changed the same table. */
static void draw_former(const Change *c) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    const Lesson *lesson = stage->player->lesson;
    for (size_t i = player_statement(stage->player); i-- > 0;) {
        Stage other = *stage;
        other.node = lesson->steps[i].result;
        Change former = {.stage = &other};
        if (lesson->steps[i].shown_count || other.node == TAPE_NONE ||
            !find_subtraction(&former) || former.before != c->before)
            continue;
        choose_ends(&former);
        if (former.most - former.least > (c->most - c->least) * MUCH_SHORTER)
            return;
        NumberLine line = line_of(c, 0);
        double left = round(number_line_x(&line, former.least)),
               right = round(number_line_x(&line, former.most));
        Color band = canvas->theme->ink;
        band.a = BAND_SHARE;
        canvas_fill(canvas, (Box){left, c->axis.y, right - left, c->axis.h}, 0, band);
        canvas_formula(canvas, stage_formula_name(&other, other.node), LABEL,
                       (Point){(left + right) / 2, c->axis.y - RANGE_HEAD / 2},
                       LABEL_CENTER);
        return;
    }
}

static bool draw(Change *c) {
    const Stage *stage = c->stage;
    /* The ends of the lines would give the answer away. */
    if (stage->values || stage->is_question ||
        tensor_has(stage_tensor(stage, c->before), tensor_is_masking) ||
        tensor_has(stage_tensor(stage, c->by), tensor_is_masking) ||
        !place(c, stage->area))
        return false;
    choose_ends(c);
    if (!can_be_seen(c))
        return false;
    draw_former(c);
    draw_axis(c);
    for (size_t i = 0; i < tensor_cells(c->shape); i++)
        draw_row(c, i / c->shape->cols, i % c->shape->cols);
    Box area = stage->area;
    draw_key(c, box_take_bottom(&area, KEY));
    return true;
}

bool change_picture(const Stage *stage) {
    Change c = {.stage = stage};
    return find_difference(&c) && draw(&c);
}

bool pull_picture(const Stage *stage) {
    Change c = {.stage = stage};
    return find_pull(&c) && draw(&c);
}
