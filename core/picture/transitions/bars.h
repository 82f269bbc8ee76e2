/* Bars: a table whose cells are drawn as bars, which come to be from where they stand. */
#ifndef PICTURE_BARS_H
#define PICTURE_BARS_H

#include "picture/transitions/ghost.h"

typedef enum BarsKind {
    BARS_NONE,
    BARS_UPRIGHT, /* from a line, up and down */
    BARS_ACROSS,  /* from a line to the right or to the left */
    BARS_SPREAD   /* from a column's middle to both sides, each for many cells */
} BarsKind;

typedef struct Bars {
    BarsKind kind;
    double foot; /* where that line is */
} Bars;

/* What the cells of a table are drawn as. */
Bars bars_of(const Still *still, const StillTable *table);

/* The item that a cell's bar begins with: it stands where they all do or, with `thick`
 * above 0, is so thick; STILL_NONE. */
size_t bars_item(const Still *still, const StillTable *table, size_t row, size_t col,
                 const Bars *bars, double thick);

/* Lets a bar, or what is drawn in it, be there only by this share: it has grown so far.
 * What stands beside it fades in. */
void bars_grow(const Still *still, const Bars *bars, SceneItem *item, double progress);

/* Lets a bar that lies in `own` be on its way there from another's place and length. */
void bars_become(const Still *still, SceneItem *item, Box own, Box before,
                 double progress);

#endif
