#include "base/maths.h"
#include "base/number.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/draw/lanes.h"
#include "picture/draw/patterns.h"
#include "picture/draw/token.h"
#include "picture/formula/formula.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* Lengths in units: a column's cells, and a unit's curve; a row of another token, its
 * strip, and the gap above them. */
static const double CELL = 66, HINGE = 84, OTHER_ROW = 26, OTHER_STRIP = 150,
                    OTHERS_GAP = 26;
enum { OTHERS_MOST = 4 };

/* Lengths in units. */
static const double HEADING = 36, TALLEST = 48, SHORTEST = 7, UNIT_GAP = 14;
static const double LARGE_HINGE = 220, TALL_HINGE = 62; /* if nothing else is there */
static const double GATED_HINGE = 56;                   /* with much else beside it */
static const double JOIN = 170; /* from gates and signals to their products */
static const double DIGITS = 17.5, WORDS_WIDE = 130, SIDE = 330;
enum { DECIMALS_MOST = 2 };
static const double NAME = 19, LABEL = 15, WORD = 19; /* units */
static const double STROKE = 30;             /* units: length of the legend's line */
static const double NAME_GAP = 6, HEAD = 24; /* units */
static const double BELOW = 1.4;             /* lines of the name's font size */
static const double PRODUCT = 11, PRODUCT_GAP = 14; /* units: the product of a gate */
static const double WIDEST_LINE = 6; /* units: width of the strongest line */
/* Fractions of the strongest line. */
static const double LEAST_LINE = 0.04, FAINT_LINE = 0.3;
static const double NARROWEST = 4; /* units: width of a cell */
enum { MANY_LINES = 72, LINES_OF_MANY = 36 };

/* Columns, named after their fields of Network. */
typedef enum Part {
    IN,    /* x */
    SUMS,  /* z */
    UNITS, /* a */
    UP,
    GATED,
    OUT, /* y */
    COLUMNS
} Part;

/* A column of the chosen token's numbers, one below the other; if there are very many,
 * several in a line. */
typedef struct Column {
    size_t node; /* node of the numbers; TAPE_NONE: there is none */
    double x, w; /* left end and width of the cells */
    double top, pitch;
    size_t count, across;
} Column;

typedef struct Layout {
    const Stage *stage;
    const Network *network;
    size_t row;
    double reach, digits;
    double widest; /* product of the widest line */
    int decimals;
    Box area, others;
    double words; /* width of the words at the left, with their gap */
    Column columns[COLUMNS];
    Box hinges; /* area of the curves; without width: there are none */
} Layout;

/* ---- layout ---- */

static const Tensor *tensor_of(const Layout *picture, size_t node) {
    return stage_tensor(picture->stage, node);
}

/* Returns the node of a column; TAPE_NONE: there is none. */
static size_t node_of(const Network *network, Part part) {
    const size_t nodes[] = {network->x,  network->z,     network->a,
                            network->up, network->gated, network->y};
    return nodes[part];
}

static void place_column(Layout *picture, Part part, Box area, double x) {
    size_t node = node_of(picture->network, part);
    Column *column = &picture->columns[part];
    *column = (Column){.node = node, .x = round(x), .w = CELL};
    if (node == TAPE_NONE)
        return;
    double most = fmax(floor(area.h / SHORTEST), 1);
    column->count = tensor_of(picture, node)->cols;
    column->across = (size_t)ceil((double)column->count / most);
    double lines = ceil((double)column->count / (double)column->across);
    bool alone = picture->network->x == TAPE_NONE && picture->network->y == TAPE_NONE;
    column->pitch = fmin(area.h / lines, alone ? TALL_HINGE : TALLEST);
    column->top = area.y + (area.h - column->pitch * lines) / 2;
}

