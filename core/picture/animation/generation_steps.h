/* Animation of a generation that is drawn step by step: each generates its token, which
 * drops into the text that the next step reads. */
#pragma once

#include "lesson/model/generate_step.h"
#include "lesson/play/pace.h"
#include "picture/transitions/ghost.h"

/* Plays the generation; returns false and moves nothing if fewer than two steps' tokens
 * are drawn so. */
bool generation_steps_play(const Still *still, const LessonGenerate *generate,
                           const PaceMoment *moment);
