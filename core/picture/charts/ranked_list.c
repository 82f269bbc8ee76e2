#include "base/number.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/draw/marks.h"
#include "picture/draw/token.h"

#include <math.h>

/* Units. */
static const double TEXT = 24, SMALLEST_TEXT = 15, OTHERS = 16, HEADING = 13,
                    HEADING_RISE = 8;
static const double SMALLEST_LINE = 20, TALLEST_LINE = 54, GAP = 14;
static const double BAR_FRACTION = 0.62;    /* fraction of a line's height */
static const double LETTER_FRACTION = 0.66; /* largest fraction of a line's height */
static const double WORD_FRACTION = 0.3;    /* largest fraction of the width */
static const double BARS_FRACTION = 0.4;   /* fraction that bars get from large letters */
static const double LEAST_LISTED = 0.0005; /* half a unit of the third decimal */
static const double END_STEP = 0.2;        /* step of the common axis' end */
enum { LINES_LEAST = 5, SKIPS_LEAST = 3 };

/* ---- choice of lines ---- */

static const char *word_at(const void *of, size_t line) {
    const RankedList *list = of;
    const Series *series = &list->series;
    size_t index = list->lines[line];
    return index < series->count ? token_text(series->canvas, series_label(series, index))
                                 : "";
}

/* Number of indices in order whose probability doesn't read as zero in any list, at least
 * LINES_LEAST. */
static size_t count_listed(const RankedList *list, const size_t *order) {
    size_t listed = LINES_LEAST, count = list->series.count;
    for (size_t i = listed; i < count; i++) {
        for (size_t k = 0; k < list->beside_count; k++) {
            if (list->beside[k].values[order[i]] >= LEAST_LISTED)
                listed = i + 1;
        }
    }
    return listed < count ? listed : count;
}

/* Chooses at most `most` lines, the last one for the present index. */
static void choose_lines(RankedList *list, size_t most) {
    const size_t *order = series_order(&list->beside[0]);
    size_t count = count_listed(list, order);
    bool is_listed = list->present >= list->series.count;
    most = most < RANKED_LINES_MAX ? most : RANKED_LINES_MAX;
    list->line_count = count < most ? count : most;
    for (size_t i = 0; i < list->line_count; i++) {
        list->lines[i] = order[i];
        is_listed |= order[i] == list->present;
    }
    if (is_listed)
        return;
    list->lines[list->line_count - 1] = list->present;
    if (list->line_count >= SKIPS_LEAST)
        list->lines[list->line_count - 2] = SIZE_MAX;
}

/* Sum of the probabilities without a line in one of the lists, and their number. */
static double rest_of(const RankedList *list, const Series *series, size_t *others) {
    double rest = 1;
    *others = series->count;
    for (size_t i = 0; i < list->line_count; i++) {
        if (list->lines[i] >= series->count)
            continue;
        rest -= series->values[list->lines[i]];
        --*others;
    }
    return *others ? fmax(rest, 0) : 0;
}

/* ---- layout ---- */

/* Chooses the axis' end: 1 for a single list; above the largest probability for
 * several. */
static double end_of(const RankedList *list) {
    double most = 0;
    for (size_t k = 0; k < list->beside_count; k++)
        most = fmax(most, list->beside[k].values[series_largest(&list->beside[k])]);
    return list->beside_count > 1 ? fmin(ceil(most / END_STEP - 1e-9) * END_STEP, 1) : 1;
}

static double column_width(const RankedList *list, const RankedColumn *column) {
    const Canvas *canvas = list->series.canvas;
    return ceil(fmax(canvas_text_width(canvas, FONT_BOLD, list->size, "0.000"),
                     canvas_text_width(canvas, FONT_BOLD,
                                       canvas_size(canvas, HEADING, column->heading),
                                       column->heading)));
}

/* Places the columns on one side of the bars from `x` on; returns their right end. */
static double place_side(RankedList *list, bool is_before, double x, Box area) {
    for (size_t i = 0; i < list->column_count; i++) {
        RankedColumn *column = &list->columns[i];
        if (column->is_before != is_before)
            continue;
        double width = column_width(list, column);
        column->box = (Box){x + column->gap, area.y, width, area.h};
        x += column->gap + width;
    }
    return x;
}

/* Places words on the left, then numbers and bars, which are no wider than necessary. */
static void place_columns(RankedList *list, Box area) {
    const Canvas *canvas = list->series.canvas;
    double words =
        chart_widest(canvas, FONT_BOLD, list->size, list->line_count, word_at, list);
    words = fmin(ceil(words) + 2, area.w * WORD_FRACTION);
    double before = place_side(list, true, 0, area),
           behind = place_side(list, false, 0, area);
    double used = 2 * GAP + words + before + GAP + behind;
    double bars = fmax(fmin(round(area.w - used), PROBABILITY_AXIS), GAP);
    double left = area.x + GAP + fmax(round((area.w - used - bars) * 0.4), 0);
    list->words = (Box){left, area.y, words, area.h};
    double from = place_side(list, true, left + words, area) + GAP;
    list->bars = (Box){from, area.y, bars, list->bars.h};
    double end = place_side(list, false, from + bars, area);
    list->frame = (Box){left - GAP, area.y, end + 2 * GAP - left, list->line};
}

