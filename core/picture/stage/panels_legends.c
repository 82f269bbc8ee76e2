#include "picture/draw/canvas.h"
#include "picture/stage/panels.h"
#include "picture/stage/panels_measure.h"
#include "tensor/tensor.h"

#include <math.h>
#include <string.h>

/* Reach of a line's colours, and its legends. Panels that share a scale share a legend in
 * the corner. If there are several scales, each panel has its own legend below its
 * caption or, if that doesn't fit, as text in the caption. */

/* largest number of scales whose legends are readable below their panels */
enum { OWN_SCALES_MOST = 4 };

static bool is_all_zero(const Tensor *tensor) {
    size_t cells = tensor_cells(tensor), i = 0;
    while (i < cells && tensor->values[i] == 0)
        i++;
    return i == cells;
}

/* Gives panels that have a reach of their own the largest of these, if there are more of
 * them than legends fit. */
static void share_own_reach(Panel *panels, size_t count) {
    size_t own = 0;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (!panels[i].tensor || panels[i].reach == 0)
            continue;
        own++;
        if (!is_all_zero(panels[i].tensor))
            most = fmax(most, panels[i].reach);
    }
    for (size_t i = 0; own > OWN_SCALES_MOST && i < count; i++) {
        if (panels[i].tensor && panels[i].reach > 0)
            panels[i].reach = most > 0 ? most : 1;
    }
}

/* Returns the largest value of a signed panel without a reach; 0: there is none. */
static double next_reach(const Panel *panels, const double *own, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && panels[i].reach == 0)
            most = fmax(most, own[i]);
    }
    return most;
}

/* Returns true if the panel has the same name as a panel of this reach: two views of one
 * tensor are compared, however pale one of them is. */
static bool is_more_of(const Panel *panels, size_t count, const Panel *panel,
                       double reach) {
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && panels[i].reach == reach && panels[i].formula &&
            panel->formula && strcmp(panels[i].formula, panel->formula) == 0)
            return true;
    }
    return false;
}

void panels_share_reach(Panel *panels, size_t count) {
    share_own_reach(panels, count);
    double own[PANELS_MAX] = {0}, most;
    for (size_t i = 0; i < count; i++) {
        if (!panels[i].tensor || panels[i].reach != 0)
            continue;
        own[i] =
            is_all_zero(panels[i].tensor) ? 0 : heatmap_scale_reach(panels[i].tensor);
        if (panels[i].colors != HEATMAP_SIGNED)
            panels[i].reach =
                panels[i].colors == HEATMAP_PROBABILITIES ? fmax(own[i], 1) : own[i];
    }
    double first = next_reach(panels, own, count);
    while ((most = next_reach(panels, own, count)) > 0) {
        for (size_t i = 0; i < count; i++) {
            if (panels[i].tensor && panels[i].reach == 0 &&
                own[i] >= most * stage_least_share(panels[i].tensor))
                panels[i].reach = most;
        }
        for (size_t i = 0; i < count; i++) {
            if (panels[i].tensor && panels[i].reach == 0 &&
                is_more_of(panels, count, &panels[i], most))
                panels[i].reach = most;
        }
    }
    for (size_t i = 0; i < count; i++) { /* zeros are white on every scale */
        if (panels[i].tensor && panels[i].reach == 0)
            panels[i].reach = first > 0 ? first : 1;
    }
}

static bool has_own_legend(const Panel *panel) {
    return panel->tensor && panel->colors != HEATMAP_PLAIN &&
           !tensor_is_mask(panel->tensor); /* in words: 0 and −∞ */
}

/* Returns the colours for the legend of the panels on this scale, without the half that
 * none of them uses. */
static HeatmapColors scale_of(const Panel *panels, size_t count, const Panel *panel) {
    if (panel->colors != HEATMAP_SIGNED)
        return panel->colors;
    HeatmapColors found = HEATMAP_BITS;
    for (size_t i = 0; i < count; i++) {
        if (!has_own_legend(&panels[i]) || panels[i].reach != panel->reach)
            continue;
        HeatmapColors own = stage_table_legend(panels[i].tensor, panels[i].colors);
        if (own == HEATMAP_SIGNED)
            return own;
        found = own == HEATMAP_UPPER ? own : found;
    }
    return found;
}

