/* Going from step to step, the table's actions for it: on, back, into a step and out, to
 * chapters and to the lessons beside; what modes do with a key of theirs goes through the
 * same functions. */
#pragma once

#include "session/session.h"

/* Next step, from lesson to lesson; and within the lesson: false where it ends. The step
 * before, from lesson to lesson: false where the course begins. */
bool lesson_step_on(Session *session);
bool lesson_step_within(Session *session);
bool lesson_step_back(Session *session);
