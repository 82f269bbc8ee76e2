#include "base/arena.h"
#include "base/maths.h"
#include "lesson/content/content.h"
#include "picture/draw/curves.h"
#include "picture/tensors/tokens.h"
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
static const double LOOP_UNITS = 22; /* radius of an arc to the token itself */
/* Fraction of their size; smaller labels stand upright. */
static const double SMALLEST_WORDS = 0.66;
static const double WORDS_ROOM = 0.5;      /* fraction of the height for upright labels */
static const double LEAST_NUMBER = 0.0005; /* smaller weights have no number */
static const double LEAST_ARC = 0.01;      /* smaller weights have no arc */
static const double WORD_PAD = 4;          /* points beside a token */
/* Points by which the tokens at the ends may reach out. */
static const double OVERHANG = 9;
enum { ALL_ROWS_MAX = 48, NUMBERS_MAX = 64 };
enum {
    FEW_WORDS = 5,
    FEW_IN_TWO_ROWS = 12
}; /* numbers of tokens with all arcs; more in two rows, where arcs are less dense */

/* Number of an arc of the focused token, with its position. */
typedef struct Number {
    size_t col;
    double left, right;
} Number;

typedef struct Arcs {
    const Stage *stage;
    const Tensor *tensor;
    Color hue;
    bool one_row;          /* self-attention: queries and keys are the same tokens */
    size_t row;            /* chosen token; the number of tokens if none is chosen */
    double width;          /* width of an arc with weight 1 */
    Box area;              /* between captions and legend */
    double top, bottom;    /* upper edges of the rows of tokens; one row: only `top` */
    double words, numbers; /* heights of tokens and numbers */
    double above, below;   /* one row: largest height of arcs above and below */
    bool upright, crowded; /* labels stand upright; not every label has room */
    double word_size;
    size_t number_count;
    Number numbers_at[NUMBERS_MAX];
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

static double widest_of(const Arcs *arcs, const char *const *labels, size_t count,
                        double size) {
    const Canvas *canvas = arcs->stage->canvas;
    double widest = 0;
    for (size_t i = 0; i < count; i++)
        widest =
            fmax(widest, canvas_text_width(canvas, FONT_BOLD,
                                           fmax(size, canvas_least(canvas, labels[i])),
                                           token_text(canvas, labels[i])));
    return widest;
}

static double widest_word(const Arcs *arcs, double size) {
    const Tensor *tensor = arcs->tensor;
    return fmax(widest_of(arcs, tensor->row_labels, tensor->rows, size),
                widest_of(arcs, tensor->col_labels, tensor->cols, size));
}

static double pitch_of(const Arcs *arcs, bool keys) {
    size_t count = keys ? arcs->tensor->cols : arcs->tensor->rows;
    return arcs->area.w / (double)count;
}

static double x_of(const Arcs *arcs, bool keys, size_t index) {
    return round(arcs->area.x + pitch_of(arcs, keys) * ((double)index + 0.5));
}

/* Reports whether horizontal labels keep apart; the last may reach a little beyond the
 * area. */
static bool keep_apart(const Arcs *arcs, bool keys, double size) {
    const Tensor *tensor = arcs->tensor;
    const char *const *labels = keys ? tensor->col_labels : tensor->row_labels;
    size_t count = keys ? tensor->cols : tensor->rows;
    double pitch = pitch_of(arcs, keys), before = 0;
    for (size_t i = 0; i < count; i++) {
        double half = widest_of(arcs, labels + i, 1, size) / 2;
        if (half + before + 2 * WORD_PAD > (i ? pitch : pitch / 2 + OVERHANG))
            return false;
        before = half;
    }
    return before + WORD_PAD <= pitch / 2 + OVERHANG;
}

static bool lie_flat(const Arcs *arcs, double size) {
    return keep_apart(arcs, false, size) && keep_apart(arcs, true, size);
}

/* Sets the labels' largest size at which they are horizontal, or else sets them
 * upright. */
static void measure_words(Arcs *arcs) {
    const Canvas *canvas = arcs->stage->canvas;
    double pitch = fmin(pitch_of(arcs, false), pitch_of(arcs, true));
    double least = canvas_least(canvas, "");
    double wanted = fmax(canvas_size(canvas, WORD_UNITS, ""), least);
    double smallest = fmax(round(wanted * SMALLEST_WORDS), least);
    double room = arcs->area.h * WORDS_ROOM;
    arcs->word_size = wanted;
    while (arcs->word_size > smallest && !lie_flat(arcs, arcs->word_size))
        arcs->word_size--;
    arcs->upright = !lie_flat(arcs, arcs->word_size);
    arcs->words = arcs->word_size + 20;
    if (arcs->upright) {
        arcs->word_size = wanted;
        while (arcs->word_size > least &&
               widest_word(arcs, arcs->word_size) + 2 * WORD_PAD > room)
            arcs->word_size--;
        arcs->words = fmin(widest_word(arcs, arcs->word_size) + 2 * WORD_PAD, room);
    }
    arcs->numbers = canvas_size(canvas, NUMBER_UNITS, "") * 1.3;
    arcs->crowded = arcs->upright && pitch < arcs->word_size * 1.15;
    double narrow = fmax(pitch * ARC_OF_PITCH, NARROWEST_ARC);
    arcs->width = WIDEST_ARC;
    if (draws_all_rows(arcs))
        arcs->width = fmin(arcs->width, narrow);
}

/* Divides the height left by tokens and numbers among the arcs above and below. */
static void place_one_row(Arcs *arcs) {
    bool ahead = any_arc(arcs, true), back = any_arc(arcs, false);
    double number_rows = (double)(ahead + back);
    double room = arcs->area.h - arcs->words - number_rows * arcs->numbers - arcs->width;
    room = fmin(room, arcs->area.w * 0.35 * fmax(number_rows, 1)); /* keeps arcs flat */
    arcs->above = back ? (ahead ? room / 2 : room) : 0;
    arcs->below = ahead ? (back ? room / 2 : room) : 0;
    double used = room + arcs->words + number_rows * arcs->numbers + arcs->width;
    double first = arcs->area.y + (arcs->area.h - used) / 2 + arcs->width / 2;
    arcs->top = round(first + arcs->above + (back ? arcs->numbers : 0));
}

static void place_two_rows(Arcs *arcs) {
    double words = arcs->upright ? 2 * arcs->words : 0;
    double height = fmin(arcs->area.h, arcs->area.w * 0.6 + words);
    arcs->top = round(arcs->area.y + (arcs->area.h - height) / 2);
    arcs->bottom = round(arcs->top + height - arcs->words);
}

/* ---- curves ---- */

/* Points of a ring that stands on a token. */
static size_t loop_points(const Arcs *arcs, size_t row, Point *points) {
    double radius =
        fmin(fmin(LOOP_UNITS, pitch_of(arcs, false) * 0.3), arcs->above * 0.4);
    double x = x_of(arcs, false, row), y = arcs->top - arcs->numbers - arcs->width / 2;
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double angle = 2 * PI * (double)i / (CURVE_POINTS - 1);
        points[i] = (Point){x + radius * sin(angle), y - radius * (1 - cos(angle))};
    }
    points[CURVE_POINTS - 1] = points[0]; /* closed */
    return CURVE_POINTS;
}

