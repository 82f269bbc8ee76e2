/* Shares times what they leave: a (1 − a), which is how far each share can still be
 * moved. The hump that it is over shares from 0 to 1, every share a dot on it, and beside
 * it both tables. */
#ifndef PICTURE_SOFTMAX_SLOPE_PICTURE_H
#define PICTURE_SOFTMAX_SLOPE_PICTURE_H

#include "picture/stage/stage.h"

/* Of a step that opens into A ⊙ (1 − A); false, and nothing drawn, where it is none, or
 * where the tables are too large for the room. */
bool softmax_slope_picture(const Stage *stage);

#endif
