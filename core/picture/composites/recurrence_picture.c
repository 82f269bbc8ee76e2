#include "picture/composites/composites.h"

#include "base/maths.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/draw/token.h"
#include "tensor/tape/gradient.h"

#include <math.h>
#include <string.h>

enum { STATES_MOST = 10, STATES_LEAST = 2, DEEPEST = 24 };
enum { PLAN_MOST = 20000 }; /* nodes of a tape that is differentiated for each page */

/* Lengths in units. */
static const double WORD = 20, NAME = 22, LEFT = 17, CELL = 88, LEAST_CELL = 30;
static const double WIDEST = 330, LEAST_WIDTH = 92, GAP = 12, ARROW = 54, NAMES = 36;
static const double RIBBONS = 132;         /* largest total thickness */
static const double CELLS_FRACTION = 0.66; /* fraction of a state's width */
/* Fractions of a cell's height; of an arrow. */
static const double HALF = 0.4, HEAD = 12, EDGE = 3;
/* Of their ink; the first ribbon is stronger. */
static const int FAR_FRACTION = 120, NEAR_FRACTION = 44;

/* A hidden state and its inputs. */
typedef struct State {
    size_t node, activated; /* node of the state, and of its pre-activation; the node
                               itself without activation */
    size_t source, row;     /* table and row that are read */
    size_t before;          /* previous state; TAPE_NONE */
    size_t weight, recurrent_weight; /* weights of the row and of the previous state */
} State;

typedef struct Recurrence {
    const Stage *stage;
    size_t count, present;
    State states[STATES_MOST];
    double moved[STATES_MOST][STATES_MOST]; /* [state][row read]: remaining influence */
    double most;                            /* largest total influence on a state */
    double left, width;            /* left end of the first state; width of each */
    double cell_w, cell_h, height; /* size of a cell; thickness of influence 1 */
    double words, middle;          /* y of the chips and of the states */
} Recurrence;

/* ---- states ---- */

/* Reports whether a node is a product with a given weight. */
static bool is_weighted(const Stage *stage, const TapeNode *at) {
    return at->operation == OPERATION_MATMUL && !at->muted &&
           stage_node(stage, at->inputs[1])->operation == OPERATION_GIVEN;
}

static bool reads_row(const Stage *stage, size_t node, State *state) {
    const TapeNode *at = stage_node(stage, node);
    if (!is_weighted(stage, at))
        return false;
    const TapeNode *row = stage_node(stage, at->inputs[0]);
    state->source = row->input_count ? row->inputs[0] : TAPE_NONE;
    state->row = row->options.row_begin;
    state->weight = at->inputs[1];
    return row->operation == OPERATION_SLICE && row->output.rows == 1 &&
           row->output.cols == row->operands[0]->cols && row->operands[0]->rows > 1;
}

static bool reads_state(const Stage *stage, size_t node, State *state) {
    const TapeNode *at = stage_node(stage, node);
    if (!is_weighted(stage, at))
        return false;
    state->before = at->inputs[0];
    state->recurrent_weight = at->inputs[1];
    return at->operands[0]->rows == 1 && at->operands[1]->rows == at->operands[1]->cols;
}

/* Input of an element-wise node that is no number or bias, if it is the only one. */
static size_t activation_input(const Stage *stage, const TapeNode *at) {
    size_t found = TAPE_NONE;
    if (operation_of(at->operation)->work != OPERATION_WORK_BY_CELL || at->muted)
        return TAPE_NONE;
    for (size_t i = 0; i < at->input_count; i++) {
        if (stage_node(stage, at->inputs[i])->operation == OPERATION_GIVEN)
            continue;
        if (found != TAPE_NONE && found != at->inputs[i])
            return TAPE_NONE;
        found = at->inputs[i];
    }
    return found;
}

static bool find_state(const Stage *stage, size_t node, State *state) {
    *state = (State){.node = node, .before = TAPE_NONE};
    for (size_t i = 0; i < DEEPEST && node != TAPE_NONE; i++) {
        const TapeNode *at = stage_node(stage, node);
        state->activated = node;
        if (reads_row(stage, node, state))
            return true;
        if (at->operation == OPERATION_ADD && !at->muted) {
            for (int j = 0; j < 2; j++) {
                if (reads_row(stage, at->inputs[j], state) &&
                    reads_state(stage, at->inputs[1 - j], state))
                    return true;
            }
        }
        node = activation_input(stage, at);
    }
    return false;
}