static void place(Layout *picture) {
    const Network *network = picture->network;
    double cell = CELL;
    bool bends = network->z != TAPE_NONE && network->a != TAPE_NONE &&
                 (network->x != TAPE_NONE || network->y == TAPE_NONE);
    bool alone = network->x == TAPE_NONE, gated = network->gated != TAPE_NONE;
    double hinge = alone ? LARGE_HINGE : gated ? GATED_HINGE : HINGE;
    hinge = bends ? hinge + 2 * UNIT_GAP : 0;
    double units = bends ? 2 * cell + hinge : cell,
           room = picture->area.w - picture->words,
           strip = picture->others.h > 0 ? OTHER_STRIP : 2 * UNIT_GAP,
           product = gated ? cell : 0, free = room - strip - 2 * cell - units - product,
           join = gated ? fmin(JOIN, free / 3) : 0, hidden = units + join + product;
    double middle = room / 2;
    double side = fmin(SIDE, (room - hidden - strip) / 2 - cell);
    if (network->x == TAPE_NONE || network->y == TAPE_NONE)
        middle += (network->y == TAPE_NONE ? 0.5 : -0.5) * (side + cell) *
                  (network->x != network->y);
    double left = picture->area.x + picture->words + middle - hidden / 2;
    Box area = picture->area, upper = area;
    Box lower = gated ? box_take_bottom(&upper, (area.h - HEADING) / 2) : area;
    box_take_bottom(&upper, gated ? HEADING : 0);
    place_column(picture, IN, area, left - side - cell);
    place_column(picture, SUMS, upper, left);
    if (!bends && network->a != TAPE_NONE)
        picture->columns[SUMS].node = TAPE_NONE;
    place_column(picture, UNITS, upper, left + units - cell);
    place_column(picture, UP, lower, left);
    place_column(picture, GATED, area, left + hidden - cell);
    place_column(picture, OUT, area, left + hidden + side);
    picture->hinges =
        (Box){left + cell + UNIT_GAP, 0, bends ? hinge - 2 * UNIT_GAP : 0, 0};
}

/* Returns the row of the token whose numbers are drawn: the one pointed at, else the
 * focused one. */
static size_t chosen_row(const Stage *stage, const Network *network) {
    Link at = stage->canvas->pointed;
    for (Part i = 0; at.kind == LINK_CELL && i < COLUMNS; i++) {
        if (node_of(network, i) == at.index && stage->visible == (size_t)-1 &&
            at.row < stage_tensor(stage, stage->node)->rows)
            return at.row;
    }
    return view_row(stage);
}

static void measure(Layout *picture) {
    const Tensor *of_node = tensor_of(picture, picture->stage->node);
    picture->reach = 0;
    for (Part i = 0; i < COLUMNS; i++) {
        size_t node = node_of(picture->network, i);
        if (node == TAPE_NONE)
            continue;
        const Tensor *tensor = tensor_of(picture, node);
        int decimals = heatmap_decimals(tensor);
        picture->reach = fmax(picture->reach, heatmap_reach(tensor));
        picture->decimals = decimals > picture->decimals ? decimals : picture->decimals;
    }
    if (picture->decimals > DECIMALS_MOST || picture->reach >= 100)
        picture->decimals = picture->reach >= 100 ? 0 : DECIMALS_MOST;
    picture->digits = canvas_size(picture->stage->canvas, DIGITS, "");
    picture->words =
        fmin(heatmap_row_label_width(picture->stage->canvas, of_node), WORDS_WIDE);
    bool crowded =
        picture->stage->canvas->enlarged > 1 && picture->network->gated != TAPE_NONE;
    size_t others = crowded ? 0 : of_node->rows - 1;
    double rows = (double)(others < OTHERS_MOST ? others : OTHERS_MOST);
    Box area = picture->stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    if (others)
        picture->others = box_take_bottom(&area, rows * OTHER_ROW);
    box_take_bottom(&area, others ? OTHERS_GAP : 0);
    box_take_top(&area, HEADING);
    picture->area = area;
}

