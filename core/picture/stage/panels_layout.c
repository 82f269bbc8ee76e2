#include "picture/stage/panels.h"
#include "picture/stage/panels_measure.h"

#include <math.h>
#include <string.h>

static const double LARGEST_CELL = 116;   /* units */
static const double SMALLEST_CELL = 1e-5; /* points; TENSOR_MAX_CELLS rows fit */
static const double NARROW_SHARE = 0.4, WIDEST_DOT = 6;             /* of a lone table */
static const double IMAGE_SHARE = 1, WIDEST_SPECK = 30, SPECK = 10; /* without numbers */
static const double SEVERAL = 20; /* points: the widest specks of several tables */
static const double FLAT_SHARE = 0.2, TALLEST_DOT = 10, ROW_LABEL = 1.4; /* of its size */
enum { NARROW_COLUMNS = 4 };
static const double TALLEST_CELL = 1; /* largest height of a cell over its width */
/* Width of a cell over its height when a tensor is shown alone. */
static const double ALONE_SHARE = 1.6;
static const double FLAT_GAP = 5, TALLER = 1.1, WIDEST_FLAT = 3.5; /* of labels */
static const double COMFORTABLE_CELL = 46, COMFORTABLE_SHARE = 0.55;

/* Spacing of a layout in units, from generous to tight; tried in turn until cells are
 * large enough. */
typedef struct Spacing {
    double gap, label_room;
    bool notes, tab_shapes, tabs;
} Spacing;

static const Spacing spacings[] = {{26, 220, true, true, true},
                                   {18, 150, true, true, true},
                                   {18, 150, false, false, true},
                                   {10, 110, false, false, true},
                                   {6, 80, false, false, false}};

enum { SPACING_COUNT = sizeof spacings / sizeof *spacings };

typedef struct Layout {
    const Stage *stage;
    const Canvas *canvas;
    Panel *panels;
    size_t count;
    Spacing spacing;
    Box area;
    PanelsCells most; /* largest size of a cell */
    double w, h;      /* size of a cell */
    double widest;    /* widest cell that fits */
    double readable;  /* width that fits numbers if rows are tall enough */
    double caption_height;
    bool crowded; /* formulas above arrows have no room */
    bool squeezed;
    /* Width of a panel left and right of its cells. */
    double before[PANELS_MAX], behind[PANELS_MAX];
} Layout;

/* ---- widths ---- */

static double formula_width(const Canvas *canvas, const char *source, double units) {
    return canvas_formula_extent(canvas, source, canvas_size(canvas, units, "")).width;
}

double panels_above_units(const Panel *panel) {
    bool words = strstr(panel->sign_above, "\\text") != NULL;
    return words ? PANELS_NAME_UNITS * 0.75 : PANELS_NAME_UNITS;
}

double panels_formula_width(const Canvas *canvas, const Panel *panel) {
    double width = formula_width(canvas, panel->formula, PANELS_SIGN_UNITS);
    return panel->meaning
               ? fmax(width, formula_width(canvas, panel->meaning, PANELS_NAME_UNITS))
               : width;
}

static double sign_width(const Layout *layout, size_t i) {
    const Panel *panel = &layout->panels[i];
    double gap = round(layout->spacing.gap);
    if (!panel->sign)
        return i == 0 ? 0 : 1.5 * gap;
    double width = formula_width(layout->canvas, panel->sign, PANELS_SIGN_UNITS);
    if (panel->sign_above)
        width = fmax(width, formula_width(layout->canvas, panel->sign_above,
                                          panels_above_units(panel)));
    return width + 2 * gap;
}

static double notes_width(const Canvas *canvas, const Panel *panel) {
    double widest = 0;
    for (size_t i = 0; panel->row_notes && i < panel->tensor->rows; i++)
        widest =
            fmax(widest, formula_width(canvas, panel->row_notes[i], PANELS_NOTE_UNITS));
    return widest > 0 ? widest + 14 : 0;
}

/* Returns true if a panel repeats the row labels of one before it. */
static bool repeats_labels(const Panel *panels, size_t i) {
    for (size_t j = 0; j < i; j++) {
        if (panels[j].tensor && panels[i].tensor &&
            panels[j].tensor->row_labels == panels[i].tensor->row_labels &&
            panels[j].tensor->rows == panels[i].tensor->rows)
            return true;
    }
    return false;
}

/* Returns the width for row labels: what they need, up to the spacing's limit, but more
 * if they would be cut otherwise. */
