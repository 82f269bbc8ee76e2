#include "picture/operations/matrices/network_picture.h"

#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/lanes.h"
#include "picture/draw/patterns.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

static const double NAME = 19, LABEL = 15, WORD = 19; /* units */
static const double STROKE = 30, SCALE = 244; /* of legends: a line, the colours */
static const double LEGEND_GAP = 44, GATE = 15, GATE_GAP = 56, WALL = 5; /* units */
static const double WIDEST_LINE = 6;                     /* units: of the strongest */
static const double LEAST_LINE = 0.04, FAINT_LINE = 0.3; /* of the strongest */
static const double NARROWEST = 4;                       /* a cell, units */
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

/* How strongly a line is drawn that goes into the cell that is explained, or elsewhere.
 */
static int strength(const NetworkLayout *picture, const NetworkColumn *to, size_t col) {
    const Stage *stage = picture->stage;
    bool bent = to->node == picture->columns[NETWORK_SUMS].node &&
                stage->focus_node == picture->network->a; /* what comes of it */
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

/* What the strongest line carries, and in *bar the share of it that a line must carry to
 * be drawn: of very many lines only the strongest ones are. */
static double strongest(const NetworkLayout *picture, const NetworkColumn *from,
                        const Tensor *weights, double *bar) {
    double most = 0;
    for (size_t i = 0; i < from->count; i++) {
        for (size_t j = 0; j < weights->cols; j++)
            most = fmax(most, carried_at(picture, from, i, weights, j));
    }
    *bar = LEAST_LINE;
    if (count_lines(picture, from, weights, most * *bar) > MANY_LINES) {
        while (count_lines(picture, from, weights, most * *bar) > LINES_OF_MANY)
            *bar += 0.05;
    }
    return most > 0 ? most : 1;
}

/* A line as wide as is its share of what the widest carries. */
static void draw_line(const NetworkLayout *picture, Point from, Point to, double share,
                      int alpha) {
    const Canvas *canvas = picture->stage->canvas;
    const Palette *palette = &canvas->theme->diverging;
    Color color = palette->stops[share < 0 ? 0 : palette->count - 1];
    color.a = (uint8_t)(fabs(share) < FAINT_LINE ? alpha * 3 / 4 : alpha);
    const Point line[] = {from, to};
    pattern_path(canvas, pattern_sign(canvas->theme, share), line, 2,
                 fmax(fabs(share) * WIDEST_LINE, 0.7), 1, color);
}

/* Lines from the cells of one column to those of the next: as wide as what they carry. */
static void draw_lines(const NetworkLayout *picture, const NetworkColumn *from,
                       const NetworkColumn *to, size_t weights) {
    const Tensor *tensor = tensor_of(picture, weights);
    double bar, most = strongest(picture, from, tensor, &bar);
    for (size_t i = 0; i < from->count; i++) {
        for (size_t j = 0; j < to->count; j++) {
            double carried =
                network_value(picture, from, i) * tensor_at(tensor, i, j) / most;
            if (fabs(carried) > bar && network_shows(picture, to->node, picture->row, j))
                draw_line(picture, right_of(from, i), left_of(to, j), carried,
                          strength(picture, to, j));
        }
    }
}

/* The largest of 1, 2, 5 and their tenfolds that is no larger. */
static double round_below(double value) {
    double ten = pow(10, floor(log10(value)));
    return ten * (value >= 5 * ten ? 5 : value >= 2 * ten ? 2 : 1);
}

/* What a column is called; where that is a fraction, what its operation does instead. */
static const char *name_of(const Stage *stage, size_t node) {
    const char *name = stage_formula_name(stage, node);
    double size = canvas_size(stage->canvas, NAME, "");
    FormulaExtent extent = canvas_formula_extent(stage->canvas, name, size);
    return extent.ascent + extent.descent > 1.7 * size
               ? stage_operation_words(stage, node)
               : name;
}

/* How wide a line is that carries so much, with its number; gives back where it ends. */
static double draw_width(const NetworkLayout *picture, Point at, double carried,
                         double most) {
    const Canvas *canvas = picture->stage->canvas;
    Point end = {at.x + STROKE, at.y};
    draw_line(picture, at, end, carried / most, 255);
    char text[NUMBER_SIZE];
    number_format_short(text, carried, 3);
    Box drawn = canvas_label(canvas, FONT_TEXT, LABEL, canvas->theme->ink_soft,
                             (Point){end.x + 8, round(at.y + round(LABEL * 0.35))},
                             LABEL_LEFT, text);
    return drawn.x + drawn.w;
}

/* What the lines by some weights carry, as a legend that begins at `left`, where it has
 * room before `right`; gives back where the next may begin. */
static double draw_line_legend(const NetworkLayout *picture, const NetworkColumn *from,
                               size_t weights, double left, double right) {
    const Stage *stage = picture->stage;
    const Canvas *canvas = stage->canvas;

    double bar, most = strongest(picture, from, tensor_of(picture, weights), &bar);
    double whole = round_below(most), gap = 14;
    double y = stage->area.y + stage->area.h - round(STAGE_LEGEND_HEIGHT / 2);
    const char *name = canvas_format(canvas, "%s \\cdot %s", name_of(stage, from->node),
                                     stage_formula_name(stage, weights));
    double size = canvas_size(canvas, LABEL, "");
    double wide = canvas_formula_extent(canvas, name, size).width;
    if (left + wide +
            2 * (gap + STROKE + 8 + canvas_text_width(canvas, FONT_TEXT, size, "-0.25")) >
        right)
        return left;
    canvas_formula(canvas, name, LABEL, (Point){left, y}, LABEL_LEFT);
    double x = left + wide + gap;
    x = draw_width(picture, (Point){x, y}, -whole, most) + gap;
    return draw_width(picture, (Point){x, y}, whole, most) + LEGEND_GAP;
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
    number_format_told(text, value, picture->decimals);
    double width = canvas_text_width(canvas, FONT_TEXT, picture->digits, text);
    if (box.h >= picture->digits * 1.15 && width <= box.w - 2)
        canvas_text(
            canvas, FONT_TEXT, picture->digits,
            unlit ? theme->ink_soft
                  : palette_ink(ground, theme->cell_dark, theme->cell_light),
            (Point){box.x + box.w / 2, round(box.y + box.h / 2 + picture->digits * 0.36)},
            LABEL_CENTER, text);
    canvas_unlink(canvas);
    if (stage->has_focus && stage->focus_node == column->node &&
        stage->focus_row == picture->row && stage->focus_col == index)
        canvas_outline(canvas, box_inset(box, -2), 5, theme->focus, 3);
}

/* Its name stands above it, where that is different from its neighbours'. */
static void draw_column(const NetworkLayout *picture, const NetworkColumn *column) {
    const Stage *stage = picture->stage;
    const Canvas *canvas = stage->canvas;
    if (column->node == TAPE_NONE)
        return;
    for (size_t i = 0; i < column->count; i++)
        draw_cell(picture, column, i);
    double size = canvas_size(canvas, NAME, "");
    const char *name = name_of(stage, column->node);
    FormulaExtent extent = canvas_formula_fit(
        canvas, name, canvas_size(canvas, LABEL, ""), column->w * 2, &size);
    bool inside = column == &picture->columns[NETWORK_UP]; /* lines end at its left */
    double left = inside ? column->x : column->x + (column->w - extent.width) / 2;
    if (extent.width > column->w * 2)
        return;
    if (inside) /* lines from its cells would strike it */
        canvas_fill(canvas,
                    (Box){left, column->top - 12 - extent.ascent, extent.width,
                          extent.ascent + extent.descent},
                    2, canvas->theme->page);
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, name, size,
                 (Point){left, column->top - 12});
}

