#include "picture/composites/composites.h"

#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of attention weights as two strips, before and after numbers of the lesson were
 * changed, or its model was, with the differences between them, and at the end of each
 * the tokens that the model predicts with it. Left of them are the scores; if they have
 * no room, only their row, above the weights. */

enum { BEFORE, NOW, STATES, ANSWERS_MAX = 8, DECIMALS = 3 };

/* Lengths in units. */
static const double STRIP = 54, SCORE_ROW = 46, BETWEEN = 46, GAP = 18, NAME_GAP = 14,
                    HEADS = 120, WIDEST = 96, SCORE_CELL = 66, TABLES_GAP = 70,
                    ARROW = 54;
static const double NAME = 19, WORD = 18, CHIP = 22, SMALL = 16, DIFFERENCE = 16,
                    CAPTION = 34;
/* Smaller differences are not written. */
static const double KEPT = 0.005;

/* A token that the model predicts in one row of its probabilities. */
typedef struct Prediction {
    size_t row, col;
    double probability;
} Prediction;

typedef struct ChangedRow {
    const Stage *stage;
    const Tape *base; /* tape of the lesson's own model, or NULL: this one's originals */
    size_t scores, weights, row; /* scores: TAPE_NONE: there are none */
    bool changed;
    const Tensor *before; /* the weights before all changes */
    size_t end;           /* the model's probabilities; TAPE_NONE: none */
    size_t count;         /* number of predictions */
    Prediction said[STATES][ANSWERS_MAX];
    /* Layout: is the whole table of scores drawn; do the predictions stand below. */
    bool table, below;
    double names, answers;      /* widths */
    double heads, scores_heads; /* heights of the column labels */
    double chip;                /* size of the letters */
    double digits;
    Box cells;  /* of the first strip */
    Box scored; /* of the scores */
} ChangedRow;

/* ---- data ---- */

static bool same_labels(const char *const *a, const char *const *b, size_t count) {
    if (!a || !b)
        return a == b;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(a[i], b[i]) != 0)
            return false;
    }
    return true;
}

/* Reports whether the lesson's own model has a node's tensor, of the same tokens. */
static bool has_counterpart(const Stage *stage, size_t node) {
    size_t other = stage_counterpart(stage->tape, stage->base, node);
    if (other == TAPE_NONE)
        return false;
    const Tensor *now = stage_tensor(stage, node);
    const Tensor *before = &tape_node(stage->base, other)->output;
    return same_labels(now->row_labels, before->row_labels, now->rows) &&
           same_labels(now->col_labels, before->col_labels, now->cols);
}

static double value_of(const ChangedRow *c, int state, size_t node, size_t row,
                       size_t col) {
    const Tape *tape = c->stage->tape;
    if (state == NOW)
        return tensor_at(stage_tensor(c->stage, node), row, col);
    return tape_original(c->base ? c->base : tape, stage_counterpart(tape, c->base, node),
                         row, col);
}

static Prediction predicted(const ChangedRow *c, int state, size_t row) {
    Prediction best = {.row = row, .probability = NAN};
    for (size_t j = 0; j < stage_tensor(c->stage, c->end)->cols; j++) {
        double value = value_of(c, state, c->end, row, j);
        if (value > best.probability || (isnan(best.probability) && !isnan(value))) {
            best.probability = value;
            best.col = j;
        }
    }
    return best;
}

/* Finds the tokens that the model predicts: in all rows of an answer, else in the last
 * row. */
static void find_predictions(ChangedRow *c) {
    const Stage *stage = c->stage;
    c->end = tape_find(stage->tape, "probabilities");
    if (c->end == TAPE_NONE || !tape_depends(stage->tape, c->end, c->weights) ||
        !stage_tensor(stage, c->end)->col_labels ||
        (c->base && !has_counterpart(stage, c->end)))
        return;
    const Tensor *end = stage_tensor(stage, c->end);
    bool answers = tape_find(stage->tape, "memory") != TAPE_NONE;
    size_t first = answers || end->rows < 1 ? 0 : end->rows - 1;
    for (size_t i = first; i < end->rows && c->count < ANSWERS_MAX; i++) {
        for (int state = 0; state < STATES; state++)
            c->said[state][c->count] = predicted(c, state, i);
        c->count++;
    }
}

