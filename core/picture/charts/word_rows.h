/* Word rows: a table of which one word's row stands in numbers, and the others', thin,
 * in colours only.
 *
 * All tables of a picture have one measure, so that columns and rows are of one size and
 * the chosen row is at the same place in each. Every column is as wide as the next: where
 * not all numbers have room, one column's stands below the table, at a plumb line from
 * its cell. Of very many rows those around the chosen one are drawn. */
#ifndef PICTURE_WORD_ROWS_H
#define PICTURE_WORD_ROWS_H

#include "picture/draw/heatmap.h"

typedef struct WordRows {
    size_t rows, chosen;
    size_t first, end;      /* rows that are drawn */
    size_t cols, col;       /* col: whose number stands below, where not all have room */
    double cell, row, thin; /* a column's width; the chosen row's and another's height */
    double below;           /* how tall that number is; 0: all stand in their cells */
    int decimals;
    double digits;  /* their size, in points */
    size_t visible; /* cells that are computed, in reading order; the rest is blank */
    double number_width; /* of the widest number */
} WordRows;

/* The measure of tables of the same shape with `chosen` in numbers, or of it column `col`
 * alone, none wider or taller than the room given. */
WordRows word_rows_measure(const Canvas *canvas, const Tensor *const *tensors,
                           size_t count, size_t chosen, size_t col, double width,
                           double height);

double word_rows_width(const WordRows *rows);
double word_rows_height(const WordRows *rows); /* with the number below */

/* The box of the cells of a row of a table whose upper left corner is at `corner`. */
Box word_rows_row(const WordRows *rows, Point corner, size_t row);

/* Draws a tensor as such a table, its cells linked to the node's, its chosen row framed.
 */
void word_rows_draw(const Canvas *canvas, const WordRows *rows, Point corner, size_t node,
                    const Tensor *tensor, double reach);

/* The chosen row alone, with its upper left corner there. */
void word_rows_draw_chosen(const Canvas *canvas, const WordRows *rows, Point corner,
                           size_t node, const Tensor *tensor, double reach);

/* The number of the row's one column, which stands below tables, alone, centred there.
 */
void word_rows_draw_number(const Canvas *canvas, const WordRows *rows, Point middle,
                           size_t node, const Tensor *tensor);

/* How far below a table's upper edge the middle of the number below it is. */
double word_rows_number_line(const WordRows *rows);

#endif
