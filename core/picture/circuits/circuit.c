#include "lesson/play/player.h"
#include "picture/circuits/circuits_parts.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double NAME_UNITS = 20, GAP = 6, BAND = 5, FORK_SPREAD = 16,
                    CACHED_THICKNESS = 4;

/* Reaches of scores or a result, and of all tables, relative to the others' and to the
 * weights', from which they have scales of their own. */
static const double MUCH_LARGER = 2, LARGER_THAN_WEIGHTS = 2.5;

/* Widths of gaps, of a source's columns, and of all of them. */
static const double FORK = 46, BEHIND_WEIGHT = 20, MORE_GAP = 40, NARROW = 0.6,
                    SOURCE_COLUMN = 20, SOURCE_WIDE = 32, SOURCE_LEAST = 11,
                    SOURCES_WIDE = 88, LONGEST_LABEL = 240;
static const double STACK_GAP = 14, LEAST_TABLE = 48, SOURCE_ROW = 32, CAPTION = 50,
                    NAME_ALONE = 40, LANE_ROOM = 18;
static const double WEIGHT_NAME = 36, BELOW_WEIGHT = 40, WEIGHT_CELL = 16,
                    WEIGHT_LEAST = 22, WEIGHT_SIDE = 58, BIAS_GAP = 3, NAMED_WEIGHT = 52;

enum { GAP_RANK = 9 };

/* ---- data ---- */

static size_t add_source(Circuit *circuit, const AttentionLane *lane, bool is_question) {
    if (lane->source == TAPE_NONE)
        return PLAYER_NONE;
    for (size_t i = 0; i < circuit->source_count; i++) {
        if (circuit->sources[i].node == lane->source)
            return i;
    }
    ChosenTable source = chosen_table_of(circuit->stage, lane->source,
                                         is_question ? circuit->row : PLAYER_NONE);
    source.in_colours = true;
    circuit->sources[circuit->source_count] = source;
    return circuit->source_count++;
}

void circuit_set_lanes(Circuit *circuit, const AttentionLane *query,
                       const AttentionLane *key, const AttentionLane *value) {
    static const Role roles[CIRCUIT_LANES] = {ROLE_QUERY, ROLE_KEY, ROLE_VALUE};
    const AttentionLane *const parts[CIRCUIT_LANES] = {query, key, value};
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        CircuitLane *lane = &circuit->lanes[i];
        bool is_question = i == CIRCUIT_QUERY;
        *lane = (CircuitLane){.parts = parts[i], .role = roles[i], .source = PLAYER_NONE};
        lane->table = chosen_table_of(circuit->stage, parts[i]->table,
                                      is_question ? circuit->row : PLAYER_NONE);
        if (!lane->table.tensor)
            continue;
        lane->table.in_numbers = !is_question;
        lane->source = add_source(circuit, parts[i], is_question);
        lane->weight = chosen_table_of(circuit->stage, parts[i]->weight, PLAYER_NONE);
        lane->bias = chosen_table_of(circuit->stage, parts[i]->bias, PLAYER_NONE);
    }
}

/* Factor x of a node that is x W or x W + b, for cached rows that of the new rows;
 * TAPE_NONE if the node is no such product. */
static size_t factor_of(const Circuit *circuit, size_t node) {
    const TapeNode *at = stage_node(circuit->stage, node);
    if (circuit->cached_rows && at->operation == OPERATION_STACK)
        at = stage_node(circuit->stage, at->inputs[at->input_count - 1]);
    if (at->operation == OPERATION_ADD)
        at = stage_node(circuit->stage, at->inputs[0]);
    return at->operation == OPERATION_MATMUL ? at->inputs[0] : TAPE_NONE;
}

