#include "picture/circuits/circuit.h"

#include "base/number.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "picture/tensors/tokens.h"

#include <math.h>

/* One row's way through an attention, where the circuit of all rows has no room to be
 * read: its query above, and below it a line for each key, which meets the query in a
 * score, has a share, and hands on its value; at the end what the values are blended to.
 * Of more keys than have room those with the largest shares have lines. */

static const double CHOSEN = 34, TALLEST_ROW = 44, LEAST_ROW = 22, GAP = 6, STACK_GAP = 8,
                    RULE_GAP = 20, HEADER = 34, SOURCE_CELL = 20, SOURCES_WIDEST = 70;
static const double FORK = 46, BEHIND_WEIGHT = 20, MEET = 44, TO_SHARES = 42,
                    TO_VALUES = 26, WORD_GAP = 8, WIDEST_WORD = 150;
static const double WORD_UNITS = 18, NAME_UNITS = 20, SHARE_UNITS = 20, DIGITS = 22;
static const double LEAST_BAR = 44, WIDEST_BAR = 150, LEAST_SCORE = 44, LEAST_COLUMN = 30,
                    WIDEST_SCORE = 76, WIDEST_COLUMN = 68, COLOURED_WIDTH = 120,
                    MORE_GAP = 40,
                    COMFORTABLE = 1.35; /* to the columns in which digits just fit */
static const double BAR_OF_ROW = 0.52, LANE_OF_ROW = 0.3, LANE = 11, SHORT_LANE = 7,
                    BEND = 44, RING_OF_ROW = 0.34, RING = 12;

typedef struct RowPath {
    Circuit *circuit;
    const ChosenTable *query, *key, *value; /* no tensor: not in this step */
    size_t *keys, count;                    /* which have lines, in their order */
    size_t others;                          /* that have none */
    double words;    /* how wide the words before the keys are; 0: none */
    double number;   /* how wide a share's number is */
    double top, row; /* of the lines */
    Box asking;      /* the cells of the query's row */
    Box keys_box, score, share, values_box; /* of all lines, without frames; w 0: none */
} RowPath;

static const Canvas *canvas_of(const RowPath *path) {
    return path->circuit->stage->canvas;
}

static double cols_of(const ChosenTable *table) {
    return table->tensor ? (double)table->tensor->cols : 0;
}

static double margin_of(const RowPath *path) {
    return role_frame_margin(canvas_of(path));
}

static Box line_of(const RowPath *path, Box column, size_t line) {
    double top = round(path->top + path->row * (double)line);
    return (Box){column.x, top, column.w,
                 round(path->top + path->row * (double)(line + 1)) - top};
}

static double middle_of(const RowPath *path) {
    return round(path->top + path->row * (double)(path->count + (path->others > 0)) / 2);
}

static const char *word_of(const RowPath *path, size_t key) {
    const Tensor *shares = path->circuit->shares.tensor;
    return shares->col_labels ? token_text(canvas_of(path), shares->col_labels[key]) : "";
}

static const char *asking_word(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    const Tensor *shares = circuit->shares.tensor;
    return shares->row_labels
               ? token_text(canvas_of(path), shares->row_labels[circuit->row])
               : "";
}

/* ---- which keys ---- */

static bool has_line(const RowPath *path, size_t key) {
    for (size_t i = 0; i < path->count; i++) {
        if (path->keys[i] == key)
            return true;
    }
    return false;
}

/* The key with the largest share of those that have no line yet takes its place. */
static void add_largest(RowPath *path) {
    const Circuit *circuit = path->circuit;
    size_t best = PLAYER_NONE, at = path->count;
    for (size_t j = 0; j < circuit->shares.tensor->cols; j++) {
        if (!has_line(path, j) &&
            (best == PLAYER_NONE ||
             circuit_share(circuit, j) > circuit_share(circuit, best)))
            best = j;
    }
    for (; at > 0 && path->keys[at - 1] > best; at--)
        path->keys[at] = path->keys[at - 1];
    path->keys[at] = best;
    path->count++;
}

