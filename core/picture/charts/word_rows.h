/* Word rows: a table in which the row of one word has numbers, and the other rows are
 * thin and show only colours.
 *
 * All tables of a picture have one layout, so that columns and rows are of one size and
 * the chosen row is at the same height in each. All columns are equally wide: if not all
 * numbers have room, one column's number stands below the table, connected to its cell by
 * a plumb line. Of very many rows only those around the chosen one are drawn. */
#pragma once

#include "picture/draw/heatmap.h"

typedef struct WordRows {
    size_t rows, chosen;
    size_t first, end; /* rows [first, end) are drawn */
    size_t cols, col;  /* number of columns; column whose number stands below, if not all
                          have room */
    /* Width of a column; height of the chosen row and of the others. */
    double cell, row, thin;
    double below; /* height of the number below; 0: all numbers stand in their cells */
    int decimals;
    double digits;  /* size of the digits in points */
    size_t visible; /* number of computed cells, in reading order; the rest is blank */
    double number_width; /* width of the widest number */
} WordRows;

/* Layout for tables of one shape within the given room, with row `chosen` in numbers, or
 * only its column `col`. */
WordRows word_rows_measure(const Canvas *canvas, const Tensor *const *tensors,
                           size_t count, size_t chosen, size_t col, double width,
                           double height);

double word_rows_width(const WordRows *rows);
double word_rows_height(const WordRows *rows); /* includes the number below */

/* Box of the cells of a row in a table with its upper left corner at `corner`. */
Box word_rows_row(const WordRows *rows, Point corner, size_t row);

/* Draws a tensor as such a table, its cells linked to the node's and its chosen row
 * framed. */
void word_rows_draw(const Canvas *canvas, const WordRows *rows, Point corner, size_t node,
                    const Tensor *tensor, double reach);

/* Draws only the chosen row, with its upper left corner at `corner`. */
void word_rows_draw_chosen(const Canvas *canvas, const WordRows *rows, Point corner,
                           size_t node, const Tensor *tensor, double reach);

/* Draws only the number below a table, centred at `middle`. */
void word_rows_draw_number(const Canvas *canvas, const WordRows *rows, Point middle,
                           size_t node, const Tensor *tensor);

/* Distance from a table's upper edge to the middle of the number below it. */
double word_rows_number_line(const WordRows *rows);
