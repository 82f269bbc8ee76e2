#include "picture/circuits/attention_circuit.h"

#include "base/arena.h"
#include "picture/circuits/circuit.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double GAP = 6, MUCH_LARGER = 2, LEGEND_GAP = 8, TITLE_SPILL = 6;
/* Enlargement from which one row is drawn, because all rows would be small. */
static const double SCALING = 19, ABOVE_LANE = 22, LARGE_TYPE = 1.5;
static const double UNDERLINE = 4, BELOW_WORD = 14;

/* ---- data ---- */

double circuit_weight(const Circuit *circuit, size_t col) {
    return tensor_at(&stage_node(circuit->stage, circuit->parts->probabilities)->output,
                     circuit->row, col);
}

/* Reports whether a node has a row for each query. */
static bool has_queries(const AttentionParts *parts, size_t node) {
    return node == parts->output || node == parts->probabilities ||
           node == parts->scores || node == parts->last || node == parts->query.table ||
           node == parts->query.source;
}

/* Row with the largest attention weight on another token. */
static size_t telling_row(const Tensor *probabilities) {
    size_t best = probabilities->rows - 1;
    double most = 0;
    for (size_t i = 0; i < probabilities->rows; i++) {
        for (size_t j = 0; j < probabilities->cols; j++) {
            double probability = i == j ? 0 : tensor_at(probabilities, i, j);
            if (probability > most) {
                most = probability;
                best = i;
            }
        }
    }
    return best;
}

static size_t chosen_row(const Stage *stage, const AttentionParts *parts) {
    const Tensor *probabilities = &stage_node(stage, parts->probabilities)->output;
    if (stage->has_focus && has_queries(parts, stage->focus_node) &&
        stage->focus_row < probabilities->rows)
        return stage->focus_row;
    return telling_row(probabilities);
}

/* Gives all tables except probabilities one scale; scores that would make the others pale
 * have their own. If values are differences or influences, probabilities use the common
 * scale too. */
static void set_scales(Circuit *circuit) {
    ChosenTable *result = &circuit->result, *scores = &circuit->scores;
    ChosenTable *probabilities = &circuit->probabilities;
    double least = result->tensor ? result->reach : 0;
    if (circuit->stage->values)
        least = fmax(least, probabilities->reach);
    circuit_scale(circuit, least);
    if (circuit->parts->bare && !scores->tensor)
        circuit_scale(circuit, fmax(least, probabilities->reach));
    circuit->scores_apart = scores->reach > MUCH_LARGER * circuit->reach;
    if (!circuit->scores_apart) {
        circuit_scale(circuit, fmax(least, scores->reach));
        scores->reach = circuit->reach;
    }
    result->reach = circuit->mixed.reach = circuit->reach;
    if (circuit->stage->values)
        probabilities->reach = circuit->reach;
    else if (circuit->parts->bare) /* scores before and after scaling are compared */
        probabilities->reach = scores->tensor ? scores->reach : circuit->reach;
}

const Tensor *circuit_tensor_row(const Canvas *canvas, const Tensor *all, size_t row) {
    Tensor *one = arena_alloc(canvas->scene->arena, 1, sizeof *one);
    *one = *all;
    one->rows = 1;
    one->values = all->values + row * all->cols;
    one->row_labels = NULL;
    return one;
}

static void add_output(Circuit *circuit) {
    const Stage *stage = circuit->stage;
    if (circuit->parts->output == TAPE_NONE)
        return;
    circuit->result = chosen_table_of(stage, circuit->parts->output, circuit->row);
    circuit->result.in_colours = true;
    circuit->result.visible = stage->visible;
    circuit->mixed = (Heatmap){
        .tensor = circuit_tensor_row(stage->canvas, circuit->result.tensor, circuit->row),
        .node = circuit->parts->output,
        .first_row = circuit->row,
        .colors = circuit->result.colors,
    };
}

static void gather(Circuit *circuit, const Stage *stage, const AttentionParts *parts) {
    size_t head, heads;
    *circuit = (Circuit){.stage = stage,
                         .parts = parts,
                         .row = chosen_row(stage, parts),
                         .area = stage->area};
    LessonCache cache;
    if (stage->view == LESSON_VIEW_CACHE &&
        lesson_find_cache(stage->tape, parts->output, &cache))
        circuit->cached_rows = cache.cached_rows;
    else
        box_take_bottom(&circuit->area, STAGE_LEGEND_HEIGHT + LEGEND_GAP);
    circuit->band = stage->canvas->theme->ink_soft;
    if (attention_head_of(stage, &head, &heads))
        circuit->band = stage->canvas->theme->other[head % 4];
    circuit->lanes[CIRCUIT_QUERY] = circuit_lane(circuit, &parts->query, ROLE_QUERY);
    circuit->lanes[CIRCUIT_KEY] = circuit_lane(circuit, &parts->key, ROLE_KEY);
    circuit->lanes[CIRCUIT_VALUE] = circuit_lane(circuit, &parts->value, ROLE_VALUE);
    circuit_find_cached(circuit);
    circuit->probabilities = chosen_table_of(stage, parts->probabilities, circuit->row);
    const Tensor *last = NULL;
    if (parts->last != TAPE_NONE) {
        circuit->scores = chosen_table_of(stage, parts->last, circuit->row);
        circuit->scores.in_colours = true;
        last = parts->bare ? NULL : &stage_node(stage, parts->last)->output;
    }
    circuit->probabilities.hidden = circuit->scores.hidden = last;
    add_output(circuit);
    set_scales(circuit);
}

/* ---- lanes ---- */

