#include "picture/draw/part_name.h"
#include "picture/stage/panels.h"
#include "picture/stage/panels_measure.h"

#include <math.h>
#include <string.h>

/* Breaks lines of panels. If cells would be too small for readable numbers in one line,
 * panels are set in two or more, broken before an arrow so that products and sums stay
 * together. Cells of all lines have one size. */

static const double NARROW_CELL = 26; /* points; narrower columns have upright labels */
/* Size of a readable cell in units. */
static const double READABLE_W = 60, READABLE_H = 22;
static const double WORTH_IT = 1.2; /* growth that justifies another line */
static const double BESIDE_CELLS = 2.5, BESIDE_LABEL = 2.5; /* width of signs in cells */
static const double CAPTION = 66;     /* units below a line's cells */
static const double NUMBERLESS = 0.7; /* quality of cells without numbers */
static const double SQUEEZED = 0.85;  /* quality of cells that barely fit numbers */
static const double CROWDED = 0.2;    /* quality below which arrows lose their labels */
/* Room above low cells for formulas over arrows. */
static const double LINE_GAP = 12, OVER_ARROWS = 28;

static const PanelsCells any_size = {INFINITY, INFINITY, false, false};

/* Lines of panels: line i is [starts[i], starts[i + 1]). */
typedef struct Lines {
    size_t count, starts[PANELS_LINES_MAX + 1];
} Lines;

/* ---- where to break ---- */

static bool all_flat(const Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!panels[i].tensor || panels[i].tensor->rows > 1)
            return false;
    }
    return true;
}

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

/* Tries every way to set panels [from, count) in `left` more lines; `lines` holds the
 * lines before, whose widest is `widest`. Stores the narrowest way in *best. */
static void try_breaks(const Panel *panels, size_t count, bool anywhere, Lines *lines,
                       size_t left, double widest, Lines *best, double *narrowest) {
    size_t from = lines->starts[lines->count];
    double width = 0;
    for (size_t end = from + 1; end <= count; end++) {
        width += estimate(&panels[end - 1]);
        bool ends = left == 1 ? end == count
                              : end < count && breaks_before(&panels[end], anywhere);
        if (!ends)
            continue;
        double now = fmax(widest, width);
        if (now >= *narrowest)
            return; /* only wider from here on */
        lines->starts[++lines->count] = end;
        if (left == 1) {
            *best = *lines;
            *narrowest = now;
        } else {
            try_breaks(panels, count, anywhere, lines, left - 1, now, best, narrowest);
        }
        lines->count--;
    }
}

static bool break_lines(const Panel *panels, size_t count, bool anywhere, size_t wanted,
                        Lines *lines) {
    Lines trial = {0};
    double narrowest = INFINITY;
    *lines = (Lines){0};
    try_breaks(panels, count, anywhere, &trial, wanted, 0, lines, &narrowest);
    return lines->count == wanted;
}

/* ---- placing ---- */

/* Returns the height that a line needs besides its cells. */
static double height_beside(const Stage *stage, const Panel *panels, size_t count) {
    double labels = 0;
    for (size_t i = 0; i < count; i++) {
        if (panels[i].sign_above)
            labels = fmax(labels, OVER_ARROWS);
        if (panels[i].tensor)
            labels = fmax(labels,
                          heatmap_col_labels_height(stage->canvas, panels[i].col_labels,
                                                    NARROW_CELL, stage->area.h * 0.2));
    }
    return labels + CAPTION;
}

static size_t tallest(const Panel *panels, size_t count) {
    size_t rows = 1;
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && panels[i].tensor->rows > rows)
            rows = panels[i].tensor->rows;
    }
    return rows;
}

/* Divides the height among lines by their rows; returns false if captions leave none. */
static bool line_areas(const Stage *stage, const Panel *panels, const Lines *lines,
                       Box area, Box *areas) {
    double beside[PANELS_LINES_MAX], rows = 0;
    double room = area.h - LINE_GAP * (double)(lines->count - 1);
    for (size_t i = 0; i < lines->count; i++) {
        const Panel *first = &panels[lines->starts[i]];
        size_t count = lines->starts[i + 1] - lines->starts[i];
        beside[i] = height_beside(stage, first, count);
        room -= beside[i];
        rows += (double)tallest(first, count);
    }
    if (room <= 0)
        return false;
    for (size_t i = 0; i < lines->count; i++) {
        const Panel *first = &panels[lines->starts[i]];
        size_t count = lines->starts[i + 1] - lines->starts[i];
        double height = beside[i] + room * (double)tallest(first, count) / rows;
        areas[i] = box_take_top(&area, height);
        box_take_top(&area, LINE_GAP);
    }
    return true;
}

