#include "picture/operations/matrices/network_picture.h"

#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/lanes.h"
#include "picture/draw/patterns.h"
#include "picture/formula/formula.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

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

static const Tensor *tensor_of(const NetworkLayout *picture, size_t node) {
    return stage_tensor(picture->stage, node);
}

double network_value(const NetworkLayout *picture, const NetworkColumn *column,
                     size_t index) {
    return tensor_at(tensor_of(picture, column->node), picture->row, index);
}

bool network_shows(const NetworkLayout *picture, size_t node, size_t row, size_t col) {
    const Stage *stage = picture->stage;
    return node != stage->node || view_cell_visible(stage, row, col);
}

bool network_lit(const NetworkLayout *picture, size_t row, size_t unit) {
    size_t node = picture->network->a;
    return node != TAPE_NONE && network_shows(picture, node, row, unit) &&
           fabs(tensor_at(tensor_of(picture, node), row, unit)) > 0;
}

Box network_cell(const NetworkColumn *column, size_t index) {
    double line = (double)(index / column->across),
           w = column->w / (double)column->across;
    double top = round(column->top + column->pitch * line);
    double end = round(column->top + column->pitch * (line + 1));
    double gap = column->pitch >= 12 ? 2 : column->pitch >= 5 ? 1 : 0;
    return (Box){column->x + w * (double)(index % column->across), top,
                 w - (column->across > 1 ? gap : 2), end - top - gap};
}

static Point left_of(const NetworkColumn *column, size_t index) {
    Box cell = network_cell(column, index);
    return (Point){column->x, cell.y + cell.h / 2};
}

static Point right_of(const NetworkColumn *column, size_t index) {
    Box cell = network_cell(column, index);
    return (Point){column->x + column->w - 2, cell.y + cell.h / 2};
}

Color network_color(const NetworkLayout *picture, double value) {
    const Theme *theme = picture->stage->canvas->theme;
    const ColorScale scale = {&theme->diverging, -picture->reach, picture->reach,
                              theme->masked};
    return color_scale_at(&scale, value);
}

/* ---- lines ---- */

/* Lines from one column to another, and their weights. */
typedef struct Fan {
    NetworkPart from, to;
    size_t weights;
} Fan;

/* Returns the opacity of a line into the explained cell or into another one. */
static int strength(const NetworkLayout *picture, const NetworkColumn *to, size_t col) {
    const Stage *stage = picture->stage;
    bool bent = to->node == picture->columns[NETWORK_SUMS].node &&
                stage->focus_node == picture->network->a; /* a is computed from z */
    bool speaks = stage->has_focus && (stage->focus_node == to->node || bent) &&
                  stage->focus_row == picture->row;
    return !speaks ? 150 : stage->focus_col == col ? 255 : 60;
}

static double carried_at(const NetworkLayout *picture, const NetworkColumn *from,
                         size_t i, const Tensor *weights, size_t j) {
    double carried = network_value(picture, from, i) * tensor_at(weights, i, j);
    return isfinite(carried) ? fabs(carried) : 0;
}

static size_t count_lines(const NetworkLayout *picture, const NetworkColumn *from,
                          const Tensor *weights, double least) {
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++) {
        for (size_t j = 0; j < weights->cols; j++)
            count += carried_at(picture, from, i, weights, j) > least;
    }
    return count;
}

/* Returns the largest absolute product of a value and its weight in a fan. */
static double strongest(const NetworkLayout *picture, const NetworkColumn *from,
                        const Tensor *weights) {
    double most = 0;
    for (size_t i = 0; i < from->count; i++) {
        for (size_t j = 0; j < weights->cols; j++)
            most = fmax(most, carried_at(picture, from, i, weights, j));
    }
    return most;
}

/* Returns the least product for which a line is drawn: of very many lines only the
 * strongest are. */
