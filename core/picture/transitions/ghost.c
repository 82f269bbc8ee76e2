#include "picture/transitions/transitions.h"

#include "base/arena.h"
#include "base/maths.h"
#include "picture/draw/canvas.h"

enum { EDGE_ALPHA = 90 };
static const double ROUNDING = 1e-9; /* ends are sums of rounded numbers */

/* ---- progress ---- */

double motion_between(double progress, double begin, double end) {
    if (progress >= end - ROUNDING)
        return 1;
    return progress > begin ? (progress - begin) / (end - begin) : 0;
}

double motion_ease(double progress) {
    return progress * progress * (3 - 2 * progress);
}

double motion_eased(double progress, double begin, double end) {
    return motion_ease(motion_between(progress, begin, end));
}

/* ---- boxes and items ---- */

Box motion_box_between(Box from, Box to, double progress) {
    return (Box){from.x + (to.x - from.x) * progress, from.y + (to.y - from.y) * progress,
                 from.w + (to.w - from.w) * progress,
                 from.h + (to.h - from.h) * progress};
}

Box motion_box_centred(Box size, Box in) {
    return (Box){in.x + (in.w - size.w) / 2, in.y + (in.h - size.h) / 2, size.w, size.h};
}

Color motion_shown(Color color, double shown) {
    color.a = (uint8_t)lround(color.a * shown);
    return color;
}

void motion_fade(SceneItem *item, double shown) {
    if (shown >= 1)
        return;
    if (item->kind == SCENE_TEXT)
        shown = fmax(2 * shown - 1, 0);
    item->fill = motion_shown(item->fill, shown);
    item->stroke = motion_shown(item->stroke, shown);
}

static Point place_point(Point at, Box from, Box to) {
    double x = from.w > 0 ? to.w / from.w : 1, y = from.h > 0 ? to.h / from.h : 1;
    return (Point){to.x + (at.x - from.x) * x, to.y + (at.y - from.y) * y};
}

static Box place_box(Box box, Box from, Box to) {
    Point corner = place_point((Point){box.x, box.y}, from, to);
    Point end = place_point((Point){box.x + box.w, box.y + box.h}, from, to);
    return (Box){corner.x, corner.y, end.x - corner.x, end.y - corner.y};
}

/* Moves a text with its proportions: scaled by the box's narrower direction, about its
 * own middle. */
static void move_text(SceneItem *item, Box from, Box to) {
    double scale = fmin(from.w > 0 ? to.w / from.w : 1, from.h > 0 ? to.h / from.h : 1);
    Box box = item->box;
    double size = fmax(round(item->size * scale), 1);
    double stretch = size / item->size;
    Point middle = box_middle(box);
    Point at = place_point(middle, from, to);
    item->origin = (Point){at.x + (item->origin.x - middle.x) * stretch,
                           at.y + (item->origin.y - middle.y) * stretch};
    item->box = (Box){at.x - box.w / 2 * stretch, at.y - box.h / 2 * stretch,
                      box.w * stretch, box.h * stretch};
    item->size = size;
}

void motion_move(Scene *scene, SceneItem *item, Box from, Box to) {
    if (item->kind == SCENE_UNCLIP)
        return;
    if (item->kind == SCENE_TEXT) {
        move_text(item, from, to);
        return;
    }
    item->box = place_box(item->box, from, to);
    if (!item->count)
        return;
    Point *points = arena_alloc(scene->arena, item->count, sizeof *points);
    for (size_t i = 0; i < item->count; i++)
        points[i] = place_point(item->points[i], from, to);
    item->points = points;
}

