#include "base/arena.h"
#include "lesson/play/player.h"
#include "picture/circuits/circuits_parts.h"
#include "picture/draw/lanes.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Sources, weights, and Q above K above V, as in a single attention; then the heads'
 * probabilities, each in a frame of the head's colour; their outputs side by side, W_O,
 * and the result. A head's columns have its colour in every table. */

static const double TITLE_UNITS = 16, STRIP = 5, THIN = 6, GAP = 6, LEGEND_GAP = 8;
static const double TO_HEADS = 62, TO_JOINED = 62,
                    AROUND_WEIGHT = 22; /* gaps between columns */
static const double SIDE = 110, COLUMN = 20, STACK_ROW = 22;
/* Heights of a head's title, and of the arcs below its probabilities. */
static const double HEAD_TITLE = 26, HEAD_ARCS = 44;
static const double HEAD_GAP = 14, WIDE_GAP = 40, TALL_GAP = 34, LEAST_WITH_ARCS = 13,
                    LARGEST_CELL = 34;
static const double JOINED_ROW = 26, CHOSEN_ROW = 34;
static const double BESIDE = 40; /* of a name, beyond its table's width */

/* Least width of the heads; fraction of their usual width that other columns and gaps
 * have at least. */
static const double LEAST_WIDTH = 100, READABLE_WIDTH = 260, NARROW = 0.6;
enum { LANES_EACH_MOST = 3 };

/* Tracks behind queries, keys and values. */
enum {
    BEFORE = CIRCUIT_OWN,
    HEADS,
    BEHIND,
    JOINED,
    BEFORE_WEIGHT,
    WEIGHT,
    BEHIND_WEIGHT,
    OUTPUT,
    TRACKS
};

typedef struct Heads {
    Circuit left; /* sources, weights, tables */
    const AttentionHeads *all;
    size_t row;
    Circuit *each; /* a head's probabilities and the arcs below them */
    size_t across; /* number of heads side by side */
    double cell;   /* cell size of the probabilities */
    bool arcs;
    CircuitLane out; /* W_O and its bias */
    ChosenTable joined, output;
    bool output_apart; /* the output has a scale and a legend of its own */
} Heads;

static const Stage *stage_of(const Heads *heads) {
    return heads->left.stage;
}

static Color color_of(const Heads *heads, size_t head) {
    return stage_of(heads)->canvas->theme->other[head % 4];
}

/* ---- data ---- */

static size_t chosen_row(const Stage *stage, const AttentionHeads *all) {
    size_t node = stage->focus_node, rows = stage_tensor(stage, all->output)->rows;
    bool is_question = node == all->output || node == all->joined ||
                       node == all->query.table || node == all->query.source;
    for (size_t i = 0; i < all->count; i++)
        is_question |=
            node == all->heads[i].probabilities || node == all->heads[i].output;
    return stage->has_focus && is_question && stage->focus_row < rows ? stage->focus_row
                                                                      : rows - 1;
}

static ChosenTable coloured(const Heads *heads, size_t node, bool is_question) {
    ChosenTable table =
        chosen_table_of(stage_of(heads), node, is_question ? heads->row : PLAYER_NONE);
    table.in_colours = true;
    return table;
}

/* Gives all tables except probabilities one scale; a result that would make the others
 * pale has its own. If values are differences or influences, probabilities use the common
 * scale too. */
static void set_scales(Heads *heads) {
    Circuit *left = &heads->left;
    double least = heads->joined.reach;
    bool plain = left->stage->values != NULL;
    for (size_t i = 0; i < heads->all->count && plain; i++)
        least = fmax(least, heads->each[i].probabilities.reach);
    heads->output_apart = circuit_scale_with(left, &heads->output, least);
    heads->joined.reach = left->reach;
    heads->out.weight.reach = heads->out.bias.reach =
        left->weight_reach > 0 ? left->weight_reach : left->reach;
    for (size_t i = 0; i < heads->all->count && plain; i++)
        heads->each[i].probabilities.reach = left->reach;
}

