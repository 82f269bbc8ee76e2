/* A scene's texts as plain text, for screen readers. */
#ifndef PICTURE_SCENE_READ_H
#define PICTURE_SCENE_READ_H

#include "picture/scene/scene.h"

/* Returns all texts in drawing order; texts beside each other form one line. New in the
 * arena. */
const char *scene_read(const Scene *scene, Arena *arena);

#endif
