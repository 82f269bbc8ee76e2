#include "picture/draw/canvas.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Pictures made of panels alone: inputs, an arrow, and the output. */

/* Sets the panels of inputs with a sign between them, and of the output after another
 * sign; returns the number of inputs, 0 if there are too many. */
static size_t input_panels(const Stage *stage, Panel panels[PANELS_MAX],
                           const char *between, const char *before_output) {
    const TapeNode *node = stage_node(stage, stage->node);
    size_t count = node->input_count;
    if (count >= PANELS_MAX)
        return 0;
    for (size_t i = 0; i < count; i++)
        panels[i] = panel_of(stage, node->inputs[i], i ? between : NULL);
    panels[count] = panel_of_output(stage, before_output);
    return count;
}

void plain_picture(const Stage *stage) {
    Panel panels[PANELS_MAX];
    size_t count = input_panels(stage, panels, ",", "\\to");
    if (count)
        panels_show(stage, panels, count + 1);
    else
        given_picture(stage);
}

/* ---- cells that move to other positions ---- */

void transpose_picture(const Stage *stage) {
    size_t input = stage_node(stage, stage->node)->inputs[0];
    Panel panels[2] = {panel_of(stage, input, NULL), panel_of_output(stage, "\\to")};
    panels_show(stage, panels, 2);
    if (stage->has_focus)
        heatmap_outline_cell(stage->canvas, &panels[0].heatmap, stage->focus_col,
                             stage->focus_row, stage_color(stage, input, 0));
}

void slice_picture(const Stage *stage) {
    if (!cut_picture(stage))
        plain_picture(stage);
}

void concat_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Panel panels[PANELS_MAX];
    size_t count = input_panels(stage, panels, "|", "=");
    if (!count) {
        given_picture(stage);
        return;
    }
    for (size_t i = 0; i <= count; i++) /* the same numbers in the same colours */
        panels[i].reach = panels[i].colors == HEATMAP_SIGNED
                              ? heatmap_scale_reach(panels[count].tensor)
                              : panels[i].reach;
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

/* ---- a muted operation: the input is the output, and the arrow is crossed out ---- */

void muted_strike(const Canvas *canvas, const Panel *panel) {
    double reach = 16, middle = panel->box.y + panel->box.h / 2;
    scene_line(canvas->scene, (Point){panel->sign_x - reach, middle + reach},
               (Point){panel->sign_x + reach, middle - reach}, 3, canvas->theme->bad_ink);
}

void muted_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Panel panels[2] = {panel_of(stage, node->inputs[node->stand_in], NULL),
                       panel_of_output(stage, "\\to")};
    panels[1].sign_above = stage_operation_words(stage, stage->node);
    panels[1].colors = panels[0].colors; /* scores don't become probabilities */
    panels[1].note = canvas_string(stage->canvas, "stage.passes_through");
    panels_show(stage, panels, 2);
    muted_strike(stage->canvas, &panels[1]);
    if (stage->has_focus)
        heatmap_outline_cell(stage->canvas, &panels[0].heatmap, stage->focus_row,
                             stage->focus_col, stage->canvas->theme->ink_soft);
}
