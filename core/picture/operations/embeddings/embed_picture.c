#include "base/arena.h"
#include "picture/draw/curves.h"
#include "picture/draw/marks.h"
#include "picture/operations/embeddings/embedding_pictures.h"
#include "picture/operations/embeddings/id_column.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/caption.h"
#include "picture/stage/ruler.h"

#include <math.h>

/* An embedding lookup: each token is a chip with its ID; a line leads from there to the
 * row of the table with this number, and a band as tall as the row to its copy in the
 * output. If the table is too tall to be readable, only the rows used are drawn, with "⋮"
 * for those between. */

/* Units: row heights of readable tables. */
static const double LARGEST_ROW = 64, LEAST_ROW = 30;
static const double LOWEST_ROW = 26, NAME_UNITS = 22;
static const double CURVES = 84, LEAST_CURVES = 36; /* points: width of the curves */
static const double GAP_ROWS = 0.6;                 /* height of "⋮" in rows */
static const double ROUNDING = 1e-6;                /* points */
static const double LEAST_LINKED = 4; /* points: smaller cells are drawn as an image */
enum { BAND = 34, FOCUS_BAND = 110 }; /* opacity of bands */

/* Tracks from left to right: the tokens, their IDs, curves to the table, the labels of
 * its rows, the table, curves to the output, and the output. */
enum { WORDS, IDS, TO_TABLE, LABELS, TABLE, TO_FOUND, FOUND, TRACKS };

/* A run of consecutive rows of the table. */
typedef struct Segment {
    size_t first, count;
    Tensor rows; /* borrows values and labels of the table */
    Heatmap heatmap;
} Segment;

typedef struct Lookup {
    const Stage *stage;
    const Tensor *table, *ids, *out;
    size_t table_node, ids_node;
    IdColumn column;
    size_t segment_count;
    Segment *segments;
    double lines; /* height of the table in rows, with "⋮" */
    double w, h;  /* size of a cell in points */
    Track across[TRACKS];
    double table_labels;
    bool numbers_alone; /* only numbers label the rows: words, which the chips have too,
                           would need the width of digits */
    Box area;
    double reach;
    Heatmap found;
} Lookup;

/* ---- what is drawn ---- */

/* Returns the table's row for an ID, or the number of rows if there is none. */
static size_t row_of(const Lookup *lookup, size_t index) {
    double id = lookup->ids->values[index];
    bool is_row = id >= 0 && id < (double)lookup->table->rows;
    return is_row ? (size_t)id : lookup->table->rows;
}

/* Returns row labels followed by the row's number, which is the ID of the row; NULL if
 * the frame's arena is exhausted. */
static const char *const *numbered_labels(const Lookup *lookup, size_t first,
                                          size_t count) {
    const Canvas *canvas = lookup->stage->canvas;
    const Tensor *table = lookup->table;
    const char **labels = arena_alloc(canvas->scene->arena, count, sizeof *labels);
    for (size_t i = 0; labels && i < count; i++) {
        bool bare = lookup->numbers_alone || !table->row_labels;
        const char *label = bare ? "" : table->row_labels[first + i];
        labels[i] =
            canvas_format(canvas, "%s%s%zu", label, *label ? "   " : "", first + i);
    }
    return labels;
}

static Segment segment_of(const Lookup *lookup, size_t first, size_t count) {
    const Tensor *table = lookup->table;
    Segment segment = {.first = first, .count = count, .rows = *table};
    segment.rows.rows = count;
    segment.rows.values = table->values + first * table->cols;
    segment.rows.row_labels = numbered_labels(lookup, first, count);
    return segment;
}

/* Chooses all rows as one segment, or the runs of rows that some ID selects. */
static bool choose_rows(Lookup *lookup, bool all) {
    Arena *arena = lookup->stage->canvas->scene->arena;
    size_t rows = lookup->table->rows, count = tensor_cells(lookup->ids);
    bool *used = arena_alloc(arena, rows, sizeof *used);
    lookup->segments = arena_alloc(arena, count + 1, sizeof *lookup->segments);
    if (!used || !lookup->segments)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (row_of(lookup, i) < rows)
            used[row_of(lookup, i)] = true;
    }
    lookup->segment_count = 0;
    lookup->lines = 0;
    for (size_t row = 0; row < rows;) {
        size_t end = row;
        while (end < rows && (all || used[end]))
            end++;
        if (end > row) {
            lookup->segments[lookup->segment_count++] =
                segment_of(lookup, row, end - row);
            lookup->lines += (double)(end - row);
        } else {
            while (end < rows && !used[end])
                end++;
            lookup->lines += GAP_ROWS;
        }
        row = end;
    }
    return lookup->segment_count > 0;
}