static double label_room(const Layout *layout, const Panel *panel) {
    const Canvas *canvas = layout->canvas;
    double wanted = panel->row_labels;
    double least = wanted * canvas_least(canvas, "") / canvas_size(canvas, 17, "");
    double most = round(layout->spacing.label_room);
    return fmin(wanted, fmax(most, fmin(least * 1.1, layout->area.w * 0.25)));
}

static void choose_tabs(Layout *layout) {
    for (size_t i = 0; i < layout->count; i++) {
        Panel *panel = &layout->panels[i];
        panel->tab = caption_tab(layout->stage, panel->formula,
                                 panel->tensor ? panel->node : TAPE_NONE);
        if (!layout->spacing.tab_shapes)
            panel->tab.shape = NULL;
        panel->tab.shape = caption_scaled_shape(layout->canvas, panel->tab.shape,
                                                panel->scale, panel->reach, panel->told);
        if (!layout->spacing.tabs)
            panel->tab.name = NULL;
    }
}

/* Measures labels and notes beside each panel's cells. */
static void measure_sides(Layout *layout) {
    for (size_t i = 0; i < layout->count; i++) {
        Panel *panel = &layout->panels[i];
        layout->before[i] = layout->behind[i] = 0;
        if (!panel->tensor)
            continue;
        panel->heatmap.row_labels = !repeats_labels(layout->panels, i);
        if (panel->heatmap.row_labels)
            layout->before[i] = label_room(layout, panel);
        panel->heatmap.label_room = layout->before[i];
        if (panel->tab.name) {
            layout->before[i] = fmax(layout->before[i], ROLE_FRAME_MARGIN);
            layout->behind[i] = ROLE_FRAME_MARGIN;
        }
        if (layout->spacing.notes)
            layout->behind[i] += notes_width(layout->canvas, panel);
    }
}

/* Widens panels that are narrower than their tab or than the shape in their caption. */
static void widen_for_captions(Layout *layout) {
    for (size_t i = 0; i < layout->count; i++) {
        const Panel *panel = &layout->panels[i];
        if (!panel->tensor)
            continue;
        if (panel->tab.name) {
            layout->behind[i] =
                fmax(layout->behind[i], role_tab_width(layout->canvas, &panel->tab) -
                                            layout->w * (double)panel->tensor->cols -
                                            ROLE_FRAME_MARGIN);
            continue;
        }
        Caption bare = caption_fit(layout->stage, NULL, TAPE_NONE, panel->tensor,
                                   PANELS_NAME_UNITS, 0);
        caption_show_scale(layout->canvas, &bare, panel->scale, panel->reach,
                           panel->told);
        double over = (bare.width - layout->w * (double)panel->tensor->cols) / 2;
        layout->before[i] = fmax(layout->before[i], over);
        layout->behind[i] = fmax(layout->behind[i], over);
    }
}

/* Returns the width of everything but cells. */
static double fixed_width(const Layout *layout) {
    double width = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const Panel *panel = &layout->panels[i];
        width += sign_width(layout, i) + layout->before[i] + layout->behind[i];
        if (!panel->tensor)
            width += panels_formula_width(layout->canvas, panel);
    }
    return width;
}

static double all_cols(const Layout *layout) {
    size_t cols = 0;
    for (size_t i = 0; i < layout->count; i++)
        cols += layout->panels[i].tensor ? layout->panels[i].tensor->cols : 0;
    return cols ? (double)cols : 1;
}

/* Sets the largest width of cells at this spacing; returns false if it isn't
 * comfortable. */
static bool fit_width(Layout *layout) {
    double cols = all_cols(layout), room = 0;
    double most = fmin(LARGEST_CELL * 1.2, layout->most.w);
    measure_sides(layout);
    layout->w = most;
    for (int pass = 0; pass < 3; pass++) { /* captions may be wider than narrow cells */
        room = layout->area.w - fixed_width(layout);
        layout->w = fmax(fmin(room / cols, most), SMALLEST_CELL);
        measure_sides(layout);
        widen_for_captions(layout);
    }
    layout->widest = layout->w;
    return room >= COMFORTABLE_CELL * cols || room >= layout->area.w * COMFORTABLE_SHARE;
}

/* ---- heights ---- */

static double col_label_height(const Layout *layout, const Panel *panel) {
    return heatmap_col_labels_height(layout->canvas, panel->col_labels, layout->w,
                                     layout->area.h * 0.4);
}

/* Returns the height from the cells to the end of what is above them. */
static double above_height(const Layout *layout, const Panel *panel) {
    double labels = col_label_height(layout, panel);
    if (!panel->tab.name)
        return labels;
    return labels + ROLE_FRAME_MARGIN + role_tab_height(layout->canvas, &panel->tab);
}

