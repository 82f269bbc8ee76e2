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

/* Columns that are one of several equal bands have their band's colour, as a head's in
 * the circuit of its attention; any others their tensor's. */
static Color slice_color(const Stage *stage, const TapeNode *node) {
    const OperationOptions *o = &node->options;
    size_t width = o->col_end - o->col_begin, all = node->operands[0]->cols;
    bool band = width < all && all % width == 0 && o->col_begin % width == 0;
    return band ? stage->canvas->theme->other[o->col_begin / width % 4]
                : stage_color(stage, node->inputs[0], 0);
}

void slice_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    const OperationOptions *o = &node->options;
    Panel panels[2] = {panel_of(stage, node->inputs[0], NULL),
                       panel_of_output(stage, "\\to")};
    panels_show(stage, panels, 2);
    Color color = slice_color(stage, node);
    heatmap_outline(stage->canvas, &panels[0].heatmap, o->row_begin, o->row_end,
                    o->col_begin, o->col_end, color);
    heatmap_outline(stage->canvas, &panels[1].heatmap, 0, panels[1].tensor->rows, 0,
                    panels[1].tensor->cols, color);
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
