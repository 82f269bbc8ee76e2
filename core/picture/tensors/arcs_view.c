#include "base/maths.h"
#include "lesson/content/content.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/draw/token.h"
#include "picture/tensors/views.h"

#include <string.h>

/* Attention weights as arcs between tokens; an arc's width shows its weight. In
 * self-attention the tokens stand in one row: arcs to the token itself and to tokens
 * before it run above, arcs to tokens after it below. In cross-attention there are two
 * rows with curves between them. The focused token's arcs are strong and have their
 * numbers; the others' are pale, and left out if there are many tokens. */

static const double WORD_UNITS = 19, NUMBER_UNITS = 15, WIDEST_ARC = 20,
                    NARROWEST_ARC = 6; /* of a weight of 1 */
/* Widest arc, relative to the distance of tokens. */
static const double ARC_OF_PITCH = 0.3;
static const double LOOP_UNITS = 22;       /* radius of an arc to the token itself */
static const double WORDS_ROOM = 0.35;     /* fraction of the height for upright labels */
static const double LEAST_NUMBER = 0.0005; /* smaller weights have no number */
static const double LEAST_ARC = 0.01;      /* smaller weights have no arc */
enum {
    ALL_ROWS_MAX = 48,
    /* Numbers of tokens with all arcs; more in two rows, where arcs are less dense. */
    FEW_WORDS = 5,
    FEW_IN_TWO_ROWS = 12
};

typedef struct Arcs {
    const Stage *stage;
    const Tensor *tensor;
    Color hue;
    bool one_row;              /* self-attention: queries and keys are the same tokens */
    size_t row;                /* chosen token; the number of tokens if none is chosen */
    double width;              /* width of an arc with weight 1 */
    Box area;                  /* between captions and legend */
    LabelRow rows[2];          /* tokens of the queries, and of the keys */
    double top, bottom;        /* upper edges of the rows; one row: only `top` */
    double numbers;            /* height of numbers */
    double above, below;       /* one row: largest height of arcs above and below */
    Series weights;            /* of the chosen token */
    Taken taken;               /* rooms of the numbers at its arcs, in any order */
    size_t written[TAKEN_MAX]; /* the keys that have them */
} Arcs;

/* ---- measuring ---- */

static bool same_labels(const Tensor *tensor) {
    if (tensor->rows != tensor->cols)
        return false;
    for (size_t i = 0; i < tensor->rows; i++) {
        if (strcmp(tensor->row_labels[i], tensor->col_labels[i]) != 0)
            return false;
    }
    return true;
}

/* Reports whether the arcs of all tokens are drawn, not only the focused one's, as for
 * very many tokens. */
static bool draws_all_rows(const Arcs *arcs) {
    return arcs->tensor->rows <= ALL_ROWS_MAX && arcs->tensor->cols <= ALL_ROWS_MAX;
}

/* Reports whether a token's arcs are in front of the others'. */
static bool has_row(const Arcs *arcs) {
    return arcs->row < arcs->tensor->rows;
}

static double weight_of(const Arcs *arcs, size_t row, size_t col) {
    return view_cell_visible(arcs->stage, row, col) ? tensor_at(arcs->tensor, row, col)
                                                    : 0;
}

static bool has_arc(const Tensor *tensor, bool ahead) {
    for (size_t i = 0; i < tensor->rows; i++) {
        for (size_t j = 0; j < tensor->cols; j++) {
            if ((j > i) == ahead && tensor_at(tensor, i, j) > 0)
                return true;
        }
    }
    return false;
}

/* Reports whether any token of the step's tensors attends to a later one (`ahead`), or to
 * itself or an earlier one. All of them are checked so that the tokens of tables side by
 * side are at one height. */
static bool any_arc(const Arcs *arcs, bool ahead) {
    const LessonStep *step = arcs->stage->step;
    bool any = has_arc(arcs->tensor, ahead);
    for (size_t i = 0; i < step->shown_count; i++) {
        const Tensor *beside = stage_tensor(arcs->stage, step->shown[i]);
        bool alike = beside->rows == arcs->tensor->rows && beside->cols == beside->rows;
        any |= alike && has_arc(beside, ahead);
    }
    return any;
}

