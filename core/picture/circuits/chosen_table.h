/* A table of which one row is chosen: it is taller, framed, and alone in numbers; the
 * others show their colours.
 *
 * What is drawn is laid out by whoever has the table: `cells` by its left top and its
 * width, the height is that of its rows. Every cell is linked to its node. */
#ifndef PICTURE_CHOSEN_TABLE_H
#define PICTURE_CHOSEN_TABLE_H

#include "picture/stage/stage.h"

typedef struct ChosenTable {
    const Tensor *tensor; /* NULL: there is no table */
    size_t node;
    HeatmapColors colors;
    double reach;
    const Tensor *hidden; /* of its shape: where it only masks, cells are hatched */
    size_t row;           /* PLAYER_NONE: none is chosen */
    double row_height, chosen_height;
    Box cells;
    double label_room; /* of row labels; 0: none */
    bool in_numbers;   /* all rows are, where they fit */
    bool in_colours;   /* not even the chosen row is in numbers */
    size_t visible;    /* cells that are there yet, in reading order */
} ChosenTable;

/* A node's table; its scale is that of its largest number. */
ChosenTable chosen_table_of(const Stage *stage, size_t node, size_t row);

/* Sets both heights so that the table is no taller than `height`, its rows no taller than
 * `most` and the chosen one, where it has room, at least `chosen`. */
void chosen_table_fit(ChosenTable *table, double height, double most, double chosen);

/* Puts its left top corner there, with columns that wide; sets cells.h. */
void chosen_table_place(ChosenTable *table, Point at, double column);

double chosen_table_height(const ChosenTable *table);

/* A row, and a cell. */
Box chosen_table_row(const ChosenTable *table, size_t row);
Box chosen_table_cell(const ChosenTable *table, size_t row, size_t col);

/* The middle of the chosen row at one of its ends; of all rows where none is chosen. */
Point chosen_table_left(const ChosenTable *table);
Point chosen_table_right(const ChosenTable *table);

/* Draws labels and cells, and a frame around the chosen row, or around the stage's
 * focused cell where that is in it. */
void chosen_table_draw(const Stage *stage, const ChosenTable *table);

#endif