/* Returns the height from the cells to the end of what is below them. */
static double below_height(const Layout *layout, const Panel *panel) {
    return panel->tab.name && !panel->note ? 2 * ROLE_FRAME_MARGIN
                                           : layout->caption_height;
}

/* Returns the largest height of cells. Panels are centred on one line, so the labels
 * above one and the caption below another share the height. */
static double tallest_cell(const Layout *layout) {
    double tallest = fmin(LARGEST_CELL, layout->most.h);
    for (size_t i = 0; i < layout->count; i++) {
        const Panel *above = &layout->panels[i];
        double over = above->tensor ? above_height(layout, above) : 0;
        for (size_t j = 0; j < layout->count; j++) {
            const Panel *below = &layout->panels[j];
            if (!above->tensor || !below->tensor)
                continue;
            double room = layout->area.h - below_height(layout, below) - over;
            double rows = (double)(above->tensor->rows + below->tensor->rows) / 2;
            tallest = fmin(tallest, room / rows);
        }
    }
    return fmax(tallest, SMALLEST_CELL);
}

static const Tensor *tallest_table(const Layout *layout) {
    const Tensor *tallest = NULL;
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *tensor = layout->panels[i].tensor;
        if (tensor && (!tallest || tensor->rows > tallest->rows))
            tallest = tensor;
    }
    return tallest;
}

/* Returns width over height of cells: square unless a panel's numbers need wider ones. */
static double aspect_of(const Layout *layout) {
    double aspect = 1;
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->panels[i].tensor)
            aspect = fmax(aspect, heatmap_aspect(layout->canvas, layout->panels[i].tensor,
                                                 layout->h));
    }
    if (layout->stage->alone)
        aspect = fmax(aspect, ALONE_SHARE);
    bool specks = layout->h < SPECK;
    const Tensor *only = layout->count == 1 || specks ? tallest_table(layout) : NULL;
    /* Keeps a tall table of dots from becoming a mere line. */
    if (only && only->cols >= NARROW_COLUMNS) {
        double tall = (double)only->rows / (double)only->cols;
        double wide = fmin((specks ? IMAGE_SHARE : NARROW_SHARE) * tall,
                           specks ? WIDEST_SPECK : WIDEST_DOT);
        aspect = fmax(aspect, layout->count > 1 ? fmin(wide, SEVERAL / layout->h) : wide);
    }
    return aspect;
}

/* Returns height over width of cells: more than square only for a single flat table, so
 * that its rows have room for their labels. */
static double tallness_of(const Layout *layout) {
    const Tensor *only = layout->count == 1 ? layout->panels[0].tensor : NULL;
    if (!only || only->rows < NARROW_COLUMNS)
        return TALLEST_CELL;
    double share = FLAT_SHARE * (double)only->cols / (double)only->rows;
    double label = only->row_labels ? canvas_size(layout->canvas, 0, "") * ROW_LABEL : 0;
    return fmax(fmax(fmin(share, TALLEST_DOT), TALLEST_CELL), label / layout->w);
}

/* Returns the width of columns in which no label is upright. */
static double flat_width(const Layout *layout) {
    double widest = 0;
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->panels[i].tensor)
            widest = fmax(widest, layout->panels[i].col_labels.flat);
    }
    return widest + FLAT_GAP;
}

/* Upright labels take much of the height. If there is width for flat ones, cells are made
 * wide enough for them, and become taller. */
static void lay_labels_flat(Layout *layout) {
    Layout flat = *layout;
    flat.w = flat_width(layout);
    if (flat.w <= layout->w || flat.w > layout->widest)
        return;
    flat.h = fmin(tallest_cell(&flat), flat.w);
    if (flat.h < layout->h * TALLER || flat.w > flat.h * WIDEST_FLAT)
        return;
    layout->w = flat.w;
    layout->h = flat.h;
}

/* Sets the height of cells, and their width if they would be too wide for it. */
static void fit_height(Layout *layout) {
    for (int pass = 0; pass < 3; pass++) { /* labels of narrower columns become upright */
        layout->h = fmin(tallest_cell(layout), layout->w * tallness_of(layout));
        layout->w = fmin(layout->w, layout->h * aspect_of(layout));
    }
    if (layout->w > 24 && layout->h > 24) {
        layout->w = floor(layout->w);
        layout->h = floor(layout->h);
    }
    lay_labels_flat(layout);
    layout->h = fmin(layout->h, tallest_cell(layout));
}

