#include "picture/circuits/row_path.h"

#include "base/number.h"
#include "picture/draw/lanes.h"
#include "picture/draw/token.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Path of one row through an attention that computes a weighted sum, or that has no room
 * for all rows: its query above, and below it a line for each key with their score, its
 * attention weight and its value; at the end the weighted sum of the values. If not all
 * keys have room, those with the largest weights have lines. */

enum { PROBABILITY_DECIMALS = 2 };
static const double NAME_UNITS = 20, BAR_OF_ROW = 0.52, LANE_OF_ROW = 0.3, LANE = 11,
                    SHORT_LANE = 7, RING_OF_ROW = 0.34, RING = 12;

static const Canvas *canvas_of(const RowPath *path) {
    return path->circuit->stage->canvas;
}

/* Heatmap of a row of a table in the given cells. */
static Heatmap row_heatmap(const RowPath *path, const ChosenTable *table, size_t row,
                           Box cells) {
    return (Heatmap){.tensor = circuit_tensor_row(canvas_of(path), table->tensor, row),
                     .written_as = table->tensor,
                     .node = table->node,
                     .first_row = row,
                     .cells = cells,
                     .colors = table->colors,
                     .reach = table->reach,
                     .visible = (size_t)-1,
                     .number_size = ROW_PATH_DIGITS};
}

static void outline_focus(const RowPath *path, const Heatmap *heatmap, size_t row) {
    const Stage *stage = path->circuit->stage;
    if (stage->has_focus && stage->focus_node == heatmap->node && stage->focus_row == row)
        heatmap_outline_cell(stage->canvas, heatmap, 0, stage->focus_col,
                             stage->canvas->theme->focus);
}

static void draw_row(const RowPath *path, const ChosenTable *table, size_t row,
                     Box cells) {
    Heatmap heatmap = row_heatmap(path, table, row, cells);
    if (!heatmap.tensor)
        return;
    heatmap.cached_rows = table != path->query && row < path->circuit->cached_rows;
    heatmap_draw(canvas_of(path), &heatmap);
    outline_focus(path, &heatmap, row);
}

static void draw_word(const RowPath *path, Box row, const char *text, bool chosen) {
    const Canvas *canvas = canvas_of(path);
    if (text[0] && path->words > 0)
        canvas_row_label(canvas, row_path_type(path, ROW_PATH_WORD_UNITS, text),
                         path->words - ROW_PATH_WORD_GAP, chosen,
                         (Point){row.x - ROW_PATH_WORD_GAP, row.y + row.h / 2}, text);
}

/* Draws the query's lane down beside the keys, with each key's lane to its score. */
static void draw_meeting(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    double right = path->keys_box.x + path->keys_box.w + ROLE_FRAME_MARGIN;
    double spine = round(right + (path->score.x - right) * 0.5);
    double ring = fmin(path->row * RING_OF_ROW, RING);
    Box last = row_path_line(path, path->keys_box, path->count - 1);
    Point is_question[] = {{right, path->asking.y + path->asking.h / 2},
                           {spine, path->top}};
    Point down[] = {is_question[1], {spine, last.y + last.h / 2}};
    lane_draw(canvas, &(Lane){.role = ROLE_QUERY,
                              .points = is_question,
                              .count = 2,
                              .ends_upright = true,
                              .strong = true});
    lane_draw(canvas,
              &(Lane){.role = ROLE_QUERY, .points = down, .count = 2, .strong = true});
    for (size_t i = 0; i < path->count; i++) {
        Box line = row_path_line(path, path->keys_box, i);
        double y = line.y + round(line.h / 2);
        Point found[] = {{right, y}, {path->score.x - ROW_PATH_GAP, y}};
        lane_draw(canvas, &(Lane){.role = ROLE_KEY,
                                  .points = found,
                                  .count = 2,
                                  .thickness = fmin(path->row * LANE_OF_ROW, LANE),
                                  .strong = true});
    }
    for (size_t i = 0; i < path->count; i++) {
        Box line = row_path_line(path, path->keys_box, i);
        lane_product(canvas, (Point){spine, line.y + round(line.h / 2)}, ring);
    }
}

