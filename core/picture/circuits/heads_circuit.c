#include "picture/circuits/heads_circuit.h"

#include "base/arena.h"
#include "lesson/play/player.h"
#include "picture/circuits/heads.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Sources, weights, and Q above K above V, as in a single attention; then the heads'
 * probabilities, each in a frame of the head's colour; their outputs side by side, W_O,
 * and the result. A head's columns have its colour in every table. */

static const double TITLE_UNITS = 16, STRIP = 5, THIN = 6, GAP = 6, MUCH_LARGER = 2,
                    LEGEND_GAP = 8;
enum { LANES_EACH_MOST = 3 };

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

static void gather_each(Heads *heads) {
    const Stage *stage = stage_of(heads);
    for (size_t i = 0; i < heads->all->count; i++) {
        const AttentionParts *parts = &heads->all->heads[i];
        Circuit *head = &heads->each[i];
        *head = (Circuit){.stage = stage, .parts = parts, .row = heads->row};
        head->probabilities = chosen_table_of(stage, parts->probabilities, heads->row);
        head->probabilities.hidden = &stage_node(stage, parts->last)->output;
    }
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
    circuit_scale(left, least);
    heads->output_apart = heads->output.reach > MUCH_LARGER * left->reach;
    if (!heads->output_apart) {
        circuit_scale(left, fmax(least, heads->output.reach));
        heads->output.reach = left->reach;
    }
    heads->joined.reach = left->reach;
    heads->weight.reach = heads->bias.reach =
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
    left->lanes[CIRCUIT_QUERY] = circuit_lane(left, &all->query, ROLE_QUERY);
    left->lanes[CIRCUIT_KEY] = circuit_lane(left, &all->key, ROLE_KEY);
    left->lanes[CIRCUIT_VALUE] = circuit_lane(left, &all->value, ROLE_VALUE);
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        left->lanes[i].table.in_colours = true;
        left->lanes[i].table.in_numbers = false;
    }
    heads->joined = coloured(heads, all->joined, true);
    heads->output = coloured(heads, all->output, true);
    heads->output.in_colours = false;
    heads->output.visible = stage->visible;
    if (all->weight != TAPE_NONE)
        heads->weight = coloured(heads, all->weight, false);
    if (all->bias != TAPE_NONE)
        heads->bias = coloured(heads, all->bias, false);
    heads->each =
        arena_alloc(stage->canvas->scene->arena, all->count, sizeof *heads->each);
    gather_each(heads);
    set_scales(heads);
}

/* ---- drawing ---- */

/* Draws lanes from the tables' bands to each head. */
static void draw_split(const Heads *heads) {
    const Circuit *left = &heads->left;
    for (size_t i = 0; i < heads->all->count; i++) {
        Box to = heads_frame(heads, i);
        for (int j = 0; j < CIRCUIT_LANES; j++) {
            if (i % heads->across ||
                (heads->all->count > LANES_EACH_MOST && j != CIRCUIT_KEY))
                continue;
            const ChosenTable *table = &left->lanes[j].table;
            double spread = ((double)i - (double)(heads->all->count - 1) / 2) * 9;
            Point points[] = {{table->cells.x + table->cells.w + ROLE_FRAME_MARGIN,
                               left->lanes[j].level + spread},
                              {to.x, to.y + to.h / 2 + (j - 1) * 14}};
            lane_draw(stage_of(heads)->canvas, &(Lane){.color = color_of(heads, i),
                                                       .points = points,
                                                       .count = 2,
                                                       .thickness = THIN});
        }
    }
}

/* Draws lanes from each head to the concatenated outputs. */
static void draw_joining(const Heads *heads) {
    Box joined = heads->joined.cells;
    size_t count = heads->all->count;
    for (size_t i = 0; i < count; i++) {
        if ((i + 1) % heads->across && i + 1 < count)
            continue;
        Box from = heads_frame(heads, i);
        double part = ((double)i + 0.5) / (double)count;
        Point points[] = {{from.x + from.w, from.y + from.h / 2},
                          {joined.x - GAP, joined.y + joined.h * (0.25 + part / 2)}};
        lane_draw(stage_of(heads)->canvas,
                  &(Lane){.color = color_of(heads, i), .points = points, .count = 2});
    }
}

