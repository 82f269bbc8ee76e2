/* Scores behind masks, and what is left of them to share out: a mask is a veil that lies
 * over the scores, and each row's shares are one bar of length 1. */
#ifndef PICTURE_MASK_PICTURE_H
#define PICTURE_MASK_PICTURE_H

#include "picture/stage/stage.h"

/* Of a step that opens into the softmax of a table with one or several masks, and of such
 * a table's sum with one, beside which stands what is left of it; of any
 * other, and where rows have no room, nothing is drawn and false given. */
bool mask_picture(const Stage *stage);

#endif
