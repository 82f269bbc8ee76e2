/* Two tables that are the same: each row of the one above that of the other, number above
 * number with "=" between them, and below them the zeros that are their difference. */
#ifndef PICTURE_SAME_PICTURE_H
#define PICTURE_SAME_PICTURE_H

#include "picture/stage/stage.h"

/* Of a difference, maybe of rows or columns that are picked in the same step; false, and
 * nothing drawn, where the player's step is none or any number differs. */
bool same_picture(const Stage *stage);

#endif