static void draw_lanes(const Heads *heads) {
    for (int i = 0; i < CIRCUIT_LANES; i++)
        circuit_draw_path(&heads->left, (CircuitLaneKind)i);
    draw_split(heads);
    draw_joining(heads);
    if (!heads->weight.tensor)
        return;
    Box joined = heads->joined.cells, output = heads->output.cells;
    double y = round(joined.y + joined.h / 2);
    Point points[] = {{joined.x + joined.w + 2, y}, {output.x - 4, y}};
    lane_draw(stage_of(heads)->canvas, &(Lane){.points = points, .count = 2});
}

/* Draws strips in the heads' colours above their columns of a table. */
static void draw_bands(const Heads *heads, const ChosenTable *table) {
    size_t count = heads->all->count, each = table->tensor->cols / count;
    for (size_t i = 0; i < count && count > 1; i++)
        circuit_draw_band(&heads->left, table, i * each, (i + 1) * each,
                          color_of(heads, i));
}

/* Draws strips above keys and values that several heads share: above each column the
 * colours of all its heads. */
static void draw_shared_bands(const Heads *heads, const ChosenTable *table,
                              size_t shared) {
    size_t count = heads->all->count, group = count / shared;
    size_t each = table->tensor->cols / shared;
    for (size_t col = 0; col < table->tensor->cols; col++) {
        for (size_t i = 0; i < group; i++)
            circuit_draw_attention_weight(&heads->left, table, col, i, group,
                                          color_of(heads, col / each * group + i));
    }
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
    Box frame = heads_frame(heads, head);
    scene_rectangle(canvas->scene, frame, 8, canvas->theme->page, color_of(heads, head),
                    2.5);
    const char *title =
        canvas_words(canvas, "view.head", canvas_count(canvas, head + 1), NULL);
    double least = canvas_least(canvas, title);
    if (canvas_text_width(canvas, FONT_BOLD, least, title) > frame.w - 8)
        title = canvas_count(canvas, head + 1);
    canvas_text_within(canvas, FONT_BOLD, canvas_size(canvas, TITLE_UNITS, title),
                       frame.w - 8, color_of(heads, head),
                       (Point){frame.x + frame.w / 2, frame.y + HEADS_TITLE - 2},
                       LABEL_CENTER, title);
    chosen_table_draw(stage_of(heads), &each->probabilities);
    if (heads->arcs)
        circuit_draw_arcs(each);
}

/* Draws W_O with each head's colour beside the rows that its columns are multiplied
 * by. */
static void draw_weight(const Heads *heads) {
    const Stage *stage = stage_of(heads);
    CircuitLane lane = {.weight = heads->weight, .bias = heads->bias, .role = ROLE_NONE};
    if (!heads->weight.tensor)
        return;
    circuit_draw_weight(&heads->left, &lane);
    size_t count = heads->all->count, each = heads->weight.tensor->rows / count;
    for (size_t i = 0; i < count && count > 1; i++) {
        Box first = chosen_table_row(&heads->weight, i * each);
        Box last = chosen_table_row(&heads->weight, (i + 1) * each - 1);
        canvas_fill(stage->canvas,
                    (Box){first.x - STRIP - 1, first.y, STRIP, last.y + last.h - first.y},
                    0, color_of(heads, i));
    }
}

static void draw_result(const Heads *heads, const ChosenTable *table, bool apart) {
    if (!table->tensor)
        return;
    circuit_draw_result(&heads->left, table,
                        stage_formula_name(stage_of(heads), table->node),
                        table->cells.w + 40, apart);
}

bool heads_circuit(const Stage *stage) {
    AttentionHeads all;
    Heads heads;
    if (!attention_find_heads(stage, &all))
        return false;
    gather(&heads, stage, &all);
    heads_layout(&heads);
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
    draw_result(&heads, &heads.joined, false);
    draw_weight(&heads);
    draw_result(&heads, &heads.output, heads.output_apart);
    circuit_draw_legends(&heads.left);
    return true;
}
