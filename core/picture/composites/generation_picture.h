/* The loop of autoregressive generation: a line for each step, with the text that it
 * reads as chips, the token of the last step marked, and the token that it generates,
 * which the next step reads.
 *
 * If the costs of steps matter, they stand between them: a square for each row that is
 * computed, pale if it is recomputed, hollow if it is cached, and the multiplications as
 * bars. Otherwise each token has its probability, and the encoder's text lies above the
 * steps, with a line to each of them. */
#pragma once

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"

/* Draws all steps of a generation into stage->area. */
void generation_picture(const Stage *stage, const LessonGenerate *generate);
