/* Readable texts: during an animation each text is either readable as a whole or
 * invisible. */
#pragma once

#include "picture/scene/scene.h"

/* Removes each text from item `first` on that lies under another one, or under the ground
 * of an item, if one of the two moves. `moves` has an entry for each of these items. */
void readable_keep_whole(Scene *scene, size_t first, const bool *moves);

/* The same if the items [first, still) and those from `end` on move. */
void readable_keep_ghosts_whole(Scene *scene, size_t first, size_t still, size_t end);
