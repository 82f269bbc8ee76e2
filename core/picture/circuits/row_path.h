/* One row's way through an attention, while it is laid out and drawn: what circuit_row.c
 * and row_path_layout.c agree on. Only they include this. */
#ifndef PICTURE_ROW_PATH_H
#define PICTURE_ROW_PATH_H

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
    const ChosenTable *query, *key, *value; /* no tensor: not in this step */
    size_t *keys, count;                    /* which have lines, in their order */
    size_t others;                          /* that have none */
    size_t fresh;    /* the first line of those that no cache has kept … */
    double slide;    /* … and how far below these */
    Box counter;     /* of what the cache saves; h 0: it has no room */
    double words;    /* how wide the words before the keys are; 0: none */
    double number;   /* how wide a share's number is */
    double result;   /* how wide the word beside the result's row is; 0: none */
    double top, row; /* of the lines */
    double chosen;   /* how tall the rows are that aren't lines: the query, the result */
    double rule_gap; /* above the row that values are mixed into */
    Box asking;      /* the cells of the query's row */
    Box keys_box, score, probability,
        values_box; /* of all lines, without frames; w 0: none */
} RowPath;

/* row_path_layout.c: gives everything its place; false when the frame's arena is
 * exhausted. */
bool row_path_lay_out(RowPath *path);

/* Whether a key has a line of its own; a column's part of a line; the middle of them all;
 * the words of a key and of the row that asks. */
bool row_path_has_line(const RowPath *path, size_t key);
Box row_path_line(const RowPath *path, Box column, size_t line);
Box row_path_fresh(const RowPath *path, Box column); /* of new lines */
double row_path_middle(const RowPath *path);
const char *row_path_word(const RowPath *path, size_t key);
const char *row_path_asking_word(const RowPath *path);

/* How large a text is written in a line: no taller than that, where it can be read so. */
double row_path_type(const RowPath *path, double units, const char *text);

#endif
