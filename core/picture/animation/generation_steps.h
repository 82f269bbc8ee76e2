/* What moves while a generation comes to be that is drawn turn below turn: each says its
 * word, which drops into what the next turn reads. */
#ifndef PICTURE_MOTION_GENERATION_STEPS_H
#define PICTURE_MOTION_GENERATION_STEPS_H

#include "lesson/model/generate_step.h"
#include "lesson/play/pace.h"
#include "picture/transitions/ghost.h"

/* False, and nothing moves, where fewer than two turns' words are drawn so. */
bool generation_steps_play(const Still *still, const LessonGenerate *generate,
                           const PaceMoment *moment);

#endif