static const char *query_label(const void *of, size_t index) {
    return ((const Tensor *)of)->row_labels[index];
}

static const char *key_label(const void *of, size_t index) {
    return ((const Tensor *)of)->col_labels[index];
}

static double x_of(const Arcs *arcs, bool keys, size_t index) {
    return label_row_x(&arcs->rows[keys], index);
}

static void measure_words(Arcs *arcs) {
    const Canvas *canvas = arcs->stage->canvas;
    for (int keys = 0; keys < 2; keys++) {
        LabelRow *row = &arcs->rows[keys];
        *row = (LabelRow){.canvas = canvas,
                          .label = keys ? key_label : query_label,
                          .list = arcs->tensor,
                          .count = keys ? arcs->tensor->cols : arcs->tensor->rows,
                          .left = arcs->area.x,
                          .units = WORD_UNITS};
        row->pitch = arcs->area.w / (double)row->count;
        label_row_measure(row, arcs->area.h * WORDS_ROOM);
    }
    arcs->numbers = canvas_size(canvas, NUMBER_UNITS, "") * 1.3;
    double pitch = fmin(arcs->rows[0].pitch, arcs->rows[1].pitch);
    arcs->width = WIDEST_ARC;
    if (draws_all_rows(arcs))
        arcs->width = fmin(arcs->width, fmax(pitch * ARC_OF_PITCH, NARROWEST_ARC));
}

/* Divides the height left by tokens and numbers among the arcs above and below. */
static void place_one_row(Arcs *arcs) {
    bool ahead = any_arc(arcs, true), back = any_arc(arcs, false);
    double sides = (double)(ahead + back);
    double fixed = arcs->rows[0].height + sides * arcs->numbers + arcs->width;
    double room = arcs->area.h - fixed;
    room = fmin(room, arcs->area.w * 0.35 * fmax(sides, 1)); /* keeps arcs flat */
    arcs->above = back ? (ahead ? room / 2 : room) : 0;
    arcs->below = ahead ? (back ? room / 2 : room) : 0;
    double first = arcs->area.y + (arcs->area.h - room - fixed + arcs->width) / 2;
    arcs->top = round(first + arcs->above + (back ? arcs->numbers : 0));
}

static void place_two_rows(Arcs *arcs) {
    const LabelRow *rows = arcs->rows;
    double words = rows[0].upright ? rows[0].height : 0;
    words += rows[1].upright ? rows[1].height : 0;
    double height = fmin(arcs->area.h, arcs->area.w * 0.6 + words);
    arcs->top = round(arcs->area.y + (arcs->area.h - height) / 2);
    arcs->bottom = round(arcs->top + height - rows[1].height);
}

/* ---- curves ---- */

/* Points of a ring that stands on a token. */
static void loop_points(const Arcs *arcs, size_t row, Point points[CURVE_POINTS]) {
    double radius = fmin(fmin(LOOP_UNITS, arcs->rows[0].pitch * 0.3), arcs->above * 0.4);
    double x = x_of(arcs, false, row), y = arcs->top - arcs->numbers - arcs->width / 2;
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double angle = 2 * PI * (double)i / (CURVE_POINTS - 1);
        points[i] = (Point){x + radius * sin(angle), y - radius * (1 - cos(angle))};
    }
    points[CURVE_POINTS - 1] = points[0]; /* closed */
}

/* Points of half an ellipse from one token to another, or of an S-shaped curve from a
 * query down to a key. */
