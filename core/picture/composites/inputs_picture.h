/* What a step has before it has done anything: what goes in, side by side. For steps
 * whose own picture would show more than that. */
#ifndef PICTURE_INPUTS_PICTURE_H
#define PICTURE_INPUTS_PICTURE_H

#include "picture/stage/stage.h"

/* False, and nothing drawn, where nothing goes in. */
bool inputs_picture(const Stage *stage);

/* A large question mark where the result will be, in a strip that it takes off the area.
 */
void result_placeholder(const Stage *stage, Box *area);

#endif
