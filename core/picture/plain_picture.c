#include "picture/pictures.h"

#include <ctype.h>
#include <string.h>

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

/* Whose weights, of two layers'? "L_1" of L_1.self_attention.weights, "encoder.0" of a
 * model's; NULL for a tensor of the lesson's own. */
static const char *owner_of(const Stage *stage, size_t node) {
    const char *name = stage_node(stage, node)->name;
    const char *dot = strchr(name, '.');
    while (dot && isdigit((unsigned char)dot[1]))
        dot = strchr(dot + 1, '.');
    return dot ? canvas_format(stage->canvas, "%.*s", (int)(dot - name), name) : NULL;
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
        panels[i].note = owner_of(stage, panels[i].node);
    panels_show(stage, panels, count);
}
