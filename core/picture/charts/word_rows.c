#include "picture/charts/word_rows.h"

#include "base/number.h"
#include "picture/draw/patterns.h"

#include <math.h>

static const double DIGITS = 17.5, ROW = 30; /* units */
static const double THICKEST = 18, THINNEST = 6;
static const double WIDEST_CELL = 72, REST = 20, DOTS = 15, PAD = 6;
static const double LEAST_SLIVER = 4, WIDEST_SLIVER = 0.4; /* points; of a column */
enum { DECIMALS_MOST = 2 };

static double width_of(const Canvas *canvas, double size, double value, int decimals) {
    char text[NUMBER_SIZE];
    return canvas_text_width(canvas, FONT_TEXT, size,
                             number_format(text, value, decimals));
}

static double widest_number(const Canvas *canvas, const Tensor *const *tensors,
                            size_t count, double size, int decimals) {
    double least = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < tensor_cells(tensors[i]); j++) {
            double value = tensors[i]->values[j];
            if (heatmap_is_masking(value))
                continue;
            least = fmin(least, value);
            most = fmax(most, value);
        }
    }
    return fmax(width_of(canvas, size, least, decimals),
                width_of(canvas, size, most, decimals));
}

static int decimals_of(const Tensor *const *tensors, size_t count) {
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        int needed = heatmap_decimals(tensors[i]);
        most = needed > most ? needed : most;
    }
    return most < DECIMALS_MOST ? most : DECIMALS_MOST;
}

/* What the numbers leave free is the other columns', so that each has its colour at its
 * place; where that would be too narrow dots stand for them. */
static void set_slivers(WordRows *rows, double width, double cell) {
    size_t hidden = rows->all_cols - rows->cols;
    double free = width - cell * (double)rows->cols;
    double sliver = floor(fmin(free / (double)hidden, cell * WIDEST_SLIVER));
    if (!hidden || sliver < LEAST_SLIVER)
        return;
    rows->sliver = sliver;
    rows->before = sliver * (double)rows->first_col;
    rows->after = sliver * (double)(hidden - rows->first_col);
}

/* Which columns of at least that width are drawn: the first ones, or the last, or those
 * around `col` where it is among neither. */
static void choose_columns(WordRows *rows, double width, double cell, double rest,
                           size_t col) {
    double fit = floor((width - rest) / cell);
    rows->cols = fit > 1 ? (size_t)fit : 1;
    rows->after = rest;
    if (col >= rows->cols && col + rows->cols >= rows->all_cols) {
        rows->first_col = rows->all_cols - rows->cols;
        rows->before = rest;
        rows->after = 0;
    } else if (col >= rows->cols) {
        rows->before = rows->after = rest * 0.85; /* closer, rather than a column less */
        fit = floor((width - 2 * rows->before) / (cell - PAD / 2));
        rows->cols = fit > 1 ? (size_t)fit : 1;
        rows->first_col = col - rows->cols / 2;
    }
    set_slivers(rows, width, cell);
    rows->cell =
        fmax(floor((width - rows->before - rows->after) / (double)rows->cols), 1);
}

/* As many decimals as let all columns be drawn, else one, and the first columns. */
static void measure_columns(WordRows *rows, const Canvas *canvas,
                            const Tensor *const *tensors, size_t count, size_t col,
                            double width) {
    int decimals = decimals_of(tensors, count);
    double cell;
    rows->digits = canvas_size(canvas, DIGITS, "");
    for (;; decimals--) {
        rows->number_width =
            widest_number(canvas, tensors, count, rows->digits, decimals);
        rows->decimals = decimals;
        cell = ceil(rows->number_width + canvas_length(canvas, PAD));
        if (cell * (double)rows->all_cols <= width || decimals <= 1)
            break;
    }
    rows->cols = rows->all_cols;
    if (cell * (double)rows->all_cols <= width) {
        double most = fmax(canvas_length(canvas, WIDEST_CELL), cell);
        rows->cell = floor(fmin(width / (double)rows->cols, most));
        return;
    }
    choose_columns(rows, width, cell, canvas_length(canvas, REST), col);
}

/* Rows as thick as there is room for, or those around the chosen one. */
static void measure_rows(WordRows *rows, const Canvas *canvas, double height) {
    double thinnest = canvas_length(canvas, THINNEST), others = (double)rows->rows - 1;
    rows->row = canvas_length(canvas, ROW);
    rows->first = 0;
    rows->end = rows->rows;
    double room = fmax(height - rows->row, 0);
    rows->thin = canvas_length(canvas, THICKEST);
    if (others > 0)
        rows->thin = fmin(rows->thin, floor(room / others));
    if (rows->thin >= thinnest)
        return;
    size_t fit = (size_t)(room / thinnest), before = fit / 2;
    rows->thin = thinnest;
    before = rows->chosen < before ? rows->chosen : before;
    if (rows->chosen - before + fit + 1 > rows->rows)
        before = rows->chosen + fit + 1 - rows->rows;
    rows->first = rows->chosen - before;
    rows->end = rows->first + fit + 1;
}