static Layout layout_of(const Stage *stage, const Network *network) {
    Layout picture = {.stage = stage, .network = network};
    picture.row = chosen_row(stage, network);
    measure(&picture);
    place(&picture);
    return picture;
}

/* ---- numbers and cells ---- */

static double value_of(const Layout *picture, const Column *column, size_t index) {
    return tensor_at(tensor_of(picture, column->node), picture->row, index);
}

static bool is_shown(const Layout *picture, size_t node, size_t row, size_t col) {
    const Stage *stage = picture->stage;
    return node != stage->node || view_cell_visible(stage, row, col);
}

static bool is_lit(const Layout *picture, size_t row, size_t unit) {
    size_t node = picture->network->a;
    return node != TAPE_NONE && is_shown(picture, node, row, unit) &&
           fabs(tensor_at(tensor_of(picture, node), row, unit)) > 0;
}

static Box cell_of(const Column *column, size_t index) {
    double line = (double)(index / column->across),
           w = column->w / (double)column->across;
    double top = round(column->top + column->pitch * line);
    double end = round(column->top + column->pitch * (line + 1));
    double gap = column->pitch >= 12 ? 2 : column->pitch >= 5 ? 1 : 0;
    return (Box){column->x + w * (double)(index % column->across), top,
                 w - (column->across > 1 ? gap : 2), end - top - gap};
}

static Point left_of(const Column *column, size_t index) {
    Box cell = cell_of(column, index);
    return (Point){column->x, cell.y + cell.h / 2};
}

static Point right_of(const Column *column, size_t index) {
    Box cell = cell_of(column, index);
    return (Point){column->x + column->w - 2, cell.y + cell.h / 2};
}

static Color color_of(const Layout *picture, double value) {
    ColorScale scale =
        heatmap_scale(picture->stage->canvas, HEATMAP_SIGNED, picture->reach);
    return color_scale_at(&scale, value);
}

/* ---- curves ---- */

enum { HINGE_POINTS = 25 };

/* Curve of the units' activation function, such as max(0, z) of ReLU, over numbers from
 * -reach to reach. */
typedef struct Hinge {
    Plot plot; /* its box is that of a unit */
    double numbers[HINGE_POINTS], values[HINGE_POINTS];
} Hinge;

static Hinge hinge_of(const Layout *picture) {
    const TapeNode *node = stage_node(picture->stage, picture->network->a);
    Hinge hinge = {.plot.across = {.from = -picture->reach, .to = picture->reach}};
    PlotAxis *up = &hinge.plot.up;
    for (size_t i = 0; i < HINGE_POINTS; i++)
        hinge.numbers[i] = picture->reach * (2.0 * (double)i / (HINGE_POINTS - 1) - 1);
    const Tensor in = {.rows = 1, .cols = HINGE_POINTS, .values = hinge.numbers};
    const Tensor *const inputs[] = {&in};
    Tensor out = {.rows = 1, .cols = HINGE_POINTS, .values = hinge.values};
    if (node->muted)
        memcpy(hinge.values, hinge.numbers, sizeof hinge.numbers);
    else
        operation_of(node->operation)
            ->forward(&(OperationCall){.inputs = inputs, .count = 1}, &out);
    for (size_t i = 0; i < HINGE_POINTS; i++) {
        up->from = fmin(up->from, hinge.values[i]);
        up->to = fmax(up->to, hinge.values[i]);
    }
    up->to = up->to > up->from ? up->to : up->from + 1;
    return hinge;
}

/* Draws the curve of a unit with a dot at the unit's number, which is limited to the
 * reach of the picture. */
