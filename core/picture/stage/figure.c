#include "picture/stage/figure.h"

#include "picture/stage/panels_parts.h"
#include "tensor/tensor.h"

#include <math.h>

/* Largest ratio of width to height. */
static const double LARGEST_CELL = 96, WIDEST_SHARE = 1.2;
/* Least fraction of the room for the cells of all tables. */
static const double LEAST_SHARE = 0.67;
/* Largest fraction for a summed axis without numbers. */
static const double SPECKS_SHARE = 0.55;
/* Largest fractions of the area. */
static const double LABELS_SHARE = 0.2, HEADS_SHARE = 0.3;
static const double NAME_SHARE = 0.2, NAME_GAP = 24, LEAST_NAME = 80;
static const double LEGEND_WIDTH = 120, LEGEND_HEIGHT = 38, LEGEND_BESIDE = 28;
/* Width and gap of a legend in the corner. */
static const double CORNER_LEGEND = 244, CORNER_GAP = 44;
static const double DOT = 6; /* height of cells of a result that are mere dots */
static const double FLAT_HEADS = 30, NO_HEADS = 8; /* points above the cells */
static const double FLAT_GAP = 8, TALLER = 1.1, WIDEST_FLAT = 3.5; /* of flat heads */
enum { RANKS = 3 };

Track figure_cells(size_t parts, int rank) {
    return (Track){.parts = (double)parts, .most = LARGEST_CELL, .rank = rank};
}

Figure figure_of(const Stage *stage) {
    return (Figure){.stage = stage, .area = stage->area};
}

Panel *figure_add(Figure *figure, size_t node, const char *formula, size_t across,
                  size_t down) {
    Panel *table = &figure->tables[figure->count++];
    *table = panel_of(figure->stage, node, NULL);
    table->across = across;
    table->down = down;
    table->formula = formula ? formula : table->formula;
    table->tab = caption_tab(figure->stage, table->formula, node);
    return table;
}

/* ---- names ---- */

static double caption_axis(const Caption *caption) {
    return fmax(26, caption->above + 8);
}

static double caption_height(const Canvas *canvas, const Caption *caption) {
    return caption_axis(caption) + caption_shape_drop(canvas, caption->below) + 10;
}

/* Returns the height from the cells to the end of a name below them. */
static double below_height(const Canvas *canvas, const Panel *table) {
    return table->tab.name ? 2 * ROLE_FRAME_MARGIN + role_tab_height(canvas, &table->tab)
                           : caption_height(canvas, &table->caption);
}

static void set_fixed(Track *track, double length) {
    double longest = fmax(length, track->least);
    *track = track_of(longest);
}

/* Sets the lengths of the tracks of names to those of the names. */
static void measure_names(Figure *figure) {
    const Canvas *canvas = figure->stage->canvas;
    for (size_t i = 0; i < figure->count; i++) {
        Panel *table = &figure->tables[i];
        table->caption = panel_caption(figure->stage, table, figure->area.w * NAME_SHARE);
        table->tab.side = table->below ? ROLE_TAB_BELOW : ROLE_TAB_BESIDE;
        if (table->below)
            set_fixed(&figure->down[table->below], below_height(canvas, table));
        double width =
            table->tab.name ? role_tab_width(canvas, &table->tab) : table->caption.width;
        if (table->beside)
            set_fixed(&figure->across[table->beside],
                      ceil(NAME_GAP +
                           fmax(width, figure->own_legends ? LEGEND_WIDTH : LEAST_NAME)));
    }
}

/* ---- sharing out the room ---- */

static const Track *columns_of(const Figure *figure, size_t i) {
    return &figure->across[figure->tables[i].across];
}

static const Track *rows_of(const Figure *figure, size_t i) {
    return &figure->down[figure->tables[i].down];
}

/* Returns the column width that a table's numbers need; 0 if the table is too large for
 * numbers or its rows are too low. */
static double readable_column(const Figure *figure, size_t i) {
    return panel_least_column(figure->stage->canvas, &figure->tables[i],
                              rows_of(figure, i)->part);
}

