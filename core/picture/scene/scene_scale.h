/* Scales a scene's items after they were drawn, for the large type of presented pages:
 * they are laid out in a smaller area and enlarged. */
#pragma once

#include "picture/scene/scene.h"

/* Enlarges the items from `first` on by `factor`; the page's upper left corner moves to
 * `corner`. */
void scene_scale(Scene *scene, size_t first, double factor, Point corner);
