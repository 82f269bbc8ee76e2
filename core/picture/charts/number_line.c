#include "picture/charts/charts.h"

#include "base/number.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double TICKS = 2.5;        /* approximate number of ticks from 0 to an end */
static const double STROKE_UNITS = 6;   /* length of a tick below the line */
static const double TIER_LEADING = 1.2; /* fraction of the numbers' size */
/* Room for numbers above the ticks, relative to their size. */
static const double NUMBER_ROOM = 1.6;
static const int GROUND_ALPHA = 180;

double number_line_x(const NumberLine *line, double value) {
    double fraction = (value - line->least) / (line->most - line->least);
    return line->left + (line->right - line->left) * fmax(fmin(fraction, 1), 0);
}

static double reach_of(const NumberLine *line) {
    return fmax(line->most, -line->least);
}

static double value_at(const NumberLine *line, size_t col) {
    return tensor_at(line->table.tensor, line->row, col);
}

static bool is_focus(const NumberLine *line, size_t col) {
    const Heatmap *table = &line->table;
    return table->has_focus && table->focus_row == line->row && table->focus_col == col;
}

/* Reports whether a column has a dot: it is computed, and finite. */
static bool has_dot(const NumberLine *line, size_t col) {
    return isfinite(value_at(line, col)) &&
           line->row * line->table.tensor->cols + col < line->table.visible;
}

bool number_line_dot(const NumberLine *line, size_t col, Point *at) {
    *at = (Point){round(number_line_x(line, value_at(line, col))), line->y};
    return has_dot(line, col);
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
    ColorScale scale = heatmap_scale(canvas, HEATMAP_SIGNED, reach_of(line));
    double edge = fmax(round(line->radius / 6), 1);
    for (size_t j = 0; j < line->table.tensor->cols; j++) {
        Point at;
        if (!number_line_dot(line, j, &at))
            continue;
        if (line->table.node != TAPE_NONE)
            canvas_link_cell(canvas, line->table.node, line->row, j);
        bool focus = is_focus(line, j);
        canvas_dot(canvas, at, line->radius, color_scale_at(&scale, value_at(line, j)),
                   focus ? theme->focus : theme->ink_faint,
                   focus ? fmax(2 * edge, 2) : edge);
        /* Room for the mark of a number that differs from the source. */
        double out = 1.6 * line->radius;
        heatmap_mark_differing(canvas, &line->table, line->row, j,
                               (Box){at.x - out, at.y - out, 2 * out, 2 * out});
    }
    canvas_unlink(canvas);
}

void number_line_draw_balance(const NumberLine *line, double value) {
    double x = number_line_x(line, value), up = 2 * line->radius;
    const Point foot[] = {
        {x, line->y + 2}, {x - up * 0.6, line->y + up}, {x + up * 0.6, line->y + up}};
    scene_polygon(line->canvas->scene, foot, 3, line->canvas->theme->other[0]);
}

/* Draws threads from each dot to the same column's dot on another line; the thread of the
 * column in focus is stronger. */
static void draw_threads(const NumberLine *from, const NumberLine *to, int alpha) {
    const Canvas *canvas = from->canvas;
    for (size_t j = 0; j < from->table.tensor->cols; j++) {
        Point a, b;
        if (!number_line_dot(from, j, &a) || !number_line_dot(to, j, &b))
            continue;
        bool focus = is_focus(to, j);
        Color color = focus ? canvas->theme->focus : canvas->theme->ink_faint;
        color.a = (uint8_t)(focus ? 255 : alpha);
        scene_line(canvas->scene, a, b, focus ? 2 : 1, color);
    }
}

/* ---- numbers ---- */

typedef struct Numbers {
    const NumberLine *line;
    double size;
    size_t tiers;
    Taken taken;
} Numbers;

/* Reports whether nothing is written between a dot and its number in a further tier, so
 * that the number's dot is recognisable. */
static bool is_clear_between(const Numbers *numbers, double x) {
    for (size_t i = 0; i < numbers->taken.count; i++) {
        Box other = numbers->taken.boxes[i];
        if (other.x - 2 < x && x < other.x + other.w + 2)
            return false;
    }
    return true;
}

/* Reports whether an equal number is written already: that of a column before it or of
 * the focused one. */
static bool is_labelled(const NumberLine *line, size_t col) {
    for (size_t j = 0; j < line->table.tensor->cols; j++) {
        if (j != col && has_dot(line, j) && (j < col || is_focus(line, j)) &&
            !(fabs(value_at(line, j) - value_at(line, col)) > 0))
            return true;
    }
    return false;
}

/* Number of a column; if all of the row are equal, so that it has one dot, with their
 * count. */