void circuit_find_cached(Circuit *circuit) {
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        CircuitLane *lane = &circuit->lanes[i];
        if (!lane->table.tensor || lane->source != PLAYER_NONE)
            continue;
        size_t factor = factor_of(circuit, lane->table.node);
        for (size_t j = 0; j < circuit->source_count; j++) {
            if (factor == TAPE_NONE ||
                !tape_is_same(circuit->stage->tape, circuit->sources[j].node, factor))
                continue;
            lane->source = j;
            lane->from_cache = !circuit->cached_rows;
        }
    }
}

double circuit_weight(const Circuit *circuit, size_t col) {
    return tensor_at(&stage_node(circuit->stage, circuit->parts->probabilities)->output,
                     circuit->row, col);
}

const char *circuit_scores_name(const Circuit *circuit) {
    const Stage *stage = circuit->stage;
    const AttentionParts *parts = circuit->parts;
    if (stage_node(stage, parts->last)->name[0])
        return stage_formula_name(stage, parts->last);
    const char *key = parts->masked                  ? "part.masked"
                      : parts->last != parts->scores ? "part.scaled"
                                                     : "part.scores";
    return canvas_format(stage->canvas, "\\text{%s}", canvas_string(stage->canvas, key));
}

/* ---- scales ---- */

/* Gives tables the scale of the largest, with at least reach `least`; returns the
 * reach. */
static double common_reach(ChosenTable *const *tables, size_t count, double least) {
    double reach = least;
    for (size_t i = 0; i < count; i++)
        reach = fmax(reach, tables[i]->tensor ? tables[i]->reach : 0);
    for (size_t i = 0; i < count; i++)
        tables[i]->reach = reach;
    return reach;
}

static void scale(Circuit *circuit, double least) {
    ChosenTable *tables[2 * CIRCUIT_LANES], *weights[2 * CIRCUIT_LANES];
    size_t count = 0, weight_count = 0;
    for (size_t i = 0; i < circuit->source_count; i++)
        tables[count++] = &circuit->sources[i];
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        tables[count++] = &circuit->lanes[i].table;
        weights[weight_count++] = &circuit->lanes[i].weight;
        weights[weight_count++] = &circuit->lanes[i].bias;
    }
    circuit->reach = common_reach(tables, count, least);
    double reach = common_reach(weights, weight_count, 0);
    circuit->weight_reach = reach * LARGER_THAN_WEIGHTS < circuit->reach ? reach : 0;
    if (circuit->weight_reach > 0)
        return;
    circuit->reach = common_reach(tables, count, reach);
    common_reach(weights, weight_count, circuit->reach);
}

bool circuit_scale_with(Circuit *circuit, ChosenTable *table, double least) {
    scale(circuit, least);
    if (table->reach > MUCH_LARGER * circuit->reach)
        return true;
    scale(circuit, fmax(least, table->reach));
    table->reach = circuit->reach;
    return false;
}

void circuit_draw_legends(const Circuit *circuit) {
    const Stage *stage = circuit->stage;
    bool bare = circuit->parts && circuit->parts->bare;
    size_t count = stage->values || bare || circuit->in_bars ? 1 : 2;
    StageScale scales[] = {{HEATMAP_SIGNED, circuit->reach},
                           {HEATMAP_PROBABILITIES, 1},
                           {HEATMAP_SIGNED, circuit->weight_reach}};
    scales[count] = scales[2];
    bool weights = circuit->weight_reach > 0;
    double left = stage_legends(stage, stage->area, scales, count + weights);
    RoleSet roles = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        if (circuit->lanes[i].table.tensor)
            roles = role_set_add(roles, circuit->lanes[i].role);
    }
    stage_role_key(stage, stage->area, count + weights, roles);
    if (circuit->weight_reach <= 0 || stage->canvas->without_legends)
        return;
    Box area = stage->area, strip = box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    canvas_formula(stage->canvas, "\\tensor{W}", NAME_UNITS,
                   (Point){left - 12, strip.y + 14}, LABEL_RIGHT);
}

/* ---- layout ---- */

