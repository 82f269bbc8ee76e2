#include "picture/stage/panels.h"

#include "picture/stage/panels_measure.h"

#include <math.h>

PanelsAbove panels_above(const Canvas *canvas, const Panel *panel) {
    double size = canvas_size(canvas, panels_above_units(panel), "");
    FormulaExtent extent = canvas_formula_extent(canvas, panel->sign_above, size);
    double middle = canvas->metrics->math.axis_height * size;
    double axis = fmax(canvas_length(canvas, 30),
                       extent.descent + middle + canvas_length(canvas, 18));
    return (PanelsAbove){axis, axis + extent.ascent - middle};
}

/* An arrow's formula stands on its axis; what is above it, on a line above that. */
static void draw_sign(const Canvas *canvas, const Panel *panel) {
    if (!panel->sign)
        return;
    Point middle = {panel->sign_x, panel->box.y + panel->box.h / 2};
    canvas_formula(canvas, panel->sign, PANELS_SIGN_UNITS, middle, LABEL_CENTER);
    if (!panel->sign_above)
        return;
    middle.y -= panels_above(canvas, panel).axis;
    canvas_formula(canvas, panel->sign_above, panels_above_units(panel), middle,
                   LABEL_CENTER);
}

static void draw_caption(const Stage *stage, const Panel *panel) {
    const Canvas *canvas = stage->canvas;
    Box cells = panel->heatmap.cells;
    Point axis = {cells.x + cells.w / 2, cells.y + cells.h + panel->caption_below};
    if (!panel->tab.name)
        caption_draw(stage, &panel->caption, axis, panel->caption_drop, LABEL_CENTER);
    if (panel->note)
        label_draw_with(
            canvas->scene, canvas->metrics, canvas->insets, FONT_TEXT,
            canvas_size(canvas, PANELS_SENTENCE_UNITS, panel->note),
            canvas->theme->ink_soft,
            (Point){axis.x, axis.y + panel->caption_drop + canvas_length(canvas, 24)},
            LABEL_CENTER, panel->note);
}

/* The frame of a panel that wears a tab, around cells and column labels, and the tab. */
static void draw_tab(const Canvas *canvas, const Panel *panel) {
    if (!panel->tab.name)
        return;
    Box table = panel->heatmap.cells;
    double labels = panel->heatmap.tensor->col_labels ? panel->heatmap.col_label_room : 0;
    table.y -= labels;
    table.h += labels;
    role_tab(canvas, &panel->tab, role_frame_box(canvas, table));
    role_frame(canvas, panel->tab.role, table);
}

static void draw_row_notes(const Canvas *canvas, const Panel *panel) {
    const Heatmap *heatmap = &panel->heatmap;
    double right = heatmap->cells.x + heatmap->cells.w +
                   (panel->tab.name ? role_frame_margin(canvas) : 0);
    for (size_t i = 0; panel->row_notes && i < panel->tensor->rows; i++) {
        Box row = heatmap_cells(heatmap, i, i + 1, 0, 1);
        canvas_formula(canvas, panel->row_notes[i], PANELS_NOTE_UNITS,
                       (Point){right + canvas_length(canvas, 14), row.y + row.h / 2},
                       LABEL_LEFT);
    }
}

static bool has_own_legend(const Panel *panel) {
    return panel->tensor && panel->colors != HEATMAP_PLAIN;
}

static double legend_width(const Canvas *canvas, const Panel *panel) {
    double least = canvas_length(canvas, 110), most = canvas_length(canvas, 200);
    return fmin(fmax(panel->heatmap.cells.w, least), most);
}

static double legend_left(const Canvas *canvas, const Panel *panel) {
    Box cells = panel->heatmap.cells;
    return round(cells.x + (cells.w - legend_width(canvas, panel)) / 2);
}

/* Whether legends have room side by side, each under its panel. */
static bool legends_fit(const Stage *stage, const Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    double free = stage->area.x, gap = canvas_length(canvas, 24);
    for (size_t i = 0; i < count; i++) {
        if (!has_own_legend(&panels[i]))
            continue;
        double left = legend_left(canvas, &panels[i]);
        if (left < free)
            return false;
        free = left + legend_width(canvas, &panels[i]) + gap;
    }
    return free - gap <= stage->area.x + stage->area.w;
}