static bool find(ChangedRow *c) {
    const Stage *stage = c->stage;
    const LessonStep *step = stage->step;
    if (stage->view != LESSON_VIEW_CHANGED)
        return false;
    size_t shown = step->shown_count;
    c->weights = shown ? step->shown[shown - 1] : stage->node;
    c->scores = shown > 1 ? step->shown[0] : TAPE_NONE;
    const Tensor *weights = stage_tensor(stage, c->weights);
    size_t row = view_row(stage);
    c->row = row < weights->rows ? row : weights->rows - 1;
    if (stage->base && has_counterpart(stage, c->weights))
        c->base = stage->base;
    find_predictions(c);
    c->changed = c->base || tape_changed(stage->tape, c->weights) ||
                 (c->end != TAPE_NONE && tape_changed(stage->tape, c->end)) ||
                 (c->scores != TAPE_NONE && tape_changed(stage->tape, c->scores));
    Tensor *before = canvas_tensor_like(stage->canvas, weights);
    for (size_t i = 0; i < tensor_cells(before); i++)
        before->values[i] =
            value_of(c, BEFORE, c->weights, i / before->cols, i % before->cols);
    c->before = before;
    return true;
}

/* ---- layout ---- */

static const char *token_of(const ChangedRow *c, const Prediction *said) {
    return stage_tensor(c->stage, c->end)->col_labels[said->col];
}

static double chips_width(const ChangedRow *c, int state) {
    double width = 0;
    for (size_t i = 0; i < c->count; i++)
        width += token_width(c->stage->canvas, c->chip, token_of(c, &c->said[state][i])) +
                 (i ? GAP / 2 : 0);
    return width;
}

/* Height of a strip's predictions where they stand below it. */
static double answer_height(const ChangedRow *c) {
    return token_height(c->chip) + canvas_size(c->stage->canvas, SMALL, "") * 1.3;
}

static const char *state_name(const ChangedRow *c, int state) {
    return canvas_string(c->stage->canvas, state == BEFORE && c->changed
                                               ? "view.before_change"
                                               : "view.now");
}

static double bold_width(const ChangedRow *c, const char *text, double units) {
    const Canvas *canvas = c->stage->canvas;
    return canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, units, text), text);
}

/* Width of the names before the strips, the same before and after a change. */
static double names_width(const ChangedRow *c) {
    const Canvas *canvas = c->stage->canvas;
    double widest = fmax(bold_width(c, canvas_string(canvas, "view.before_change"), WORD),
                         bold_width(c, canvas_string(canvas, "view.now"), WORD));
    if (!c->table && c->scores != TAPE_NONE)
        widest = fmax(
            widest, canvas_formula_extent(canvas, stage_formula_name(c->stage, c->scores),
                                          canvas_size(canvas, NAME, ""))
                        .width);
    return ceil(widest) + NAME_GAP;
}

static int strip_count(const ChangedRow *c) {
    return c->changed ? STATES : 1;
}

/* Height of what stands below a strip: predictions, or their probabilities. */
static double foot_of(const ChangedRow *c) {
    if (!c->count)
        return 0;
    return c->below
               ? answer_height(c) + GAP
               : fmax(answer_height(c) - (token_height(c->chip) + c->cells.h) / 2, 0);
}

/* Height from one strip of weights to the next. */
static double pitch_of(const ChangedRow *c) {
    double chips = c->below ? 0 : token_height(c->chip) - c->cells.h;
    return c->cells.h +
           fmax(foot_of(c) + (c->below ? BETWEEN : fmax(chips, 0) / 2 + GAP), BETWEEN);
}

static Box strip_box(const ChangedRow *c, int state) {
    Box box = c->cells;
    if (state == NOW && c->changed)
        box.y = round(box.y + pitch_of(c));
    return box;
}

/* The row of a node as a strip. */
static Heatmap strip_of(const ChangedRow *c, size_t node, int state, Box box) {
    double reach = node == c->weights ? 1 : heatmap_reach(stage_tensor(c->stage, node));
    Heatmap strip = stage_heatmap(c->stage, node, box, reach);
    const Tensor *all =
        node == c->weights && state == BEFORE ? c->before : stage_tensor(c->stage, node);
    const Tensor *masked = stage_masked_scores(c->stage, node);
    strip.tensor = canvas_row(c->stage->canvas, all, c->row);
    strip.written_as = all;
    strip.hidden =
        masked && state == NOW ? canvas_row(c->stage->canvas, masked, c->row) : NULL;
    strip.first_row = c->row;
    strip.number_size = c->digits;
    return strip;
}

