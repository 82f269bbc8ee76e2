/* Tables of one row that are set side by side and say of the same things how large they
 * are: under each name a bar for each thing, the longest of each name as long as the
 * next. */
#ifndef PICTURE_PARAMETER_SIZES_PICTURE_H
#define PICTURE_PARAMETER_SIZES_PICTURE_H

#include "picture/stage/stage.h"

/* Of a step that shows only given tables of that kind, of numbers above 0; of any other,
 * and where they have no room, nothing is drawn and false given. */
bool parameter_sizes_picture(const Stage *stage);

#endif