static const char *number_of(const NumberLine *line, size_t col) {
    size_t cols = line->table.tensor->cols, equal = 0;
    for (size_t j = 0; j < cols; j++)
        equal += has_dot(line, j) && !(fabs(value_at(line, j) - value_at(line, col)) > 0);
    char digits[NUMBER_SIZE];
    number_format_shortest(digits, value_at(line, col),
                           line->decimals ? line->decimals
                                          : heatmap_decimals(line->table.tensor));
    return cols > 1 && equal == cols
               ? canvas_format(line->canvas, "%s (× %zu)", digits, cols)
               : canvas_format(line->canvas, "%s", digits);
}

/* Writes a column's number, or, if `measured`, only reserves its room; returns false if
 * there is no room. */
static bool draw_number(Numbers *numbers, size_t col, bool measured) {
    const NumberLine *line = numbers->line;
    const Canvas *canvas = line->canvas;
    bool focus = is_focus(line, col);
    Point at;
    if (!number_line_dot(line, col, &at) || (!focus && is_labelled(line, col)))
        return true;
    const char *text = number_of(line, col);
    double size = numbers->size, leading = round(size * TIER_LEADING), gap = 5;
    double width = canvas_text_width(canvas, FONT_BOLD, size, text);
    double middle = fmax(fmin(at.x, line->right - width / 2), line->left + width / 2);
    double off = line->radius + 5 + (line->numbers_below ? size * LABEL_ASCENT : 0);
    for (size_t tier = 0; tier < numbers->tiers; tier++) {
        double away = off + leading * (double)tier;
        double baseline = round(line->y + (line->numbers_below ? away : -away));
        Box box = {middle - width / 2, baseline - size * LABEL_ASCENT, width + gap,
                   leading - 1};
        if (tier > 0 && !is_clear_between(numbers, at.x))
            return false;
        if (!taken_add(&numbers->taken, box))
            continue;
        if (measured)
            return true;
        draw_ground(canvas, (Box){box.x, box.y, width, size * LABEL_ASCENT + 2});
        if (line->table.node != TAPE_NONE)
            canvas_link_cell(canvas, line->table.node, line->row, col);
        canvas_text(canvas, focus ? FONT_BOLD : FONT_TEXT, size,
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
    bool all = true;
    for (int focus = 1; focus >= 0; focus--) {
        for (size_t j = 0; j < line->table.tensor->cols; j++) {
            if (is_focus(line, j) == focus)
                all &= draw_number(numbers, j, measured);
        }
    }
    return all;
}

void number_line_draw_numbers(const NumberLine *line, double units, size_t tiers) {
    Numbers numbers = {
        .line = line, .size = canvas_size(line->canvas, units, ""), .tiers = tiers};
    bool all = draw_all(&numbers, true);
    numbers.taken.count = 0;
    if (all) {
        draw_all(&numbers, false);
        return;
    }
    size_t ends[] = {0, 0, 0}; /* the focused column, the least number, the largest */
    bool any = false;
    for (size_t j = 0; j < line->table.tensor->cols; j++) {
        if (!has_dot(line, j))
            continue;
        ends[0] = is_focus(line, j) ? j : ends[0];
        ends[1] = !any || value_at(line, j) < value_at(line, ends[1]) ? j : ends[1];
        ends[2] = !any || value_at(line, j) > value_at(line, ends[2]) ? j : ends[2];
        any = true;
    }
    for (size_t i = is_focus(line, ends[0]) ? 0 : 1; i < 3; i++) {
        if (i == 0 || !is_focus(line, ends[i]))
            draw_number(&numbers, ends[i], false);
    }
}

/* ---- lines below each other ---- */

void number_lines_draw_axes(const NumberLine *lines, size_t count, int alpha) {
    for (size_t i = 0; i < count; i++)
        number_line_draw_axis(&lines[i]);
    for (size_t i = 0; i + 1 < count; i++)
        draw_threads(&lines[i], &lines[i + 1], alpha);
}

void number_lines_draw(const NumberLine *lines, size_t count, double units,
                       double tick_units) {
    double pitch = count > 1 ? lines[1].y - lines[0].y : 0;
    double taken = 2 * lines[0].radius + tick_units + 14;
    double tiers = floor((pitch - taken) / (units * TIER_LEADING));
    for (size_t i = 0; i < count; i++) {
        if (i + 1 == count || lines[i + 1].most != lines[i].most)
            number_line_draw_ticks(&lines[i], tick_units);
    }
    for (size_t i = 0; i < count; i++) {
        number_line_draw_dots(&lines[i]);
        if (units > 0)
            number_line_draw_numbers(&lines[i], units, (size_t)fmax(tiers, 1));
    }
}
