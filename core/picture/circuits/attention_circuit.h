/* Attention as a circuit: what goes in forks into three lanes; queries and keys meet in
 * the scores, the scores become shares, and the values are mixed by them. */
#ifndef PICTURE_ATTENTION_CIRCUIT_H
#define PICTURE_ATTENTION_CIRCUIT_H

#include "picture/stage/stage.h"

/* Draws the player's step into stage->area; false, and nothing drawn, where it is no
 * attention. */
bool attention_circuit(const Stage *stage);

#endif
