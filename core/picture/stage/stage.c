#include "picture/stage/stage.h"

#include "lesson/content/content.h"
#include "lesson/content/question.h"
#include "lesson/content/view.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/draw/roles.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double BLEACHED = 0.25, PALE = 0.015; /* fractions of a scale */
enum { FEW_CELLS = 24, SCALES_MAX = 4 /* of a picture */ };

size_t stage_counterpart(const Tape *tape, const Tape *base, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    if (!base)
        return node;
    size_t other = at->name[0] ? tape_find(base, at->name) : TAPE_NONE;
    if (other == TAPE_NONE)
        return TAPE_NONE;
    const Tensor *tensor = &tape_node(base, other)->output;
    bool fits = tensor->rows == at->output.rows && tensor->cols == at->output.cols;
    return fits ? other : TAPE_NONE;
}

const TapeNode *stage_node(const Stage *stage, size_t node) {
    return tape_node(stage->tape, node);
}

const Tensor *stage_tensor(const Stage *stage, size_t node) {
    const Tensor *instead =
        stage->values ? stage->values->tensor(stage->values->context, node) : NULL;
    if (instead)
        return instead;
    return &stage_node(stage, node)->output;
}

/* Returns true if a given row labels its columns with whole numbers, such as the IDs of a
 * text. */
static bool is_numbering(const Tensor *tensor) {
    bool names = tensor->rows == 1 && tensor->col_labels;
    double most = 0;
    for (size_t i = 0; names && i < tensor->cols; i++) {
        names = tensor->values[i] >= 0 && tensor->values[i] == floor(tensor->values[i]);
        most = fmax(most, tensor->values[i]);
    }
    return names && most > 1;
}

/* Returns true if a given table holds the attention weights of each row's token on the
 * columns' tokens. */
static bool is_shared_out(const Tensor *tensor) {
    return tensor->row_labels && tensor->col_labels && lesson_has_probabilities(tensor);
}

/* Nesting limit of products of probabilities. */
enum { DEEPEST = 8 };

static HeatmapColors colors_of(const Tape *tape, size_t node, unsigned deep);

HeatmapColors stage_colors(const Tape *tape, size_t node) {
    return colors_of(tape, node, 0);
}

/* Returns true if a tensor is computed from probabilities and holds probabilities itself,
 * such as the rest "1 − A" or the product "A ⊙ (1 − A)". */
static bool is_made_of_shares(const Tape *tape, const TapeNode *node, unsigned deep) {
    if (deep == DEEPEST)
        return false;
    if (node->operation == OPERATION_SUBTRACT) {
        const Tensor *whole = &tape_node(tape, node->inputs[0])->output;
        return !node->muted && tensor_cells(whole) == 1 && whole->values[0] == 1 &&
               colors_of(tape, node->inputs[1], deep + 1) == HEATMAP_PROBABILITIES;
    }
    return node->operation == OPERATION_MULTIPLY &&
           colors_of(tape, node->inputs[0], deep + 1) == HEATMAP_PROBABILITIES &&
           colors_of(tape, node->inputs[1], deep + 1) == HEATMAP_PROBABILITIES;
}

static HeatmapColors colors_of(const Tape *tape, size_t node, unsigned deep) {
    const TapeNode *at = tape_node(tape, node);
    while (at->input_count &&
           operation_of(at->operation)->values == OPERATION_VALUES_OF_INPUT) {
        node = at->inputs[0];
        at = tape_node(tape, node);
    }
    if (at->operation == OPERATION_GIVEN)
        return is_numbering(&at->output) || tape_node(tape, node)->holds_ids
                   ? HEATMAP_PLAIN
               : is_shared_out(&at->output) ? HEATMAP_PROBABILITIES
                                            : HEATMAP_SIGNED;
    switch (operation_of(at->operation)->values) {
    case OPERATION_VALUES_PROBABILITIES:
        return HEATMAP_PROBABILITIES;
    case OPERATION_VALUES_POSITIONS:
        return HEATMAP_PLAIN;
    case OPERATION_VALUES_OF_INPUT:
    case OPERATION_VALUES_SIGNED:
    case OPERATION_VALUES_MASK:
    case OPERATION_VALUES_CUT:
        break;
    }
    return is_made_of_shares(tape, at, deep) ? HEATMAP_PROBABILITIES : HEATMAP_SIGNED;
}

