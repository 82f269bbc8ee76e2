#include "picture/panels.h"

#include <math.h>
#include <string.h>

static const double LARGEST_CELL = 96, SIGN_UNITS = 34, NAME_UNITS = 22;
static const double TALLEST_CELL = 1.25; /* height of a cell over its width, at most */

Panel panel_of(const Stage *stage, size_t node, const char *sign) {
    return (Panel){.sign = sign,
                   .node = node,
                   .tensor = stage_tensor(stage, node),
                   .formula = stage_formula_name(stage, node),
                   .colors = stage_colors(stage->tape, node)};
}

/* ---- measuring ---- */

static double formula_width(const Canvas *canvas, const char *source, double units) {
    return formula_measure(canvas->scene->arena, canvas->metrics, canvas->theme, source,
                           canvas_size(canvas, units, ""))
        .width;
}

/* What stands above an arrow: words are set smaller than a formula looks. */
static double above_units(const Panel *panel) {
    return strncmp(panel->sign_above, "\\text", 5) == 0 ? NAME_UNITS * 0.75 : NAME_UNITS;
}

static double sign_width(const Canvas *canvas, const Panel *panel) {
    double gap = canvas_length(canvas, 26);
    if (!panel->sign)
        return gap;
    double width = formula_width(canvas, panel->sign, SIGN_UNITS);
    if (panel->sign_above)
        width = fmax(width, formula_width(canvas, panel->sign_above, above_units(panel)));
    return width + 2 * gap;
}

static double notes_width(const Canvas *canvas, const Panel *panel) {
    double widest = 0;
    for (size_t i = 0; panel->row_notes && i < panel->tensor->rows; i++)
        widest =
            fmax(widest, formula_width(canvas, panel->row_notes[i], NAME_UNITS * 0.8));
    return widest > 0 ? widest + canvas_length(canvas, 14) : 0;
}

/* Whether a panel repeats the row labels of the one before it. */
static bool repeats_labels(const Panel *panels, size_t i) {
    for (size_t j = 0; j < i; j++) {
        if (panels[j].tensor && panels[i].tensor &&
            panels[j].tensor->row_labels == panels[i].tensor->row_labels &&
            panels[j].tensor->rows == panels[i].tensor->rows)
            return true;
    }
    return false;
}

typedef struct Measure {
    double fixed_width; /* all that is not cells */
    size_t cols, rows;  /* cells across all panels; of the tallest panel */
    double label_height, caption_height;
} Measure;

static Measure measure(const Canvas *canvas, Panel *panels, size_t count) {
    Measure m = {0};
    bool noted = false;
    for (size_t i = 0; i < count; i++) {
        Panel *panel = &panels[i];
        m.fixed_width += i ? sign_width(canvas, panel) : 0;
        if (!panel->tensor) {
            m.fixed_width += formula_width(canvas, panel->formula, SIGN_UNITS);
            continue;
        }
        panel->heatmap.row_labels = !repeats_labels(panels, i);
        panel->heatmap.col_labels = true;
        if (panel->heatmap.row_labels)
            panel->heatmap.label_room =
                fmin(heatmap_row_label_width(canvas, panel->tensor),
                     canvas_length(canvas, 220));
        m.fixed_width += panel->heatmap.label_room + notes_width(canvas, panel);
        m.cols += panel->tensor->cols;
        m.rows = panel->tensor->rows > m.rows ? panel->tensor->rows : m.rows;
        noted |= panel->note != NULL;
    }
    m.caption_height = canvas_length(canvas, noted ? 88 : 64);
    return m;
}

/* ---- placing ---- */

static double cell_width(const Canvas *canvas, const Measure *m, Box area) {
    double room = fmax(area.w - m->fixed_width, area.w * 0.3);
    return fmin(room / (double)(m->cols ? m->cols : 1),
                canvas_length(canvas, LARGEST_CELL) * 1.2);
}

static void place_panel(const Canvas *canvas, const Stage *stage, Panel *panel, double x,
                        double w, double h, double middle) {
    const Tensor *tensor = panel->tensor;
    if (!tensor) {
        panel->box =
            (Box){x, middle, formula_width(canvas, panel->formula, SIGN_UNITS), 0};
        return;
    }
    double height = h * (double)tensor->rows, width = w * (double)tensor->cols;
    Box cells = {round(x + panel->heatmap.label_room), round(middle - height / 2), width,
                 height};
    Heatmap placed = panel->heatmap;
    panel->heatmap = (Heatmap){.tensor = tensor,
                               .node = panel->node,
                               .cells = cells,
                               .colors = panel->colors,
                               .reach = panel->reach,
                               .visible = (size_t)-1,
                               .row_labels = placed.row_labels,
                               .col_labels = placed.col_labels,
                               .label_room = placed.label_room};
    if (panel->is_output) {
        panel->heatmap.visible = stage->visible;
        panel->heatmap.lesson = stage->player->lesson;
        panel->heatmap.step =
            stage->step && stage->step->result == panel->node ? stage->step : NULL;
    }
    panel->box = (Box){x, cells.y, panel->heatmap.label_room + width, height};
}

/* Panels of the same colours share the largest reach among them. */
static void share_reach(Panel *panels, size_t count) {
    double reach[HEATMAP_PLAIN + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && panels[i].reach == 0)
            reach[panels[i].colors] =
                fmax(reach[panels[i].colors], heatmap_reach(panels[i].tensor));
    }
    reach[HEATMAP_SHARES] = fmax(reach[HEATMAP_SHARES], 1);
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && panels[i].reach == 0)
            panels[i].reach = reach[panels[i].colors];
    }
}