/* Finds the states up to a node's, in order; returns their number, 0 if it is no such
 * chain. */
static size_t find_chain(const Stage *stage, size_t node, State states[STATES_MOST]) {
    size_t count = 0;
    while (node != TAPE_NONE) {
        State state;
        if (count == STATES_MOST || !find_state(stage, node, &state) ||
            (count && state.source != states[0].source))
            return 0;
        states[count++] = state;
        node = state.before;
    }
    for (size_t i = 0, j = count; i + 1 < j--; i++) {
        State state = states[i];
        states[i] = states[j];
        states[j] = state;
    }
    return count;
}

/* Finds the lesson's longest chain that includes the step's node. */
static bool find(Recurrence *all) {
    const Stage *stage = all->stage;
    const Lesson *lesson = stage->player->lesson;
    State states[STATES_MOST];
    size_t own = find_chain(stage, stage->node, states);
    if (!own || stage->is_question || stage->values || stage->step->shown_count)
        return false;
    for (size_t i = player_statement(stage->player); i < lesson->step_count; i++) {
        size_t node = lesson->steps[i].result;
        size_t count = node == TAPE_NONE ? 0 : find_chain(stage, node, states);
        if (count < own || count <= all->count ||
            (states[own - 1].node != stage->node &&
             states[own - 1].activated != stage->node))
            continue;
        memcpy(all->states, states, sizeof states);
        all->count = count;
    }
    all->present = own - 1;
    bool bends = all->count && all->states[own - 1].node != stage->node;
    return all->count >= STATES_LEAST && (own > 1 || !bends);
}

/* ---- influence ---- */

/* Measures the influence of all rows on a state: the norm of the state's gradient by each
 * row. */
static bool measure(Recurrence *all, size_t index) {
    const Stage *stage = all->stage;
    const State *state = &all->states[index];
    const Tensor *source = stage_tensor(stage, state->source);
    size_t node = index == all->present ? stage->node : state->node;
    Gradients *gradients = gradients_create(stage->tape, node, &state->source, 1,
                                            stage->canvas->scene->arena);
    double sum = 0;
    for (size_t col = 0; col < stage_tensor(stage, node)->cols; col++) {
        gradients_of_cell(gradients, 0, col);
        const double *slopes = gradients_get(gradients, state->source);
        for (size_t i = 0; slopes && i <= index; i++) {
            const double *row = slopes + all->states[i].row * source->cols;
            for (size_t j = 0; j < source->cols; j++)
                all->moved[index][i] += row[j] * row[j];
        }
    }
    for (size_t i = 0; i <= index; i++) {
        all->moved[index][i] = sqrt(all->moved[index][i]);
        sum += all->moved[index][i];
    }
    all->most = fmax(all->most, sum);
    return isfinite(sum) && all->most > 0;
}

/* ---- layout ---- */

static bool place(Recurrence *all) {
    const Stage *stage = all->stage;
    double cols = (double)stage_tensor(stage, stage->node)->cols;
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    all->width = fmin(floor(area.w / (double)all->count), WIDEST);
    all->cell_w = floor(fmin(all->width * CELLS_FRACTION / cols, CELL));
    double chip = token_height(canvas_size(stage->canvas, WORD, ""));
    double fixed = chip + ARROW + 2 * NAMES, ribbons = fmin(area.h - fixed, RIBBONS);
    all->cell_h = round(ribbons);
    all->height = ribbons / all->most;
    double top = area.y + fmax(area.h - fixed - ribbons, 0) / 2;
    all->words = round(top + chip / 2);
    all->middle = round(top + chip + ARROW + ribbons / 2);
    all->left = round(area.x + (area.w - all->width * (double)all->count) / 2);
    return all->width >= LEAST_WIDTH && all->cell_w >= LEAST_CELL &&
           ribbons >= 2 * LEAST_CELL;
}

