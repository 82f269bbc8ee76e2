#include "base/arena.h"
#include "picture/draw/canvas.h"
#include "picture/draw/marks.h"
#include "picture/operations/embeddings/embedding_pictures.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/caption.h"
#include "picture/stage/ruler.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* An embedding lookup: each token is a chip with its ID; a line leads from there to the
 * row of the table with this number, and a band as tall as the row to its copy in the
 * output. If the table is too tall to be readable, only the rows used are drawn, with "⋮"
 * for those between.
 *
 * One-hot vectors need no table: the line leads to the vector, whose 1 is in the column
 * with the ID as its number. */

/* Units: row heights of readable tables; of one-hot vectors; their numbers. */
static const double LARGEST_ROW = 64, LEAST_ROW = 30;
static const double LARGEST_CELL = 72, LEAST_CELL = 26, HEADS = 34;
static const double LOWEST_ROW = 26, NAME_UNITS = 22, CAPTION = 60;
static const double CURVES = 84, LEAST_CURVES = 36; /* points: width of the curves */
static const double GAP_ROWS = 0.6;                 /* height of "⋮" in rows */
static const double ROUNDING = 1e-6;                /* points */
static const double LEAST_LINKED = 4; /* points: smaller cells are drawn as an image */
enum { BAND = 34, FOCUS_BAND = 110 }; /* opacity of bands */

/* Units: the tokens' letters, the gap behind them, the width of an ID. */
static const double WORD_UNITS = 20, WORD_GAP = 14, ID_WIDTH = 40;
static const double WORDS_SHARE = 0.28; /* of the width */
/* Least height of a chip, and of a word without one, over its font size. */
static const double CHIP_HEIGHT = 1.25, WORD_HEIGHT = 1.05;

/* Tracks from left to right: the tokens, their IDs, curves to the table, the labels of
 * its rows, the table, curves to the output, and the output. */
enum { WORDS, IDS, TO_TABLE, LABELS, TABLE, TO_FOUND, FOUND, TRACKS };

/* A run of consecutive rows of the table. */
typedef struct Segment {
    size_t first; /* its first row */
    Tensor rows;  /* borrows values of the table */
    Heatmap heatmap;
} Segment;