static void draw_lanes(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    for (int i = 0; i < CIRCUIT_LANES; i++)
        circuit_draw_path(circuit, (CircuitLaneKind)i);
    draw_meeting(path);
    if (path->score.w > 0) {
        Point points[] = {
            {path->score.x + path->score.w + ROW_PATH_GAP, row_path_middle(path)},
            {path->probability.x - ROW_PATH_GAP, row_path_middle(path)}};
        lane_draw(canvas_of(path),
                  &(Lane){.role = circuit->parts->bare ? ROLE_NONE : ROLE_PROBABILITIES,
                          .points = points,
                          .count = 2,
                          .strong = true,
                          .arrow = true,
                          .thickness = SHORT_LANE});
        if (!circuit->parts->bare)
            lane_softmax(canvas_of(path),
                         (Point){points[0].x + LANE_SOFTMAX_IN, points[0].y});
    }
}

/* Draws one cell of the row in a table as a table of its own. */
static void draw_cell(const RowPath *path, const ChosenTable *table, size_t col,
                      Box box) {
    const Canvas *canvas = canvas_of(path);
    Tensor *one = canvas_tensor(canvas, 1, 1);
    size_t row = path->circuit->row;
    one->values[0] = tensor_at(table->tensor, row, col);
    Heatmap heatmap = {.tensor = one,
                       .node = TAPE_NONE,
                       .cells = box,
                       .written_as = circuit_tensor_row(canvas, table->tensor, row),
                       .colors = table->colors,
                       .reach = table->reach,
                       .visible = 1,
                       .number_size = ROW_PATH_DIGITS};
    canvas_link_cell(canvas, table->node, row, col);
    heatmap_draw(canvas, &heatmap);
    canvas_unlink(canvas);
    const Stage *stage = path->circuit->stage;
    if (stage->has_focus && stage->focus_node == table->node && stage->focus_row == row &&
        stage->focus_col == col)
        heatmap_outline_cell(canvas, &heatmap, 0, 0, canvas->theme->focus);
}

/* Draws an attention weight as a number and a bar that is its fraction of the whole;
 * hatched if a mask has made it 0. */
static void draw_probability(const RowPath *path, double probability, bool masked,
                             Box line) {
    const Canvas *canvas = canvas_of(path);
    const Theme *theme = canvas->theme;
    char text[NUMBER_SIZE];
    number_format_shortest(text, probability, PROBABILITY_DECIMALS);
    Color color = role_color(theme, ROLE_PROBABILITIES, theme->ink);
    double size = row_path_type(path, ROW_PATH_NUMBER_UNITS, text),
           tall = round(line.h * BAR_OF_ROW);
    canvas_text(canvas, FONT_BOLD, size, probability > 0 ? color : theme->ink_soft,
                (Point){line.x + path->number - ROW_PATH_WORD_GAP,
                        label_baseline(line.y + line.h / 2, size)},
                LABEL_RIGHT, text);
    Box bar = {line.x + path->number, round(line.y + (line.h - tall) / 2),
               line.w - path->number, tall};
    Box whole = bar;
    canvas_fill(canvas, bar, 0, theme->panel);
    if (masked)
        canvas_masked(canvas, bar);
    bar.w *= fmin(fmax(probability, 0), 1);
    canvas_fill(canvas, bar, 0, color);
    canvas_outline(canvas, whole, 0, theme->ink_faint, 1);
}

/* Reports whether probabilities are drawn as bars: they are no scores, differences or
 * influences. */
static bool has_bars(const RowPath *path) {
    return !path->circuit->parts->bare && !path->circuit->stage->values;
}

static bool is_masked(const RowPath *path, size_t key) {
    const Tensor *scores = path->circuit->probabilities.hidden;
    return scores && isinf(tensor_at(scores, path->circuit->row, key));
}

