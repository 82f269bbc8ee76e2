/* Two tables of shares side by side: each row as two bars of length 1, one above the
 * other, and between them what became of each share. */
#ifndef PICTURE_COMPARED_WEIGHTS_PICTURE_H
#define PICTURE_COMPARED_WEIGHTS_PICTURE_H

#include "picture/stage/stage.h"

/* Of a step that shows just two such tables of one shape; of any other, and where rows
 * have no room, nothing is drawn and false given. */
bool compared_weights_picture(const Stage *stage);

#endif