static void draw_lane(const Circuit *circuit, Role role, const Point *points,
                      size_t count, bool strong) {
    lane_draw(circuit->stage->canvas,
              &(Lane){.role = role, .points = points, .count = count, .strong = strong});
}

static void draw_meeting(const Circuit *circuit) {
    const CircuitLane *query = &circuit->lanes[CIRCUIT_QUERY];
    const CircuitLane *key = &circuit->lanes[CIRCUIT_KEY];
    double margin = ROLE_FRAME_MARGIN;
    Point to = chosen_table_left(&circuit->scores), q = chosen_table_right(&query->table),
          k = chosen_table_right(&key->table);
    to.x -= GAP;
    Point is_question[] = {{q.x + margin, q.y}, {to.x, to.y - 7}};
    Point answers[] = {{k.x + margin, k.y}, {to.x, to.y + 7}};
    draw_lane(circuit, ROLE_QUERY, is_question, 2, true);
    draw_lane(circuit, ROLE_KEY, answers, 2, true);
}

/* Draws the scaling of bare scores on their lane: "÷ √2". */
static void draw_scaling(const Circuit *circuit, Point from, Point to) {
    const Stage *stage = circuit->stage;
    const TapeNode *at = stage_node(stage, circuit->parts->probabilities);
    if (tensor_cells(at->operands[1]) != 1)
        return;
    const char *words =
        canvas_format(stage->canvas, "%s %s", operation_of(at->operation)->symbol,
                      stage_formula_name(stage, at->inputs[1]));
    double size = SCALING;
    canvas_formula_fit(stage->canvas, words, SCALING - 4, to.x - from.x + GAP, &size);
    canvas_formula(stage->canvas, words, size,
                   (Point){from.x, fmin(from.y, to.y) - ABOVE_LANE}, LABEL_LEFT);
}

/* Draws softmax on the chosen row's lane, and its path on below the token to the
 * weights. */
static void draw_softmax(const Circuit *circuit) {
    const ChosenTable *probabilities = &circuit->probabilities;
    Point from = chosen_table_right(&circuit->scores),
          to = chosen_table_left(probabilities);
    Point node = {from.x + GAP + LANE_SOFTMAX_IN, from.y};
    const Point before[] = {{from.x + GAP, from.y}, node};
    draw_lane(circuit, ROLE_PROBABILITIES, before, 2, true);
    double end = to.x - GAP, word = fmin(to.x - probabilities->label_room, end);
    double below = probabilities->label_room > 0
                       ? fmin(BELOW_WORD, (probabilities->chosen_height - UNDERLINE) / 2)
                       : 0;
    const Point after[] = {node, {word, to.y + below}, {end, to.y + below}};
    lane_draw(circuit->stage->canvas, &(Lane){.role = ROLE_PROBABILITIES,
                                              .points = after,
                                              .count = word < end ? 3 : 2,
                                              .strong = true,
                                              .thickness = UNDERLINE,
                                              .arrow = true});
    lane_softmax(circuit->stage->canvas, node);
}

static void draw_lanes(const Circuit *circuit) {
    const ChosenTable *probabilities = &circuit->probabilities,
                      *scores = &circuit->scores;
    for (int i = 0; i < CIRCUIT_LANES; i++)
        circuit_draw_path(circuit, (CircuitLaneKind)i);
    draw_meeting(circuit);
    if (scores->tensor && circuit->parts->bare) {
        Point from = chosen_table_right(scores), to = chosen_table_left(probabilities);
        from.x += GAP;
        to.x -= probabilities->label_room + GAP;
        draw_lane(circuit, ROLE_NONE, (Point[]){from, to}, 2, false);
        draw_scaling(circuit, from, to);
    } else if (scores->tensor) {
        draw_softmax(circuit);
    }
}

/* ---- tables ---- */

/* Name of the scores; a description where a formula computes them without a name. */
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

static void draw_probabilities(const Circuit *circuit) {
    const Stage *stage = circuit->stage;
    const ChosenTable *probabilities = &circuit->probabilities;
    chosen_table_draw(stage, probabilities);
    Box cells = probabilities->cells;
    double room = cells.y - circuit->area.y + TITLE_SPILL - 10;
    Caption caption =
        caption_low(stage, stage_formula_name(stage, probabilities->node),
                    probabilities->node, probabilities->tensor, 22, cells.w + 60, room);
    caption_draw_name(stage, &caption,
                      (Point){cells.x + cells.w / 2, cells.y - 10 - caption.below},
                      LABEL_CENTER);
    if (!circuit->scores.tensor)
        return;
    circuit_draw_result(circuit, &circuit->scores, circuit_scores_name(circuit),
                        circuit->scores.cells.w + 60, circuit->scores_apart);
}

bool attention_circuit(const Stage *stage) {
    AttentionParts parts;
    Circuit circuit;
    if (!attention_find(stage, &parts))
        return false;
    gather(&circuit, stage, &parts);
    /* One row's path explains the weighted sum best. */
    bool mixes = parts.output != TAPE_NONE;
    if (mixes || stage->canvas->enlarged > LARGE_TYPE || !circuit_layout(&circuit)) {
        circuit_draw_row(&circuit);
        return true;
    }
    draw_lanes(&circuit);
    circuit_draw_sources(&circuit);
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        circuit_draw_weight(&circuit, &circuit.lanes[i]);
        circuit_draw_table(&circuit, &circuit.lanes[i]);
    }
    draw_probabilities(&circuit);
    circuit_draw_arcs(&circuit);
    circuit_draw_legends(&circuit);
    return true;
}