static void draw_probabilities(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    const Canvas *canvas = canvas_of(path);
    const ChosenTable *probabilities = &circuit->probabilities;
    for (size_t i = 0; i < path->count; i++) {
        size_t key = path->keys[i];
        Box line = row_path_line(path, path->probability, i);
        if (path->score.w > 0)
            draw_cell(path, &circuit->scores, key, row_path_line(path, path->score, i));
        if (!has_bars(path)) {
            line.w = fmin(line.w, ROW_PATH_WIDEST_SCORE);
            draw_cell(path, probabilities, key, line);
        } else {
            canvas_link_cell(canvas, probabilities->node, circuit->row, key);
            draw_probability(path, circuit_weight(circuit, key), is_masked(path, key),
                             line);
            canvas_unlink(canvas);
        }
        double size = row_path_type(path, ROW_PATH_NUMBER_UNITS, "×");
        if (path->value->tensor)
            canvas_label(canvas, FONT_BOLD, size, canvas->theme->ink_soft,
                         (Point){line.x + line.w + ROW_PATH_TO_VALUES / 2,
                                 label_baseline(line.y + line.h / 2, size)},
                         LABEL_CENTER, "×");
    }
}

/* Draws one line for the other keys: their number, sum in each column, and total
 * attention weight. */
static void draw_others(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    const Color color = canvas->theme->ink_soft;
    if (!path->others)
        return;
    double probability = 0;
    for (size_t j = 0; j < path->circuit->probabilities.tensor->cols; j++)
        probability += row_path_has_line(path, j) ? 0 : circuit_weight(path->circuit, j);
    const char *words =
        canvas_words(canvas, "view.others", canvas_count(canvas, path->others), NULL);
    const Box columns[] = {path->keys_box, path->score, path->values_box};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        Box line = row_path_line(path, columns[i], path->count);
        double size = row_path_type(path, ROW_PATH_WORD_UNITS, words);
        if (line.w > 0)
            canvas_line(canvas, FONT_TEXT, size, color, line,
                        canvas_text_width(canvas, FONT_TEXT, size, words) <= line.w
                            ? words
                            : "…");
    }
    if (has_bars(path))
        draw_probability(path, probability, false,
                         row_path_line(path, path->probability, path->count));
}

/* Draws a column's name above its lines. */
static void draw_name(const RowPath *path, Box column, const char *name, size_t node,
                      const Tensor *tensor, double room) {
    const Stage *stage = path->circuit->stage;
    Caption caption =
        caption_low(stage, name, node, tensor, NAME_UNITS, room, ROW_PATH_HEADER * 1.5);
    caption_draw_name(stage, &caption,
                      (Point){column.x + column.w / 2, path->top - 8 - caption.below},
                      LABEL_CENTER);
}

static void draw_names(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    double gap = path->probability.x - path->score.x - path->score.w;
    if (path->score.w > 0)
        draw_name(path, path->score, circuit_scores_name(circuit), circuit->scores.node,
                  circuit->scores.tensor, path->score.w + gap);
    draw_name(path, path->probability,
              stage_formula_name(circuit->stage, circuit->probabilities.node),
              circuit->probabilities.node, circuit->probabilities.tensor,
              path->probability.w + gap / 2);
}

static void draw_table(const RowPath *path, CircuitLaneKind kind, Box cells) {
    const Circuit *circuit = path->circuit;
    const CircuitLane *lane = &circuit->lanes[kind];
    RoleTab tab = circuit_tab(circuit, lane);
    tab.shape = NULL; /* the drawn part has another shape */
    Box framed = lane->table.cells;
    if (kind != CIRCUIT_QUERY && path->slide > 0) {
        Box fresh = row_path_fresh(path, framed);
        role_frame(canvas_of(path), lane->role, fresh);
        framed.h = fresh.y - path->slide - framed.y;
    }
    Box frame = role_frame(canvas_of(path), lane->role, framed);
    role_tab(canvas_of(path), &tab, frame);
    if (kind == CIRCUIT_QUERY) {
        draw_word(path, cells, row_path_asking_word(path), true);
        draw_row(path, &lane->table, circuit->row, cells);
        return;
    }
    for (size_t i = 0; i < path->count; i++) {
        Box line = row_path_line(path, cells, i);
        if (kind == CIRCUIT_KEY)
            draw_word(path, line, row_path_word(path, path->keys[i]),
                      path->slide > 0 && i >= path->fresh);
        draw_row(path, &lane->table, path->keys[i], line);
    }
}

