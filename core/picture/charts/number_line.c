#include "picture/charts/number_line.h"

#include "base/number.h"
#include "picture/charts/plot.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double TICKS = 2.5;        /* approximate number of ticks from 0 to an end */
static const double STROKE_UNITS = 6;   /* length of a tick below the line */
static const double TIER_LEADING = 1.2; /* fraction of the numbers' size */
/* Room for numbers above the ticks, relative to their size. */
static const double NUMBER_ROOM = 1.6;
static const int GROUND_ALPHA = 180;
enum { NUMBERS_MAX = 64 };

double number_line_x(const NumberLine *line, double value) {
    double fraction = (value - line->least) / (line->most - line->least);
    return line->left + (line->right - line->left) * fmax(fmin(fraction, 1), 0);
}

static double reach_of(const NumberLine *line) {
    return fmax(line->most, -line->least);
}

bool number_line_dot(const NumberLine *line, size_t col, Point *at) {
    double value = tensor_at(line->tensor, line->row, col);
    *at = (Point){round(number_line_x(line, value)), line->y};
    return isfinite(value) && line->row * line->tensor->cols + col < line->visible;
}

void number_line_draw_axis(const NumberLine *line) {
    const Canvas *canvas = line->canvas;
    const Theme *theme = canvas->theme;
    double up = line->radius * 1.5, middle = round(number_line_x(line, 0));
    scene_line(canvas->scene, (Point){line->left, line->y}, (Point){line->right, line->y},
               2, theme->line);
    scene_line(canvas->scene, (Point){middle, line->y - up},
               (Point){middle, line->y + up}, 2, theme->ink_faint);
}

/* Covers what runs behind the digits. */
static void draw_ground(const Canvas *canvas, Box box) {
    Color ground = canvas->theme->page;
    ground.a = (uint8_t)GROUND_ALPHA;
    canvas_fill(canvas, box, 3, ground);
}

void number_line_draw_ticks(const NumberLine *line, double units) {
    const Canvas *canvas = line->canvas;
    double step = plot_step(reach_of(line) / TICKS),
           size = canvas_size(canvas, units, "");
    double below = fmax(line->radius, STROKE_UNITS) + 4;
    below += line->numbers_below ? size * NUMBER_ROOM : 0;
    int last = (int)floor(line->most / step + 1e-9);
    for (int i = (int)ceil(line->least / step - 1e-9); i <= last; i++) {
        char text[NUMBER_SIZE];
        double x = round(number_line_x(line, step * i));
        scene_line(canvas->scene, (Point){x, line->y}, (Point){x, line->y + STROKE_UNITS},
                   2, canvas->theme->ink_faint);
        number_format_short(text, step * i, HEATMAP_DECIMALS);
        double width = canvas_text_width(canvas, FONT_TEXT, size, text);
        draw_ground(canvas, (Box){x - width / 2, round(line->y + below), width, size});
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_faint,
                    (Point){x, round(line->y + below + size * LABEL_ASCENT)},
                    LABEL_CENTER, text);
    }
}

void number_line_draw_dots(const NumberLine *line) {
    const Canvas *canvas = line->canvas;
    const Theme *theme = canvas->theme;
    double reach = reach_of(line);
    ColorScale scale = {&theme->diverging, -reach, reach, theme->masked};
    for (size_t j = 0; j < line->tensor->cols; j++) {
        Point at;
        if (!number_line_dot(line, j, &at))
            continue;
        if (line->node != TAPE_NONE)
            canvas_link_cell(canvas, line->node, line->row, j);
        bool focus = line->has_focus && line->focus_col == j;
        double edge = fmax(round(line->radius / 6), 1);
        canvas_dot(canvas, at, line->radius,
                   color_scale_at(&scale, tensor_at(line->tensor, line->row, j)),
                   focus ? theme->focus : theme->ink_faint,
                   focus ? fmax(2 * edge, 2) : edge);
        /* Room for the mark of a number that differs from the source. */
        double out = 1.6 * line->radius;
        heatmap_mark_differing(
            canvas, &(Heatmap){.lesson = line->lesson, .step = line->step}, line->row, j,
            (Box){at.x - out, at.y - out, 2 * out, 2 * out});
    }
    canvas_unlink(canvas);
}

void number_line_draw_threads(const NumberLine *from, const NumberLine *to, int alpha) {
    const Canvas *canvas = from->canvas;
    for (size_t j = 0; j < from->tensor->cols; j++) {
        Point a, b;
        if (!number_line_dot(from, j, &a) || !number_line_dot(to, j, &b))
            continue;
        bool focus = to->has_focus && to->focus_col == j;
        Color color = focus ? canvas->theme->focus : canvas->theme->ink_faint;
        color.a = (uint8_t)(focus ? 255 : alpha);
        scene_line(canvas->scene, a, b, focus ? 2 : 1, color);
    }
}

/* ---- numbers ---- */

typedef struct Numbers {
    const NumberLine *line;
    double size;
    size_t tiers, count;
    Box boxes[NUMBERS_MAX];
} Numbers;

