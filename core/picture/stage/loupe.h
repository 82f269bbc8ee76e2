/* The loupe: repeats the focused row of tables too dense for digits below them, with as
 * many cells around the focused one as are readable, and the same cells of the tensors it
 * is computed from cell by cell. */
#pragma once

#include "picture/stage/panel.h"

enum { LOUPE_ROWS_MOST = 4 };

typedef struct Loupe {
    size_t count;                   /* number of enlarged rows; 0: no loupe is needed */
    size_t panels[LOUPE_ROWS_MOST]; /* panels of the rows; the focused table's is last */
    size_t row, col, end;           /* the row, and its columns [col, end) */
    double cell;                    /* width of a cell in points */
    bool labelled;                  /* the columns have labels that fit */
} Loupe;

/* Chooses what to enlarge of placed panels; nothing if they need all of the stage. */
Loupe loupe_of(const Stage *stage, const Panel *panels, size_t count);

/* Returns the height of the loupe in points; 0 if nothing is enlarged. */
double loupe_height(const Loupe *loupe);

/* Draws the loupe into a strip of that height, and marks its cells in the tables. */
void loupe_draw(const Stage *stage, const Panel *panels, const Loupe *loupe, Box strip);
