#include "picture/draw/part_name.h"
#include "picture/stage/panels.h"
#include "picture/tensors/views.h"

void given_picture(const Stage *stage) {
    Panel panel = panel_of_output(stage, NULL);
    panels_show(stage, &panel, 1);
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
