#include "picture/draw/canvas.h"
#include "picture/stage/panels_parts.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Differences from rounding when a number is computed again. */
static const double ALIKE = 1e-9;

/* Draws the sign before a panel: a formula on its axis, and what is above an arrow
 * higher. */
static void draw_sign(const Canvas *canvas, const Panel *panel) {
    if (!panel->sign)
        return;
    Point middle = {panel->sign_x, panel->box.y + panel->box.h / 2};
    canvas_formula(canvas, panel->sign, PANELS_SIGN_UNITS, middle, LABEL_CENTER);
    if (!panel->sign_above)
        return;
    middle.y -= panel->above_axis;
    canvas_formula(canvas, panel->sign_above, panel->above_units, middle, LABEL_CENTER);
}

/* Draws the formula that stands instead of a table, and its meaning below it, lower if
 * the formula is deep, as one with a subscript below max is. */
static void draw_formula(const Canvas *canvas, const Panel *panel) {
    Point middle = {panel->box.x + panel->box.w / 2, panel->box.y};
    Box formula =
        canvas_formula(canvas, panel->formula, PANELS_SIGN_UNITS, middle, LABEL_CENTER);
    if (!panel->meaning)
        return;
    double size = canvas_size(canvas, PANELS_NAME_UNITS, "");
    double ascent = canvas_formula_extent(canvas, panel->meaning, size).ascent;
    middle.y = fmax(middle.y + 44, formula.y + formula.h + ascent);
    canvas_formula(canvas, panel->meaning, PANELS_NAME_UNITS, middle, LABEL_CENTER);
}

static void draw_caption(const Stage *stage, const Panel *panel) {
    const Canvas *canvas = stage->canvas;
    Box cells = panel->heatmap.cells;
    Point axis = {cells.x + cells.w / 2, cells.y + cells.h + panel->caption_below};
    scene_begin_caption(canvas->scene, panel->node);
    if (!panel->tab.name)
        caption_draw(stage, &panel->caption, axis, panel->caption_drop, LABEL_CENTER);
    if (panel->note)
        label_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_TEXT,
                        canvas_size(canvas, PANELS_SENTENCE_UNITS, panel->note),
                        canvas->theme->ink_soft,
                        (Point){axis.x, axis.y + panel->caption_drop + 24}, LABEL_CENTER,
                        panel->note);
    scene_end_caption(canvas->scene);
}

static void draw_row_notes(const Canvas *canvas, const Panel *panel) {
    const Heatmap *heatmap = &panel->heatmap;
    double right =
        heatmap->cells.x + heatmap->cells.w + (panel->tab.name ? ROLE_FRAME_MARGIN : 0);
    for (size_t i = 0; panel->row_notes && i < panel->tensor->rows; i++) {
        Box row = heatmap_cells(heatmap, i, i + 1, 0, 1);
        canvas_formula(canvas, panel->row_notes[i], PANELS_NOTE_UNITS,
                       (Point){right + 14, row.y + row.h / 2}, LABEL_LEFT);
    }
}

/* Emphasises the labels of the focused row and column on axes that this tensor shares
 * with the focused one: the same positions of the same labels. */
static void emphasise(const Stage *stage, const Tensor *tensor, Heatmap *heatmap) {
    if (!stage->has_focus)
        return;
    const Tensor *focused = stage_tensor(stage, stage->focus_node);
    bool rows =
        tensor->row_labels == focused->row_labels && tensor->rows == focused->rows;
    bool cols =
        tensor->col_labels == focused->col_labels && tensor->cols == focused->cols;
    if (rows || cols)
        stage_focus(stage, heatmap, rows, cols);
}

/* Returns the colour of a slice: columns that are one of several equal bands have the
 * band's, such as a head's in the diagram of its attention; others rotate. */
static Color slice_color(const Stage *stage, const TapeNode *node, size_t turn) {
    const OperationOptions *o = &node->options;
    size_t width = o->col_end - o->col_begin, all = node->operands[0]->cols;
    bool band = width < all && all % width == 0 && o->col_begin % width == 0;
    return stage->canvas->theme->other[(band ? o->col_begin / width : turn) % 4];
}

/* Outlines panels that are parts of another panel's table, and the parts there. */
static void mark_slices(const Stage *stage, const Panel *panels, size_t count) {
    size_t turn = 0;
    for (size_t i = 0; i < count; i++) {
        const TapeNode *node = panels[i].tensor && panels[i].node != TAPE_NONE
                                   ? stage_node(stage, panels[i].node)
                                   : NULL;
        if (!node || node->operation != OPERATION_SLICE)
            continue;
        const OperationOptions *o = &node->options;
        Color color = slice_color(stage, node, turn);
        bool found = false;
        for (size_t j = 0; j < count; j++) {
            if (panels[j].node != node->inputs[0] || !panels[j].tensor)
                continue;
            heatmap_outline(stage->canvas, &panels[j].heatmap, o->row_begin, o->row_end,
                            o->col_begin, o->col_end, color);
            found = true;
        }
        if (found)
            heatmap_outline(stage->canvas, &panels[i].heatmap, 0, panels[i].tensor->rows,
                            0, panels[i].tensor->cols, color);
        turn += found;
    }
}