static void draw_hinge(const Layout *picture, Hinge *hinge, size_t unit) {
    const Canvas *canvas = picture->stage->canvas;
    const Theme *theme = canvas->theme;
    size_t node = picture->network->a;
    double z = value_of(picture, &picture->columns[SUMS], unit), reach = picture->reach;
    Box cell = cell_of(&picture->columns[SUMS], unit);
    double height = fmin(fmax(cell.h - 4, 1), picture->hinges.w / 2);
    hinge->plot.box = (Box){picture->hinges.x, round(cell.y + (cell.h - height) / 2) - 1,
                            picture->hinges.w, height};
    bool there = is_shown(picture, node, picture->row, unit);
    bool lit = there && is_lit(picture, picture->row, unit);
    Point path[HINGE_POINTS];
    for (size_t i = 0; i < HINGE_POINTS; i++)
        path[i] = plot_point(&hinge->plot, hinge->numbers[i], hinge->values[i]);
    scene_path(canvas->scene, path, HINGE_POINTS, 2,
               lit ? theme->ink_soft : palette_mix(theme->page, theme->ink_faint, 140));
    if (!there || !isfinite(z))
        return;
    double made = value_of(picture, &picture->columns[UNITS], unit);
    canvas_link_cell(canvas, node, picture->row, unit);
    canvas_dot(canvas,
               plot_point(&hinge->plot, fmax(fmin(z, reach), -reach),
                          fmax(made, hinge->plot.up.from)),
               fmin(6, fmax(cell.h * 0.3, 1.5)),
               lit ? color_of(picture, copysign(reach, made)) : theme->page,
               lit ? theme->ink : theme->ink_faint, 1.5);
    canvas_unlink(canvas);
}

static void draw_hinges(const Layout *picture) {
    const Column *sums = &picture->columns[SUMS];
    if (sums->across != 1 || !(picture->hinges.w > 0))
        return;
    Hinge hinge = hinge_of(picture);
    for (size_t i = 0; i < sums->count; i++)
        draw_hinge(picture, &hinge, i);
}

/* ---- lines ---- */

/* Lines from one column to another, and their weights. */
typedef struct Fan {
    const Layout *picture;
    const Column *from, *to;
    size_t weights; /* node */
} Fan;

static Fan fan_of(const Layout *picture, Part from, Part to, size_t weights) {
    return (Fan){picture, &picture->columns[from], &picture->columns[to], weights};
}

static bool is_there(const Fan *fan) {
    return fan->from->node != TAPE_NONE && fan->to->node != TAPE_NONE;
}

/* Returns the opacity of a line into the explained cell or into another one. */
static int strength(const Layout *picture, const Column *to, size_t col) {
    const Stage *stage = picture->stage;
    bool bent = to->node == picture->columns[SUMS].node &&
                stage->focus_node == picture->network->a; /* a is computed from z */
    bool speaks = stage->has_focus && (stage->focus_node == to->node || bent) &&
                  stage->focus_row == picture->row;
    return !speaks ? 150 : stage->focus_col == col ? 255 : 60;
}

/* Returns the product of a value and its weight; 0 if it is not finite. */
static double carried_at(const Fan *fan, size_t i, size_t j) {
    double carried = value_of(fan->picture, fan->from, i) *
                     tensor_at(tensor_of(fan->picture, fan->weights), i, j);
    return isfinite(carried) ? carried : 0;
}

static size_t count_lines(const Fan *fan, double least) {
    size_t count = 0;
    for (size_t i = 0; i < fan->from->count; i++) {
        for (size_t j = 0; j < fan->to->count; j++)
            count += fabs(carried_at(fan, i, j)) > least;
    }
    return count;
}

/* Returns the largest absolute product of a value and its weight. */
static double strongest(const Fan *fan) {
    double most = 0;
    for (size_t i = 0; i < fan->from->count; i++) {
        for (size_t j = 0; j < fan->to->count; j++)
            most = fmax(most, fabs(carried_at(fan, i, j)));
    }
    return most;
}

/* Returns the least product for which a line is drawn: of very many lines only the
 * strongest are. */