/* Places everything; returns false if there is no room for a row's numbers. */
static bool place(ChangedRow *c, Box area, bool table, bool below) {
    const Canvas *canvas = c->stage->canvas;
    const Tensor *weights = stage_tensor(c->stage, c->weights);
    double cols = (double)weights->cols, rows = (double)weights->rows;
    c->table = table;
    c->below = below;
    c->chip = canvas_size(canvas, CHIP, "一");
    c->names = names_width(c);
    c->digits = 0;
    double said = fmax(chips_width(c, BEFORE), chips_width(c, NOW));
    said = c->count
               ? fmax(said, bold_width(c, canvas_string(canvas, "view.predicts"), SMALL))
               : 0;
    c->answers = c->count && !below ? said + ARROW + GAP : 0;
    double labels = table ? heatmap_row_label_width(canvas, weights) : 0;
    double fixed = c->names + c->answers + (table ? labels + TABLES_GAP : 0);
    double cell = (area.w - fixed) / (cols * (table ? 2 : 1));
    double scored = table ? fmin(floor(cell), SCORE_CELL) : 0;
    cell = floor(fmin((area.w - fixed - scored * cols) / cols, WIDEST));
    if (cell <= 0 || (below && said > cell * cols))
        return false;
    double strip = fmax(STRIP, heatmap_least_row(canvas));
    c->heads = heatmap_col_label_height(canvas, weights, cell, HEADS);
    c->cells = (Box){0, 0, cell * cols, strip};
    bool own_row = !table && c->scores != TAPE_NONE;
    double above = c->heads + (own_row ? strip + BETWEEN : 0) + (c->count ? CAPTION : 0);
    double tall = above + pitch_of(c) * (double)(strip_count(c) - 1) + strip +
                  fmax(foot_of(c), CAPTION) + (c->changed ? 0 : 2 * CAPTION);
    double used = fixed + scored * cols + cell * cols;
    double left = round(area.x + fmax(area.w - used, 0) / 2);
    double top = round(area.y + fmax(area.h - tall, 0) / 2);
    c->scores_heads =
        table ? heatmap_col_label_height(canvas, weights, scored, HEADS) : c->heads;
    double high = fmin(SCORE_ROW * rows, area.h - c->scores_heads - CAPTION);
    c->scored =
        table ? (Box){left + labels,
                      round(area.y + (area.h - CAPTION - c->scores_heads - high) / 2 +
                            c->scores_heads),
                      scored * cols, round(high)}
              : (Box){0};
    c->cells.x = left + (table ? labels + scored * cols + TABLES_GAP : 0) + c->names;
    c->cells.y = round(top + above);
    if (own_row)
        c->scored = (Box){c->cells.x, c->cells.y - strip - BETWEEN, c->cells.w, strip};
    c->digits = INFINITY;
    for (int state = 0; state < STATES; state++) {
        Heatmap heatmap = strip_of(c, c->weights, state, c->cells);
        c->digits = fmin(c->digits, heatmap_number_size(canvas, &heatmap));
    }
    if (table) {
        Heatmap scores = stage_heatmap(c->stage, c->scores, c->scored, 1);
        if (!(heatmap_number_size(canvas, &scores) > 0))
            return false;
    } else if (own_row) {
        Heatmap row = strip_of(c, c->scores, NOW, c->scored);
        if (!(heatmap_number_size(canvas, &row) > 0))
            return false;
    }
    return c->digits > 0 && tall <= area.h;
}

static bool place_anyhow(ChangedRow *c, Box area) {
    for (int without = c->scores == TAPE_NONE; without < 2; without++) {
        for (int below = 0; below < 2; below++) {
            if (place(c, area, !without, below))
                return true;
        }
    }
    return false;
}

/* ---- drawing ---- */

static void outline_focus(const ChangedRow *c, const Heatmap *strip) {
    const Stage *stage = c->stage;
    if (stage_focuses(stage, strip->node, c->row, stage->focus_col))
        heatmap_outline_cell(stage->canvas, strip, 0, stage->focus_col,
                             stage->canvas->theme->focus);
}

