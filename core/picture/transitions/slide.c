#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/scene/theme.h"
#include "picture/transitions/moving.h"
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

static ThreadPath path_between(const Still *still, Point from, Point to) {
    ThreadPath path = {.count = 1, .points = {from}};
    while (path.count <= THREADS_MOST && !is_near(path.points[path.count - 1], to)) {
        const SceneItem *thread = thread_from(still, path.points[path.count - 1]);
        if (!thread)
            break;
        path.points[path.count++] = thread->points[1];
    }
    if (is_near(path.points[path.count - 1], to))
        return path;
    return (ThreadPath){.count = 2, .points = {from, to}};
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
    if (!thread_from(still, box_middle(from)))
        return false;
    ThreadPath path = path_between(still, box_middle(from), box_middle(to));
    Point end = path.points[path.count - 1];
    if (!is_near(end, box_middle(to)) || !(end.y > path.points[0].y))
        return false;
    double front = motion_ease(motion_between(progress, 0, SLIDES));
    Point at = path_at(&path, path.points[0].y + (end.y - path.points[0].y) * front);
    ghost_draw(still, item, (Box){at.x - from.w / 2, at.y - from.h / 2, from.w, from.h},
               1 - motion_between(progress, SLIDES, 1));
    return true;
}

/* Finds the lines of the slow row's cells where they are drawn by themselves: the start
 * and the end of its first dot. */
static bool find_lines(const Moving *moving, size_t col, size_t *from, size_t *to) {
    size_t row = moving->slow / moving->out->cols;
    const StillTable *input = moving->at->input_count
                                  ? still_table(moving->still, moving->at->inputs[0])
                                  : NULL;
    *from = still_cell(input, row, col, false);
    *to = still_cell(moving->out, row, col, false);
    return *from != STILL_NONE && *to != STILL_NONE &&
           *to != still_cell(moving->out, row, col, true) &&
           still_box(moving->still, *to).y > still_box(moving->still, *from).y;
}

static double front_of(const Moving *moving, double progress) {
    size_t from, to;
    if (!find_lines(moving, moving->slow % moving->out->cols, &from, &to))
        return 0;
    double top = box_middle(still_box(moving->still, from)).y;
    double bottom = box_middle(still_box(moving->still, to)).y;
    return top + (bottom - top) * motion_ease(motion_between(progress, 0, SLIDES));
}

bool slide_cell(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    size_t from, to;
    if (row != moving->slow / moving->out->cols || !find_lines(moving, col, &from, &to))
        return false;
    Box begins = still_box(still, from), ends = still_box(still, to);
    ThreadPath path = path_between(still, box_middle(begins), box_middle(ends));
    Point at = path_at(&path, front_of(moving, progress));
    ghost_draw(still, from,
               (Box){at.x - begins.w / 2, at.y - begins.h / 2, begins.w, begins.h},
               1 - motion_between(progress, SLIDES, 1));
    return true;
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
    size_t from, to, last = moving->out->cols - 1;
    if (item->link.kind != LINK_NONE || is_furniture(canvas, item) || !(progress < 1) ||
        !find_lines(moving, 0, &from, &to))
        return;
    double top = box_middle(still_box(moving->still, from)).y;
    double bottom = box_middle(still_box(moving->still, to)).y;
    double left = INFINITY, right = 0, front = front_of(moving, progress);
    for (size_t col = 0; col <= last; col++) {
        if (!find_lines(moving, col, &from, &to))
            continue;
        double x = box_middle(still_box(moving->still, from)).x;
        double end = box_middle(still_box(moving->still, to)).x;
        left = fmin(left, fmin(x, end));
        right = fmax(right, fmax(x, end));
    }
    Point at = box_middle(item->box);
    if (at.y < top + BEHIND || at.y > bottom || at.x < left - BESIDE ||
        at.x > right + BESIDE)
        return;
    bool sloped = item->kind == SCENE_LINE;
    if (sloped)
        motion_grow(canvas->scene, item,
                    motion_between(front, item->points[0].y, item->points[1].y));
    else
        motion_fade(item, motion_between(front, at.y - BEHIND, at.y + BEHIND / 2));
    if (sloped && front <= item->points[0].y)
        motion_fade(item, 0);
}
