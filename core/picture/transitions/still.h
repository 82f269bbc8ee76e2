/* The still: the positions of the tape's cells in a finished scene.
 *
 * Pictures link what they draw of a cell to it, so animation doesn't depend on any
 * picture. A cell's items are one run from its ground on that is linked to it: rectangle,
 * number, hatching; or unlinked items that lie under an invisible linked rectangle. The
 * still borrows the scene; animation changes its items in place and draws behind them. */
#pragma once

#include "picture/scene/scene.h"

typedef struct Canvas Canvas;
typedef struct Stage Stage;
typedef struct Tape Tape;

#define STILL_NONE ((size_t)-1)

enum { STILL_TABLES_MAX = 48 };

/* Drawn cells of a node. */
typedef struct StillTable {
    size_t node, rows, cols;
    Box box;              /* of all its cells */
    size_t *first, *last; /* for each cell the first item of its first and of its last run
                             in the scene, or STILL_NONE; NULL: none is drawn */
    size_t *under;        /* for each cell the last item under an invisible rectangle */
} StillTable;

typedef struct Still {
    const Canvas *canvas;
    const Tape *tape;
    Box area;          /* limits of moving items */
    size_t first, end; /* the still's items in the scene */
    size_t targets;    /* number of invisible rectangles examined */
    size_t table_count;
    StillTable tables[STILL_TABLES_MAX];
} Still;

/* Initializes a still with a stage's drawing: its scene's items from `first` on. */
void still_init(Still *still, const Stage *stage, size_t first);

/* Drawn cells of a node; NULL if none is drawn. */
const StillTable *still_table(const Still *still, size_t node);

/* Number of a node's leading rows that existed before: rows of a concatenation that are
 * only copied from a table that isn't drawn, followed by new ones. */
size_t still_cached_rows(const Still *still, size_t node);

/* First item of a cell's first or last run; STILL_NONE if it is not drawn by itself. */
size_t still_cell(const StillTable *table, size_t row, size_t col, bool last);

/* End of a run of items. */
size_t still_run_end(const Still *still, size_t item);

/* Smallest box that contains two boxes. */
Box still_join(Box a, Box b);

/* Box moved into the still's area. */
Box still_clamp(const Still *still, Box box);

/* Box of the ground of a cell's run. */
Box still_box(const Still *still, size_t item);