static void gather(Heads *heads, const Stage *stage, const AttentionHeads *all) {
    size_t row = chosen_row(stage, all);
    *heads = (Heads){.all = all, .row = row, .left = {.stage = stage, .row = row}};
    Circuit *left = &heads->left;
    left->area = stage->area;
    box_take_bottom(&left->area, STAGE_LEGEND_HEIGHT + LEGEND_GAP);
    circuit_set_lanes(left, &all->query, &all->key, &all->value);
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        left->lanes[i].table.in_colours = true;
        left->lanes[i].table.in_numbers = false;
    }
    heads->joined = coloured(heads, all->joined, true);
    heads->output = coloured(heads, all->output, true);
    heads->output.in_colours = false;
    heads->output.visible = stage->visible;
    heads->out.weight = coloured(heads, all->weight, false);
    heads->out.bias = coloured(heads, all->bias, false);
    heads->out.level = left->area.y + left->area.h / 2;
    heads->each =
        arena_alloc(stage->canvas->scene->arena, all->count, sizeof *heads->each);
    for (size_t i = 0; i < all->count; i++) {
        const AttentionParts *parts = &all->heads[i];
        Circuit *head = &heads->each[i];
        *head = (Circuit){.stage = stage, .parts = parts, .row = row};
        head->probabilities = chosen_table_of(stage, parts->probabilities, row);
        head->probabilities.hidden = &stage_node(stage, parts->last)->output;
    }
    set_scales(heads);
}

/* ---- the grid of heads ---- */

/* Height of a head's frame around its cells. */
static double around_height(const Heads *heads) {
    return 2 * ROLE_FRAME_MARGIN + HEAD_TITLE + (heads->arcs ? HEAD_ARCS : 0);
}

/* Number of rows of heads. */
static double count_down(const Heads *heads) {
    return ceil((double)heads->all->count / (double)heads->across);
}

/* Cell size of the present grid. */
static double cell_in(const Heads *heads, double width) {
    const ChosenTable *first = &heads->each[0].probabilities;
    double across = (double)heads->across, down = count_down(heads);
    double w = (width - (across - 1) * HEAD_GAP) / across - 2 * ROLE_FRAME_MARGIN;
    double h = (heads->left.area.h - (down - 1) * HEAD_GAP) / down - around_height(heads);
    double cell = fmin(w / chosen_cols(first), h / chosen_rows(first));
    return fmax(fmin(cell, LARGEST_CELL), 0.5);
}

/* Chooses the number of heads side by side with the largest cells, and whether there is
 * room for arcs; returns the width that the heads use. */
static double choose_grid(Heads *heads, double width) {
    heads->cell = 0;
    for (int i = 0; i < 2 && heads->cell < LEAST_WITH_ARCS; i++) {
        size_t best = 1;
        heads->arcs = i == 0;
        heads->cell = 0;
        for (heads->across = 1; heads->across <= heads->all->count; heads->across++) {
            double cell = cell_in(heads, width);
            if (cell > heads->cell)
                best = heads->across;
            heads->cell = fmax(cell, heads->cell);
        }
        heads->across = best;
    }
    double across = (double)heads->across;
    double frame =
        heads->cell * chosen_cols(&heads->each[0].probabilities) + 2 * ROLE_FRAME_MARGIN;
    return fmin(width, across * frame + (across - 1) * WIDE_GAP);
}

static Box head_frame(const Heads *heads, size_t head) {
    Box box = box_inset(heads->each[head].probabilities.cells, -ROLE_FRAME_MARGIN);
    return (Box){box.x, box.y - HEAD_TITLE, box.w,
                 box.h + HEAD_TITLE + (heads->arcs ? HEAD_ARCS : 0)};
}