/* Returns the row height that a table's numbers need; 0 if the table is too large for
 * numbers. */
static double readable_row(const Figure *figure, size_t i) {
    const Canvas *canvas = figure->stage->canvas;
    return panel_least_column(canvas, &figure->tables[i], INFINITY) > 0
               ? heatmap_least_row(canvas)
               : 0;
}

/* Sets what tracks want: rank by rank, readable cells are granted in full or not at all;
 * then each table gets a fraction of the room before the smallest cells grow. */
static void set_wants(Track *tracks, size_t count, const double *wants, double room) {
    size_t tables = 0;
    for (size_t i = 0; i < count; i++) {
        tables += tracks[i].parts > 0;
        room -= tracks[i].parts > 0 ? 0 : tracks[i].least;
    }
    double all = fmax(room, 0), share = LEAST_SHARE * all / (double)tables;
    for (size_t i = 0; i < count; i++) {
        Track *track = &tracks[i];
        if (track->parts == 0)
            continue;
        double wanted = wants[i] > 0 ? wants[i] : track->most;
        track->want = 0;
        track->least = fmin(share / track->parts, fmin(wanted, track->most));
        room -= track->least * track->parts;
    }
    for (size_t i = 0; i < count; i++) {
        if (tracks[i].within && wants[i] == 0) /* no numbers to read */
            tracks[i].most = fmin(tracks[i].most, SPECKS_SHARE * all / tracks[i].parts);
    }
    for (int pass = 0; pass < 2 * RANKS; pass++) {
        bool shares = pass >= RANKS;
        for (size_t i = 0; i < count; i++) {
            Track *track = &tracks[i];
            double target = shares ? share / track->parts : wants[i];
            double has = fmax(track->least, track->want);
            double more = track->parts * fmax(fmin(target, track->most) - has, 0);
            if (track->parts == 0 || track->rank != pass % RANKS ||
                (!shares && more > room))
                continue;
            track->want = has + fmin(more, room) / track->parts;
            room -= fmin(more, room);
        }
    }
}

static void share_rows(Figure *figure) {
    double wants[FIGURE_TRACKS] = {0};
    for (size_t i = 0; i < figure->count; i++) {
        double *want = &wants[figure->tables[i].down];
        *want = fmax(*want, readable_row(figure, i));
    }
    set_wants(figure->down, figure->lines, wants, figure->area.h);
    ruler_share(figure->down, figure->lines, figure->area.y, figure->area.h);
}

static bool share_columns(Figure *figure, bool flat) {
    double wants[FIGURE_TRACKS] = {0};
    for (size_t i = 0; i < figure->count; i++) {
        const Panel *table = &figure->tables[i];
        double *want = &wants[table->across];
        *want = fmax(*want, readable_column(figure, i));
    }
    set_wants(figure->across, figure->columns, wants, figure->area.w);
    for (size_t i = 0; i < figure->count && flat; i++) {
        const Panel *table = &figure->tables[i];
        Track *track = &figure->across[table->across];
        if (table->heads)
            track->least = track->want =
                fmax(ceil(table->col_labels.flat + FLAT_GAP), track->least);
    }
    return ruler_share(figure->across, figure->columns, figure->area.x, figure->area.w);
}

/* Returns width over height of cells: square unless a table's numbers need wider ones or
 * a tall result of dots would be a mere line. */
static double aspect_of(const Figure *figure) {
    double aspect = 1;
    for (size_t i = 0; i < figure->count; i++) {
        const Panel *table = &figure->tables[i];
        double height = rows_of(figure, i)->part;
        aspect =
            fmax(aspect, heatmap_aspect(figure->stage->canvas, table->tensor, height));
        if (table->is_output && height < DOT)
            aspect = fmax(aspect, panel_dot_aspect(table->tensor->rows,
                                                   table->tensor->cols, height));
    }
    return aspect;
}

