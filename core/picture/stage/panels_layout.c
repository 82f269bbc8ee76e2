#include "base/hash.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/draw/part_name.h"
#include "picture/scene/label.h"
#include "picture/stage/panels_parts.h"
#include "picture/stage/ruler.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Layout of panels in lines, each with a ruler of its own. A panel has four tracks: the
 * sign before it, its row labels, its columns, and the notes behind them. Width goes to
 * readable columns first, then to labels and gaps, then to notes. All columns of a
 * picture have one width and all rows one height. If numbers would be unreadable in one
 * line, panels are set in several, broken before an arrow so that products and sums stay
 * together. Panels are measured once; lines are tried by their rulers and these
 * measurements alone, and only the best ones are placed. Equal measurements give equal
 * lines, so that the search isn't repeated for them (picture/stage/layouts.h). */

enum { SIGN, LABELS, CELLS, BEHIND, TRACKS };
enum { RANK_CELLS, RANK_GAPS, RANK_NOTES };
enum { NARROW_ROWS = 4, PASSES = 3, HALVINGS = 32 };

/* Smallest and desired gap beside a sign, in points. */
static const double LEAST_GAP = 6, GAP = 26;
/* Gap before a panel without a sign, as a multiple of the gap beside a sign. */
static const double LONE_GAPS = 1.5;
/* Smallest and largest width of row labels in points. */
static const double LEAST_LABELS = 80, MOST_LABELS = 220;
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
/* Largest width of cells too low for numbers in points if there are several tables. */
static const double SEVERAL = 20, SPECK = 10;
/* Cells of a lone flat table: height over width, as a fraction of the table's columns
 * over its rows, and at most. */
static const double FLAT_SHARE = 0.2, TALLEST_DOT = 10;
static const double ROW_LABEL = 1.4; /* height of a row over the size of its label */
/* Width of a cell over its height when a tensor is shown alone. */
static const double ALONE_SHARE = 1.6;
/* Horizontal column labels: the gap between two in points, and the largest width of a
 * cell over its height with them. */
static const double FLAT_GAP = 5, WIDEST_FLAT = 3.5;
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

/* Contents that are left out one after the other if there is no room for them. */
typedef enum Contents { ALL, WITHOUT_NOTES, WITHOUT_TAB_SHAPES, WITHOUT_TABS } Contents;

/* All that the search for lines uses of a panel: its cells, and lengths around them in
 * points. Its bytes are a part of the search's key, so it has no pointers, and is zeroed
 * before it is set. */
typedef struct Measured {
    size_t rows, cols;       /* of the table; 0: a formula stands alone */
    size_t labels;           /* number of the first panel with the same row labels */
    double row_labels;       /* width; 0: it has none */
    double sign, sign_above; /* widths */
    double reach;            /* height of the formula above the sign over the axis */
    double alone;            /* width of the formula that stands instead of a table */
    double notes, shape;     /* widths */
    double tab, bare_tab;    /* widths, with and without the shape */
    double tab_height;
    double above, below; /* extent of the caption's name above and below its axis */
    HeatmapColLabels col_labels;
    HeatmapWidest numbers;
    bool has_row_labels, has_sign, has_sign_above, has_note, has_notes, has_tab;
    bool breaks; /* before it a line may be broken even if that isn't allowed anywhere */
} Measured;

typedef struct Layout {
    const Stage *stage;
    const Canvas *canvas;
    Box area;
    size_t count;
    Panel *panels;
    Measured *measured;
    /* Number of lines; line i has the panels [starts[i], starts[i + 1]). */
    size_t lines, starts[PANELS_LINES_MAX + 1];
    Contents contents;
    bool bare;       /* arrows have no formulas above them */
    bool legends;    /* each table has its legend below it, if there is width left */
    bool placing;    /* the size of cells is fixed */
    double readable; /* width of a column that has room for numbers; 0: none are needed */
    double w, h;     /* size of a cell */
    Track tracks[PANELS_MAX][TRACKS];
} Layout;

/* ---- measuring ---- */

static double width_of(const Canvas *canvas, const char *formula, double units) {
    return formula
               ? canvas_formula_extent(canvas, formula, canvas_size(canvas, units, ""))
                     .width
               : 0;
}