static void place_heads(Heads *heads, const Track *column) {
    const ChosenTable *first = &heads->each[0].probabilities;
    Box area = heads->left.area;
    double w = heads->cell * chosen_cols(first) + 2 * ROLE_FRAME_MARGIN;
    double h = heads->cell * chosen_rows(first) + around_height(heads);
    double across = (double)heads->across, down = count_down(heads);
    double gap_x = (column->size - across * w) / fmax(across - 1, 1);
    double gap_y = fmin((area.h - down * h) / fmax(down - 1, 1), TALL_GAP);
    double left = column->at + (across > 1 ? 0 : gap_x / 2);
    double top = area.y + (area.h - down * h - (down - 1) * gap_y) / 2;
    for (size_t i = 0; i < heads->all->count; i++) {
        Circuit *head = &heads->each[i];
        double col = (double)(i % heads->across), row = (double)(i / heads->across);
        head->probabilities.row_height = head->probabilities.chosen_height = heads->cell;
        chosen_table_place(
            &head->probabilities,
            (Point){left + col * (w + gap_x) + ROLE_FRAME_MARGIN,
                    top + row * (h + gap_y) + ROLE_FRAME_MARGIN + HEAD_TITLE},
            heads->cell);
        head->arcs = HEAD_ARCS;
    }
}

/* ---- columns ---- */

/* Width of a table with columns of at most `most`. */
static double width_of(const ChosenTable *table, double side, double most) {
    return fmin(side, most * chosen_cols(table));
}

/* Track of a table's columns, which are narrower if heads have no room. */
static Track columns_of(const ChosenTable *table, double side, double most) {
    double column = fmin(side / chosen_cols(table), most);
    return (Track){.parts = chosen_cols(table), .least = NARROW * column, .want = column};
}

/* Divides the width; what is left over is the heads'. Returns false if parts have less
 * than their least. */
static bool divide(Heads *heads, Track *across) {
    const Circuit *left = &heads->left;
    double widest = 0, tabs = 0, margin = ROLE_FRAME_MARGIN;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        RoleTab tab = circuit_tab(left, &left->lanes[i]);
        widest = fmax(widest, width_of(&left->lanes[i].table, SIDE, COLUMN));
        tabs = fmax(tabs, role_tab_width(left->stage->canvas, &tab) - 2 * margin);
    }
    circuit_set_tracks(left, across);
    circuit_add_weights(left, across);
    across[CIRCUIT_TABLES] = track_of(widest);
    across[BEFORE] = circuit_gap(margin + fmax(tabs - widest, 0), TO_HEADS);
    across[HEADS] =
        (Track){.least = LEAST_WIDTH, .want = READABLE_WIDTH, .most = left->area.w};
    across[BEHIND] = circuit_gap(0, TO_JOINED);
    across[JOINED] = columns_of(&heads->joined, SIDE, COLUMN);
    if (heads->out.weight.tensor) {
        across[BEFORE_WEIGHT] = across[BEHIND_WEIGHT] = circuit_gap(0, AROUND_WEIGHT);
        across[WEIGHT] = track_of(circuit_weight_width(left, &heads->out.weight));
        across[OUTPUT] = columns_of(&heads->output, SIDE * 1.6, COLUMN * 1.6);
        across[OUTPUT].least = columns_of(&heads->output, SIDE, COLUMN).least;
    }
    bool fits = circuit_share(left, across, TRACKS);
    across[HEADS] = track_of(choose_grid(heads, across[HEADS].part));
    circuit_share(left, across, TRACKS);
    circuit_spread(left, across, TRACKS);
    return fits;
}

/* Places a table of the right side in the middle of the height. */
static void place_right(const Heads *heads, ChosenTable *table, const Track *column,
                        double chosen) {
    Box area = heads->left.area;
    if (!table->tensor)
        return;
    chosen_table_fit(table, area.h * 0.6, JOINED_ROW, chosen);
    chosen_table_place(
        table, (Point){column->at, area.y + (area.h - chosen_table_height(table)) / 2},
        column->part);
}

