#include "picture/draw/canvas.h"
#include "picture/stage/panels_parts.h"

#include <math.h>

static const double WIDEST_LEGEND = 200; /* points */

static double legend_width(const Panel *panel) {
    return fmin(fmax(panel->heatmap.cells.w, PANELS_LEAST_LEGEND), WIDEST_LEGEND);
}

static double legend_left(const Panel *panel) {
    return round(box_middle(panel->heatmap.cells).x - legend_width(panel) / 2);
}

bool panels_legends_fit(const Stage *stage, const Panel *panels, size_t count) {
    double gap = PANELS_LEGEND_GAP, free = stage->area.x - gap;
    for (size_t i = 0; i < count; i++) {
        if (!panel_has_legend(&panels[i]))
            continue;
        if (panels[i].told)
            return false;
        double left = legend_left(&panels[i]);
        bool lower = i && panels[i].sign_x < panels[i - 1].sign_x;
        if (left < free || lower)
            return false;
        free = left + legend_width(&panels[i]) + gap;
    }
    return free - gap <= stage->area.x + stage->area.w;
}

void panels_draw_legends(const Stage *stage, const Panel *panels, size_t count) {
    Box strip = stage->area;
    strip = box_take_bottom(&strip, STAGE_LEGEND_HEIGHT);
    bool own =
        panels_scales_differ(panels, count) && panels_legends_fit(stage, panels, count);
    RoleSet roles = 0;
    for (size_t i = 0; i < count; i++) {
        const Panel *panel = &panels[i];
        Box cells = panel->heatmap.cells;
        double below = cells.y + cells.h + panel->caption_below + panel->caption_drop +
                       (panel->note ? 36 : 12);
        if (own)
            panel_draw_legend(stage->canvas, panel,
                              (Point){legend_left(panel), fmin(below, strip.y + 8)},
                              legend_width(panel));
        else if (panel->tensor && panel->tab.name)
            roles = role_set_add(roles, panel->tab.role);
    }
    StageScale scales[PANELS_MAX];
    size_t used = own ? 0 : panels_corner_scales(panels, count, scales);
    stage_known_legends(stage, stage->area, scales, used);
    stage_role_key(stage, stage->area, used, roles);
}
