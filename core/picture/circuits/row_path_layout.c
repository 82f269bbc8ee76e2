#include "picture/circuits/row_path.h"

#include "base/arena.h"
#include "lesson/play/player.h"
#include "picture/draw/token.h"
#include "tensor/tensor.h"

#include <math.h>

static const double CHOSEN = 34, TALLEST_ROW = 44, EASY_ROW = 22, LEAST_ROW = 15,
                    LOW_CHOSEN = 18, RULE_GAP = 20, LOW_RULE_GAP = 12, STACK_GAP = 8,
                    SLIDE = 16, SOURCE_CELL = 20, SOURCES_WIDEST = 70;
static const double FORK = 46, BEHIND_WEIGHT = 20, MEET = 44, TO_PROBABILITIES = 58,
                    BEND = 44, WIDEST_WORD = 150, WIDEST_RESULT = 130;
static const double LEAST_BAR = 44, USUAL_BAR = 75, WIDEST_BAR = 240, LEAST_SCORE = 44,
                    LEAST_COLUMN = 30, WIDEST_COLUMN = 68, COLOURED_WIDTH = 120,
                    MORE_GAP = 40,
                    COMFORTABLE = 1.35; /* relative to columns in which digits just fit */

static const Canvas *canvas_of(const RowPath *path) {
    return path->circuit->stage->canvas;
}

static double cols_of(const ChosenTable *table) {
    return table->tensor ? (double)table->tensor->cols : 0;
}

Box row_path_line(const RowPath *path, Box column, size_t line) {
    bool fresh = line < path->count && line >= path->fresh;
    size_t place = line == path->count ? path->fresh : line + (fresh && path->others);
    double above = path->top + (fresh ? path->slide : 0);
    double top = round(above + path->row * (double)place);
    return (Box){column.x, top, column.w,
                 round(above + path->row * (double)(place + 1)) - top};
}

Box row_path_fresh(const RowPath *path, Box column) {
    double top = row_path_line(path, column, path->fresh).y;
    return (Box){column.x, top, column.w, column.y + column.h - top};
}

static double lines_height(const RowPath *path) {
    return path->row * (double)(path->count + (path->others > 0)) + path->slide;
}

double row_path_middle(const RowPath *path) {
    return round(path->top + lines_height(path) / 2);
}

const char *row_path_word(const RowPath *path, size_t key) {
    const Tensor *probabilities = path->circuit->probabilities.tensor;
    return probabilities->col_labels
               ? token_text(canvas_of(path), probabilities->col_labels[key])
               : "";
}

const char *row_path_asking_word(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    const Tensor *probabilities = circuit->probabilities.tensor;
    return probabilities->row_labels
               ? token_text(canvas_of(path), probabilities->row_labels[circuit->row])
               : "";
}

/* ---- choice of keys ---- */

bool row_path_has_line(const RowPath *path, size_t key) {
    for (size_t i = 0; i < path->count; i++) {
        if (path->keys[i] == key)
            return true;
    }
    return false;
}

/* Rank of a key by its attention weight; new keys come before cached ones. */
static double rank_of(const Circuit *circuit, size_t key) {
    bool fresh = circuit->cached_rows && key >= circuit->cached_rows;
    return circuit_weight(circuit, key) + (fresh ? 1 : 0);
}

/* Adds the key with the largest weight among those without a line. */
static void add_largest(RowPath *path) {
    const Circuit *circuit = path->circuit;
    size_t best = PLAYER_NONE, at = path->count;
    for (size_t j = 0; j < circuit->probabilities.tensor->cols; j++) {
        if (!row_path_has_line(path, j) &&
            (best == PLAYER_NONE || rank_of(circuit, j) > rank_of(circuit, best)))
            best = j;
    }
    for (; at > 0 && path->keys[at - 1] > best; at--)
        path->keys[at] = path->keys[at - 1];
    path->keys[at] = best;
    path->count++;
}

/* Chooses the keys that lines are drawn to. */
static void pick_keys(RowPath *path, size_t lines) {
    size_t all = path->circuit->probabilities.tensor->cols;
    size_t picked = all <= lines ? all : lines > 1 ? lines - 1 : 1;
    path->keys = arena_alloc(canvas_of(path)->scene->arena, picked, sizeof *path->keys);
    while (path->count < picked)
        add_largest(path);
    path->others = all - picked;
    path->fresh = path->count;
    while (path->slide > 0 && path->fresh > 0 &&
           path->keys[path->fresh - 1] >= path->circuit->cached_rows)
        path->fresh--;
}

/* ---- positions ---- */

static double tab_height(const RowPath *path) {
    return role_tab_height(canvas_of(path), &(RoleTab){.role = ROLE_QUERY, .name = "Q"});
}

/* Height above the lines: the query, and the columns' tabs or names. */
static double height_above(const RowPath *path) {
    double tab = tab_height(path) + ROLE_FRAME_MARGIN;
    return tab + path->chosen + ROLE_FRAME_MARGIN + STACK_GAP + tab;
}