static void lay_out(Heads *heads) {
    Track across[TRACKS] = {0};
    if (!heads->out.weight.tensor)
        heads->output.tensor = NULL;
    if (!divide(heads, across)) {
        memset(across, 0, sizeof across);
        circuit_leave_out(&heads->left, false);
        divide(heads, across);
    }
    circuit_place_stack(&heads->left, &across[CIRCUIT_TABLES], CIRCUIT_LANES, STACK_ROW,
                        0);
    circuit_place(&heads->left, across);
    place_heads(heads, &across[HEADS]);
    place_right(heads, &heads->joined, &across[JOINED], 0);
    if (heads->out.weight.tensor)
        circuit_place_weight(&heads->left, &heads->out,
                             across[WEIGHT].at + across[WEIGHT].size / 2, 0);
    place_right(heads, &heads->output, &across[OUTPUT], CHOSEN_ROW);
}

/* ---- drawing ---- */

/* Draws lanes from the tables' bands to each head; from the keys only if heads are many.
 */
static void draw_split(const Heads *heads) {
    const Circuit *left = &heads->left;
    for (size_t i = 0; i < heads->all->count; i += heads->across) {
        Box to = head_frame(heads, i);
        double spread = ((double)i - (double)(heads->all->count - 1) / 2) * 9;
        for (int j = 0; j < CIRCUIT_LANES; j++) {
            Box table = left->lanes[j].table.cells;
            if (heads->all->count <= LANES_EACH_MOST || j == CIRCUIT_KEY)
                lane_between(left->stage->canvas,
                             (Point){table.x + table.w + ROLE_FRAME_MARGIN,
                                     left->lanes[j].level + spread},
                             (Point){to.x, to.y + to.h / 2 + (j - 1) * 14},
                             (Lane){.color = color_of(heads, i), .thickness = THIN});
        }
    }
}

/* Draws lanes from each head to the concatenated outputs. */
static void draw_joining(const Heads *heads) {
    Box joined = heads->joined.cells;
    size_t count = heads->all->count;
    for (size_t i = 0; i < count; i++) {
        Box from = head_frame(heads, i);
        double part = ((double)i + 0.5) / (double)count;
        if ((i + 1) % heads->across == 0 || i + 1 == count)
            lane_between(stage_of(heads)->canvas,
                         (Point){from.x + from.w, from.y + from.h / 2},
                         (Point){joined.x - GAP, joined.y + joined.h * (0.25 + part / 2)},
                         (Lane){.color = color_of(heads, i)});
    }
}

static void draw_lanes(const Heads *heads) {
    Box joined = heads->joined.cells;
    double y = round(joined.y + joined.h / 2);
    circuit_draw_paths(&heads->left);
    draw_split(heads);
    draw_joining(heads);
    if (heads->out.weight.tensor)
        lane_between(stage_of(heads)->canvas, (Point){joined.x + joined.w + 2, y},
                     (Point){heads->output.cells.x - 4, y}, (Lane){0});
}

/* Draws strips in the heads' colours above their columns of a table. */
static void draw_bands(const Heads *heads, const ChosenTable *table) {
    double each = chosen_cols(table) / (double)heads->all->count;
    for (size_t i = 0; i < heads->all->count && heads->all->count > 1; i++)
        circuit_draw_band(&heads->left, table, each * (double)i, each * (double)(i + 1),
                          color_of(heads, i));
}

/* Draws strips above keys and values that several heads share: above each column the
 * colours of all its heads. */
static void draw_shared_bands(const Heads *heads, const ChosenTable *table,
                              size_t shared) {
    size_t group = heads->all->count / shared, each = table->tensor->cols / shared;
    double part = 1 / (double)group;
    for (size_t i = 0; i < table->tensor->cols * group; i++)
        circuit_draw_band(&heads->left, table, part * (double)i, part * (double)(i + 1),
                          color_of(heads, i / group / each * group + i % group));
}

/* Number of heads with keys of their own; the other heads share their columns. */
static size_t count_shared(const AttentionHeads *all) {
    size_t shared = 1;
    for (size_t i = 1; i < all->count; i++)
        shared += all->heads[i].key.first_col > all->heads[i - 1].key.first_col;
    return shared;
}

