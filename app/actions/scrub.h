/* Dragging through a lesson: along the timeline, and through a training along its curves,
 * which are linked to its epochs' steps. */
#pragma once

#include "session/session.h"

/* Drags along the timeline, and along a training's curves. */
bool scrub_timeline(Session *session, const Scene *scene, double x);
bool scrub_training(Session *session, const Scene *scene, double x);