/* False when the frame's arena is exhausted. */
static bool pick_keys(RowPath *path, size_t lines) {
    size_t all = path->circuit->shares.tensor->cols;
    size_t picked = all <= lines ? all : lines > 1 ? lines - 1 : 1;
    path->keys = arena_alloc(canvas_of(path)->scene->arena, picked, sizeof *path->keys);
    if (!path->keys)
        return false;
    while (path->count < picked)
        add_largest(path);
    path->others = all - picked;
    return true;
}

/* ---- places ---- */

static double tab_height(const RowPath *path) {
    return role_tab_height(canvas_of(path), &(RoleTab){.role = ROLE_QUERY, .name = "Q"});
}

/* What stands above the lines: the query, and tabs or names of the columns. */
static double height_above(const RowPath *path) {
    double tab = tab_height(path) + margin_of(path);
    if (!path->query->tensor)
        return fmax(path->value->tensor ? tab : 0, HEADER);
    return tab + CHOSEN + margin_of(path) + STACK_GAP + tab;
}

static double height_below(const RowPath *path) {
    return margin_of(path) + (path->value->tensor ? RULE_GAP + CHOSEN : 0);
}

/* Lines as many and as tall as there is room for, in the middle of it. */
static bool place_lines(RowPath *path) {
    Box area = path->circuit->area;
    double room = area.h - height_above(path) - height_below(path);
    if (!pick_keys(path, (size_t)fmax(room / LEAST_ROW, 1)))
        return false;
    double lines = (double)(path->count + (path->others > 0));
    path->row = fmin(room / lines, TALLEST_ROW);
    path->top = area.y + height_above(path) + fmax(room - lines * path->row, 0) / 2;
    return true;
}

static double widest_word(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    double size = canvas_size(canvas, WORD_UNITS, ""), widest = 0;
    for (size_t i = 0; i < path->count; i++)
        widest = fmax(widest, canvas_text_width(canvas, FONT_TEXT, size,
                                                word_of(path, path->keys[i])));
    widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD, size, asking_word(path)));
    return widest > 0 ? fmin(widest, WIDEST_WORD) + WORD_GAP : 0;
}

typedef struct Widths {
    double sources, weights, keys, score, share, values, result, more;
} Widths;

static double width_of(const RowPath *path, const Widths *w) {
    double width = w->share, margin = 2 * margin_of(path);
    if (w->sources > 0)
        width += w->sources + FORK + w->more;
    if (w->weights > 0)
        width += w->weights + BEHIND_WEIGHT;
    if (path->query->tensor)
        width += path->words + w->keys * cols_of(path->key) + margin + MEET + w->more;
    else
        width += path->words;
    if (w->score > 0)
        width += w->score + TO_SHARES + w->more;
    if (path->value->tensor)
        width += TO_VALUES + w->values * cols_of(path->value) + margin + w->result;
    return width;
}

static void grant(const RowPath *path, Widths *w, double *part, double want,
                  double count) {
    double left = path->circuit->area.w - width_of(path, w);
    if (count > 0 && left > 0 && want > *part)
        *part += fmin(want - *part, left / count);
}

/* Takes it where all of it has room. */
static void take(const RowPath *path, Widths *w, double *part, double want) {
    *part = want;
    if (width_of(path, w) > path->circuit->area.w)
        *part = 0;
}

static double sources_width(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    double widest = 0;
    for (size_t i = 0; i < circuit->source_count; i++)
        widest = fmax(widest,
                      fmin(cols_of(&circuit->sources[i]) * SOURCE_CELL, SOURCES_WIDEST));
    return widest;
}

/* A table's columns: so wide that its numbers have room, or narrow where they are many.
 */
static double column_of(const RowPath *path, const ChosenTable *table, bool widest) {
    double most = path->circuit->area.w * 0.26 / fmax(cols_of(table), 1);
    double least = fmax(circuit_numbered(path->circuit, table), LEAST_COLUMN);
    if (least > most)
        return fmin(COLOURED_WIDTH / cols_of(table), SOURCE_CELL);
    return widest ? fmax(least, fmin(most, WIDEST_COLUMN))
                  : fmin(least * COMFORTABLE, fmax(most, least));
}

