#include "picture/transitions/transitions_parts.h"

#include "lesson/content/content.h"
#include "lesson/content/sources.h"
#include "picture/draw/canvas.h"
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
        motion_grow(scene, item, motion_eased(progress, LEAVES, MEETS));
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
        double away = point_distance(box_middle(item->box), at);
        if (item->kind != SCENE_TEXT || !link_equal(item->link, cell) || away >= nearest)
            continue;
        nearest = away;
        found = item;
    }
    return found;
}

/* Draws a subword as a moving chip from its place at the bracket's foot. */
static void draw_subword(const Moving *moving, Link cell, Point foot, Box to,
                         double progress) {
    const Canvas *canvas = moving->still->canvas;
    const SceneItem *found = text_at(moving, cell, (Point){foot.x, foot.y + to.h / 2});
    if (!found)
        return;
    const SceneItem text = *found; /* appending may move the list */
    const Theme *theme = canvas->theme;
    double width = fmax(text.box.w + 0.8 * text.size, 1.6 * text.size);
    Box from = {foot.x - width / 2, foot.y, width, to.h};
    Box box = motion_box_between(from, (Box){to.x, to.y, width, to.h},
                                 motion_eased(progress, LEAVES, MEETS));
    double shown = 1 - motion_between(progress, MEETS, 1);
    scene_rectangle(canvas->scene, box, floor(box.h / 3), motion_shown(theme->bar, shown),
                    motion_shown(theme->ink_soft, shown), 1);
    canvas_text(canvas, FONT_BOLD, text.size,
                motion_shown(theme->ink, fmax(2 * shown - 1, 0)),
                (Point){box.x + box.w / 2, text.origin.y + box.y - from.y}, LABEL_CENTER,
                text.text);
}

void fly_together(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    Link cell = {LINK_CELL, moving->node, row, col};
    size_t own = moving_item(moving, row, col);
    const SceneItem *bracket = NULL;
    if (!is_new(moving, col))
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
