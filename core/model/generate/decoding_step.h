/* Appends one decoding step to the tape (model/generate/generate.h lists its nodes). Used
 * by generate.c only. */
#pragma once

#include "model/generate/generated.h"

/* Appends step `number` and fills step->ids, all its nodes and its multiplications.
 * step->from are texts made by the steps before. Under the arena's guard; other errors
 * are those of transformer_append_input. */
bool decoding_step_append(const GenerateRequest *request, const Generated *earlier,
                          size_t number, DecodingStep *step, Error *error);
