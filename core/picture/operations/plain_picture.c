#include "picture/operations/pictures.h"
#include "picture/tensors/views.h"

void plain_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    if (node->input_count == 0 || node->input_count >= PANELS_MAX) {
        given_picture(stage);
        return;
    }
    Panel panels[PANELS_MAX];
    size_t count = node->input_count;
    for (size_t i = 0; i < count; i++)
        panels[i] = panel_of(stage, node->inputs[i], i ? "," : NULL);
    panels[count] = panel_of(stage, stage->node, "\\to");
    panels[count].is_output = true;
    panels_show(stage, panels, count + 1);
}
