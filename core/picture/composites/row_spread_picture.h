/* Tables that a step shows side by side, one of them made by a norm: each row as dots on
 * a number line, all lines of one scale, and below the dots what they would balance on.
 */
#ifndef PICTURE_ROW_SPREAD_PICTURE_H
#define PICTURE_ROW_SPREAD_PICTURE_H

#include "picture/stage/stage.h"

/* False, and nothing drawn, where the tables differ in shape, no norm made any of them,
 * or there is no room. */
bool row_spread_picture(const Stage *stage);

#endif