/* Draws the scores: the whole table, or its row above the weights. */
static void draw_scores(const ChangedRow *c) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    if (c->scores == TAPE_NONE)
        return;
    const Tensor *tensor = stage_tensor(stage, c->scores);
    const char *name = stage_formula_name(stage, c->scores);
    if (!c->table) {
        Heatmap row = strip_of(c, c->scores, NOW, c->scored);
        row.col_labels = true;
        row.col_label_room = c->heads;
        row.has_focus = true;
        row.focus_row = (size_t)-1;
        row.focus_col = stage->has_focus ? stage->focus_col : (size_t)-1;
        heatmap_draw(canvas, &row);
        outline_focus(c, &row);
        Caption caption = caption_low(stage, name, c->scores, tensor, NAME,
                                      c->names - NAME_GAP / 2, c->scored.h);
        caption_draw_name(stage, &caption,
                          (Point){c->scored.x - NAME_GAP / 2, box_middle(c->scored).y},
                          LABEL_RIGHT);
        return;
    }
    Heatmap table =
        stage_heatmap(stage, c->scores, c->scored, heatmap_scale_reach(tensor));
    table.row_labels = table.col_labels = true;
    table.label_room = heatmap_row_label_width(canvas, tensor);
    table.col_label_room = c->scores_heads;
    stage_focus(stage, &table, true, true);
    heatmap_draw(canvas, &table);
    heatmap_outline(canvas, &table, c->row, c->row + 1, 0, tensor->cols,
                    canvas->theme->ink_soft);
    stage_outline_focus(stage, &table);
    Caption caption =
        caption_fit(stage, name, c->scores, tensor, NAME, c->scored.w + TABLES_GAP);
    caption_draw_name(stage, &caption,
                      (Point){c->scored.x + c->scored.w / 2,
                              c->scored.y + c->scored.h + 8 + caption.above},
                      LABEL_CENTER);
}

/* Draws the tokens that the model predicts, each with its probability. */
static void draw_predictions(const ChangedRow *c, int state) {
    const Canvas *canvas = c->stage->canvas;
    Box strip = strip_box(c, state);
    double high = token_height(c->chip), small = canvas_size(canvas, SMALL, "");
    double x = strip.x + strip.w + ARROW + GAP / 2;
    double y = round(strip.y + strip.h / 2 - high / 2);
    if (c->below) {
        x = round(strip.x + (strip.w - chips_width(c, state)) / 2);
        y = strip.y + strip.h + GAP / 2;
    } else if (c->count) {
        double middle = strip.y + strip.h / 2;
        canvas_arrow(canvas, (Point){strip.x + strip.w + 8, middle},
                     (Point){x - 8, middle}, 3, 12, canvas->theme->ink_soft);
    }
    for (size_t i = 0; i < c->count; i++) {
        const Prediction *said = &c->said[state][i];
        bool differs = c->changed && said->col != c->said[1 - state][i].col;
        const char *token = token_of(c, said);
        double width = token_width(canvas, c->chip, token);
        Link link = {LINK_CELL, c->end, said->row, said->col};
        chip_draw(canvas, token, differs, c->chip, link, (Box){x, y, width, high});
        char text[NUMBER_SIZE];
        if (isnan(said->probability))
            snprintf(text, sizeof text, "?");
        else
            number_format(text, said->probability, DECIMALS);
        canvas_link(canvas, link);
        canvas_text(canvas, differs ? FONT_BOLD : FONT_TEXT, small,
                    canvas->theme->ink_soft, (Point){x + width / 2, y + high + small},
                    LABEL_CENTER, text);
        canvas_unlink(canvas);
        x += width + GAP / 2;
    }
}

/* Turns the links of the cells among the items from `first` on into links that are
 * followed: the numbers from before the change are not marked as changed. */
static void set_back(const Canvas *canvas, size_t first) {
    for (size_t i = first; i < canvas->scene->count; i++) {
        Link *link = &canvas->scene->items[i].link;
        link->kind = link->kind == LINK_CELL ? LINK_SOURCE : link->kind;
    }
}

static void draw_state(const ChangedRow *c, int state, bool heads) {
    const Canvas *canvas = c->stage->canvas;
    size_t first = canvas->scene->count;
    Heatmap strip = strip_of(c, c->weights, state, strip_box(c, state));
    const char *name = state_name(c, state);
    double size = canvas_size(canvas, WORD, name);
    bool now = state == NOW || !c->changed;
    strip.col_labels = heads;
    strip.col_label_room = c->heads;
    strip.has_focus = true;
    strip.focus_row = (size_t)-1;
    strip.focus_col = c->stage->has_focus ? c->stage->focus_col : (size_t)-1;
    canvas_text(canvas, now ? FONT_BOLD : FONT_TEXT, size,
                now ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){strip.cells.x - NAME_GAP,
                        label_baseline(box_middle(strip.cells).y, size)},
                LABEL_RIGHT, name);
    heatmap_draw(canvas, &strip);
    if (now)
        outline_focus(c, &strip);
    draw_predictions(c, state);
    if (!now)
        set_back(canvas, first);
}

