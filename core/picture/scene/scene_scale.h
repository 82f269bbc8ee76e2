/* Scaling a scene's items after they were drawn, as type for the back row is made: what
 * was laid out in a smaller area is drawn larger. */
#ifndef PICTURE_SCENE_SCALE_H
#define PICTURE_SCENE_SCALE_H

#include "picture/scene/scene.h"

/* Makes what was drawn since the scene had `first` items `factor` times as large; the
 * page's upper left corner comes to be at `corner`. */
void scene_scale(Scene *scene, size_t first, double factor, Point corner);

#endif
