/* Troubles: what would keep someone from reading a scene's texts. Who lays something out
 * in several ways takes the one with the fewest. */
#ifndef PICTURE_SCENE_PROBLEMS_H
#define PICTURE_SCENE_PROBLEMS_H

#include "picture/scene/scene.h"

/* How many there are in what was drawn since the scene had `first` items: texts that lie
 * over each other, are covered, lie on a shape's edge or on another's cell, are cut short
 * behind "…", or leave `area` where no clip cuts them; and shapes that leave the page;
 * and tables whose cells, all together, are a speck. */
size_t scene_troubles(const Scene *scene, size_t first, Box area);

/* How many tables of them are only specks. */
size_t scene_specks(const Scene *scene, size_t first);

#endif
