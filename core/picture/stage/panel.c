#include "picture/draw/canvas.h"
#include "picture/stage/panels_parts.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

enum {
    OWN_SCALES_MOST = 4, /* scales whose legends are readable below their panels */
    NARROW_COLUMNS = 4,
    NUMBERS_MOST = 200 /* largest number of cells for which numbers are required */
};

/* Dots, and cells lower than SPECK points: width over height, as a fraction of the
 * table's rows over its columns, and at most. */
static const double DOT_SHARE = 0.4, WIDEST_DOT = 6;
static const double SPECK_SHARE = 1, WIDEST_SPECK = 30, SPECK = 10;

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

/* ---- scales: panels that share one share a legend ---- */

/* Returns the reach of a table's own values; 0 if all are 0, which are white on every
 * scale. */
static double own_reach(const Panel *panel) {
    size_t cells = panel->tensor ? tensor_cells(panel->tensor) : 0, i = 0;
    while (i < cells && panel->tensor->values[i] == 0)
        i++;
    return i < cells ? heatmap_scale_reach(panel->tensor) : 0;
}

/* Gives panels that were given a reach the largest of these, if there are more of them
 * than legends fit. */
static void share_given_reach(Panel *panels, size_t count) {
    size_t given = 0;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        given += panels[i].tensor && panels[i].reach > 0 && !panels[i].is_derived;
        if (panels[i].reach > most && own_reach(&panels[i]) > 0)
            most = panels[i].reach;
    }
    for (size_t i = 0; given > OWN_SCALES_MOST && i < count; i++) {
        if (panels[i].tensor && panels[i].reach > 0)
            panels[i].reach = most > 0 ? most : 1;
    }
}

/* Returns true if a panel isn't too pale on a scale, or has the name of one that isn't:
 * two views of one tensor are compared. `own`: reach of each panel's own values. */
static bool suits(const Panel *panels, const double *own, size_t count, size_t index,
                  double reach) {
    const char *name = panels[index].formula;
    for (size_t i = 0; i < count; i++) {
        bool alike = i == index ||
                     (name && panels[i].formula && strcmp(name, panels[i].formula) == 0);
        if (alike && own[i] > 0 && own[i] >= reach * stage_least_share(panels[i].tensor))
            return true;
    }
    return false;
}

static void share_reach(Panel *panels, size_t count) {
    double own[PANELS_MAX] = {0}, first = 0;
    share_given_reach(panels, count);
    for (size_t i = 0; i < count; i++) {
        Panel *panel = &panels[i];
        if (panel->reach > 0 || panel->is_derived)
            continue;
        own[i] = own_reach(panel);
        if (panel->colors == HEATMAP_PROBABILITIES)
            panel->reach = fmax(own[i], 1);
        else if (panel->colors == HEATMAP_PLAIN)
            panel->reach = own[i];
        own[i] = panel->reach > 0 ? 0 : own[i];
    }
    for (double most;; first = fmax(first, most)) {
        most = 0;
        for (size_t i = 0; i < count; i++)
            most = fmax(most, panels[i].reach > 0 ? 0 : own[i]);
        if (most == 0)
            break;
        for (size_t i = 0; i < count; i++) {
            if (panels[i].reach == 0 && own[i] > 0 && suits(panels, own, count, i, most))
                panels[i].reach = most;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (panels[i].is_derived) {
            panels[i].colors = panels[i - 1].colors;
            panels[i].reach = panels[i - 1].reach;
        } else if (panels[i].reach == 0) {
            panels[i].reach = first > 0 ? first : 1;
        }
    }
}

bool panel_has_legend(const Panel *panel) {
    return panel->tensor && panel->colors != HEATMAP_PLAIN && !panel->is_derived &&
           !panel->is_mask; /* in words: 0 and −∞ */
}

/* Returns the colours for the legend of the panels on this scale, without the half that
 * none of them uses. */
static HeatmapColors legend_colors(const Panel *panels, size_t count,
                                   const Panel *panel) {
    if (panel->colors != HEATMAP_SIGNED)
        return panel->colors;
    HeatmapColors found = HEATMAP_BITS;
    for (size_t i = 0; i < count; i++) {
        if (!panel_has_legend(&panels[i]) || panels[i].reach != panel->reach)
            continue;
        HeatmapColors own = stage_table_legend(panels[i].tensor, panels[i].colors);
        if (own == HEATMAP_SIGNED)
            return own;
        found = own == HEATMAP_UPPER ? own : found;
    }
    return found;
}

bool panels_scales_differ(const Panel *panels, size_t count) {
    double reach = 0;
    for (size_t i = 0; i < count; i++) {
        if (!panel_has_legend(&panels[i]) || panels[i].colors != HEATMAP_SIGNED)
            continue;
        if (reach != 0 && panels[i].reach != reach)
            return true;
        reach = panels[i].reach;
    }
    return false;
}

size_t panels_corner_scales(const Panel *panels, size_t count, StageScale *scales) {
    bool differ = panels_scales_differ(panels, count);
    size_t used = 0;
    for (size_t i = count; i-- > 0;) { /* legends are drawn from right to left */
        const Panel *panel = &panels[i];
        bool told = differ && panel->colors == HEATMAP_SIGNED, known = false;
        StageScale scale = {panel->scale, told ? 0 : panel->reach};
        if (!panel_has_legend(panel))
            continue;
        if (told && scale.colors == HEATMAP_BITS)
            scale.colors = HEATMAP_UPPER;
        for (size_t j = 0; j < used; j++) {
            if (told && scales[j].reach == 0 && scale.colors == HEATMAP_SIGNED)
                scales[j].colors = HEATMAP_SIGNED; /* one legend with both signs */
            known |= scales[j].reach == scale.reach &&
                     (told || scales[j].colors == scale.colors);
        }
        if (!known)
            scales[used++] = scale;
    }
    return used;
}

void panel_draw_legend(const Canvas *canvas, const Panel *panel, Point corner,
                       double width) {
    if (panel_has_legend(panel))
        heatmap_legend(canvas, (Box){round(corner.x), round(corner.y), width, 0},
                       panel->scale, panel->reach);
}

/* ---- parts of a panel ---- */

void panels_prepare(const Stage *stage, Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++)
        panels[i].is_mask = panels[i].tensor && tensor_is_mask(panels[i].tensor);
    share_reach(panels, count);
    for (size_t i = 0; i < count; i++) {
        Panel *panel = &panels[i];
        panel->scale = legend_colors(panels, count, panel);
        if (!panel->tensor)
            continue;
        panel->row_labels = heatmap_row_label_width(stage->canvas, panel->tensor);
        panel->col_labels = heatmap_col_labels(stage->canvas, panel->tensor);
    }
}