static double least_drawn(const NetworkLayout *picture, const NetworkColumn *from,
                          const Tensor *weights) {
    double most = strongest(picture, from, weights), bar = LEAST_LINE;
    if (count_lines(picture, from, weights, most * bar) > MANY_LINES) {
        while (count_lines(picture, from, weights, most * bar) > LINES_OF_MANY)
            bar += 0.05;
    }
    return most * bar;
}

/* Draws a line whose width is proportional to its product, relative to the widest line of
 * the picture. */
static void draw_path(const NetworkLayout *picture, const Point *way, size_t count,
                      double carried, int alpha) {
    const Canvas *canvas = picture->stage->canvas;
    const Palette *palette = &canvas->theme->diverging;
    double share = carried / picture->widest;
    Color color = palette->stops[share < 0 ? 0 : palette->count - 1];
    color.a = (uint8_t)(fabs(share) < FAINT_LINE ? alpha * 3 / 4 : alpha);
    pattern_path(canvas, pattern_sign(canvas->theme, share), way, count,
                 fmax(fabs(share) * WIDEST_LINE, 0.7), 1, color);
}

static void draw_line(const NetworkLayout *picture, Point from, Point to, double carried,
                      int alpha) {
    draw_path(picture, (Point[]){from, to}, 2, carried, alpha);
}

/* Draws lines from the cells of one column to those of the next; their products are the
 * widths. */