/* Largest cell with which all weights have room below each other, each with its name
 * above. */
static double weight_cell(const Circuit *circuit, const ChosenTable *weight) {
    double most =
        fmin(WEIGHT_SIDE / chosen_rows(weight), WEIGHT_SIDE / chosen_cols(weight));
    double count = 0, biased = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        count += circuit->lanes[i].weight.tensor != NULL;
        biased += circuit->lanes[i].bias.tensor != NULL;
    }
    double margin = ROLE_FRAME_MARGIN;
    double room = circuit->area.h - WEIGHT_NAME - (count - 1) * BELOW_WEIGHT -
                  biased * BIAS_GAP - margin;
    double rows = chosen_rows(weight) + (biased > 0);
    return fmax(fmin(fmin(most, WEIGHT_CELL), room / count / rows),
                fmin(1, WEIGHT_LEAST / rows));
}

static double framed(double size) {
    return size + 2 * ROLE_FRAME_MARGIN;
}

double circuit_weight_width(const Circuit *circuit, const ChosenTable *weight) {
    return framed(chosen_cols(weight) * weight_cell(circuit, weight));
}

static double bottom_of(const Circuit *circuit) {
    return circuit->area.y + circuit->area.h;
}

double circuit_weights_width(const Circuit *circuit) {
    double widest = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        const ChosenTable *weight = &circuit->lanes[i].weight;
        if (weight->tensor)
            widest = fmax(widest, circuit_weight_width(circuit, weight));
    }
    return widest > 0 ? fmax(widest, NAMED_WEIGHT) + BEHIND_WEIGHT : 0;
}

/* Width of the labels of the first tables: sources, or else queries and keys. */
static double first_labels(const Circuit *circuit) {
    const Canvas *canvas = circuit->stage->canvas;
    double widest = 0;
    for (size_t i = 0; i < circuit->source_count && circuit->source_count < 3; i++)
        widest =
            fmax(widest, heatmap_row_label_width(canvas, circuit->sources[i].tensor));
    for (int i = 0; i < 2 && !circuit->source_count; i++) {
        const Tensor *table = circuit->lanes[i].table.tensor;
        widest = fmax(widest, heatmap_row_label_width(canvas, table));
    }
    return fmin(widest, LONGEST_LABEL);
}

double circuit_numbered(const Circuit *circuit, const ChosenTable *table) {
    Heatmap heatmap = {
        .tensor = table->tensor, .colors = table->colors, .reach = table->reach};
    return table->tensor ? heatmap_least_column(circuit->stage->canvas, &heatmap) : 0;
}

Track circuit_gap(double fixed, double length) {
    return (Track){
        .least = fixed + NARROW * length, .want = fixed + length, .rank = GAP_RANK};
}

void circuit_set_tracks(const Circuit *circuit, Track *across) {
    double cols = 0;
    for (size_t i = 0; i < circuit->source_count; i++)
        cols = fmax(cols, chosen_cols(&circuit->sources[i]));
    across[CIRCUIT_LABELS] = track_of(first_labels(circuit));
    across[CIRCUIT_BEHIND] = track_of(ROLE_FRAME_MARGIN);
    if (!circuit->source_count)
        return;
    double want = fmin(SOURCE_COLUMN, SOURCES_WIDE / cols);
    across[CIRCUIT_SOURCES] = (Track){.parts = cols,
                                      .least = fmin(SOURCE_LEAST, want),
                                      .want = want,
                                      .most = fmin(SOURCE_WIDE, SOURCES_WIDE / cols),
                                      .rank = GAP_RANK - 1};
    across[CIRCUIT_FORK] = circuit_gap(0, FORK);
}

void circuit_add_weights(const Circuit *circuit, Track *across) {
    double width = circuit_weights_width(circuit);
    if (width <= 0)
        return;
    across[CIRCUIT_WEIGHTS] = track_of(width - BEHIND_WEIGHT);
    across[CIRCUIT_BEHIND] = circuit_gap(across[CIRCUIT_BEHIND].least, BEHIND_WEIGHT);
}