Heatmap panel_heatmap(const Stage *stage, const Panel *panel, Box cells) {
    Heatmap heatmap = {.tensor = panel->tensor,
                       .node = panel->node,
                       .hidden = stage_masked_scores(stage, panel->node),
                       .cells = cells,
                       .colors = panel->colors,
                       .reach = panel->reach,
                       .exponent = heatmap_exponent(panel->colors, panel->reach),
                       .visible = (size_t)-1,
                       .quoting = stage_asked(stage)};
    if (panel->is_output)
        stage_result(stage, &heatmap);
    return heatmap;
}

double panel_least_column(const Canvas *canvas, const Panel *panel, double row) {
    if (!panel->tensor || tensor_cells(panel->tensor) > NUMBERS_MOST ||
        row < heatmap_least_row(canvas))
        return 0;
    Heatmap heatmap = {.tensor = panel->tensor,
                       .colors = panel->colors,
                       .reach = panel->reach,
                       .exponent = heatmap_exponent(panel->colors, panel->reach)};
    return heatmap_least_column(canvas, &heatmap);
}

double panel_dot_aspect(size_t rows, size_t cols, double height) {
    double tall = (double)rows / (double)cols;
    if (cols < NARROW_COLUMNS)
        return 1;
    return fmax(height < SPECK ? fmin(SPECK_SHARE * tall, WIDEST_SPECK)
                               : fmin(DOT_SHARE * tall, WIDEST_DOT),
                1);
}

Caption panel_caption(const Stage *stage, const Panel *panel, double width) {
    Caption caption = caption_fit(stage, panel->formula, panel->node, panel->tensor,
                                  PANELS_NAME_UNITS, width);
    caption_show_scale(stage->canvas, &caption, panel->scale, panel->reach, panel->told);
    return caption;
}

Box panel_draw_tab(const Canvas *canvas, const Panel *panel, double lift) {
    const Heatmap *heatmap = &panel->heatmap;
    Box framed = heatmap->cells;
    RoleTab tab = panel->tab;
    tab.lift = lift;
    if (heatmap->col_labels) {
        double labels = heatmap_col_labels_height(
            canvas, panel->col_labels, framed.w / (double)panel->tensor->cols,
            heatmap->col_label_room > 0 ? heatmap->col_label_room : INFINITY);
        tab.lift -= labels / 2;
        framed.y -= labels;
        framed.h += labels;
    }
    Box box = role_tab(canvas, &tab, role_frame_box(framed));
    role_frame(canvas, tab.role, framed);
    return box;
}
