/* One turn of generation being laid on the tape (see model/say/say.h). For say.c. */
#ifndef MODEL_TURN_H
#define MODEL_TURN_H

#include "model/say/say.h"

/* Appends turn `number`, the texts turn->from having been made by the turns before it,
 * and fills turn->ids, all its nodes and its multiplications. */
bool turn_append(const SayRequest *request, const Said *said, size_t number,
                 SayTurn *turn, Error *error);

#endif
