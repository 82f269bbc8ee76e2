#include "picture/scene/scene_scale.h"

static Box scale_box(Box box, double factor) {
    return (Box){box.x * factor, box.y * factor, box.w * factor, box.h * factor};
}

static Point scale_point(Point point, double factor) {
    return (Point){point.x * factor, point.y * factor};
}

static void scale_points(Scene *scene, SceneItem *item, double factor) {
    Point *points = arena_alloc(scene->arena, item->count, sizeof *points);
    if (!points) {
        scene->incomplete = true;
        return;
    }
    for (size_t i = 0; i < item->count; i++)
        points[i] = scale_point(item->points[i], factor);
    item->points = points;
}

void scene_scale(Scene *scene, size_t first, double factor) {
    for (size_t i = first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        item->box = scale_box(item->box, factor);
        item->origin = scale_point(item->origin, factor);
        item->width *= factor;
        item->radius *= factor;
        item->size *= factor;
        if (item->count)
            scale_points(scene, item, factor);
    }
}
