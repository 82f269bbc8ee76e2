/* A table with a chosen row, which is taller, framed, and the only one with numbers; the
 * others show their colours.
 *
 * The caller sets the left top and the width of `cells`; their height results from the
 * rows. Every cell is linked to its node. */
#pragma once

#include "picture/stage/stage.h"

typedef struct ChosenTable {
    const Tensor *tensor; /* NULL: there is no table */
    size_t node;
    HeatmapColors colors;
    double reach;
    const Tensor *hidden; /* tensor of the same shape: cells that it masks are hatched */
    size_t row;           /* chosen row; PLAYER_NONE: none */
    double row_height, chosen_height;
    Box cells;
    double label_room; /* width of row labels; 0: none */
    bool in_numbers;   /* all rows have numbers, if they fit */
    bool in_colours;   /* not even the chosen row has numbers */
    size_t visible;    /* number of computed cells, in reading order */
} ChosenTable;

/* Table of a node, scaled to its largest number. */
ChosenTable chosen_table_of(const Stage *stage, size_t node, size_t row);

/* Sets both heights so that the table is no taller than `height`, its rows no taller than
 * `most`, and the chosen row, if there is room, at least `chosen`. */
void chosen_table_fit(ChosenTable *table, double height, double most, double chosen);

/* Places the table's left top corner at `at`, with columns of the given width; sets
 * cells.h. */
void chosen_table_place(ChosenTable *table, Point at, double column);

double chosen_table_height(const ChosenTable *table);

/* Box of a row, and of a cell. */
Box chosen_table_row(const ChosenTable *table, size_t row);
Box chosen_table_cell(const ChosenTable *table, size_t row, size_t col);

/* Middle of the chosen row at its left and right end; of all rows if none is chosen. */
Point chosen_table_left(const ChosenTable *table);
Point chosen_table_right(const ChosenTable *table);

/* Draws labels, cells, and a frame around the chosen row, or around the stage's focused
 * cell if it is in the table. */
void chosen_table_draw(const Stage *stage, const ChosenTable *table);
