/* Choice of a token in one step of a generation: tokens by descending probability.
 *
 * Above stands the text that the step reads and the generated token; below, for each
 * token, its probability as a bar, the rule that excludes it (hatched, the token struck
 * out), the renormalized probability of the others, and how often each was drawn. Numbers
 * are the tape's present ones; the generated token is the one chosen when the lesson was
 * loaded, struck out if the present numbers choose another. */
#pragma once

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"

/* Draws step `turn` into stage->area. */
void choice_view(const Stage *stage, const LessonGenerate *generate, size_t turn);