static double height_below(const RowPath *path) {
    return ROLE_FRAME_MARGIN + (path->value->tensor ? path->rule_gap + path->chosen : 0);
}

static double lines_room(const RowPath *path) {
    return path->circuit->area.h - height_above(path) - height_below(path) - path->slide;
}

/* Reserves room for the counter if all keys have readable lines beside it, or
 * couldn't have lines even without it. */
static void make_room_to_count(RowPath *path, double keys) {
    double room = lines_room(path), easy = keys * heatmap_least_row(canvas_of(path));
    if (path->slide > 0 && (room - CACHE_COUNTER >= easy || room < keys * LEAST_ROW))
        path->counter = box_take_bottom(&path->circuit->area, CACHE_COUNTER);
}

/* Places as many lines, as tall as there is room for, in the middle of it; the query and
 * the result shrink if that gives all keys a line. */
static void place_lines(RowPath *path) {
    Box area = path->circuit->area;
    double keys = (double)path->circuit->probabilities.tensor->cols;
    path->chosen = CHOSEN;
    path->rule_gap = RULE_GAP;
    path->slide = path->circuit->cached_rows ? SLIDE + 2 * ROLE_FRAME_MARGIN : 0;
    make_room_to_count(path, keys);
    if (lines_room(path) < keys * EASY_ROW) {
        path->rule_gap = LOW_RULE_GAP;
        double all = keys + (path->value->tensor ? 2 : 1);
        path->chosen = 0;
        path->chosen = fmin(fmax(floor(lines_room(path) / all), LOW_CHOSEN), CHOSEN);
    }
    double room = lines_room(path);
    pick_keys(path, (size_t)fmax(room / LEAST_ROW, 1));
    double lines = (double)(path->count + (path->others > 0));
    path->row = fmin(room / lines, TALLEST_ROW);
    path->top = area.y + height_above(path) + fmax(room - lines * path->row, 0) / 2;
}

double row_path_type(const RowPath *path, double units, const char *text) {
    return fmax(fmin(canvas_size(canvas_of(path), units, text), floor(path->row * 0.8)),
                canvas_least(canvas_of(path), text));
}

static double widest_word(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    double size = row_path_type(path, ROW_PATH_WORD_UNITS, ""), widest = 0;
    for (size_t i = 0; i < path->count; i++)
        widest = fmax(widest, canvas_text_width(canvas, FONT_TEXT, size,
                                                row_path_word(path, path->keys[i])));
    widest = fmax(widest,
                  canvas_text_width(canvas, FONT_BOLD, size, row_path_asking_word(path)));
    double least = 1.05 * widest * canvas_least(canvas, "") / size; /* in small type */
    return widest > 0 ? fmin(widest, fmax(WIDEST_WORD, least)) + ROW_PATH_WORD_GAP : 0;
}

typedef struct Widths {
    double sources, weights, keys, score, probability, values, result, more;
} Widths;

static double width_of(const RowPath *path, const Widths *w) {
    double margin = 2 * ROLE_FRAME_MARGIN;
    double width = w->probability + path->words + w->keys * cols_of(path->key) + margin +
                   MEET + w->more;
    if (w->sources > 0)
        width += w->sources + FORK + w->more;
    if (w->weights > 0)
        width += w->weights + BEHIND_WEIGHT;
    if (w->score > 0)
        width += w->score + TO_PROBABILITIES + w->more;
    if (path->value->tensor)
        width +=
            ROW_PATH_TO_VALUES + w->values * cols_of(path->value) + margin + w->result;
    return width;
}

static void grant(const RowPath *path, Widths *w, double *part, double want,
                  double count) {
    double left = path->circuit->area.w - width_of(path, w);
    if (count > 0 && left > 0 && want > *part)
        *part += fmin(want - *part, left / count);
}

/* Widens a column to `want` if all of that has room. */
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

/* Width of a table's columns: with room for its numbers, or narrow if they are many. */
static double column_of(const RowPath *path, const ChosenTable *table, bool widest) {
    double most = path->circuit->area.w * 0.26 / fmax(cols_of(table), 1);
    double least = fmax(circuit_numbered(path->circuit, table), LEAST_COLUMN);
    if (least > most)
        return fmin(COLOURED_WIDTH / cols_of(table), SOURCE_CELL);
    return widest ? fmax(least, fmin(most, WIDEST_COLUMN))
                  : fmin(least * COMFORTABLE, fmax(most, least));
}

/* Width of the widest token beside the result's row. */
static double result_word(const RowPath *path) {
    const Tensor *result = path->circuit->result.tensor;
    double width = result ? heatmap_row_label_width(canvas_of(path), result) : 0;
    return width > WIDEST_RESULT ? 0 : width;
}

