#include "picture/charts/charts.h"
#include "picture/draw/part_name.h"
#include "picture/draw/token.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/scene/scene.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"

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

static const double NUMBER_UNITS = 17.5, TICK_UNITS = 15, NAME_UNITS = 21,
                    SMALLEST_NAME = 14, LABEL = 18;
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

static double start_of(const Change *c, size_t cell) {
    return stage_tensor(c->stage, c->before)->values[cell];
}

static double end_of(const Change *c, size_t cell) {
    if (c->after != TAPE_NONE)
        return stage_tensor(c->stage, c->after)->values[cell];
    return start_of(c, cell) - stage_tensor(c->stage, c->by)->values[cell];
}

/* Sets the axis' ends; returns the longest arrow's fraction of the axis. */
static double choose_ends(Change *c) {
    double longest = 0;
    for (size_t i = 0; i < tensor_cells(c->shape); i++) {
        double start = start_of(c, i), end = end_of(c, i);
        c->least = fmin(c->least, fmin(start, end));
        c->most = fmax(c->most, fmax(start, end));
        longest = fmax(longest, fabs(end - start));
    }
    double range = c->most - c->least;
    double margin = range > 0 ? range * (MARGIN_OF_REACH - 1) : 1;
    c->least -= margin;
    c->most += margin;
    return longest / (c->most - c->least);
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
static Box row_box(const Change *c, size_t cell) {
    double y =
        c->axis.y + c->height * (double)cell + c->group * (double)(cell / c->shape->cols);
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

static void link_cell(const Change *c, size_t node, size_t cell) {
    canvas_link_cell(c->stage->canvas, node, cell / c->shape->cols,
                     cell % c->shape->cols);
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

static const char *value_text(const Change *c, size_t node, size_t cell) {
    const Canvas *canvas = c->stage->canvas;
    const Tensor *tensor = stage_tensor(c->stage, node);
    double value = tensor->values[cell] * (moves_against(c, node) ? -1 : 1);
    return canvas_format(canvas, "%s%s", node == c->by && value > 0 ? "+" : "",
                         canvas_number(canvas, value, heatmap_decimals(tensor)));
}

static double value_width(const Change *c, size_t node, size_t cell) {
    const Canvas *canvas = c->stage->canvas;
    return canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, NUMBER_UNITS, ""),
                             value_text(c, node, cell));
}

static void draw_value(const Change *c, size_t node, size_t cell, Point at,
                       LabelAlign align) {
    const Canvas *canvas = c->stage->canvas;
    bool strong = node == c->stage->node;
    double size = canvas_size(canvas, NUMBER_UNITS, ""),
           width = value_width(c, node, cell);
    double before = align == LABEL_RIGHT ? width : 0;
    Color ground = canvas->theme->page; /* covers what runs behind the digits */
    ground.a = (uint8_t)GROUND_ALPHA;
    canvas_fill(canvas, (Box){at.x - before, at.y - size / 2, width, size}, 3, ground);
    link_cell(c, node, cell);
    canvas_label_at(canvas, strong ? FONT_BOLD : FONT_TEXT, NUMBER_UNITS,
                    strong ? canvas->theme->ink : canvas->theme->ink_soft,
                    (Point){round(at.x), at.y}, align, value_text(c, node, cell));
    canvas_unlink(canvas);
}

/* Draws the numbers beside an arrow's ends, and a thin line from both to the ends of the
 * axis; a number that doesn't change is drawn once. */
static void draw_ends(const Change *c, const NumberLine *line, size_t cell,
                      bool arrives) {
    const Canvas *canvas = line->canvas;
    double start = start_of(c, cell), end = end_of(c, cell);
    double way = end < start ? -1 : 1, off = RING + 6, beyond = off + PAD;
    bool both = arrives && (start < end || end < start);
    Point from = {number_line_x(line, start) - way * off, line->y},
          to = {number_line_x(line, end) + way * off, line->y};
    double a = from.x - way * (value_width(c, c->before, cell) + beyond),
           b = both ? to.x + way * (value_width(c, c->after, cell) + beyond)
                    : to.x + way * beyond;
    double guides[][2] = {{line->left, fmin(a, b)}, {fmax(a, b), line->right}};
    for (int i = 0; i < 2; i++) {
        if (guides[i][0] < guides[i][1])
            scene_line(canvas->scene, (Point){guides[i][0], line->y},
                       (Point){guides[i][1], line->y}, 1, canvas->theme->line);
    }
    draw_value(c, c->before, cell, from, way > 0 ? LABEL_RIGHT : LABEL_LEFT);
    if (both)
        draw_value(c, c->after, cell, to, way > 0 ? LABEL_LEFT : LABEL_RIGHT);
}

/* Returns true if a cell is computed: of an update the arrow's end, else its length. */
static bool is_there(const Change *c, size_t node, size_t cell) {
    return node != c->stage->node || cell < c->stage->visible;
}

/* Draws a ring where an arrow begins, and a dot where it ends: inside the ring if nothing
 * changes. */
static void draw_dot(const Change *c, const NumberLine *line, size_t node, size_t cell,
                     bool ring) {
    const Canvas *canvas = line->canvas;
    double value = stage_tensor(c->stage, node)->values[cell];
    ColorScale scale = heatmap_scale(canvas, HEATMAP_SIGNED, fmax(c->most, -c->least));
    link_cell(c, node, cell);
    canvas_dot(canvas, (Point){round(number_line_x(line, value)), line->y},
               ring ? RING : DOT,
               ring ? canvas->theme->page : color_scale_at(&scale, value),
               canvas->theme->ink_soft, ring ? 2 : 1.5);
    canvas_unlink(canvas);
}

static void draw_label(const Change *c, const char *label, double right, double y,
                       double width, bool focus) {
    const Canvas *canvas = c->stage->canvas;
    const char *text = token_text(canvas, label);
    canvas_row_label(canvas, canvas_size(canvas, LABEL, text), fmax(width - GAP, 1),
                     focus, (Point){right - GAP, y}, text);
}

static void draw_row(const Change *c, size_t cell) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    size_t row = cell / c->shape->cols, col = cell % c->shape->cols;
    Box place = row_box(c, cell), ground = box_inset(place, 1);
    NumberLine line = line_of(c, round(place.y + place.h / 2));
    size_t own = c->after == TAPE_NONE ? c->by : stage->node;
    bool arrives = is_there(c, c->after, cell), known = is_there(c, c->by, cell);
    bool in_row = stage->has_focus && stage->focus_row == row,
         focus = in_row && stage->focus_col == col;
    link_cell(c, own, cell);
    canvas_target(canvas, ground);
    canvas_unlink(canvas);
    if (c->col_labels > 0)
        draw_label(c, view_label(canvas, c->shape->col_labels, col),
                   place.x + PAD + c->col_labels, line.y, c->col_labels, focus);
    if (c->row_labels > 0 && col == 0)
        draw_label(c, view_label(canvas, c->shape->row_labels, row), place.x + PAD,
                   line.y, c->row_labels, in_row);
    draw_dot(c, &line, c->before, cell, true);
    link_cell(c, c->by, cell);
    if (arrives && known)
        draw_arrow(canvas, line.y, number_line_x(&line, start_of(c, cell)),
                   number_line_x(&line, end_of(c, cell)));
    canvas_unlink(canvas);
    if (arrives && c->after != TAPE_NONE)
        draw_dot(c, &line, c->after, cell, false);
    if (known)
        draw_value(c, c->by, cell, (Point){place.x + place.w - PAD, line.y}, LABEL_RIGHT);
    draw_ends(c, &line, cell, arrives && c->after != TAPE_NONE);
    Heatmap printed = {.lesson = stage->player->lesson, .step = stage->step};
    if (stage->step->result == own && is_there(c, own, cell))
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

const char *step_formula_name(const Stage *stage, size_t node) {
    const Canvas *canvas = stage->canvas;
    size_t table = node;
    while (stage_node(stage, table)->operation == OPERATION_SLICE)
        table = stage_node(stage, table)->inputs[0];
    const char *step =
        part_step(canvas, stage->player->lesson, stage_node(stage, table)->name);
    const char *name = stage_formula_name(stage, node);
    return step ? canvas_format(canvas, "%s\\text{ · %s}", name, step) : name;
}

/* Draws a name after `x`; returns where it ends. */
static double draw_name(const Change *c, size_t node, const char *sign, double units,
                        double x, double y) {
    const Canvas *canvas = c->stage->canvas;
    const char *text =
        canvas_format(canvas, "%s%s", sign, step_formula_name(c->stage, node));
    Box box = canvas_formula(canvas, text, units, (Point){x, y}, LABEL_LEFT);
    return box.x + box.w;
}

/* Draws the key of rings, arrows and dots, "○ W →−G● W_1", from `x` on; returns where it
 * ends. */
static double draw_key_at(const Change *c, double units, double x, double y) {
    const Canvas *canvas = c->stage->canvas;
    const Theme *theme = canvas->theme;
    double ring = RING, gap = 10;
    canvas_dot(canvas, (Point){x + ring, y}, ring, theme->page, theme->ink_soft, 2);
    x = draw_name(c, c->before, "", units, x + 2 * ring + gap, y) + 3 * gap;
    double to = x + 44;
    draw_arrow(canvas, y, x, to);
    x = draw_name(c, c->by, moves_against(c, c->by) ? "-" : "", units, to + gap, y) +
        3 * gap;
    if (c->after == TAPE_NONE)
        return x;
    canvas_dot(canvas, (Point){x + DOT, y}, DOT, theme->page, theme->ink_soft, 1.5);
    return draw_name(c, c->after, "", units, x + 2 * DOT + gap, y);
}

/* Draws the key below the axis; one that is too long begins further left, and is set
 * smaller. */
static void draw_key(const Change *c, Box strip) {
    Scene *scene = c->stage->canvas->scene;
    size_t first = scene->count;
    double y = strip.y + strip.h / 2, units = NAME_UNITS, end;
    while ((end = draw_key_at(c, units, strip.x, y)) > strip.x + strip.w &&
           units > SMALLEST_NAME) {
        scene->count = first;
        units--;
    }
    double right = fmin(c->axis.x - strip.x, strip.x + strip.w - end);
    if (right > 0)
        scene_scale(scene, first, 1, (Point){right, 0});
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
    /* Of short arrows tables show more: no difference, or how small it is. */
    if (!(choose_ends(c) * c->axis.w >= LEAST_SEEN))
        return false;
    draw_former(c);
    draw_axis(c);
    for (size_t i = 0; i < tensor_cells(c->shape); i++)
        draw_row(c, i);
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
