/* Two tables that are equal or almost equal: a dot for each pair of numbers, one number
 * along each axis, all on the line of equality; and how many pairs differ (none), or the
 * largest difference, which colours would exaggerate. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a difference of two tables, possibly of rows or columns picked in the same step;
 * returns false and draws nothing if the player's step is none, or any pair differs by a
 * thousandth of the largest number. */
bool equal_tables_picture(const Stage *stage);