/* Draws the result's token to the right of its row. */
static void draw_result_word(const RowPath *path, const char *label) {
    const Canvas *canvas = canvas_of(path);
    const char *text = token_text(canvas, label);
    Box row = path->circuit->mixed.cells;
    if (path->result <= 0)
        return;
    double size = row_path_type(path, ROW_PATH_WORD_UNITS, text);
    LabelFit fit =
        canvas_fit(canvas, FONT_BOLD, size, path->result - ROW_PATH_WORD_GAP, text);
    canvas_text(canvas, FONT_BOLD, fit.size, canvas->theme->ink,
                (Point){row.x + row.w + ROW_PATH_WORD_GAP,
                        label_baseline(row.y + row.h / 2, fit.size)},
                LABEL_LEFT, fit.text);
}

/* Draws the weighted sum of the values below a rule in their columns. */
static void draw_sum(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    const Stage *stage = circuit->stage;
    const Canvas *canvas = stage->canvas;
    const Heatmap *mixed = &circuit->mixed;
    Box cells = mixed->cells;
    canvas_fill(
        canvas,
        (Box){cells.x - 8, round(cells.y - path->rule_gap / 2 + 3), cells.w + 16, 2}, 0,
        canvas->theme->ink);
    heatmap_draw(canvas, mixed);
    const Tensor *output = stage_tensor(stage, circuit->parts->output);
    const char *equals =
        view_equals(stage_tensor(stage, circuit->parts->probabilities), circuit->row,
                    PROBABILITY_DECIMALS, path->value->tensor, output);
    canvas_formula(canvas, equals, 24, (Point){cells.x - 22, cells.y + cells.h / 2},
                   LABEL_CENTER);
    if (output->row_labels)
        draw_result_word(path, output->row_labels[circuit->row]);
    if (stage->has_focus && stage->focus_node == mixed->node &&
        stage->focus_row == circuit->row)
        outline_focus(path, mixed, circuit->row);
    else
        heatmap_outline(canvas, mixed, 0, 1, 0, output->cols, canvas->theme->focus);
}

static void draw_tables(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    for (int i = 0; i < CIRCUIT_LANES; i++)
        circuit_draw_weight(circuit, &circuit->lanes[i]);
    draw_table(path, CIRCUIT_QUERY, path->asking);
    draw_table(path, CIRCUIT_KEY, path->keys_box);
    if (path->value->tensor) {
        draw_table(path, CIRCUIT_VALUE, path->values_box);
        draw_sum(path);
    }
}

/* Gives one row's scores the common scale, because they have no room below for a legend
 * of their own. */
static void join_scales(Circuit *circuit) {
    if (!circuit->scores_apart)
        return;
    circuit->scores_apart = false;
    circuit_scale(circuit, fmax(circuit->reach, circuit->scores.reach));
    circuit->scores.reach = circuit->result.reach = circuit->mixed.reach = circuit->reach;
}

void circuit_draw_row(Circuit *circuit) {
    join_scales(circuit);
    RowPath path = {.circuit = circuit,
                    .query = &circuit->lanes[CIRCUIT_QUERY].table,
                    .key = &circuit->lanes[CIRCUIT_KEY].table,
                    .value = &circuit->lanes[CIRCUIT_VALUE].table};
    row_path_lay_out(&path);
    draw_lanes(&path);
    circuit_draw_sources(circuit);
    draw_tables(&path);
    draw_probabilities(&path);
    draw_others(&path);
    draw_names(&path);
    circuit->in_bars = has_bars(&path);
    if (path.counter.h > 0)
        circuit_draw_counter(circuit, path.counter);
    if (!circuit->cached_rows)
        circuit_draw_legends(circuit);
}
