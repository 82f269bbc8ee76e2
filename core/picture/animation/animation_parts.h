/* Animations of steps with several operations, called by animation.c. */
#pragma once

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"
#include "picture/transitions/transitions.h"

/* Plays a step of several operations: its parts appear in the order in which the result
 * needs them, so that a query appears before its scores and an attention weight before
 * its value. */
void step_timing_play(const Still *still, const Stage *stage, const PaceMoment *moment);

/* First node on the tape that a step computes, itself or in its sub-steps. */
size_t step_timing_first_node(const Player *player, size_t step);

/* Plays a generation that is drawn step by step: each generates its token, which drops
 * into the text that the next step reads. Returns false and moves nothing if fewer than
 * two steps' tokens are drawn so. */
bool generation_steps_play(const Still *still, const LessonGenerate *generate,
                           const PaceMoment *moment);