/* ---- where things lie ---- */

/* Returns the width for row labels: what they need, up to a fraction of the area's, but
 * more if they would be cut otherwise. */
static double table_label_room(const Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    double widest = 0, most = lookup->area.w;
    for (size_t i = 0; i < lookup->segment_count; i++)
        widest = fmax(widest, heatmap_row_label_width(canvas, &lookup->segments[i].rows));
    double least = widest * canvas_least(canvas, "") / canvas_size(canvas, 17, "") * 1.1;
    return fmin(widest, fmax(most * 0.16, fmin(least, most * 0.25)));
}

/* Returns true if every row of the table is readable, so that it is drawn whole. */
static bool has_room(const Lookup *lookup) {
    double least = fmax(LEAST_ROW, 2 * lookup->stage->canvas->least);
    return lookup->area.h >= least * (double)lookup->table->rows;
}

/* Divides the width among the tracks; columns are at most `most` wide. */
static void share_width(Lookup *lookup, double readable, double most) {
    const Track curves = {
        .least = LEAST_CURVES, .want = CURVES, .most = CURVES, .rank = 1};
    const Track cells = {
        .parts = (double)lookup->table->cols, .want = fmin(readable, most), .most = most};
    Track *across = lookup->across;
    across[WORDS] = track_of(lookup->column.words);
    double ids = id_column_cell(0, lookup->h);
    across[IDS] = (Track){
        .parts = 1, .least = ids, .want = fmax(ids, cells.want), .most = fmax(ids, most)};
    across[LABELS] = track_of(lookup->table_labels);
    across[TO_TABLE] = across[TO_FOUND] = curves;
    across[TABLE] = across[FOUND] = cells;
    ruler_share(across, TRACKS, lookup->area.x, lookup->area.w);
    lookup->w = across[TABLE].part;
}

/* Labels the rows with tokens or only with numbers, and computes the size of cells;
 * returns false if the numbers in the tables would be unreadable. */
static bool measure(Lookup *lookup, bool numbers_alone) {
    const Canvas *canvas = lookup->stage->canvas;
    Heatmap table = {.tensor = lookup->table, .reach = lookup->reach};
    double readable = heatmap_least_column(canvas, &table);
    lookup->numbers_alone = numbers_alone;
    if (!choose_rows(lookup, has_room(lookup)))
        return false;
    lookup->table_labels = table_label_room(lookup);
    double lines = fmax(lookup->lines, (double)lookup->column.column->rows);
    lookup->h = fmin(lookup->area.h / lines, LARGEST_ROW);
    lookup->w =
        lookup->h * fmax(heatmap_aspect(canvas, lookup->table, lookup->h),
                         heatmap_aspect(canvas, lookup->column.column, lookup->h));
    share_width(lookup, readable, lookup->w);
    lookup->h = fmin(lookup->h, fmax(lookup->w, LOWEST_ROW));
    lookup->h = ruler_whole(lookup->h);
    share_width(lookup, readable, ruler_whole(lookup->w));
    return lookup->w >= readable - ROUNDING && lookup->h >= heatmap_least_row(canvas);
}

static double centred_top(const Lookup *lookup, double rows) {
    return round(lookup->area.y + fmax(lookup->area.h - rows * lookup->h, 0) * 0.45);
}

static Heatmap placed_heatmap(const Lookup *lookup, const Tensor *tensor, double x,
                              double y) {
    return (Heatmap){.tensor = tensor,
                     .node = TAPE_NONE,
                     .cells = {round(x), round(y), lookup->w * (double)tensor->cols,
                               lookup->h * (double)tensor->rows},
                     .reach = lookup->reach,
                     .visible = (size_t)-1,
                     .row_labels = true,
                     .label_room = lookup->table_labels};
}

/* Places segments below each other, with "⋮" between them, and before and after them if
 * rows are left out there. */
