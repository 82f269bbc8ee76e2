#include "base/arena.h"
#include "base/number.h"
#include "lesson/play/player.h"
#include "picture/circuits/circuits_parts.h"
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
static const double NAME_UNITS = 20, WORD_UNITS = 18, NUMBER_UNITS = 20, DIGITS = 22;
static const double BAR_OF_ROW = 0.52, LANE_OF_ROW = 0.3, LANE = 11, SHORT_LANE = 7,
                    RING_OF_ROW = 0.34, RING = 12;

/* Heights of rows, and of gaps between them. */
static const double CHOSEN = 34, TALLEST_ROW = 44, EASY_ROW = 22, LEAST_ROW = 15,
                    LOW_CHOSEN = 18, RULE_GAP = 20, LOW_RULE_GAP = 12, STACK_GAP = 8,
                    SLIDE = 16, HEADER = 34;

/* Gaps between columns. */
static const double TO_MEET = 44, TO_PROBABILITIES = 58, BEND = 44, TO_VALUES = 26,
                    GAP = 6, WORD_GAP = 8;

/* Widths of columns; COMFORTABLE: relative to columns in which digits just fit. */
static const double WIDEST_WORD = 150, WIDEST_RESULT = 130, LEAST_BAR = 44,
                    USUAL_BAR = 75, WIDEST_BAR = 240, LEAST_SCORE = 44, WIDEST_SCORE = 76,
                    LEAST_COLUMN = 30, WIDEST_COLUMN = 68, COLOURED_WIDTH = 120,
                    COLOURED_COLUMN = 20, COMFORTABLE = 1.35;

/* Tracks behind the keys. */
enum {
    MEET = CIRCUIT_OWN,
    SCORE,
    BEHIND_SCORE,
    PROBABILITY,
    BEHIND_PROBABILITY,
    VALUES,
    BEHIND_VALUES,
    RESULT,
    TRACKS
};

typedef struct RowPath {
    Circuit *circuit;
    const ChosenTable *query, *key, *value; /* without a tensor if not in this step */
    size_t *keys, count; /* keys with lines, in order, and their number */
    size_t others;       /* number of keys without lines */
    size_t fresh;        /* first line of the keys that are not cached */
    double slide;        /* distance of those lines below the cached ones */
    Box counter;         /* counter of saved multiplications; h 0: no room */
    double words;        /* width of the tokens before the keys; 0: none */
    double number;       /* width of an attention weight's number */
    double result;       /* width of the token beside the result's row; 0: none */
    double top, row;     /* upper edge and height of the lines */
    double chosen;       /* height of the query's and the result's row */
    double rule_gap;     /* gap above the row of the weighted sum */
    Box asking;          /* cells of the query's row */
    /* Of all lines, without frames; w 0: none. */
    Box keys_box, score, probability, values_box;
} RowPath;

/* ---- lines ---- */

static const Canvas *canvas_of(const RowPath *path) {
    return path->circuit->stage->canvas;
}

static Box line_box(const RowPath *path, Box column, size_t line) {
    bool fresh = line < path->count && line >= path->fresh;
    size_t place = line == path->count ? path->fresh : line + (fresh && path->others);
    double above = path->top + (fresh ? path->slide : 0);
    double top = round(above + path->row * (double)place);
    return (Box){column.x, top, column.w,
                 round(above + path->row * (double)(place + 1)) - top};
}

static Box fresh_box(const RowPath *path, Box column) {
    double top = line_box(path, column, path->fresh).y;
    return (Box){column.x, top, column.w, column.y + column.h - top};
}

static double lines_height(const RowPath *path) {
    return path->row * (double)(path->count + (path->others > 0)) + path->slide;
}

static double middle_of_lines(const RowPath *path) {
    return round(path->top + lines_height(path) / 2);
}

/* Label of a row or a column of the probabilities; "" without labels. */
static const char *word_of(const RowPath *path, const char *const *labels, size_t index) {
    return labels ? token_text(canvas_of(path), labels[index]) : "";
}

static const char *key_word(const RowPath *path, size_t key) {
    return word_of(path, path->circuit->probabilities.tensor->col_labels, key);
}

static const char *asking_word(const RowPath *path) {
    const Circuit *circuit = path->circuit;
    return word_of(path, circuit->probabilities.tensor->row_labels, circuit->row);
}

/* ---- choice of keys ---- */

