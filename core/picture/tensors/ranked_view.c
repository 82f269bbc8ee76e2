#include "lesson/content/content.h"
#include "model/generate/generate.h"
#include "picture/charts/probability_bar.h"
#include "picture/draw/emphasis.h"
#include "picture/draw/marks.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include <math.h>

/* Probabilities over more tokens than can stand side by side: the likeliest tokens in
 * descending order, each with its bar and its number. Tables side by side have one order,
 * the first one's, so that a token is in the same line of each, and one axis. The token
 * that is discussed always has a line: the last one, below "⋮" if it doesn't follow in
 * rank. */

/* Units. */
static const double TEXT = 19, OTHERS = 16, SMALLEST_ROW = 20, TALLEST_ROW = 54;
static const double GAP = 14;
static const double BAR_FRACTION = 0.62; /* fraction of a row's height */
/* Least height of a bar with a number in it, relative to the digits. */
static const double HOLDS_NUMBER = 1.1;
static const double WORD_FRACTION = 0.3;   /* largest fraction of the width */
static const double LEAST_LISTED = 0.0005; /* half a unit of the third decimal */
static const double LEAST_OTHERS = 0.001; /* smallest sum of the others that is written */
static const double END_STEP = 0.2;       /* step of the common axis' end */
enum { ROWS_MOST = 12, ROWS_LEAST = 5, SKIPS_LEAST = 3, MANY = 3 };
#define NO_COLUMN ((size_t)-1)

typedef struct Ranked {
    const Stage *stage;
    const Tensor *tensor;
    size_t row;
    const size_t *order; /* columns in the order of their lines */
    size_t lines;        /* number of columns with a line */
    bool skips;          /* "⋮" stands in the line before the last */
    size_t largest;      /* column of the largest probability */
    double most, end;    /* largest probability of all tables; end of the axis */
    double line, size;   /* height of a line; size of the letters in points */
    Box words, bars;     /* areas of tokens and bars; the axis is as wide as the bars */
    Box frame;           /* of the first line */
} Ranked;

static double probability_at(const Ranked *ranked, size_t col) {
    return tensor_at(ranked->tensor, ranked->row, col);
}

static const char *word_of(const Ranked *ranked, size_t col) {
    return token_text(ranked->stage->canvas, ranked->tensor->col_labels[col]);
}

static bool is_focus(const Ranked *ranked, size_t col) {
    return ranked->stage->has_focus && ranked->stage->focus_col == col;
}

/* ---- choice of tokens ---- */

/* Tensor `index` of those shown: tables side by side are different ones, rows side by
 * side are in the same one. */
static const Tensor *shown(const Stage *stage, size_t index, ViewPlace place) {
    return place.count > 1 && stage->step->shown_count
               ? stage_tensor(stage, stage->step->shown[index])
               : stage_tensor(stage, stage->node);
}

static const double *row_of(const Tensor *tensor, size_t row) {
    return tensor->values + tensor->cols * (row < tensor->rows ? row : tensor->rows - 1);
}

bool ranked_fits(const Stage *stage, ViewPlace place) {
    if (place.count > 1 && !stage->step->shown_count)
        return false; /* rows side by side */
    for (size_t i = 0; i < place.count; i++) {
        const Tensor *tensor = shown(stage, i, place);
        if (tensor->cols != shown(stage, 0, place)->cols || !tensor->col_labels ||
            !lesson_has_probabilities(tensor))
            return false;
    }
    return true;
}

/* Number of tokens with a probability that doesn't read as zero in any table; at least
 * ROWS_LEAST. */
static size_t count_listed(const Ranked *ranked, ViewPlace place) {
    size_t listed = ROWS_LEAST, cols = ranked->tensor->cols;
    for (size_t i = 0; i < cols; i++) {
        for (size_t k = 0; k < place.count; k++) {
            const double *row = row_of(shown(ranked->stage, k, place), ranked->row);
            if (row[ranked->order[i]] >= LEAST_LISTED && i >= listed)
                listed = i + 1;
        }
    }
    return listed < cols ? listed : cols;
}

/* Reports whether the token that is discussed has a lower rank than there are lines. */
static bool is_below(const Ranked *ranked) {
    size_t i = 0;
    while (i < ranked->lines && !is_focus(ranked, ranked->order[i]))
        i++;
    return ranked->stage->has_focus && i == ranked->lines;
}

/* Column of a line; NO_COLUMN for "⋮". */
static size_t column_of(const Ranked *ranked, size_t line) {
    if (ranked->skips && line + 2 == ranked->lines)
        return NO_COLUMN;
    bool last = line + 1 == ranked->lines;
    return last && is_below(ranked) ? ranked->stage->focus_col : ranked->order[line];
}