/* Points of half an ellipse from one token to another. */
static size_t arc_points(const Arcs *arcs, size_t row, size_t col, Point *points) {
    bool down = col > row;
    double from = x_of(arcs, false, row), to = x_of(arcs, true, col);
    double distance = fabs((double)row - (double)col);
    double room = down ? arcs->below : arcs->above;
    double y = down ? arcs->top + arcs->words + arcs->numbers : arcs->top - arcs->numbers;
    double height = room * (distance + 0.45) / ((double)arcs->tensor->cols - 0.55);
    double middle = (from + to) / 2, half = (to - from) / 2;
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double angle = PI * (double)i / (CURVE_POINTS - 1);
        points[i] = (Point){middle - half * cos(angle),
                            y + (down ? height : -height) * sin(angle)};
    }
    return CURVE_POINTS;
}

/* Points of an S-shaped curve from a query down to a key. */
static size_t sink_points(const Arcs *arcs, size_t row, size_t col, Point *points) {
    curve_points((Point){x_of(arcs, false, row), arcs->top + arcs->words},
                 (Point){x_of(arcs, true, col), arcs->bottom - arcs->numbers}, true,
                 points);
    return CURVE_POINTS;
}

static void draw_arc(const Arcs *arcs, size_t row, size_t col) {
    const Canvas *canvas = arcs->stage->canvas;
    double weight = weight_of(arcs, row, col);
    bool strong = row == arcs->row, alike = !has_row(arcs);
    if (weight < LEAST_ARC)
        return;
    Point points[CURVE_POINTS];
    size_t count = !arcs->one_row ? sink_points(arcs, row, col, points)
                   : row == col   ? loop_points(arcs, row, points)
                                  : arc_points(arcs, row, col, points);
    Color color = strong || alike ? arcs->hue : canvas->theme->ink_faint;
    double least = strong ? 110 : alike ? 60 : 40;
    double more = strong || alike ? 130 : 60;
    color.a = (uint8_t)(least + more * weight);
    canvas_link_cell(canvas, arcs->stage->node, row, col);
    scene_path(canvas->scene, points, count, weight * arcs->width, color);
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

static const char *number_text(const Arcs *arcs, size_t col) {
    return view_number(arcs->stage, arcs->stage->node,
                       tensor_at(arcs->tensor, arcs->row, col));
}

static bool has_room(const Number *numbers, size_t count, size_t row, Number number,
                     bool one_row) {
    for (size_t i = 0; i < count; i++) {
        bool same_side = !one_row || (numbers[i].col > row) == (number.col > row);
        if (same_side && number.left < numbers[i].right + 4 &&
            number.right > numbers[i].left - 4)
            return false;
    }
    return true;
}

static void draw_number(const Arcs *arcs, const Number *number) {
    const Canvas *canvas = arcs->stage->canvas;
    bool below = arcs->one_row && number->col > arcs->row;
    double size = canvas_size(canvas, NUMBER_UNITS, "");
    double y = arcs->one_row ? below ? arcs->top + arcs->words + arcs->numbers * 0.78
                                     : arcs->top - arcs->numbers * 0.3
                             : arcs->bottom - arcs->numbers * 0.3;
    bool focus = arcs->stage->has_focus && arcs->stage->focus_col == number->col;
    canvas_link_cell(canvas, arcs->stage->node, arcs->row, number->col);
    canvas_text(canvas, focus ? FONT_BOLD : FONT_TEXT, size,
                focus ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){(number->left + number->right) / 2, round(y)}, LABEL_CENTER,
                number_text(arcs, number->col));
    canvas_unlink(canvas);
}