static bool has_line(const RowPath *path, size_t key) {
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
        if (!has_line(path, j) &&
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

/* ---- heights ---- */

/* Tracks from above: the query's tab and row, the columns' tabs or names, lines, the
 * distance of new ones, the rule and the row of the weighted sum. */
enum { TAB, QUERY_ROW, NAMES, LINES, SLID, RULE, SUM_ROW, TRACKS_DOWN };

/* Divides a height among `lines` lines and the other rows, which shrink if that makes
 * lines readable; returns false if lines are too many. */
static bool divide_height(const RowPath *path, Track *down, double lines, double room) {
    double tab = circuit_tab_height(path->circuit), margin = ROLE_FRAME_MARGIN;
    double easy = fmax(EASY_ROW, heatmap_least_row(canvas_of(path)));
    Track row = {.least = LOW_CHOSEN, .want = easy, .most = CHOSEN};
    down[TAB] = track_of(tab + margin);
    down[QUERY_ROW] = row;
    down[NAMES] = track_of(2 * margin + STACK_GAP + tab);
    down[LINES] =
        (Track){.parts = lines, .least = LEAST_ROW, .want = easy, .most = TALLEST_ROW};
    down[SLID] = track_of(path->slide);
    down[RULE] = down[SUM_ROW] = track_of(0);
    if (path->value->tensor) {
        down[RULE] =
            (Track){.least = LOW_RULE_GAP + margin, .want = RULE_GAP + margin, .rank = 1};
        down[SUM_ROW] = row;
    }
    return ruler_share(down, TRACKS_DOWN, 0, room);
}

/* Places as many lines, as tall as there is room for, in the middle of it. There is room
 * for a counter of cached rows if all keys have readable lines beside it, or couldn't
 * have lines even without it. */
static void place_lines(RowPath *path) {
    Circuit *circuit = path->circuit;
    Track down[TRACKS_DOWN];
    double keys = chosen_cols(&circuit->probabilities), height = circuit->area.h;
    path->slide = circuit->cached_rows ? SLIDE + 2 * ROLE_FRAME_MARGIN : 0;
    bool all = divide_height(path, down, keys, height);
    divide_height(path, down, keys, height - CACHE_COUNTER);
    if (path->slide > 0 &&
        (!all || down[LINES].part >= heatmap_least_row(canvas_of(path))))
        path->counter = box_take_bottom(&circuit->area, CACHE_COUNTER);
    Box area = circuit->area;
    if (!divide_height(path, down, keys, area.h))
        keys -= ceil((ruler_used(down, TRACKS_DOWN) - area.h) / LEAST_ROW);
    pick_keys(path, (size_t)fmax(keys, 1));
    divide_height(path, down, (double)(path->count + (path->others > 0)), area.h);
    double spare = fmax(area.h - ruler_used(down, TRACKS_DOWN), 0);
    ruler_place(down, TRACKS_DOWN, area.y + spare / 2);
    path->row = down[LINES].part;
    path->top = down[LINES].at;
    path->chosen = down[QUERY_ROW].size;
    path->rule_gap = down[RULE].size - ROLE_FRAME_MARGIN;
}

/* Size of a text in a line: no taller than the line if it is readable then. */
static double text_size(const RowPath *path, double units, const char *text) {
    return fmax(fmin(canvas_size(canvas_of(path), units, text), floor(path->row * 0.8)),
                canvas_least(canvas_of(path), text));
}

static double widest_word(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    double size = text_size(path, WORD_UNITS, ""), widest = 0;
    for (size_t i = 0; i < path->count; i++)
        widest = fmax(widest, canvas_text_width(canvas, FONT_TEXT, size,
                                                key_word(path, path->keys[i])));
    widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD, size, asking_word(path)));
    double least = 1.05 * widest * canvas_least(canvas, "") / size; /* in small type */
    return widest > 0 ? fmin(widest, fmax(WIDEST_WORD, least)) + WORD_GAP : 0;
}

/* ---- columns ---- */

/* Track of the columns of one or two tables: with comfortable room for their numbers, or
 * narrow if they are many. */
static Track columns_of(const RowPath *path, const ChosenTable *table,
                        const ChosenTable *other, int rank) {
    double cols = chosen_cols(table), most = path->circuit->area.w * 0.26 / cols;
    double least = fmax(fmax(circuit_numbered(path->circuit, table),
                             circuit_numbered(path->circuit, other)),
                        LEAST_COLUMN);
    if (least > most)
        return (Track){.parts = cols,
                       .least = fmin(COLOURED_WIDTH / cols, COLOURED_COLUMN),
                       .most = COLOURED_COLUMN};
    return (Track){.parts = cols,
                   .least = fmin(least * COMFORTABLE, most),
                   .want = fmin(most, WIDEST_COLUMN),
                   .rank = rank};
}

