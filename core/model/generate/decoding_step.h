/* One turn of generation being laid on the tape (model/generate/generate.h says what it
 * holds). For say.c. */
#ifndef MODEL_DECODING_STEP_H
#define MODEL_DECODING_STEP_H

#include "model/generate/generated.h"

/* Appends turn `number`, the texts turn->from having been made by the turns before it,
 * and fills turn->ids, all its nodes and its multiplications. The arena has a guard; what
 * else can be wrong is as for transformer_append_input. */
bool decoding_step_append(const GenerateRequest *request, const Generated *said,
                          size_t number, DecodingStep *turn, Error *error);

#endif