static Widths widths_of(RowPath *path) {
    Circuit *circuit = path->circuit;
    const ChosenTable *scores = &circuit->scores;
    Widths w = {.share = path->number + LEAST_BAR};
    if (path->query->tensor)
        w.keys =
            fmax(column_of(path, path->query, false), column_of(path, path->key, false));
    if (scores->tensor)
        w.score =
            fmin(fmax(circuit_numbered(circuit, scores), LEAST_SCORE), WIDEST_SCORE);
    if (path->value->tensor)
        w.values = fmax(column_of(path, path->value, false),
                        column_of(path, &circuit->result, false));
    take(path, &w, &w.sources, sources_width(path));
    circuit_measure_values(circuit);
    take(path, &w, &w.result, circuit->value_labels);
    grant(path, &w, &w.share, path->number + WIDEST_BAR / 2, 1);
    if (path->query->tensor)
        grant(path, &w, &w.keys, column_of(path, path->key, true), cols_of(path->key));
    if (path->value->tensor)
        grant(path, &w, &w.values, column_of(path, path->value, true),
              cols_of(path->value));
    grant(path, &w, &w.score, w.score > 0 ? WIDEST_SCORE : 0, 1);
    grant(path, &w, &w.share, path->number + WIDEST_BAR, 1);
    if (w.sources > 0)
        take(path, &w, &w.weights, circuit_weights_width(circuit));
    grant(path, &w, &w.more, MORE_GAP, 3);
    return w;
}

/* Without them tables begin as they are: their names say what of. */
static void leave_out(Circuit *circuit, bool sources) {
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        CircuitLane *lane = &circuit->lanes[i];
        lane->weight.tensor = lane->bias.tensor = NULL;
        circuit->weight_reach = 0;
        if (sources)
            lane->source = PLAYER_NONE;
    }
    if (sources)
        circuit->source_count = 0;
}

/* The lanes' levels, and what stands before their tables, which end at `right`. */
static void place_before(RowPath *path, const Widths *w, double left) {
    Circuit *circuit = path->circuit;
    circuit->lanes[CIRCUIT_QUERY].level = path->asking.y + path->asking.h / 2;
    circuit->lanes[CIRCUIT_KEY].level = middle_of(path);
    circuit->lanes[CIRCUIT_VALUE].level = circuit_value_level(circuit);
    double sources = left + w->sources;
    circuit_place_weights(circuit, sources + FORK + w->more + w->weights / 2);
    double widest = 1;
    for (size_t i = 0; i < circuit->source_count; i++)
        widest = fmax(widest, cols_of(&circuit->sources[i]));
    circuit_place_sources(circuit, sources, w->sources / widest);
}

/* Where lanes end: words and cells of a table. */
static Box with_words(const RowPath *path, Box cells) {
    return (Box){cells.x - path->words, cells.y, cells.w + path->words, cells.h};
}