void panels_find_scales(Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++)
        panels[i].scale = scale_of(panels, count, &panels[i]);
}

static double legend_width(const Panel *panel) {
    double least = 110, most = 200;
    return fmin(fmax(panel->heatmap.cells.w, least), most);
}

/* Returns the height of the line that contains a panel. */
static double line_of(const Panel *panel) {
    return round(panel->box.y + panel->box.h / 2);
}

static double legend_left(const Panel *panel) {
    Box cells = panel->heatmap.cells;
    return round(cells.x + (cells.w - legend_width(panel)) / 2);
}

bool panels_scales_differ(const Panel *panels, size_t count) {
    double reach = 0;
    for (size_t i = 0; i < count; i++) {
        if (!has_own_legend(&panels[i]) || panels[i].colors != HEATMAP_SIGNED)
            continue;
        if (reach != 0 && panels[i].reach != reach)
            return true;
        reach = panels[i].reach;
    }
    return false;
}

bool panels_legends_fit(const Stage *stage, const Panel *panels, size_t count) {
    double free = stage->area.x - 24, gap = 24;
    for (size_t i = 0; i < count; i++) {
        if (!has_own_legend(&panels[i]))
            continue;
        double left = legend_left(&panels[i]);
        bool first_line = line_of(&panels[i]) == line_of(&panels[0]);
        if (left < free || !first_line)
            return false;
        free = left + legend_width(&panels[i]) + gap;
    }
    return free - gap <= stage->area.x + stage->area.w;
}

/* Draws each legend below its panel's caption. */
static void draw_own_legends(const Stage *stage, const Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    Box strip = stage->area;
    strip = box_take_bottom(&strip, STAGE_LEGEND_HEIGHT);
    for (size_t i = 0; i < count; i++) {
        const Panel *panel = &panels[i];
        if (!has_own_legend(panel))
            continue;
        Box cells = panel->heatmap.cells;
        double below = cells.y + cells.h + panel->caption_below + panel->caption_drop +
                       (panel->note ? 36 : 12);
        heatmap_legend(canvas,
                       (Box){legend_left(panel), round(fmin(below, strip.y + 8)),
                             legend_width(panel), 0},
                       panel->scale, panel->reach);
    }
}

/* Returns the roles that are shown as tabs. */
static RoleSet roles_of(const Panel *panels, size_t count) {
    RoleSet roles = 0;
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && panels[i].tab.name)
            roles = role_set_add(roles, panels[i].tab.role);
    }
    return roles;
}

void panels_draw_legends(const Stage *stage, const Panel *panels, size_t count) {
    bool differ = panels_scales_differ(panels, count);
    if (differ && panels_legends_fit(stage, panels, count)) {
        draw_own_legends(stage, panels, count);
        return;
    }
    StageScale scales[PANELS_MAX] = {0};
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!has_own_legend(&panels[i]))
            continue;
        bool told = differ && panels[i].colors == HEATMAP_SIGNED;
        double reach = told ? 0 : panels[i].reach; /* captions contain the reach */
        HeatmapColors colors =
            told && panels[i].scale == HEATMAP_BITS ? HEATMAP_UPPER : panels[i].scale;
        bool known = false;
        for (size_t j = 0; j < used; j++) {
            if (told && scales[j].reach == 0 && colors == HEATMAP_SIGNED)
                scales[j].colors = colors; /* one legend for all: with both signs */
            known |= scales[j].reach == reach && (told || scales[j].colors == colors);
        }
        if (!known)
            scales[used++] = (StageScale){colors, reach};
    }
    stage_known_legends(stage, stage->area, scales, used);
    stage_role_key(stage, stage->area, used, roles_of(panels, count));
}