void panels_layout(const Stage *stage, Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    Box area = stage->area;
    box_take_bottom(&area, stage_legend_height(canvas));
    Measure m = measure(canvas, panels, count);
    double w = cell_width(canvas, &m, area);
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor)
            m.label_height = fmax(m.label_height,
                                  heatmap_col_label_height(canvas, panels[i].tensor, w));
    }
    double rows = (double)(m.rows ? m.rows : 1);
    double h = fmin((area.h - m.label_height - m.caption_height) / rows,
                    canvas_length(canvas, LARGEST_CELL));
    h = fmax(fmin(h, w * TALLEST_CELL), 0.5);
    w = fmin(w, h * heatmap_widest(canvas, h));
    if (w > 24 && h > 24) {
        w = floor(w);
        h = floor(h);
    }
    share_reach(panels, count);
    double used = m.fixed_width + w * (double)m.cols;
    double x = area.x + fmax((area.w - used) / 2, 0);
    double spare = area.h - m.label_height - m.caption_height - h * rows;
    double middle = area.y + m.label_height + h * rows / 2 + fmax(spare, 0) * 0.45;
    for (size_t i = 0; i < count; i++) {
        x += i ? sign_width(canvas, &panels[i]) : 0;
        place_panel(canvas, stage, &panels[i], x, w, h, middle);
        x += panels[i].box.w;
        if (panels[i].tensor)
            x += notes_width(canvas, &panels[i]);
    }
}

/* ---- drawing ---- */

static void draw_sign(const Canvas *canvas, const Panel *panel) {
    if (!panel->sign)
        return;
    double middle = panel->box.y + panel->box.h / 2;
    double centre = panel->box.x - sign_width(canvas, panel) / 2;
    canvas_formula(canvas, panel->sign, SIGN_UNITS, (Point){centre, middle},
                   LABEL_CENTER);
    if (panel->sign_above)
        canvas_formula(canvas, panel->sign_above, above_units(panel),
                       (Point){centre, middle - canvas_length(canvas, 30)}, LABEL_CENTER);
}

static void draw_caption(const Stage *stage, const Panel *panel) {
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = panel->tensor;
    Box cells = panel->heatmap.cells;
    double middle = cells.x + cells.w / 2,
           y = cells.y + cells.h + canvas_length(canvas, 26);
    if (panel->formula)
        canvas_formula(canvas, panel->formula, NAME_UNITS, (Point){middle, y},
                       LABEL_CENTER);
    y += canvas_length(canvas, 30);
    canvas_label(canvas, FONT_TEXT, 14, canvas->theme->ink_faint, (Point){middle, y},
                 LABEL_CENTER,
                 canvas_format(canvas, "%zu × %zu", tensor->rows, tensor->cols));
    if (panel->note)
        canvas_label(canvas, FONT_TEXT, 14, canvas->theme->ink_soft,
                     (Point){middle, y + canvas_length(canvas, 24)}, LABEL_CENTER,
                     panel->note);
}

static void draw_row_notes(const Canvas *canvas, const Panel *panel) {
    const Heatmap *heatmap = &panel->heatmap;
    double pitch = heatmap->cells.h / (double)panel->tensor->rows;
    if (!panel->row_notes || pitch < canvas_size(canvas, NAME_UNITS * 0.8, "") * 1.15)
        return;
    for (size_t i = 0; i < panel->tensor->rows; i++) {
        Box row = heatmap_cells(heatmap, i, i + 1, 0, 1);
        canvas_formula(
            canvas, panel->row_notes[i], NAME_UNITS * 0.8,
            (Point){heatmap->cells.x + heatmap->cells.w + canvas_length(canvas, 14),
                    row.y + row.h / 2},
            LABEL_LEFT);
    }
}

static void draw_legends(const Stage *stage, const Panel *panels, size_t count) {
    StageScale scales[PANELS_MAX] = {0};
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = !panels[i].tensor || panels[i].colors == HEATMAP_PLAIN;
        for (size_t j = 0; j < used; j++)
            known |= scales[j].colors == panels[i].colors &&
                     scales[j].reach == panels[i].reach;
        if (!known)
            scales[used++] = (StageScale){panels[i].colors, panels[i].reach};
    }
    stage_legends(stage, stage->area, scales, used);
}

void panels_draw(const Stage *stage, const Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    for (size_t i = 0; i < count; i++) {
        const Panel *panel = &panels[i];
        draw_sign(canvas, panel);
        if (!panel->tensor) {
            canvas_formula(canvas, panel->formula, SIGN_UNITS,
                           (Point){panel->box.x, panel->box.y}, LABEL_LEFT);
            continue;
        }
        Heatmap heatmap = panel->heatmap;
        if (stage->has_focus && stage->focus_row < panel->tensor->rows) {
            heatmap.has_focus = true;
            heatmap.focus_row = stage->focus_row;
            heatmap.focus_col = panel->tensor->col_labels ? stage->focus_col : 0;
        }
        heatmap_draw(canvas, &heatmap);
        draw_caption(stage, panel);
        draw_row_notes(canvas, panel);
    }
    draw_legends(stage, panels, count);
    for (size_t i = 0; i < count; i++) {
        if (panels[i].is_output && stage->has_focus)
            heatmap_outline(canvas, &panels[i].heatmap, stage->focus_row,
                            stage->focus_row + 1, stage->focus_col, stage->focus_col + 1,
                            canvas->theme->focus);
    }
}

void panels_show(const Stage *stage, Panel *panels, size_t count) {
    panels_layout(stage, panels, count);
    panels_draw(stage, panels, count);
}
