#include "picture/draw/canvas.h"
#include "picture/operations/embeddings/embedding_pictures.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/caption.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* A padding mask below the IDs it is computed from, column under column: tokens with ID 0
 * are masked, all other positions are open. */

/* Lengths in units. */
static const double WIDEST = 150, LEAST = 34, TALLEST = 76, WAY = 62, GAP = 8,
                    NAME_UNITS = 22, NAME_GAP = 18, NAME = 120;

typedef struct Padding {
    const Stage *stage;
    size_t ids;
    Heatmap words, mask; /* the IDs; the mask of 0 and −∞ */
} Padding;

static bool place(Padding *p) {
    const Stage *stage = p->stage;
    const Tensor *ids = stage_tensor(stage, p->ids);
    Box area = stage->area;
    double cols = (double)ids->cols, name = fmin(NAME, area.w * 0.2);
    double width = floor(fmin((area.w - 2 * name) / cols, WIDEST));
    double heads = heatmap_col_label_height(stage->canvas, ids, width, area.h * 0.3);
    double height = floor(fmin((area.h - heads - WAY) / 2, TALLEST));
    if (width < LEAST || height < LEAST || ids->rows != 1)
        return false;
    double tall = heads + 2 * height + WAY;
    Box cells = {round(area.x + (area.w - width * cols) / 2),
                 round(area.y + (area.h - tall) * 0.45 + heads), width * cols, height};
    p->words = stage_heatmap(stage, p->ids, cells, heatmap_reach(ids));
    p->words.col_labels = true;
    p->words.col_label_room = heads;
    stage_focus(stage, &p->words, false, true);
    cells.y += height + WAY;
    p->mask = stage_heatmap(stage, stage->node, cells, 1);
    stage_result(stage, &p->mask);
    return true;
}

/* Draws the path from an ID down to its position in the mask. */
static void draw_path(const Padding *p, size_t col) {
    const Canvas *canvas = p->stage->canvas;
    if (col >= p->mask.visible)
        return;
    Box id = heatmap_cells(&p->words, 0, 1, col, col + 1),
        place = heatmap_cells(&p->mask, 0, 1, col, col + 1);
    bool hides = tensor_is_masking(p->mask.tensor->values[col]);
    double x = id.x + id.w / 2;
    Color color = hides ? canvas->theme->ink : canvas->theme->ink_faint;
    Point from = {x, id.y + id.h + GAP}, to = {x, place.y - GAP};
    canvas_arrow(canvas, from, to, hides ? 3 : 2, 10, color);
}

static void draw_name(const Padding *p, size_t node, const Heatmap *table) {
    const Stage *stage = p->stage;
    Caption caption = caption_of(stage, node, NAME_UNITS, NAME);
    Box cells = table->cells;
    caption_draw(stage, &caption, (Point){cells.x - NAME_GAP, cells.y + cells.h * 0.32},
                 caption_shape_drop(stage->canvas, caption.below), LABEL_RIGHT);
}

void padding_picture(const Stage *stage) {
    Padding p = {.stage = stage, .ids = stage_node(stage, stage->node)->inputs[0]};
    if (stage->values || !place(&p)) {
        plain_picture(stage);
        return;
    }
    heatmap_same_digits(stage->canvas, (Heatmap *const[]){&p.words, &p.mask}, 2);
    heatmap_draw(stage->canvas, &p.words);
    for (size_t j = 0; j < p.mask.tensor->cols; j++)
        draw_path(&p, j);
    heatmap_draw(stage->canvas, &p.mask);
    draw_name(&p, p.ids, &p.words);
    draw_name(&p, stage->node, &p.mask);
    stage_outline_focus(stage, &p.mask);
}
