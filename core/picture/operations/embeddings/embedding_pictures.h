/* Pictures of what is computed from token IDs and positions: embedding lookup, one-hot
 * vectors, padding masks, sinusoidal and rotary positions. Each draws stage->node into
 * stage->area. */
#pragma once

#include "picture/stage/stage.h"

/* embed_picture.c: IDs, the table, and the rows looked up; IDs, and one-hot vectors */
void embed_picture(const Stage *stage);
void one_hot_picture(const Stage *stage);

/* padding_picture.c: a mask below its IDs */
void padding_picture(const Stage *stage);

/* positions_picture.c: the difference of two positions' sinusoidal encodings as hands on
 * dials; draws nothing and returns false for any other subtraction. */
bool positions_picture(const Stage *stage);

/* rotary_picture.c: each pair of columns as a hand rotated by its row's position */
void rotary_picture(const Stage *stage);
