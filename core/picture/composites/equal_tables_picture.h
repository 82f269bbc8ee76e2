/* Two tables that are the same, or hardly differ: a dot for each pair of numbers, one
 * along each axis, all on the line on which both are equal; and how many of them differ,
 * none, or how far they are apart at most, as their colours would make it look large. */
#ifndef PICTURE_EQUAL_TABLES_PICTURE_H
#define PICTURE_EQUAL_TABLES_PICTURE_H

#include "picture/stage/stage.h"

/* Of a difference, maybe of rows or columns that are picked in the same step; false, and
 * nothing drawn, where the player's step is none or any number differs by a thousandth
 * of the largest. */
bool equal_tables_picture(const Stage *stage);

#endif