/* ---- captions ---- */

static double cells_middle(const Panel *panel) {
    return panel->heatmap.cells.x + panel->heatmap.cells.w / 2;
}

/* Returns the width for a panel's caption about the middle of its cells: up to half way
 * to the neighbours' cells, or to the area's ends. */
static double caption_room(const Layout *layout, size_t i) {
    const Panel *panel = &layout->panels[i];
    double margin = 8;
    double beyond = 24.0 / fmax(layout->canvas->enlarged, 1);
    double left = layout->area.x - beyond; /* margins are not enlarged */
    double right = layout->area.x + layout->area.w + beyond;
    if (i > 0)
        left = panel->sign_x + margin;
    if (i + 1 < layout->count)
        right = layout->panels[i + 1].sign_x - margin;
    double middle = cells_middle(panel);
    return 2 * fmin(middle - left, right - middle);
}

/* Fits captions; names are on one line, shapes on another. */
static void fit_captions(Layout *layout) {
    const Canvas *canvas = layout->canvas;
    double above = 0, below = 0;
    bool noted = false, captions = false;
    for (size_t i = 0; i < layout->count; i++) {
        Panel *panel = &layout->panels[i];
        if (!panel->tensor)
            continue;
        noted |= panel->note != NULL;
        panel->caption = (Caption){.name = "", .shape = ""};
        if (panel->tab.name)
            continue;
        captions = true;
        panel->caption =
            caption_fit(layout->stage, panel->formula, panel->node, panel->tensor,
                        PANELS_NAME_UNITS, caption_room(layout, i));
        caption_show_scale(canvas, &panel->caption, panel->scale, panel->reach,
                           panel->told);
        above = fmax(above, panel->caption.above);
        below = fmax(below, panel->caption.below);
    }
    if (!captions) { /* frames alone */
        above = below = 0;
        for (size_t i = 0; i < layout->count; i++) {
            layout->panels[i].caption_below = ROLE_FRAME_MARGIN;
            layout->panels[i].caption_drop = 0;
        }
        layout->caption_height = ROLE_FRAME_MARGIN + (noted ? 32 : 8);
        return;
    }
    double axis = fmax(26, above + 9);
    double drop = caption_shape_drop(canvas, below);
    for (size_t i = 0; i < layout->count; i++) {
        layout->panels[i].caption_below = axis;
        layout->panels[i].caption_drop = drop;
    }
    layout->caption_height = axis + drop + (noted ? 32 : 8);
}

/* ---- placing ---- */

static Heatmap placed_heatmap(const Layout *layout, const Panel *panel, Box cells) {
    const Stage *stage = layout->stage;
    Heatmap heatmap = {.tensor = panel->tensor,
                       .node = panel->node,
                       .hidden = stage_masked_scores(stage, panel->node),
                       .cells = cells,
                       .colors = panel->colors,
                       .reach = panel->reach,
                       .exponent = heatmap_exponent(panel->colors, panel->reach),
                       .visible = (size_t)-1,
                       .row_labels = panel->heatmap.row_labels,
                       .col_labels = true,
                       .label_room = panel->heatmap.label_room,
                       .col_label_room = col_label_height(layout, panel),
                       .quoting = stage_asked(stage)};
    if (panel->is_output) {
        heatmap.visible = stage->visible;
        heatmap.lesson = stage->player->lesson;
        if (stage->step && stage->step->result == panel->node && !stage->values)
            heatmap.step = stage->step; /* printed numbers are values */
    }
    return heatmap;
}

/* Returns true if tables side by side begin with the same row, like those of several
 * generation steps: then they begin at one height, so that corresponding rows align. */
static bool begin_alike(const Layout *layout) {
    const Tensor *first = layout->panels[0].tensor;
    for (size_t i = 0; i < layout->count; i++) {
        const Tensor *tensor = layout->panels[i].tensor;
        if (layout->panels[i].sign || !tensor || !tensor->row_labels ||
            strcmp(tensor->row_labels[0], first->row_labels[0]) != 0)
            return false;
    }
    return true;
}