static void draw_lane_bands(const Heads *heads, CircuitLaneKind kind) {
    const ChosenTable *table = &heads->left.lanes[kind].table;
    size_t shared = kind == CIRCUIT_QUERY ? heads->all->count : count_shared(heads->all);
    if (shared < heads->all->count && heads->all->heads[0].key.band)
        draw_shared_bands(heads, table, shared);
    else
        draw_bands(heads, table);
}

static void draw_head(const Heads *heads, size_t head) {
    const Canvas *canvas = stage_of(heads)->canvas;
    const Circuit *each = &heads->each[head];
    Box frame = head_frame(heads, head);
    scene_rectangle(canvas->scene, frame, 8, canvas->theme->page, color_of(heads, head),
                    2.5);
    const char *title =
        canvas_words(canvas, "view.head", canvas_count(canvas, head + 1), NULL);
    double least = canvas_least(canvas, title);
    if (canvas_text_width(canvas, FONT_BOLD, least, title) > frame.w - 8)
        title = canvas_count(canvas, head + 1);
    canvas_text_within(canvas, FONT_BOLD, canvas_size(canvas, TITLE_UNITS, title),
                       frame.w - 8, color_of(heads, head),
                       (Point){frame.x + frame.w / 2, frame.y + HEAD_TITLE - 2},
                       LABEL_CENTER, title);
    chosen_table_draw(stage_of(heads), &each->probabilities);
    if (heads->arcs)
        circuit_draw_arcs(each);
}

/* Draws W_O with each head's colour beside the rows that its columns are multiplied
 * by. */
static void draw_weight(const Heads *heads) {
    const Stage *stage = stage_of(heads);
    if (!heads->out.weight.tensor)
        return;
    circuit_draw_weight(&heads->left, &heads->out);
    size_t count = heads->all->count, each = heads->out.weight.tensor->rows / count;
    for (size_t i = 0; i < count && count > 1; i++) {
        Box first = chosen_table_row(&heads->out.weight, i * each);
        Box last = chosen_table_row(&heads->out.weight, (i + 1) * each - 1);
        canvas_fill(stage->canvas,
                    (Box){first.x - STRIP - 1, first.y, STRIP, last.y + last.h - first.y},
                    0, color_of(heads, i));
    }
}

static void draw_result(const Heads *heads, const ChosenTable *table, double width,
                        bool apart) {
    if (!table->tensor)
        return;
    circuit_draw_result(&heads->left, table,
                        stage_formula_name(stage_of(heads), table->node), width, apart);
}

/* Width of the result's name, which may reach from that of the joined heads to the area's
 * end. */
static double result_name(const Heads *heads) {
    Box area = heads->left.area, joined = heads->joined.cells;
    double from = joined.x + joined.w + BESIDE / 2 + GAP;
    return fmin(heads->output.cells.w + 2 * BESIDE, area.x + area.w - from);
}

bool heads_circuit(const Stage *stage) {
    AttentionHeads all;
    Heads heads;
    if (!attention_find_heads(stage, &all))
        return false;
    gather(&heads, stage, &all);
    lay_out(&heads);
    draw_lanes(&heads);
    circuit_draw_sources(&heads.left);
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        circuit_draw_weight(&heads.left, &heads.left.lanes[i]);
        circuit_draw_table(&heads.left, &heads.left.lanes[i]);
        draw_lane_bands(&heads, (CircuitLaneKind)i);
    }
    for (size_t i = 0; i < all.count; i++)
        draw_head(&heads, i);
    draw_bands(&heads, &heads.joined);
    draw_result(&heads, &heads.joined, heads.joined.cells.w + BESIDE, false);
    draw_weight(&heads);
    draw_result(&heads, &heads.output, result_name(&heads), heads.output_apart);
    circuit_draw_legends(&heads.left);
    return true;
}
