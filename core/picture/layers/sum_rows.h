/* Two tables and their sum, row by row: the rows that are added lie upon each other as
 * two layers, and become one. The row in focus is alone in numbers where not all have
 * room. */
#ifndef PICTURE_SUM_ROWS_H
#define PICTURE_SUM_ROWS_H

#include "picture/stage/stage.h"

enum { SUM_TERMS = 2, SUM_TABLES }; /* the sum is the last one */

typedef struct SumTables {
    size_t nodes[SUM_TABLES]; /* of one shape */
    const char *names[SUM_TABLES];
    double reach; /* of their colours */
    bool open;    /* the sum is not shown yet */
} SumTables;

/* Draws them into stage->area; false, and nothing drawn, where rows have no room. */
bool sum_rows(const Stage *stage, const SumTables *tables);

#endif
