#include "picture/operations/pictures.h"
#include "picture/tensors/views.h"

size_t input_panels(const Stage *stage, Panel panels[PANELS_MAX], const char *between,
                    const char *before_output) {
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
