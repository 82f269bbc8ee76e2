/* A chain of tables: the results of a step's sub-steps, in order. */
#ifndef PICTURE_CHAIN_OF_TABLES_H
#define PICTURE_CHAIN_OF_TABLES_H

#include "picture/stage/stage.h"

/* Draws stage->node into stage->area, whatever its sub-steps are: never false. */
bool chain_of_tables(const Stage *stage);

#endif