void motion_grow(Scene *scene, SceneItem *item, double progress) {
    if (progress >= 1 || item->count < 2)
        return;
    double length = 0;
    for (size_t i = 1; i < item->count; i++)
        length += point_distance(item->points[i - 1], item->points[i]);
    Point *points = arena_alloc(scene->arena, item->count, sizeof *points);
    double left = length * progress;
    size_t count = 1;
    points[0] = item->points[0];
    for (; count < item->count && left > 0; count++) {
        Point from = item->points[count - 1], to = item->points[count];
        double step = point_distance(from, to), part = step > left ? left / step : 1;
        points[count] =
            (Point){from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
        left -= step;
    }
    if (count == 1)
        points[count++] = points[0];
    item->points = points;
    item->count = count;
}

/* ---- ghosts ---- */

/* Appends a copy of an item, without its link and caption. */
static void draw_copy(Scene *scene, SceneItem copy) {
    if (copy.kind == SCENE_CLIP) {
        scene_clip(scene, copy.box);
    } else if (copy.kind == SCENE_UNCLIP) {
        scene_unclip(scene);
    } else if (copy.kind != SCENE_IMAGE) {
        scene_rectangle(scene, copy.box, 0, (Color){0}, (Color){0}, 0);
        SceneItem *item = &scene->items[scene->count - 1];
        copy.link = item->link;
        copy.caption = item->caption;
        copy.named = item->named;
        *item = copy;
    }
}

/* Reports whether an item surrounds a cell, such as a target's outline around its bar;
 * such items don't move. */
static bool encloses_cell(const SceneItem *item, Box cell) {
    enum { RING = 12 }; /* points by which a cell's own marks may protrude */
    return item->kind == SCENE_RECTANGLE &&
           (item->box.w > 1.5 * cell.w + RING || item->box.h > 1.5 * cell.h + RING);
}

/* Keeps a ghost in the still's area; curves may leave it, and numbers may protrude from
 * their ground. */
static void keep_in_area(const Still *still, size_t item, size_t end, Box from, Box *to) {
    const SceneItem *items = still->canvas->scene->items;
    Box area = still->area;
    double x = 0, y = 0;
    for (size_t i = item; i < end; i++) {
        if ((items[i].kind != SCENE_RECTANGLE && items[i].kind != SCENE_TEXT) ||
            encloses_cell(&items[i], from))
            continue; /* hatching is clipped to its cell */
        Box box = place_box(items[i].box, from, *to);
        double dx = fmax(fmin(0, area.x + area.w - box.w - box.x), area.x - box.x);
        double dy = fmax(fmin(0, area.y + area.h - box.h - box.y), area.y - box.y);
        x = fabs(dx) > fabs(x) ? dx : x;
        y = fabs(dy) > fabs(y) ? dy : y;
    }
    to->x += x;
    to->y += y;
}

/* Gives a moving cell an edge, so that it stands out. */
static void lift_ground(const Still *still, SceneItem *item) {
    if (item->kind != SCENE_RECTANGLE || item->stroke.a || !item->fill.a)
        return;
    item->stroke = still->canvas->theme->ink_faint;
    item->stroke.a = EDGE_ALPHA;
    item->width = 1;
}

void ghost_draw(const Still *still, size_t item, Box to, double shown) {
    Scene *scene = still->canvas->scene;
    if (!(shown > 0) || item == STILL_NONE)
        return;
    Box from = still_box(still, item);
    size_t end = still_run_end(still, item);
    keep_in_area(still, item, end, from, &to);
    size_t depth = scene->clip_depth;
    scene_link(scene, (Link){0});
    for (size_t i = item; i < end; i++) {
        SceneItem copy = scene->items[i];
        bool upright = copy.angle < 0 || copy.angle > 0; /* a vertical label */
        if (upright || encloses_cell(&copy, from) ||
            (copy.kind == SCENE_UNCLIP && scene->clip_depth == depth))
            continue;
        motion_move(scene, &copy, from, to);
        lift_ground(still, &copy);
        motion_fade(&copy, shown);
        draw_copy(scene, copy);
    }
    while (scene->clip_depth > depth) /* the run ends within a clip */
        scene_unclip(scene);
}

void ghost_fly(const Still *still, size_t item, Box to, double progress, double lands) {
    if (item != STILL_NONE)
        ghost_draw(still, item,
                   motion_box_between(still_box(still, item), to,
                                      motion_eased(progress, 0, lands)),
                   1 - motion_between(progress, lands, 1));
}