/* Sets where the formula above the sign is; words are set smaller than formulas. */
static void measure_sign_above(const Canvas *canvas, Panel *panel, Measured *measured) {
    bool words = strstr(panel->sign_above, "\\text") != NULL;
    panel->above_units = PANELS_NAME_UNITS * (words ? 0.75 : 1);
    double size = canvas_size(canvas, panel->above_units, "");
    FormulaExtent extent = canvas_formula_extent(canvas, panel->sign_above, size);
    double middle = canvas->metrics->math.axis_height * size;
    panel->above_axis = fmax(30, extent.descent + middle + 18);
    measured->has_sign_above = true;
    measured->sign_above = extent.width;
    measured->reach = panel->above_axis + extent.ascent - middle;
}

/* Returns a tab's shape, which may be NULL, with the table's scale. */
static const char *scaled(const Stage *stage, const Panel *panel, const char *shape) {
    return caption_scaled_shape(stage->canvas, shape, panel->scale, panel->reach,
                                panel->told);
}

static void measure_tab(const Stage *stage, Panel *panel, Measured *measured) {
    const Canvas *canvas = stage->canvas;
    panel->tab = caption_tab(stage, panel->formula, panel->node);
    measured->has_tab = panel->tab.name != NULL;
    if (!measured->has_tab)
        return;
    RoleTab bare = panel->tab;
    bare.shape = scaled(stage, panel, NULL);
    panel->tab.shape = scaled(stage, panel, panel->tab.shape);
    measured->tab = role_tab_width(canvas, &panel->tab);
    measured->bare_tab = role_tab_width(canvas, &bare);
    measured->tab_height = role_tab_height(canvas, &panel->tab);
}

/* Returns true if no row is high enough for numbers, whatever the other panels are. */
static bool is_too_tall(const Stage *stage, const Tensor *tensor) {
    double row = heatmap_least_row(stage->canvas) - 1; /* it was rounded up */
    return row * (double)tensor->rows > stage->area.h;
}

/* Measures a table, and its caption if that had all the room. */
static void measure_table(const Stage *stage, Panel *panel, Measured *measured) {
    const Tensor *tensor = panel->tensor;
    measured->rows = tensor->rows;
    measured->cols = tensor->cols;
    measured->row_labels = panel->row_labels;
    measured->has_row_labels = tensor->row_labels != NULL;
    measured->col_labels = panel->col_labels;
    if (!is_too_tall(stage, tensor))
        measured->numbers = heatmap_widest(tensor);
    measured->has_note = panel->note != NULL;
    measured->has_notes = panel->row_notes != NULL;
    for (size_t i = 0; panel->row_notes && i < tensor->rows; i++)
        measured->notes =
            fmax(measured->notes, NOTE_GAP + width_of(stage->canvas, panel->row_notes[i],
                                                      PANELS_NOTE_UNITS));
    measure_tab(stage, panel, measured);
    measured->shape = panel_caption(stage, panel, 0).width;
    panel->caption = panel_caption(stage, panel, INFINITY);
    measured->above = panel->caption.above;
    measured->below = panel->caption.below;
}

/* Returns true if a line may be broken before the panel: before an arrow or where there
 * is no sign. */
static bool breaks_before(const Panel *panel) {
    return !panel->sign || strcmp(panel->sign, "\\to") == 0 ||
           strcmp(panel->sign, ",") == 0 || strcmp(panel->sign, "\\ldots") == 0;
}

/* Number of the first panel with the row labels of another. */
static size_t first_alike(const Panel *panels, size_t index) {
    const Tensor *tensor = panels[index].tensor;
    for (size_t i = 0; i < index; i++) {
        const Tensor *before = panels[i].tensor;
        if (before && before->row_labels == tensor->row_labels &&
            before->rows == tensor->rows)
            return i;
    }
    return index;
}

static void measure(Layout *layout, size_t index) {
    const Canvas *canvas = layout->canvas;
    Panel *panel = &layout->panels[index];
    Measured *measured = &layout->measured[index];
    measured->has_sign = panel->sign != NULL;
    measured->breaks = breaks_before(panel);
    measured->sign = width_of(canvas, panel->sign, PANELS_SIGN_UNITS);
    if (panel->sign_above)
        measure_sign_above(canvas, panel, measured);
    if (panel->tensor) {
        measured->labels = first_alike(layout->panels, index);
        measure_table(layout->stage, panel, measured);
    } else {
        measured->alone = fmax(width_of(canvas, panel->formula, PANELS_SIGN_UNITS),
                               width_of(canvas, panel->meaning, PANELS_NAME_UNITS));
    }
}

/* ---- widths ---- */

