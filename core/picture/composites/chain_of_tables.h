/* A chain of tables: the results of a step's sub-steps, in order. */
#pragma once

#include "picture/stage/stage.h"

/* Draws stage->node into stage->area, whatever its sub-steps are: never false. */
bool chain_of_tables(const Stage *stage);
