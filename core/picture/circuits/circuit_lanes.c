#include "picture/circuits/circuit.h"

#include "lesson/play/player.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double NAME_UNITS = 20, GAP = 6, BAND = 5, FORK_SPREAD = 16,
                    MUCH_LARGER = 2.5, CACHED_THICKNESS = 4;

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

CircuitLane circuit_lane(Circuit *circuit, const AttentionLane *parts, Role role) {
    CircuitLane lane = {.parts = parts, .role = role, .source = PLAYER_NONE};
    if (parts->table == TAPE_NONE)
        return lane;
    bool is_question = role == ROLE_QUERY;
    lane.table = chosen_table_of(circuit->stage, parts->table,
                                 is_question ? circuit->row : PLAYER_NONE);
    lane.table.in_numbers = !is_question;
    lane.source = add_source(circuit, parts, is_question);
    if (parts->weight != TAPE_NONE)
        lane.weight = chosen_table_of(circuit->stage, parts->weight, PLAYER_NONE);
    if (parts->bias != TAPE_NONE)
        lane.bias = chosen_table_of(circuit->stage, parts->bias, PLAYER_NONE);
    return lane;
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

/* Adds lanes from a source to tables that an earlier step computed from it. */
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

void circuit_scale(Circuit *circuit, double least) {
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
    circuit->weight_reach = reach * MUCH_LARGER < circuit->reach ? reach : 0;
    if (circuit->weight_reach > 0)
        return;
    circuit->reach = common_reach(tables, count, reach);
    common_reach(weights, weight_count, circuit->reach);
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

void circuit_draw_path(const Circuit *circuit, CircuitLaneKind kind) {
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

/* ---- tables ---- */

void circuit_draw_band(const Circuit *circuit, const ChosenTable *table, size_t begin,
                       size_t end, Color color) {
    Box first = chosen_table_cell(table, 0, begin);
    Box last = chosen_table_cell(table, 0, end - 1);
    canvas_fill(
        circuit->stage->canvas,
        (Box){first.x, table->cells.y - BAND - 1, last.x + last.w - first.x - 2, BAND}, 0,
        color);
}

void circuit_draw_attention_weight(const Circuit *circuit, const ChosenTable *table,
                                   size_t col, size_t part, size_t parts, Color color) {
    Box cell = chosen_table_cell(table, 0, col);
    double width = cell.w / (double)parts;
    canvas_fill(
        circuit->stage->canvas,
        (Box){cell.x + width * (double)part, table->cells.y - BAND - 1, width, BAND}, 0,
        color);
}

void circuit_draw_name(const Circuit *circuit, const ChosenTable *table, const char *name,
                       double width, bool with_shape) {
    const Stage *stage = circuit->stage;
    Caption caption =
        caption_fit(stage, name, table->node, table->tensor, NAME_UNITS, width);
    Box cells = table->cells;
    Point axis = {cells.x + cells.w / 2, cells.y + cells.h + 10 + caption.above};
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
    circuit_draw_name(circuit, table, name, width, !scale_apart);
}

double circuit_name_reach(const Circuit *circuit, const ChosenTable *table) {
    const Stage *stage = circuit->stage;
    Caption caption = caption_of(stage, table->node, NAME_UNITS, INFINITY);
    return 10 + caption.above + caption_shape_drop(stage->canvas, caption.below);
}

void circuit_draw_sources(const Circuit *circuit) {
    for (size_t i = 0; i < circuit->source_count; i++) {
        const ChosenTable *source = &circuit->sources[i];
        for (int j = 0; j < CIRCUIT_LANES; j++) {
            const CircuitLane *lane = &circuit->lanes[j];
            if (lane->source == i && lane->parts->band)
                circuit_draw_band(circuit, source, lane->parts->first_col,
                                  lane->parts->end_col, circuit->band);
        }
        chosen_table_draw(circuit->stage, source);
        circuit_draw_name(
            circuit, source, stage_formula_name(circuit->stage, source->node),
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
        circuit_draw_band(circuit, &lane->table, 0, lane->table.tensor->cols,
                          circuit->band);
    chosen_table_draw(stage, &lane->table);
}