static bool has_tab(const Layout *layout, size_t i) {
    return layout->measured[i].has_tab && layout->contents < WITHOUT_TABS;
}

/* Returns true if the rows have room for the notes beside them. */
static bool has_notes(const Layout *layout, size_t i) {
    return layout->measured[i].has_notes && layout->contents < WITHOUT_NOTES &&
           layout->h >= canvas_size(layout->canvas, PANELS_NOTE_UNITS, "") * NOTE_PITCH;
}

static Track sign_track(const Layout *layout, size_t i, bool first) {
    const Measured *measured = &layout->measured[i];
    if (first && !measured->has_sign)
        return track_of(0);
    double width = fmax(measured->sign, layout->bare ? 0 : measured->sign_above);
    double gaps = measured->has_sign ? 2 : LONE_GAPS;
    return (Track){.least = width + gaps * LEAST_GAP,
                   .want = width + gaps * GAP,
                   .most = width + gaps * GAP,
                   .rank = RANK_GAPS};
}

/* Returns true if a panel repeats the row labels of one before it in its line. */
static bool repeats_labels(const Layout *layout, size_t first, size_t i) {
    const Measured *measured = layout->measured;
    for (size_t j = first; j < i; j++) {
        if (measured[j].rows && measured[j].labels == measured[i].labels)
            return true;
    }
    return false;
}

/* Returns the track of row labels, which is no shorter than `least`. */
static Track labels_track(const Layout *layout, double wanted, double least) {
    const Canvas *canvas = layout->canvas;
    double uncut =
        fmin(wanted * canvas_least(canvas, "") / canvas_size(canvas, 17, "") * 1.1,
             layout->area.w * LABELS_SHARE);
    double most = fmin(wanted, fmax(MOST_LABELS, uncut));
    return (Track){.least = fmax(fmin(wanted, fmax(LEAST_LABELS, uncut)), least),
                   .want = most,
                   .most = most,
                   .rank = RANK_GAPS};
}

/* Sets a panel's tracks. A panel that is narrower than its tab or the shape below it is
 * widened. */
static void set_tracks(Layout *layout, size_t first, size_t i, Track columns) {
    const Measured *measured = &layout->measured[i];
    Track *tracks = layout->tracks[i];
    tracks[SIGN] = sign_track(layout, i, i == first);
    tracks[LABELS] = tracks[BEHIND] = track_of(0);
    tracks[CELLS] = track_of(measured->alone);
    if (!measured->rows)
        return;
    tracks[CELLS] = columns;
    tracks[CELLS].parts = (double)measured->cols;
    double width = layout->w * tracks[CELLS].parts;
    double least = fmax((measured->shape - width) / 2, 0), behind = least;
    if (has_tab(layout, i)) {
        double tab =
            layout->contents < WITHOUT_TAB_SHAPES ? measured->tab : measured->bare_tab;
        least = ROLE_FRAME_MARGIN;
        behind = fmax(least, tab - width - least);
    }
    double most = has_notes(layout, i) ? fmax(behind, least + measured->notes) : behind;
    double before =
        fmax(least, heatmap_col_labels_before(measured->col_labels, floor(layout->w)));
    tracks[LABELS] = labels_track(
        layout, repeats_labels(layout, first, i) ? 0 : measured->row_labels, before);
    tracks[BEHIND] =
        (Track){.least = behind, .want = most, .most = most, .rank = RANK_NOTES};
    if (layout->legends && layout->placing && panel_has_legend(&layout->panels[i])) {
        double beside = (PANELS_LEAST_LEGEND + PANELS_LEGEND_GAP - width) / 2;
        tracks[LABELS].most = fmax(tracks[LABELS].most, beside);
        tracks[BEHIND].most = fmax(tracks[BEHIND].most, beside);
    }
}

/* Divides the width among a line's tracks; returns the width of its columns, which is at
 * most `most`. */
static double share_line(Layout *layout, size_t line, double most) {
    size_t first = layout->starts[line], end = layout->starts[line + 1];
    double cols = 0;
    for (size_t i = first; i < end; i++)
        cols += (double)layout->measured[i].cols;
    double comfort =
        fmin(COMFORTABLE_CELL, COMFORTABLE_SHARE * layout->area.w / fmax(cols, 1));
    if (layout->h >= heatmap_least_row(layout->canvas))
        comfort = fmax(comfort, layout->readable);
    Track columns = {.least = SMALLEST_CELL,
                     .want = fmin(comfort, most),
                     .most = most,
                     .rank = RANK_CELLS};
    for (size_t i = first; i < end; i++)
        set_tracks(layout, first, i, columns);
    ruler_share(layout->tracks[first], (end - first) * TRACKS, layout->area.x,
                layout->area.w);
    for (size_t i = first; i < end; i++)
        most = layout->measured[i].rows ? layout->tracks[i][CELLS].part : most;
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
        if (layout->measured[i].rows && track->part < track->want - 1e-6)
            return false;
    }
    return true;
}