/* Width of the widest token beside the result's row. */
static double result_word(const RowPath *path) {
    const Tensor *result = path->circuit->result.tensor;
    double width = result ? heatmap_row_label_width(canvas_of(path), result) : 0;
    return width > WIDEST_RESULT ? 0 : width;
}

static void set_tracks(const RowPath *path, Track *across) {
    const Circuit *circuit = path->circuit;
    double score = fmax(circuit_numbered(circuit, &circuit->scores), LEAST_SCORE);
    circuit_set_tracks(circuit, across);
    across[CIRCUIT_LABELS] = (Track){0};
    across[CIRCUIT_SOURCES].least = across[CIRCUIT_SOURCES].want;
    across[CIRCUIT_BEHIND] = track_of(ROLE_FRAME_MARGIN + path->words);
    across[CIRCUIT_TABLES] = columns_of(path, path->key, path->query, 2);
    across[MEET] = circuit_gap(ROLE_FRAME_MARGIN + TO_MEET, 0);
    if (circuit->scores.tensor) {
        across[SCORE] =
            (Track){.least = fmin(score, WIDEST_SCORE), .want = WIDEST_SCORE, .rank = 4};
        across[BEHIND_SCORE] = circuit_gap(TO_PROBABILITIES, 0);
    }
    across[PROBABILITY] = (Track){.least = path->number + LEAST_BAR,
                                  .want = path->number + USUAL_BAR,
                                  .most = path->number + WIDEST_BAR,
                                  .rank = 1};
    if (!path->value->tensor)
        return;
    across[BEHIND_PROBABILITY] = track_of(TO_VALUES + ROLE_FRAME_MARGIN);
    across[VALUES] = columns_of(path, path->value, &circuit->result, 3);
    across[BEHIND_VALUES] = track_of(ROLE_FRAME_MARGIN);
}

/* Divides the width. Sources, the result's token and weights are left out if there is no
 * room for them; the names of tables then give their origin. */
static void divide(RowPath *path, Track *across) {
    Circuit *circuit = path->circuit;
    set_tracks(path, across);
    if (!circuit_share(circuit, across, TRACKS)) {
        circuit_leave_out(circuit, true);
        across[CIRCUIT_SOURCES] = across[CIRCUIT_FORK] = (Track){0};
    }
    across[RESULT] = track_of(result_word(path));
    if (!circuit_share(circuit, across, TRACKS))
        across[RESULT] = (Track){0};
    circuit_share(circuit, across, TRACKS);
    if (circuit->area.w - ruler_used(across, TRACKS) >= circuit_weights_width(circuit))
        circuit_add_weights(circuit, across);
    else
        circuit_leave_out(circuit, false);
    circuit_share(circuit, across, TRACKS);
    circuit_spread(circuit, across, TRACKS);
}

/* Box of all lines in a column. */
static Box column_box(const RowPath *path, const Track *column) {
    return (Box){column->at, path->top, column->size, lines_height(path)};
}

/* Box of a table's tokens and cells, at which lanes end. */
static Box with_words(const RowPath *path, Box cells) {
    return (Box){cells.x - path->words, cells.y, cells.w + path->words, cells.h};
}

/* Sets the levels of the lanes, which end at the tables' frames. */
static void set_levels(RowPath *path) {
    Circuit *circuit = path->circuit;
    Box fresh = fresh_box(path, path->keys_box);
    circuit->lanes[CIRCUIT_QUERY].level = path->asking.y + path->asking.h / 2;
    circuit->lanes[CIRCUIT_KEY].level =
        path->slide > 0 ? fresh.y + fresh.h / 2 : middle_of_lines(path);
    circuit->lanes[CIRCUIT_VALUE].level = circuit_value_level(circuit);
    circuit->lanes[CIRCUIT_QUERY].table.cells = with_words(path, path->asking);
    circuit->lanes[CIRCUIT_KEY].table.cells = with_words(path, path->keys_box);
    circuit->lanes[CIRCUIT_VALUE].table.cells = path->values_box;
    circuit->probabilities.cells = path->probability; /* the values' lane rises behind */
    circuit->probabilities.cells.w -= BEND;
}