/* Limits columns to the width that the tallest rows crossing them allow, and rows to the
 * height that the widest columns allow. */
static void limit_columns(Figure *figure) {
    double aspect = aspect_of(figure), most[FIGURE_TRACKS] = {0};
    for (size_t i = 0; i < figure->count; i++) {
        double *at = &most[figure->tables[i].across];
        *at = fmax(*at,
                   fmax(rows_of(figure, i)->part * aspect, readable_column(figure, i)));
    }
    for (size_t i = 0; i < figure->columns; i++) {
        if (figure->across[i].parts > 0)
            figure->across[i].most = fmin(figure->across[i].most, most[i]);
    }
}

static void limit_rows(Figure *figure) {
    double most[FIGURE_TRACKS] = {0};
    for (size_t i = 0; i < figure->count; i++) {
        double *at = &most[figure->tables[i].down];
        *at = fmax(*at, columns_of(figure, i)->part);
    }
    for (size_t i = 0; i < figure->lines; i++) {
        if (figure->down[i].parts > 0)
            figure->down[i].most = fmin(figure->down[i].most, most[i]);
    }
}

static void set_most(Track *tracks, size_t count, double most) {
    for (size_t i = 0; i < count; i++) {
        if (tracks[i].parts > 0)
            tracks[i].most = most;
    }
}

/* Sets the tracks of column labels: one line of text, or the height of the longest word
 * set upright, which is the height since the first pass. */
static void measure_heads(Figure *figure, bool flat, bool first) {
    for (size_t i = 0; i < figure->count && first; i++)
        figure->down[figure->tables[i].heads] = track_of(0);
    for (size_t i = 0; i < figure->count; i++) {
        const Panel *table = &figure->tables[i];
        double height = table->col_labels.flat > 0 ? FLAT_HEADS : NO_HEADS;
        if (!flat && !first)
            height =
                fmax(height,
                     heatmap_col_labels_height(figure->stage->canvas, table->col_labels,
                                               ruler_whole(columns_of(figure, i)->part),
                                               figure->area.h * HEADS_SHARE));
        if (table->heads)
            set_fixed(&figure->down[table->heads], height);
    }
}

/* Shares out the room; returns false if flat column labels don't fit. */
static bool share_out(Figure *figure, bool flat) {
    bool fits = true;
    for (int pass = 0; pass < 3; pass++) { /* narrow columns turn heads upright */
        measure_heads(figure, flat, pass == 0);
        set_most(figure->across, figure->columns, LARGEST_CELL * WIDEST_SHARE);
        set_most(figure->down, figure->lines, LARGEST_CELL);
        share_rows(figure);
        share_columns(figure, flat);
        if (!flat)
            limit_columns(figure);
        fits = share_columns(figure, flat);
        limit_rows(figure);
        share_rows(figure);
    }
    return fits;
}

/* Returns true if flat column labels make rows taller and no column narrower. */
static bool is_better(const Figure *flat, const Figure *upright) {
    bool better = true;
    for (size_t i = 0; i < flat->count; i++) {
        double w = columns_of(flat, i)->part, h = rows_of(flat, i)->part;
        better &= w >= columns_of(upright, i)->part && w <= h * WIDEST_FLAT &&
                  h >= rows_of(upright, i)->part;
        better &= !flat->tables[i].is_output || h >= rows_of(upright, i)->part * TALLER;
    }
    return better;
}

/* Upright words take much of the height. If there is width for flat ones, cells are made
 * wide enough for them, and become taller. */
static void choose_heads(Figure *figure) {
    share_out(figure, false);
    Figure flat = *figure;
    if (share_out(&flat, true) && is_better(&flat, figure))
        *figure = flat;
}

/* ---- placing ---- */

/* Rounds tracks to whole points and centres them in the room. */
static void centre(Track *tracks, size_t count, double begin, double room) {
    for (size_t i = 0; i < count; i++)
        tracks[i].part =
            tracks[i].parts > 0 ? ruler_whole(tracks[i].part) : tracks[i].part;
    ruler_place(tracks, count, begin);
    ruler_place(tracks, count,
                round(begin + fmax(room - ruler_used(tracks, count), 0) / 2));
}

