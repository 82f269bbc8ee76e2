/* What a step has before it has done anything: what goes in, side by side, and a question
 * mark where its result will be. For steps whose own picture would show more than that.
 */
#ifndef PICTURE_BEFORE_PICTURE_H
#define PICTURE_BEFORE_PICTURE_H

#include "picture/stage/stage.h"

void before_picture(const Stage *stage);

#endif
