#include "picture/operations/pictures.h"

#include <math.h>

/* A muted operation does nothing: what came in goes out, and its arrow is crossed out. */

void muted_strike(const Canvas *canvas, const Panel *panel) {
    double reach = canvas_length(canvas, 16), middle = panel->box.y + panel->box.h / 2;
    scene_line(canvas->scene, (Point){panel->sign_x - reach, middle + reach},
               (Point){panel->sign_x + reach, middle - reach},
               fmax(canvas_length(canvas, 3), 1.5), canvas->theme->bad_ink);
}

void muted_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Panel panels[2] = {panel_of(stage, node->inputs[node->stand_in], NULL),
                       panel_of_output(stage, "\\to")};
    panels[1].sign_above = stage_operation_words(stage, stage->node);
    panels[1].colors = panels[0].colors; /* scores do not become shares */
    panels[1].note = canvas_string(stage->canvas, "stage.passes_through");
    panels_show(stage, panels, 2);
    muted_strike(stage->canvas, &panels[1]);
    if (stage->has_focus)
        heatmap_outline_cell(stage->canvas, &panels[0].heatmap, stage->focus_row,
                             stage->focus_col, stage->canvas->theme->ink_soft);
}
