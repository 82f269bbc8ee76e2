/* Path of one row through an attention during layout and drawing, shared by circuit_row.c
 * and row_path_layout.c. Only they include this. */
#pragma once

#include "picture/circuits/circuit.h"

#define ROW_PATH_WORD_UNITS 18.0
#define ROW_PATH_WORD_GAP 8.0
#define ROW_PATH_GAP 6.0
#define ROW_PATH_TO_VALUES 26.0
#define ROW_PATH_WIDEST_SCORE 76.0
#define ROW_PATH_HEADER 34.0
#define ROW_PATH_NUMBER_UNITS 20.0
#define ROW_PATH_DIGITS 22.0

typedef struct RowPath {
    Circuit *circuit;
    const ChosenTable *query, *key, *value; /* without a tensor if not in this step */
    size_t *keys, count; /* keys with lines, in order, and their number */
    size_t others;       /* number of keys without lines */
    size_t fresh;        /* first line of the keys that are not cached */
    double slide;        /* distance of those lines below the cached ones */
    Box counter;         /* counter of saved multiplications; h 0: no room */
    double words;        /* width of the tokens before the keys; 0: none */
    double number;       /* width of an attention weight's number */
    double result;       /* width of the token beside the result's row; 0: none */
    double top, row;     /* upper edge and height of the lines */
    double chosen;       /* height of the query's and the result's row */
    double rule_gap;     /* gap above the row of the weighted sum */
    Box asking;          /* cells of the query's row */
    /* Of all lines, without frames; w 0: none. */
    Box keys_box, score, probability, values_box;
} RowPath;

/* row_path_layout.c: lays out everything. */
void row_path_lay_out(RowPath *path);

/* Report whether a key has a line of its own; a column's part of a line; the middle
 * of all lines; the labels of a key and of the query's row. */
bool row_path_has_line(const RowPath *path, size_t key);
Box row_path_line(const RowPath *path, Box column, size_t line);
Box row_path_fresh(const RowPath *path, Box column); /* of new lines */
double row_path_middle(const RowPath *path);
const char *row_path_word(const RowPath *path, size_t key);
const char *row_path_asking_word(const RowPath *path);

/* Size of a text in a line: no taller than the line if it is readable then. */
double row_path_type(const RowPath *path, double units, const char *text);