static void place_columns(RowPath *path) {
    Circuit *circuit = path->circuit;
    Track across[TRACKS] = {0};
    divide(path, across);
    path->keys_box = column_box(path, &across[CIRCUIT_TABLES]);
    path->score = column_box(path, &across[SCORE]);
    path->probability = column_box(path, &across[PROBABILITY]);
    path->values_box = column_box(path, &across[VALUES]);
    path->result = across[RESULT].size;
    path->asking = path->keys_box;
    path->asking.h = path->chosen;
    path->asking.y -=
        circuit_tab_height(circuit) + 2 * ROLE_FRAME_MARGIN + STACK_GAP + path->chosen;
    set_levels(path);
    circuit_place(circuit, across);
    if (!path->value->tensor)
        return;
    size_t before = circuit->row * path->value->tensor->cols;
    size_t visible = circuit->stage->visible;
    Box values = path->values_box;
    circuit->mixed.cells =
        (Box){values.x, values.y + values.h + ROLE_FRAME_MARGIN + path->rule_gap,
              values.w, path->chosen};
    circuit->mixed.number_size = DIGITS;
    circuit->mixed.visible = visible > before ? visible - before : 0;
}

static void lay_out(RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    place_lines(path);
    path->words = widest_word(path);
    path->number =
        canvas_text_width(canvas, FONT_BOLD, text_size(path, NUMBER_UNITS, ""), "0.00") +
        WORD_GAP;
    place_columns(path);
}

/* ---- drawing ---- */