/* Chooses the largest weights that have room for their numbers. */
static void choose_numbers(Arcs *arcs) {
    const Canvas *canvas = arcs->stage->canvas;
    size_t cols = arcs->tensor->cols;
    bool *done = arena_alloc(canvas->scene->arena, cols, sizeof *done);
    double size = canvas_size(canvas, NUMBER_UNITS, "");
    for (size_t tries = 0;
         done && has_row(arcs) && tries < cols && arcs->number_count < NUMBERS_MAX;
         tries++) {
        size_t best = cols;
        for (size_t j = 0; j < cols; j++) {
            if (!done[j] && weight_of(arcs, arcs->row, j) >= LEAST_NUMBER &&
                (best == cols ||
                 weight_of(arcs, arcs->row, j) > weight_of(arcs, arcs->row, best)))
                best = j;
        }
        if (tries == 0 && arcs->crowded && arcs->one_row)
            best = arcs->row; /* the token itself keeps its number's position */
        if (best == cols)
            return;
        done[best] = true;
        const char *text = number_text(arcs, best);
        double half = canvas_text_width(canvas, FONT_BOLD, size, text) / 2;
        double x = x_of(arcs, true, best);
        Number number = {best, x - half, x + half};
        if (has_room(arcs->numbers_at, arcs->number_count, arcs->row, number,
                     arcs->one_row && !arcs->crowded))
            arcs->numbers_at[arcs->number_count++] = number;
    }
}

/* Reports whether a key has a number. */
static bool has_number(const Arcs *arcs, size_t col) {
    for (size_t i = 0; i < arcs->number_count; i++) {
        if (arcs->numbers_at[i].col == col)
            return true;
    }
    return false;
}

/* ---- words ---- */