double stage_least_share(const Tensor *tensor) {
    return tensor_cells(tensor) <= FEW_CELLS ? PALE : BLEACHED;
}

Color stage_color(const Stage *stage, size_t node, size_t position) {
    const Theme *theme = stage->canvas->theme;
    return role_name_color(theme, stage_node(stage, node)->name,
                           theme->other[position % 4]);
}

/* Returns true if a node is a slice, or a table multiplied by a number. */
static bool is_picked(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    return at->operation == OPERATION_SLICE ||
           (at->operation == OPERATION_MULTIPLY &&
            (stage_node(stage, at->inputs[0])->quiet ||
             stage_node(stage, at->inputs[1])->quiet));
}

bool stage_only_picks(const Stage *stage) {
    const PlayerStep *steps = stage->player->steps, *at = player_step(stage->player);
    for (size_t i = at->parts; at->child_count && i < at->next; i = steps[i].next) {
        if (steps[i].child_count ||
            (steps[i].node != at->node && !is_picked(stage, steps[i].node)))
            return false;
    }
    return true;
}

/* ---- legends ---- */

static bool is_negative(double value) {
    return value < 0 && !tensor_is_masking(value);
}

HeatmapColors stage_table_legend(const Tensor *tensor, HeatmapColors colors) {
    bool negative = colors != HEATMAP_SIGNED, bits = true, ones = false;
    for (size_t i = 0; !negative && i < tensor_cells(tensor); i++) {
        double value = tensor->values[i];
        negative = is_negative(value);
        ones |= value == 1;
        bits &= value == 0 || value == 1;
    }
    return negative ? colors : bits && ones ? HEATMAP_BITS : HEATMAP_UPPER;
}

/* Returns true if an item of the scene is a negative cell, or a table with one. */
static bool shows_negative(const Stage *stage, const SceneItem *item) {
    if (!item->tensor && item->link.kind == LINK_CELL &&
        item->link.index < tape_count(stage->tape)) {
        const Tensor *tensor = stage_tensor(stage, item->link.index);
        return item->link.row < tensor->rows && item->link.col < tensor->cols &&
               is_negative(tensor_at(tensor, item->link.row, item->link.col));
    }
    return item->tensor &&
           stage_table_legend(item->tensor, HEATMAP_SIGNED) == HEATMAP_SIGNED;
}

/* Returns the colours of a scale's legend: the upper half of a signed scale if nothing on
 * the stage is negative. */
static HeatmapColors legend_colors(const Stage *stage, HeatmapColors colors) {
    const Scene *scene = stage->canvas->scene;
    Box all = stage->area;
    bool signs = colors != HEATMAP_SIGNED || stage->values;
    for (size_t i = 0; !signs && i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        bool within = item->box.x >= all.x - 1 && item->box.y >= all.y - 1 &&
                      item->box.x + item->box.w <= all.x + all.w + 1 &&
                      item->box.y + item->box.h <= all.y + all.h + 1;
        signs = within && shows_negative(stage, item);
    }
    return signs ? colors : HEATMAP_UPPER;
}

double stage_known_legends(const Stage *stage, Box area, const StageScale *scales,
                           size_t count) {
    const double GAP = 44;
    Box strip = box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    strip.y += fmin(8, strip.h - heatmap_legend_height(stage->canvas));
    for (size_t i = 0; i < count; i++) {
        Box legend =
            heatmap_legend(stage->canvas, strip, scales[i].colors, scales[i].reach);
        strip.w -= legend.w + GAP;
    }
    return strip.x + strip.w + GAP;
}

double stage_legends(const Stage *stage, Box area, const StageScale *scales,
                     size_t count) {
    StageScale known[SCALES_MAX];
    for (size_t i = 0; i < count && i < SCALES_MAX; i++)
        known[i] = (StageScale){legend_colors(stage, scales[i].colors), scales[i].reach};
    return stage_known_legends(stage, area, known,
                               count < SCALES_MAX ? count : SCALES_MAX);
}

/* Key of the roles: width left for each legend; size of a word, of a frame and the gaps
 * beside them in points. */
static const double LEGEND = 244, WORD_UNITS = 15, SWATCH_W = 26, SWATCH_H = 14;
static const double WORD_GAP = 14, BETWEEN = 30;

