#include "picture/circuits/circuit.h"

#include "tensor/tensor.h"

#include <math.h>

/* Columns from left to right: sources, weights on their lanes, Q above K, scores,
 * probabilities. All begin with their least widths; the remaining width is given to them
 * by importance: scores, probabilities, the queries' numbers. */

/* Gaps between the columns. */
static const double FORK = 46, BEHIND_WEIGHT = 20, MEET = 60, TO_SCORES = 54;
static const double CHOSEN = 34, TALLEST_ROW = 44, SOURCE_ROW = 32, LEAST_ROW = 22,
                    ROW_OF_COLUMN = 1.5;
static const double WEIGHT_NAME = 36, BELOW_WEIGHT = 40, WEIGHT_CELL = 16,
                    WEIGHT_SIDE = 58, WEIGHT_LEAST = 22, BIAS_GAP = 3;
static const double NUMBER_COLUMN = 54, WIDEST_COLUMN = 68, LEAST_COLUMN = 12,
                    SOURCE_COLUMN = 20, SOURCE_WIDE = 32, SOURCE_LEAST = 11;
static const double PROBABILITIES_LEAST = 220, PROBABILITIES_ROW = 31,
                    PROBABILITY_COLUMN = 50, MOST_FOR_PROBABILITIES = 0.42,
                    PROBABILITIES_COLUMN = 58, SCORES_COLUMN = 16, SCORES_WIDEST = 54,
                    PROBABILITIES_WIDEST = 110, LEAST_NUMBERED = 30;
static const double TITLE = 34, CAPTION = 50, NAME_ALONE = 40, LONGEST_LABEL = 240,
                    LARGEST_PROBABILITIES = 76;
static const double ARCS = 76, ARCS_LEAST = 34, FEW_ROWS = 4, LANE_ROOM = 18,
                    STACK_GAP = 16;

typedef struct Columns {
    double labels, source, weights, table, scores, probability_labels, probability;
    double gaps; /* additional width of the gaps */
} Columns;

static double cols_of(const ChosenTable *table) {
    return table->tensor ? (double)table->tensor->cols : 0;
}

static double rows_of(const ChosenTable *table) {
    return table->tensor ? (double)table->tensor->rows : 0;
}

static const CircuitLane *lane_of(const Circuit *circuit, CircuitLaneKind kind) {
    return &circuit->lanes[kind];
}

/* Largest cell with which all weights have room below each other, each with its name
 * above. */
static double weight_cell(const Circuit *circuit, const ChosenTable *weight) {
    double most = fmin(WEIGHT_SIDE / rows_of(weight), WEIGHT_SIDE / cols_of(weight));
    double count = 0, biased = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        count += circuit->lanes[i].weight.tensor != NULL;
        biased += circuit->lanes[i].bias.tensor != NULL;
    }
    double margin = ROLE_FRAME_MARGIN;
    double room = circuit->area.h - WEIGHT_NAME - (count - 1) * BELOW_WEIGHT -
                  biased * BIAS_GAP - margin;
    double rows = rows_of(weight) + (biased > 0);
    return fmax(fmin(fmin(most, WEIGHT_CELL), room / count / rows),
                fmin(1, WEIGHT_LEAST / rows));
}

static double framed(double size) {
    return size + 2 * ROLE_FRAME_MARGIN;
}

static double tab_height(const Circuit *circuit) {
    RoleTab tab = {.role = ROLE_QUERY, .name = "Q"};
    return role_tab_height(circuit->stage->canvas, &tab);
}

static double tab_width(const Circuit *circuit, CircuitLaneKind kind) {
    const CircuitLane *lane = lane_of(circuit, kind);
    RoleTab tab = circuit_tab(circuit, lane);
    return role_tab_width(circuit->stage->canvas, &tab);
}

static double tabs_width(const Circuit *circuit) {
    return fmax(tab_width(circuit, CIRCUIT_QUERY), tab_width(circuit, CIRCUIT_KEY));
}

static double bottom_of(const Circuit *circuit) {
    return circuit->area.y + circuit->area.h;
}

/* ---- widths ---- */

double circuit_weights_width(const Circuit *circuit) {
    double widest = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        const ChosenTable *weight = &circuit->lanes[i].weight;
        if (weight->tensor)
            widest = fmax(widest, framed(cols_of(weight) * weight_cell(circuit, weight)));
    }
    return widest > 0 ? fmax(widest, 52) : 0; /* room for the name above */
}

static double most_cols(const ChosenTable *tables, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, cols_of(&tables[i]));
    return most;
}

static double stack_cols(const Circuit *circuit) {
    return fmax(cols_of(&lane_of(circuit, CIRCUIT_QUERY)->table),
                cols_of(&lane_of(circuit, CIRCUIT_KEY)->table));
}

