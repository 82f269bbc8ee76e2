#include "picture/draw/part_name.h"
#include "picture/operations/pictures.h"
void given_picture(const Stage *stage) {
    Panel panel = panel_of(stage, stage->node, NULL);
    panel.is_output = true;
    panels_show(stage, &panel, 1);
}

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

void show_picture(const Stage *stage) {
    Panel panels[PANELS_MAX];
    size_t count = stage->step->shown_count;
    count = count < PANELS_MAX ? count : PANELS_MAX;
    for (size_t i = 0; i < count; i++) {
        panels[i] = panel_of(stage, stage->step->shown[i], NULL);
        panels[i].is_output = stage->step->shown[i] == stage->step->result;
    }
    for (size_t i = 0; count > 1 && i < count; i++)
        panels[i].note = part_owner(stage->canvas, stage->player->lesson,
                                    stage_node(stage, panels[i].node)->name);
    panels_show(stage, panels, count);
}
