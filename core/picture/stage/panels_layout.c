#include "lesson/play/player.h"
#include "picture/draw/part_name.h"
#include "picture/stage/panels.h"
#include "picture/stage/panels_measure.h"
#include "picture/stage/ruler.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Layout of panels in lines, each with a ruler of its own. A panel has four tracks: the
 * sign before it, its row labels, its columns, and the notes behind them. Width goes to
 * readable columns first, then to labels and gaps, then to notes. All columns of a
 * picture have one width and all rows one height. If numbers would be unreadable in one
 * line, panels are set in several, broken before an arrow so that products and sums stay
 * together. */

enum { SIGN, LABELS, CELLS, BEHIND, TRACKS };
enum { RANK_CELLS, RANK_GAPS, RANK_NOTES };
enum { NARROW_COLUMNS = 4, PASSES = 3, HALVINGS = 32 };

/* Smallest and desired gap beside a sign, in points. */
static const double LEAST_GAP = 6, GAP = 26;
/* Gap before a panel without a sign, as a multiple of the gap beside a sign. */
static const double LONE_GAPS = 1.5;
/* Smallest, desired and largest width of row labels in points. */
static const double LEAST_LABELS = 80, LABELS_ROOM = 150, MOST_LABELS = 220;
/* Fraction of the area's width that row labels may take before they are cut. */
static const double LABELS_SHARE = 0.25;
/* Width in points that a column gets before labels and gaps get theirs. */
static const double COMFORTABLE_CELL = 46;
/* Fraction of the area's width that all columns together get before labels and gaps. */
static const double COMFORTABLE_SHARE = 0.55;
static const double LARGEST_CELL = 116; /* height of a cell in points */
/* Height of a cell in points; TENSOR_MAX_CELLS rows of this height fit on a page. */
static const double SMALLEST_CELL = 1e-5;
static const double WIDEST = 1.2; /* largest width of a cell over LARGEST_CELL */
/* Cells of a lone table too small for numbers: width over height, as a fraction of the
 * table's rows over its columns, and at most. */
static const double NARROW_SHARE = 0.4, WIDEST_DOT = 6;
/* The same two for cells lower than SPECK points. */
static const double IMAGE_SHARE = 1, WIDEST_SPECK = 30, SPECK = 10;
/* Largest width of such cells in points if there are several tables. */
static const double SEVERAL = 20;
/* Cells of a lone flat table: height over width, as a fraction of the table's columns
 * over its rows, and at most. */
static const double FLAT_SHARE = 0.2, TALLEST_DOT = 10;
static const double ROW_LABEL = 1.4; /* height of a row over the size of its label */
/* Width of a cell over its height when a tensor is shown alone. */
static const double ALONE_SHARE = 1.6;
/* Horizontal column labels: the gap between two in points; how much taller the cells must
 * become to justify them; the largest width of a cell over its height with them. */
static const double FLAT_GAP = 5, TALLER = 1.1, WIDEST_FLAT = 3.5;
/* Gap before a row's note in points; least height of a row over the size of its note. */
static const double NOTE_GAP = 14, NOTE_PITCH = 1.15;
/* Fraction of the area's height that column labels may take. */
static const double HEADS_SHARE = 0.4;
static const double LINE_GAP = 8; /* points between two lines */
/* Fraction of a line's spare height that is placed above it. */
static const double ABOVE_SHARE = 0.45;
/* Size of a readable cell in units. */
static const double READABLE_W = 60, READABLE_H = 22;
/* Factors of a layout's quality: for cells without numbers, and for narrow gaps. */
static const double NUMBERLESS = 0.7, SQUEEZED = 0.85;
static const double WORTH_IT = 1.1; /* growth of cells that justifies another line */
static const double TINY = 0.14;    /* quality below which arrows lose their formulas */
/* Estimated width of a sign, and what a formula above it adds, as a number of cells. */
static const double BESIDE_CELLS = 2.5, BESIDE_LABEL = 2.5;

/* Contents that are left out one after the other if there is no room for them. */
typedef enum Contents { ALL, WITHOUT_NOTES, WITHOUT_TAB_SHAPES, WITHOUT_TABS } Contents;