static double centre(const Recurrence *all, size_t index) {
    return all->left + all->width * ((double)index + 0.5);
}

static size_t node_of(const Recurrence *all, size_t index) {
    return index == all->present ? all->stage->node : all->states[index].node;
}

static Box cells_of(const Recurrence *all, size_t index) {
    double w = all->cell_w * (double)stage_tensor(all->stage, all->stage->node)->cols;
    return (Box){round(centre(all, index) - w / 2), round(all->middle - all->cell_h / 2),
                 w, all->cell_h};
}

/* Upper edge of a row's ribbon at a state; ribbons lie below each other. */
static double ribbon_top(const Recurrence *all, size_t index, size_t row) {
    double sum = 0, above = 0;
    for (size_t i = 0; i <= index; i++) {
        sum += all->moved[index][i];
        above += i < row ? all->moved[index][i] : 0;
    }
    return all->middle + (above - sum / 2) * all->height;
}

/* ---- drawing ---- */

static Color ribbon_color(const Recurrence *all, size_t row) {
    const Theme *theme = all->stage->canvas->theme;
    return palette_mix(theme->page, row ? theme->ink_soft : theme->other[0],
                       row ? NEAR_FRACTION : FAR_FRACTION);
}

static void draw_ribbons(const Recurrence *all, size_t index) {
    for (size_t row = 0; row < index; row++) {
        Box left = cells_of(all, index - 1), right = cells_of(all, index);
        left.w += EDGE;
        left.y = ribbon_top(all, index - 1, row);
        left.h = all->moved[index - 1][row] * all->height;
        right.x -= EDGE;
        right.y = ribbon_top(all, index, row);
        right.h = all->moved[index][row] * all->height;
        curve_band(all->stage->canvas, left, right, false, ribbon_color(all, row));
    }
    if (index)
        canvas_formula(
            all->stage->canvas,
            stage_formula_name(all->stage, all->states[index].recurrent_weight), NAME,
            (Point){centre(all, index) - all->width / 2, all->middle}, LABEL_CENTER);
}

static void draw_down_arrow(const Recurrence *all, double x, double from, double to) {
    const Canvas *canvas = all->stage->canvas;
    canvas_arrow(canvas, (Point){x, from}, (Point){x, to}, 2, HEAD,
                 canvas->theme->ink_soft);
}

/* Draws the influence of the row that is read now, from its chip down. */
static void draw_reading(const Recurrence *all, size_t index) {
    const Canvas *canvas = all->stage->canvas;
    double half = fmax(all->moved[index][index] * all->height / 2, 1),
           x = centre(all, index);
    double top = all->words + token_height(canvas_size(canvas, WORD, "")) / 2;
    Box band = {x - half, top, 2 * half, cells_of(all, index).y - EDGE - top};
    canvas_fill(canvas, band, 0, ribbon_color(all, index));
    draw_down_arrow(all, x, top + GAP, top + ARROW - GAP / 2);
    const char *weight = stage_formula_name(all->stage, all->states[index].weight);
    double wide =
        canvas_formula_extent(canvas, weight, canvas_size(canvas, NAME, "")).width;
    double beside = wide + 2 * GAP < half ? 0 : half; /* within the band, or behind it */
    canvas_formula(canvas, weight, NAME, (Point){x + beside + GAP, top + ARROW / 2},
                   LABEL_LEFT);
}

static const char *word_of(const Recurrence *all, size_t index) {
    const State *state = &all->states[index];
    const Tensor *source = stage_tensor(all->stage, state->source);
    return source->row_labels ? source->row_labels[state->row]
                              : canvas_count(all->stage->canvas, state->row);
}

static void draw_word(const Recurrence *all, size_t index) {
    const Canvas *canvas = all->stage->canvas;
    const char *word = word_of(all, index);
    double size = canvas_size(canvas, WORD, word),
           width = fmin(token_width(canvas, size, word), all->width - GAP);
    Box chip = {round(centre(all, index) - width / 2),
                round(all->words - token_height(size) / 2), width, token_height(size)};
    canvas_link(canvas, (Link){LINK_SOURCE, all->states[index].source,
                               all->states[index].row, 0});
    token_draw(canvas,
               &(Token){.label = word,
                        .kind = token_kind(word),
                        .present = index == all->present,
                        .size = size},
               chip);
    canvas_unlink(canvas);
}

