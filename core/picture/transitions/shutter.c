#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/scene/theme.h"
#include "picture/transitions/sources.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

/* A mask falls over scores that have landed. */

/* Score that is masked: the cell of the first input that is no mask. */
static Sources scores_of(const Moving *moving, size_t row, size_t col) {
    Sources sources = {.moving = moving, .user = moving->node, .most = 1};
    for (size_t i = 0; i < moving->at->input_count; i++) {
        size_t input = moving->at->inputs[i];
        OperationKind kind = tape_node(moving->still->tape, input)->operation;
        Term cell = {.kind = TERM_CELL, .input = i, .row = row, .col = col};
        if (operation_of(kind)->values != OPERATION_VALUES_MASK)
            sources_take(&sources, &cell);
    }
    return sources;
}

/* Covers each masked cell as far as the shutter has fallen. */
void fall_shutter(const Moving *moving, double time) {
    const Still *still = moving->still;
    const StillTable *out = moving->out;
    const Canvas *canvas = still->canvas;
    /* After the scores have landed. */
    double falls = moving->at->input_count ? SHUTTER_FALLS : 0;
    double down = motion_ease(motion_between(time, falls, 1));
    if (!out->first || !(time < 1))
        return;
    Box open = {out->box.x, out->box.y, out->box.w, out->box.h * down};
    for (size_t layer = 0; layer < 2; layer++) {
        if (layer)
            scene_clip(canvas->scene, open);
        for (size_t i = 0; i < out->rows * out->cols; i++) {
            size_t row = i / out->cols, col = i % out->cols;
            size_t own = moving_item(moving, row, col);
            if (own == STILL_NONE ||
                !tensor_is_masking(tensor_at(&moving->at->output, row, col)))
                continue;
            if (layer) {
                ghost_draw(still, own, still_box(still, own), 1);
                continue;
            }
            Sources sources = scores_of(moving, row, col);
            if (sources.count)
                ghost_draw(still, sources.items[0][DRAWN_LAST], still_box(still, own),
                           motion_between(time, SHUTTER_FALLS - 0.1, SHUTTER_FALLS));
        }
        if (layer)
            scene_unclip(canvas->scene);
    }
    Color edge = canvas->theme->hatch;
    if (down > 0)
        canvas_fill(canvas, (Box){open.x, open.y + open.h - 3, open.w, 3}, 0, edge);
}

/* Moves scores to their cells; the mask comes from above. */
void fly_scores(const Moving *moving, size_t row, size_t col, double progress) {
    size_t own = moving_item(moving, row, col);
    Sources sources = scores_of(moving, row, col);
    if (own == STILL_NONE || !sources.count)
        return;
    size_t item = sources.items[0][DRAWN_LAST];
    Box from = still_box(moving->still, item);
    double eased = motion_ease(motion_between(progress, 0, 0.9));
    ghost_draw(moving->still, item,
               motion_box_between(from, still_box(moving->still, own), eased),
               1 - motion_between(progress, 0.9, 1));
}
