#include "picture/manners/sources.h"

/* A softmax: scores drop into bars, which pour into one of length 1. */

static const double BAR_GROWS = 0.25, BAR_POURS = 0.5, PART_FILLS = 0.75,
                    ALONE_FILLS = 0.2;

/* A score drops into its bar. */
void fly_into_bar(const Moving *moving, size_t row, size_t col, double share) {
    bool bars = still_cell(moving->out, row, col, false) != moving_item(moving, row, col);
    fly_straight(moving, row, col, bars ? motion_between(share, 0, BAR_GROWS) : share);
}

/* Of a cell drawn as a bar and then as its part of the whole, the bar grows from its
 * foot, pours down, and the part fills; of one that is a part alone, that. */
void squeeze_item(const Moving *moving, size_t index, double share) {
    const Still *still = moving->still;
    Scene *scene = still->canvas->scene;
    SceneItem *item = &scene->items[index];
    size_t row = item->link.row, col = item->link.col;
    size_t first = still_cell(moving->out, row, col, false);
    bool bars = first != STILL_NONE && first != moving_item(moving, row, col);
    bool in_bar = bars && index < still_run_end(still, first);
    double grown = in_bar ? motion_between(share, BAR_GROWS, BAR_POURS)
                          : motion_between(share, bars ? PART_FILLS : ALONE_FILLS, 1);
    if (in_bar && item->kind == SCENE_POLYGON)
        grown = motion_between(share, BAR_POURS, PART_FILLS);
    double eased = motion_ease(grown);
    Box to = item->box;
    if (in_bar && item->kind == SCENE_RECTANGLE)
        to = (Box){to.x, to.y + to.h * (1 - eased), to.w, to.h * eased};
    else if (in_bar && item->kind == SCENE_POLYGON)
        to.h *= eased;
    else if (item->kind == SCENE_RECTANGLE)
        to.w *= eased;
    if (item->kind == SCENE_TEXT || item->kind == SCENE_LINE)
        motion_fade(item, motion_between(grown, 0.5, 1));
    else if (grown < 1)
        motion_move(scene, item, item->box, to);
    if (!(grown > 0))
        motion_fade(item, 0);
}