static void arc_points(const Arcs *arcs, size_t row, size_t col,
                       Point points[CURVE_POINTS]) {
    double from = x_of(arcs, false, row), to = x_of(arcs, true, col);
    double foot = arcs->top + arcs->rows[0].height,
           distance = fabs((double)row - (double)col);
    double flat = (distance + 0.45) / ((double)arcs->tensor->cols - 0.55);
    if (!arcs->one_row)
        curve_points((Point){from, foot}, (Point){to, arcs->bottom - arcs->numbers}, true,
                     points);
    else if (row == col)
        loop_points(arcs, row, points);
    else if (col > row)
        view_arc(from, to, foot + arcs->numbers, -arcs->below * flat, points);
    else
        view_arc(from, to, arcs->top - arcs->numbers, arcs->above * flat, points);
}

static void draw_arc(const Arcs *arcs, size_t row, size_t col) {
    const Canvas *canvas = arcs->stage->canvas;
    double weight = weight_of(arcs, row, col);
    bool strong = row == arcs->row, alike = !has_row(arcs);
    if (weight < LEAST_ARC)
        return;
    Point points[CURVE_POINTS];
    arc_points(arcs, row, col, points);
    Color color = strong || alike ? arcs->hue : canvas->theme->ink_faint;
    double least = strong ? 110 : alike ? 60 : 40;
    double more = strong || alike ? 130 : 60;
    color.a = (uint8_t)(least + more * weight);
    canvas_link_cell(canvas, arcs->stage->node, row, col);
    scene_path(canvas->scene, points, CURVE_POINTS, weight * arcs->width, color);
    canvas_unlink(canvas);
}

/* Draws a row's arcs, long ones first, so that short ones lie on top and can be pointed
 * at. */
static void draw_row_arcs(const Arcs *arcs, size_t row) {
    size_t cols = arcs->tensor->cols;
    for (size_t distance = cols; distance-- > 0;) {
        if (!arcs->one_row) {
            draw_arc(arcs, row, distance);
            continue;
        }
        if (row >= distance)
            draw_arc(arcs, row, row - distance);
        if (distance && row + distance < cols)
            draw_arc(arcs, row, row + distance);
    }
}

static void draw_arcs(const Arcs *arcs) {
    const Tensor *tensor = arcs->tensor;
    size_t most = arcs->one_row ? FEW_WORDS : FEW_IN_TWO_ROWS;
    bool few = tensor->rows <= most && tensor->cols <= most;
    bool others = has_row(arcs) ? few : draws_all_rows(arcs);
    for (size_t i = 0; i < tensor->rows && others; i++) {
        if (i != arcs->row)
            draw_row_arcs(arcs, i);
    }
    if (has_row(arcs))
        draw_row_arcs(arcs, arcs->row);
}

/* ---- numbers at the focused word's arcs ---- */

static void draw_number(const Arcs *arcs, size_t col) {
    const Canvas *canvas = arcs->stage->canvas;
    bool focus = col == arcs->weights.focus;
    double y = arcs->bottom - arcs->numbers * 0.3;
    if (arcs->one_row && col > arcs->row)
        y = arcs->top + arcs->rows[0].height + arcs->numbers * 0.78;
    else if (arcs->one_row)
        y = arcs->top - arcs->numbers * 0.3;
    canvas_link(canvas, series_link(&arcs->weights, col));
    canvas_label(canvas, focus ? FONT_BOLD : FONT_TEXT, NUMBER_UNITS,
                 focus ? canvas->theme->ink : canvas->theme->ink_soft,
                 (Point){x_of(arcs, true, col), round(y)}, LABEL_CENTER,
                 series_number(&arcs->weights, col));
    canvas_unlink(canvas);
}

/* Gives a key its number if there is room. */
static void add_number(Arcs *arcs, size_t col) {
    const Canvas *canvas = arcs->stage->canvas;
    double width =
        canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, NUMBER_UNITS, ""),
                          series_number(&arcs->weights, col)) +
        4;
    bool below = arcs->one_row && !arcs->rows[0].is_crowded && col > arcs->row;
    if (taken_add(&arcs->taken,
                  (Box){x_of(arcs, true, col) - width / 2, below, width, 1}))
        arcs->written[arcs->taken.count - 1] = col;
}