typedef struct Layout {
    const Stage *stage;
    const Canvas *canvas;
    Box area;
    size_t count;
    /* Number of lines; line i has the panels [starts[i], starts[i + 1]). */
    size_t lines, starts[PANELS_LINES_MAX + 1];
    Contents contents;
    double readable; /* width of a column that has room for numbers; 0: there is none */
    double w, h;     /* size of a cell */
    bool wide;       /* columns have the width they want, or their rows limit it */
    /* Heights in points as last measured: of what is above and below a panel's cells, and
     * of the formula above its sign, from the middle of the line. */
    double above[PANELS_MAX], below[PANELS_MAX], sign_above[PANELS_MAX];
    double shapes[PANELS_MAX]; /* widths of the shapes below the tables */
    Panel panels[PANELS_MAX];
    Track tracks[PANELS_MAX][TRACKS];
} Layout;

/* ---- widths ---- */

static double formula_width(const Canvas *canvas, const char *source, double units) {
    return canvas_formula_extent(canvas, source, canvas_size(canvas, units, "")).width;
}

double panels_above_units(const Panel *panel) {
    bool words = strstr(panel->sign_above, "\\text") != NULL;
    return words ? PANELS_NAME_UNITS * 0.75 : PANELS_NAME_UNITS;
}

/* Returns the width of a formula that stands instead of a table, with its meaning below
 * it. */
static double alone_width(const Canvas *canvas, const Panel *panel) {
    double width = formula_width(canvas, panel->formula, PANELS_SIGN_UNITS);
    return panel->meaning
               ? fmax(width, formula_width(canvas, panel->meaning, PANELS_NAME_UNITS))
               : width;
}

static Track sign_track(const Canvas *canvas, const Panel *panel, bool first) {
    double width = 0, gaps = LONE_GAPS;
    if (panel->sign) {
        width = formula_width(canvas, panel->sign, PANELS_SIGN_UNITS);
        gaps = 2;
    } else if (first) {
        return track_of(0);
    }
    if (panel->sign && panel->sign_above)
        width = fmax(width,
                     formula_width(canvas, panel->sign_above, panels_above_units(panel)));
    return (Track){.least = width + gaps * LEAST_GAP,
                   .want = width + gaps * GAP,
                   .most = width + gaps * GAP,
                   .rank = RANK_GAPS};
}

/* Returns true if a panel repeats the row labels of one before it in its line. */
static bool repeats_labels(const Layout *layout, size_t first, size_t i) {
    const Tensor *tensor = layout->panels[i].tensor;
    for (size_t j = first; j < i; j++) {
        const Tensor *before = layout->panels[j].tensor;
        if (before && before->row_labels == tensor->row_labels &&
            before->rows == tensor->rows)
            return true;
    }
    return false;
}

static Track labels_track(const Layout *layout, const Panel *panel) {
    const Canvas *canvas = layout->canvas;
    double wanted = panel->row_labels;
    double uncut =
        fmin(wanted * canvas_least(canvas, "") / canvas_size(canvas, 17, "") * 1.1,
             layout->area.w * LABELS_SHARE);
    return (Track){.least = fmin(wanted, fmax(LEAST_LABELS, uncut)),
                   .want = fmin(wanted, fmax(LABELS_ROOM, uncut)),
                   .most = fmin(wanted, fmax(MOST_LABELS, uncut)),
                   .rank = RANK_GAPS};
}

/* Returns true if the rows have room for the notes beside them. */
static bool has_notes(const Layout *layout, const Panel *panel) {
    return panel->row_notes && layout->contents < WITHOUT_NOTES &&
           layout->h >= canvas_size(layout->canvas, PANELS_NOTE_UNITS, "") * NOTE_PITCH;
}

static double notes_width(const Layout *layout, const Panel *panel) {
    double widest = 0;
    for (size_t i = 0; has_notes(layout, panel) && i < panel->tensor->rows; i++)
        widest =
            fmax(widest, NOTE_GAP + formula_width(layout->canvas, panel->row_notes[i],
                                                  PANELS_NOTE_UNITS));
    return widest;
}