/* ---- heights ---- */

static double col_label_height(const Layout *layout, size_t i) {
    return heatmap_col_labels_height(layout->canvas, layout->measured[i].col_labels,
                                     layout->w, layout->area.h * HEADS_SHARE);
}

/* Distances of the captions of a line from its cells: names stand on one height, shapes
 * on another. */
typedef struct CaptionPlace {
    double below, drop; /* as in Panel */
} CaptionPlace;

static CaptionPlace caption_place(const Layout *layout, size_t line) {
    double above = 0, below = 0;
    bool captions = false;
    for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++) {
        const Measured *measured = &layout->measured[i];
        if (!measured->rows || has_tab(layout, i))
            continue;
        captions = true;
        above = fmax(above, measured->above);
        below = fmax(below, measured->below);
    }
    if (!captions)
        return (CaptionPlace){ROLE_FRAME_MARGIN, 0};
    return (CaptionPlace){fmax(26, above + 9), caption_shape_drop(layout->canvas, below)};
}

/* A table's rows, and the lengths above and below its cells. */
typedef struct Edges {
    double rows;
    double heads, tab; /* above the cells: column labels, and a tab over these */
    double below;
} Edges;

/* Heights of the lines: each has the edges of its tables, which are alike in most. */
typedef struct Heights {
    double reach[PANELS_LINES_MAX]; /* of the highest formula above a sign */
    size_t counts[PANELS_LINES_MAX];
    Edges edges[PANELS_LINES_MAX][PANELS_MAX];
} Heights;

static Edges edges_of(const Layout *layout, size_t i, CaptionPlace caption) {
    const Measured *measured = &layout->measured[i];
    bool tab = has_tab(layout, i), note = measured->has_note;
    return (Edges){.rows = (double)measured->rows,
                   .heads = col_label_height(layout, i),
                   .tab = tab ? ROLE_FRAME_MARGIN + measured->tab_height : 0,
                   .below = tab && !note
                                ? 2 * ROLE_FRAME_MARGIN
                                : caption.below + caption.drop + (note ? 32 : 8)};
}

/* Adds the edges of a table to those of its line, unless another has them. */
static void add_edges(Heights *heights, size_t line, Edges edges) {
    size_t count = heights->counts[line];
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&heights->edges[line][i], &edges, sizeof edges) == 0)
            return;
    }
    heights->edges[line][heights->counts[line]++] = edges;
}

/* Measures the lines with columns of the layout's width. */
static void measure_heights(const Layout *layout, Heights *heights) {
    for (size_t line = 0; line < layout->lines; line++) {
        CaptionPlace caption = caption_place(layout, line);
        heights->reach[line] = 0;
        heights->counts[line] = 0;
        for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++) {
            const Measured *measured = &layout->measured[i];
            if (!layout->bare)
                heights->reach[line] = fmax(heights->reach[line], measured->reach);
            if (measured->rows)
                add_edges(heights, line, edges_of(layout, i, caption));
        }
    }
}

/* Computes the extent of a line above and below its axis with cells of height `h`. */
static void measure_line(const Heights *heights, size_t line, double h, double *above,
                         double *below) {
    *above = heights->reach[line];
    *below = 0;
    for (size_t i = 0; i < heights->counts[line]; i++) {
        const Edges *edges = &heights->edges[line][i];
        double half = h * edges->rows / 2;
        *above = fmax(*above, half + edges->heads + edges->tab);
        *below = fmax(*below, half + edges->below);
    }
}

/* Returns the height that is left over when cells have the height `h`. */
static double height_beside(const Layout *layout, const Heights *heights, double h) {
    double left = layout->area.h - LINE_GAP * (double)(layout->lines - 1), above, below;
    for (size_t line = 0; line < layout->lines; line++) {
        measure_line(heights, line, h, &above, &below);
        left -= above + below;
    }
    return left;
}

static double height_left(const Layout *layout, double h) {
    Heights heights;
    measure_heights(layout, &heights);
    return height_beside(layout, &heights, h);
}