/* Chooses the largest weights that have room for their numbers. */
static void choose_numbers(Arcs *arcs) {
    const size_t *order = series_order(&arcs->weights);
    if (arcs->rows[0].is_crowded && arcs->one_row)
        add_number(arcs, arcs->row); /* the token itself keeps its number's position */
    for (size_t i = 0; i < arcs->weights.count; i++) {
        if (weight_of(arcs, arcs->row, order[i]) >= LEAST_NUMBER)
            add_number(arcs, order[i]);
    }
}

/* Reports whether a key has a number. */
static bool has_number(const Arcs *arcs, size_t col) {
    for (size_t i = 0; i < arcs->taken.count; i++) {
        if (arcs->written[i] == col)
            return true;
    }
    return false;
}

/* ---- words ---- */

/* Draws a token; the present one has a frame in the table's hue. */
static void draw_word(Arcs *arcs, bool keys, size_t index, double top) {
    const Canvas *canvas = arcs->stage->canvas;
    LabelRow *row = &arcs->rows[keys];
    bool present = !keys && index == arcs->row, is_key = keys || arcs->one_row;
    if (row->is_crowded && !present && !(is_key && has_number(arcs, index)))
        return;                /* only tokens that are discussed */
    double pad = 20, near = 8; /* the latter is between horizontal labels */
    double label = label_row_width(row, index);
    double least = row->upright ? row->size * 1.5 : label + near;
    double width = label + (row->upright ? 0 : pad);
    width = fmax(fmin(width, row->pitch + pad / 2), least);
    if (present)
        scene_rectangle(canvas->scene,
                        (Box){round(x_of(arcs, keys, index) - width / 2), top + 1,
                              round(width), row->height - 2},
                        8, canvas->theme->bar, arcs->hue, 2);
    label_row_draw(row, index, top, LABEL_CENTER, present);
}

/* Draws the tokens, the present one first; a query's token links to its row, a key's
 * token to its column in the focused row. */
static void draw_words(Arcs *arcs, bool keys, double top) {
    const Canvas *canvas = arcs->stage->canvas;
    const LabelRow *row = &arcs->rows[keys];
    size_t first = keys || !has_row(arcs) ? 0 : arcs->row;
    for (size_t k = 0; k < row->count; k++) {
        size_t i = (first + k) % row->count;
        Series weights = series_of(canvas, arcs->tensor, keys ? 0 : i);
        weights.node = arcs->stage->node;
        canvas_link(canvas, !keys ? series_link(&weights, series_largest(&weights))
                            : has_row(arcs) ? series_link(&arcs->weights, i)
                                            : (Link){0});
        canvas_target(canvas, (Box){row->left + row->pitch * (double)i, top, row->pitch,
                                    row->height});
        draw_word(arcs, keys, i, top);
        canvas_unlink(canvas);
    }
}

/* ---- captions and legend ---- */

/* Names the rows of queries and keys. */
static void draw_roles(const Arcs *arcs, Box strip) {
    const Canvas *canvas = arcs->stage->canvas;
    const Theme *theme = canvas->theme;
    double gap = 8;
    Point at = {strip.x, round(strip.y + strip.h * 0.65)};
    Box drawn = canvas_label(canvas, FONT_BOLD, 15, theme->query, at, LABEL_LEFT,
                             canvas_string(canvas, "view.queries"));
    at.x = drawn.x + drawn.w + gap;
    drawn = canvas_label(canvas, FONT_TEXT, 15, theme->ink_faint, at, LABEL_LEFT, "→");
    at.x = drawn.x + drawn.w + gap;
    canvas_label(canvas, FONT_BOLD, 15, theme->key, at, LABEL_LEFT,
                 canvas_string(canvas, "view.keys"));
}

static const double LEGEND_FRACTIONS[] = {0.25, 0.5, 1};