bool circuit_share(const Circuit *circuit, Track *across, size_t count) {
    return ruler_share(across, count, circuit->area.x, circuit->area.w);
}

void circuit_spread(const Circuit *circuit, Track *across, size_t count) {
    double gaps = 0, spare = fmax(circuit->area.w - ruler_used(across, count), 0);
    for (size_t i = 0; i < count; i++)
        gaps += across[i].rank == GAP_RANK;
    for (size_t i = 0; i < count; i++)
        across[i].part += across[i].rank == GAP_RANK ? fmin(spare / gaps, MORE_GAP) : 0;
    ruler_place(across, count, circuit->area.x);
    spare = fmax(circuit->area.w - ruler_used(across, count), 0);
    ruler_place(across, count, circuit->area.x + round(spare / 2));
}

void circuit_leave_out(Circuit *circuit, bool sources) {
    circuit->weight_reach = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        CircuitLane *lane = &circuit->lanes[i];
        lane->weight.tensor = lane->bias.tensor = NULL;
        if (sources)
            lane->source = PLAYER_NONE;
    }
    if (sources)
        circuit->source_count = 0;
}

double circuit_value_level(const Circuit *circuit) {
    const CircuitLane *lane = &circuit->lanes[CIRCUIT_VALUE];
    double tall = LANE_ROOM;
    if (lane->weight.tensor)
        tall = framed(chosen_rows(&lane->weight) * weight_cell(circuit, &lane->weight)) +
               (lane->bias.tensor ? BIAS_GAP + weight_cell(circuit, &lane->weight) : 0);
    return round(bottom_of(circuit) - tall / 2);
}

double circuit_place_weight(const Circuit *circuit, CircuitLane *lane, double middle,
                            double highest) {
    ChosenTable *weight = &lane->weight;
    double cell = weight_cell(circuit, weight);
    weight->row_height = cell;
    double height = chosen_rows(weight) * cell;
    double added = lane->bias.tensor ? BIAS_GAP + cell : 0;
    double top = fmax(lane->level - (height + added) / 2, highest);
    Point at = {middle - chosen_cols(weight) * cell / 2, top};
    chosen_table_place(weight, at, cell);
    if (!lane->bias.tensor)
        return top + height;
    lane->bias.row_height = cell;
    at.y += height + BIAS_GAP;
    chosen_table_place(&lane->bias, at,
                       chosen_cols(weight) * cell / chosen_cols(&lane->bias));
    return top + height + added;
}

static void place_weights(Circuit *circuit, double middle) {
    double highest = circuit->area.y + WEIGHT_NAME;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        CircuitLane *lane = &circuit->lanes[i];
        if (lane->weight.tensor)
            highest = circuit_place_weight(circuit, lane, middle, highest) + BELOW_WEIGHT;
    }
}

/* Middle of the lanes that leave a source. */
static double level_of(const Circuit *circuit, size_t source) {
    double sum = 0, count = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        if (circuit->lanes[i].source != source)
            continue;
        sum += circuit->lanes[i].level;
        count++;
    }
    return sum / fmax(count, 1);
}

/* Distance in points from a table's lower edge to the end of its name and shape. */
static double name_reach(const Circuit *circuit, const ChosenTable *table) {
    const Stage *stage = circuit->stage;
    Caption caption = caption_of(stage, table->node, NAME_UNITS, INFINITY);
    return 10 + caption.above + caption_shape_drop(stage->canvas, caption.below);
}

/* Height of a source's name below it, and of the band over the next one; larger type
 * needs more. */