static void place_columns(RowPath *path) {
    Circuit *circuit = path->circuit;
    Widths w = widths_of(path);
    if (w.sources == 0 || w.weights == 0)
        leave_out(circuit, w.sources == 0);
    if (w.result == 0)
        circuit->value_labels = 0;
    circuit_fit_sources(circuit);
    double lines = (double)(path->count + (path->others > 0)) * path->row;
    double spare = fmax(circuit->area.w - width_of(path, &w), 0),
           margin = margin_of(path);
    double left = circuit->area.x + round(spare / 2), x = left;
    if (w.sources > 0)
        x += w.sources + FORK + w.more;
    if (w.weights > 0)
        x += w.weights + BEHIND_WEIGHT;
    if (path->query->tensor) {
        x += margin + path->words;
        path->keys_box = (Box){x, path->top, w.keys * cols_of(path->key), lines};
        double tab = tab_height(path) + margin;
        path->asking = (Box){x, path->top - tab - margin - STACK_GAP - CHOSEN,
                             path->keys_box.w, CHOSEN};
        circuit->lanes[CIRCUIT_QUERY].table.cells = with_words(path, path->asking);
        circuit->lanes[CIRCUIT_KEY].table.cells = with_words(path, path->keys_box);
        x += path->keys_box.w + margin + MEET + w.more;
    } else {
        x += path->words;
    }
    path->score = (Box){x, path->top, w.score, lines};
    if (w.score > 0)
        x += w.score + TO_SHARES + w.more;
    path->share = (Box){x, path->top, w.share, lines};
    circuit->shares.cells = path->share; /* behind which the values' lane rises */
    circuit->shares.cells.w -= BEND;
    x += w.share;
    if (path->value->tensor) {
        x += TO_VALUES + margin;
        path->values_box = (Box){x, path->top, w.values * cols_of(path->value), lines};
        circuit->lanes[CIRCUIT_VALUE].table.cells = path->values_box;
        size_t before = circuit->row * path->value->tensor->cols;
        size_t visible = circuit->stage->visible;
        circuit->mixed.cells =
            (Box){x, path->top + lines + margin + RULE_GAP, path->values_box.w, CHOSEN};
        circuit->mixed.number_size = DIGITS;
        circuit->mixed.visible = visible > before ? visible - before : 0;
    }
    place_before(path, &w, left);
}

/* ---- drawing ---- */

/* A row of a table, in its place. */
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
                     .number_size = DIGITS};
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
    heatmap_draw(canvas_of(path), &heatmap);
    outline_focus(path, &heatmap, row);
}

static void draw_word(const RowPath *path, Box row, const char *text, bool chosen) {
    const Canvas *canvas = canvas_of(path);
    FontRole font = chosen ? FONT_BOLD : FONT_TEXT;
    if (!text[0] || path->words <= 0)
        return;
    LabelFit fit = canvas_fit(canvas, font, canvas_size(canvas, WORD_UNITS, text),
                              path->words - WORD_GAP, text);
    canvas_text(canvas, font, fit.size,
                chosen ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){row.x - WORD_GAP, round(row.y + row.h / 2 + fit.size * 0.35)},
                LABEL_RIGHT, fit.text);
}

/* The query goes down beside its keys, each of which meets it on its way to a score. */
static void draw_meeting(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    double right = path->keys_box.x + path->keys_box.w + margin_of(path);
    double spine = round(right + (path->score.x - right) * 0.5);
    double ring = fmin(path->row * RING_OF_ROW, RING);
    Box last = line_of(path, path->keys_box, path->count - 1);
    Point asks[] = {{right, path->asking.y + path->asking.h / 2}, {spine, path->top}};
    Point down[] = {asks[1], {spine, last.y + last.h / 2}};
    lane_draw(canvas, &(Lane){.role = ROLE_QUERY,
                              .points = asks,
                              .count = 2,
                              .ends_upright = true,
                              .strong = true});
    lane_draw(canvas,
              &(Lane){.role = ROLE_QUERY, .points = down, .count = 2, .strong = true});
    for (size_t i = 0; i < path->count; i++) {
        Box line = line_of(path, path->keys_box, i);
        double y = line.y + round(line.h / 2);
        Point found[] = {{right, y}, {path->score.x - GAP, y}};
        lane_draw(canvas, &(Lane){.role = ROLE_KEY,
                                  .points = found,
                                  .count = 2,
                                  .thickness = fmin(path->row * LANE_OF_ROW, LANE),
                                  .strong = true});
    }
    for (size_t i = 0; i < path->count; i++) {
        Box line = line_of(path, path->keys_box, i);
        lane_product(canvas, (Point){spine, line.y + round(line.h / 2)}, ring);
    }
}

static void draw_lanes(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    for (int i = 0; i < CIRCUIT_LANES; i++)
        circuit_draw_way(circuit, (CircuitLaneKind)i);
    if (path->query->tensor)
        draw_meeting(path);
    if (path->score.w > 0) {
        Point points[] = {{path->score.x + path->score.w + GAP, middle_of(path)},
                          {path->share.x - GAP, middle_of(path)}};
        lane_draw(canvas_of(path),
                  &(Lane){.role = circuit->parts->bare ? ROLE_NONE : ROLE_SHARES,
                          .points = points,
                          .count = 2,
                          .strong = true,
                          .arrow = true,
                          .thickness = SHORT_LANE});
    }
}

