/* A recurrent network: a chain of hidden states, each computed from a row of a table and
 * the state before it with the same two weights. Ribbons run from state to state, one for
 * each row read so far, as thick as the row's remaining influence. */
#pragma once

#include "picture/stage/stage.h"

/* Draws a step that computes a state or its pre-activation, if the lesson has two or more
 * consecutive states; returns false and draws nothing for other steps and if there is no
 * room. */
bool recurrence_picture(const Stage *stage);
