#include "picture/scene/scene_scale.h"

#include "base/arena.h"

static Box scale_box(Box box, double factor, Point corner) {
    return (Box){corner.x + box.x * factor, corner.y + box.y * factor, box.w * factor,
                 box.h * factor};
}

static Point scale_point(Point point, double factor, Point corner) {
    return (Point){corner.x + point.x * factor, corner.y + point.y * factor};
}

static void scale_points(Scene *scene, SceneItem *item, double factor, Point corner) {
    Point *points = arena_alloc(scene->arena, item->count, sizeof *points);
    for (size_t i = 0; i < item->count; i++)
        points[i] = scale_point(item->points[i], factor, corner);
    item->points = points;
}

void scene_scale(Scene *scene, size_t first, double factor, Point corner) {
    for (size_t i = first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        item->box = scale_box(item->box, factor, corner);
        item->origin = scale_point(item->origin, factor, corner);
        item->width *= factor;
        item->radius *= factor;
        item->size *= factor;
        if (item->count)
            scale_points(scene, item, factor, corner);
    }
}