/* Returns the largest height of cells. */
static double tallest_cell(const Layout *layout) {
    double least = SMALLEST_CELL, most = LARGEST_CELL;
    Heights heights;
    measure_heights(layout, &heights);
    if (height_beside(layout, &heights, most) >= 0)
        return most;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (least + most) / 2;
        *(height_beside(layout, &heights, middle) >= 0 ? &least : &most) = middle;
    }
    return least;
}

/* ---- cells ---- */

/* Returns width over height of cells: square unless a panel's numbers need wider ones, or
 * a tall table of dots would be a mere line. */
static double aspect_of(const Layout *layout) {
    double aspect = layout->stage->alone ? ALONE_SHARE : 1;
    const Measured *tallest = NULL;
    for (size_t i = 0; i < layout->count; i++) {
        Measured *measured = &layout->measured[i];
        if (!measured->rows)
            continue;
        aspect = fmax(
            aspect, heatmap_widest_aspect(layout->canvas, &measured->numbers, layout->h));
        if (!tallest || measured->rows > tallest->rows)
            tallest = measured;
    }
    if (tallest && (layout->count == 1 || layout->h < SPECK))
        aspect =
            fmax(aspect, fmin(panel_dot_aspect(tallest->rows, tallest->cols, layout->h),
                              layout->count > 1 ? SEVERAL / layout->h : INFINITY));
    return aspect;
}

/* Returns height over width of cells: more than square only for a single flat table, so
 * that its rows have room for their labels. */
static double tallness_of(const Layout *layout) {
    const Measured *only = &layout->measured[0];
    if (layout->count > 1 || only->rows < NARROW_ROWS)
        return 1;
    double share = FLAT_SHARE * (double)only->cols / (double)only->rows;
    double label =
        only->has_row_labels ? canvas_size(layout->canvas, 0, "") * ROW_LABEL : 0;
    return fmax(fmax(fmin(share, TALLEST_DOT), 1), label / layout->w);
}

/* Sets the size of cells; returns true if cells and notes have the width they want. Cells
 * are wide enough for horizontal column labels if there is width for that, because
 * upright labels take height from the cells. */
static bool fit_cells(Layout *layout) {
    double before = 0, flat = 0;
    for (size_t i = 0; i < layout->count; i++)
        flat = fmax(flat, layout->measured[i].col_labels.flat + FLAT_GAP);
    layout->w = LARGEST_CELL * WIDEST;
    for (int pass = 0; pass < PASSES && layout->w != before; pass++) {
        before = layout->w;
        layout->h = tallest_cell(layout);
        double most = fmin(LARGEST_CELL * WIDEST, layout->h * aspect_of(layout));
        bool may_be_flat = flat <= layout->h * WIDEST_FLAT;
        layout->w = share_lines(layout, may_be_flat ? fmax(most, flat) : most);
        layout->w = layout->w < flat ? fmin(layout->w, most) : layout->w;
        layout->h = fmin(layout->h, layout->w * tallness_of(layout));
    }
    bool wide = has_wants(layout, CELLS) && has_wants(layout, BEHIND);
    layout->w = ruler_whole(layout->w);
    layout->h = ruler_whole(fmin(layout->h, tallest_cell(layout)));
    return wide;
}

/* Sets the contents to the next fewer that differ from the present ones; returns false,
 * with the fewest, if none differ. */
static bool leave_out(Layout *layout) {
    bool notes = false, tabs = false;
    for (size_t i = 0; i < layout->count; i++) {
        notes |= layout->measured[i].has_notes;
        tabs |= layout->measured[i].has_tab;
    }
    while (layout->contents < WITHOUT_TABS) {
        layout->contents++;
        if (layout->contents == WITHOUT_NOTES ? notes : tabs)
            return true;
    }
    return false;
}

/* Sets the size of cells, leaving out contents that have no room. If numbers are
 * unreadable even then, columns aren't widened for numbers. */
static void fit(Layout *layout) {
    layout->contents = ALL;
    while (!fit_cells(layout) && leave_out(layout))
        continue;
    if (layout->contents == WITHOUT_TABS && layout->w < layout->readable) {
        double readable = layout->readable;
        layout->readable = 0;
        fit(layout);
        layout->readable = readable;
    }
}

/* ---- lines ---- */

/* Breaks panels into `wanted` lines of about one width; returns false if they can't be
 * broken into that many. `anywhere`: also before signs that a line isn't broken before
 * otherwise, as in a sum on paper, if rows stand by themselves or one line has no room
 * for numbers. */
