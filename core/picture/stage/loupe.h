/* The loupe: of tables too dense for digits, the row in focus once more below them, as
 * many of its cells as can be read around the one in focus, and the same cells of what it
 * is worked out from cell by cell. */
#ifndef PICTURE_LOUPE_H
#define PICTURE_LOUPE_H

#include "picture/stage/panel.h"

enum { LOUPE_ROWS_MOST = 4 };

typedef struct Loupe {
    size_t count;                   /* rows that are enlarged; 0: nothing needs it */
    size_t panels[LOUPE_ROWS_MOST]; /* whose; the focused table's last */
    size_t row, col, end;           /* the row, and the columns [col, end) */
    double cell;                    /* how wide a cell is, in points */
    bool labelled;                  /* the columns have labels, and these have room */
} Loupe;

/* What is to be enlarged of placed panels; nothing where they need all of the stage. */
Loupe loupe_of(const Stage *stage, const Panel *panels, size_t count);

/* How tall it is; 0 where nothing is enlarged. */
double loupe_height(const Loupe *loupe);

/* Draws it into a strip of that height, and marks where its cells stand in the tables. */
void loupe_draw(const Stage *stage, const Panel *panels, const Loupe *loupe, Box strip);

#endif
