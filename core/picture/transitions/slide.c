#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/transitions/transitions_parts.h"
#include "tensor/tape/tape.h"

/* The slow row's dots slide from number line to number line down to the result's, along
 * the threads drawn between them; items between the lines appear as the dots pass.
 * Without such lines cells move straight. */

enum { THREADS_MOST = 8 };
static const double NEAR = 3; /* points: distance of a thread's beginning from its dot */
/* Units: items nearer to the dots belong to them. */
static const double BESIDE = 70, BEHIND = 16, LEAST_FALL = 30;
static const double SLIDES = 0.9; /* fraction of a flight */

typedef struct ThreadPath {
    size_t count;
    Point points[THREADS_MOST + 1];
} ThreadPath;

static bool is_near(Point a, Point b) {
    return fabs(a.x - b.x) < NEAR && fabs(a.y - b.y) < NEAR;
}

/* Straight line that leads down from a point, or NULL. */
static const SceneItem *thread_from(const Still *still, Point at) {
    for (size_t i = still->first; i < still->end; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        if (item->kind == SCENE_LINE && item->count == 2 &&
            item->link.kind == LINK_NONE && is_near(item->points[0], at) &&
            item->points[1].y > at.y + NEAR)
            return item;
    }
    return NULL;
}

/* Finds the threads from a point down to another, or a straight path if they don't lead
 * there; returns false if none begins at the point. */
static bool find_path(const Still *still, Point from, Point to, ThreadPath *path) {
    *path = (ThreadPath){.count = 1, .points = {from}};
    const SceneItem *thread;
    while (path->count <= THREADS_MOST && !is_near(path->points[path->count - 1], to) &&
           (thread = thread_from(still, path->points[path->count - 1])) != NULL)
        path->points[path->count++] = thread->points[1];
    bool found = path->count > 1 && to.y > from.y;
    if (!is_near(path->points[path->count - 1], to))
        *path = (ThreadPath){.count = 2, .points = {from, to}};
    return found;
}

/* Point of a path at a height. */
static Point path_at(const ThreadPath *path, double y) {
    for (size_t i = 1; i < path->count; i++) {
        Point from = path->points[i - 1], to = path->points[i];
        double length = to.y - from.y;
        if (y > to.y && i + 1 < path->count)
            continue;
        double part = length > 0 ? fmin(fmax((y - from.y) / length, 0), 1) : 1;
        return (Point){from.x + (to.x - from.x) * part, from.y + length * part};
    }
    return path->points[0];
}

bool slide_along_thread(const Still *still, size_t item, Box to, double progress) {
    Box from = still_box(still, item);
    ThreadPath path;
    if (!find_path(still, box_middle(from), box_middle(to), &path))
        return false;
    double top = path.points[0].y, bottom = path.points[path.count - 1].y;
    Point at = path_at(&path, top + (bottom - top) * motion_eased(progress, 0, SLIDES));
    ghost_draw(still, item, motion_box_centred(from, (Box){at.x, at.y, 0, 0}),
               1 - motion_between(progress, SLIDES, 1));
    return true;
}

/* Finds the lines of a cell of the slow row where it is drawn by itself: the middles of
 * the dot at the start and of that at the end. */
static bool find_lines(const Moving *moving, size_t col, Point *from, Point *to) {
    const Still *still = moving->still;
    size_t row = moving->slow_row, end = still_cell(moving->out, row, col, false);
    size_t start =
        moving->at->input_count
            ? still_cell(still_table(still, moving->at->inputs[0]), row, col, false)
            : STILL_NONE;
    if (start == STILL_NONE || end == STILL_NONE || end == moving_item(moving, row, col))
        return false;
    *from = box_middle(still_box(still, start));
    *to = box_middle(still_box(still, end));
    return still_box(still, end).y > still_box(still, start).y;
}

/* Reports whether an item is part of a scale or an axis, which is drawn faintly or lies
 * horizontally. */
static bool is_furniture(const Canvas *canvas, const SceneItem *item) {
    Color faint = canvas->theme->ink_faint;
    bool is_faint =
        item->fill.r == faint.r && item->fill.g == faint.g && item->fill.b == faint.b;
    if (item->kind == SCENE_LINE)
        return item->count != 2 || item->points[1].y < item->points[0].y + LEAST_FALL;
    return item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP ||
           (item->kind == SCENE_TEXT && is_faint);
}

void slide_between(const Moving *moving, SceneItem *item, double progress) {
    const Canvas *canvas = moving->still->canvas;
    Point from, to, slow_from, slow_to;
    if (item->link.kind != LINK_NONE || is_furniture(canvas, item) || !(progress < 1) ||
        !find_lines(moving, moving->slow_col, &slow_from, &slow_to))
        return;
    double left = INFINITY, right = 0;
    for (size_t col = 0; col < moving->out->cols; col++) {
        if (!find_lines(moving, col, &from, &to))
            continue;
        left = fmin(left, fmin(from.x, to.x));
        right = fmax(right, fmax(from.x, to.x));
    }
    Point at = box_middle(item->box);
    if (at.y < slow_from.y + BEHIND || at.y > slow_to.y || at.x < left - BESIDE ||
        at.x > right + BESIDE)
        return;
    double front =
        slow_from.y + (slow_to.y - slow_from.y) * motion_eased(progress, 0, SLIDES);
    if (item->kind != SCENE_LINE) {
        motion_fade(item, motion_between(front, at.y - BEHIND, at.y + BEHIND / 2));
        return;
    }
    if (front <= item->points[0].y)
        motion_fade(item, 0);
    motion_grow(canvas->scene, item,
                motion_between(front, item->points[0].y, item->points[1].y));
}
