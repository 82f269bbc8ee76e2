#include "model/say/say.h"
#include "picture/charts/shares_bar.h"
#include "picture/draw/emphasis.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include <math.h>

/* Chances over more words than can stand side by side: the likeliest words, each with its
 * bar and its number, the likeliest above. What stands side by side has one order, the
 * first one's, so that a word is in the same row of each. All have one axis, from 0 to 1,
 * on every page. */

static const double TEXT = 19, OTHERS = 16, SMALLEST_ROW = 20,
                    TALLEST_ROW = 54; /* units */
static const double GAP = 14;
static const double BAR_SHARE = 0.62;     /* of a row's height */
static const double WORD_SHARE = 0.3;     /* of the width, at most */
static const double LEAST_TOLD = 0.0005;  /* of three decimals */
static const double LEAST_OTHERS = 0.001; /* together: less isn't spoken of */
enum { ROWS_MOST = 12, ROWS_LEAST = 5 };

typedef struct Ranked {
    const Stage *stage;
    const Tensor *tensor;
    size_t row;
    const size_t *order; /* its columns, as they stand one below the other */
    size_t lines;        /* how many of them have a line */
    size_t largest;      /* the column of its largest share */
    double line, size;   /* a line's height; of the letters, in points */
    Box words, bars;     /* the columns of the picture; a bar of 1 is as wide as theirs */
    double number;       /* how wide a number is */
} Ranked;

static double share_at(const Ranked *ranked, size_t col) {
    return tensor_at(ranked->tensor, ranked->row, col);
}

static const char *word_of(const Ranked *ranked, size_t col) {
    return token_text(ranked->stage->canvas, ranked->tensor->col_labels[col]);
}

static bool is_focus(const Ranked *ranked, size_t col) {
    return ranked->stage->has_focus && ranked->stage->focus_col == col;
}

/* ---- which words ---- */

/* Of tables side by side one; rows side by side are the same table's. */
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
            !lesson_holds_shares(tensor))
            return false;
    }
    return true;
}

/* The words whose share doesn't read as zero anywhere; some all the same. */
static size_t count_told(const Ranked *ranked, ViewPlace place) {
    size_t told = ROWS_LEAST, cols = ranked->tensor->cols;
    for (size_t i = 0; i < cols; i++) {
        for (size_t k = 0; k < place.count; k++) {
            const double *row = row_of(shown(ranked->stage, k, place), ranked->row);
            if (row[ranked->order[i]] >= LEAST_TOLD && i >= told)
                told = i + 1;
        }
    }
    return told < cols ? told : cols;
}

/* The column of a line; what is spoken of has the last one where it has none. */
static size_t column_of(const Ranked *ranked, size_t line) {
    const Stage *stage = ranked->stage;
    if (line + 1 < ranked->lines || !stage->has_focus)
        return ranked->order[line];
    for (size_t i = 0; i < ranked->lines; i++) {
        if (ranked->order[i] == stage->focus_col)
            return ranked->order[line];
    }
    return stage->focus_col;
}

/* ---- drawing ---- */

static void draw_line(const Ranked *ranked, Box line, size_t col) {
    const Stage *stage = ranked->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    bool first = col == ranked->largest, strong = first || is_focus(ranked, col);
    const char *word = word_of(ranked, col);
    FontRole font = strong ? FONT_BOLD : FONT_TEXT;
    double baseline = round(line.y + line.h / 2 + ranked->size * 0.36);
    LabelFit fit =
        label_fit(canvas->scene->arena, canvas->metrics, font, ranked->size,
                  fmin(ranked->size, canvas_least(canvas, word)), ranked->words.w, word);
    canvas_link_cell(canvas, stage->node, ranked->row, col);
    canvas_target(canvas, line);
    canvas_text(canvas, font, fit.size, strong ? theme->ink : theme->ink_soft,
                (Point){ranked->words.x + ranked->words.w, baseline}, LABEL_RIGHT,
                fit.text);
    if (view_cell_visible(stage, ranked->row, col)) {
        double share = share_at(ranked, col), height = round(line.h * BAR_SHARE);
        Box bar = {ranked->bars.x, round(line.y + (line.h - height) / 2),
                   fmax(round(share * ranked->bars.w), 1), height};
        canvas_fill(canvas, bar, fmin(3, bar.w / 2), emphasis_bar(theme, first));
        canvas_text(canvas, font, ranked->size, theme->ink,
                    (Point){bar.x + bar.w + round(GAP / 2), baseline}, LABEL_LEFT,
                    view_number(stage, stage->node, share));
    }
    canvas_unlink(canvas);
    if (is_focus(ranked, col))
        canvas_outline(canvas, line, 4, theme->focus, 2);
}

