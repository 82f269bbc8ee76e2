#include "base/arena.h"
#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/transitions/moving.h"

/* A clock's hand rotates along the arc drawn from its previous position. */

/* Items of a clock behind its rim and the previous hand. */
typedef struct Clock {
    size_t before, arc, after; /* indices of the scene's lines; all or none */
    size_t end;                /* end of its items: a number beside it doesn't rotate */
} Clock;

static bool find_clock(const Moving *moving, Link cell, Clock *clock) {
    const Still *still = moving->still;
    size_t begin = still_cell(moving->out, cell.row, cell.col, false), lines = 0;
    clock->end = begin == STILL_NONE ? 0 : still_run_end(still, begin);
    for (size_t i = begin; i < clock->end; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        if (item->kind != SCENE_LINE)
            continue;
        *(lines == 0 ? &clock->before : lines == 1 ? &clock->arc : &clock->after) = i;
        lines++;
    }
    return lines == 3;
}

/* End of the hand when the arc has grown by its progress. */
static Point end_of(const Scene *scene, const Clock *clock) {
    const SceneItem *arc = &scene->items[clock->arc],
                    *after = &scene->items[clock->after];
    Point middle = after->points[0], at = arc->points[arc->count - 1];
    double away = fmax(point_distance(middle, at), 1e-9);
    double scale = point_distance(middle, after->points[1]) / away;
    return (Point){middle.x + (at.x - middle.x) * scale,
                   middle.y + (at.y - middle.y) * scale};
}

bool rotate_item(const Moving *moving, size_t index, double progress) {
    Scene *scene = moving->still->canvas->scene;
    SceneItem *item = &scene->items[index];
    Clock clock;
    if (!find_clock(moving, item->link, &clock) || index >= clock.end)
        return false;
    if (index <= clock.before || progress >= 1)
        return true;
    if (index == clock.arc) { /* the first of them */
        motion_grow(scene, item, motion_ease(progress));
        return true;
    }
    Point end = end_of(scene, &clock);
    Box tip = {item->box.x + item->box.w / 2, item->box.y + item->box.h / 2, 0, 0};
    Point *points = arena_alloc(scene->arena, 2, sizeof *points);
    if (index != clock.after) {
        motion_move(scene, item, tip, (Box){end.x, end.y, 0, 0});
    } else if (points) {
        points[0] = item->points[0];
        points[1] = end;
        item->points = points;
    }
    return true;
}