/* Widens a panel that is narrower than its tab or the shape below it, and adds its
 * notes. */
static void measure_sides(Layout *layout, size_t i) {
    const Panel *panel = &layout->panels[i];
    Track *labels = &layout->tracks[i][LABELS];
    double width = layout->w * (double)panel->tensor->cols, least, behind;
    if (panel->tab.name) {
        least = ROLE_FRAME_MARGIN;
        behind = fmax(least, role_tab_width(layout->canvas, &panel->tab) - width - least);
    } else {
        behind = least = fmax((layout->shapes[i] - width) / 2, 0);
    }
    double most = fmax(behind, least + notes_width(layout, panel));
    labels->least = fmax(labels->least, least);
    layout->tracks[i][BEHIND] =
        (Track){.least = behind, .want = most, .most = most, .rank = RANK_NOTES};
}

static double all_cols(const Layout *layout, size_t line) {
    size_t cols = 0;
    for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++)
        cols += layout->panels[i].tensor ? layout->panels[i].tensor->cols : 0;
    return cols ? (double)cols : 1;
}

/* Divides the width among a line's tracks; returns the width of its columns, which is at
 * most `most`. */
static double share_line(Layout *layout, size_t line, double most) {
    size_t first = layout->starts[line], end = layout->starts[line + 1];
    double comfort = fmin(COMFORTABLE_CELL,
                          COMFORTABLE_SHARE * layout->area.w / all_cols(layout, line));
    for (size_t i = first; i < end; i++) {
        Panel *panel = &layout->panels[i];
        Track *tracks = layout->tracks[i];
        tracks[SIGN] = sign_track(layout->canvas, panel, i == first);
        tracks[LABELS] = tracks[BEHIND] = track_of(0);
        if (!panel->tensor) {
            tracks[CELLS] = track_of(alone_width(layout->canvas, panel));
            continue;
        }
        panel->heatmap.row_labels = !repeats_labels(layout, first, i);
        if (panel->heatmap.row_labels)
            tracks[LABELS] = labels_track(layout, panel);
        tracks[CELLS] = (Track){.parts = (double)panel->tensor->cols,
                                .least = SMALLEST_CELL,
                                .want = fmin(fmax(layout->readable, comfort), most),
                                .most = most,
                                .rank = RANK_CELLS};
        measure_sides(layout, i);
    }
    ruler_share(layout->tracks[first], (end - first) * TRACKS, layout->area.x,
                layout->area.w);
    for (size_t i = first; i < end; i++)
        most = layout->panels[i].tensor ? layout->tracks[i][CELLS].part : most;
    return most;
}

static double share_lines(Layout *layout, double most) {
    for (size_t line = 0; line < layout->lines; line++)
        most = fmin(most, share_line(layout, line, most));
    return most;
}

/* Returns true if this track of every panel with a tensor has the length it wants. */
static bool has_wants(const Layout *layout, size_t part) {
    for (size_t i = 0; i < layout->count; i++) {
        const Track *track = &layout->tracks[i][part];
        if (layout->panels[i].tensor && track->part < track->want - 1e-6)
            return false;
    }
    return true;
}

/* ---- heights ---- */

static double col_label_height(const Layout *layout, const Panel *panel) {
    return heatmap_col_labels_height(layout->canvas, panel->col_labels, layout->w,
                                     layout->area.h * HEADS_SHARE);
}

/* Returns the height from the cells to the end of what is above them. */
static double above_height(const Layout *layout, const Panel *panel) {
    double labels = col_label_height(layout, panel);
    return panel->tab.name
               ? labels + ROLE_FRAME_MARGIN + role_tab_height(layout->canvas, &panel->tab)
               : labels;
}

/* Returns the height from the cells to the end of what is below them. */
static double below_height(const Panel *panel) {
    return panel->tab.name && !panel->note
               ? 2 * ROLE_FRAME_MARGIN
               : panel->caption_below + panel->caption_drop + (panel->note ? 32 : 8);
}

/* Measures the heights around the cells, which depend on the width of columns and on the
 * captions, but not on the cells' height. */