static double caption_height(const Circuit *circuit) {
    double tall = CAPTION, gap = 4;
    if (circuit->source_count > 2)
        return NAME_ALONE;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        if (circuit->lanes[i].table.tensor && circuit->lanes[i].parts->band)
            gap = 4 + BAND + 2;
    }
    for (size_t i = 0; i < circuit->source_count; i++)
        tall = fmax(tall, name_reach(circuit, &circuit->sources[i]) + gap);
    return tall;
}

/* Places each source at the level of its lanes, or as near to it as the others allow. */
static void place_sources(Circuit *circuit, const Track *columns) {
    double caption = caption_height(circuit), rest = 0, free = circuit->area.y;
    double room = circuit->area.h / (double)circuit->source_count;
    for (size_t i = 0; i < circuit->source_count; i++) {
        chosen_table_fit(&circuit->sources[i], room * 0.85 - caption, SOURCE_ROW, 0);
        rest += chosen_table_height(&circuit->sources[i]) + caption;
    }
    for (size_t i = 0; i < circuit->source_count; i++) {
        ChosenTable *source = &circuit->sources[i];
        double height = chosen_table_height(source);
        double wanted = level_of(circuit, i) - height / 2;
        double top = fmax(fmin(wanted, bottom_of(circuit) - rest), free);
        double left = columns->at + columns->size - chosen_cols(source) * columns->part;
        chosen_table_place(source, (Point){left, top}, columns->part);
        free = top + height + caption;
        rest -= height + caption;
    }
}

double circuit_tab_height(const Circuit *circuit) {
    return role_tab_height(circuit->stage->canvas,
                           &(RoleTab){.role = ROLE_QUERY, .name = "Q"});
}

void circuit_place_stack(Circuit *circuit, const Track *column, int count, double most,
                         double chosen) {
    enum { ABOVE, ROWS, CHOSEN, PARTS };
    Track down[PARTS * CIRCUIT_LANES + 1];
    double tab = circuit_tab_height(circuit) + ROLE_FRAME_MARGIN;
    size_t tracks = PARTS * (size_t)count + 1;
    for (int i = 0; i < count; i++) {
        const ChosenTable *table = &circuit->lanes[i].table;
        Track *part = &down[PARTS * i];
        double rows = chosen_rows(table);
        double above = i ? tab + ROLE_FRAME_MARGIN + STACK_GAP : tab;
        bool taller = chosen > 0 && table->row != PLAYER_NONE && rows > 1;
        part[ABOVE] = (Track){.least = above, .most = above + (i ? MORE_GAP : 0)};
        part[ROWS] = (Track){
            .parts = rows - taller, .want = fmin(LEAST_TABLE / rows, most), .most = most};
        part[CHOSEN] = taller ? (Track){.least = chosen, .most = most} : (Track){0};
    }
    down[tracks - 1] = track_of(ROLE_FRAME_MARGIN);
    ruler_share(down, tracks, circuit->area.y, circuit->area.h);
    double spare = fmax(circuit->area.h - ruler_used(down, tracks), 0);
    for (int i = 0; i < count; i++) {
        CircuitLane *lane = &circuit->lanes[i];
        const Track *rows = &down[PARTS * i + ROWS], *own = &down[PARTS * i + CHOSEN];
        lane->table.row_height = rows->part;
        lane->table.chosen_height = own->part > 0 ? own->part : rows->part;
        chosen_table_place(&lane->table, (Point){column->at, rows->at + spare / 2},
                           column->size / chosen_cols(&lane->table));
        lane->level = round(lane->table.cells.y + lane->table.cells.h / 2);
    }
}

void circuit_place(Circuit *circuit, const Track *across) {
    const Track *weights = &across[CIRCUIT_WEIGHTS];
    double labels = across[CIRCUIT_LABELS].size;
    place_weights(circuit, weights->at + weights->size / 2);
    place_sources(circuit, &across[CIRCUIT_SOURCES]);
    for (size_t i = 0; i < circuit->source_count; i++)
        circuit->sources[i].label_room = labels;
    for (int i = 0; i < CIRCUIT_LANES && !circuit->source_count; i++)
        circuit->lanes[i].table.label_room = labels;
}