static void place_table(Figure *figure, size_t i) {
    Panel *table = &figure->tables[i];
    const Track *across = columns_of(figure, i), *down = rows_of(figure, i);
    Box cells = {round(across->at), round(down->at), across->size, down->size};
    table->heatmap = panel_heatmap(figure->stage, table, cells);
    table->heatmap.row_labels = table->labels;
    table->heatmap.col_labels = table->heads;
    table->heatmap.label_room = figure->across[table->labels].size;
    table->heatmap.col_label_room = figure->down[table->heads].size;
}

/* Sets the tracks of row labels: the width they need, up to a fraction of the area's. */
static void measure_labels(Figure *figure) {
    for (size_t i = 0; i < figure->count; i++) {
        const Panel *table = &figure->tables[i];
        if (table->labels)
            set_fixed(&figure->across[table->labels],
                      fmin(table->row_labels, figure->area.w * LABELS_SHARE));
    }
}

/* Chooses one scale for all tables, unless a table would look washed out beside a larger
 * one: then each table has the scale of its own numbers. */
static void choose_scales(Figure *figure) {
    panels_prepare(figure->stage, figure->tables, figure->count);
    figure->own_legends |= panels_scales_differ(figure->tables, figure->count);
    if (!figure->own_legends)
        return;
    for (size_t i = 0; i < figure->count; i++) {
        if (figure->tables[i].colors == HEATMAP_SIGNED)
            figure->tables[i].reach = heatmap_scale_reach(figure->tables[i].tensor);
    }
    panels_prepare(figure->stage, figure->tables, figure->count);
}

bool figure_lay_out(Figure *figure) {
    const Canvas *canvas = figure->stage->canvas;
    choose_scales(figure);
    measure_labels(figure);
    measure_names(figure);
    choose_heads(figure);
    bool readable = true;
    for (size_t i = 0; i < figure->count; i++) {
        double row = readable_row(figure, i), column = readable_column(figure, i);
        readable &= row == 0 || (column > 0 && columns_of(figure, i)->part >= column);
    }
    centre(figure->across, figure->columns, figure->area.x, figure->area.w);
    centre(figure->down, figure->lines, figure->area.y, figure->area.h);
    Heatmap *all[PANELS_MAX];
    for (size_t i = 0; i < figure->count; i++) {
        place_table(figure, i);
        all[i] = &figure->tables[i].heatmap;
    }
    heatmap_same_digits(canvas, all, figure->count);
    return readable;
}

/* ---- drawing ---- */

/* Collects the scales whose legends are in the corner. */
static size_t corner_scales(const Figure *figure, StageScale *scales) {
    return figure->own_legends
               ? 0
               : panels_corner_scales(figure->tables, figure->count, scales);
}

static void draw_legend(const Figure *figure, const Panel *table, double left,
                        double top) {
    if (figure->own_legends)
        panel_draw_legend(figure->stage->canvas, table, (Point){left, top}, LEGEND_WIDTH);
}

/* Returns where the legends in the corner begin, or the end of the area. */
static double corner_begin(const Figure *figure) {
    StageScale scales[PANELS_MAX];
    size_t count = corner_scales(figure, scales);
    double legends = count ? (double)count * CORNER_LEGEND - CORNER_GAP + NAME_GAP : 0;
    return figure->area.x + figure->area.w - legends;
}

/* Sets the limits for a name below a table: half way to the next table with such a name,
 * or the legends in the corner. */
static void name_room(const Figure *figure, const Panel *table, double *left,
                      double *right) {
    Box cells = table->heatmap.cells;
    *left = figure->area.x;
    *right = corner_begin(figure);
    for (size_t i = 0; i < figure->count; i++) {
        const Panel *other = &figure->tables[i];
        Box at = other->heatmap.cells;
        if (other == table || other->below != table->below)
            continue;
        if (at.x > cells.x)
            *right = fmin(*right, (cells.x + cells.w + at.x) / 2);
        else
            *left = fmax(*left, (at.x + at.w + cells.x) / 2);
    }
}