/* Draws "she 9 %": the remaining influence of the first row. */
static void draw_left(const Recurrence *all, size_t index) {
    const Canvas *canvas = all->stage->canvas;
    const char *text =
        canvas_format(canvas, "%s %.0f%%", token_text(canvas, word_of(all, 0)),
                      100 * all->moved[index][0] / all->moved[0][0]);
    double y = all->middle + all->cell_h / 2;
    canvas_text_within(canvas, FONT_TEXT, canvas_size(canvas, LEFT, text),
                       all->width - GAP, canvas->theme->ink_soft,
                       (Point){centre(all, index), round(y + 2 * NAMES - 8)},
                       LABEL_CENTER, text);
}

/* Node of the present state's pre-activation, if it has a name; TAPE_NONE. */
static size_t activated_node(const Recurrence *all) {
    size_t activated = all->states[all->present].activated;
    bool named =
        stage_node(all->stage, activated)->name[0] && activated != all->stage->node;
    return named ? activated : TAPE_NONE;
}

static double reach_of(const Recurrence *all) {
    size_t activated = activated_node(all);
    double reach = activated == TAPE_NONE
                       ? 1
                       : fmax(heatmap_reach(stage_tensor(all->stage, activated)), 1);
    for (size_t i = 0; i <= all->present; i++)
        reach = fmax(reach, heatmap_reach(stage_tensor(all->stage, node_of(all, i))));
    return reach;
}

static void draw_table(const Recurrence *all, size_t node, Box cells) {
    const Stage *stage = all->stage;
    Heatmap table = stage_heatmap(stage, node, cells, reach_of(all));
    if (node == stage->node)
        stage_result(stage, &table);
    heatmap_draw(stage->canvas, &table);
    stage_outline_focus(stage, &table);
}

static void draw_name(const Recurrence *all, size_t node, Point middle,
                      LabelAlign align) {
    const Canvas *canvas = all->stage->canvas;
    scene_begin_caption(canvas->scene, node);
    canvas_formula(canvas, stage_formula_name(all->stage, node), NAME, middle, align);
    scene_end_caption(canvas->scene);
}

/* Draws a state's numbers; above the present one its pre-activation, if that has a
 * name. */
static void draw_state(const Recurrence *all, size_t index) {
    const Stage *stage = all->stage;
    const Canvas *canvas = stage->canvas;
    size_t node = node_of(all, index), activated = activated_node(all);
    Box cells = cells_of(all, index);
    if (index > all->present) {
        canvas_outline(canvas, cells, 0, canvas->theme->line, 1);
        return;
    }
    draw_name(all, node, (Point){centre(all, index), cells.y + cells.h + NAMES / 2},
              LABEL_CENTER);
    draw_left(all, index);
    if (index == all->present && activated != TAPE_NONE) {
        Box above = box_take_top(&cells, floor(cells.h * HALF));
        Box between = box_take_top(&cells, floor(cells.h * (1 - HALF / (1 - HALF))));
        draw_table(all, activated, above);
        draw_down_arrow(all, centre(all, index), between.y + 2,
                        between.y + between.h - 2);
        draw_name(all, activated, (Point){above.x + above.w + GAP, above.y + above.h / 2},
                  LABEL_LEFT);
    }
    draw_table(all, node, cells);
}

bool recurrence_picture(const Stage *stage) {
    Recurrence all = {.stage = stage};
    if (tape_count(stage->tape) > PLAN_MOST || !find(&all))
        return false;
    for (size_t i = 0; i <= all.present; i++) {
        if (!measure(&all, i))
            return false;
    }
    if (!place(&all))
        return false;
    for (size_t i = 0; i <= all.present; i++) {
        draw_reading(&all, i);
        draw_ribbons(&all, i);
    }
    for (size_t i = 0; i < all.count; i++) {
        draw_word(&all, i);
        draw_state(&all, i);
    }
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, reach_of(&all)}, 1);
    return true;
}
