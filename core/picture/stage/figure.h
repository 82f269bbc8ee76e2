/* A figure: tables that stand in the tracks of two rulers.
 *
 * A picture declares the tracks of both axes and the tables in them: two tables whose
 * columns are one track are above each other, column over column. The figure measures
 * labels and names, divides the room, and places each table's cells: numbers are readable
 * before anything grows, column labels are flat or upright, names are captions or tabs,
 * and legends are in the corner or at each table. Between layout and drawing the picture
 * may draw below the tables. */
#pragma once

#include "picture/stage/panels.h"
#include "picture/stage/ruler.h"

enum { FIGURE_TRACKS = 24 };

typedef struct Figure {
    const Stage *stage;
    Box area;              /* area of the whole figure; legends are at its lower end */
    size_t columns, lines; /* number of tracks across and down */
    /* Tracks of both axes; the first of each is a margin. */
    Track across[FIGURE_TRACKS], down[FIGURE_TRACKS];
    size_t count;
    Panel tables[PANELS_MAX];
    bool own_legends; /* each table has its own legend; else they are in the corner */
} Figure;

/* Returns the track of a table's columns or rows. Tracks of lower rank are made readable
 * first. */
Track figure_cells(size_t parts, int rank);

/* Returns a figure without tracks or tables in the stage's area. */
Figure figure_of(const Stage *stage);

/* Adds a table. If `formula` is NULL, the table has its node's name. The result is valid
 * as long as the figure isn't copied. */
Panel *figure_add(Figure *figure, size_t node, const char *formula, size_t across,
                  size_t down);

/* Places everything. Returns false if the numbers of a table that isn't large are
 * unreadable. */
bool figure_lay_out(Figure *figure);

/* Draws tables, names and legends. Every cell is a link. */
void figure_draw(const Figure *figure);
