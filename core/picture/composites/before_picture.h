/* What a step has before it has done anything: what goes in, side by side. For steps
 * whose own picture would show more than that. */
#ifndef PICTURE_BEFORE_PICTURE_H
#define PICTURE_BEFORE_PICTURE_H

#include "picture/stage/stage.h"

/* False, and nothing drawn, where nothing goes in. */
bool before_picture(const Stage *stage);

/* A large question mark where the result will be, in a strip that it takes off the area.
 */
void before_mark(const Stage *stage, Box *area);

#endif
