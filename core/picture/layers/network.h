/* Finds a feed-forward network, or half of one, in a step's sub-steps: x W_1 + b_1, an
 * activation, times W_2 + b_2. */
#pragma once

#include "picture/operations/matrices/matrix_pictures.h"
#include "tensor/tape/tape.h"

/* Finds the parts that a step of the player's tree computes and their inputs; returns
 * false if it computes anything else, or in another order. */
bool network_find(Network *network, const Stage *stage, size_t step);

/* Draws the player's step as a network; returns false and draws nothing if it is none. */
bool feed_forward_picture(const Stage *stage);

/* Draws a step that shows the result of a network; otherwise like
 * feed_forward_picture. */
bool shown_network(const Stage *stage);