static void draw_lines(const NetworkLayout *picture, const NetworkColumn *from,
                       const NetworkColumn *to, size_t weights) {
    const Tensor *tensor = tensor_of(picture, weights);
    double least = least_drawn(picture, from, tensor);
    for (size_t i = 0; i < from->count; i++) {
        for (size_t j = 0; j < to->count; j++) {
            double carried = network_value(picture, from, i) * tensor_at(tensor, i, j);
            if (fabs(carried) > least &&
                network_shows(picture, to->node, picture->row, j))
                draw_line(picture, right_of(from, i), left_of(to, j), carried,
                          strength(picture, to, j));
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
static const char *name_of(const NetworkLayout *picture, size_t node) {
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
static double draw_width(const NetworkLayout *picture, Point at, double carried) {
    const Canvas *canvas = picture->stage->canvas;
    Point end = {at.x + STROKE, at.y};
    draw_line(picture, at, end, carried, 255);
    char text[NUMBER_SIZE];
    number_format_short(text, carried, 3);
    Box drawn =
        canvas_label(canvas, FONT_TEXT, LABEL, canvas->theme->ink_soft,
                     (Point){end.x + 8, label_baseline(at.y, LABEL)}, LABEL_LEFT, text);
    return drawn.x + drawn.w;
}

/* Draws the legend of line widths, one for all columns. */
static void draw_line_legend(const NetworkLayout *picture) {
    const Stage *stage = picture->stage;
    const Canvas *canvas = stage->canvas;
    double whole = round_below(picture->widest), gap = 14;
    Point at = {stage->area.x,
                stage->area.y + stage->area.h - round(STAGE_LEGEND_HEIGHT / 2)};
    Box words = canvas_label(canvas, FONT_TEXT, LABEL, canvas->theme->ink,
                             (Point){at.x, label_baseline(at.y, LABEL)}, LABEL_LEFT,
                             canvas_string(canvas, "view.line"));
    at.x = words.x + words.w + gap;
    at.x = draw_width(picture, at, -whole) + gap;
    draw_width(picture, at, whole);
}

/* ---- columns ---- */

static void draw_cell(const NetworkLayout *picture, const NetworkColumn *column,
                      size_t index) {
    const Stage *stage = picture->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    Box box = network_cell(column, index);
    canvas_link_cell(canvas, column->node, picture->row, index);
    if (!network_shows(picture, column->node, picture->row, index)) {
        scene_rectangle(canvas->scene, box, 3, theme->page, theme->line, 1);
        canvas_unlink(canvas);
        return;
    }
    double value = network_value(picture, column, index);
    bool unlit = column->node == picture->network->a && !(fabs(value) > 0);
    Color ground = unlit ? theme->page : network_color(picture, value);
    scene_rectangle(canvas->scene, box, fmin(3, box.h / 4), ground,
                    unlit ? theme->line : (Color){0}, unlit ? 1 : 0);
    if (!unlit)
        pattern_negative(canvas, box, value);
    char text[NUMBER_SIZE];
    number_format_shortest(text, value, picture->decimals);
    double width = canvas_text_width(canvas, FONT_TEXT, picture->digits, text);
    if (box.h >= picture->digits * 1.15 && width <= box.w - 2)
        canvas_text(canvas, FONT_TEXT, picture->digits,
                    unlit ? theme->ink_soft
                          : palette_ink(ground, theme->cell_dark, theme->cell_light),
                    (Point){box.x + box.w / 2,
                            label_baseline(box.y + box.h / 2, picture->digits)},
                    LABEL_CENTER, text);
    canvas_unlink(canvas);
    if (stage->has_focus && stage->focus_node == column->node &&
        stage->focus_row == picture->row && stage->focus_col == index)
        canvas_outline(canvas, box_inset(box, -2), 5, theme->focus, 3);
}

/* Fits a column's name above it in type as large as possible; returns its extent. */
static FormulaExtent fit_name(const NetworkLayout *picture, const NetworkColumn *column,
                              const char **name, double *size) {
    const Canvas *canvas = picture->stage->canvas;
    *name = name_of(picture, column->node);
    *size = canvas_size(canvas, NAME, "");
    return canvas_formula_fit(canvas, *name, canvas_size(canvas, LABEL, ""),
                              column->w * 2, size);
}

static void draw_column(const NetworkLayout *picture, const NetworkColumn *column) {
    const Canvas *canvas = picture->stage->canvas;
    if (column->node == TAPE_NONE)
        return;
    for (size_t i = 0; i < column->count; i++)
        draw_cell(picture, column, i);
    const char *name;
    double size;
    FormulaExtent extent = fit_name(picture, column, &name, &size);
    bool inside = column == &picture->columns[NETWORK_UP]; /* lines end at its left */
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
static double overhang(const NetworkLayout *picture, const NetworkColumn *column) {
    const char *name;
    double size, width = fit_name(picture, column, &name, &size).width;
    return width <= column->w * 2 ? fmax(width - column->w, 0) / 2 : 0;
}

/* Draws the name of the weights between two columns: above their lines, clear of the
 * columns' names, or below them if there is more room. */
static void draw_weights_name(const NetworkLayout *picture, const NetworkColumn *from,
                              const NetworkColumn *to, size_t weights) {
    const Canvas *canvas = picture->stage->canvas;
    const char *name = stage_formula_name(picture->stage, weights);
    double size = canvas_size(canvas, NAME, ""), left = from->x + from->w, right = to->x;
    double width = canvas_formula_extent(canvas, name, size).width + 2 * NAME_GAP;
    Point at = {(left + right) / 2, fmin(from->top, to->top) - 18};
    right -= to->top > from->top + HEAD ? 0 : overhang(picture, to);
    left += from->top > to->top + HEAD ? -from->w : overhang(picture, from);
    bool over = to != &picture->columns[NETWORK_UP] && width <= right - left;
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
static void draw_strip(const NetworkLayout *picture, const NetworkColumn *column,
                       size_t row, Box box) {
    const Canvas *canvas = picture->stage->canvas;
    const Theme *theme = canvas->theme;
    if (column->node == TAPE_NONE)
        return;
    double cell = box.w / (double)column->count;
    double gap = cell >= 8 ? 1 : 0;
    for (size_t i = 0; i < column->count; i++) {
        Box at = {box.x + cell * (double)i, box.y, cell - gap, box.h};
        bool there = network_shows(picture, column->node, row, i);
        double value = tensor_at(tensor_of(picture, column->node), row, i);
        canvas_link_cell(canvas, column->node, row, i);
        bool lit = network_lit(picture, row, i);
        if (column->node == picture->network->a && cell < NARROWEST) {
            canvas_fill(canvas, at, 0, lit ? theme->ink_faint : theme->line);
        } else if (column->node == picture->network->a) {
            canvas_dot(canvas, (Point){at.x + cell / 2, box.y + box.h / 2},
                       fmin(box.h / 2, cell * 0.4), lit ? theme->ink_faint : theme->page,
                       theme->ink_faint, 1);
        } else {
            canvas_fill(canvas, at, 1,
                        there
                            ? palette_mix(theme->page, network_color(picture, value), 170)
                            : theme->line);
            if (there)
                pattern_negative(canvas, at, value);
        }
    }
    canvas_unlink(canvas);
}

static void draw_other(const NetworkLayout *picture, size_t row, Box line,
                       const char *word) {
    const Canvas *canvas = picture->stage->canvas;
    const NetworkColumn *in = &picture->columns[NETWORK_IN];
    double height = round(line.h * 0.5), first = 0;
    for (NetworkPart i = 0; i < NETWORK_COLUMNS; i++) {
        const NetworkColumn *column = &picture->columns[i];
        bool inside = column != in && i < NETWORK_GATED;
        if (column->node == TAPE_NONE ||
            (inside && picture->network->gated != TAPE_NONE)) /* two names are there */
            continue;
        double room = column == in || i == NETWORK_OUT
                          ? NETWORK_OTHER_STRIP
                          : round(NETWORK_CELL + NETWORK_HINGE / 2);
        double middle = column->x + column->w / 2;
        Box box = {round(middle - room / 2), round(line.y + (line.h - height) / 2), room,
                   height};
        draw_strip(picture, column, row, box);
        if (first == 0)
            first = box.x;
    }
    double size = canvas_size(canvas, LABEL, word);
    LabelFit fit =
        canvas_fit(canvas, FONT_TEXT, size, first - picture->stage->area.x - 16, word);
    if (fit.text == word)
        canvas_text(canvas, FONT_TEXT, fit.size, canvas->theme->ink_soft,
                    (Point){first - 14, label_baseline(line.y + line.h / 2, fit.size)},
                    LABEL_RIGHT, word);
}

static const char *word_of(const NetworkLayout *picture, size_t row) {
    const Canvas *canvas = picture->stage->canvas;
    const Tensor *tensor = tensor_of(picture, picture->stage->node);
    return tensor->row_labels ? token_text(canvas, tensor->row_labels[row])
                              : canvas_count(canvas, row);
}

/* Draws the other tokens nearest to the chosen one. */
static void draw_others(const NetworkLayout *picture) {
    size_t count = tensor_of(picture, picture->stage->node)->rows;
    size_t shown = count - 1 < NETWORK_OTHERS_MOST ? count - 1 : NETWORK_OTHERS_MOST,
           first = picture->row;
    first = first > shown / 2 ? first - shown / 2 : 0;
    first = first + shown + 1 > count ? count - shown - 1 : first;
    Box rest = picture->others;
    if (!(rest.h > 0))
        return;
    double line = picture->others.y - round(NETWORK_OTHERS_GAP * 0.45);
    scene_line(picture->stage->canvas->scene, (Point){picture->stage->area.x, line},
               (Point){picture->stage->area.x + picture->stage->area.w, line}, 1,
               picture->stage->canvas->theme->line);
    for (size_t row = first; row <= first + shown; row++) {
        if (row != picture->row)
            draw_other(picture, row, box_take_top(&rest, NETWORK_OTHER_ROW),
                       word_of(picture, row));
    }
}

static void draw_word(const NetworkLayout *picture) {
    const Canvas *canvas = picture->stage->canvas;
    const NetworkColumn *first = picture->columns;
    while (first->node == TAPE_NONE)
        first++;
    const char *word = word_of(picture, picture->row);
    double size = canvas_size(canvas, WORD, word);
    double right = first->x - 16;
    LabelFit fit =
        canvas_fit(canvas, FONT_BOLD, size, right - picture->stage->area.x, word);
    if (fit.text == word)
        canvas_text(canvas, FONT_BOLD, fit.size, canvas->theme->ink,
                    (Point){right, label_baseline(picture->area.y + picture->area.h / 2,
                                                  fit.size)},
                    LABEL_RIGHT, word);
}

/* Draws each gate's line from above and its signal's from below, which meet in a
 * product. */
static void draw_products(const NetworkLayout *picture) {
    const NetworkColumn *to = &picture->columns[NETWORK_GATED];
    const NetworkColumn *gates = &picture->columns[NETWORK_UNITS],
                        *up = &picture->columns[NETWORK_UP];
    for (size_t j = 0; to->node != TAPE_NONE && j < to->count; j++) {
        if (!network_shows(picture, to->node, picture->row, j))
            continue;
        Point end = left_of(to, j), gate = right_of(gates, j), from = right_of(up, j);
        Point ring = {end.x - PRODUCT_GAP - PRODUCT, end.y};
        /* Clear of the cells. */
        const Point way[] = {from, {fmax(gate.x, from.x), from.y}, ring};
        int alpha = strength(picture, to, j);
        draw_line(picture, gate, ring, network_value(picture, gates, j), alpha);
        draw_path(picture, way, 3, network_value(picture, up, j), alpha);
        draw_line(picture, ring, end, network_value(picture, to, j), alpha);
        lane_times(picture->stage->canvas, ring, PRODUCT);
    }
}

/* Returns the product of the widest line of all. */
static double widest_line(const NetworkLayout *picture, const Fan *fans, size_t count) {
    double widest = 0;
    for (size_t i = 0; i < count; i++) {
        const NetworkColumn *from = &picture->columns[fans[i].from];
        if (from->node != TAPE_NONE && picture->columns[fans[i].to].node != TAPE_NONE)
            widest = fmax(widest,
                          strongest(picture, from, tensor_of(picture, fans[i].weights)));
    }
    size_t products = picture->columns[NETWORK_GATED].count;
    for (NetworkPart i = NETWORK_UNITS; products && i <= NETWORK_GATED; i++) {
        for (size_t j = 0; j < products; j++)
            widest = fmax(widest, fabs(network_value(picture, &picture->columns[i], j)));
    }
    return widest > 0 && isfinite(widest) ? widest : 1;
}

bool network_picture(const Stage *stage, const Network *network) {
    NetworkLayout picture = network_layout(stage, network);
    const NetworkColumn *columns = picture.columns;
    NetworkPart hidden =
        columns[NETWORK_SUMS].node != TAPE_NONE ? NETWORK_SUMS : NETWORK_UNITS;
    NetworkPart last = network->gated != TAPE_NONE ? NETWORK_GATED : NETWORK_UNITS;
    const Fan fans[] = {{NETWORK_IN, hidden, network->w_1},
                        {NETWORK_IN, NETWORK_UP, network->w_up},
                        {last, NETWORK_OUT, network->w_2}};
    if (columns[hidden].w / (double)columns[hidden].across < NARROWEST)
        return false;
    picture.widest = widest_line(&picture, fans, 3);
    bool sends = false;
    for (size_t i = 0; i < 3; i++) {
        const NetworkColumn *from = &columns[fans[i].from], *to = &columns[fans[i].to];
        if (from->node == TAPE_NONE || to->node == TAPE_NONE)
            continue;
        sends = true;
        draw_lines(&picture, from, to, fans[i].weights);
        draw_weights_name(&picture, from, to, fans[i].weights);
    }
    if (sends && !stage->canvas->without_legends)
        draw_line_legend(&picture);
    draw_products(&picture);
    network_hinges(&picture);
    for (size_t i = 0; i < NETWORK_COLUMNS; i++)
        draw_column(&picture, &columns[i]);
    draw_word(&picture);
    draw_others(&picture);
    const StageScale scale = {HEATMAP_SIGNED, picture.reach};
    stage_legends(stage, stage->area, &scale, 1);
    return true;
}
