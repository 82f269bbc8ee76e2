/* Pictures of what is made of words' IDs and places: rows looked up, one-hot rows, masks
 * of padding, and positions as waves and as turns. Each draws stage->node into
 * stage->area.
 */
#ifndef PICTURE_EMBEDDING_PICTURES_H
#define PICTURE_EMBEDDING_PICTURES_H

#include "picture/stage/stage.h"

/* embed_picture.c: IDs, the table, and the rows found */
void embed_picture(const Stage *stage);

/* one_hot_picture.c: IDs, and rows with a 1 in their column */
void one_hot_picture(const Stage *stage);

/* padding_picture.c: a mask below its IDs */
void padding_picture(const Stage *stage);

/* positions_picture.c: of one place's row of waves less another's, hands on dials; of any
 * other nothing is drawn and false given */
bool positions_picture(const Stage *stage);

/* rotary_picture.c: each pair of columns as the hand of a clock, turned by its row */
void rotary_picture(const Stage *stage);

#endif