static void measure_heights(Layout *layout) {
    for (size_t i = 0; i < layout->count; i++) {
        const Panel *panel = &layout->panels[i];
        layout->sign_above[i] =
            panel->sign_above ? panels_above(layout->canvas, panel).reach : 0;
        layout->above[i] = panel->tensor ? above_height(layout, panel) : 0;
        layout->below[i] = panel->tensor ? below_height(panel) : 0;
    }
}

/* Computes the extent of a line above and below its axis with cells of height `h`. */
static void measure_line(const Layout *layout, size_t line, double h, double *above,
                         double *below) {
    *above = *below = 0;
    for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++) {
        const Tensor *tensor = layout->panels[i].tensor;
        double half = tensor ? h * (double)tensor->rows / 2 : 0;
        *above = fmax(*above, fmax(layout->sign_above[i], half + layout->above[i]));
        *below = fmax(*below, half + layout->below[i]);
    }
}

/* Returns the height that is left over when cells have the height `h`. */
static double height_left(const Layout *layout, double h) {
    double left = layout->area.h - LINE_GAP * (double)(layout->lines - 1), above, below;
    for (size_t line = 0; line < layout->lines; line++) {
        measure_line(layout, line, h, &above, &below);
        left -= above + below;
    }
    return left;
}

/* Returns the largest height of cells. */
static double tallest_cell(Layout *layout) {
    double least = SMALLEST_CELL, most = LARGEST_CELL;
    measure_heights(layout);
    if (height_left(layout, most) >= 0)
        return most;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (least + most) / 2;
        *(height_left(layout, middle) >= 0 ? &least : &most) = middle;
    }
    return least;
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
    double aspect = layout->stage->alone ? ALONE_SHARE : 1;
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->panels[i].tensor)
            aspect = fmax(aspect, heatmap_aspect(layout->canvas, layout->panels[i].tensor,
                                                 layout->h));
    }
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
        return 1;
    double share = FLAT_SHARE * (double)only->cols / (double)only->rows;
    double label = only->row_labels ? canvas_size(layout->canvas, 0, "") * ROW_LABEL : 0;
    return fmax(fmax(fmin(share, TALLEST_DOT), 1), label / layout->w);
}

/* Makes cells wide enough for horizontal column labels if there is width for them,
 * because upright labels take height from the cells. */
static void lay_labels_flat(Layout *layout) {
    Layout flat = *layout;
    double widest = 0;
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->panels[i].tensor)
            widest = fmax(widest, layout->panels[i].col_labels.flat);
    }
    flat.w = widest + FLAT_GAP;
    if (flat.w <= layout->w || share_lines(&flat, flat.w) < flat.w)
        return;
    flat.h = fmin(tallest_cell(&flat), flat.w);
    if (flat.h >= layout->h * TALLER && flat.w <= flat.h * WIDEST_FLAT)
        *layout = flat;
}

/* Sets the size of cells. */
static void fit_cells(Layout *layout) {
    double before = 0;
    layout->w = LARGEST_CELL * WIDEST;
    /* narrow columns turn labels upright */
    for (int pass = 0; pass < PASSES && layout->w != before; pass++) {
        before = layout->w;
        layout->h = tallest_cell(layout);
        layout->w = share_lines(
            layout, fmin(LARGEST_CELL * WIDEST, layout->h * aspect_of(layout)));
        layout->h = fmin(layout->h, layout->w * tallness_of(layout));
        layout->w = fmin(layout->w, layout->h * aspect_of(layout));
    }
    layout->wide = has_wants(layout, CELLS);
    layout->w = ruler_whole(layout->w);
    layout->h = ruler_whole(layout->h);
    lay_labels_flat(layout);
    layout->h = fmin(layout->h, tallest_cell(layout));
}

/* ---- captions ---- */

/* Returns the width for a panel's caption about the middle of its cells: up to half way
 * to the neighbours' cells, or to the area's ends. */
