/* Two tables and their sum, row by row: the rows to be added lie upon each other as two
 * layers and merge into one. Only the row in focus has numbers if not all have room. */
#pragma once

#include "picture/stage/stage.h"

enum { SUM_TERMS = 2, SUM_TABLES }; /* the sum is the last table */

typedef struct SumTables {
    size_t nodes[SUM_TABLES]; /* of one shape */
    const char *names[SUM_TABLES];
    double reach; /* of their colours */
    bool open;    /* the sum is not shown yet */
} SumTables;

/* Draws the tables into stage->area; returns false and draws nothing if rows have no
 * room. */
bool sum_rows(const Stage *stage, const SumTables *tables);