/* Returns true if a table contains another, smaller one in its upper left corner, with
 * equal elements. */
static bool keeps(const Tensor *now, const Tensor *before) {
    if (now->rows < before->rows || now->cols < before->cols ||
        tensor_cells(now) == tensor_cells(before) || tensor_cells(before) < 2)
        return false;
    for (size_t i = 0; i < before->rows; i++) {
        for (size_t j = 0; j < before->cols; j++) {
            if (!(fabs(tensor_at(now, i, j) - tensor_at(before, i, j)) < ALIKE))
                return false;
        }
    }
    return true;
}

/* Returns how many rows a growing table shares with the one before it: all of that
 * one's. */
static size_t kept_rows(const Panel *panels, size_t index) {
    const Tensor *now = panels[index].tensor;
    const Tensor *before = index ? panels[index - 1].tensor : NULL;
    bool grows = before && !panels[index].sign && now->cols == before->cols;
    return grows && keeps(now, before) ? before->rows : 0;
}

/* In tables side by side that grow both ways, outlines what each has from the one before,
 * with lines leading there; the rows that existed are grey. */
static void mark_kept(const Stage *stage, const Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    for (size_t i = 1; i < count; i++) {
        const Tensor *before = panels[i - 1].tensor, *now = panels[i].tensor;
        if (panels[i].sign || !before || !now || now->cols == before->cols ||
            !keeps(now, before))
            continue;
        Color color = canvas->theme->other[0];
        heatmap_outline(canvas, &panels[i - 1].heatmap, 0, before->rows, 0, before->cols,
                        color);
        heatmap_outline(canvas, &panels[i].heatmap, 0, before->rows, 0, before->cols,
                        color);
        Box from = panels[i - 1].heatmap.cells;
        Box to = heatmap_cells(&panels[i].heatmap, 0, before->rows, 0, before->cols);
        if (to.x < from.x + from.w)
            continue;
        for (int low = 0; low < 2; low++)
            scene_line(canvas->scene, (Point){from.x + from.w, from.y + from.h * low},
                       (Point){to.x, to.y + to.h * low}, 1, color);
    }
}

/* Returns true if a frame would hide the focused cell, which no sum mentions. */
static bool is_speck(const Canvas *canvas, const Heatmap *heatmap) {
    return canvas->enlarged > 1 && heatmap_is_image(heatmap);
}

static void draw_panels(const Stage *stage, const Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    for (size_t i = 0; i < count; i++) {
        const Panel *panel = &panels[i];
        draw_sign(canvas, panel);
        if (!panel->tensor) {
            draw_formula(canvas, panel);
            continue;
        }
        Heatmap heatmap = panel->heatmap;
        heatmap.cached_rows = kept_rows(panels, i);
        emphasise(stage, panel->tensor, &heatmap);
        if (panel->tab.name)
            panel_draw_tab(canvas, panel, 0);
        heatmap_draw(canvas, &heatmap);
        draw_caption(stage, panel);
        draw_row_notes(canvas, panel);
    }
    panels_draw_legends(stage, panels, count);
    mark_slices(stage, panels, count);
    mark_kept(stage, panels, count);
    for (size_t i = 0; i < count; i++) {
        if (stage->has_focus && panels[i].tensor && panels[i].node == stage->focus_node &&
            !is_speck(canvas, &panels[i].heatmap))
            heatmap_outline_cell(canvas, &panels[i].heatmap, stage->focus_row,
                                 stage->focus_col, canvas->theme->focus);
    }
}

/* Returns true if a placed panel's column labels have less room than they need. */
static bool cuts_labels(const Canvas *canvas, const Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const Heatmap *heatmap = &panels[i].heatmap;
        if (panels[i].tensor &&
            heatmap_col_labels_height(canvas, panels[i].col_labels,
                                      heatmap->cells.w / (double)panels[i].tensor->cols,
                                      INFINITY) > heatmap->col_label_room + 1)
            return true;
    }
    return false;
}

/* Places panels with room for a loupe below them, if one is needed and leaves them
 * enough; returns its box. */
static Box layout_with_loupe(Stage *stage, Panel *panels, size_t count, Loupe *loupe) {
    Panel whole[PANELS_MAX]; /* placed in the whole area */
    Box area = stage->area;
    memcpy(whole, panels, count * sizeof *panels);
    panels_layout(stage, whole, count);
    *loupe = loupe_of(stage, whole, count);
    Box strip = box_take_bottom(&stage->area, loupe_height(loupe));
    if (loupe->count)
        panels_layout(stage, panels, count);
    if (!loupe->count || cuts_labels(stage->canvas, panels, count)) {
        loupe->count = 0;
        stage->area = area;
        memcpy(panels, whole, count * sizeof *panels);
    }
    return strip;
}

void panels_show(const Stage *stage, Panel *panels, size_t count) {
    Stage room = *stage;
    Loupe loupe;
    Box strip = layout_with_loupe(&room, panels, count, &loupe);
    Heatmap *tables[PANELS_MAX];
    size_t table_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor)
            tables[table_count++] = &panels[i].heatmap;
    }
    heatmap_same_digits(stage->canvas, tables, table_count);
    draw_panels(&room, panels, count);
    loupe_draw(stage, panels, &loupe, strip);
}
