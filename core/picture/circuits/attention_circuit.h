/* Attention as a circuit: the input forks into three lanes; queries and keys meet in the
 * scores, softmax turns the scores into attention weights, and the output is the sum of
 * the values weighted by them. */
#pragma once

#include "picture/stage/stage.h"

/* Draws the player's step into stage->area; returns false and draws nothing if it is no
 * attention. */
bool attention_circuit(const Stage *stage);