/* ---- paths ---- */

static Box frame_of(const ChosenTable *table) {
    return box_inset(table->cells, -ROLE_FRAME_MARGIN);
}

/* Point where a lane leaves its source, beside other lanes of the source. */
static Point fork_of(const Circuit *circuit, CircuitLaneKind kind) {
    size_t source = circuit->lanes[kind].source;
    double sharing = 0, before = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        bool same = circuit->lanes[i].source == source;
        sharing += same;
        before += same && i < (int)kind;
    }
    Box from = circuit->sources[source].cells;
    return (Point){from.x + from.w + GAP,
                   from.y + from.h / 2 + (before - (sharing - 1) / 2) * FORK_SPREAD};
}

static void draw_path(const Circuit *circuit, CircuitLaneKind kind) {
    const CircuitLane *lane = &circuit->lanes[kind];
    if (lane->source == PLAYER_NONE)
        return;
    const ChosenTable *key = &circuit->lanes[CIRCUIT_KEY].table;
    Box table = frame_of(&lane->table), weight = lane->weight.cells;
    bool below = kind == CIRCUIT_VALUE && circuit->probabilities.tensor;
    Point points[5] = {fork_of(circuit, kind)};
    size_t count = 1;
    if (lane->weight.tensor) {
        double left = frame_of(&lane->weight).x;
        points[count++] = (Point){left, lane->level};
        points[count++] = (Point){weight.x + weight.w, lane->level};
    } else if (below) {
        points[count++] = (Point){frame_of(key).x - GAP, lane->level};
    }
    if (below) {
        Box probabilities = circuit->probabilities.cells;
        points[count++] = (Point){probabilities.x + probabilities.w + GAP, lane->level};
        points[count++] = (Point){table.x, table.y + table.h - 6};
    } else {
        points[count++] = (Point){table.x, lane->level};
    }
    lane_draw(circuit->stage->canvas,
              &(Lane){.role = lane->role,
                      .points = points,
                      .count = count,
                      .thickness = lane->from_cache ? CACHED_THICKNESS : 0});
}

void circuit_draw_paths(const Circuit *circuit) {
    for (int i = 0; i < CIRCUIT_LANES; i++)
        draw_path(circuit, (CircuitLaneKind)i);
}

/* ---- tables ---- */

void circuit_draw_band(const Circuit *circuit, const ChosenTable *table, double begin,
                       double end, Color color) {
    Box cells = table->cells;
    double column = cells.w / chosen_cols(table);
    double gap = end - begin < 1 ? 0 : 2;
    canvas_fill(circuit->stage->canvas,
                (Box){round(cells.x + column * begin), cells.y - BAND - 1,
                      round(column * (end - begin)) - gap, BAND},
                0, color);
}

/* Right end of the room for a name below a table: the area's, or that of the weights
 * beside it. */
static double name_end(const Circuit *circuit, Box cells, const Caption *caption) {
    double top = cells.y + cells.h, bottom = top + 10 + caption->above + caption->below;
    double end = circuit->area.x + circuit->area.w;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        const ChosenTable *weight = &circuit->lanes[i].weight;
        Box frame = frame_of(weight);
        if (weight->tensor && frame.x > cells.x + cells.w && frame.y < bottom &&
            frame.y + frame.h > top)
            end = fmin(end, frame.x - 2);
    }
    return end;
}

/* Draws a name below a table, in its middle if there is room. */
static void draw_name(const Circuit *circuit, const ChosenTable *table, const char *name,
                      double width, bool with_shape) {
    const Stage *stage = circuit->stage;
    Caption caption =
        caption_fit(stage, name, table->node, table->tensor, NAME_UNITS, width);
    Box cells = table->cells;
    double middle = fmin(cells.x + cells.w / 2,
                         name_end(circuit, cells, &caption) - caption.width / 2);
    Point axis = {middle, cells.y + cells.h + 10 + caption.above};
    if (with_shape)
        caption_draw(stage, &caption, axis,
                     caption_shape_drop(stage->canvas, caption.below), LABEL_CENTER);
    else
        caption_draw_name(stage, &caption, axis, LABEL_CENTER);
}

