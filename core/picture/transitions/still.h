/* The still: what a finished scene shows of the tape's cells, and where.
 *
 * Pictures link what they draw of a cell to it, so that what moves needs to know of no
 * picture. A cell's items are those from its ground on that are linked to it in one run:
 * rectangle, number, hatching; or those without a link that lie under an invisible
 * rectangle with one. The still borrows the scene; motion changes its items in place and
 * draws behind them. */
#ifndef PICTURE_STILL_H
#define PICTURE_STILL_H

#include "picture/stage/stage.h"

#define STILL_NONE ((size_t)-1)

enum { STILL_TABLES_MAX = 48 };

/* What is drawn of a node. */
typedef struct StillTable {
    size_t node, rows, cols;
    Box box;              /* of all its cells */
    size_t *first, *last; /* by cell: the item that begins its first run and its last one
                             in the scene, or STILL_NONE; NULL: none is drawn */
    size_t *under;        /* and the last one that lies under an invisible rectangle */
} StillTable;

typedef struct Still {
    const Canvas *canvas;
    const Tape *tape;
    Box area;          /* that nothing on its way leaves */
    size_t first, end; /* the still's items in the scene */
    size_t targets;    /* that have been looked under */
    size_t table_count;
    StillTable tables[STILL_TABLES_MAX];
} Still;

/* Takes what was drawn of a stage: its scene's items from `first` on. */
void still_init(Still *still, const Stage *stage, size_t first);

/* What is drawn of a node; NULL when nothing is. */
const StillTable *still_table(const Still *still, size_t node);

/* How many of its rows, the first, were there before: those of a stack that are only
 * taken from a table which isn't drawn, and that new ones come below. */
size_t still_cached_rows(const Still *still, size_t node);

/* The item that begins a cell's run, its first one or its last; STILL_NONE when it is not
 * drawn by itself. */
size_t still_cell(const StillTable *table, size_t row, size_t col, bool last);

/* The run's items: up to this one. */
size_t still_run_end(const Still *still, size_t item);

/* What holds two boxes. */
Box still_join(Box a, Box b);

/* The box moved into the still's area. */
Box still_clamp(const Still *still, Box box);

/* The box of what a cell stands on there. */
Box still_box(const Still *still, size_t item);

#endif
