#include "picture/charts/word_rows.h"

#include "base/arena.h"
#include "base/number.h"
#include "picture/draw/patterns.h"
#include "tensor/tensor.h"

#include <math.h>

static const double DIGITS = 17.5, ROW = 30; /* units */
static const double THICKEST = 18, THINNEST = 6;
static const double WIDEST_CELL = 72, BELOW = 26;
/* Least gap between two numbers, relative to the digits' size. */
static const double APART = 0.27;
static const double IMAGE_CELL = 3; /* points: narrower ones become one image */
enum {
    DECIMALS_MOST = 2,
    DECIMALS_BELOW = 3
}; /* decimals in cells; of a single number below */

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
            if (tensor_is_masking(value))
                continue;
            least = fmin(least, value);
            most = fmax(most, value);
        }
    }
    return fmax(width_of(canvas, size, least, decimals),
                width_of(canvas, size, most, decimals));
}

static int decimals_of(const Tensor *const *tensors, size_t count, int limit) {
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        int needed = heatmap_decimals(tensors[i]);
        most = needed > most ? needed : most;
    }
    return most < limit ? most : limit;
}

/* Width of a column with the widest number, in digits of a given size. */
static double column_width(WordRows *rows, const Canvas *canvas,
                           const Tensor *const *tensors, size_t count, double size,
                           int decimals) {
    rows->digits = size;
    rows->decimals = decimals;
    rows->number_width = widest_number(canvas, tensors, count, size, decimals);
    return ceil(rows->number_width + APART * size);
}

/* Chooses the most decimals with which all columns have room for their numbers, the
 * fewest in the smallest digits; otherwise equally wide columns with one number below. */
static void measure_columns(WordRows *rows, const Canvas *canvas,
                            const Tensor *const *tensors, size_t count, double width) {
    double cols = (double)rows->cols;
    double largest = canvas_size(canvas, DIGITS, ""),
           smallest = fmin(heatmap_least_digits(canvas), largest);
    int most = decimals_of(tensors, count, DECIMALS_MOST), least = most < 1 ? most : 1;
    for (int decimals = most; decimals >= least; decimals--) {
        double size = largest, cell;
        while ((cell = column_width(rows, canvas, tensors, count, size, decimals)) *
                       cols >
                   width &&
               decimals == least && size - 1 >= smallest)
            size--;
        if (cell * cols <= width) {
            rows->cell = floor(fmin(width / cols, fmax(WIDEST_CELL, cell)));
            return;
        }
    }
    column_width(rows, canvas, tensors, count, largest,
                 canvas->enlarged > 1 ? most
                                      : decimals_of(tensors, count, DECIMALS_BELOW));
    rows->below = fmax(BELOW, ceil(largest * 1.25));
    rows->cell = fmin(width / cols, WIDEST_CELL);
    if (rows->cell >= IMAGE_CELL)
        rows->cell = floor(rows->cell);
}

/* Chooses rows as thick as the height allows, or only those around the chosen one. */
static void measure_rows(WordRows *rows, double height) {
    double others = (double)rows->rows - 1;
    rows->row = ROW;
    rows->first = 0;
    rows->end = rows->rows;
    double room = fmax(height - rows->row - rows->below, 0);
    rows->thin = THICKEST;
    if (others > 0)
        rows->thin = fmin(rows->thin, floor(room / others));
    if (rows->thin >= THINNEST)
        return;
    size_t fit = (size_t)(room / THINNEST), before = fit / 2;
    rows->thin = THINNEST;
    before = rows->chosen < before ? rows->chosen : before;
    if (rows->chosen - before + fit + 1 > rows->rows)
        before = rows->chosen + fit + 1 - rows->rows;
    rows->first = rows->chosen - before;
    rows->end = rows->first + fit + 1;
}

WordRows word_rows_measure(const Canvas *canvas, const Tensor *const *tensors,
                           size_t count, size_t chosen, size_t col, double width,
                           double height) {
    WordRows rows = {.rows = tensors[0]->rows,
                     .chosen = chosen,
                     .cols = tensors[0]->cols,
                     .col = col,
                     .visible = (size_t)-1};
    measure_columns(&rows, canvas, tensors, count, width);
    measure_rows(&rows, height);
    return rows;
}

double word_rows_width(const WordRows *rows) {
    return rows->cell * (double)rows->cols;
}

/* Height of the cells without the number below. */
static double cells_height(const WordRows *rows) {
    return rows->row + rows->thin * (double)(rows->end - rows->first - 1);
}

double word_rows_height(const WordRows *rows) {
    return cells_height(rows) + rows->below;
}

Box word_rows_row(const WordRows *rows, Point corner, size_t row) {
    double above = (double)(row - rows->first) * rows->thin;
    if (row > rows->chosen)
        above += rows->row - rows->thin;
    return (Box){corner.x, corner.y + above, word_rows_width(rows),
                 row == rows->chosen ? rows->row : rows->thin};
}

double word_rows_number_line(const WordRows *rows) {
    return word_rows_height(rows) - rows->digits * 0.56;
}

/* ---- drawing ---- */

static const char *number_of(const Canvas *canvas, const WordRows *rows, double value) {
    char text[NUMBER_SIZE];
    return isnan(value)
               ? "?"
               : canvas_format(canvas, "%s",
                               number_format_shortest(text, value, rows->decimals));
}

