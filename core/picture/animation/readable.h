/* Readable: while something is on its way, each text is read whole or not at all. */
#ifndef PICTURE_MOTION_READABLE_H
#define PICTURE_MOTION_READABLE_H

#include "picture/scene/scene.h"

/* Takes away each text of a scene's items from `first` on that lies under another one, or
 * under the ground of something, where one of the two is on its way: `moves` tells it of
 * each of these items. */
void readable_keep_whole(Scene *scene, size_t first, const bool *moves);

/* The same where the items from `first` up to `still` and those from `end` on are. */
void readable_keep_ghosts_whole(Scene *scene, size_t first, size_t still, size_t end);

#endif
