/* One turn of generation being laid on the tape (model/say/say.h says what it holds). For
 * say.c. */
#ifndef MODEL_TURN_H
#define MODEL_TURN_H

#include "model/say/said.h"

/* Appends turn `number`, the texts turn->from having been made by the turns before it,
 * and fills turn->ids, all its nodes and its multiplications. The arena has a guard; what
 * else can be wrong is as for transformer_append_input. */
bool turn_append(const SayRequest *request, const Said *said, size_t number,
                 SaidTurn *turn, Error *error);

#endif
