#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/transitions/transitions_parts.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

/* A mask falls over scores that have landed. */

/* Item of the score that is masked, or STILL_NONE: the cell of the first input that is no
 * mask. */
static size_t score_of(const Moving *moving, size_t row, size_t col) {
    Sources sources = {.moving = moving, .user = moving->node, .most = 1};
    for (size_t i = 0; i < moving->at->input_count; i++) {
        size_t input = moving->at->inputs[i];
        OperationKind kind = tape_node(moving->still->tape, input)->operation;
        Term cell = {.kind = TERM_CELL, .input = i, .row = row, .col = col};
        if (operation_of(kind)->values != OPERATION_VALUES_MASK)
            sources_take(&sources, &cell);
    }
    return sources.count ? sources.items[0][DRAWN_LAST] : STILL_NONE;
}

/* Draws all masked cells, or in their place the scores. */
static void draw_masked(const Moving *moving, bool scores, double shown) {
    const StillTable *out = moving->out;
    for (size_t i = 0; i < out->rows * out->cols; i++) {
        size_t row = i / out->cols, col = i % out->cols;
        size_t own = moving_item(moving, row, col);
        if (own != STILL_NONE &&
            tensor_is_masking(tensor_at(&moving->at->output, row, col)))
            ghost_draw(moving->still, scores ? score_of(moving, row, col) : own,
                       still_box(moving->still, own), shown);
    }
}

/* Covers each masked cell as far as the shutter has fallen, after the scores have
 * landed. */
void fall_shutter(const Moving *moving, double time) {
    const StillTable *out = moving->out;
    const Canvas *canvas = moving->still->canvas;
    double down = motion_eased(time, moving->at->input_count ? SHUTTER_FALLS : 0, 1);
    if (!out->first || !(time < 1))
        return;
    Box open = {out->box.x, out->box.y, out->box.w, out->box.h * down};
    draw_masked(moving, true, motion_between(time, SHUTTER_FALLS - 0.1, SHUTTER_FALLS));
    scene_clip(canvas->scene, open);
    draw_masked(moving, false, 1);
    scene_unclip(canvas->scene);
    if (down > 0)
        canvas_fill(canvas, (Box){open.x, open.y + open.h - 3, open.w, 3}, 0,
                    canvas->theme->hatch);
}

/* Moves scores to their cells; the mask comes from above. */
void fly_scores(const Moving *moving, size_t row, size_t col, double progress) {
    ghost_fly(moving->still, score_of(moving, row, col),
              still_box(moving->still, moving_item(moving, row, col)), progress, 0.9);
}