/* What the lines between two columns are weighted by, in the middle of them. */
static void draw_weights_name(const NetworkLayout *picture, const NetworkColumn *from,
                              const NetworkColumn *to, size_t weights) {
    const Stage *stage = picture->stage;
    bool below = to == &picture->columns[NETWORK_UP];
    double middle = (from->x + from->w + to->x) / 2;
    double y =
        below ? to->top + to->pitch * (double)to->count : fmin(from->top, to->top) - 18;
    const char *name = stage_formula_name(stage, weights);
    double room = to->x - from->x - from->w - 2 * NETWORK_CELL;
    double size = canvas_size(stage->canvas, NAME, "");
    if (canvas_formula_extent(stage->canvas, name, size).width <= room)
        canvas_formula(stage->canvas, name, NAME, (Point){middle, y}, LABEL_CENTER);
}

/* ---- words ---- */

/* A row as a thin strip of colours. */
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
            (inside && picture->network->gated != TAPE_NONE)) /* two stand there */
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
                    (Point){first - 14, round(line.y + line.h / 2 + fit.size * 0.36)},
                    LABEL_RIGHT, word);
}

static const char *word_of(const NetworkLayout *picture, size_t row) {
    const Canvas *canvas = picture->stage->canvas;
    const Tensor *tensor = tensor_of(picture, picture->stage->node);
    return tensor->row_labels ? token_text(canvas, tensor->row_labels[row])
                              : canvas_count(canvas, row);
}