static void place_segments(Lookup *lookup, double x) {
    double y = centred_top(lookup, lookup->lines);
    size_t next = 0;
    for (size_t i = 0; i < lookup->segment_count; i++) {
        Segment *segment = &lookup->segments[i];
        if (segment->first > next)
            y += GAP_ROWS * lookup->h;
        segment->heatmap = placed_heatmap(lookup, &segment->rows, x, y);
        if (lookup->w >= LEAST_LINKED && lookup->h >= LEAST_LINKED)
            segment->heatmap.node = lookup->table_node;
        segment->heatmap.first_row = segment->first;
        y += segment->heatmap.cells.h;
        next = segment->first + segment->count;
    }
}

static void place_heatmaps(Lookup *lookup) {
    Track *across = lookup->across;
    double rows = (double)lookup->column.column->rows, y = centred_top(lookup, rows);
    double left = fmax(lookup->area.w - ruler_used(across, TRACKS), 0) / 2;
    ruler_place(across, TRACKS, lookup->area.x + left);
    lookup->column.cells.cells =
        (Box){round(across[IDS].at), y, across[IDS].size, lookup->h * rows};
    place_segments(lookup, across[TABLE].at);
    lookup->found = placed_heatmap(lookup, lookup->out, across[FOUND].at, y);
    lookup->found.node = lookup->stage->node;
    lookup->found.row_labels = false;
    stage_result(lookup->stage, &lookup->found);
}

/* Returns the cells of a row of the table, or an empty box. */
static Box table_row(const Lookup *lookup, size_t row) {
    for (size_t i = 0; i < lookup->segment_count; i++) {
        const Segment *segment = &lookup->segments[i];
        if (row >= segment->first && row < segment->first + segment->count)
            return heatmap_cells(&segment->heatmap, row - segment->first,
                                 row - segment->first + 1, 0, lookup->table->cols);
    }
    return (Box){0};
}

/* ---- drawing ---- */

/* Draws the path from an ID to its row of the table, and from there to the row's copy. */
static void draw_path(const Lookup *lookup, size_t index, bool focus) {
    const Canvas *canvas = lookup->stage->canvas;
    size_t row = row_of(lookup, index);
    if (row >= lookup->table->rows || index * lookup->out->cols >= lookup->found.visible)
        return;
    Box id = heatmap_cells(&lookup->column.cells, index, index + 1, 0, 1);
    Box from = table_row(lookup, row);
    Box to = heatmap_cells(&lookup->found, index, index + 1, 0, lookup->out->cols);
    double gap = 5;
    double width = fmax(round(focus ? 2.5 : 1.5), 1);
    Color color = focus ? canvas->theme->focus : canvas->theme->ink_faint;
    color.a = focus ? 255 : 110;
    Color band = canvas->theme->ink_faint;
    band.a = focus ? FOCUS_BAND : BAND;
    curve_draw(canvas, (Point){id.x + id.w + gap, id.y + id.h / 2},
               (Point){from.x - lookup->table_labels - gap, from.y + from.h / 2}, width,
               color);
    curve_band(canvas, from, to, false, band);
}

/* Outlines the rows used; the focused token's row is emphasised. */
static void outline_used(const Lookup *lookup, size_t focus) {
    const Canvas *canvas = lookup->stage->canvas;
    size_t count = lookup->column.column->rows;
    for (size_t i = 0; i <= count; i++) {
        bool last = i == count;
        size_t index = last ? focus : i;
        if (index >= count || (!last && index == focus) ||
            row_of(lookup, index) >= lookup->table->rows)
            continue;
        Box row = table_row(lookup, row_of(lookup, index));
        if (row.h >= 3)
            canvas_outline(canvas, (Box){row.x - 1, row.y - 1, row.w, row.h}, 3,
                           last ? canvas->theme->focus : canvas->theme->ink_faint,
                           fmax(round(last ? 2.5 : 1.5), 1));
    }
}

/* Links each row of a table whose cells are too small for links of their own. */
static void link_rows(const Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    for (size_t s = 0; s < lookup->segment_count; s++) {
        const Segment *segment = &lookup->segments[s];
        for (size_t i = 0; i < segment->count && segment->heatmap.node == TAPE_NONE;
             i++) {
            canvas_link_cell(canvas, lookup->table_node, segment->first + i, 0);
            canvas_target(canvas, heatmap_cells(&segment->heatmap, i, i + 1, 0, 1));
            canvas_unlink(canvas);
        }
    }
}