/* One cell of the row in a table, as a table of its own. */
static void draw_cell(const RowPath *path, const ChosenTable *table, size_t col,
                      Box box) {
    const Canvas *canvas = canvas_of(path);
    Tensor *one = canvas_tensor(canvas, 1, 1);
    if (!one)
        return;
    size_t row = path->circuit->row;
    one->values[0] = tensor_at(table->tensor, row, col);
    Heatmap heatmap = {.tensor = one,
                       .node = TAPE_NONE,
                       .cells = box,
                       .written_as = circuit_tensor_row(canvas, table->tensor, row),
                       .colors = table->colors,
                       .reach = table->reach,
                       .visible = 1,
                       .number_size = DIGITS};
    canvas_link_cell(canvas, table->node, row, col);
    heatmap_draw(canvas, &heatmap);
    canvas_unlink(canvas);
    const Stage *stage = path->circuit->stage;
    if (stage->has_focus && stage->focus_node == table->node && stage->focus_row == row &&
        stage->focus_col == col)
        heatmap_outline_cell(canvas, &heatmap, 0, 0, canvas->theme->focus);
}

/* A share: its number, and so much of the bar that is a whole. */
static void draw_share(const RowPath *path, double share, Box line) {
    const Canvas *canvas = canvas_of(path);
    const Theme *theme = canvas->theme;
    char text[NUMBER_SIZE];
    number_format_told(text, share, 2);
    Color color = role_color(theme, ROLE_SHARES, theme->ink);
    double size = canvas_size(canvas, SHARE_UNITS, text),
           tall = round(line.h * BAR_OF_ROW);
    canvas_text(canvas, FONT_BOLD, size, share > 0 ? color : theme->ink_soft,
                (Point){line.x + path->number - WORD_GAP,
                        round(line.y + line.h / 2 + size * 0.35)},
                LABEL_RIGHT, text);
    Box bar = {line.x + path->number, round(line.y + (line.h - tall) / 2),
               line.w - path->number, tall};
    canvas_fill(canvas, bar, 0, theme->line);
    bar.w *= fmin(fmax(share, 0), 1);
    canvas_fill(canvas, bar, 0, color);
}

/* Whether shares are drawn as such: they are no scores, no differences, no influences. */
static bool has_bars(const RowPath *path) {
    return !path->circuit->parts->bare && !path->circuit->stage->values;
}

static void draw_shares(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    const Canvas *canvas = canvas_of(path);
    const ChosenTable *shares = &circuit->shares;
    for (size_t i = 0; i < path->count; i++) {
        size_t key = path->keys[i];
        Box line = line_of(path, path->share, i);
        if (path->score.w > 0)
            draw_cell(path, &circuit->scores, key, line_of(path, path->score, i));
        if (!has_bars(path)) {
            line.w = fmin(line.w, WIDEST_SCORE);
            draw_cell(path, shares, key, line);
        } else {
            canvas_link_cell(canvas, shares->node, circuit->row, key);
            draw_share(path, circuit_share(circuit, key), line);
            canvas_unlink(canvas);
        }
        if (path->value->tensor)
            canvas_label(canvas, FONT_BOLD, SHARE_UNITS, canvas->theme->ink_soft,
                         (Point){line.x + line.w + TO_VALUES / 2,
                                 round(line.y + line.h / 2 + SHARE_UNITS * 0.35)},
                         LABEL_CENTER, "×");
    }
}

/* What keys without lines have together. */
static void draw_others(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    if (!path->others)
        return;
    double share = 0;
    for (size_t j = 0; j < path->circuit->shares.tensor->cols; j++)
        share += has_line(path, j) ? 0 : circuit_share(path->circuit, j);
    const char *words =
        canvas_words(canvas, "view.others", canvas_count(canvas, path->others), NULL);
    Box line = line_of(path, path->share, path->count);
    double size = canvas_size(canvas, WORD_UNITS, words);
    double x = path->query->tensor ? path->keys_box.x : path->score.x;
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                (Point){x, round(line.y + line.h / 2 + size * 0.35)}, LABEL_LEFT, words);
    if (has_bars(path))
        draw_share(path, share, line);
}

