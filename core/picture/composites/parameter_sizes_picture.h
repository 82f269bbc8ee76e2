/* Tables of one row with the sizes of the same things: under each table's name a bar for
 * each thing, with the longest bars of all tables equally long. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a step that shows only such given tables with numbers above 0; returns false and
 * draws nothing for other steps and if there is no room. */
bool parameter_sizes_picture(const Stage *stage);
