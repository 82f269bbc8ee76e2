/* Residual lanes: sums, layers as lanes with loops, and the whole model.
 *
 * One thick lane runs from left to right; what is added to it comes in at a ⊕, and a norm
 * is a gate. Functions that draw the player's step draw it into stage->area; they return
 * false and draw nothing if it is not what they draw, or has no room. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a sum as a residual connection: of two tables of one shape, one on the lane and
 * one that comes in from above, possibly of positional encodings that the step computes;
 * or two shown tables that are added later, with a question instead of ⊕; or two tables
 * with their sum. Many rows are drawn row by row. */
bool sum_lane(const Stage *stage);

/* Draws tables that a step shows, each computed from the one before it, along a lane with
 * a gate between them for each operation: a norm's with the dots of its rows, a layer's
 * with its blocks. */
bool shown_lane(const Stage *stage);

/* Draws a layer: each sublayer is a side loop that leaves the lane and comes back at a
 * ⊕. One token's row has numbers. */
bool layer_lane(const Stage *stage);

/* Draws the inverse of a residual sum: two tables, each computed from the shown first one
 * by a residual sum, one of them normalized afterwards; below each lane the way back by a
 * subtraction, which recovers the input unless a norm is in between. */
bool inverse_lanes(const Stage *stage);

/* Draws the whole model if stage->view requires it, or if the player's step is the
 * encoder output, which no single operation computes: the residual lanes of its towers
 * with layers as boxes on them, the encoder output's lane to every cross-attention, and
 * the next token's probabilities at the end. */
bool whole_model(const Stage *stage);

/* Draws the player's step as a feed-forward network, or half of one. */
bool feed_forward_picture(const Stage *stage);

/* Draws a step that shows the result of a network as the network. */
bool shown_network(const Stage *stage);

/* Draws the row in focus of the shown tensors as stations along a path if stage->view
 * requires it: a strip of cells for each tensor, between two of them what was added, or
 * the operation, and the numbers before as pale bands; all numbers of the focused column
 * in one line. */
bool vector_path(const Stage *stage);

/* First node of a step's sub-steps. */
size_t lane_first_node(const Stage *stage, size_t step);

/* Name of a sublayer for its box: "Masked attention"; NULL if it has none. */
const char *lane_sublayer_name(const Stage *stage, size_t step);
