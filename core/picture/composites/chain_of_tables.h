/* The flow: a step that opens, as the results it opens into, in order. */
#ifndef PICTURE_CHAIN_OF_TABLES_H
#define PICTURE_CHAIN_OF_TABLES_H

#include "picture/stage/stage.h"

/* Draws stage->node into stage->area, whatever it opens into: never false. */
bool chain_of_tables(const Stage *stage);

#endif