/* Draws a token; the present one has a frame in the table's hue. */
static void draw_word(const Arcs *arcs, bool keys, size_t index, double top) {
    const Canvas *canvas = arcs->stage->canvas;
    const Theme *theme = canvas->theme;
    const char *label =
        keys ? arcs->tensor->col_labels[index] : arcs->tensor->row_labels[index];
    const char *text = token_text(canvas, label);
    bool present = !keys && index == arcs->row;
    FontRole font = present ? FONT_BOLD : FONT_TEXT;
    double size = fmax(arcs->word_size, canvas_least(canvas, text)),
           x = x_of(arcs, keys, index);
    double pitch = pitch_of(arcs, keys), pad = 10;
    double room = arcs->upright ? arcs->words - 2 * WORD_PAD + 0.1 : 2 * pitch;
    bool is_key = keys || arcs->one_row;
    if (arcs->crowded && !present && !(is_key && has_number(arcs, index)))
        return; /* only tokens that are discussed */
    LabelFit fit =
        label_fit(canvas->scene->arena, canvas->metrics, font, size, size, room, text);
    double width = canvas_text_width(canvas, font, fit.size, fit.text);
    double frame_w = arcs->upright ? fit.size * 1.5 : width + 2 * pad;
    frame_w = fmin(frame_w, fmax(pitch + 2 * WORD_PAD, fit.size * 1.5));
    Box frame = {round(x - frame_w / 2), top + 1, round(frame_w), arcs->words - 2};
    if (present)
        scene_rectangle(canvas->scene, frame, 8, theme->bar, arcs->hue, 2);
    Color ink = present ? theme->ink : theme->ink_soft;
    double middle = top + arcs->words / 2;
    Box drawn = arcs->upright
                    ? label_draw_upright(canvas->scene, canvas->metrics, font, fit.size,
                                         ink, (Point){x, middle}, LABEL_CENTER, fit.text)
                    : canvas_text(canvas, font, fit.size, ink,
                                  (Point){x, label_baseline(middle, fit.size)},
                                  LABEL_CENTER, fit.text);
    if (!arcs->upright)
        room = pitch + 2 * OVERHANG;
    if (!present && token_frame_in(canvas, font, &fit, label, room, INFINITY) > 0)
        token_frame(canvas, drawn, fit.size, label);
}

static size_t largest_share(const Tensor *tensor, size_t row) {
    size_t best = 0;
    for (size_t j = 0; j < tensor->cols; j++) {
        if (tensor_at(tensor, row, j) > tensor_at(tensor, row, best))
            best = j;
    }
    return best;
}

/* Draws the tokens; a query's token links to its row, a key's token to its column in the
 * focused row. */
static void draw_words(const Arcs *arcs, bool keys, double top) {
    const Canvas *canvas = arcs->stage->canvas;
    size_t count = keys ? arcs->tensor->cols : arcs->tensor->rows;
    double pitch = pitch_of(arcs, keys);
    for (size_t i = 0; i < count; i++) {
        Link link = {LINK_CELL, arcs->stage->node, keys ? arcs->row : i,
                     keys ? i : largest_share(arcs->tensor, i)};
        canvas_link(canvas, !keys || has_row(arcs) ? link : (Link){0});
        canvas_target(canvas,
                      (Box){arcs->area.x + pitch * (double)i, top, pitch, arcs->words});
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

static void draw_side(const Arcs *arcs, Box strip, double middle, const char *note) {
    const Canvas *canvas = arcs->stage->canvas;
    LabelFit fit =
        canvas_fit(canvas, FONT_TEXT, canvas_size(canvas, 13.5, note), strip.w, note);
    canvas_text(canvas, FONT_TEXT, fit.size, canvas->theme->ink_faint,
                (Point){strip.x, label_baseline(middle, fit.size)}, LABEL_LEFT, fit.text);
}

/* Draws the legend of the sides above and below the tokens; in two lines if one is too
 * short. */
static void draw_sides(const Arcs *arcs, Box strip) {
    const Canvas *canvas = arcs->stage->canvas;
    const char *back = canvas_string(canvas, "view.looks_back");
    double middle = strip.y + strip.h / 2;
    if (!any_arc(arcs, true)) {
        draw_side(arcs, strip, middle, back);
        return;
    }
    const char *ahead = canvas_string(canvas, "view.looks_ahead");
    const char *both = canvas_format(canvas, "%s   ·   %s", back, ahead);
    double smallest = canvas_least(canvas, both);
    if (canvas_text_width(canvas, FONT_TEXT, smallest, both) <= strip.w) {
        draw_side(arcs, strip, middle, both);
        return;
    }
    draw_side(arcs, strip, middle - smallest * 0.6, back);
    draw_side(arcs, strip, middle + smallest * 0.6, ahead);
}

static Arcs arcs_of(const Stage *stage) {
    Arcs arcs = {.stage = stage,
                 .tensor = stage_tensor(stage, stage->node),
                 .row = view_row(stage),
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
    choose_numbers(&arcs);
    draw_arcs(&arcs);
    draw_words(&arcs, false, arcs.top);
    if (!arcs.one_row)
        draw_words(&arcs, true, arcs.bottom);
    for (size_t i = 0; i < arcs.number_count; i++)
        draw_number(&arcs, &arcs.numbers_at[i]);
}