void circuit_draw_result(const Circuit *circuit, const ChosenTable *table,
                         const char *name, double width, bool scale_apart) {
    const Stage *stage = circuit->stage;
    Box cells = table->cells;
    chosen_table_draw(stage, table);
    if (scale_apart)
        heatmap_legend(stage->canvas, (Box){cells.x, cells.y + cells.h + 48, cells.w, 0},
                       HEATMAP_SIGNED, table->reach);
    draw_name(circuit, table, name, width, !scale_apart);
}

void circuit_draw_sources(const Circuit *circuit) {
    for (size_t i = 0; i < circuit->source_count; i++) {
        const ChosenTable *source = &circuit->sources[i];
        for (int j = 0; j < CIRCUIT_LANES; j++) {
            const CircuitLane *lane = &circuit->lanes[j];
            if (lane->source == i && lane->parts->band)
                circuit_draw_band(circuit, source, (double)lane->parts->first_col,
                                  (double)lane->parts->end_col, circuit->band);
        }
        chosen_table_draw(circuit->stage, source);
        draw_name(circuit, source, stage_formula_name(circuit->stage, source->node),
                  source->cells.w + 2 * source->label_room, circuit->source_count < 3);
    }
}

void circuit_draw_weight(const Circuit *circuit, const CircuitLane *lane) {
    const Stage *stage = circuit->stage;
    const Canvas *canvas = stage->canvas;
    if (!lane->weight.tensor)
        return;
    Box cells = lane->weight.cells;
    if (lane->bias.tensor)
        cells.h = lane->bias.cells.y + lane->bias.cells.h - cells.y;
    Box frame = role_frame(canvas, lane->role, cells);
    chosen_table_draw(stage, &lane->weight);
    const char *name = stage_formula_name(stage, lane->weight.node);
    if (lane->bias.tensor) {
        chosen_table_draw(stage, &lane->bias);
        name = canvas_format(canvas, "%s, %s", name,
                             stage_formula_name(stage, lane->bias.node));
    }
    double size = NAME_UNITS - 1;
    canvas_formula_fit(canvas, name, 13, frame.w + 44, &size);
    canvas_formula(canvas, name, size, (Point){frame.x + frame.w / 2, frame.y - 15},
                   LABEL_CENTER);
}

RoleTab circuit_tab(const Circuit *circuit, const CircuitLane *lane) {
    const Stage *stage = circuit->stage;
    const Tensor *tensor = lane->table.tensor;
    const TapeNode *at = stage_node(stage, lane->table.node);
    bool bare = circuit->cached_rows && at->operation == OPERATION_STACK && !at->name[0];
    return (RoleTab){
        .node = lane->table.node,
        .role = lane->role,
        .name = !bare                    ? stage_formula_name(stage, lane->table.node)
                : lane->role == ROLE_KEY ? "K"
                                         : "V",
        .shape = canvas_format(stage->canvas, "%zu × %zu", tensor->rows, tensor->cols)};
}

void circuit_draw_table(const Circuit *circuit, const CircuitLane *lane) {
    const Stage *stage = circuit->stage;
    if (!lane->table.tensor)
        return;
    RoleTab tab = circuit_tab(circuit, lane);
    Box frame = role_frame(stage->canvas, lane->role, lane->table.cells);
    role_tab(stage->canvas, &tab, frame);
    if (lane->parts->band)
        circuit_draw_band(circuit, &lane->table, 0, chosen_cols(&lane->table),
                          circuit->band);
    chosen_table_draw(stage, &lane->table);
}
