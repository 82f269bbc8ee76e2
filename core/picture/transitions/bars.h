/* Bars: a table whose cells are drawn as bars, which grow from their base line. */
#pragma once

#include "picture/transitions/ghost.h"

typedef enum BarsKind {
    BARS_NONE,
    BARS_UPRIGHT, /* vertical, from a base line up and down */
    BARS_ACROSS,  /* horizontal, from a base line to the right or left */
    BARS_SPREAD   /* from a column's middle to both sides, each for many cells */
} BarsKind;

typedef struct Bars {
    BarsKind kind;
    double foot; /* coordinate of the base line */
} Bars;

/* Kind and base line of the bars that a table's cells are drawn as. */
Bars bars_of(const Still *still, const StillTable *table);

/* Item of a cell's bar: one that stands on the base line or, with `thick` above 0, has
 * that thickness; STILL_NONE if there is none. */
size_t bars_item(const Still *still, const StillTable *table, size_t row, size_t col,
                 const Bars *bars, double thick);

/* Shows a bar, or an item in it, grown by `progress`. Items beside it fade in. */
void bars_grow(const Still *still, const Bars *bars, SceneItem *item, double progress);

/* Shows a bar that lies in `own` between another bar's box and its own. */
void bars_become(const Still *still, SceneItem *item, Box own, Box before,
                 double progress);
