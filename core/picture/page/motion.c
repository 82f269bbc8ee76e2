#include "picture/page/motion.h"

#include "picture/draw/marks.h"

#include <math.h>

static const double FRAME_UNITS = 3;

/* ---- a part of the sum ---- */

static void frame_cell(const Canvas *canvas, Link cell) {
    Box box;
    if (!marks_cell_box(canvas->scene, cell, &box))
        return;
    double width = fmax(canvas_length(canvas, FRAME_UNITS), 2);
    canvas_outline(canvas, box, canvas_length(canvas, 3), canvas->theme->focus,
                   fmin(width, fmin(box.w, box.h) / 2));
}

/* A quantity is worked out elsewhere: its cells are not this part's. */
static void frame_part(const Canvas *canvas, const TapeNode *node, const Term *part) {
    if (part->kind == TERM_QUANTITY)
        return;
    if (part->kind == TERM_CELL)
        frame_cell(canvas,
                   (Link){LINK_CELL, node->inputs[part->input], part->row, part->col});
    for (size_t i = 0; i < part->count; i++)
        frame_part(canvas, node, part->parts[i]);
}

void motion_light(const Canvas *canvas, const Player *player, size_t lit) {
    size_t row, col, node = player_step(player)->node;
    if (!lit || !player_cell(player, &row, &col))
        return;
    const Tape *tape = player->lesson->tape;
    const Term *term = tape_explain(tape, node, row, col, canvas->scene->arena);
    const Term *sum = term ? pace_sum(term) : NULL;
    if (sum && lit <= sum->count)
        frame_part(canvas, tape_node(tape, node), sum->parts[lit - 1]);
}

/* ---- fading in ---- */

static bool fades(const SceneItem *item, const PaceMoment *moment, size_t node,
                  size_t cols) {
    return item->link.kind == LINK_CELL && item->link.index == node &&
           item->link.row * cols + item->link.col >= moment->fading;
}

static void fade_color(Color *color, double share) {
    color->a = (uint8_t)lround(color->a * share);
}

/* An image has no alpha: it is covered by what it appears from. */
static void cover_image(const Canvas *canvas, Box box, double share) {
    Color page = canvas->theme->page;
    fade_color(&page, 1 - share);
    canvas_fill(canvas, box, 0, page);
}

void motion_fade(const Canvas *canvas, const Player *player, const PaceMoment *moment,
                 size_t first) {
    Scene *scene = canvas->scene;
    size_t node = player_step(player)->node, end = scene->count;
    size_t cols = tape_node(player->lesson->tape, node)->output.cols;
    if (!moment->moves || moment->shown >= 1)
        return;
    for (size_t i = first; i < end; i++) {
        SceneItem *item = &scene->items[i];
        if (!fades(item, moment, node, cols))
            continue;
        fade_color(&item->fill, moment->shown);
        fade_color(&item->stroke, moment->shown);
        if (item->kind == SCENE_IMAGE && moment->fading == 0)
            cover_image(canvas, item->box, moment->shown);
    }
}