void ranked_list_place(RankedList *list, Box area) {
    const Canvas *canvas = list->series.canvas;
    double smallest = canvas_size(canvas, SMALLEST_TEXT, "一") * 1.75;
    box_take_top(&area, probability_axis_height(canvas));
    choose_lines(list,
                 (size_t)fmax(floor(area.h / fmax(SMALLEST_LINE, smallest)), 2) - 1);
    size_t lines = list->line_count + (list->line_count < list->series.count);
    list->line = fmin(floor(area.h / (double)lines), TALLEST_LINE);
    list->bars.h = list->line * (double)list->line_count;
    list->end = end_of(list);
    double least = canvas_least(canvas, "一");
    list->size =
        floor(fmin(canvas_size(canvas, TEXT, "一"), list->line * LETTER_FRACTION));
    list->size = fmax(list->size, least);
    place_columns(list, area);
    for (; list->size > least && list->bars.w < area.w * BARS_FRACTION; list->size--)
        place_columns(list, area);
}

Box ranked_list_line(const RankedList *list, size_t line) {
    Box box = list->frame;
    box.y += box.h * (double)line;
    return box;
}

Box ranked_list_bar(const RankedList *list, size_t line, double probability) {
    Box box = ranked_list_line(list, line);
    double height = round(box.h * BAR_FRACTION);
    return (Box){list->bars.x, round(box.y + (box.h - height) / 2),
                 fmax(round(probability / list->end * list->bars.w), 1), height};
}

/* ---- drawing ---- */

static void draw_line(const RankedList *list, size_t line) {
    const Series *series = &list->series;
    const Canvas *canvas = series->canvas;
    const Theme *theme = canvas->theme;
    size_t index = list->lines[line];
    bool first = index == list->strong, focus = index == series->focus;
    bool out = list->out && list->out[index];
    FontRole font = first || focus ? FONT_BOLD : FONT_TEXT;
    Color soft = out ? theme->ink_faint : theme->ink_soft;
    Color ink = out && !first && !focus ? soft : theme->ink;
    Box box = ranked_list_line(list, line),
        words = {list->words.x, box.y, list->words.w, box.h};
    canvas_link(canvas, series_link(series, index));
    canvas_target(canvas, box);
    Box word = chart_text(canvas, font, list->size, ink, words, LABEL_RIGHT,
                          word_at(list, line));
    double middle = round(box.y + box.h / 2) + 0.5;
    if (out)
        scene_line(canvas->scene, (Point){word.x - 2, middle},
                   (Point){word.x + word.w + 2, middle}, 1, theme->ink_soft);
    if (series_is_visible(series, index)) {
        Box bar = ranked_list_bar(list, line, series->values[index]);
        canvas_fill(canvas, bar, fmin(3, bar.w / 2), emphasis_bar(theme, first));
    }
    for (size_t i = 0; i < list->column_count; i++) {
        const RankedColumn *column = &list->columns[i];
        canvas_link(canvas, series_link(&column->series, index));
        if (series_is_visible(&column->series, index))
            chart_text(canvas, font, list->size,
                       column->is_main && !out ? theme->ink : soft,
                       (Box){column->box.x, box.y, column->box.w, box.h}, LABEL_RIGHT,
                       series_number(&column->series, index));
    }
    canvas_unlink(canvas);
    if (focus)
        canvas_outline(canvas, box, 4, theme->focus, 2);
}

/* Draws the sum of the probabilities without a line, if there are any. */
static void draw_others(const RankedList *list) {
    const Canvas *canvas = list->series.canvas;
    Box line = ranked_list_line(list, list->line_count);
    size_t others;
    char number[NUMBER_SIZE];
    number_format_shortest(number, rest_of(list, &list->series, &others),
                           HEATMAP_DECIMALS);
    if (!others || !series_is_visible(&list->series, 0))
        return;
    const char *count = canvas_count(canvas, others);
    /* lists side by side have the same words, whatever their numbers */
    const char *longest = canvas_words(canvas, "view.others_share", count, "0.000", NULL);
    double size = canvas_size(canvas, OTHERS, longest);
    bool fits = canvas_text_width(canvas, FONT_TEXT, size, longest) <= line.w;
    const char *text = canvas_words(
        canvas, fits ? "view.others_share" : "view.others_few", count, number, NULL);
    double beside = line.x + line.w - list->bars.x;
    if (canvas_text_width(canvas, FONT_TEXT, size, text) <= beside)
        line = (Box){list->bars.x, line.y, beside, line.h};
    canvas_line(canvas, FONT_TEXT, OTHERS, canvas->theme->ink_faint, line, text);
}

void ranked_list_draw(const RankedList *list) {
    const Canvas *canvas = list->series.canvas;
    probability_axis_draw(canvas, list->bars, list->end);
    for (size_t i = 0; i < list->column_count; i++)
        canvas_label(canvas, FONT_BOLD, HEADING, canvas->theme->ink_faint,
                     (Point){list->columns[i].box.x + list->columns[i].box.w,
                             list->bars.y - HEADING_RISE},
                     LABEL_RIGHT, list->columns[i].heading);
    for (size_t i = 0; i < list->line_count; i++) {
        Box line = ranked_list_line(list, i);
        if (list->lines[i] < list->series.count)
            draw_line(list, i);
        else
            mark_left_out(
                canvas,
                (Point){list->words.x + list->words.w - list->size, line.y + line.h / 2},
                line.h);
    }
    draw_others(list);
}