static const char *const role_words[ROLE_COUNT] = {
    [ROLE_QUERY] = "role.query", [ROLE_KEY] = "role.key", [ROLE_VALUE] = "role.value"};

static bool is_told(RoleSet roles, int role) {
    return (roles >> role & 1) && role_words[role];
}

static double width_of(const Canvas *canvas, int role, double size) {
    return SWATCH_W + WORD_GAP +
           canvas_text_width(canvas, FONT_TEXT, size,
                             canvas_string(canvas, role_words[role]));
}

void stage_role_key(const Stage *stage, Box area, size_t scales, RoleSet roles) {
    const Canvas *canvas = stage->canvas;
    Box strip = box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    box_take_right(&strip, (double)scales * LEGEND);
    double size = canvas_size(canvas, WORD_UNITS, "一"), used = 0;
    size_t count = 0;
    for (int role = 0; role < ROLE_COUNT; role++) {
        if (!is_told(roles, role))
            continue;
        used += (count++ ? BETWEEN : 0) + width_of(canvas, role, size);
    }
    if (count < 2 || used + BETWEEN > strip.w || canvas->without_legends)
        return;
    double x = strip.x;
    double middle = strip.y + strip.h / 2;
    for (int role = 0; role < ROLE_COUNT; role++) {
        if (!is_told(roles, role))
            continue;
        role_frame(canvas, (Role)role,
                   box_inset((Box){x, middle - SWATCH_H / 2, SWATCH_W, SWATCH_H},
                             ROLE_FRAME_MARGIN));
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){x + SWATCH_W + WORD_GAP / 2, label_baseline(middle, size)},
                    LABEL_LEFT, canvas_string(canvas, role_words[role]));
        x += width_of(canvas, role, size) + BETWEEN;
    }
}

const Tensor *stage_masked_scores(const Stage *stage, size_t node) {
    const TapeNode *made = node == TAPE_NONE ? NULL : stage_node(stage, node);
    if (!made || made->operation != OPERATION_SOFTMAX || stage->values)
        return NULL;
    const Tensor *scores = &stage_node(stage, made->inputs[0])->output;
    bool masks = false;
    for (size_t i = 0; i < tensor_cells(scores); i++) {
        if (!tensor_is_masking(scores->values[i]))
            continue;
        if (made->output.values[i] != 0)
            return NULL; /* a large number in place of −∞ leaves probabilities above 0 */
        masks = true;
    }
    return masks ? scores : NULL;
}

Heatmap stage_heatmap(const Stage *stage, size_t node, Box cells, double reach) {
    return (Heatmap){.tensor = stage_tensor(stage, node),
                     .node = node,
                     .hidden = stage_masked_scores(stage, node),
                     .cells = cells,
                     .colors = stage_colors(stage->tape, node),
                     .reach = reach,
                     .visible = (size_t)-1,
                     .label_room = 400,
                     .quoting = stage_asked(stage)};
}

const char *stage_asked(const Stage *stage) {
    const Question *question =
        stage->is_question && stage->step ? stage->step->question : NULL;
    return question ? text_in(&question->text, stage->canvas->language) : NULL;
}

void stage_result(const Stage *stage, Heatmap *heatmap) {
    bool own = stage->step && stage->step->result == heatmap->node &&
               !stage->values; /* printed numbers are those on the tape */
    heatmap->visible = stage->visible;
    heatmap->lesson = stage->player->lesson;
    heatmap->step = own ? stage->step : NULL;
}

bool stage_focuses(const Stage *stage, size_t node, size_t row, size_t col) {
    return stage->has_focus && stage->focus_node == node && stage->focus_row == row &&
           stage->focus_col == col;
}

void stage_outline_focus(const Stage *stage, const Heatmap *heatmap) {
    size_t row = stage->focus_row - heatmap->first_row;
    if (stage->has_focus && stage->focus_node == heatmap->node &&
        row < heatmap->tensor->rows)
        heatmap_outline_cell(stage->canvas, heatmap, row, stage->focus_col,
                             stage->canvas->theme->focus);
}

void stage_focus(const Stage *stage, Heatmap *heatmap, bool row, bool col) {
    heatmap->has_focus = stage->has_focus;
    heatmap->focus_row = row ? stage->focus_row : (size_t)-1;
    heatmap->focus_col = col ? stage->focus_col : (size_t)-1;
}