typedef struct Lookup {
    const Stage *stage;
    const Tensor *table; /* NULL: there is none */
    const Tensor *ids, *out;
    size_t table_node, ids_node;
    Heatmap column;     /* the IDs below each other, labelled with their words */
    double words, size; /* width of the words with their gap, and font size; or 0 */
    size_t segment_count;
    Segment *segments;
    double lines; /* height of the table in rows, with "⋮" */
    double w, h;  /* size of a cell in points */
    Track across[TRACKS];
    double table_labels;
    bool numbers_alone; /* only numbers label the rows: words, which the chips have too,
                           would need the width of digits */
    Box area;
    HeatmapColors colors;
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

/* Returns labels followed by the position's number, which is the ID that selects it. */
static const char *const *numbered_labels(const Canvas *canvas, const char *const *labels,
                                          size_t first, size_t count) {
    const char **numbered = arena_alloc(canvas->scene->arena, count, sizeof *numbered);
    for (size_t i = 0; i < count; i++)
        numbered[i] = canvas_format(canvas, "%s%s%zu", labels ? labels[first + i] : "",
                                    labels && *labels[first + i] ? "   " : "", first + i);
    return numbered;
}

static Segment segment_of(const Lookup *lookup, size_t first, size_t count) {
    const Tensor *table = lookup->table;
    Segment segment = {.first = first, .rows = *table};
    segment.rows.rows = count;
    segment.rows.values = table->values + first * table->cols;
    segment.rows.row_labels =
        numbered_labels(lookup->stage->canvas,
                        lookup->numbers_alone ? NULL : table->row_labels, first, count);
    return segment;
}

/* Chooses all rows as one segment, or the runs of rows that some ID selects; returns
 * false if there are none. */
static bool choose_rows(Lookup *lookup, bool all) {
    Arena *arena = lookup->stage->canvas->scene->arena;
    size_t rows = lookup->table->rows, count = tensor_cells(lookup->ids);
    bool *used = arena_alloc(arena, rows, sizeof *used);
    lookup->segments = arena_alloc(arena, count + 1, sizeof *lookup->segments);
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

/* Sets the IDs as a column with the words that label rows of the output. */
static void set_column(Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    Tensor *column = arena_alloc(canvas->scene->arena, 1, sizeof *column);
    const char *const *labels = lookup->out->row_labels;
    *column = *lookup->ids;
    column->rows = tensor_cells(lookup->ids);
    column->cols = 1;
    column->col_labels = NULL;
    column->row_labels = labels;
    lookup->column = (Heatmap){.tensor = column,
                               .node = TAPE_NONE,
                               .colors = HEATMAP_PLAIN,
                               .reach = 1,
                               .visible = (size_t)-1};
    if (!labels)
        return;
    double line = lookup->area.h / (double)column->rows;
    double size = fmin(canvas_size(canvas, WORD_UNITS, "一"), floor(line / 2.2));
    lookup->size = fmax(size, canvas_least(canvas, "一"));
    for (size_t i = 0; i < column->rows; i++)
        lookup->words = fmax(lookup->words, token_width(canvas, lookup->size, labels[i]));
    lookup->words = fmin(lookup->words, lookup->area.w * WORDS_SHARE) + WORD_GAP;
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
        .parts = (double)lookup->out->cols, .want = fmin(readable, most), .most = most};
    Track *across = lookup->across;
    double id = fmin(lookup->h * 1.4, ID_WIDTH);
    across[WORDS] = track_of(lookup->words);
    across[IDS] = (Track){
        .parts = 1, .least = id, .want = fmax(id, cells.want), .most = fmax(id, most)};
    across[TO_TABLE] = curves;
    if (lookup->table) {
        across[LABELS] = track_of(lookup->table_labels);
        across[TABLE] = cells;
        across[TO_FOUND] = curves;
    }
    across[FOUND] = cells;
    ruler_share(across, TRACKS, lookup->area.x, lookup->area.w);
    lookup->w = across[FOUND].part;
}

/* Labels the rows with tokens or only with numbers, and computes the size of cells;
 * returns false if the numbers in the tables would be unreadable. */
static bool measure(Lookup *lookup, bool numbers_alone) {
    const Canvas *canvas = lookup->stage->canvas;
    Heatmap table = {.tensor = lookup->table ? lookup->table : lookup->out,
                     .reach = lookup->reach};
    double readable = heatmap_least_column(canvas, &table);
    lookup->numbers_alone = numbers_alone;
    if (lookup->table && !choose_rows(lookup, has_room(lookup)))
        return false;
    lookup->table_labels = table_label_room(lookup);
    double lines = fmax(lookup->lines, (double)lookup->column.tensor->rows);
    lookup->h = fmin(lookup->area.h / lines, lookup->table ? LARGEST_ROW : LARGEST_CELL);
    lookup->w =
        lookup->h * fmax(heatmap_aspect(canvas, table.tensor, lookup->h),
                         heatmap_aspect(canvas, lookup->column.tensor, lookup->h));
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
                     .colors = lookup->colors,
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
        next = segment->first + segment->rows.rows;
    }
}

static void place_heatmaps(Lookup *lookup) {
    Track *across = lookup->across;
    double rows = (double)lookup->column.tensor->rows, y = centred_top(lookup, rows);
    double left = fmax(lookup->area.w - ruler_used(across, TRACKS), 0) / 2;
    ruler_place(across, TRACKS, lookup->area.x + left);
    lookup->column.cells =
        (Box){round(across[IDS].at), y, across[IDS].size, lookup->h * rows};
    place_segments(lookup, across[TABLE].at);
    lookup->found = placed_heatmap(lookup, lookup->out, across[FOUND].at, y);
    lookup->found.node = lookup->stage->node;
    lookup->found.row_labels = false;
    lookup->found.col_labels = !lookup->table;
    if (!lookup->table)
        stage_focus(lookup->stage, &lookup->found, false, true);
    stage_result(lookup->stage, &lookup->found);
}

/* Returns the cells of a row of the table, or an empty box. */
static Box table_row(const Lookup *lookup, size_t row) {
    for (size_t i = 0; i < lookup->segment_count; i++) {
        const Segment *segment = &lookup->segments[i];
        if (row >= segment->first && row < segment->first + segment->rows.rows)
            return heatmap_cells(&segment->heatmap, row - segment->first,
                                 row - segment->first + 1, 0, lookup->table->cols);
    }
    return (Box){0};
}

/* ---- the tokens ---- */

/* Returns true if an ID has its word: all have if there is room, else some of them, the
 * focused one among them. */
static bool has_word(const Lookup *lookup, size_t index) {
    const Stage *stage = lookup->stage;
    size_t stride = (size_t)fmax(ceil(lookup->size * WORD_HEIGHT / lookup->h), 1);
    size_t first = stage->has_focus ? stage->focus_row % stride : 0;
    return lookup->size > 0 && index % stride == first;
}