static double least_drawn(const Fan *fan) {
    double most = strongest(fan), bar = LEAST_LINE;
    if (count_lines(fan, most * bar) > MANY_LINES) {
        while (count_lines(fan, most * bar) > LINES_OF_MANY)
            bar += 0.05;
    }
    return most * bar;
}

/* Draws a line whose width is proportional to its product, relative to the widest line of
 * the picture. */
static void draw_path(const Layout *picture, const Point *way, size_t count,
                      double carried, int alpha) {
    const Canvas *canvas = picture->stage->canvas;
    const Palette *palette = &canvas->theme->diverging;
    double share = carried / picture->widest;
    Color color = palette->stops[share < 0 ? 0 : palette->count - 1];
    color.a = (uint8_t)(fabs(share) < FAINT_LINE ? alpha * 3 / 4 : alpha);
    pattern_path(canvas, pattern_sign(canvas->theme, share), way, count,
                 fmax(fabs(share) * WIDEST_LINE, 0.7), 1, color);
}

static void draw_line(const Layout *picture, Point from, Point to, double carried,
                      int alpha) {
    draw_path(picture, (Point[]){from, to}, 2, carried, alpha);
}

/* Draws the lines of a fan; their products are the widths. */
static void draw_lines(const Fan *fan) {
    const Layout *picture = fan->picture;
    double least = least_drawn(fan);
    for (size_t i = 0; i < fan->from->count; i++) {
        for (size_t j = 0; j < fan->to->count; j++) {
            double carried = carried_at(fan, i, j);
            if (fabs(carried) > least &&
                is_shown(picture, fan->to->node, picture->row, j))
                draw_line(picture, right_of(fan->from, i), left_of(fan->to, j), carried,
                          strength(picture, fan->to, j));
        }
    }
}

/* Returns the largest of 1, 2, 5 times a power of ten that is no larger than the
 * value. */
static double round_below(double value) {
    double ten = pow(10, floor(log10(value)));
    return ten * (value >= 5 * ten ? 5 : value >= 2 * ten ? 2 : 1);
}

/* Returns a column's name: "gate" for a gate, and the operation instead of a fraction. */
static const char *name_of(const Layout *picture, size_t node) {
    const Stage *stage = picture->stage;
    const char *name = stage_formula_name(stage, node);
    if (node == picture->network->a && picture->network->gated != TAPE_NONE)
        name = canvas_format(stage->canvas, "\\text{%s}",
                             canvas_string(stage->canvas, "view.gate"));
    double size = canvas_size(stage->canvas, NAME, "");
    FormulaExtent extent = canvas_formula_extent(stage->canvas, name, size);
    return extent.ascent + extent.descent > 1.7 * size
               ? stage_operation_words(stage, node)
               : name;
}

/* Draws the width of a line with this product and its number; returns where it ends. */
static double draw_width(const Layout *picture, Point at, double carried) {
    const Canvas *canvas = picture->stage->canvas;
    Point end = {at.x + STROKE, at.y};
    draw_line(picture, at, end, carried, 255);
    char text[NUMBER_SIZE];
    number_format_short(text, carried, 3);
    Box drawn = canvas_label_at(canvas, FONT_TEXT, LABEL, canvas->theme->ink_soft,
                                (Point){end.x + 8, at.y}, LABEL_LEFT, text);
    return drawn.x + drawn.w;
}

/* Draws the legend of line widths, one for all columns. */
static void draw_line_legend(const Layout *picture) {
    const Stage *stage = picture->stage;
    const Canvas *canvas = stage->canvas;
    double whole = round_below(picture->widest), gap = 14;
    Point at = {stage->area.x,
                stage->area.y + stage->area.h - round(STAGE_LEGEND_HEIGHT / 2)};
    Box words = canvas_label_at(canvas, FONT_TEXT, LABEL, canvas->theme->ink, at,
                                LABEL_LEFT, canvas_string(canvas, "view.line"));
    at.x = words.x + words.w + gap;
    at.x = draw_width(picture, at, -whole) + gap;
    draw_width(picture, at, whole);
}