/* What the words without a line have together. */
static void draw_others(const Ranked *ranked, Box line) {
    const Stage *stage = ranked->stage;
    const Canvas *canvas = stage->canvas;
    double rest = 1;
    for (size_t i = 0; i < ranked->lines; i++)
        rest -= share_at(ranked, column_of(ranked, i));
    if (rest < LEAST_OTHERS || !view_cell_visible(stage, ranked->row, 0))
        return;
    const char *text =
        canvas_words(canvas, "view.others_share",
                     canvas_count(canvas, ranked->tensor->cols - ranked->lines),
                     view_number(stage, stage->node, rest), NULL);
    double beside = ranked->bars.w + ranked->number;
    if (canvas_text_width(canvas, FONT_TEXT, canvas_size(canvas, OTHERS, text), text) <=
        beside) {
        line.x = ranked->bars.x;
        line.w = beside;
    }
    canvas_line(canvas, FONT_TEXT, OTHERS, canvas->theme->ink_faint, line, text);
}

/* Words at the left, as wide as they are; the bars, with numbers behind, have the rest
 * and no more than they need. */
static void place_columns(Ranked *ranked, Box area) {
    const Canvas *canvas = ranked->stage->canvas;
    box_take_left(&area, round(GAP / 2)); /* of the frame in focus */
    double widest = 0;
    for (size_t i = 0; i < ranked->lines; i++)
        widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD, ranked->size,
                                                word_of(ranked, column_of(ranked, i))));
    widest = fmin(ceil(widest) + 2, area.w * WORD_SHARE);
    ranked->number =
        ceil(canvas_text_width(canvas, FONT_BOLD, ranked->size, "0.000")) + GAP;
    double bars = area.w - widest - GAP - ranked->number;
    bars = fmax(fmin(bars, SHARES_AXIS), GAP);
    double left =
        area.x + fmax(round((area.w - widest - GAP - bars - ranked->number) * 0.4), 0);
    ranked->words = (Box){left, area.y, widest, area.h};
    ranked->bars = (Box){left + widest + GAP, area.y, bars, area.h};
}

void ranked_draw(const Stage *stage, Box area, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    Ranked ranked = {.stage = stage,
                     .tensor = stage_tensor(stage, stage->node),
                     .row = view_row(stage)};
    const Tensor *first = shown(stage, 0, place);
    size_t cols = first->cols;
    ranked.order = say_order(canvas->scene->arena, row_of(first, ranked.row), cols);
    if (!ranked.order)
        return;
    for (size_t j = 1; j < cols; j++) {
        if (share_at(&ranked, j) > share_at(&ranked, ranked.largest))
            ranked.largest = j;
    }
    double smallest = fmax(SMALLEST_ROW, canvas_size(canvas, TEXT * 0.8, "一") * 1.75);
    box_take_top(&area, shares_axis_height(canvas));
    size_t fit = (size_t)fmax(floor(area.h / smallest), 2);
    ranked.lines = count_told(&ranked, place);
    ranked.lines = ranked.lines < ROWS_MOST ? ranked.lines : ROWS_MOST;
    ranked.lines = ranked.lines < fit ? ranked.lines : fit - 1;
    size_t all = ranked.lines + (ranked.lines < cols);
    ranked.line = fmin(floor(area.h / (double)all), TALLEST_ROW);
    ranked.size = fmin(canvas_size(canvas, TEXT, "一"), ranked.line * 0.66);
    ranked.size = fmax(floor(ranked.size), canvas_least(canvas, "一"));
    place_columns(&ranked, area);
    shares_axis_draw(canvas, (Box){ranked.bars.x, area.y, ranked.bars.w,
                                   ranked.line * (double)ranked.lines});
    double pad = round(GAP / 2);
    for (size_t i = 0; i < ranked.lines; i++) {
        Box line = box_take_top(&area, ranked.line);
        line.x = ranked.words.x - pad;
        line.w = ranked.bars.x + ranked.bars.w + ranked.number - line.x;
        draw_line(&ranked, line, column_of(&ranked, i));
    }
    if (ranked.lines < cols)
        draw_others(&ranked, box_take_top(&area, ranked.line));
}