double circuit_first_labels(const Circuit *circuit) {
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

static double width_of(const Circuit *circuit, const Columns *c) {
    double tables = stack_cols(circuit),
           width = c->labels + c->probability_labels + c->gaps;
    if (circuit->source_count)
        width += c->source * most_cols(circuit->sources, circuit->source_count) + FORK;
    if (c->weights > 0)
        width += c->weights + BEHIND_WEIGHT;
    width += fmax(framed(c->table * tables), tabs_width(circuit)) + MEET;
    if (c->scores > 0)
        width += TO_SCORES + c->scores * cols_of(&circuit->probabilities);
    width += c->probability * cols_of(&circuit->probabilities);
    return width;
}

static void grant(double *column, double want, double count, double *left) {
    double more = count > 0 ? fmin(want - *column, *left / count) : 0;
    if (more <= 0)
        return;
    *column += more;
    *left -= more * count;
}

/* Column width with room for a table's numbers. */
double circuit_numbered(const Circuit *circuit, const ChosenTable *table) {
    Heatmap heatmap = {
        .tensor = table->tensor, .colors = table->colors, .reach = table->reach};
    return table->tensor ? heatmap_least_column(circuit->stage->canvas, &heatmap) : 0;
}

/* Leaves out tables without room, and distributes the remaining width. */
static void distribute(Circuit *circuit, Columns *c, double tallest) {
    double keys = cols_of(&circuit->probabilities), tables = stack_cols(circuit);
    double sources = most_cols(circuit->sources, circuit->source_count);
    double room = circuit->area.w;
    if (width_of(circuit, c) > room)
        c->labels = 0;
    double left = fmax(room - width_of(circuit, c), 0);
    double thumbnail =
        (TO_SCORES + SCORES_COLUMN * keys) * (circuit->scores.tensor != NULL);
    if (thumbnail > 0 && left >= thumbnail) { /* where queries and keys meet */
        c->scores = SCORES_COLUMN;
        left -= thumbnail;
    }
    double asked = circuit_numbered(circuit, &lane_of(circuit, CIRCUIT_QUERY)->table);
    double found = circuit_numbered(circuit, &lane_of(circuit, CIRCUIT_KEY)->table);
    grant(&c->probability,
          fmin(circuit_numbered(circuit, &circuit->probabilities), NUMBER_COLUMN), keys,
          &left);
    if (c->scores > 0)
        grant(&c->scores,
              fmin(circuit_numbered(circuit, &circuit->scores), SCORES_WIDEST), keys,
              &left);
    grant(&c->table, fmin(fmax(asked, found), NUMBER_COLUMN), tables, &left);
    bool few = keys * PROBABILITY_COLUMN <= room * MOST_FOR_PROBABILITIES;
    grant(&c->probability, fmax(PROBABILITIES_LEAST / keys, few ? PROBABILITY_COLUMN : 0),
          keys, &left);
    grant(&c->table, NUMBER_COLUMN, tables, &left);
    grant(&c->source, SOURCE_COLUMN, sources, &left);
    grant(&c->probability,
          fmin(fmax(PROBABILITIES_COLUMN, tallest), LARGEST_PROBABILITIES), keys, &left);
    grant(&c->probability, fmin(circuit_widest_word(circuit), PROBABILITIES_WIDEST), keys,
          &left);
    grant(&c->table, WIDEST_COLUMN, tables, &left);
    grant(&c->source, SOURCE_WIDE, sources, &left);
    if (c->scores > 0)
        grant(&c->scores, fmin(SCORES_WIDEST, c->probability), keys, &left);
    c->gaps = fmin(left, circuit->area.w * 0.16);
}

static Columns columns_of(Circuit *circuit, double tallest) {
    double keys = cols_of(&circuit->probabilities);
    Columns c = {
        .labels = circuit_first_labels(circuit),
        .source = fmin(SOURCE_LEAST,
                       100 / fmax(most_cols(circuit->sources, circuit->source_count), 1)),
        .weights = circuit_weights_width(circuit),
        .table = fmin(LEAST_COLUMN, 100 / stack_cols(circuit)),
        .probability = fmin(PROBABILITIES_LEAST / keys, 30)};
    c.probability_labels = fmin(
        heatmap_row_label_width(circuit->stage->canvas, circuit->probabilities.tensor),
        LONGEST_LABEL);
    double below_tab = tabs_width(circuit) - framed(0);
    c.table = fmax(c.table, fmin(below_tab / stack_cols(circuit), NUMBER_COLUMN));
    distribute(circuit, &c, tallest);
    return c;
}

/* ---- heights ---- */

/* Level of the values' lane: below everything except its own weight. */
double circuit_value_level(const Circuit *circuit) {
    const CircuitLane *lane = lane_of(circuit, CIRCUIT_VALUE);
    double tall = LANE_ROOM;
    if (lane->weight.tensor)
        tall = framed(rows_of(&lane->weight) * weight_cell(circuit, &lane->weight)) +
               (lane->bias.tensor ? BIAS_GAP + weight_cell(circuit, &lane->weight) : 0);
    return round(bottom_of(circuit) - tall / 2);
}

/* Fits Q and K, whose rows are equally tall. */
static void fit_stack(Circuit *circuit, double column) {
    ChosenTable *query = &circuit->lanes[CIRCUIT_QUERY].table;
    ChosenTable *key = &circuit->lanes[CIRCUIT_KEY].table;
    double fixed = 2 * framed(tab_height(circuit)) + STACK_GAP;
    double room = bottom_of(circuit) - circuit->area.y - fixed;
    double rows = rows_of(query) + rows_of(key);
    double most = fmin(TALLEST_ROW, fmax(column * ROW_OF_COLUMN, LEAST_ROW));
    double chosen = column < LEAST_NUMBERED ? 0 : CHOSEN;
    chosen_table_fit(query, room * rows_of(query) / rows, most, chosen);
    double unit = fmin((room - query->chosen_height) / fmax(rows - 1, 1), most);
    if (query->chosen_height > query->row_height)
        query->row_height = floor(unit);
    chosen_table_fit(key, rows_of(key) * unit, most, 0);
}

double circuit_caption(const Circuit *circuit) {
    double tall = CAPTION; /* larger type needs more room below */
    if (circuit->source_count > 2)
        return NAME_ALONE;
    for (size_t i = 0; i < circuit->source_count; i++)
        tall = fmax(tall, circuit_name_reach(circuit, &circuit->sources[i]) + 4);
    return tall;
}

void circuit_fit_sources(Circuit *circuit) {
    double room = circuit->area.h / (double)circuit->source_count;
    for (size_t i = 0; i < circuit->source_count; i++)
        chosen_table_fit(&circuit->sources[i], room * 0.85 - circuit_caption(circuit),
                         SOURCE_ROW, 0);
}

static void fit_probabilities(Circuit *circuit, double column) {
    circuit_measure_words(circuit, column);
    double room = bottom_of(circuit) - circuit->area.y - TITLE - circuit->words;
    double arcs = fmin(
        fmax(room - rows_of(&circuit->probabilities) * PROBABILITIES_ROW, ARCS_LEAST),
        ARCS);
    double most = fmin(fmax(column * 1.15, 30), LARGEST_PROBABILITIES);
    double least = (rows_of(&circuit->probabilities) - 1) * LEAST_ROW + CHOSEN;
    if (circuit->parts->bare ||
        room - arcs < least) /* the table is more important than arcs */
        arcs = 0;
    circuit->arcs = arcs;
    chosen_table_fit(&circuit->probabilities, room - arcs, most, CHOSEN);
}

/* ---- positions ---- */

static void place_stack(Circuit *circuit, double left, double column) {
    CircuitLane *query = &circuit->lanes[CIRCUIT_QUERY];
    CircuitLane *key = &circuit->lanes[CIRCUIT_KEY];
    double margin = ROLE_FRAME_MARGIN, tab = tab_height(circuit);
    double tall = chosen_table_height(&query->table) + chosen_table_height(&key->table) +
                  2 * (tab + 2 * margin) + STACK_GAP;
    double room = bottom_of(circuit) - circuit->area.y;
    double gap = fmin(fmax(room - tall, 0) / 3, 40);
    double top = circuit->area.y + fmax(room - tall - gap, 0) / 2 + tab + margin;
    double width = stack_cols(circuit) * column;
    chosen_table_place(&query->table, (Point){left, top}, width / cols_of(&query->table));
    top += chosen_table_height(&query->table) + 2 * margin + STACK_GAP + gap + tab;
    chosen_table_place(&key->table, (Point){left, top}, width / cols_of(&key->table));
    query->level = chosen_table_left(&query->table).y;
    key->level = chosen_table_left(&key->table).y;
}

/* Places a lane's weight at the lane's level but not above `highest`; returns its lower
 * end. */
static double place_weight(const Circuit *circuit, CircuitLane *lane, double middle,
                           double highest) {
    ChosenTable *weight = &lane->weight;
    double cell = weight_cell(circuit, weight);
    weight->row_height = cell;
    double height = rows_of(weight) * cell;
    double added = lane->bias.tensor ? BIAS_GAP + cell : 0;
    double top = fmax(lane->level - (height + added) / 2, highest);
    Point at = {middle - cols_of(weight) * cell / 2, top};
    chosen_table_place(weight, at, cell);
    if (!lane->bias.tensor)
        return top + height;
    lane->bias.row_height = cell;
    at.y += height + BIAS_GAP;
    chosen_table_place(&lane->bias, at, cols_of(weight) * cell / cols_of(&lane->bias));
    return top + height + added;
}

void circuit_place_weights(Circuit *circuit, double middle) {
    double highest = circuit->area.y + WEIGHT_NAME;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        CircuitLane *lane = &circuit->lanes[i];
        if (lane->weight.tensor)
            highest = place_weight(circuit, lane, middle, highest) + BELOW_WEIGHT;
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

/* Places each source at the level of its lanes, or as near to it as the others allow. */
void circuit_place_sources(Circuit *circuit, double right, double column) {
    double caption = circuit_caption(circuit), below = bottom_of(circuit), rest = 0;
    for (size_t i = 0; i < circuit->source_count; i++)
        rest += chosen_table_height(&circuit->sources[i]) + caption;
    double free = circuit->area.y;
    for (size_t i = 0; i < circuit->source_count; i++) {
        ChosenTable *source = &circuit->sources[i];
        double height = chosen_table_height(source);
        double wanted = level_of(circuit, i) - height / 2;
        double top = fmax(fmin(wanted, below - rest), free);
        chosen_table_place(source, (Point){right - cols_of(source) * column, top},
                           column);
        free = top + height + caption;
        rest -= height + caption;
    }
}

/* Places the scores with their chosen row at the level of the probabilities', or as near
 * to it as possible. */
static void place_scores(Circuit *circuit, double left, double column) {
    ChosenTable *scores = &circuit->scores;
    if (!scores->tensor)
        return;
    Box probabilities = circuit->probabilities.cells;
    scores->in_colours = column < LEAST_NUMBERED;
    chosen_table_fit(
        scores, fmin(probabilities.h * 0.8, probabilities.h + circuit->words - CAPTION),
        fmin(column, 40), scores->in_colours ? 0 : CHOSEN);
    chosen_table_place(scores, (Point){left, probabilities.y}, column);
    double down =
        chosen_table_left(&circuit->probabilities).y - chosen_table_left(scores).y;
    double most = probabilities.y + probabilities.h + circuit->words - CAPTION - 10 -
                  scores->cells.h;
    double top = fmax(fmin(probabilities.y + down, most), probabilities.y);
    chosen_table_place(scores, (Point){left, top}, column);
}

bool circuit_layout(Circuit *circuit) {
    circuit_fit_sources(circuit);
    double tallest = (circuit->area.h - TITLE - ARCS) / rows_of(&circuit->probabilities);
    Columns c = columns_of(circuit, tallest);
    if (circuit->scores.tensor && c.scores == 0)
        return false;
    fit_stack(circuit, c.table);
    fit_probabilities(circuit, c.probability);
    bool wide = circuit->source_count > 0;
    double gap = c.gaps / (1.0 + wide + (c.weights > 0));
    double spare = fmax(circuit->area.w - width_of(circuit, &c), 0);
    double x = circuit->area.x + round(spare / 2) + c.labels, sources = x;
    if (wide)
        x = sources += c.source * most_cols(circuit->sources, circuit->source_count);
    if (wide)
        x += FORK + gap;
    double weights = x + c.weights / 2;
    if (c.weights > 0)
        x += c.weights + BEHIND_WEIGHT + gap;
    place_stack(circuit, x + ROLE_FRAME_MARGIN, c.table);
    x += fmax(framed(c.table * stack_cols(circuit)), tabs_width(circuit)) + MEET + gap;
    circuit_place_weights(circuit, weights);
    circuit_place_sources(circuit, sources, c.source);
    double scores = x;
    if (c.scores > 0)
        x += c.scores * cols_of(&circuit->probabilities) + TO_SCORES;
    double tall =
        chosen_table_height(&circuit->probabilities) + circuit->words + circuit->arcs;
    double room = bottom_of(circuit) - circuit->area.y - TITLE;
    chosen_table_place(&circuit->probabilities,
                       (Point){x + c.probability_labels,
                               circuit->area.y + TITLE + fmax(room - tall, 0) / 2},
                       c.probability);
    circuit->probabilities.label_room = c.probability_labels;
    circuit->probabilities.in_colours = c.probability < LEAST_NUMBERED;
    circuit->probabilities.in_numbers = rows_of(&circuit->probabilities) <= FEW_ROWS;
    place_scores(circuit, scores, c.scores);
    for (size_t i = 0; i < circuit->source_count; i++)
        circuit->sources[i].label_room = c.labels;
    for (int i = 0; i < 2 && !wide; i++)
        circuit->lanes[i].table.label_room = c.labels;
    return true;
}