static double caption_room(const Layout *layout, size_t line, size_t i) {
    const Panel *panel = &layout->panels[i];
    double margin = 8;
    double beyond = 24.0 / fmax(layout->canvas->enlarged, 1);
    double left = layout->area.x - beyond; /* margins are not enlarged */
    double right = layout->area.x + layout->area.w + beyond;
    if (i > layout->starts[line])
        left = panel->sign_x + margin;
    if (i + 1 < layout->starts[line + 1])
        right = layout->panels[i + 1].sign_x - margin;
    double middle = box_middle(panel->heatmap.cells).x;
    return 2 * fmin(middle - left, right - middle);
}

/* Fits a line's captions; names are on one line, shapes on another. */
static void fit_captions(Layout *layout, size_t line) {
    double above = 0, below = 0;
    bool captions = false;
    for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++) {
        Panel *panel = &layout->panels[i];
        panel->caption = (Caption){.name = "", .shape = ""};
        if (!panel->tensor || panel->tab.name)
            continue;
        captions = true;
        panel->caption =
            caption_fit(layout->stage, panel->formula, panel->node, panel->tensor,
                        PANELS_NAME_UNITS, caption_room(layout, line, i));
        caption_show_scale(layout->canvas, &panel->caption, panel->scale, panel->reach,
                           panel->told);
        above = fmax(above, panel->caption.above);
        below = fmax(below, panel->caption.below);
    }
    for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++) {
        Panel *panel = &layout->panels[i];
        panel->caption_below = captions ? fmax(26, above + 9) : ROLE_FRAME_MARGIN;
        panel->caption_drop = captions ? caption_shape_drop(layout->canvas, below) : 0;
    }
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
    if (panel->is_output)
        stage_result(stage, &heatmap);
    return heatmap;
}

/* Returns true if tables side by side begin with the same row, like those of several
 * generation steps: then they begin at one height, so that corresponding rows align. */
static bool begin_alike(const Layout *layout, size_t line) {
    const Tensor *first = layout->panels[layout->starts[line]].tensor;
    for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++) {
        const Tensor *tensor = layout->panels[i].tensor;
        if (layout->panels[i].sign || !tensor || !tensor->row_labels ||
            strcmp(tensor->row_labels[0], first->row_labels[0]) != 0)
            return false;
    }
    return true;
}

/* Places a line around the height `axis`, moved by `dx` from the area's left end. */
static void place_line(Layout *layout, size_t line, double dx, double axis) {
    double tallest = 0;
    for (size_t i = layout->starts[line];
         begin_alike(layout, line) && i < layout->starts[line + 1]; i++)
        tallest = fmax(tallest, layout->h * (double)layout->panels[i].tensor->rows);
    for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++) {
        Panel *panel = &layout->panels[i];
        const Track *tracks = layout->tracks[i];
        double left = tracks[LABELS].at + dx;
        panel->sign_x = tracks[SIGN].at + tracks[SIGN].size / 2 + dx;
        panel->box =
            (Box){left, axis,
                  tracks[LABELS].size + tracks[CELLS].size + tracks[BEHIND].size, 0};
        if (!panel->tensor)
            continue;
        double height = layout->h * (double)panel->tensor->rows;
        Box cells = {round(tracks[CELLS].at + dx),
                     round(axis - fmax(tallest, height) / 2), tracks[CELLS].size, height};
        panel->heatmap.label_room = panel->heatmap.row_labels ? tracks[LABELS].size : 0;
        panel->heatmap = placed_heatmap(layout, panel, cells);
        panel->box.y = cells.y;
        panel->box.h = height;
    }
}

static double line_width(const Layout *layout, size_t line) {
    size_t first = layout->starts[line];
    return ruler_used(layout->tracks[first], (layout->starts[line + 1] - first) * TRACKS);
}

/* Returns the distance from a line's left end to its first cells. */
static double indent_of(const Layout *layout, size_t line) {
    return layout->tracks[layout->starts[line]][CELLS].at - layout->area.x;
}

/* Places all lines and divides the spare height among them. Lines are centred, with their
 * first cells below each other if the area is wide enough. */