/* A column's name, above its lines. */
static void draw_name(const RowPath *path, Box column, const char *name, size_t node,
                      const Tensor *tensor, double room) {
    const Stage *stage = path->circuit->stage;
    Caption caption = caption_fit(stage, name, node, tensor, NAME_UNITS, room);
    if (caption.above + caption.below > HEADER * 1.5)
        caption = caption_fit(stage, stage_operation_words(stage, node), node, tensor,
                              NAME_UNITS, room);
    if (caption.name[0])
        canvas_formula(stage->canvas, caption.name, caption.units,
                       (Point){column.x + column.w / 2, path->top - 8 - caption.below},
                       LABEL_CENTER);
}

static void draw_names(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    double gap = path->share.x - path->score.x - path->score.w;
    if (path->score.w > 0)
        draw_name(path, path->score, circuit_scores_name(circuit), circuit->scores.node,
                  circuit->scores.tensor, path->score.w + gap);
    draw_name(path, path->share, stage_formula_name(circuit->stage, circuit->shares.node),
              circuit->shares.node, circuit->shares.tensor, path->share.w + gap / 2);
}

static void draw_table(const RowPath *path, CircuitLaneKind kind, Box cells) {
    const Circuit *circuit = path->circuit;
    const CircuitLane *lane = &circuit->lanes[kind];
    RoleTab tab = circuit_tab(circuit, lane);
    tab.shape = NULL; /* what is drawn has another */
    Box frame = role_frame(canvas_of(path), lane->role, lane->table.cells);
    role_tab(canvas_of(path), &tab, frame);
    if (kind == CIRCUIT_QUERY) {
        draw_word(path, cells, asking_word(path), true);
        draw_row(path, &lane->table, circuit->row, cells);
        return;
    }
    for (size_t i = 0; i < path->count; i++) {
        Box line = line_of(path, cells, i);
        if (kind == CIRCUIT_KEY)
            draw_word(path, line, word_of(path, path->keys[i]), false);
        draw_row(path, &lane->table, path->keys[i], line);
    }
}

static void draw_tables(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    for (int i = 0; i < CIRCUIT_LANES; i++)
        circuit_draw_weight(circuit, &circuit->lanes[i]);
    if (path->query->tensor) {
        draw_table(path, CIRCUIT_QUERY, path->asking);
        draw_table(path, CIRCUIT_KEY, path->keys_box);
    } else {
        for (size_t i = 0; i < path->count; i++)
            draw_word(path, line_of(path, path->score, i), word_of(path, path->keys[i]),
                      false);
    }
    if (path->value->tensor) {
        draw_table(path, CIRCUIT_VALUE, path->values_box);
        circuit_draw_sum(circuit);
    }
}

void circuit_draw_row(Circuit *circuit) {
    const Canvas *canvas = circuit->stage->canvas;
    RowPath path = {.circuit = circuit,
                    .query = &circuit->lanes[CIRCUIT_QUERY].table,
                    .key = &circuit->lanes[CIRCUIT_KEY].table,
                    .value = &circuit->lanes[CIRCUIT_VALUE].table};
    if (!place_lines(&path)) {
        canvas->scene->incomplete = true;
        return;
    }
    path.words = widest_word(&path);
    path.number = canvas_text_width(canvas, FONT_BOLD,
                                    canvas_size(canvas, SHARE_UNITS, ""), "0.00") +
                  WORD_GAP;
    place_columns(&path);
    draw_lanes(&path);
    circuit_draw_sources(circuit);
    draw_tables(&path);
    draw_shares(&path);
    draw_others(&path);
    draw_names(&path);
    circuit->in_bars = has_bars(&path);
    circuit_draw_legends(circuit);
}