/* Writes the differences of the weights between both strips. */
static void draw_differences(const ChangedRow *c) {
    const Canvas *canvas = c->stage->canvas;
    Heatmap now = strip_of(c, c->weights, NOW, strip_box(c, NOW));
    double size = canvas_size(canvas, DIFFERENCE, ""), taken = -INFINITY;
    for (size_t j = 0; j < now.tensor->cols; j++) {
        double difference = tensor_at(now.tensor, 0, j) - tensor_at(c->before, c->row, j);
        if (fabs(difference) < KEPT || isnan(difference))
            continue;
        Box cell = heatmap_cells(&now, 0, 1, j, j + 1);
        canvas_outline(canvas, box_inset(cell, -1), 4, canvas->theme->ink, 2);
        char text[NUMBER_SIZE];
        number_format(text, difference, DECIMALS - 1);
        const char *words =
            canvas_format(canvas, "%s%s", difference > 0 ? "+" : "", text);
        double width = canvas_text_width(canvas, FONT_TEXT, size, words);
        double middle = cell.x + cell.w / 2;
        if (middle - width / 2 < taken)
            continue;
        taken = middle + width / 2 + size / 3;
        canvas_link_cell(canvas, c->weights, c->row, j);
        canvas_text(
            canvas, FONT_TEXT, size, canvas->theme->ink_soft,
            (Point){middle, label_baseline(cell.y - fmin(BETWEEN / 2, size), size)},
            LABEL_CENTER, words);
        canvas_unlink(canvas);
    }
}

/* Draws the name of the weights, and what the tokens at the right are. */
static void draw_titles(const ChangedRow *c) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *weights = stage_tensor(stage, c->weights);
    double foot = strip_box(c, NOW).y + c->cells.h + (c->below ? foot_of(c) : 0);
    Caption caption = caption_low(stage, stage_formula_name(stage, c->weights),
                                  c->weights, weights, NAME, c->cells.w, CAPTION);
    if (!c->below)
        caption_draw_name(stage, &caption,
                          (Point){c->cells.x + c->cells.w / 2, foot + 10 + caption.above},
                          LABEL_CENTER);
    if (c->count && !c->below) {
        const char *words = canvas_string(canvas, "view.predicts");
        double size = canvas_size(canvas, SMALL, words);
        canvas_text(
            canvas, FONT_TEXT, size, canvas->theme->ink_soft,
            (Point){c->cells.x + c->cells.w + ARROW + GAP / 2, c->cells.y - c->heads / 2},
            LABEL_LEFT, words);
    }
    if (c->changed)
        return;
    const char *hint = canvas_string(canvas, "view.change_one");
    double size = canvas_size(canvas, WORD, hint);
    Box room = {c->cells.x, foot + CAPTION + size, c->cells.w + c->answers, 0};
    canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->ink_faint, room, size * 1.3,
                     2, hint);
}

bool changed_row_picture(const Stage *stage) {
    ChangedRow c = {.stage = stage, .scores = TAPE_NONE, .end = TAPE_NONE};
    Box area = stage->area;
    if (!find(&c))
        return false;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    if (!place_anyhow(&c, area)) {
        stage->canvas->scene->replaced++;
        return false;
    }
    draw_scores(&c);
    bool own_row = !c.table && c.scores != TAPE_NONE;
    draw_state(&c, c.changed ? BEFORE : NOW, !own_row);
    if (c.changed) {
        draw_state(&c, NOW, false);
        draw_differences(&c);
    }
    draw_titles(&c);
    const StageScale scales[] = {
        {HEATMAP_PROBABILITIES, 1},
        {HEATMAP_SIGNED,
         c.scores == TAPE_NONE ? 1 : heatmap_reach(stage_tensor(stage, c.scores))}};
    stage_legends(stage, stage->area, scales, c.scores == TAPE_NONE ? 1 : 2);
    return true;
}
