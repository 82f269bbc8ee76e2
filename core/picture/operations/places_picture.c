#include "picture/operations/pictures.h"
#include "picture/tensors/views.h"

#include <math.h>

void transpose_picture(const Stage *stage) {
    size_t input = stage_node(stage, stage->node)->inputs[0];
    Panel panels[2] = {panel_of(stage, input, NULL), panel_of_output(stage, "\\to")};
    panels_show(stage, panels, 2);
    if (stage->has_focus)
        heatmap_outline_cell(stage->canvas, &panels[0].heatmap, stage->focus_col,
                             stage->focus_row, stage_color(stage, input, 0));
}

void slice_picture(const Stage *stage) {
    size_t input = stage_node(stage, stage->node)->inputs[0];
    Panel panels[2] = {panel_of(stage, input, NULL), panel_of_output(stage, "\\to")};
    panels_show(stage, panels, 2);
}

void concat_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Panel panels[PANELS_MAX];
    size_t count = input_panels(stage, panels, "|", "=");
    if (!count) {
        given_picture(stage);
        return;
    }
    panels_show(stage, panels, count + 1);
    size_t left = 0; /* each part's columns in the whole have the part's colour */
    for (size_t i = 0; i < count; i++) {
        size_t rows = panels[i].tensor->rows, cols = panels[i].tensor->cols;
        Color color = stage_color(stage, node->inputs[i], i);
        heatmap_outline(stage->canvas, &panels[i].heatmap, 0, rows, 0, cols, color);
        heatmap_outline(stage->canvas, &panels[count].heatmap, 0, rows, left, left + cols,
                        color);
        left += cols;
    }
}
