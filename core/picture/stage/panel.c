#include "picture/stage/panel.h"

Panel panel_of(const Stage *stage, size_t node, const char *sign) {
    Panel panel = {.sign = sign,
                   .node = node,
                   .tensor = stage_tensor(stage, node),
                   .formula = stage_formula_name(stage, node),
                   .colors = stage_colors(stage->tape, node)};
    if (stage->values) {
        panel.colors = HEATMAP_SIGNED;
        panel.reach = heatmap_scale_reach(panel.tensor);
    }
    return panel;
}

Panel panel_of_output(const Stage *stage, const char *sign) {
    Panel panel = panel_of(stage, stage->node, sign);
    panel.is_output = true;
    return panel;
}
