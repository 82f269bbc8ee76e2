/* A scene's texts as plain text, for screen readers. */
#pragma once

#include "picture/scene/scene.h"

/* Returns all texts in drawing order; texts beside each other form one line. New in the
 * arena. */
const char *scene_read(const Scene *scene, Arena *arena);