WordRows word_rows_measure(const Canvas *canvas, const Tensor *const *tensors,
                           size_t count, size_t chosen, size_t col, double width,
                           double height) {
    WordRows rows = {
        .rows = tensors[0]->rows, .chosen = chosen, .all_cols = tensors[0]->cols};
    measure_columns(&rows, canvas, tensors, count, col, width);
    measure_rows(&rows, canvas, height);
    return rows;
}

double word_rows_width(const WordRows *rows) {
    return rows->before + rows->cell * (double)rows->cols + rows->after;
}

double word_rows_height(const WordRows *rows) {
    return rows->row + rows->thin * (double)(rows->end - rows->first - 1);
}

Box word_rows_row(const WordRows *rows, Point corner, size_t row) {
    double above = (double)(row - rows->first) * rows->thin;
    if (row > rows->chosen)
        above += rows->row - rows->thin;
    return (Box){corner.x + rows->before, corner.y + above,
                 rows->cell * (double)rows->cols,
                 row == rows->chosen ? rows->row : rows->thin};
}

static void draw_number(const Canvas *canvas, const WordRows *rows, Box cell, Color ink,
                        double value) {
    char text[NUMBER_SIZE] = "?";
    if (!isnan(value))
        number_format_told(text, value, rows->decimals);
    double middle = cell.x + cell.w / 2, half = isfinite(value) ? rows->number_width : 0;
    canvas_text(
        canvas, FONT_TEXT, rows->digits, ink,
        (Point){middle + half / 2, round(cell.y + cell.h / 2 + rows->digits * 0.36)},
        half > 0 ? LABEL_RIGHT : LABEL_CENTER, text);
}

/* `box`: of the row's columns with numbers; others lie beside them. */
static Box column_of(const WordRows *rows, Box box, size_t col) {
    size_t end = rows->first_col + rows->cols;
    double x = box.x + rows->cell * (double)(col - rows->first_col);
    if (col < rows->first_col)
        x = box.x - rows->sliver * (double)(rows->first_col - col);
    else if (col >= end)
        x = box.x + box.w + rows->sliver * (double)(col - end);
    bool numbered = col >= rows->first_col && col < end;
    return (Box){x, box.y, numbered ? rows->cell : rows->sliver, box.h};
}

static void draw_row(const Canvas *canvas, const WordRows *rows, Box box, size_t node,
                     const Tensor *tensor, size_t row, double reach) {
    const Theme *theme = canvas->theme;
    const ColorScale scale = {&theme->diverging, -reach, reach, theme->masked};
    bool chosen = row == rows->chosen;
    double gap = box.h >= canvas_length(canvas, 10) ? 2 : 1;
    for (size_t col = 0; col < rows->all_cols; col++) {
        bool numbered = col >= rows->first_col && col < rows->first_col + rows->cols;
        if (!numbered && !(rows->sliver > 0))
            continue;
        Box cell = column_of(rows, box, col);
        cell.w -= numbered ? gap : 1;
        cell.h -= gap;
        double value = tensor_at(tensor, row, col);
        Color ground = color_scale_at(&scale, value);
        canvas_link_cell(canvas, node, row, col);
        canvas_fill(canvas, cell, numbered ? canvas_length(canvas, chosen ? 3 : 1) : 0,
                    ground);
        pattern_negative(canvas, cell, value);
        if (chosen && numbered)
            draw_number(canvas, rows, cell,
                        palette_ink(ground, theme->cell_dark, theme->cell_light), value);
    }
    canvas_unlink(canvas);
    if (rows->sliver > 0)
        return;
    double size = canvas_size(canvas, DOTS, "");
    double baseline = round(box.y + box.h / 2 + size * 0.36);
    if (chosen && rows->before > 0)
        canvas_text(canvas, FONT_TEXT, size, theme->ink_soft,
                    (Point){box.x - rows->before / 2, baseline}, LABEL_CENTER, "…");
    if (chosen && rows->after > 0)
        canvas_text(canvas, FONT_TEXT, size, theme->ink_soft,
                    (Point){box.x + box.w + rows->after / 2, baseline}, LABEL_CENTER,
                    "…");
}

void word_rows_draw_chosen(const Canvas *canvas, const WordRows *rows, Point corner,
                           size_t node, const Tensor *tensor, double reach) {
    double out = canvas_length(canvas, 2);
    Box box = {corner.x + rows->before, corner.y, rows->cell * (double)rows->cols,
               rows->row};
    draw_row(canvas, rows, box, node, tensor, rows->chosen, reach);
    canvas_outline(canvas,
                   (Box){corner.x - out, corner.y - out,
                         word_rows_width(rows) + 2 * out - 2, rows->row + 2 * out - 2},
                   canvas_length(canvas, 5), canvas->theme->focus,
                   fmax(canvas_length(canvas, 2), 1.5));
}

void word_rows_draw(const Canvas *canvas, const WordRows *rows, Point corner, size_t node,
                    const Tensor *tensor, double reach) {
    for (size_t row = rows->first; row < rows->end; row++) {
        if (row != rows->chosen)
            draw_row(canvas, rows, word_rows_row(rows, corner, row), node, tensor, row,
                     reach);
    }
    Box chosen = word_rows_row(rows, corner, rows->chosen);
    word_rows_draw_chosen(canvas, rows, (Point){corner.x, chosen.y}, node, tensor, reach);
}