/* The other words, those nearest to the chosen one. */
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
                    (Point){right, round(picture->area.y + picture->area.h / 2 +
                                         fit.size * 0.36)},
                    LABEL_RIGHT, word);
}

/* A wall across a line, open as far as the gate's number is of 1, or of the largest. */
static void draw_gate(const NetworkLayout *picture, Point centre, double open) {
    const Canvas *canvas = picture->stage->canvas;
    const Theme *theme = canvas->theme;
    double gap = round(GATE * fmin(open, 1));
    canvas_dot(canvas, centre, GATE, theme->page, theme->ink_faint, 1);
    for (int side = -1; side <= 1; side += 2)
        scene_line(canvas->scene, (Point){centre.x, centre.y + side * gap},
                   (Point){centre.x, centre.y + side * GATE}, WALL, theme->ink);
}

/* Each number that is to pass comes to a gate and leaves it as wide as it was let
 * through; from above comes what opens the gate. */
static void draw_products(const NetworkLayout *picture) {
    const Canvas *canvas = picture->stage->canvas;
    const NetworkColumn *to = &picture->columns[NETWORK_GATED];
    const NetworkColumn *gates = &picture->columns[NETWORK_UNITS],
                        *up = &picture->columns[NETWORK_UP];
    double widest = 1;
    for (size_t j = 0; to->node != TAPE_NONE && j < to->count; j++)
        widest = fmax(widest, fabs(network_value(picture, gates, j)));
    for (size_t j = 0; to->node != TAPE_NONE && j < to->count; j++) {
        if (!network_shows(picture, to->node, picture->row, j))
            continue;
        Point end = left_of(to, j), centre = {to->x - GATE_GAP, end.y};
        Point from = right_of(up, j), past = {right_of(gates, j).x, from.y};
        double share = network_value(picture, up, j) / picture->reach,
               passed = network_value(picture, to, j) / picture->reach;
        int alpha = strength(picture, to, j);
        scene_line(canvas->scene, right_of(gates, j), (Point){centre.x, centre.y - GATE},
                   1.5, canvas->theme->ink_faint);
        draw_gate(picture, centre, fabs(network_value(picture, gates, j)) / widest);
        if (past.x > from.x) /* under no cell */
            draw_line(picture, from, past, share, alpha);
        draw_line(picture, past, centre, share, alpha);
        draw_line(picture, centre, end, passed, alpha);
    }
}

/* Columns whose numbers are sent on to another's, and by what. */
typedef struct Fan {
    NetworkPart from, to;
    size_t weights;
} Fan;

bool network_picture(const Stage *stage, const Network *network) {
    const NetworkLayout picture = network_layout(stage, network);
    const NetworkColumn *columns = picture.columns;
    NetworkPart hidden =
        columns[NETWORK_SUMS].node != TAPE_NONE ? NETWORK_SUMS : NETWORK_UNITS;
    NetworkPart last = network->gated != TAPE_NONE ? NETWORK_GATED : NETWORK_UNITS;
    const Fan fans[] = {{NETWORK_IN, hidden, network->w_1},
                        {NETWORK_IN, NETWORK_UP, network->w_up},
                        {last, NETWORK_OUT, network->w_2}};
    if (columns[hidden].w / (double)columns[hidden].across < NARROWEST)
        return false;
    double left = stage->area.x, right = left + stage->area.w - SCALE;
    for (size_t i = 0; i < 3; i++) {
        const NetworkColumn *from = &columns[fans[i].from], *to = &columns[fans[i].to];
        if (from->node == TAPE_NONE || to->node == TAPE_NONE)
            continue;
        draw_lines(&picture, from, to, fans[i].weights);
        draw_weights_name(&picture, from, to, fans[i].weights);
        if (!stage->canvas->without_legends)
            left = draw_line_legend(&picture, from, fans[i].weights, left, right);
    }
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
