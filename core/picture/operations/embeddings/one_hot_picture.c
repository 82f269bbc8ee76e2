#include "base/arena.h"
#include "picture/draw/canvas.h"
#include "picture/operations/embeddings/embedding_pictures.h"
#include "picture/operations/embeddings/id_column.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/caption.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* One-hot vectors: each token is a chip with its ID, and beside it is its vector, whose 1
 * is in the column with this number. */

static const double LARGEST_CELL = 72, LEAST_CELL = 26, WAY = 84, GAP = 10; /* units */
static const double LABELS = 34, CAPTION = 64, NAME_UNITS = 22;

typedef struct OneHot {
    const Stage *stage;
    IdColumn ids;
    Tensor *rows; /* the output, with numbers for columns without names */
    Heatmap heatmap;
} OneHot;

/* Numbers unnamed columns; returns false if the frame's arena is exhausted. */
static bool number_columns(OneHot *picture, const Tensor *out) {
    const Canvas *canvas = picture->stage->canvas;
    Tensor *rows = arena_alloc(canvas->scene->arena, 1, sizeof *rows);
    const char **labels = arena_alloc(canvas->scene->arena, out->cols, sizeof *labels);
    if (!rows || !labels)
        return false;
    for (size_t j = 0; j < out->cols; j++)
        labels[j] = canvas_format(canvas, "%zu", j);
    *rows = *out;
    rows->row_labels = NULL;
    if (!rows->col_labels)
        rows->col_labels = labels;
    picture->rows = rows;
    return true;
}

/* Places everything; returns false if cells would be too small to be readable. */
static bool place(OneHot *picture, Box area) {
    const Stage *stage = picture->stage;
    double rows = (double)picture->rows->rows, cols = (double)picture->rows->cols;
    box_take_top(&area, LABELS);
    box_take_bottom(&area, CAPTION + STAGE_LEGEND_HEIGHT);
    id_column_measure(&picture->ids, area.w, area.h);
    double way = WAY;
    double room = area.w - picture->ids.words - way;
    double cell = fmin(fmin(area.h / rows, room / (cols + 1.5)), LARGEST_CELL);
    cell = floor(cell);
    if (cell < LEAST_CELL)
        return false;
    double id = id_column_cell(cell, cell);
    double used = picture->ids.words + id + way + cols * cell;
    double x = round(area.x + (area.w - used) / 2 + picture->ids.words);
    double y = round(area.y + (area.h - rows * cell) / 2);
    picture->ids.cells.cells = (Box){x, y, id, rows * cell};
    picture->heatmap = (Heatmap){.tensor = picture->rows,
                                 .node = stage->node,
                                 .cells = {x + id + way, y, cols * cell, rows * cell},
                                 .colors = stage_colors(stage->tape, stage->node),
                                 .reach = 1,
                                 .visible = stage->visible,
                                 .col_labels = true,
                                 .has_focus = stage->has_focus,
                                 .focus_row = (size_t)-1,
                                 .focus_col = stage->focus_col};
    return true;
}

/* Draws a line from each ID to its row. */
static void draw_paths(const OneHot *picture) {
    const Stage *stage = picture->stage;
    const Canvas *canvas = stage->canvas;
    for (size_t i = 0; i < picture->rows->rows; i++) {
        Box id = heatmap_cells(&picture->ids.cells, i, i + 1, 0, 1);
        Box row = heatmap_cells(&picture->heatmap, i, i + 1, 0, 1);
        bool focus = stage->has_focus && stage->focus_row == i;
        Color color = focus ? canvas->theme->focus : canvas->theme->ink_faint;
        color.a = focus ? 255 : 110;
        if (i * picture->rows->cols < stage->visible)
            scene_line(canvas->scene, (Point){id.x + id.w + GAP, id.y + id.h / 2},
                       (Point){row.x - GAP, row.y + row.h / 2},
                       fmax(round(focus ? 2.5 : 1.5), 1), color);
    }
}

static void draw_captions(const OneHot *picture) {
    const Stage *stage = picture->stage;
    Box ids = picture->ids.cells.cells, rows = picture->heatmap.cells;
    double y = rows.y + rows.h + 26;
    Caption caption = caption_of(stage, picture->ids.node, NAME_UNITS, ids.w * 2);
    caption_draw_name(stage, &caption, (Point){ids.x + ids.w / 2, y}, LABEL_CENTER);
    caption = caption_of(stage, stage->node, NAME_UNITS, rows.w);
    caption_draw(stage, &caption, (Point){rows.x + rows.w / 2, y},
                 caption_shape_drop(stage->canvas, caption.below), LABEL_CENTER);
}

void one_hot_picture(const Stage *stage) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    OneHot picture = {.stage = stage};
    if (!id_column_init(&picture.ids, stage, node->inputs[0], &node->output) ||
        !number_columns(&picture, &node->output))
        return;
    if (picture.ids.column->rows != node->output.rows || stage->values ||
        !place(&picture, stage->area)) {
        plain_picture(stage);
        return;
    }
    heatmap_same_digits(canvas, (Heatmap *const[]){&picture.ids.cells, &picture.heatmap},
                        2);
    draw_paths(&picture);
    heatmap_draw(canvas, &picture.ids.cells);
    heatmap_draw(canvas, &picture.heatmap);
    id_column_draw(&picture.ids);
    draw_captions(&picture);
    if (stage->has_focus)
        heatmap_outline_cell(canvas, &picture.heatmap, stage->focus_row, stage->focus_col,
                             canvas->theme->focus);
    stage_legends(stage, stage->area, &(StageScale){picture.heatmap.colors, 1}, 1);
}