static PanelsCells place_lines(const Stage *stage, Panel *panels, const Lines *lines,
                               const Box *areas, PanelsCells most) {
    PanelsCells least = {most.w, most.h, false, false};
    for (size_t i = 0; i < lines->count; i++) {
        size_t first = lines->starts[i], count = lines->starts[i + 1] - first;
        PanelsCells cells =
            panels_layout_line(stage, areas[i], &panels[first], count, most);
        least.w = fmin(least.w, cells.w);
        least.h = fmin(least.h, cells.h);
        least.crowded |= cells.crowded;
        least.squeezed |= cells.squeezed;
    }
    return least;
}

/* Returns true if every line ends within the area; in a very narrow one, captions alone
 * may be too wide. */
static bool lines_fit(const Panel *panels, const Lines *lines, Box area) {
    for (size_t i = 0; i < lines->count; i++) {
        const Panel *last = &panels[lines->starts[i + 1] - 1];
        if (last->box.x + last->box.w > area.x + area.w + 1)
            return false;
    }
    return true;
}

/* Lays out all lines with the cell size of the line that has the smallest; returns an
 * empty size if they don't fit. */
static PanelsCells layout_lines(const Stage *stage, Panel *panels, const Lines *lines,
                                const Panel *original, Box area) {
    Box areas[PANELS_LINES_MAX] = {area};
    memcpy(panels, original, lines->starts[lines->count] * sizeof *panels);
    if (lines->count > 1 && !line_areas(stage, panels, lines, area, areas))
        return (PanelsCells){0};
    PanelsCells cells = place_lines(stage, panels, lines, areas, any_size);
    if (lines->count > 1)
        cells = place_lines(stage, panels, lines, areas, cells);
    return lines_fit(panels, lines, area) ? cells : (PanelsCells){0};
}

/* ---- lines begin below each other ---- */

static double line_begin(const Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor)
            return panels[i].heatmap.cells.x;
    }
    return panels[0].box.x;
}

static void shift_line(Panel *panels, size_t count, double dx) {
    for (size_t i = 0; i < count; i++) {
        panels[i].heatmap.cells.x += dx;
        panels[i].box.x += dx;
        panels[i].sign_x += dx;
    }
}

static void align_lines(const Stage *stage, Panel *panels, const Lines *lines) {
    double begin = INFINITY, right = stage->area.x + stage->area.w;
    for (size_t i = 0; i < lines->count; i++) {
        size_t first = lines->starts[i];
        begin = fmin(begin, line_begin(&panels[first], lines->starts[i + 1] - first));
    }
    for (size_t i = 0; i < lines->count; i++) { /* room for labels and signs before it */
        size_t first = lines->starts[i];
        const Panel *panel = &panels[first];
        double before = line_begin(panel, lines->starts[i + 1] - first) - panel->box.x;
        if (panel->sign)
            before += 2 * (panel->box.x - panel->sign_x);
        begin = fmax(begin, stage->area.x + before);
    }
    for (size_t i = 0; i < lines->count; i++) {
        size_t first = lines->starts[i], count = lines->starts[i + 1] - first;
        const Panel *last = &panels[first + count - 1];
        double dx = begin - line_begin(&panels[first], count);
        if (last->box.x + last->box.w + dx <= right)
            shift_line(&panels[first], count, round(dx));
    }
}

/* ---- the whole ---- */

/* Returns true if a table that isn't large has no room for its numbers. */
static bool lacks_numbers(const Canvas *canvas, const Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (panels[i].tensor && tensor_cells(panels[i].tensor) <= PANELS_NUMBERS_MOST &&
            heatmap_number_size(canvas, &panels[i].heatmap) == 0)
            return true;
    }
    return false;
}

/* Returns the quality of a layout; at 1 numbers are fully readable and larger cells gain
 * nothing. */
static double quality(PanelsCells cells) {
    double w = cells.w / READABLE_W;
    double h = cells.h / READABLE_H;
    return fmin(fmin(w, h), cells.crowded ? CROWDED / 2 : 1);
}