static Widths widths_of(RowPath *path) {
    Circuit *circuit = path->circuit;
    const ChosenTable *scores = &circuit->scores;
    Widths w = {.probability = path->number + LEAST_BAR};
    w.keys = fmax(column_of(path, path->query, false), column_of(path, path->key, false));
    if (scores->tensor)
        w.score = fmin(fmax(circuit_numbered(circuit, scores), LEAST_SCORE),
                       ROW_PATH_WIDEST_SCORE);
    if (path->value->tensor)
        w.values = fmax(column_of(path, path->value, false),
                        column_of(path, &circuit->result, false));
    take(path, &w, &w.sources, sources_width(path));
    take(path, &w, &w.result, result_word(path));
    grant(path, &w, &w.probability, path->number + USUAL_BAR, 1);
    grant(path, &w, &w.keys, column_of(path, path->key, true), cols_of(path->key));
    if (path->value->tensor)
        grant(path, &w, &w.values, column_of(path, path->value, true),
              cols_of(path->value));
    grant(path, &w, &w.score, w.score > 0 ? ROW_PATH_WIDEST_SCORE : 0, 1);
    grant(path, &w, &w.probability, path->number + WIDEST_BAR, 1);
    if (w.sources > 0)
        take(path, &w, &w.weights, circuit_weights_width(circuit));
    grant(path, &w, &w.more, MORE_GAP, 3);
    grant(path, &w, &w.keys, SOURCE_CELL, cols_of(path->key));
    if (path->value->tensor)
        grant(path, &w, &w.values, SOURCE_CELL, cols_of(path->value));
    return w;
}

/* Leaves out the weights and, if `sources`, the sources; the tables' names then give
 * their origin. */
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

/* Places the lanes' levels and everything before their tables, which end at `right`. */
static void place_before(RowPath *path, const Widths *w, double left) {
    Circuit *circuit = path->circuit;
    circuit->lanes[CIRCUIT_QUERY].level = path->asking.y + path->asking.h / 2;
    Box fresh = row_path_fresh(path, path->keys_box);
    circuit->lanes[CIRCUIT_KEY].level =
        path->slide > 0 ? fresh.y + fresh.h / 2 : row_path_middle(path);
    circuit->lanes[CIRCUIT_VALUE].level = circuit_value_level(circuit);
    double sources = left + w->sources;
    circuit_place_weights(circuit, sources + FORK + w->more + w->weights / 2);
    double widest = 1;
    for (size_t i = 0; i < circuit->source_count; i++)
        widest = fmax(widest, cols_of(&circuit->sources[i]));
    circuit_place_sources(circuit, sources, w->sources / widest);
}

/* Box of a table's tokens and cells, at which lanes end. */
static Box with_words(const RowPath *path, Box cells) {
    return (Box){cells.x - path->words, cells.y, cells.w + path->words, cells.h};
}

static void place_columns(RowPath *path) {
    Circuit *circuit = path->circuit;
    Widths w = widths_of(path);
    if (w.sources == 0 || w.weights == 0)
        leave_out(circuit, w.sources == 0);
    path->result = w.result;
    circuit_fit_sources(circuit);
    double lines = lines_height(path);
    double spare = fmax(circuit->area.w - width_of(path, &w), 0),
           margin = ROLE_FRAME_MARGIN;
    double left = circuit->area.x + round(spare / 2), x = left;
    if (w.sources > 0)
        x += w.sources + FORK + w.more;
    if (w.weights > 0)
        x += w.weights + BEHIND_WEIGHT;
    x += margin + path->words;
    path->keys_box = (Box){x, path->top, w.keys * cols_of(path->key), lines};
    path->asking =
        (Box){x, path->top - tab_height(path) - 2 * margin - STACK_GAP - path->chosen,
              path->keys_box.w, path->chosen};
    circuit->lanes[CIRCUIT_QUERY].table.cells = with_words(path, path->asking);
    circuit->lanes[CIRCUIT_KEY].table.cells = with_words(path, path->keys_box);
    x += path->keys_box.w + margin + MEET + w.more;
    path->score = (Box){x, path->top, w.score, lines};
    if (w.score > 0)
        x += w.score + TO_PROBABILITIES + w.more;
    path->probability = (Box){x, path->top, w.probability, lines};
    circuit->probabilities.cells =
        path->probability; /* the values' lane rises behind them */
    circuit->probabilities.cells.w -= BEND;
    x += w.probability;
    if (path->value->tensor) {
        x += ROW_PATH_TO_VALUES + margin;
        path->values_box = (Box){x, path->top, w.values * cols_of(path->value), lines};
        circuit->lanes[CIRCUIT_VALUE].table.cells = path->values_box;
        size_t before = circuit->row * path->value->tensor->cols;
        size_t visible = circuit->stage->visible;
        circuit->mixed.cells = (Box){x, path->top + lines + margin + path->rule_gap,
                                     path->values_box.w, path->chosen};
        circuit->mixed.number_size = ROW_PATH_DIGITS;
        circuit->mixed.visible = visible > before ? visible - before : 0;
    }
    place_before(path, &w, left);
}

void row_path_lay_out(RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    place_lines(path);
    path->words = widest_word(path);
    path->number =
        canvas_text_width(canvas, FONT_BOLD,
                          row_path_type(path, ROW_PATH_NUMBER_UNITS, ""), "0.00") +
        ROW_PATH_WORD_GAP;
    place_columns(path);
}
