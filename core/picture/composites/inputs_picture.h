/* Inputs of a step side by side, before it computes anything. For questions whose step's
 * own picture would reveal more. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the inputs; returns false and draws nothing if there are none. */
bool inputs_picture(const Stage *stage);

/* Draws a large question mark in place of the result, in a strip that it cuts off the
 * area. */
void result_placeholder(const Stage *stage, Box *area);