static void place(Layout *layout) {
    double before = 0, behind = 0, above, below, y = layout->area.y;
    measure_heights(layout);
    double left = fmax(height_left(layout, layout->h), 0) / (double)layout->lines;
    share_lines(layout, layout->w);
    for (size_t line = 0; line < layout->lines; line++) {
        before = fmax(before, indent_of(layout, line));
        behind = fmax(behind, line_width(layout, line) - indent_of(layout, line));
    }
    double spare = layout->area.w - before - behind;
    for (size_t line = 0; line < layout->lines; line++) {
        double dx = spare >= 0 ? spare / 2 + before - indent_of(layout, line)
                               : (layout->area.w - line_width(layout, line)) / 2;
        measure_line(layout, line, layout->h, &above, &below);
        place_line(layout, line, fmax(dx, 0), y + above + left * ABOVE_SHARE);
        fit_captions(layout, line);
        y += above + below + left + LINE_GAP;
    }
}

static void set_tabs(Layout *layout) {
    for (size_t i = 0; i < layout->count; i++) {
        Panel *panel = &layout->panels[i];
        panel->tab = caption_tab(layout->stage, panel->formula,
                                 panel->tensor ? panel->node : TAPE_NONE);
        if (layout->contents >= WITHOUT_TAB_SHAPES)
            panel->tab.shape = NULL;
        panel->tab.shape = caption_scaled_shape(layout->canvas, panel->tab.shape,
                                                panel->scale, panel->reach, panel->told);
        if (layout->contents >= WITHOUT_TABS)
            panel->tab.name = NULL;
    }
}

/* Places all panels, leaving out contents that have no room. If numbers are unreadable
 * even then, columns aren't widened for numbers. */
static void lay_out(Layout *layout) {
    for (layout->contents = ALL;; layout->contents++) {
        set_tabs(layout);
        double w = -1, h = -1;
        /* captions depend on widths */
        for (int pass = 0; pass < PASSES && (layout->w != w || layout->h != h); pass++) {
            w = layout->w;
            h = layout->h;
            fit_cells(layout);
            place(layout);
        }
        measure_heights(layout);
        if (height_left(layout, layout->h) < 0) { /* the last captions are higher */
            layout->h = tallest_cell(layout);
            place(layout);
        }
        if (layout->wide && has_wants(layout, BEHIND))
            return;
        if (layout->contents == WITHOUT_TABS)
            break;
    }
    if (!layout->wide && layout->readable > 0 && layout->w < layout->readable) {
        layout->readable = 0;
        lay_out(layout);
    }
}

/* ---- lines ---- */

/* Returns true if a line may be broken before the panel: before an arrow or where there
 * is no sign. `anywhere`: before any sign, as in a sum on paper, if rows stand by
 * themselves or one line has no room for numbers. */
static bool breaks_before(const Panel *panel, bool anywhere) {
    return anywhere || !panel->sign || strcmp(panel->sign, "\\to") == 0 ||
           strcmp(panel->sign, ",") == 0 || strcmp(panel->sign, "\\ldots") == 0;
}

/* Returns the approximate width of a panel in cells. */
static double estimate(const Panel *panel) {
    double beside = panel->sign ? BESIDE_CELLS : 1;
    if (panel->sign_above)
        beside += BESIDE_LABEL;
    return beside + (panel->tensor ? (double)panel->tensor->cols : 1);
}

/* Fills lines up to a width, from the last panel to the first; returns the smallest width
 * at which a line would hold more panels, or INFINITY if all are in one line. */
static double fill_lines(Layout *layout, bool anywhere, double most) {
    double width = 0, next = INFINITY;
    size_t lines = 0, starts[PANELS_MAX + 1]; /* in reverse */
    for (size_t begin, end = layout->count; end > 0; end = begin) {
        double group = estimate(&layout->panels[end - 1]);
        for (begin = end - 1;
             begin > 0 && !breaks_before(&layout->panels[begin], anywhere); begin--)
            group += estimate(&layout->panels[begin - 1]);
        width += group;
        if (lines == 0 || width > most) {
            next = lines ? fmin(next, width) : next;
            width = group;
            lines++;
        }
        starts[lines - 1] = begin;
    }
    layout->lines = lines;
    for (size_t i = 0; i <= lines && lines <= PANELS_LINES_MAX; i++)
        layout->starts[i] = i < lines ? starts[lines - 1 - i] : layout->count;
    return next;
}

