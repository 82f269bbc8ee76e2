#include "picture/pictures.h"

#include <math.h>

static Color source_color(const Stage *stage, size_t node, size_t position) {
    const Theme *theme = stage->canvas->theme;
    return theme_tensor_color(theme, stage_node(stage, node)->name,
                              theme->other[position % 4]);
}

void transpose_picture(const Stage *stage) {
    size_t input = stage_node(stage, stage->node)->inputs[0];
    Panel panels[2] = {panel_of(stage, input, NULL),
                       panel_of(stage, stage->node, "\\to")};
    panels[1].is_output = true;
    panels_show(stage, panels, 2);
    if (stage->has_focus)
        heatmap_outline(stage->canvas, &panels[0].heatmap, stage->focus_col,
                        stage->focus_col + 1, stage->focus_row, stage->focus_row + 1,
                        source_color(stage, input, 0));
}

void slice_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    const OperationOptions *o = &node->options;
    Panel panels[2] = {panel_of(stage, node->inputs[0], NULL),
                       panel_of(stage, stage->node, "\\to")};
    panels[1].is_output = true;
    panels_show(stage, panels, 2);
    heatmap_outline(stage->canvas, &panels[0].heatmap, o->row_begin, o->row_end,
                    o->col_begin, o->col_end, source_color(stage, node->inputs[0], 0));
}

void concat_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    if (node->input_count >= PANELS_MAX) {
        given_picture(stage);
        return;
    }
    Panel panels[PANELS_MAX];
    size_t count = node->input_count;
    for (size_t i = 0; i < count; i++)
        panels[i] = panel_of(stage, node->inputs[i], i ? "|" : NULL);
    panels[count] = panel_of(stage, stage->node, "=");
    panels[count].is_output = true;
    panels_show(stage, panels, count + 1);
    size_t left = 0; /* each part's columns in the whole have the part's colour */
    for (size_t i = 0; i < count; i++) {
        size_t cols = panels[i].tensor->cols;
        Color color = source_color(stage, node->inputs[i], i);
        heatmap_outline(stage->canvas, &panels[count].heatmap, 0, panels[i].tensor->rows,
                        left, left + cols, color);
        left += cols;
    }
}

/* Rows lifted out of the table: each found row is outlined, a line leads to its copy. */
void embed_picture(const Stage *stage) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    const Tensor *table = stage_tensor(stage, node->inputs[0]);
    const Tensor *ids = stage_tensor(stage, node->inputs[1]);
    Panel panels[3] = {panel_of(stage, node->inputs[1], NULL),
                       panel_of(stage, node->inputs[0], "\\to"),
                       panel_of(stage, stage->node, "\\to")};
    panels[2].is_output = true;
    panels_show(stage, panels, 3);
    for (size_t i = 0; i < tensor_cells(ids); i++) {
        double id = ids->values[i];
        if (!(id >= 0 && id < (double)table->rows))
            continue;
        bool focus = stage->has_focus && stage->focus_row == i;
        Color color = focus ? canvas->theme->focus : canvas->theme->accent;
        size_t row = (size_t)id;
        heatmap_outline(canvas, &panels[1].heatmap, row, row + 1, 0, table->cols, color);
        Box from = heatmap_cells(&panels[1].heatmap, row, row + 1, 0, table->cols);
        Box to = heatmap_cells(&panels[2].heatmap, i, i + 1, 0, table->cols);
        if (focus)
            scene_line(canvas->scene, (Point){from.x + from.w + 4, from.y + from.h / 2},
                       (Point){to.x - panels[2].heatmap.label_room - 4, to.y + to.h / 2},
                       fmax(canvas_length(canvas, 2), 1), color);
    }
}