static bool break_lines(Layout *layout, bool anywhere, size_t wanted) {
    double ends[PANELS_MAX + 1] = {0}; /* estimated width up to each panel */
    for (size_t i = 0; i < layout->count; i++) {
        const Measured *measured = &layout->measured[i];
        ends[i + 1] =
            ends[i] + sign_track(layout, i, false).want +
            (measured->rows ? READABLE_W * (double)measured->cols : measured->alone);
    }
    layout->lines = wanted;
    for (size_t line = 1; line < wanted; line++) {
        double end = ends[layout->count] * (double)line / (double)wanted;
        size_t start = 0;
        for (size_t i = 1; i < layout->count; i++) {
            if ((anywhere || layout->measured[i].breaks) &&
                fabs(ends[i] - end) < fabs(ends[start] - end))
                start = i;
        }
        if (start <= layout->starts[line - 1])
            return false;
        layout->starts[line] = start;
    }
    layout->starts[wanted] = layout->count;
    return true;
}

static double line_width(const Layout *layout, size_t line) {
    size_t first = layout->starts[line];
    return ruler_used(layout->tracks[first], (layout->starts[line + 1] - first) * TRACKS);
}

/* Returns true if a table that isn't large has no room for its numbers. */
static bool lacks_numbers(const Layout *layout) {
    return layout->w < layout->readable ||
           (layout->readable > 0 && layout->h < heatmap_least_row(layout->canvas));
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

/* Fits panels into as many lines as numbers need; returns the quality. Lines are broken
 * at any sign only if that gives numbers room, or if all tables are flat. */
static double choose_lines(Layout *layout) {
    const Layout given = *layout;
    double best = -1;
    bool flat = true;
    for (size_t i = 0; i < layout->count; i++)
        flat &= layout->measured[i].rows == 1;
    for (int anywhere = flat; anywhere < 2; anywhere++) {
        bool lacks = best < 0 || lacks_numbers(layout);
        for (size_t wanted = 1; wanted <= PANELS_LINES_MAX && best < 1; wanted++) {
            Layout trial = given;
            if ((anywhere && !flat && !lacks) || !break_lines(&trial, anywhere, wanted))
                continue;
            fit(&trial);
            double quality = quality_of(&trial);
            if (quality > best * WORTH_IT &&
                (!anywhere || flat || !lacks_numbers(&trial))) {
                best = quality;
                *layout = trial;
            }
        }
    }
    return best;
}

/* Breaks panels into lines. Leaves out the formulas above arrows if that makes room for
 * cells or for all numbers of a table. */
static void choose_layout(Layout *layout) {
    Layout bare = *layout;
    bool tiny = choose_lines(layout) < TINY;
    for (size_t i = 0; i < layout->count; i++)
        bare.bare |= layout->measured[i].has_sign_above;
    if (!bare.bare || !(tiny || lacks_numbers(layout)))
        return;
    double quality = choose_lines(&bare);
    if (tiny || (quality > 0 && !lacks_numbers(&bare)))
        *layout = bare;
}

/* Digest of all that the search depends on. */
static uint64_t search_key(const Layout *layout) {
    const Canvas *canvas = layout->canvas;
    const double sizes[] = {layout->area.x,   layout->area.y,   layout->area.w,
                            layout->area.h,   layout->readable, layout->stage->alone,
                            canvas->enlarged, canvas->least,    canvas->metrics->least,
                            canvas->digits};
    uint64_t key = hash_bytes(HASH_START, sizes, sizeof sizes);
    return hash_bytes(key, layout->measured, layout->count * sizeof *layout->measured);
}

/* Chooses the layout, or takes the one that was found for equal measurements. */
static void recall_layout(Layout *layout) {
    Layouts *kept = layout->canvas->layouts;
    uint64_t key = search_key(layout);
    const LayoutChoice *known = layouts_find(kept, key);
    if (!known) {
        choose_layout(layout);
        LayoutChoice chosen = {.lines = layout->lines,
                               .contents = (int)layout->contents,
                               .bare = layout->bare,
                               .w = layout->w,
                               .h = layout->h};
        memcpy(chosen.starts, layout->starts, sizeof chosen.starts);
        layouts_keep(kept, key, &chosen);
        return;
    }
    layout->lines = known->lines;
    layout->contents = (Contents)known->contents;
    layout->bare = known->bare;
    layout->w = known->w;
    layout->h = known->h;
    memcpy(layout->starts, known->starts, sizeof layout->starts);
}

/* ---- placing ---- */

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
static void place_line(const Layout *layout, size_t line, double dx, double axis) {
    double tallest = 0;
    size_t first = layout->starts[line], end = layout->starts[line + 1];
    for (size_t i = first; begin_alike(layout, line) && i < end; i++)
        tallest = fmax(tallest, layout->h * (double)layout->panels[i].tensor->rows);
    for (size_t i = first; i < end; i++) {
        Panel *panel = &layout->panels[i];
        const Track *tracks = layout->tracks[i];
        panel->sign_x = tracks[SIGN].at + tracks[SIGN].size / 2 + dx;
        panel->box =
            (Box){tracks[LABELS].at + dx, axis,
                  tracks[LABELS].size + tracks[CELLS].size + tracks[BEHIND].size, 0};
        if (!panel->tensor)
            continue;
        double height = layout->h * (double)panel->tensor->rows;
        Box cells = {round(tracks[CELLS].at + dx),
                     round(axis - fmax(tallest, height) / 2), tracks[CELLS].size, height};
        panel->heatmap = panel_heatmap(layout->stage, panel, cells);
        panel->heatmap.row_labels = !repeats_labels(layout, first, i);
        panel->heatmap.col_labels = true;
        panel->heatmap.label_room = panel->heatmap.row_labels ? tracks[LABELS].size : 0;
        panel->heatmap.col_label_room = col_label_height(layout, i);
        panel->box.y = cells.y;
        panel->box.h = height;
    }
    for (size_t i = first; i < end; i++) {
        Panel *panel = &layout->panels[i];
        if (!panel->tensor)
            continue;
        panel->caption_room = caption_room(layout, line, i);
        panel->caption = panel_caption(layout->stage, panel, panel->caption_room);
        layout->measured[i].above = panel->caption.above;
        layout->measured[i].below = panel->caption.below;
    }
}

/* Sets where the placed captions are. */
static void align_captions(Layout *layout) {
    for (size_t line = 0; line < layout->lines; line++) {
        CaptionPlace place = caption_place(layout, line);
        for (size_t i = layout->starts[line]; i < layout->starts[line + 1]; i++) {
            layout->panels[i].caption_below = place.below;
            layout->panels[i].caption_drop = place.drop;
        }
    }
}

/* Returns the distance from a line's left end to its first cells. */
static double indent_of(const Layout *layout, size_t line) {
    return layout->tracks[layout->starts[line]][CELLS].at - layout->area.x;
}

/* Places all lines and divides the spare height among them. Lines are centred, with their
 * first cells below each other if the area is wide enough. */
static void place(Layout *layout) {
    double before = 0, behind = 0, above, below, y = layout->area.y;
    Heights heights;
    measure_heights(layout, &heights);
    double left =
        fmax(height_beside(layout, &heights, layout->h), 0) / (double)layout->lines;
    layout->placing = true;
    share_lines(layout, layout->w);
    for (size_t line = 0; line < layout->lines; line++) {
        before = fmax(before, indent_of(layout, line));
        behind = fmax(behind, line_width(layout, line) - indent_of(layout, line));
    }
    double spare = layout->area.w - before - behind;
    for (size_t line = 0; line < layout->lines; line++) {
        double dx = spare >= 0 ? spare / 2 + before - indent_of(layout, line)
                               : (layout->area.w - line_width(layout, line)) / 2;
        measure_line(&heights, line, layout->h, &above, &below);
        place_line(layout, line, fmax(dx, 0), y + above + left * ABOVE_SHARE);
        y += above + below + left + LINE_GAP;
    }
    align_captions(layout);
}

/* ---- names ---- */

static bool is_named_alike(const Panel *a, const Panel *b) {
    bool noted = a->note && b->note && strcmp(a->note, b->note) != 0;
    return a->tensor && b->tensor && a->node != b->node && !noted && a->caption.name[0] &&
           strcmp(a->caption.name, b->caption.name) == 0;
}

/* Returns the generation step that a panel's tensor belongs to; "": none. */
static const char *turn_of(const Stage *stage, const Panel *panel) {
    const char *turn = panel->tensor && panel->node != TAPE_NONE
                           ? part_step(stage->canvas, stage->player->lesson,
                                       stage_node(stage, panel->node)->name)
                           : NULL;
    return turn ? turn : "";
}

/* Appends to a caption what distinguishes its table; without room that stands alone if it
 * is a generation step, and a number not at all. */
static void append_own(const Stage *stage, Panel *panel, const char *own) {
    const Canvas *canvas = stage->canvas;
    const char *name = canvas_format(canvas, "%s\\text{ %s}", panel->caption.name, own);
    if (!caption_rename(canvas, &panel->caption, name, PANELS_NAME_UNITS,
                        panel->caption_room) &&
        *turn_of(stage, panel))
        caption_rename(canvas, &panel->caption,
                       canvas_format(canvas, "\\text{%s}", turn_of(stage, panel)),
                       PANELS_NAME_UNITS, panel->caption_room);
}

/* Appends to equal captions what distinguishes their tables: the generation step, or a
 * number. */
static void distinguish(const Stage *stage, Panel *panels, size_t count) {
    const char *owns[PANELS_MAX] = {NULL};
    for (size_t i = 0; i < count; i++) {
        const char *turn = turn_of(stage, &panels[i]), *own = owns[i];
        size_t number = 1;
        for (size_t j = i + 1; j < count && !owns[i]; j++) {
            if (!is_named_alike(&panels[i], &panels[j]))
                continue;
            const char *other = turn_of(stage, &panels[j]);
            bool turns = *turn && *other && strcmp(turn, other) != 0;
            own = turns ? canvas_format(stage->canvas, "· %s", turn) : own ? own : "1";
            owns[j] = turns ? canvas_format(stage->canvas, "· %s", other)
                            : canvas_count(stage->canvas, ++number);
        }
        owns[i] = own;
    }
    for (size_t i = 0; i < count; i++) {
        if (owns[i])
            append_own(stage, &panels[i], owns[i]);
    }
}

/* ---- the whole ---- */

/* Leaves single numbers uncoloured: they are read, not compared by colour. */
static void leave_uncoloured(Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && tensor_cells(panels[i].tensor) > 1)
            return;
    }
    for (size_t i = 0; i < count; i++)
        panels[i].colors = HEATMAP_PLAIN;
}