/* In the strip below, in the panels' order, each behind its panel's name. */
static void draw_legends_in_strip(const Stage *stage, const Panel *panels, size_t count,
                                  Box strip) {
    const Canvas *canvas = stage->canvas;
    size_t used = 0, drawn = 0;
    for (size_t i = 0; i < count; i++)
        used += has_own_legend(&panels[i]);
    double slot = strip.w / (double)used, width = canvas_length(canvas, 110);
    double gap = canvas_length(canvas, 10);
    for (size_t i = 0; i < count; i++) {
        if (!has_own_legend(&panels[i]))
            continue;
        double right = strip.x + slot * (double)++drawn;
        double top = round(strip.y + canvas_length(canvas, 8));
        Box bar = heatmap_legend(canvas, (Box){right - width, top, width, 0},
                                 panels[i].colors, panels[i].reach);
        Caption name = caption_fit(stage, panels[i].formula, TAPE_NONE, panels[i].tensor,
                                   18, slot - width - 3 * gap);
        if (name.name[0] && name.above + name.below <= strip.h)
            canvas_formula(canvas, name.name, name.units,
                           (Point){bar.x - gap, top + canvas_length(canvas, 6)},
                           LABEL_RIGHT);
    }
}

/* Where panels have scales of their own, each stands under its panel's caption. */
static void draw_own_legends(const Stage *stage, const Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    Box strip = stage->area;
    strip = box_take_bottom(&strip, stage_legend_height(canvas));
    if (!legends_fit(stage, panels, count)) {
        draw_legends_in_strip(stage, panels, count, strip);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const Panel *panel = &panels[i];
        if (!has_own_legend(panel))
            continue;
        Box cells = panel->heatmap.cells;
        double below = cells.y + cells.h + panel->caption_below + panel->caption_drop +
                       canvas_length(canvas, panel->note ? 36 : 12);
        heatmap_legend(canvas,
                       (Box){legend_left(canvas, panel),
                             round(fmin(below, strip.y + canvas_length(canvas, 8))),
                             legend_width(canvas, panel), 0},
                       panel->colors, panel->reach);
    }
}

static void draw_legends(const Stage *stage, const Panel *panels, size_t count) {
    StageScale scales[PANELS_MAX] = {0};
    size_t used = 0, of_signed = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = !panels[i].tensor || panels[i].colors == HEATMAP_PLAIN ||
                     tensor_is_mask(panels[i].tensor); /* in words: 0 and −∞ */
        for (size_t j = 0; j < used; j++)
            known |= scales[j].colors == panels[i].colors &&
                     scales[j].reach == panels[i].reach;
        if (known)
            continue;
        scales[used++] = (StageScale){panels[i].colors, panels[i].reach};
        of_signed += panels[i].colors == HEATMAP_SIGNED;
    }
    if (of_signed > 1)
        draw_own_legends(stage, panels, count);
    else
        stage_legends(stage, stage->area, scales, used);
}

/* The digits of all panels have one size, that of the smallest. */
static double digits_of(const Canvas *canvas, const Panel *panels, size_t count) {
    double smallest = 0;
    for (size_t i = 0; i < count; i++) {
        double size =
            panels[i].tensor ? heatmap_number_size(canvas, &panels[i].heatmap) : 0;
        if (size > 0 && (smallest == 0 || size < smallest))
            smallest = size;
    }
    return smallest;
}

/* Emphasises the focused row's and column's labels, on the axes that this tensor shares
 * with the focused one: the same places of the same labels. */
static void emphasise(const Stage *stage, const Tensor *tensor, Heatmap *heatmap) {
    if (!stage->has_focus)
        return;
    const Tensor *focused = stage_tensor(stage, stage->focus_node);
    bool rows =
        tensor->row_labels == focused->row_labels && tensor->rows == focused->rows;
    bool cols =
        tensor->col_labels == focused->col_labels && tensor->cols == focused->cols;
    heatmap->has_focus = rows || cols;
    heatmap->focus_row = rows ? stage->focus_row : (size_t)-1;
    heatmap->focus_col = cols ? stage->focus_col : (size_t)-1;
}

static void draw_panels(const Stage *stage, const Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    double digits = digits_of(canvas, panels, count);
    for (size_t i = 0; i < count; i++) {
        const Panel *panel = &panels[i];
        draw_sign(canvas, panel);
        if (!panel->tensor) {
            canvas_formula(canvas, panel->formula, PANELS_SIGN_UNITS,
                           (Point){panel->box.x, panel->box.y}, LABEL_LEFT);
            continue;
        }
        Heatmap heatmap = panel->heatmap;
        heatmap.number_size = digits;
        emphasise(stage, panel->tensor, &heatmap);
        draw_tab(canvas, panel);
        heatmap_draw(canvas, &heatmap);
        draw_caption(stage, panel);
        draw_row_notes(canvas, panel);
    }
    draw_legends(stage, panels, count);
    for (size_t i = 0; i < count; i++) {
        if (stage->has_focus && panels[i].tensor && panels[i].node == stage->focus_node)
            heatmap_outline_cell(canvas, &panels[i].heatmap, stage->focus_row,
                                 stage->focus_col, canvas->theme->focus);
    }
}

void panels_show(const Stage *stage, Panel *panels, size_t count) {
    panels_layout(stage, panels, count);
    draw_panels(stage, panels, count);
}
