#include "picture/scene/scene.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/maths.h"
#include "tensor/tensor.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double WIDEST_LINE = 5;
/* Distance in points within which a point hits a line. */
static const double LINE_REACH = 3;

void scene_init(Scene *scene, Arena *arena, double width, double height,
                Color background) {
    *scene = (Scene){
        .arena = arena, .width = width, .height = height, .background = background};
    scene->lines = 1;
}

void scene_set_lines(Scene *scene, double factor) {
    scene->lines = factor;
}

void scene_set_language(Scene *scene, const Language *language) {
    scene->language = language;
}

void scene_begin_aloud(Scene *scene, const char *aloud) {
    if (!scene->aloud_depth++)
        scene->aloud = arena_copy(scene->arena, aloud, strlen(aloud));
}

void scene_end_aloud(Scene *scene) {
    if (!--scene->aloud_depth)
        scene->aloud = NULL;
}

/* Width of a line: bands are as wide as requested, thin lines are scaled by the page's
 * factor. */
static double line_width(const Scene *scene, double width) {
    return width <= WIDEST_LINE ? width * scene->lines : width;
}

void scene_link(Scene *scene, Link link) {
    scene->link = link;
}

void scene_begin_caption(Scene *scene, size_t node) {
    if (scene->caption_depth++)
        return;
    scene->captions++;
    scene->named = node;
}

void scene_end_caption(Scene *scene) {
    scene->caption_depth--;
}

static SceneItem *append_item(Scene *scene, SceneKind kind, Box box) {
    scene->items = array_reserve(scene->arena, scene->items, scene->count,
                                 &scene->capacity, sizeof *scene->items);
    SceneItem *item = &scene->items[scene->count++];
    *item = (SceneItem){.kind = kind,
                        .link = scene->link,
                        .caption = scene->caption_depth ? scene->captions : 0,
                        .named = scene->named,
                        .flows = scene->flows,
                        .aloud = scene->aloud,
                        .box = box};
    return item;
}

void scene_rectangle(Scene *scene, Box box, double radius, Color fill, Color stroke,
                     double width) {
    SceneItem *item = append_item(scene, SCENE_RECTANGLE, box);
    item->radius = radius;
    item->fill = fill;
    item->stroke = stroke;
    item->width = line_width(scene, width);
}

/* Bounding box of points, widened by `margin` on every side. */
static Box bounds(const Point *points, size_t count, double margin) {
    double left = points[0].x, right = left, top = points[0].y, bottom = top;
    for (size_t i = 1; i < count; i++) {
        left = fmin(left, points[i].x);
        right = fmax(right, points[i].x);
        top = fmin(top, points[i].y);
        bottom = fmax(bottom, points[i].y);
    }
    return (Box){left - margin, top - margin, right - left + 2 * margin,
                 bottom - top + 2 * margin};
}

static void append_points(Scene *scene, SceneKind kind, const Point *points, size_t count,
                          double width, Color color) {
    Point *copy = arena_alloc(scene->arena, count, sizeof *copy);
    memcpy(copy, points, count * sizeof *copy);
    width = line_width(scene, width);
    SceneItem *item = append_item(scene, kind, bounds(points, count, width / 2));
    item->points = copy;
    item->count = count;
    item->width = width;
    item->fill = color;
}

void scene_line(Scene *scene, Point from, Point to, double width, Color color) {
    append_points(scene, SCENE_LINE, (Point[]){from, to}, 2, width, color);
}

void scene_path(Scene *scene, const Point *points, size_t count, double width,
                Color color) {
    assert(count >= 2);
    append_points(scene, SCENE_LINE, points, count, width, color);
}

void scene_polygon(Scene *scene, const Point *points, size_t count, Color fill) {
    assert(count >= 3);
    append_points(scene, SCENE_POLYGON, points, count, 0, fill);
}

void scene_text(Scene *scene, FontRole font, double size, Color color, Point origin,
                const char *text, double advance, double ascent, double descent) {
    if (!*text)
        return;
    const char *copy = arena_copy(scene->arena, text, strlen(text));
    Box box = {origin.x, origin.y - ascent, advance, ascent + descent};
    SceneItem *item = append_item(scene, SCENE_TEXT, box);
    item->text = copy;
    item->font = font;
    item->size = size;
    item->fill = color;
    item->origin = origin;
}

void scene_image(Scene *scene, Box box, const Tensor *tensor, const ColorScale *scale) {
    Tensor *kept = arena_alloc(scene->arena, 1, sizeof *kept);
    SceneItem *item = append_item(scene, SCENE_IMAGE, box);
    *kept = *tensor;
    item->tensor = kept;
    item->scale = scale;
}