/* Draws the name below the cells, and the table's own legend beside it. */
static void draw_below(const Figure *figure, const Panel *table) {
    const Stage *stage = figure->stage;
    Box cells = table->heatmap.cells;
    double left, end, right, axis;
    if (table->tab.name) {
        Box tab = panel_draw_tab(stage->canvas, table, 0);
        right = tab.x + tab.w;
        axis = tab.y + tab.h / 2;
    } else {
        name_room(figure, table, &left, &end);
        double middle = cells.x + cells.w / 2;
        Caption caption = panel_caption(
            stage, table, fmax(2 * fmin(middle - left, end - middle), cells.w));
        if (caption_height(stage->canvas, &caption) > figure->down[table->below].size)
            caption = table->caption;
        middle = fmin(middle, fmax(end - caption.width / 2, cells.x));
        axis = cells.y + cells.h + caption_axis(&caption);
        caption_draw(stage, &caption, (Point){middle, axis},
                     caption_shape_drop(stage->canvas, caption.below), LABEL_CENTER);
        right = middle + caption.width / 2;
    }
    draw_legend(figure, table, right + LEGEND_BESIDE, axis - 4);
}

/* Returns the height of a name beside the cells. */
static double name_height(const Canvas *canvas, const Panel *table) {
    const Caption *caption = &table->caption;
    return table->tab.name
               ? role_tab_height(canvas, &table->tab)
               : caption->above + caption_shape_drop(canvas, caption->below) + 8;
}

static double block_height(const Figure *figure, const Panel *table) {
    return name_height(figure->stage->canvas, table) +
           (figure->own_legends && !table->is_derived ? LEGEND_HEIGHT : 0);
}

/* Returns how far the other names beside low cells push a table's name down (positive) or
 * up. */
static double push_of(const Figure *figure, const Panel *table) {
    double push = 0, middle = box_middle(table->heatmap.cells).y;
    for (size_t i = 0; i < figure->count; i++) {
        const Panel *other = &figure->tables[i];
        if (other == table || !other->beside || other->beside != table->beside)
            continue;
        double between = middle - box_middle(other->heatmap.cells).y;
        double apart =
            (block_height(figure, table) + block_height(figure, other)) / 2 + 6;
        if (fabs(between) < apart)
            push += copysign((apart - fabs(between)) / 2, between);
    }
    return push;
}

/* Draws the name beside the cells, and the table's own legend below it. */
static void draw_beside(const Figure *figure, const Panel *table) {
    const Canvas *canvas = figure->stage->canvas;
    double height = name_height(canvas, table);
    double left = figure->across[table->beside].at + NAME_GAP;
    double top = box_middle(table->heatmap.cells).y + push_of(figure, table) -
                 block_height(figure, table) / 2;
    if (table->tab.name)
        panel_draw_tab(canvas, table,
                       box_middle(table->heatmap.cells).y - top - height / 2);
    else
        caption_draw(figure->stage, &table->caption,
                     (Point){left, round(top + table->caption.above)},
                     caption_shape_drop(canvas, table->caption.below), LABEL_LEFT);
    draw_legend(figure, table, left, top + height + (table->tab.name ? 8 : 4));
}

void figure_draw(const Figure *figure) {
    const Stage *stage = figure->stage;
    for (size_t i = 0; i < figure->count; i++) {
        const Panel *table = &figure->tables[i];
        if (table->below)
            draw_below(figure, table);
        else if (table->beside)
            draw_beside(figure, table);
    }
    for (size_t i = 0; i < figure->count; i++)
        heatmap_draw(stage->canvas, &figure->tables[i].heatmap);
    StageScale scales[PANELS_MAX];
    stage_known_legends(stage, stage->area, scales, corner_scales(figure, scales));
}
