#include "lesson/play/player.h"
#include "picture/circuits/circuits_parts.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* All rows of an attention that ends with its weights or its scores. From left to right:
 * sources, weights on their lanes, Q above K, scores, probabilities. Numbers of the
 * probabilities have room first, then those of the scores, and of queries and keys. */

static const double GAP = 6, LEGEND_GAP = 8, TITLE_SPILL = 6;
/* Enlargement from which one row is drawn, because all rows would be small. */
static const double SCALING = 19, ABOVE_LANE = 22, LARGE_TYPE = 1.5;
static const double UNDERLINE = 4, BELOW_WORD = 14;

/* Gaps between the columns, widths of columns, heights of rows. */
static const double TO_MEET = 60, TO_PROBABILITIES = 54, LONGEST_LABEL = 240;
static const double NUMBER_COLUMN = 54, WIDEST_COLUMN = 68, LEAST_COLUMN = 12,
                    SCORES_COLUMN = 16, LEAST_NUMBERED = 30, WEIGHTS_LEAST = 220,
                    WEIGHTS_COLUMN = 50, LARGEST_WEIGHT = 76, WIDEST_WORD = 110;
static const double CHOSEN = 34, TALLEST_ROW = 44, LEAST_ROW = 22, ROW_OF_COLUMN = 1.5,
                    WEIGHTS_ROW = 31, FEW_ROWS = 4;
static const double ROW_PATH_TABLES = 0.4; /* fraction of the width, on a row's path */
static const double TITLE = 34, CAPTION = 50, ARCS = 76, ARCS_LEAST = 34;

/* Tracks behind queries and keys. */
enum { MEET = CIRCUIT_OWN, SCORES, BEHIND_SCORES, LABELS, PROBABILITIES, TRACKS };

/* ---- data ---- */

/* Reports whether a node has a row for each query. */
static bool has_queries(const AttentionParts *parts, size_t node) {
    return node == parts->output || node == parts->probabilities ||
           node == parts->scores || node == parts->last || node == parts->query.table ||
           node == parts->query.source;
}