Box box_join(Box a, Box b) {
    double left = fmin(a.x, b.x), top = fmin(a.y, b.y);
    return (Box){left, top, fmax(a.x + a.w, b.x + b.w) - left,
                 fmax(a.y + a.h, b.y + b.h) - top};
}

Box box_common(Box a, Box b) {
    double x = fmax(a.x, b.x), y = fmax(a.y, b.y);
    return (Box){x, y, fmax(fmin(a.x + a.w, b.x + b.w) - x, 0),
                 fmax(fmin(a.y + a.h, b.y + b.h) - y, 0)};
}

void scene_clip(Scene *scene, Box box) {
    scene->clip_depth++;
    append_item(scene, SCENE_CLIP, box);
}

void scene_unclip(Scene *scene) {
    assert(scene->clip_depth > 0);
    scene->clip_depth--;
    append_item(scene, SCENE_UNCLIP, (Box){0});
}

static void reverse(SceneItem *items, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        SceneItem item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
}

void scene_lay_below(Scene *scene, size_t under, size_t first, size_t end) {
    reverse(scene->items + under, first - under);
    reverse(scene->items + first, end - first);
    reverse(scene->items + under, end - under);
}

bool scene_complete(const Scene *scene) {
    return !arena_exhausted(scene->arena) && scene->clip_depth == 0;
}

/* Point of the page after it was enlarged. */
static Point scale_point(Point point, double factor, Point corner) {
    return (Point){corner.x + point.x * factor, corner.y + point.y * factor};
}

void scene_scale(Scene *scene, size_t first, double factor, Point corner) {
    for (size_t i = first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        Point at = scale_point((Point){item->box.x, item->box.y}, factor, corner);
        Point *points =
            item->count ? arena_alloc(scene->arena, item->count, sizeof *points) : NULL;
        for (size_t j = 0; j < item->count; j++)
            points[j] = scale_point(item->points[j], factor, corner);
        item->points = points;
        item->box = (Box){at.x, at.y, item->box.w * factor, item->box.h * factor};
        item->origin = scale_point(item->origin, factor, corner);
        item->width *= factor;
        item->radius *= factor;
        item->size *= factor;
    }
}

/* Link of the cell of an image under a point. */
static Link image_link(const SceneItem *item, double x, double y) {
    Link link = item->link;
    if (link.kind == LINK_CELL) {
        link.row = (size_t)((y - item->box.y) / item->box.h * (double)item->tensor->rows);
        link.col = (size_t)((x - item->box.x) / item->box.w * (double)item->tensor->cols);
    }
    return link;
}

double point_distance(Point a, Point b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/* Distance of a point from a straight line between two others. */
static double distance_to(Point at, Point from, Point to) {
    double dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy;
    double along = (at.x - from.x) * dx + (at.y - from.y) * dy;
    along = length > 0 ? fmax(fmin(along / length, 1), 0) : 0;
    return point_distance(at, (Point){from.x + along * dx, from.y + along * dy});
}

/* Reports whether a point hits an item; lines are hit only near their path, not anywhere
 * in their box. */
static bool is_hit(const SceneItem *item, double x, double y) {
    Box box = {item->box.x - LINE_REACH, item->box.y - LINE_REACH,
               item->box.w + 2 * LINE_REACH, item->box.h + 2 * LINE_REACH};
    if (item->kind != SCENE_LINE)
        return box_contains(item->box, x, y);
    if (!box_contains(box, x, y))
        return false;
    double reach = fmax(item->width / 2, LINE_REACH);
    for (size_t i = 1; i < item->count; i++) {
        if (distance_to((Point){x, y}, item->points[i - 1], item->points[i]) <= reach)
            return true;
    }
    return false;
}

Link scene_hit(const Scene *scene, double x, double y) {
    Link hit = {0};
    /* Depth of the outermost clip that excludes the point. */
    size_t depth = 0, hidden_from = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP) {
            depth++;
            if (!hidden_from && !box_contains(item->box, x, y))
                hidden_from = depth;
        } else if (item->kind == SCENE_UNCLIP) {
            if (hidden_from == depth)
                hidden_from = 0;
            depth--;
        } else if (!hidden_from && item->link.kind != LINK_NONE && is_hit(item, x, y)) {
            hit = item->kind == SCENE_IMAGE ? image_link(item, x, y) : item->link;
        }
    }
    return hit;
}

bool scene_find(const Scene *scene, Link link, Box *box) {
    bool found = false;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP ||
            !link_equal(item->link, link))
            continue;
        Point corners[] = {{item->box.x, item->box.y},
                           {item->box.x + item->box.w, item->box.y + item->box.h},
                           {box->x, box->y},
                           {box->x + box->w, box->y + box->h}};
        *box = bounds(corners, found ? 4 : 2, 0);
        found = true;
    }
    return found;
}
