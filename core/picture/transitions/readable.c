#include "picture/transitions/transitions.h"

#include "base/arena.h"

#include <math.h>

static const double INK_ASCENT = 0.72, INK_DESCENT = 0.2; /* fractions of a text's size */
enum {
    CLIPS_MOST = 16,
    COVERS = 100 /* opacity from which a shape makes texts unreadable */
};

/* An item that may cover a text, or is one. */
typedef struct Sight {
    SceneItem *item;
    Box box;
    bool moves;
} Sight;

static bool is_text(const SceneItem *item) {
    return item->kind == SCENE_TEXT;
}

/* Box of a text's ink; for other items their box. */
static Box ink_of(const SceneItem *item) {
    bool upright = item->angle > 0 || item->angle < 0;
    if (!is_text(item) || upright)
        return item->box;
    double up = INK_ASCENT * item->size, down = INK_DESCENT * item->size;
    return (Box){item->box.x, item->origin.y - up, item->box.w, up + down};
}

static bool covers(const SceneItem *item) {
    bool ground = item->kind == SCENE_RECTANGLE && item->fill.a >= COVERS;
    return ground || (is_text(item) && item->fill.a > 0);
}

/* Finds the visible items in drawing order, and the box of all moving ones. */
static size_t find_sights(Scene *scene, size_t first, const bool *moves, Sight *sights,
                          Box *moving_box) {
    Box clips[CLIPS_MOST] = {{0, 0, scene->width, scene->height}};
    size_t count = 0, depth = 0, moving = 0;
    for (size_t i = first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP && depth + 1 < CLIPS_MOST) {
            clips[depth + 1] = box_common(clips[depth], item->box);
            depth++;
        } else if (item->kind == SCENE_UNCLIP && depth > 0) {
            depth--;
        } else if (covers(item)) {
            Sight sight = {item, box_common(ink_of(item), clips[depth]),
                           moves[i - first]};
            if (sight.moves)
                *moving_box = moving++ ? box_join(*moving_box, sight.box) : sight.box;
            sights[count++] = sight;
        }
    }
    return moving ? count : 0;
}

/* Reports whether a text lies under one of the later sights. */
static bool is_covered(const Sight *text, const Sight *sights, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const Sight *over = &sights[i];
        if ((text->moves || over->moves) && over->item->fill.a &&
            boxes_meet(text->box, over->box))
            return true;
    }
    return false;
}

void readable_keep_whole(Scene *scene, size_t first, const bool *moves) {
    Sight *sights = arena_alloc(scene->arena, scene->count - first + 1, sizeof *sights);
    Box moving_box = {0};
    size_t kept_count = 0, count = find_sights(scene, first, moves, sights, &moving_box);
    for (size_t i = 0; i < count; i++) {
        if (boxes_meet(sights[i].box, moving_box))
            sights[kept_count++] = sights[i];
    }
    for (size_t i = kept_count; i-- > 0;) {
        if (is_text(sights[i].item) &&
            is_covered(&sights[i], sights + i + 1, kept_count - i - 1))
            sights[i].item->fill.a = 0;
    }
}