/* Heatmap of a row of a table in the given cells. */
static Heatmap row_heatmap(const RowPath *path, const ChosenTable *table, size_t row,
                           Box cells) {
    return (Heatmap){.tensor =
                         chosen_table_part(canvas_of(path), table->tensor, row, row + 1),
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
    heatmap.cached_rows = table != path->query && row < path->circuit->cached_rows;
    heatmap_draw(canvas_of(path), &heatmap);
    outline_focus(path, &heatmap, row);
}

static void draw_word(const RowPath *path, Box row, const char *text, bool chosen) {
    const Canvas *canvas = canvas_of(path);
    if (text[0] && path->words > 0)
        canvas_row_label(canvas, text_size(path, WORD_UNITS, text),
                         path->words - WORD_GAP, chosen,
                         (Point){row.x - WORD_GAP, row.y + row.h / 2}, text);
}

/* Draws the query's lane down beside the keys, with each key's lane to its score. */
static void draw_meeting(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    double right = path->keys_box.x + path->keys_box.w + ROLE_FRAME_MARGIN;
    double spine = round(right + (path->score.x - right) * 0.5);
    Box last = line_box(path, path->keys_box, path->count - 1);
    Lane query = {.role = ROLE_QUERY, .strong = true};
    Lane key = {.role = ROLE_KEY,
                .strong = true,
                .thickness = fmin(path->row * LANE_OF_ROW, LANE)};
    lane_between(canvas, (Point){spine, path->top}, (Point){spine, last.y + last.h / 2},
                 query);
    query.ends_upright = true;
    lane_between(canvas, (Point){right, path->asking.y + path->asking.h / 2},
                 (Point){spine, path->top}, query);
    for (size_t i = 0; i < path->count; i++) {
        Box line = line_box(path, path->keys_box, i);
        double y = line.y + round(line.h / 2);
        lane_between(canvas, (Point){right, y}, (Point){path->score.x - GAP, y}, key);
    }
    for (size_t i = 0; i < path->count; i++) {
        Box line = line_box(path, path->keys_box, i);
        lane_product(canvas, (Point){spine, line.y + round(line.h / 2)},
                     fmin(path->row * RING_OF_ROW, RING));
    }
}

static void draw_lanes(const RowPath *path) {
    const Canvas *canvas = canvas_of(path);
    bool bare = path->circuit->parts->bare;
    circuit_draw_paths(path->circuit);
    draw_meeting(path);
    if (path->score.w <= 0)
        return;
    double y = middle_of_lines(path);
    Point from = {path->score.x + path->score.w + GAP, y};
    lane_between(canvas, from, (Point){path->probability.x - GAP, y},
                 (Lane){.role = bare ? ROLE_NONE : ROLE_PROBABILITIES,
                        .strong = true,
                        .arrow = true,
                        .thickness = SHORT_LANE});
    if (!bare)
        lane_softmax(canvas, (Point){from.x + LANE_SOFTMAX_IN, y});
}

/* Draws one cell of the row in a table as a table of its own. */
static void draw_cell(const RowPath *path, const ChosenTable *table, size_t col,
                      Box box) {
    const Canvas *canvas = canvas_of(path);
    const Stage *stage = path->circuit->stage;
    size_t row = path->circuit->row;
    Heatmap heatmap = row_heatmap(path, table, row, box);
    Tensor *one = canvas_tensor(canvas, 1, 1);
    one->values[0] = tensor_at(table->tensor, row, col);
    heatmap.written_as = heatmap.tensor;
    heatmap.tensor = one;
    heatmap.node = TAPE_NONE;
    canvas_link_cell(canvas, table->node, row, col);
    heatmap_draw(canvas, &heatmap);
    canvas_unlink(canvas);
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
    double size = text_size(path, NUMBER_UNITS, text), tall = round(line.h * BAR_OF_ROW);
    canvas_text(canvas, FONT_BOLD, size, probability > 0 ? color : theme->ink_soft,
                (Point){line.x + path->number - WORD_GAP,
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
        Box line = line_box(path, path->probability, i);
        if (path->score.w > 0)
            draw_cell(path, &circuit->scores, key, line_box(path, path->score, i));
        if (!has_bars(path)) {
            line.w = fmin(line.w, WIDEST_SCORE);
            draw_cell(path, probabilities, key, line);
        } else {
            canvas_link_cell(canvas, probabilities->node, circuit->row, key);
            draw_probability(path, circuit_weight(circuit, key), is_masked(path, key),
                             line);
            canvas_unlink(canvas);
        }
        if (path->value->tensor)
            canvas_formula(canvas, "\\times", text_size(path, NUMBER_UNITS, ""),
                           (Point){line.x + line.w + TO_VALUES / 2, line.y + line.h / 2},
                           LABEL_CENTER);
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
        probability += has_line(path, j) ? 0 : circuit_weight(path->circuit, j);
    const char *words =
        canvas_words(canvas, "view.others", canvas_count(canvas, path->others), NULL);
    const Box columns[] = {path->keys_box, path->score, path->values_box};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        Box line = line_box(path, columns[i], path->count);
        double size = text_size(path, WORD_UNITS, words);
        if (line.w > 0)
            canvas_line(canvas, FONT_TEXT, size, color, line,
                        canvas_text_width(canvas, FONT_TEXT, size, words) <= line.w
                            ? words
                            : "…");
    }
    if (has_bars(path))
        draw_probability(path, probability, false,
                         line_box(path, path->probability, path->count));
}

/* Draws a column's name above its lines. */
static void draw_name(const RowPath *path, Box column, const char *name, size_t node,
                      const Tensor *tensor, double room) {
    const Stage *stage = path->circuit->stage;
    Caption caption =
        caption_low(stage, name, node, tensor, NAME_UNITS, room, HEADER * 1.5);
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
        Box fresh = fresh_box(path, framed);
        role_frame(canvas_of(path), lane->role, fresh);
        framed.h = fresh.y - path->slide - framed.y;
    }
    Box frame = role_frame(canvas_of(path), lane->role, framed);
    role_tab(canvas_of(path), &tab, frame);
    if (kind == CIRCUIT_QUERY) {
        draw_word(path, cells, asking_word(path), true);
        draw_row(path, &lane->table, circuit->row, cells);
        return;
    }
    for (size_t i = 0; i < path->count; i++) {
        Box line = line_box(path, cells, i);
        if (kind == CIRCUIT_KEY)
            draw_word(path, line, key_word(path, path->keys[i]),
                      path->slide > 0 && i >= path->fresh);
        draw_row(path, &lane->table, path->keys[i], line);
    }
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
    if (output->row_labels && path->result > 0)
        canvas_line(canvas, FONT_BOLD, WORD_UNITS, canvas->theme->ink,
                    (Box){cells.x + cells.w + WORD_GAP, cells.y, path->result - WORD_GAP,
                          cells.h},
                    token_text(canvas, output->row_labels[circuit->row]));
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

void circuit_draw_row(Circuit *circuit) {
    if (circuit->scores_apart) /* there is no room below for a legend of their own */
        circuit_scale_with(circuit, &circuit->scores, circuit->scores.reach);
    circuit->result.reach = circuit->mixed.reach = circuit->reach;
    RowPath path = {.circuit = circuit,
                    .query = &circuit->lanes[CIRCUIT_QUERY].table,
                    .key = &circuit->lanes[CIRCUIT_KEY].table,
                    .value = &circuit->lanes[CIRCUIT_VALUE].table};
    lay_out(&path);
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
