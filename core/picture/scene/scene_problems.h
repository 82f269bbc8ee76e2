/* Problems that make a scene's texts unreadable. Code that can lay something out in
 * several ways takes the layout with the fewest. */
#pragma once

#include "picture/scene/scene.h"

/* Number of problems in the items from `first` on: texts that overlap, are covered,
 * lie on a shape's edge or on another's cell, are cut short by "…", or leave `area`
 * unclipped; shapes that leave the page; and tables that are too small to see as a
 * whole. */
size_t scene_troubles(const Scene *scene, size_t first, Box area);

/* Number of the tables from item `first` on that are too small to see. */
size_t scene_specks(const Scene *scene, size_t first);
