/* A feed-forward network, or a part of one, of one word: what comes in and what goes out
 * as columns of numbers, between them the hidden units with the hinge at each, and lines
 * only from units that are lit. The other words stand below, each by itself. */
#ifndef PICTURE_NETWORK_PICTURE_H
#define PICTURE_NETWORK_PICTURE_H

#include "picture/operations/network_layout.h"

/* Draws it into stage->area, stage->node being its last part. False, and nothing drawn,
 * where it has more units than can be told apart. */
bool network_picture(const Stage *stage, const Network *network);

#endif