/* Row with the largest attention weight on another token. */
static size_t telling_row(const Tensor *probabilities) {
    size_t best = probabilities->rows - 1, cols = probabilities->cols;
    double most = 0;
    for (size_t i = 0; i < tensor_cells(probabilities); i++) {
        if (i / cols != i % cols && probabilities->values[i] > most) {
            most = probabilities->values[i];
            best = i / cols;
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
    bool values = circuit->stage->values, bare = circuit->parts->bare;
    double least = result->tensor ? result->reach : 0;
    if (values || (bare && !scores->tensor))
        least = fmax(least, probabilities->reach);
    circuit->scores_apart = circuit_scale_with(circuit, scores, least);
    result->reach = circuit->mixed.reach = circuit->reach;
    if (values)
        probabilities->reach = circuit->reach;
    else if (bare) /* scores before and after scaling are compared */
        probabilities->reach = scores->tensor ? scores->reach : circuit->reach;
}

static void add_output(Circuit *circuit) {
    const Stage *stage = circuit->stage;
    circuit->result = chosen_table_of(stage, circuit->parts->output, circuit->row);
    if (!circuit->result.tensor)
        return;
    circuit->mixed = (Heatmap){
        .tensor = chosen_table_part(stage->canvas, circuit->result.tensor, circuit->row,
                                    circuit->row + 1),
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
    circuit_set_lanes(circuit, &parts->query, &parts->key, &parts->value);
    circuit_find_cached(circuit);
    circuit->probabilities = chosen_table_of(stage, parts->probabilities, circuit->row);
    circuit->scores = chosen_table_of(stage, parts->last, circuit->row);
    circuit->scores.in_colours = true;
    if (circuit->scores.tensor && !parts->bare)
        circuit->probabilities.hidden = circuit->scores.hidden =
            &stage_node(stage, parts->last)->output;
    add_output(circuit);
    set_scales(circuit);
}

/* ---- layout ---- */

static double stack_cols(const Circuit *circuit) {
    return fmax(chosen_cols(&circuit->lanes[CIRCUIT_QUERY].table),
                chosen_cols(&circuit->lanes[CIRCUIT_KEY].table));
}

/* Width of the tabs of queries and keys that is not above the cells' own frame. */
static double tabs_width(const Circuit *circuit) {
    double widest = 0;
    for (int i = CIRCUIT_QUERY; i <= CIRCUIT_KEY; i++) {
        RoleTab tab = circuit_tab(circuit, &circuit->lanes[i]);
        widest = fmax(widest, role_tab_width(circuit->stage->canvas, &tab));
    }
    return widest - 2 * ROLE_FRAME_MARGIN;
}

/* Track of the probabilities' columns: with room for their numbers first, and more for
 * the words below them. */
static Track probabilities_track(const Circuit *circuit) {
    const ChosenTable *table = &circuit->probabilities;
    double keys = chosen_cols(table), least = WEIGHTS_LEAST / keys;
    double rows = (circuit->area.h - TITLE - ARCS) / chosen_rows(table);
    double numbers = fmin(circuit_numbered(circuit, table), NUMBER_COLUMN);
    double most = fmin(fmax(rows, WEIGHTS_COLUMN), LARGEST_WEIGHT);
    return (Track){
        .parts = keys,
        .least = fmin(least, LEAST_NUMBERED),
        .want = numbers,
        .most = fmax(fmax(least, most), fmin(circuit_widest_word(circuit), WIDEST_WORD))};
}

/* Reports whether all rows have to be drawn in colours only, though the path of the
 * chosen one has room for numbers. */
static bool lacks_numbers(const Circuit *circuit, const Track *across) {
    double tables = across[CIRCUIT_TABLES].part;
    double least = circuit->scores.tensor ? fmin(tables, across[SCORES].part) : tables;
    return least < LEAST_NUMBERED &&
           stack_cols(circuit) * NUMBER_COLUMN <= circuit->area.w * ROW_PATH_TABLES;
}

/* Divides the width; returns false if there is no room for scores, or more numbers fit on
 * the chosen row's path. */
static bool divide(const Circuit *circuit, Track *across) {
    const CircuitLane *lanes = circuit->lanes;
    double tables = stack_cols(circuit), tabs = tabs_width(circuit);
    double numbers = fmax(circuit_numbered(circuit, &lanes[CIRCUIT_QUERY].table),
                          circuit_numbered(circuit, &lanes[CIRCUIT_KEY].table));
    circuit_set_tracks(circuit, across);
    circuit_add_weights(circuit, across);
    across[CIRCUIT_TABLES] = (Track){.parts = tables,
                                     .least = fmax(fmin(LEAST_COLUMN, 100 / tables),
                                                   fmin(tabs / tables, NUMBER_COLUMN)),
                                     .want = fmin(numbers, NUMBER_COLUMN),
                                     .most = WIDEST_COLUMN,
                                     .rank = 2};
    across[MEET] =
        circuit_gap(ROLE_FRAME_MARGIN + fmax(tabs - NUMBER_COLUMN * tables, 0), TO_MEET);
    across[PROBABILITIES] = probabilities_track(circuit);
    across[LABELS] = track_of(fmin(
        heatmap_row_label_width(circuit->stage->canvas, circuit->probabilities.tensor),
        LONGEST_LABEL));
    if (circuit->scores.tensor) {
        across[SCORES] = (Track){
            .parts = chosen_cols(&circuit->scores),
            .least = SCORES_COLUMN,
            .want = fmin(circuit_numbered(circuit, &circuit->scores), NUMBER_COLUMN),
            .most = NUMBER_COLUMN,
            .rank = 1};
        across[BEHIND_SCORES] = track_of(TO_PROBABILITIES);
    }
    bool fits = circuit_share(circuit, across, TRACKS);
    circuit_spread(circuit, across, TRACKS);
    return fits && !lacks_numbers(circuit, across);
}

/* Places Q above K; their lanes lead to the chosen row of Q. */
static void place_stack(Circuit *circuit, const Track *columns) {
    double most = fmin(TALLEST_ROW, fmax(columns->part * ROW_OF_COLUMN, LEAST_ROW));
    circuit_place_stack(circuit, columns, CIRCUIT_VALUE, most,
                        columns->part < LEAST_NUMBERED ? 0 : CHOSEN);
    CircuitLane *query = &circuit->lanes[CIRCUIT_QUERY];
    query->level = chosen_table_left(&query->table).y;
}

/* Places the probabilities with their words and arcs below; the table is more important
 * than arcs. */
static void place_probabilities(Circuit *circuit, const Track *columns, double labels) {
    ChosenTable *table = &circuit->probabilities;
    double rows = chosen_rows(table);
    circuit_measure_words(circuit, columns->part);
    double room = circuit->area.h - TITLE - circuit->words;
    double arcs = fmin(fmax(room - rows * WEIGHTS_ROW, ARCS_LEAST), ARCS);
    if (!circuit->parts->bare && room - arcs >= (rows - 1) * LEAST_ROW + CHOSEN)
        circuit->arcs = arcs;
    chosen_table_fit(table, room - circuit->arcs,
                     fmin(fmax(columns->part * 1.15, 30), LARGEST_WEIGHT), CHOSEN);
    double rest = room - circuit->arcs - chosen_table_height(table);
    chosen_table_place(table,
                       (Point){columns->at, circuit->area.y + TITLE + fmax(rest, 0) / 2},
                       columns->part);
    table->label_room = labels;
    table->in_colours = columns->part < LEAST_NUMBERED;
    table->in_numbers = rows <= FEW_ROWS;
}

/* Places the scores with their chosen row at the level of the probabilities', or as near
 * to it as possible. */
static void place_scores(Circuit *circuit, const Track *columns) {
    ChosenTable *scores = &circuit->scores;
    if (!scores->tensor)
        return;
    Box probabilities = circuit->probabilities.cells;
    scores->in_colours = columns->part < LEAST_NUMBERED;
    chosen_table_fit(
        scores, fmin(probabilities.h * 0.8, probabilities.h + circuit->words - CAPTION),
        fmin(columns->part, 40), scores->in_colours ? 0 : CHOSEN);
    chosen_table_place(scores, (Point){columns->at, probabilities.y}, columns->part);
    double down =
        chosen_table_left(&circuit->probabilities).y - chosen_table_left(scores).y;
    double most = probabilities.y + probabilities.h + circuit->words - CAPTION - 10 -
                  scores->cells.h;
    double top = fmax(fmin(probabilities.y + down, most), probabilities.y);
    chosen_table_place(scores, (Point){columns->at, top}, columns->part);
}

/* Lays out everything; returns false if there is no room. */
static bool lay_out(Circuit *circuit) {
    Track across[TRACKS] = {0};
    if (!divide(circuit, across))
        return false;
    place_stack(circuit, &across[CIRCUIT_TABLES]);
    circuit_place(circuit, across);
    place_probabilities(circuit, &across[PROBABILITIES], across[LABELS].size);
    place_scores(circuit, &across[SCORES]);
    return true;
}

/* ---- drawing ---- */

/* Draws the paths of queries and keys to the scores, which are the last table if the step
 * ends with them. */
static void draw_meeting(const Circuit *circuit) {
    bool last = !circuit->scores.tensor;
    Point to = chosen_table_left(last ? &circuit->probabilities : &circuit->scores);
    to.x -= last ? circuit->probabilities.label_room : 0;
    for (int i = CIRCUIT_QUERY; i <= CIRCUIT_KEY; i++) {
        const CircuitLane *lane = &circuit->lanes[i];
        Point from = chosen_table_right(&lane->table);
        lane_between(circuit->stage->canvas, (Point){from.x + ROLE_FRAME_MARGIN, from.y},
                     (Point){to.x - GAP, to.y + (i == CIRCUIT_QUERY ? -7 : 7)},
                     (Lane){.role = lane->role, .strong = true});
    }
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
    lane_between(circuit->stage->canvas, (Point){from.x + GAP, from.y}, node,
                 (Lane){.role = ROLE_PROBABILITIES, .strong = true});
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
    circuit_draw_paths(circuit);
    draw_meeting(circuit);
    if (scores->tensor && circuit->parts->bare) {
        Point from = chosen_table_right(scores), to = chosen_table_left(probabilities);
        from.x += GAP;
        to.x -= probabilities->label_room + GAP;
        lane_between(circuit->stage->canvas, from, to, (Lane){0});
        draw_scaling(circuit, from, to);
    } else if (scores->tensor) {
        draw_softmax(circuit);
    }
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
    if (mixes || stage->canvas->enlarged > LARGE_TYPE || !lay_out(&circuit)) {
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