/* Draws three vertical dots for rows that are left out. */
static void draw_left_out(const Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    double gap = GAP_ROWS * lookup->h;
    for (size_t i = 0; i <= lookup->segment_count; i++) {
        const Segment *before = i ? &lookup->segments[i - 1] : NULL;
        const Segment *behind = i < lookup->segment_count ? &lookup->segments[i] : NULL;
        size_t from = before ? before->first + before->count : 0;
        if (from == (behind ? behind->first : lookup->table->rows))
            continue;
        Box near = before ? before->heatmap.cells : behind->heatmap.cells;
        double middle = before ? near.y + near.h + gap / 2 : near.y - gap / 2;
        mark_left_out(canvas, (Point){near.x + near.w / 2, middle}, gap);
    }
}

/* Draws the names on one line below everything; the IDs' name has no shape, because they
 * are a row drawn as a column. */
static void draw_captions(const Lookup *lookup) {
    const Stage *stage = lookup->stage;
    const Canvas *canvas = stage->canvas;
    Box ids = lookup->column.cells.cells, table = lookup->segments[0].heatmap.cells;
    Box found = lookup->found.cells;
    double height = fmax(lookup->lines * lookup->h, found.h);
    double y = centred_top(lookup, height / lookup->h) + height + 26;
    Caption caption = caption_fit(
        stage, stage_formula_name(stage, lookup->ids_node), lookup->ids_node, lookup->ids,
        NAME_UNITS, ids.w + lookup->column.words + lookup->across[TO_TABLE].size);
    caption_draw_name(stage, &caption, (Point){ids.x + ids.w / 2, y}, LABEL_CENTER);
    const Box boxes[] = {table, found};
    const size_t nodes[] = {lookup->table_node, stage->node};
    Caption captions[2];
    double below = 0;
    for (int i = 0; i < 2; i++) {
        captions[i] = caption_fit(stage, stage_formula_name(stage, nodes[i]), nodes[i],
                                  stage_tensor(stage, nodes[i]), NAME_UNITS,
                                  boxes[i].w + lookup->across[TO_FOUND].size);
        below = fmax(below, captions[i].below);
    }
    for (int i = 0; i < 2; i++)
        caption_draw(stage, &captions[i], (Point){boxes[i].x + boxes[i].w / 2, y},
                     caption_shape_drop(canvas, below), LABEL_CENTER);
}

static void draw_cells(Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    size_t count = lookup->segment_count + 2;
    Heatmap **all = arena_alloc(canvas->scene->arena, count, sizeof(Heatmap *));
    if (!all)
        return;
    for (size_t i = 0; i < lookup->segment_count; i++)
        all[i] = &lookup->segments[i].heatmap;
    all[count - 2] = &lookup->column.cells;
    all[count - 1] = &lookup->found;
    heatmap_same_digits(canvas, all, count);
    for (size_t i = 0; i < count; i++)
        heatmap_draw(canvas, all[i]);
}

void embed_picture(const Stage *stage) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    Lookup lookup = {.stage = stage,
                     .table = stage_tensor(stage, node->inputs[0]),
                     .ids = stage_tensor(stage, node->inputs[1]),
                     .out = &node->output,
                     .table_node = node->inputs[0],
                     .ids_node = node->inputs[1],
                     .area = stage->area};
    box_take_bottom(&lookup.area, STAGE_LEGEND_HEIGHT + 60);
    lookup.reach = heatmap_reach(lookup.table);
    if (!id_column_init(&lookup.column, stage, lookup.ids_node, lookup.out))
        return;
    id_column_measure(&lookup.column, lookup.area.w, lookup.area.h);
    if (!measure(&lookup, false) && !measure(&lookup, true))
        measure(&lookup, false);
    if (!lookup.segment_count) {
        plain_picture(stage); /* no ID selects a row: there is nothing to connect */
        return;
    }
    place_heatmaps(&lookup);
    size_t focus = stage->has_focus ? stage->focus_row : (size_t)-1;
    for (size_t i = 0; i < lookup.column.column->rows; i++) {
        if (i != focus)
            draw_path(&lookup, i, false);
    }
    if (focus < lookup.column.column->rows)
        draw_path(&lookup, focus, true);
    draw_cells(&lookup);
    draw_left_out(&lookup);
    outline_used(&lookup, focus);
    id_column_draw(&lookup.column);
    link_rows(&lookup);
    draw_captions(&lookup);
    if (stage->has_focus && focus < lookup.out->rows)
        heatmap_outline_cell(canvas, &lookup.found, focus, stage->focus_col,
                             canvas->theme->focus);
    StageScale scale = {HEATMAP_SIGNED, lookup.reach};
    stage_legends(stage, stage->area, &scale, 1);
}
