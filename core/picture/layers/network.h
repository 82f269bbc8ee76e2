/* Finds a feed-forward network, or a half of one, in what a step opens into: x W_1 + b_1,
 * bent by an activation, times W_2 + b_2. */
#ifndef PICTURE_NETWORK_H
#define PICTURE_NETWORK_H

#include "picture/operations/matrices/network_picture.h"

/* Finds the parts that a step of the player's tree computes and what these read; false
 * where it computes anything else, or not in this order. */
bool network_find(Network *network, const Stage *stage, size_t step);

/* Draws the player's step as a network; false, and nothing drawn, where it is none. */
bool feed_forward_picture(const Stage *stage);

/* The same of a step that shows the result of one. */
bool shown_network(const Stage *stage);

#endif