/* Draws a token's word before its ID, in a chip if these fit in all rows. */
static void draw_word(const Lookup *lookup, size_t index, Box id) {
    const Stage *stage = lookup->stage;
    const Canvas *canvas = stage->canvas;
    const char *label = lookup->column.tensor->row_labels[index];
    TokenKind kind = token_kind(label);
    Token token = {.label = label,
                   .kind = kind == TOKEN_SUBWORD ? TOKEN_WORD : kind,
                   .present = stage->has_focus && stage->focus_row == index,
                   .size = lookup->size};
    double room = lookup->words - WORD_GAP,
           width = fmin(token_width(canvas, lookup->size, label), room);
    double height = fmin(token_height(lookup->size), id.h - 2);
    if (lookup->size * CHIP_HEIGHT + 4 <= lookup->h)
        token_draw(canvas, &token,
                   (Box){id.x - WORD_GAP - width, round(id.y + (id.h - height) / 2),
                         width, height});
    else
        canvas_row_label(canvas, lookup->size, room, token.present,
                         (Point){id.x - WORD_GAP, id.y + id.h / 2},
                         token_text(canvas, label));
}

/* Draws the words and links the IDs' cells to the tape, which may hold them in a row. */
static void draw_words(const Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    Series ids = series_of_all(canvas, lookup->ids);
    ids.node = lookup->ids_node;
    for (size_t i = 0; i < lookup->column.tensor->rows; i++) {
        Box id = heatmap_cells(&lookup->column, i, i + 1, 0, 1);
        Link link = series_link(&ids, i);
        canvas_link(canvas, link);
        if (has_word(lookup, i))
            draw_word(lookup, i, id);
        canvas_target(canvas, id);
        canvas_unlink(canvas);
        if (link_equal(canvas->pointed, link))
            heatmap_outline_cell(canvas, &lookup->column, i, 0, canvas->theme->focus);
    }
}

/* ---- the rows ---- */

/* Draws the path from an ID to its row of the table, and from there to the row's copy; or
 * to its one-hot vector. */
static void draw_path(const Lookup *lookup, size_t index, bool focus) {
    const Canvas *canvas = lookup->stage->canvas;
    bool found = !lookup->table || row_of(lookup, index) < lookup->table->rows;
    if (!found || index * lookup->out->cols >= lookup->found.visible)
        return;
    Box id = heatmap_cells(&lookup->column, index, index + 1, 0, 1);
    Box to = heatmap_cells(&lookup->found, index, index + 1, 0, lookup->out->cols);
    Box from = lookup->table ? table_row(lookup, row_of(lookup, index)) : to;
    double gap = 5;
    Color color = focus ? canvas->theme->focus : canvas->theme->ink_faint;
    color.a = focus ? 255 : 110;
    Color band = canvas->theme->ink_faint;
    band.a = focus ? FOCUS_BAND : BAND;
    curve_draw(canvas, (Point){id.x + id.w + gap, id.y + id.h / 2},
               (Point){from.x - lookup->table_labels - gap, from.y + from.h / 2},
               focus ? 3 : 2, color);
    if (lookup->table)
        curve_band(canvas, from, to, false, band);
}

/* Outlines the row of the table that an ID selects. */
static void outline_used(const Lookup *lookup, size_t index, bool focus) {
    const Canvas *canvas = lookup->stage->canvas;
    Box row = lookup->table ? table_row(lookup, row_of(lookup, index)) : (Box){0};
    if (row.h >= 3)
        canvas_outline(canvas, (Box){row.x - 1, row.y - 1, row.w, row.h}, 3,
                       focus ? canvas->theme->focus : canvas->theme->ink_faint,
                       focus ? 3 : 2);
}

/* Calls a function for each ID, at last for the focused one. */
static void for_each_id(const Lookup *lookup,
                        void (*draw)(const Lookup *lookup, size_t index, bool focus)) {
    const Stage *stage = lookup->stage;
    size_t count = lookup->column.tensor->rows,
           focus = stage->has_focus ? stage->focus_row : count;
    for (size_t i = 0; i < count; i++) {
        if (i != focus)
            draw(lookup, i, false);
    }
    if (focus < count)
        draw(lookup, focus, true);
}

/* Links each row of a table whose cells are too small for links of their own. */
static void link_rows(const Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    for (size_t s = 0; s < lookup->segment_count; s++) {
        const Segment *segment = &lookup->segments[s];
        for (size_t i = 0; i < segment->rows.rows && segment->heatmap.node == TAPE_NONE;
             i++) {
            canvas_link_cell(canvas, lookup->table_node, segment->first + i, 0);
            canvas_target(canvas, heatmap_cells(&segment->heatmap, i, i + 1, 0, 1));
            canvas_unlink(canvas);
        }
    }
}

