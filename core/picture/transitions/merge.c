#include "picture/transitions/sources.h"

#include "lesson/content/content.h"
#include "lesson/content/sources.h"
#include "picture/draw/canvas.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"
#include "text/vocabulary.h"

#include <math.h>
#include <string.h>

/* A merge of byte-pair encoding: two adjacent subwords leave their places, move together
 * along the bracket that grows over them, and become the new one. */

static const double LEAVES = 0.15, MEETS = 0.75; /* fractions of the flight */

/* Reports whether a cell's subword was made by the last merge. */
static bool is_new(const Moving *moving, size_t col) {
    const LessonMerging *merging =
        lesson_source_of(moving->lesson->sources, moving->node)->merging;
    const Bpe *bpe = merging->bpe;
    size_t result = bpe->merges[merging->merges - 1].result;
    const char *const *labels = moving->at->output.col_labels;
    return labels && strcmp(labels[col], vocabulary_at(bpe->symbols, result)->text) == 0;
}

void merge_item(const Moving *moving, size_t index, double progress) {
    Scene *scene = moving->still->canvas->scene;
    SceneItem *item = &scene->items[index];
    if (!is_new(moving, item->link.col))
        return;
    size_t own = moving_item(moving, item->link.row, item->link.col);
    bool chip = false; /* items from the new subword's ground on */
    for (size_t i = index + 1; i-- > own && !chip && own != STILL_NONE;)
        chip = scene->items[i].kind == SCENE_RECTANGLE && scene->items[i].width > 0;
    if (item->kind == SCENE_LINE)
        motion_grow(scene, item, motion_ease(motion_between(progress, LEAVES, MEETS)));
    else if (chip)
        motion_fade(item, motion_between(progress, MEETS - 0.1, 1));
    if (item->kind == SCENE_LINE && !(progress > LEAVES))
        motion_fade(item, 0);
}

/* The cell's text nearest to a point. */
static const SceneItem *text_at(const Moving *moving, Link cell, Point at) {
    const Still *still = moving->still;
    const SceneItem *found = NULL;
    double nearest = INFINITY;
    for (size_t i = still->first; i < still->end; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        Point middle = {item->box.x + item->box.w / 2, item->box.y + item->box.h / 2};
        if (item->kind != SCENE_TEXT || !link_equal(item->link, cell) ||
            point_distance(middle, at) >= nearest)
            continue;
        nearest = point_distance(middle, at);
        found = item;
    }
    return found;
}

/* Draws a subword as a moving chip from its place at the bracket's foot. */
static void draw_subword(const Moving *moving, Link cell, Point foot, Box to,
                         double progress) {
    const Canvas *canvas = moving->still->canvas;
    const SceneItem *text = text_at(moving, cell, (Point){foot.x, foot.y + to.h / 2});
    if (!text)
        return;
    SceneItem copy = *text;
    double width = fmax(copy.box.w + 0.8 * copy.size, 1.6 * copy.size);
    Box from = {foot.x - width / 2, foot.y, width, to.h};
    Box box = motion_box_between(from, (Box){to.x, to.y, width, to.h},
                                 motion_ease(motion_between(progress, LEAVES, MEETS)));
    double shown = 1 - motion_between(progress, MEETS, 1);
    Color ground = canvas->theme->bar, edge = canvas->theme->ink_soft;
    ground.a = edge.a = (uint8_t)lround(255 * shown);
    scene_rectangle(canvas->scene, box, floor(box.h / 3), ground, edge, 1);
    copy.origin.x += box.x - from.x;
    copy.origin.y += box.y - from.y;
    Color ink = canvas->theme->ink;
    ink.a = (uint8_t)lround(255 * fmax(2 * shown - 1, 0));
    canvas_text(canvas, FONT_BOLD, copy.size, ink,
                (Point){box.x + box.w / 2, copy.origin.y}, LABEL_CENTER, copy.text);
}

void fly_together(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    Link cell = {LINK_CELL, moving->node, row, col};
    size_t own = moving_item(moving, row, col);
    const SceneItem *bracket = NULL;
    if (own == STILL_NONE || !is_new(moving, col))
        return;
    for (size_t i = still->first; i < still->end; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        if (item->kind == SCENE_LINE && link_equal(item->link, cell))
            bracket = item;
    }
    if (!bracket || bracket->count < 2)
        return;
    Point feet[] = {bracket->points[0], bracket->points[bracket->count - 1]};
    Box chip = still_box(still, own), half = chip;
    half.w /= 2;
    draw_subword(moving, cell, feet[0], half, progress);
    half.x += half.w;
    draw_subword(moving, cell, feet[1], half, progress);
}