/* ---- columns ---- */

static void draw_cell(const Layout *picture, const Column *column, size_t index) {
    const Stage *stage = picture->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    Box box = cell_of(column, index);
    canvas_link_cell(canvas, column->node, picture->row, index);
    if (!is_shown(picture, column->node, picture->row, index)) {
        scene_rectangle(canvas->scene, box, 3, theme->page, theme->line, 1);
        canvas_unlink(canvas);
        return;
    }
    double value = value_of(picture, column, index);
    bool unlit = column->node == picture->network->a && !(fabs(value) > 0);
    Color ground = unlit ? theme->page : color_of(picture, value);
    scene_rectangle(canvas->scene, box, fmin(3, box.h / 4), ground,
                    unlit ? theme->line : (Color){0}, unlit ? 1 : 0);
    if (!unlit)
        pattern_negative(canvas, box, value);
    const char *text = canvas_number(canvas, value, picture->decimals);
    double width = canvas_text_width(canvas, FONT_TEXT, picture->digits, text);
    if (box.h >= picture->digits * 1.15 && width <= box.w - 2)
        canvas_label_at(canvas, FONT_TEXT, DIGITS,
                        unlit ? theme->ink_soft
                              : palette_ink(ground, theme->cell_dark, theme->cell_light),
                        box_middle(box), LABEL_CENTER, text);
    canvas_unlink(canvas);
    if (stage_focuses(stage, column->node, picture->row, index))
        canvas_outline(canvas, box_inset(box, -2), 5, theme->focus, 3);
}

/* Fits a column's name above it in type as large as possible; returns its extent. */
static FormulaExtent fit_name(const Layout *picture, const Column *column,
                              const char **name, double *size) {
    const Canvas *canvas = picture->stage->canvas;
    *name = name_of(picture, column->node);
    *size = canvas_size(canvas, NAME, "");
    return canvas_formula_fit(canvas, *name, canvas_size(canvas, LABEL, ""),
                              column->w * 2, size);
}

static void draw_column(const Layout *picture, const Column *column) {
    const Canvas *canvas = picture->stage->canvas;
    if (column->node == TAPE_NONE)
        return;
    for (size_t i = 0; i < column->count; i++)
        draw_cell(picture, column, i);
    const char *name;
    double size;
    FormulaExtent extent = fit_name(picture, column, &name, &size);
    bool inside = column == &picture->columns[UP]; /* lines end at its left */
    double left = inside ? column->x : column->x + (column->w - extent.width) / 2;
    if (extent.width > column->w * 2)
        return;
    if (inside) /* lines from its cells would cross it */
        canvas_fill(canvas,
                    (Box){left, column->top - 12 - extent.ascent, extent.width,
                          extent.ascent + extent.descent},
                    2, canvas->theme->page);
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, name, size,
                 (Point){left, column->top - 12});
}

/* Returns how far a column's name extends beyond it at each side. */
static double overhang(const Layout *picture, const Column *column) {
    const char *name;
    double size, width = fit_name(picture, column, &name, &size).width;
    return width <= column->w * 2 ? fmax(width - column->w, 0) / 2 : 0;
}

/* Draws the name of the weights between two columns: above their lines, clear of the
 * columns' names, or below them if there is more room. */
static void draw_weights_name(const Fan *fan) {
    const Layout *picture = fan->picture;
    const Canvas *canvas = picture->stage->canvas;
    const Column *from = fan->from, *to = fan->to;
    const char *name = stage_formula_name(picture->stage, fan->weights);
    double size = canvas_size(canvas, NAME, ""), left = from->x + from->w, right = to->x;
    double width = canvas_formula_extent(canvas, name, size).width + 2 * NAME_GAP;
    Point at = {(left + right) / 2, fmin(from->top, to->top) - 18};
    right -= to->top > from->top + HEAD ? 0 : overhang(picture, to);
    left += from->top > to->top + HEAD ? -from->w : overhang(picture, from);
    bool over = to != &picture->columns[UP] && width <= right - left;
    if (over)
        at.x = fmax(fmin(at.x, right - width / 2), left + width / 2);
    else
        at.y = (left_of(to, to->count - 1).y + right_of(from, from->count - 1).y) / 2 +
               size * BELOW;
    bool under = width <= to->x - from->x - from->w + 2 * NAME_GAP &&
                 at.y + size / 2 <= picture->area.y + picture->area.h + NAME_GAP;
    if (over || under)
        canvas_formula(canvas, name, NAME, at, LABEL_CENTER);
}