static void draw_number(const Canvas *canvas, const WordRows *rows, Box cell,
                        Color ground, bool hatched, double value) {
    const char *text = number_of(canvas, rows, value);
    double width = isfinite(value)
                       ? rows->number_width
                       : canvas_text_width(canvas, FONT_TEXT, rows->digits, text);
    heatmap_draw_digits(canvas, rows->digits, cell, ground, hatched,
                        (Point){cell.x + (cell.w + width) / 2,
                                label_baseline(cell.y + cell.h / 2, rows->digits)},
                        text);
}

static Box column_of(const WordRows *rows, Box box, size_t col) {
    return (Box){box.x + rows->cell * (double)col, box.y, rows->cell, box.h};
}

/* Draws a row of columns too narrow to be distinguished. */
static void draw_image(const Canvas *canvas, Box box, size_t node, const Tensor *tensor,
                       size_t row, const ColorScale *scale) {
    ColorScale *kept = arena_alloc(canvas->scene->arena, 1, sizeof *kept);
    *kept = *scale;
    Tensor alone = *tensor;
    alone.rows = 1;
    alone.values = tensor->values + row * tensor->cols;
    canvas_link_cell(canvas, node, row, 0);
    scene_image(canvas->scene, box, &alone, kept);
    pattern_image(canvas, box, &alone);
    canvas_unlink(canvas);
}

static void draw_row(const Canvas *canvas, const WordRows *rows, Box box, size_t node,
                     const Tensor *tensor, size_t row, double reach) {
    const Theme *theme = canvas->theme;
    const ColorScale scale = {&theme->diverging, -reach, reach, theme->masked};
    bool chosen = row == rows->chosen, written = chosen && !(rows->below > 0);
    double gap = box.h >= 10 ? 2 : 1;
    double between = rows->cell >= 10 ? gap : 1;
    double radius = chosen && between > 1 ? 3 : 1;
    if (rows->cell < IMAGE_CELL) {
        box.h -= gap;
        draw_image(canvas, box, node, tensor, row, &scale);
        return;
    }
    for (size_t col = 0; col < rows->cols; col++) {
        Box cell = column_of(rows, box, col);
        cell.w -= between;
        cell.h -= gap;
        double value = tensor_at(tensor, row, col);
        Color ground = color_scale_at(&scale, value);
        canvas_link_cell(canvas, node, row, col);
        if (row * rows->cols + col >= rows->visible) {
            canvas_outline(canvas, cell, radius, theme->line, 1);
            continue;
        }
        canvas_fill(canvas, cell, radius, ground);
        bool hatched = pattern_negative(canvas, cell, value);
        if (written)
            draw_number(canvas, rows, cell, ground, hatched, value);
    }
    canvas_unlink(canvas);
}

static void outline_cell(const Canvas *canvas, const WordRows *rows, Box row) {
    Box cell = column_of(rows, row, rows->col);
    if (rows->below > 0 && rows->cell >= IMAGE_CELL)
        canvas_outline(canvas, box_inset(cell, -1), 3, canvas->theme->focus, 2);
}

/* Draws the plumb line from the chosen row's cell to its number. */
static void draw_plumb(const Canvas *canvas, const WordRows *rows, Box row, double end) {
    Box cell = column_of(rows, row, rows->col);
    double x = cell.x + cell.w / 2;
    scene_line(canvas->scene, (Point){x, cell.y + cell.h}, (Point){x, end}, 2,
               canvas->theme->focus);
}

void word_rows_draw_number(const Canvas *canvas, const WordRows *rows, Point middle,
                           size_t node, const Tensor *tensor) {
    canvas_link_cell(canvas, node, rows->chosen, rows->col);
    canvas_text(canvas, FONT_TEXT, rows->digits, canvas->theme->ink,
                (Point){round(middle.x), label_baseline(middle.y, rows->digits)},
                LABEL_CENTER,
                number_of(canvas, rows, tensor_at(tensor, rows->chosen, rows->col)));
    canvas_unlink(canvas);
}

/* Draws the number below a table, within the table's width. */
static void draw_below(const Canvas *canvas, const WordRows *rows, Box row, double top,
                       size_t node, const Tensor *tensor) {
    if (!(rows->below > 0) || rows->chosen * rows->cols + rows->col >= rows->visible)
        return;
    Box cell = column_of(rows, row, rows->col);
    double half = rows->number_width / 2, middle = cell.x + cell.w / 2;
    middle = fmax(fmin(middle, row.x + row.w - half), row.x + half);
    double line = top + word_rows_number_line(rows);
    draw_plumb(canvas, rows, row, line - rows->digits * 0.5);
    word_rows_draw_number(canvas, rows, (Point){middle, line}, node, tensor);
}

void word_rows_draw_chosen(const Canvas *canvas, const WordRows *rows, Point corner,
                           size_t node, const Tensor *tensor, double reach) {
    double out = 2;
    Box box = {corner.x, corner.y, word_rows_width(rows), rows->row};
    draw_row(canvas, rows, box, node, tensor, rows->chosen, reach);
    canvas_outline(
        canvas,
        (Box){box.x - out, box.y - out, box.w + 2 * out - 2, rows->row + 2 * out - 2}, 5,
        canvas->theme->focus, 2);
    outline_cell(canvas, rows, box);
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
    draw_below(canvas, rows, chosen, corner.y, node, tensor);
}