/* Places everything along the line, whose height is `middle`. */
static void place_all(Layout *layout, double middle) {
    double used = fixed_width(layout) + layout->w * all_cols(layout);
    double x = layout->area.x + fmax((layout->area.w - used) / 2, 0), tallest = 0;
    for (size_t i = 0; begin_alike(layout) && i < layout->count; i++)
        tallest = fmax(tallest, layout->h * (double)layout->panels[i].tensor->rows);
    for (size_t i = 0; i < layout->count; i++) {
        Panel *panel = &layout->panels[i];
        double sign = sign_width(layout, i);
        panel->sign_x = x + sign / 2;
        x += sign;
        if (!panel->tensor) {
            double width = panels_formula_width(layout->canvas, panel);
            panel->box = (Box){x, middle, width, 0};
            x += width;
            continue;
        }
        double width = layout->w * (double)panel->tensor->cols;
        double height = layout->h * (double)panel->tensor->rows;
        Box cells = {round(x + layout->before[i]),
                     round(middle - fmax(tallest, height) / 2), width, height};
        panel->heatmap = placed_heatmap(layout, panel, cells);
        panel->box =
            (Box){x, cells.y, layout->before[i] + width + layout->behind[i], height};
        x += panel->box.w;
    }
}

/* Returns the height of the line: the middle of the room between what is above and below,
 * a little higher, with room for formulas above arrows if there are any. */
static double line_of(Layout *layout) {
    double above = 0, below = 0, arrows = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const Panel *panel = &layout->panels[i];
        if (!panel->tensor)
            continue;
        double half = layout->h * (double)panel->tensor->rows / 2;
        above = fmax(above, half + above_height(layout, panel));
        if (panel->sign_above)
            arrows = fmax(arrows, panels_above(layout->canvas, panel).reach);
        below = fmax(below, half + below_height(layout, panel));
    }
    layout->crowded = arrows > layout->area.h - below + 1;
    above = fmax(above, fmin(arrows, layout->area.h - below));
    double spare = layout->area.h - above - below;
    return layout->area.y + above + fmax(spare, 0) * 0.45;
}

static bool try_spacing(Layout *layout, size_t i) {
    layout->spacing = spacings[i];
    choose_tabs(layout);
    return fit_width(layout);
}

/* Returns the narrowest columns in which all tables that aren't large have numbers; 0 if
 * there are too many rows for that. */
static double readable_width(const Layout *layout) {
    double widest = 0, lines = layout->area.h / heatmap_least_row(layout->canvas);
    for (size_t i = 0; i < layout->count; i++) {
        const Panel *panel = &layout->panels[i];
        if (!panel->tensor || tensor_cells(panel->tensor) > PANELS_NUMBERS_MOST)
            continue;
        if ((double)panel->tensor->rows > lines)
            return 0;
        Heatmap heatmap = placed_heatmap(layout, panel, (Box){0});
        widest = fmax(widest, heatmap_least_column(layout->canvas, &heatmap));
    }
    return widest;
}

/* Chooses the most generous spacing with comfortable cells and room for numbers; if none
 * has both, the first with comfortable cells. */
static void choose_spacing(Layout *layout) {
    size_t comfortable = SPACING_COUNT - 1;
    layout->squeezed = false;
    for (size_t i = 0; i < SPACING_COUNT; i++) {
        if (!try_spacing(layout, i))
            continue;
        if (layout->w >= layout->readable)
            return;
        comfortable = i < comfortable ? i : comfortable;
        layout->squeezed = true;
    }
    layout->squeezed = false;
    try_spacing(layout, comfortable);
}

/* Drops notes beside rows that are too close together, or without room for them. */
static bool drop_notes(Layout *layout) {
    double least = canvas_size(layout->canvas, PANELS_NOTE_UNITS, "") * 1.15;
    bool dropped = false;
    for (size_t i = 0; i < layout->count; i++) {
        Panel *panel = &layout->panels[i];
        if (panel->row_notes && (!layout->spacing.notes || layout->h < least)) {
            panel->row_notes = NULL;
            dropped = true;
        }
    }
    return dropped;
}

PanelsCells panels_layout_line(const Stage *stage, Box area, Panel *panels, size_t count,
                               PanelsCells most) {
    Layout layout = {.stage = stage,
                     .canvas = stage->canvas,
                     .panels = panels,
                     .count = count,
                     .area = area,
                     .most = most};
    layout.readable = fmin(readable_width(&layout), most.w);
    choose_spacing(&layout);
    for (int pass = 0; pass < 3; pass++) { /* captions' height depends on their width */
        fit_height(&layout);
        if (drop_notes(&layout)) {
            choose_spacing(&layout);
            fit_height(&layout);
        }
        widen_for_captions(&layout); /* cells may have become narrower */
        place_all(&layout, line_of(&layout));
        fit_captions(&layout);
    }
    return (PanelsCells){layout.w, layout.h, layout.crowded, layout.squeezed};
}
