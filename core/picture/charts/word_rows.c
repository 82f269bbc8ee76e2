#include "base/number.h"
#include "picture/charts/charts.h"
#include "picture/scene/theme.h"
#include "tensor/tensor.h"

#include <math.h>

static const double DIGITS = 17.5, ROW = 30; /* units */
static const double THICKEST = 18, THINNEST = 6;
static const double WIDEST_CELL = 72, BELOW = 26;
static const double IMAGE_CELL = 4; /* points: narrower ones become one image */

/* A row of a tensor as a heatmap; only the chosen one has numbers. */
static Heatmap strip_of(const Canvas *canvas, const WordRows *rows, Box box, size_t node,
                        const Tensor *tensor, size_t row, double reach) {
    size_t before = row * tensor->cols;
    return (Heatmap){.tensor = canvas_row(canvas, tensor, row),
                     .node = node,
                     .first_row = row,
                     .cells = box,
                     .reach = reach,
                     .visible = rows->visible > before ? rows->visible - before : 0,
                     .without_numbers = row != rows->chosen || rows->below > 0,
                     .number_size = rows->digits,
                     .written_as = tensor};
}

/* Text of the number that stands below a table; shorter on enlarged pages. */
static const char *number_of(const Canvas *canvas, const WordRows *rows,
                             const Tensor *tensor) {
    char text[NUMBER_SIZE] = "?";
    double value = tensor_at(tensor, rows->chosen, rows->col);
    if (!isnan(value))
        number_format_shortest(text, value, canvas->enlarged > 1 ? 2 : HEATMAP_DECIMALS);
    return canvas_format(canvas, "%s", text);
}

/* Chooses columns in which the numbers of all tensors have room; otherwise one number
 * stands below. */
static void measure_columns(WordRows *rows, const Canvas *canvas,
                            const Tensor *const *tensors, size_t count, double width) {
    double largest = canvas_size(canvas, DIGITS, ""), least = largest;
    double cell = WIDEST_CELL, cols = (double)rows->cols;
    for (size_t i = 0; i < count; i++)
        cell = fmax(cell, heatmap_least_column(canvas, &(Heatmap){.tensor = tensors[i]}));
    rows->cell = fmin(width / cols, cell);
    rows->cell = rows->cell >= IMAGE_CELL ? floor(rows->cell) : rows->cell;
    rows->digits = largest;
    for (size_t i = 0; i < count; i++) {
        Heatmap strip = strip_of(canvas, rows, (Box){0, 0, rows->cell * cols, ROW}, 0,
                                 tensors[i], rows->chosen, heatmap_reach(tensors[i]));
        double number = canvas_text_width(canvas, FONT_TEXT, largest,
                                          number_of(canvas, rows, tensors[i]));
        rows->number_width = fmax(rows->number_width, number);
        least = fmin(least, heatmap_number_size(canvas, &strip));
    }
    rows->digits = least > 0 ? least : largest;
    rows->below = least > 0 ? 0 : fmax(BELOW, ceil(largest * 1.25));
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

static Box column_of(const WordRows *rows, Box box, size_t col) {
    return (Box){box.x + rows->cell * (double)col, box.y, rows->cell, box.h};
}

static void draw_row(const Canvas *canvas, const WordRows *rows, Box box, size_t node,
                     const Tensor *tensor, size_t row, double reach) {
    Heatmap strip = strip_of(canvas, rows, box, node, tensor, row, reach);
    heatmap_draw(canvas, &strip);
    canvas_unlink(canvas);
}

void word_rows_draw_number(const Canvas *canvas, const WordRows *rows, Point middle,
                           size_t node, const Tensor *tensor) {
    canvas_link_cell(canvas, node, rows->chosen, rows->col);
    canvas_text(canvas, FONT_TEXT, rows->digits, canvas->theme->ink,
                (Point){round(middle.x), label_baseline(middle.y, rows->digits)},
                LABEL_CENTER, number_of(canvas, rows, tensor));
    canvas_unlink(canvas);
}

/* Draws the number below a table, within the table's width, and the plumb line to it from
 * the chosen row's cell. */
static void draw_below(const Canvas *canvas, const WordRows *rows, Box row, double top,
                       size_t node, const Tensor *tensor) {
    if (!(rows->below > 0) || rows->chosen * rows->cols + rows->col >= rows->visible)
        return;
    double half = rows->number_width / 2;
    Box cell = column_of(rows, row, rows->col);
    double x = cell.x + cell.w / 2, line = top + word_rows_number_line(rows);
    scene_line(canvas->scene, (Point){x, cell.y + cell.h},
               (Point){x, line - rows->digits * 0.5}, 2, canvas->theme->focus);
    word_rows_draw_number(
        canvas, rows, (Point){fmax(fmin(x, row.x + row.w - half), row.x + half), line},
        node, tensor);
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
    if (rows->below > 0 && rows->cell >= IMAGE_CELL)
        canvas_outline(canvas, box_inset(column_of(rows, box, rows->col), -1), 3,
                       canvas->theme->focus, 2);
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