/* Lays panels out in these lines; returns the quality. */
static double try_lines(const Stage *stage, Panel *panels, const Lines *lines,
                        const Panel *original, Box area) {
    const Canvas *canvas = stage->canvas;
    PanelsCells cells = layout_lines(stage, panels, lines, original, area);
    bool lacks =
        cells.w > 0 && lacks_numbers(canvas, panels, lines->starts[lines->count]);
    return quality(cells) * (lacks ? NUMBERLESS : cells.squeezed ? SQUEEZED : 1);
}

/* Lays panels out in as many lines as numbers need; returns the quality. */
static double choose_lines(const Stage *stage, Panel *panels, const Panel *original,
                           size_t count, Box area) {
    const Canvas *canvas = stage->canvas;
    const Lines one = {1, {0, count}};
    Lines best = one;
    Panel kept[PANELS_MAX]; /* layout of the best lines */
    double so_far = try_lines(stage, panels, &one, original, area);
    memcpy(kept, panels, count * sizeof *kept);
    bool anywhere = all_flat(panels, count);
    for (int pass = 0; pass < 2; pass++, anywhere = true) {
        bool lacks = lacks_numbers(canvas, kept, count);
        for (size_t wanted = 2; wanted <= PANELS_LINES_MAX && so_far < 1; wanted++) {
            Lines lines;
            if ((pass > 0 && !lacks) ||
                !break_lines(panels, count, anywhere, wanted, &lines))
                break;
            double now = try_lines(stage, panels, &lines, original, area);
            if (now > so_far * WORTH_IT &&
                (pass == 0 || !lacks_numbers(canvas, panels, count))) {
                so_far = now;
                best = lines;
                memcpy(kept, panels, count * sizeof *kept);
            }
        }
    }
    memcpy(panels, kept, count * sizeof *panels);
    if (best.count > 1)
        align_lines(stage, panels, &best);
    return so_far;
}

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

/* Numbers a caption that another table has too. */
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

/* Lays panels out in as many lines as numbers need. Formulas above arrows are dropped
 * before cells are, and before all numbers of a table, if that makes room for these. */
static void choose_layout(const Stage *stage, Panel *panels, Panel *original,
                          size_t count, Box area) {
    bool tiny = choose_lines(stage, panels, original, count, area) < CROWDED * NUMBERLESS;
    bool labelled = false;
    Panel bare[PANELS_MAX], trial[PANELS_MAX];
    memcpy(bare, original, count * sizeof *bare);
    for (size_t i = 0; i < count; i++) {
        labelled |= bare[i].sign_above != NULL;
        bare[i].sign_above = NULL;
    }
    if (!labelled || !(tiny || lacks_numbers(stage->canvas, panels, count)))
        return;
    double now = choose_lines(stage, trial, bare, count, area);
    if (!tiny && (now == 0 || lacks_numbers(stage->canvas, trial, count)))
        return;
    memcpy(panels, trial, count * sizeof *panels);
    memcpy(original, bare, count * sizeof *original);
}

/* Removes scales from captions if legends fit into the room this leaves. */
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

/* Measures what all layouts share. */
static void measure_labels(const Canvas *canvas, Panel *panels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!panels[i].tensor)
            continue;
        panels[i].row_labels = heatmap_row_label_width(canvas, panels[i].tensor);
        panels[i].col_labels = heatmap_col_labels(canvas, panels[i].tensor);
    }
}

void panels_layout(const Stage *stage, Panel *panels, size_t count) {
    Box area = stage->area;
    if (!stage->alone || !tensor_is_mask(panels[0].tensor)) /* without a legend */
        box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    leave_uncoloured(panels, count);
    measure_labels(stage->canvas, panels, count);
    panels_share_reach(panels, count);
    panels_find_scales(panels, count);
    Panel original[PANELS_MAX]; /* as given: a layout may drop notes */
    memcpy(original, panels, count * sizeof *panels);
    choose_layout(stage, panels, original, count, area);
    if (panels_scales_differ(panels, count) &&
        !panels_legends_fit(stage, panels, count)) {
        for (size_t i = 0; i < count; i++)
            original[i].told = original[i].colors == HEATMAP_SIGNED;
        choose_layout(stage, panels, original, count, area);
        if (panels_legends_fit(stage, panels, count))
            untell(stage->canvas, panels, count);
    }
    distinguish(stage, panels, count);
}
