#include "picture/animation/animation.h"

#include "base/maths.h"
#include "picture/animation/animation_parts.h"
#include "picture/draw/canvas.h"

/* Points: smaller texts are left out during the zoom. */
static const double LEAST_TEXT = 7;
static const double SHOWN = 0.5; /* progress from which the inner picture is visible */
static const double UNKNOWN_SIZE = 0.5, LEAST_SIZE = 0.08;

/* Reports whether an item of the outer picture belongs to the inner step. */
static bool is_part(const Zoom *zoom, const SceneItem *item) {
    const PlayerStep *steps = zoom->player->steps, *inner = &steps[zoom->inner];
    if (item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP)
        return false;
    if (item->link.kind == LINK_STEP)
        return item->link.index >= zoom->inner && item->link.index < inner->next;
    size_t first = step_timing_first_node(zoom->player, zoom->inner);
    return item->link.kind == LINK_CELL && item->link.index >= first &&
           item->link.index <= inner->node;
}

/* Finds the inner step's place in the outer picture; returns false if it has none. */
static bool find_place(const Zoom *zoom, Box *place) {
    bool found = false;
    for (size_t i = zoom->outer_first; i < zoom->inner_first; i++) {
        const SceneItem *item = &zoom->canvas->scene->items[i];
        if (!is_part(zoom, item))
            continue;
        *place = found ? box_join(*place, item->box) : item->box;
        found = true;
    }
    return found;
}

/* The whole area reduced to the size of its place, within the area. */
static Box box_in_place(const Zoom *zoom) {
    Box area = zoom->area, place = area;
    double size = UNKNOWN_SIZE;
    if (find_place(zoom, &place))
        size = fmin(fmax(fmax(place.w / area.w, place.h / area.h), LEAST_SIZE), 1);
    Box box = motion_box_centred((Box){0, 0, area.w * size, area.h * size}, place);
    box.x = fmin(fmax(box.x, area.x), area.x + area.w - box.w);
    box.y = fmin(fmax(box.y, area.y), area.y + area.h - box.h);
    return box;
}

void zoom_fade(Zoom *zoom) {
    const Canvas *canvas = zoom->canvas;
    const Theme *theme = canvas->theme;
    Scene *scene = canvas->scene;
    zoom->inner_first = scene->count;
    zoom->box =
        motion_box_between(box_in_place(zoom), zoom->area, motion_ease(zoom->progress));
    double veil = motion_eased(zoom->progress, 0.1, 0.8);
    double shown = motion_between(zoom->progress, 0, SHOWN);
    double edge = shown * (1 - motion_between(zoom->progress, 0.7, 1));
    canvas_unlink(canvas);
    canvas_fill(canvas, zoom->area, 0, motion_shown(theme->page, veil));
    scene_rectangle(scene, zoom->box, 8, motion_shown(theme->page, shown),
                    motion_shown(theme->ink_faint, edge), 2);
    zoom->inner_first = scene->count;
}

void zoom_place(const Zoom *zoom) {
    Scene *scene = zoom->canvas->scene;
    double shown = motion_between(zoom->progress, 0, SHOWN);
    for (size_t i = zoom->inner_first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        motion_move(scene, item, zoom->area, zoom->box);
        motion_fade(item,
                    item->kind == SCENE_TEXT && item->size < LEAST_TEXT ? 0 : shown);
    }
}
