#include "picture/scene/scene.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double HAIR = 0.45; /* tolerated overlap in points, of scaled items */
static const double SLACK = 5;   /* points by which a text may leave its area */
/* Largest side in points of a table that is too small to see. */
static const double SPECK = 8;
enum { CLIPS_MAX = 8 };
static const double INK_ASCENT = 0.72, INK_DESCENT = 0.2; /* fractions of a text's size */

/* A text or a visible shape, in drawing order. */
typedef struct Thing {
    const SceneItem *item;
    Box box;
} Thing;

static bool is_text(const SceneItem *item) {
    return item->kind == SCENE_TEXT;
}

/* Reports whether an item hides what lies below it. */
static bool is_opaque(const SceneItem *item) {
    return item->kind == SCENE_IMAGE ||
           (item->kind == SCENE_RECTANGLE && item->fill.a == 255);
}

static bool has_edge(const SceneItem *item) {
    return is_opaque(item) ||
           (item->kind == SCENE_RECTANGLE && item->stroke.a > 0 && item->width > 0);
}

/* Box of a text without the empty space above and below its letters. */
static Box ink_of(const SceneItem *item) {
    Box box = item->box;
    double top = item->origin.y - INK_ASCENT * item->size;
    double bottom = item->origin.y + INK_DESCENT * item->size;
    if (item->angle == 0) {
        box.y = fmax(item->box.y, top);
        box.h = fmin(item->box.y + item->box.h, bottom) - box.y;
    }
    return box;
}

static bool overlap(Box a, Box b) {
    return fmin(a.x + a.w, b.x + b.w) - fmax(a.x, b.x) > HAIR &&
           fmin(a.y + a.h, b.y + b.h) - fmax(a.y, b.y) > HAIR;
}

static bool holds(Box outer, Box box) {
    return box.x >= outer.x - HAIR && box.y >= outer.y - HAIR &&
           box.x + box.w <= outer.x + outer.w + HAIR &&
           box.y + box.h <= outer.y + outer.h + HAIR;
}

static bool is_cut(const char *text) {
    static const char sign[] = "…";
    size_t length = strlen(text), end = sizeof sign - 1;
    return length > end && strcmp(text + length - end, sign) == 0;
}

/* Reports whether a shape makes a text unreadable. */
static bool disturbs(const Thing *shape, const Thing *text) {
    bool cell = shape->item->link.kind == LINK_CELL && is_opaque(shape->item);
    return (shape->item > text->item && is_opaque(shape->item)) ||
           (cell && !link_equal(shape->item->link, text->item->link)) ||
           !holds(shape->box, text->box);
}

static bool is_trouble(const Thing *a, const Thing *b) {
    bool text = is_text(a->item), other = is_text(b->item);
    if (!(text || other) || !overlap(a->box, b->box))
        return false;
    return (text && other) || (text ? disturbs(b, a) : disturbs(a, b));
}

static int compare_tops(const void *a, const void *b) {
    double left = ((const Thing *)a)->box.y, right = ((const Thing *)b)->box.y;
    return (left > right) - (left < right);
}

static size_t count_troubles(Thing *things, size_t count) {
    size_t troubles = 0;
    qsort(things, count, sizeof *things, compare_tops);
    for (size_t i = 0; i < count; i++) {
        double bottom = things[i].box.y + things[i].box.h - HAIR;
        for (size_t j = i + 1; j < count && things[j].box.y < bottom; j++)
            troubles += is_trouble(&things[i], &things[j]) ? 1 : 0;
    }
    return troubles;
}

/* Reports whether a shape is the ground of a cell, not a dot that represents one. */
static bool is_cell(const SceneItem *item) {
    return item->link.kind == LINK_CELL && is_opaque(item) &&
           2 * item->radius < fmin(item->box.w, item->box.h);
}

static size_t next_cell(const Scene *scene, size_t i) {
    while (i < scene->count && !is_cell(&scene->items[i]))
        i++;
    return i;
}

size_t scene_specks(const Scene *scene, size_t first) {
    size_t specks = 0, i = next_cell(scene, first);
    while (i < scene->count) {
        size_t node = scene->items[i].link.index;
        double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
        for (; i < scene->count && scene->items[i].link.index == node;
             i = next_cell(scene, i + 1)) {
            Box cell = scene->items[i].box;
            left = fmin(left, cell.x);
            top = fmin(top, cell.y);
            right = fmax(right, cell.x + cell.w);
            bottom = fmax(bottom, cell.y + cell.h);
        }
        specks += fmax(right - left, bottom - top) < SPECK;
    }
    return specks;
}

size_t scene_troubles(const Scene *scene, size_t first, Box area) {
    Thing *things = arena_alloc(scene->arena, scene->count - first + 1, sizeof *things);
    Box around = {area.x - SLACK, area.y - SLACK, area.w + 2 * SLACK, area.h + 2 * SLACK};
    Box page = {0, 0, scene->width, scene->height};
    Box clip[CLIPS_MAX] = {page};
    size_t count = 0, troubles = 0, clips = 0;
    for (size_t i = first; things && i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP && clips + 1 < CLIPS_MAX) {
            clip[clips + 1] = box_common(clip[clips], item->box);
            clips++;
        }
        clips -= item->kind == SCENE_UNCLIP && clips;
        if (is_text(item) && item->fill.a > 0) {
            Box ink = ink_of(item);
            troubles += is_cut(item->text) || (!clips && !holds(around, ink)) ? 1 : 0;
            things[count++] = (Thing){item, clips ? box_common(ink, clip[clips]) : ink};
        } else if (has_edge(item)) {
            troubles += !clips && !holds(page, item->box) ? 1 : 0;
            things[count++] =
                (Thing){item, clips ? box_common(item->box, clip[clips]) : item->box};
        }
    }
    troubles += scene_specks(scene, first);
    return troubles + (things ? count_troubles(things, count) : 0);
}