/* Draws three vertical dots for rows that are left out. */
static void draw_left_out(const Lookup *lookup) {
    double gap = GAP_ROWS * lookup->h;
    for (size_t i = 0; lookup->table && i <= lookup->segment_count; i++) {
        const Segment *before = i ? &lookup->segments[i - 1] : NULL;
        const Segment *behind = i < lookup->segment_count ? &lookup->segments[i] : NULL;
        size_t from = before ? before->first + before->rows.rows : 0;
        if (from == (behind ? behind->first : lookup->table->rows))
            continue;
        Box near = before ? before->heatmap.cells : behind->heatmap.cells;
        double middle = before ? near.y + near.h + gap / 2 : near.y - gap / 2;
        mark_left_out(lookup->stage->canvas, (Point){near.x + near.w / 2, middle}, gap);
    }
}

/* Draws the names on one line below everything; the IDs' name has no shape, because they
 * are a row drawn as a column. */
static void draw_captions(const Lookup *lookup) {
    const Stage *stage = lookup->stage;
    const Track *across = lookup->across;
    double height = fmax(lookup->lines * lookup->h, lookup->found.cells.h), below = 0;
    double y = centred_top(lookup, height / lookup->h) + height + 26;
    const size_t tracks[] = {IDS, TABLE, FOUND},
                 nodes[] = {lookup->ids_node, lookup->table_node, stage->node};
    const double beside[] = {lookup->words + across[TO_TABLE].size, across[TO_FOUND].size,
                             across[TO_FOUND].size};
    Caption captions[3];
    for (int i = 0; i < 3; i++) {
        captions[i] =
            caption_of(stage, nodes[i], NAME_UNITS, across[tracks[i]].size + beside[i]);
        below = fmax(below, i ? captions[i].below : 0);
    }
    for (int i = 0; i < 3; i++) {
        const Track *track = &across[tracks[i]];
        Point axis = {round(track->at) + track->size / 2, y};
        if (i == 0)
            caption_draw_name(stage, &captions[i], axis, LABEL_CENTER);
        else if (track->size > 0)
            caption_draw(stage, &captions[i], axis,
                         caption_shape_drop(stage->canvas, below), LABEL_CENTER);
    }
}

static void draw_cells(Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    size_t count = lookup->segment_count + 2;
    Heatmap **all = arena_alloc(canvas->scene->arena, count, sizeof(Heatmap *));
    for (size_t i = 0; i < lookup->segment_count; i++)
        all[i] = &lookup->segments[i].heatmap;
    all[count - 2] = &lookup->column;
    all[count - 1] = &lookup->found;
    heatmap_same_digits(canvas, all, count);
    for (size_t i = 0; i < count; i++)
        heatmap_draw(canvas, all[i]);
}

static void draw(Lookup *lookup) {
    const Stage *stage = lookup->stage;
    place_heatmaps(lookup);
    for_each_id(lookup, draw_path);
    draw_cells(lookup);
    draw_left_out(lookup);
    for_each_id(lookup, outline_used);
    draw_words(lookup);
    link_rows(lookup);
    draw_captions(lookup);
    stage_outline_focus(stage, &lookup->found);
    stage_legends(stage, stage->area, &(StageScale){lookup->found.colors, lookup->reach},
                  1);
}

void embed_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Lookup lookup = {.stage = stage,
                     .table = stage_tensor(stage, node->inputs[0]),
                     .ids = stage_tensor(stage, node->inputs[1]),
                     .out = &node->output,
                     .table_node = node->inputs[0],
                     .ids_node = node->inputs[1],
                     .area = stage->area};
    box_take_bottom(&lookup.area, STAGE_LEGEND_HEIGHT + CAPTION);
    lookup.reach = heatmap_reach(lookup.table);
    set_column(&lookup);
    if (!measure(&lookup, false) && !measure(&lookup, true))
        measure(&lookup, false);
    if (lookup.segment_count)
        draw(&lookup);
    else
        plain_picture(stage); /* no ID selects a row: there is nothing to connect */
}

void one_hot_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Tensor out = node->output;
    Lookup lookup = {.stage = stage,
                     .ids = stage_tensor(stage, node->inputs[0]),
                     .out = &out,
                     .table_node = stage->node,
                     .ids_node = node->inputs[0],
                     .area = stage->area,
                     .colors = stage_colors(stage->tape, stage->node),
                     .reach = 1};
    box_take_top(&lookup.area, HEADS);
    box_take_bottom(&lookup.area, STAGE_LEGEND_HEIGHT + CAPTION);
    set_column(&lookup);
    if (!out.col_labels)
        out.col_labels = numbered_labels(stage->canvas, NULL, 0, out.cols);
    measure(&lookup, false);
    if (lookup.column.tensor->rows == out.rows && !stage->values &&
        fmin(lookup.w, lookup.h) >= LEAST_CELL)
        draw(&lookup);
    else
        plain_picture(stage);
}