/* Sum of the probabilities without a line in one row. */
static double rest_of(const Ranked *ranked, const double *row) {
    double rest = 1;
    for (size_t i = 0; i < ranked->lines; i++) {
        size_t col = column_of(ranked, i);
        rest -= col == NO_COLUMN ? 0 : row[col];
    }
    return rest;
}

/* Reports whether that sum is written: in none of the tables or in all. */
static bool lists_others(const Ranked *ranked, ViewPlace place) {
    bool tells = false;
    for (size_t k = 0; k < place.count; k++)
        tells |= rest_of(ranked, row_of(shown(ranked->stage, k, place), ranked->row)) >=
                 LEAST_OTHERS;
    return tells && ranked->lines - ranked->skips < ranked->tensor->cols;
}

/* Chooses the axis' end: 1 for a single table; above the largest probability for
 * several. */
static void find_end(Ranked *ranked, ViewPlace place) {
    for (size_t k = 0; k < place.count; k++) {
        const double *row = row_of(shown(ranked->stage, k, place), ranked->row);
        for (size_t j = 0; j < ranked->tensor->cols; j++)
            ranked->most = fmax(ranked->most, row[j]);
    }
    ranked->end =
        place.count > 1 ? fmin(ceil(ranked->most / END_STEP - 1e-9) * END_STEP, 1) : 1;
}

/* ---- drawing ---- */

/* Draws a number behind its bar, where it hides the axis' lines, or, without room, in the
 * bar. */
static void draw_number(const Ranked *ranked, Box bar, FontRole font, double baseline,
                        const char *number, Color ground) {
    const Canvas *canvas = ranked->stage->canvas;
    const Theme *theme = canvas->theme;
    double width = canvas_text_width(canvas, font, ranked->size, number);
    double gap = round(GAP / 2), left = bar.x + bar.w + gap;
    double axis = ranked->bars.x + ranked->bars.w;
    bool within = left + width + gap > ranked->frame.x + ranked->frame.w;
    Color ink =
        within ? palette_ink(ground, theme->cell_dark, theme->cell_light) : theme->ink;
    if (within)
        left = bar.x + bar.w - gap - width;
    else if (left < axis + 1 && left + width > axis - 1)
        canvas_fill(canvas,
                    (Box){left - 1, baseline - ranked->size * LABEL_ASCENT, width + 2,
                          ranked->size * (LABEL_ASCENT + LABEL_DESCENT)},
                    0, theme->page);
    canvas_text(canvas, font, ranked->size, ink, (Point){left, baseline}, LABEL_LEFT,
                number);
}

static void draw_line(const Ranked *ranked, Box line, size_t col) {
    const Stage *stage = ranked->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    bool first = col == ranked->largest, strong = first || is_focus(ranked, col);
    const char *word = word_of(ranked, col);
    FontRole font = strong ? FONT_BOLD : FONT_TEXT;
    double baseline = label_baseline(line.y + line.h / 2, ranked->size);
    LabelFit fit =
        label_fit(canvas->scene->arena, canvas->metrics, font, ranked->size,
                  fmin(ranked->size, canvas_least(canvas, word)), ranked->words.w, word);
    canvas_link_cell(canvas, stage->node, ranked->row, col);
    canvas_target(canvas, line);
    canvas_text(canvas, font, fit.size, strong ? theme->ink : theme->ink_soft,
                (Point){ranked->words.x + ranked->words.w, baseline}, LABEL_RIGHT,
                fit.text);
    if (view_cell_visible(stage, ranked->row, col)) {
        double probability = probability_at(ranked, col);
        double height = round(fmax(line.h * BAR_FRACTION, ranked->size * HOLDS_NUMBER));
        Box bar = {ranked->bars.x, round(line.y + (line.h - height) / 2),
                   fmax(round(probability / ranked->end * ranked->bars.w), 1), height};
        canvas_fill(canvas, bar, fmin(3, bar.w / 2), emphasis_bar(theme, first));
        draw_number(ranked, bar, font, baseline,
                    view_number(stage, stage->node, probability),
                    emphasis_bar(theme, first));
    }
    canvas_unlink(canvas);
    if (is_focus(ranked, col))
        canvas_outline(canvas, line, 4, theme->focus, 2);
}

/* Width of the line for the other tokens with the longest possible number, so that
 * lists side by side have equal widths. */
static double others_width(const Ranked *ranked, const char *text, const char *number) {
    const Canvas *canvas = ranked->stage->canvas;
    double size = canvas_size(canvas, OTHERS, text);
    return canvas_text_width(canvas, FONT_TEXT, size, text) +
           canvas_text_width(canvas, FONT_TEXT, size, "0.000") -
           canvas_text_width(canvas, FONT_TEXT, size, number);
}