/* Breaks panels into `wanted` lines, as narrow as possible; returns false if they can't
 * be broken into that many. */
static bool break_lines(Layout *layout, bool anywhere, size_t wanted) {
    double most = 0, next;
    for (;;) {
        next = fill_lines(layout, anywhere, most);
        if (layout->lines <= wanted)
            return layout->lines == wanted;
        most = next;
    }
}

/* Returns true if a table that isn't large has no room for its numbers. */
static bool lacks_numbers(const Layout *layout) {
    for (size_t i = 0; i < layout->count; i++) {
        const Panel *panel = &layout->panels[i];
        if (panel->tensor && tensor_cells(panel->tensor) <= PANELS_NUMBERS_MOST &&
            heatmap_number_size(layout->canvas, &panel->heatmap) == 0)
            return true;
    }
    return false;
}

/* Returns the quality of a layout, from 0, if a line ends outside the area, to 1, if
 * numbers are fully readable, so that larger cells would gain nothing. */
static double quality_of(const Layout *layout) {
    for (size_t line = 0; line < layout->lines; line++) {
        if (line_width(layout, line) > layout->area.w + 1)
            return 0;
    }
    double size = fmin(fmin(layout->w / READABLE_W, layout->h / READABLE_H), 1);
    return size * (lacks_numbers(layout)     ? NUMBERLESS
                   : has_wants(layout, SIGN) ? 1
                                             : SQUEEZED);
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

static bool all_flat(const Layout *layout) {
    for (size_t i = 0; i < layout->count; i++) {
        if (!layout->panels[i].tensor || layout->panels[i].tensor->rows > 1)
            return false;
    }
    return true;
}

/* Lays panels out in as many lines as numbers need; returns the quality. */
static double choose_lines(Layout *layout) {
    const Layout given = *layout;
    bool anywhere = all_flat(layout);
    fill_lines(layout, true, INFINITY);
    lay_out(layout);
    double best = quality_of(layout);
    for (int pass = 0; pass < 2; pass++, anywhere = true) {
        bool lacks = lacks_numbers(layout);
        for (size_t wanted = 2; wanted <= PANELS_LINES_MAX && best < 1; wanted++) {
            Layout trial = given;
            if ((pass > 0 && !lacks) || !break_lines(&trial, anywhere, wanted))
                continue;
            lay_out(&trial);
            double quality = quality_of(&trial);
            if (quality > best * WORTH_IT && (pass == 0 || !lacks_numbers(&trial))) {
                best = quality;
                *layout = trial;
            }
        }
    }
    return best;
}

/* Measures the shapes that stand below tables, with their scales. */
static void measure_shapes(Layout *layout) {
    for (size_t i = 0; i < layout->count; i++) {
        const Panel *panel = &layout->panels[i];
        if (!panel->tensor)
            continue;
        Caption shape = caption_fit(layout->stage, NULL, TAPE_NONE, panel->tensor,
                                    PANELS_NAME_UNITS, 0);
        caption_show_scale(layout->canvas, &shape, panel->scale, panel->reach,
                           panel->told);
        layout->shapes[i] = shape.width;
    }
}

/* Breaks panels into lines. Leaves out the formulas above arrows if that makes room for
 * cells or for all numbers of a table. */
static Layout choose_layout(Layout *given) {
    measure_shapes(given);
    Layout layout = *given, bare = *given;
    bool tiny = choose_lines(&layout) < TINY, labelled = false;
    for (size_t i = 0; i < given->count; i++) {
        labelled |= bare.panels[i].sign_above != NULL;
        bare.panels[i].sign_above = NULL;
    }
    if (!labelled || !(tiny || lacks_numbers(&layout)))
        return layout;
    double quality = choose_lines(&bare);
    return tiny || (quality > 0 && !lacks_numbers(&bare)) ? bare : layout;
}

/* ---- names ---- */

static bool is_named_alike(const Panel *a, const Panel *b) {
    bool noted = a->note && b->note && strcmp(a->note, b->note) != 0;
    return a->tensor && b->tensor && a->node != b->node && !noted && a->caption.name[0] &&
           strcmp(a->caption.name, b->caption.name) == 0;
}

/* Returns the generation step that a panel's tensor belongs to; NULL: none. */
static const char *turn_of(const Stage *stage, const Panel *panel) {
    return panel->tensor && panel->node != TAPE_NONE
               ? part_step(stage->canvas, stage->player->lesson,
                           stage_node(stage, panel->node)->name)
               : NULL;
}

/* Appends the generation step to equal captions of several steps. */
static void tell_turns(const Stage *stage, Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *turn = turn_of(stage, &panels[i]), *name = panels[i].caption.name;
        bool others = false;
        for (size_t j = i + 1; turn && j < count; j++) {
            const char *other = turn_of(stage, &panels[j]);
            if (!other || strcmp(turn, other) == 0 ||
                !is_named_alike(&panels[i], &panels[j]))
                continue;
            others = true;
            panels[j].caption.name =
                canvas_format(stage->canvas, "%s\\text{ · %s}", name, other);
        }
        if (others)
            panels[i].caption.name =
                canvas_format(stage->canvas, "%s\\text{ · %s}", name, turn);
    }
}