/* Draws the legend of widths; returns its left end. */
static double draw_widths(const Arcs *arcs, Box strip) {
    const Canvas *canvas = arcs->stage->canvas;
    const Theme *theme = canvas->theme;
    double middle = round(strip.y + strip.h / 2), x = strip.x + strip.w;
    double size = canvas_size(canvas, 13.5, "一"), gap = 10;
    double stroke = 34, baseline = label_baseline(middle, size);
    for (size_t i = 3; i-- > 0;) {
        const char *text = canvas_format(canvas, "%g", LEGEND_FRACTIONS[i]);
        Box drawn = canvas_text(canvas, FONT_TEXT, size, theme->ink_soft,
                                (Point){x, baseline}, LABEL_RIGHT, text);
        x = drawn.x - gap;
        Color color = theme->ink_faint;
        color.a = (uint8_t)(110 + 130 * LEGEND_FRACTIONS[i]);
        scene_line(canvas->scene, (Point){x - stroke, middle + 0.5},
                   (Point){x, middle + 0.5}, LEGEND_FRACTIONS[i] * arcs->width, color);
        x -= stroke + 2 * gap;
    }
    Box drawn =
        canvas_text(canvas, FONT_TEXT, size, theme->ink_soft, (Point){x, baseline},
                    LABEL_RIGHT, canvas_string(canvas, "view.share"));
    return drawn.x;
}

static void draw_side(const Arcs *arcs, Box strip, const char *note) {
    const Canvas *canvas = arcs->stage->canvas;
    chart_text(canvas, FONT_TEXT, canvas_size(canvas, 13.5, note),
               canvas->theme->ink_faint, strip, LABEL_LEFT, note);
}

/* Draws the legend of the sides above and below the tokens; in two lines if one is too
 * short. */
static void draw_sides(const Arcs *arcs, Box strip) {
    const Canvas *canvas = arcs->stage->canvas;
    const char *back = canvas_string(canvas, "view.looks_back");
    const char *ahead = canvas_string(canvas, "view.looks_ahead");
    const char *both = canvas_format(canvas, "%s   ·   %s", back, ahead);
    double smallest = canvas_least(canvas, both);
    if (!any_arc(arcs, true)) {
        draw_side(arcs, strip, back);
    } else if (canvas_text_width(canvas, FONT_TEXT, smallest, both) <= strip.w) {
        draw_side(arcs, strip, both);
    } else {
        strip = (Box){strip.x, strip.y - smallest * 0.6, strip.w, strip.h};
        draw_side(arcs, strip, back);
        strip.y += smallest * 1.2;
        draw_side(arcs, strip, ahead);
    }
}

static Arcs arcs_of(const Stage *stage) {
    Arcs arcs = {.stage = stage,
                 .tensor = stage_tensor(stage, stage->node),
                 .row = view_row(stage),
                 .weights = view_series(stage),
                 .area = stage->area};
    arcs.one_row = same_labels(arcs.tensor);
    if (!stage->has_focus && draws_all_rows(&arcs))
        arcs.row = arcs.tensor->rows; /* no token is chosen */
    box_take_top(&arcs.area, 32);
    measure_words(&arcs);
    return arcs;
}

void arcs_legend(const Stage *stage, Box strip) {
    Arcs arcs = arcs_of(stage);
    double left = draw_widths(&arcs, strip);
    strip.w = left - strip.x - 30;
    if (arcs.one_row)
        draw_sides(&arcs, strip);
}

void arcs_view(const Stage *stage, ViewPlace place) {
    Arcs arcs = arcs_of(stage);
    arcs.hue = view_hue(stage, place);
    if (arcs.one_row)
        place_one_row(&arcs);
    else
        place_two_rows(&arcs);
    Box head = stage->area;
    head = box_take_top(&head, 32);
    view_caption(stage, head, arcs.hue);
    if (!arcs.one_row)
        draw_roles(&arcs, head);
    if (has_row(&arcs))
        choose_numbers(&arcs);
    draw_arcs(&arcs);
    draw_words(&arcs, false, arcs.top);
    if (!arcs.one_row)
        draw_words(&arcs, true, arcs.bottom);
    for (size_t i = 0; i < arcs.taken.count; i++)
        draw_number(&arcs, arcs.written[i]);
}