/* Draws the sum of the probabilities without a line. */
static void draw_others(const Ranked *ranked, Box line) {
    const Stage *stage = ranked->stage;
    const Canvas *canvas = stage->canvas;
    if (!view_cell_visible(stage, ranked->row, 0))
        return;
    const char *rest =
        view_number(stage, stage->node,
                    fmax(rest_of(ranked, row_of(ranked->tensor, ranked->row)), 0));
    const char *others =
        canvas_count(canvas, ranked->tensor->cols - ranked->lines + ranked->skips);
    double beside = ranked->frame.x + ranked->frame.w - ranked->bars.x;
    const char *text = canvas_words(canvas, "view.others_share", others, rest, NULL);
    if (others_width(ranked, text, rest) > line.w)
        text = canvas_words(canvas, "view.others_few", others, rest, NULL);
    if (others_width(ranked, text, rest) <= beside) {
        line.x = ranked->bars.x;
        line.w = beside;
    }
    canvas_line(canvas, FONT_TEXT, OTHERS, canvas->theme->ink_faint, line, text);
}

/* Places the columns: tokens on the left, as wide as they are; bars and numbers in the
 * rest, no wider than necessary. */
static void place_columns(Ranked *ranked, Box area) {
    const Canvas *canvas = ranked->stage->canvas;
    box_take_left(&area, round(GAP / 2)); /* room for the frame in focus */
    double widest = 0;
    for (size_t i = 0; i < ranked->lines; i++) {
        size_t col = column_of(ranked, i);
        if (col != NO_COLUMN)
            widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD, ranked->size,
                                                    word_of(ranked, col)));
    }
    widest = fmin(ceil(widest) + 2, area.w * WORD_FRACTION);
    double number =
        ceil(canvas_text_width(canvas, FONT_BOLD, ranked->size, "0.000")) + GAP;
    bool several = ranked->end < 1;
    double room = area.w - widest - GAP;
    room -= several ? GAP : 0; /* room for the number at the axis' end */
    double bars =
        fmax(round(fmin(several ? room : room - number, PROBABILITY_AXIS)), GAP);
    double longest = bars * (several ? ranked->most / ranked->end : 1) + number;
    double after = several ? fmin(fmax(bars, longest), room) : longest;
    double left = area.x + fmax(round((room - after) * 0.4), 0);
    ranked->words = (Box){left, area.y, widest, area.h};
    ranked->bars = (Box){left + widest + GAP, area.y, bars, area.h};
    double pad = round(GAP / 2);
    ranked->frame = (Box){left - pad, area.y, pad + widest + GAP + after, ranked->line};
}

void ranked_draw(const Stage *stage, Box area, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    Ranked ranked = {.stage = stage,
                     .tensor = stage_tensor(stage, stage->node),
                     .row = view_row(stage)};
    const Tensor *first = shown(stage, 0, place);
    size_t cols = first->cols;
    ranked.order = generate_order(canvas->scene->arena, row_of(first, ranked.row), cols);
    for (size_t j = 1; j < cols; j++) {
        if (probability_at(&ranked, j) > probability_at(&ranked, ranked.largest))
            ranked.largest = j;
    }
    double smallest = fmax(SMALLEST_ROW, canvas_size(canvas, TEXT * 0.8, "一") * 1.75);
    box_take_top(&area, probability_axis_height(canvas));
    size_t fit = (size_t)fmax(floor(area.h / smallest), 2);
    ranked.lines = count_listed(&ranked, place);
    ranked.lines = ranked.lines < ROWS_MOST ? ranked.lines : ROWS_MOST;
    ranked.lines = ranked.lines < fit ? ranked.lines : fit - 1;
    ranked.skips = ranked.lines >= SKIPS_LEAST && is_below(&ranked);
    bool others = lists_others(&ranked, place);
    size_t all = ranked.lines + (ranked.lines < cols);
    ranked.line = fmin(floor(area.h / (double)all), TALLEST_ROW);
    double letters = canvas_size(canvas, TEXT, "一");
    if (canvas->least > 0 && place.count >= MANY) /* the bars need the width */
        letters = canvas->least;
    ranked.size = fmin(letters, ranked.line * 0.66);
    ranked.size = fmax(floor(ranked.size), canvas_least(canvas, "一"));
    find_end(&ranked, place);
    place_columns(&ranked, area);
    Box axis = ranked.bars, line = ranked.frame;
    axis.h = ranked.line * (double)ranked.lines;
    probability_axis_draw(canvas, axis, ranked.end);
    for (size_t i = 0; i < ranked.lines; i++, line.y += line.h) {
        size_t col = column_of(&ranked, i);
        if (col == NO_COLUMN)
            mark_left_out(canvas,
                          (Point){ranked.words.x + ranked.words.w - ranked.size,
                                  line.y + line.h / 2},
                          line.h);
        else
            draw_line(&ranked, line, col);
    }
    if (others)
        draw_others(&ranked, line);
}
