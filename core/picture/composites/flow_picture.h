/* The flow: a step that opens, as the results it opens into, in order. */
#ifndef PICTURE_FLOW_PICTURE_H
#define PICTURE_FLOW_PICTURE_H

#include "picture/stage/stage.h"

/* Draws stage->node into stage->area, whatever it opens into: never false. */
bool flow_picture(const Stage *stage);

#endif