static bool is_free(const Numbers *numbers, Box box) {
    double gap = 5;
    for (size_t i = 0; i < numbers->count; i++) {
        Box other = numbers->boxes[i];
        if (box.x < other.x + other.w + gap && other.x < box.x + box.w + gap &&
            fabs(box.y - other.y) < box.h - 1)
            return false;
    }
    return numbers->count < NUMBERS_MAX;
}

/* Reports whether nothing is written between a dot and its number in a further tier, so
 * that the number's dot is recognisable. */
static bool is_clear_between(const Numbers *numbers, double x) {
    for (size_t i = 0; i < numbers->count; i++) {
        Box other = numbers->boxes[i];
        if (other.x - 2 < x && x < other.x + other.w + 2)
            return false;
    }
    return true;
}

/* Reports whether an equal number is written already: that of a column before it or of
 * the focused one. */
static bool is_labelled(const NumberLine *line, size_t col) {
    double value = tensor_at(line->tensor, line->row, col);
    for (size_t j = 0; j < line->tensor->cols; j++) {
        bool first = j < col || (line->has_focus && j == line->focus_col);
        if (j != col && first &&
            !(fabs(tensor_at(line->tensor, line->row, j) - value) > 0))
            return true;
    }
    return false;
}

/* Reports whether all numbers of a row are equal, so that it has one dot. */
static bool is_one_number(const NumberLine *line) {
    bool one = line->tensor->cols > 1;
    double first = tensor_at(line->tensor, line->row, 0);
    Point at;
    for (size_t j = 0; one && j < line->tensor->cols; j++)
        one = number_line_dot(line, j, &at) &&
              !(fabs(tensor_at(line->tensor, line->row, j) - first) > 0);
    return one;
}

/* Writes a column's number, or, if `measured`, only reserves its room; returns false if
 * there is no room. */
static bool draw_number(Numbers *numbers, size_t col, bool measured) {
    const NumberLine *line = numbers->line;
    const Canvas *canvas = line->canvas;
    bool focus = line->has_focus && line->focus_col == col;
    Point at;
    if (!number_line_dot(line, col, &at) || (!focus && is_labelled(line, col)))
        return true;
    char digits[NUMBER_SIZE];
    const char *text = number_format_shortest(
        digits, tensor_at(line->tensor, line->row, col), heatmap_decimals(line->tensor));
    if (is_one_number(line))
        text = canvas_format(canvas, "%s (× %zu)", text, line->tensor->cols);
    FontRole font = focus ? FONT_BOLD : FONT_TEXT;
    double size = numbers->size, leading = round(size * TIER_LEADING);
    double width = canvas_text_width(canvas, FONT_BOLD, size, text);
    double middle = fmax(fmin(at.x, line->right - width / 2), line->left + width / 2);
    double off = line->radius + 5, direction = -1;
    if (line->numbers_below) {
        off += size * LABEL_ASCENT;
        direction = 1;
    }
    for (size_t tier = 0; tier < numbers->tiers; tier++) {
        double baseline = round(line->y + direction * (off + leading * (double)tier));
        Box box = {middle - width / 2, baseline - size * LABEL_ASCENT, width, leading};
        if (!is_free(numbers, box))
            continue;
        if (tier > 0 && !is_clear_between(numbers, at.x))
            return false;
        numbers->boxes[numbers->count++] = box;
        if (measured)
            return true;
        draw_ground(canvas, (Box){box.x, box.y, box.w, size * LABEL_ASCENT + 2});
        if (line->node != TAPE_NONE)
            canvas_link_cell(canvas, line->node, line->row, col);
        canvas_text(canvas, font, size,
                    focus ? canvas->theme->ink : canvas->theme->ink_soft,
                    (Point){middle, baseline}, LABEL_CENTER, text);
        canvas_unlink(canvas);
        return true;
    }
    return false;
}

/* Writes the numbers of all dots, the focused one first; reports whether all had room. */
static bool draw_all(Numbers *numbers, bool measured) {
    const NumberLine *line = numbers->line;
    bool all = !line->has_focus || draw_number(numbers, line->focus_col, measured);
    for (size_t j = 0; j < line->tensor->cols; j++) {
        if (!line->has_focus || j != line->focus_col)
            all &= draw_number(numbers, j, measured);
    }
    return all;
}

/* Finds the columns of the row's least and largest number. */
static void find_ends(const NumberLine *line, size_t ends[2]) {
    ends[0] = ends[1] = 0;
    for (size_t j = 1; j < line->tensor->cols; j++) {
        double value = tensor_at(line->tensor, line->row, j);
        if (value < tensor_at(line->tensor, line->row, ends[0]))
            ends[0] = j;
        if (value > tensor_at(line->tensor, line->row, ends[1]))
            ends[1] = j;
    }
}

void number_line_draw_numbers(const NumberLine *line, double units, size_t tiers) {
    Numbers numbers = {
        .line = line, .size = canvas_size(line->canvas, units, ""), .tiers = tiers};
    bool all = draw_all(&numbers, true);
    numbers.count = 0;
    if (all) {
        draw_all(&numbers, false);
        return;
    }
    size_t ends[2];
    find_ends(line, ends);
    if (line->has_focus)
        draw_number(&numbers, line->focus_col, false);
    for (int i = 0; i < 2; i++) {
        if (!line->has_focus || ends[i] != line->focus_col)
            draw_number(&numbers, ends[i], false);
    }
}