/* Measures, fits and places panels; places them again if captions became higher or lower
 * in the room they have. */
static void lay_out(Layout *layout) {
    Measured measured[PANELS_MAX];
    memset(measured, 0, sizeof measured);
    layout->measured = measured;
    for (size_t i = 0; i < layout->count; i++)
        measure(layout, i);
    recall_layout(layout);
    double reserved = height_left(layout, 0);
    place(layout);
    if (height_left(layout, 0) > reserved) { /* names were left out */
        layout->placing = false;
        fit(layout);
        place(layout);
    }
    if (height_left(layout, layout->h) < 0) { /* names are higher */
        layout->h = tallest_cell(layout);
        place(layout);
    }
    for (size_t i = 0; i < layout->count; i++) {
        Panel *panel = &layout->panels[i];
        if (layout->contents >= WITHOUT_TAB_SHAPES)
            panel->tab.shape = scaled(layout->stage, panel, NULL);
        if (!has_tab(layout, i))
            panel->tab.name = NULL;
        else
            panel->caption = (Caption){.name = "", .shape = ""};
        if (!has_notes(layout, i))
            panel->row_notes = NULL;
        if (layout->bare)
            panel->sign_above = NULL;
    }
}

void panels_layout(const Stage *stage, Panel *panels, size_t count) {
    Layout given = {.stage = stage,
                    .canvas = stage->canvas,
                    .area = stage->area,
                    .count = count,
                    .panels = panels};
    if (!stage->alone || !tensor_is_mask(panels[0].tensor)) /* without a legend */
        box_take_bottom(&given.area, STAGE_LEGEND_HEIGHT);
    leave_uncoloured(panels, count);
    panels_prepare(stage, panels, count);
    for (size_t i = 0; i < count; i++)
        given.readable =
            fmax(given.readable, panel_least_column(stage->canvas, &panels[i], INFINITY));
    bool differ = panels_scales_differ(panels, count);
    Panel original[PANELS_MAX];
    memcpy(original, panels, count * sizeof *panels);
    Layout layout = given;
    layout.legends = differ;
    lay_out(&layout);
    if (differ && !panels_legends_fit(stage, panels, count)) {
        memcpy(panels, original, count * sizeof *panels);
        for (size_t i = 0; i < count; i++)
            panels[i].told = panels[i].colors == HEATMAP_SIGNED;
        layout = given;
        lay_out(&layout);
    }
    distinguish(stage, panels, count);
}
