/* Tables that a step shows side by side, each computed from the one before it, along a
 * residual lane, with a gate between them for each operation: a norm's with the dots of
 * its rows, a layer's with its blocks. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the tables of the player's step into stage->area; returns false and draws nothing
 * if they differ in shape or kind, are not computed from each other, or have no room for
 * digits or for a layer between them. */
bool shown_lane(const Stage *stage);