/* Adds a number to a caption that another table has too. */
static void distinguish(const Stage *stage, Panel *panels, size_t count) {
    const Canvas *canvas = stage->canvas;
    tell_turns(stage, panels, count);
    for (size_t i = 0; i < count; i++) {
        const char *name = panels[i].caption.name;
        size_t number = 1;
        for (size_t j = i + 1; j < count; j++) {
            if (is_named_alike(&panels[i], &panels[j]))
                panels[j].caption.name =
                    canvas_format(canvas, "%s\\text{ %zu}", name, ++number);
        }
        if (number > 1)
            panels[i].caption.name = canvas_format(canvas, "%s\\text{ 1}", name);
    }
}

/* ---- the whole ---- */

/* Removes scales from captions, which makes room for legends. */
static void untell(const Canvas *canvas, Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Panel *panel = &panels[i];
        if (!panel->tensor || !panel->told || panel->tab.name)
            continue;
        panel->told = false;
        panel->caption.shape = caption_scaled_shape(
            canvas,
            canvas_format(canvas, "%zu × %zu", panel->tensor->rows, panel->tensor->cols),
            panel->scale, panel->reach, false);
    }
}

/* Leaves single numbers uncoloured: they are read, not compared by colour. */
static void leave_uncoloured(Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && tensor_cells(panels[i].tensor) > 1)
            return;
    }
    for (size_t i = 0; i < count; i++)
        panels[i].colors = HEATMAP_PLAIN;
}

/* Measures labels, which all layouts share. */
static void measure_labels(const Canvas *canvas, Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!panels[i].tensor)
            continue;
        panels[i].row_labels = heatmap_row_label_width(canvas, panels[i].tensor);
        panels[i].col_labels = heatmap_col_labels(canvas, panels[i].tensor);
    }
}

void panels_layout(const Stage *stage, Panel *panels, size_t count) {
    Layout given = {
        .stage = stage, .canvas = stage->canvas, .area = stage->area, .count = count};
    if (!stage->alone || !tensor_is_mask(panels[0].tensor)) /* without a legend */
        box_take_bottom(&given.area, STAGE_LEGEND_HEIGHT);
    leave_uncoloured(panels, count);
    measure_labels(stage->canvas, panels, count);
    panels_share_reach(panels, count);
    panels_find_scales(panels, count);
    memcpy(given.panels, panels, count * sizeof *panels);
    given.readable = readable_width(&given);
    Layout layout = choose_layout(&given);
    if (panels_scales_differ(panels, count) &&
        !panels_legends_fit(stage, layout.panels, count)) {
        for (size_t i = 0; i < count; i++)
            given.panels[i].told = panels[i].colors == HEATMAP_SIGNED;
        layout = choose_layout(&given);
        if (panels_legends_fit(stage, layout.panels, count))
            untell(stage->canvas, layout.panels, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (!has_notes(&layout, &layout.panels[i]))
            layout.panels[i].row_notes = NULL;
    }
    memcpy(panels, layout.panels, count * sizeof *panels);
    distinguish(stage, panels, count);
}