/* ---- words ---- */

/* Draws a vector as a thin strip of colours. */
static void draw_strip(const Layout *picture, const Column *column, size_t row, Box box) {
    const Canvas *canvas = picture->stage->canvas;
    const Theme *theme = canvas->theme;
    if (column->node == TAPE_NONE)
        return;
    double cell = box.w / (double)column->count;
    double gap = cell >= 8 ? 1 : 0;
    for (size_t i = 0; i < column->count; i++) {
        Box at = {box.x + cell * (double)i, box.y, cell - gap, box.h};
        bool there = is_shown(picture, column->node, row, i);
        double value = tensor_at(tensor_of(picture, column->node), row, i);
        canvas_link_cell(canvas, column->node, row, i);
        bool lit = is_lit(picture, row, i);
        if (column->node == picture->network->a && cell < NARROWEST) {
            canvas_fill(canvas, at, 0, lit ? theme->ink_faint : theme->line);
        } else if (column->node == picture->network->a) {
            canvas_dot(canvas, (Point){at.x + cell / 2, box.y + box.h / 2},
                       fmin(box.h / 2, cell * 0.4), lit ? theme->ink_faint : theme->page,
                       theme->ink_faint, 1);
        } else {
            canvas_fill(canvas, at, 1,
                        there ? palette_mix(theme->page, color_of(picture, value), 170)
                              : theme->line);
            if (there)
                pattern_negative(canvas, at, value);
        }
    }
    canvas_unlink(canvas);
}

/* Draws a token's label that ends at `right`, unless it would be cut. */
static void draw_label(const Layout *picture, size_t row, Point right) {
    const Canvas *canvas = picture->stage->canvas;
    const Tensor *tensor = tensor_of(picture, picture->stage->node);
    bool chosen = row == picture->row;
    const char *word = tensor->row_labels ? token_text(canvas, tensor->row_labels[row])
                                          : canvas_count(canvas, row);
    double size = canvas_size(canvas, chosen ? WORD : LABEL, word),
           room = right.x - picture->stage->area.x;
    FontRole font = chosen ? FONT_BOLD : FONT_TEXT;
    if (canvas_fit(canvas, font, size, room, word).text == word)
        canvas_row_label(canvas, size, room, chosen, right, word);
}

static void draw_other(const Layout *picture, size_t row, Box line) {
    double height = round(line.h * 0.5), first = 0;
    for (Part i = 0; i < COLUMNS; i++) {
        const Column *column = &picture->columns[i];
        bool inside = i != IN && i < GATED;
        if (column->node == TAPE_NONE ||
            (inside && picture->network->gated != TAPE_NONE)) /* two names are there */
            continue;
        double room = i == IN || i == OUT ? OTHER_STRIP : round(CELL + HINGE / 2);
        double middle = column->x + column->w / 2;
        Box box = {round(middle - room / 2), round(line.y + (line.h - height) / 2), room,
                   height};
        draw_strip(picture, column, row, box);
        if (first == 0)
            first = box.x;
    }
    draw_label(picture, row, (Point){first - 14, line.y + line.h / 2});
}

