/* A figure: tables that stand in the tracks of two rulers.
 *
 * A picture declares the tracks of both axes and the tables in them: two tables whose
 * columns are one track stand above each other, column over column. The figure measures
 * labels and names, shares out the room, and gives each table its cells: numbers are
 * readable before anything grows, heads lie flat or stand upright, names are captions or
 * tabs, and legends stand in the corner or at each table. Between laying out and drawing
 * the picture may draw what lies below the tables. */
#ifndef PICTURE_FIGURE_H
#define PICTURE_FIGURE_H

#include "picture/stage/caption.h"
#include "picture/stage/ruler.h"

enum { FIGURE_TRACKS = 24, FIGURE_TABLES = 12 };

typedef struct FigureTable {
    size_t node;
    const char *formula; /* its name */
    size_t across, down; /* the tracks of its columns and of its rows */
    size_t labels;       /* the track of its row labels; 0: it has none */
    size_t heads;        /* the track of its column labels, above the rows; 0: none */
    size_t below;        /* the track of its name below the rows, or 0 … */
    size_t beside;       /* … or that of its name to the right of the columns, or 0 */
    bool is_result;      /* takes the stage's visible cells and printed marks */
    bool is_derived;     /* has the scale of the table added before it, and no legend */
    RoleTab tab;         /* its name is NULL where a caption stands */
    Caption caption;
    StageScale scale; /* set by figure_lay_out … */
    HeatmapColLabels words;
    Heatmap heatmap; /* … with the cells in place */
} FigureTable;

typedef struct Figure {
    const Stage *stage;
    Box area;              /* for all of it; legends stand at its lower end */
    size_t columns, lines; /* how many tracks there are across, and down */
    Track across[FIGURE_TRACKS], down[FIGURE_TRACKS]; /* the first of each is a margin */
    size_t count;
    FigureTable tables[FIGURE_TABLES];
    bool own_legends; /* each table has its own; else they stand in the corner */
} Figure;

/* The track of a table's columns or rows. Of several such tracks those of lower rank are
 * made readable first. */
Track figure_cells(size_t parts, int rank);

/* A figure without tracks or tables in the stage's area. */
Figure figure_of(const Stage *stage);

/* Adds a table. NULL formula: it is called what its node is. What it returns stays valid
 * as long as the figure isn't copied. */
FigureTable *figure_add(Figure *figure, size_t node, const char *formula, size_t across,
                        size_t down);

/* Places everything. False where numbers of tables that aren't large can't be read. */
bool figure_lay_out(Figure *figure);

/* Draws tables, names and legends. Every cell is a link. */
void figure_draw(const Figure *figure);

#endif
