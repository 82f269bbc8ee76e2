/* A scene's texts, for whoever can't see it. */
#ifndef PICTURE_SCENE_READ_H
#define PICTURE_SCENE_READ_H

#include "picture/scene/scene.h"

/* All texts in the order they were drawn, those that stand beside each other in one line.
 * New in the arena; NULL when that is exhausted, or the scene is not complete. */
const char *scene_read(const Scene *scene, Arena *arena);

#endif