/* Draws the other tokens nearest to the chosen one. */
static void draw_others(const Layout *picture) {
    size_t count = tensor_of(picture, picture->stage->node)->rows;
    size_t shown = count - 1 < OTHERS_MOST ? count - 1 : OTHERS_MOST,
           first = picture->row;
    first = first > shown / 2 ? first - shown / 2 : 0;
    first = first + shown + 1 > count ? count - shown - 1 : first;
    Box rest = picture->others;
    if (!(rest.h > 0))
        return;
    double line = picture->others.y - round(OTHERS_GAP * 0.45);
    scene_line(picture->stage->canvas->scene, (Point){picture->stage->area.x, line},
               (Point){picture->stage->area.x + picture->stage->area.w, line}, 1,
               picture->stage->canvas->theme->line);
    for (size_t row = first; row <= first + shown; row++) {
        if (row != picture->row)
            draw_other(picture, row, box_take_top(&rest, OTHER_ROW));
    }
}

/* Draws each gate's line from above and its signal's from below, which meet in a
 * product. */
static void draw_products(const Layout *picture) {
    const Column *to = &picture->columns[GATED];
    const Column *gates = &picture->columns[UNITS], *up = &picture->columns[UP];
    for (size_t j = 0; to->node != TAPE_NONE && j < to->count; j++) {
        if (!is_shown(picture, to->node, picture->row, j))
            continue;
        Point end = left_of(to, j), gate = right_of(gates, j), from = right_of(up, j);
        Point ring = {end.x - PRODUCT_GAP - PRODUCT, end.y};
        /* Clear of the cells. */
        const Point way[] = {from, {fmax(gate.x, from.x), from.y}, ring};
        int alpha = strength(picture, to, j);
        draw_line(picture, gate, ring, value_of(picture, gates, j), alpha);
        draw_path(picture, way, 3, value_of(picture, up, j), alpha);
        draw_line(picture, ring, end, value_of(picture, to, j), alpha);
        lane_times(picture->stage->canvas, ring, PRODUCT);
    }
}

/* Returns the product of the widest line of all. */
static double widest_line(const Layout *picture, const Fan *fans, size_t count) {
    double widest = 0;
    for (size_t i = 0; i < count; i++)
        widest = is_there(&fans[i]) ? fmax(widest, strongest(&fans[i])) : widest;
    size_t products = picture->columns[GATED].count;
    for (Part i = UNITS; products && i <= GATED; i++) {
        for (size_t j = 0; j < products; j++)
            widest = fmax(widest, fabs(value_of(picture, &picture->columns[i], j)));
    }
    return widest > 0 && isfinite(widest) ? widest : 1;
}

bool network_picture(const Stage *stage, const Network *network) {
    Layout picture = layout_of(stage, network);
    const Column *columns = picture.columns;
    Part hidden = columns[SUMS].node != TAPE_NONE ? SUMS : UNITS;
    Part last = network->gated != TAPE_NONE ? GATED : UNITS;
    const Fan fans[] = {fan_of(&picture, IN, hidden, network->w_1),
                        fan_of(&picture, IN, UP, network->w_up),
                        fan_of(&picture, last, OUT, network->w_2)};
    if (columns[hidden].w / (double)columns[hidden].across < NARROWEST)
        return false;
    picture.widest = widest_line(&picture, fans, 3);
    for (size_t i = 0; i < 3; i++) {
        if (is_there(&fans[i])) {
            draw_lines(&fans[i]);
            draw_weights_name(&fans[i]);
        }
    }
    if ((is_there(&fans[0]) || is_there(&fans[2])) && !stage->canvas->without_legends)
        draw_line_legend(&picture);
    draw_products(&picture);
    draw_hinges(&picture);
    for (size_t i = 0; i < COLUMNS; i++)
        draw_column(&picture, &columns[i]);
    const Column *first = columns;
    while (first->node == TAPE_NONE)
        first++;
    draw_label(&picture, picture.row, (Point){first->x - 16, box_middle(picture.area).y});
    draw_others(&picture);
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, picture.reach}, 1);
    return true;
}
