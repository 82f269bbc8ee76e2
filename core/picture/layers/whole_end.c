#include "picture/layers/whole.h"

#include "base/number.h"
#include "picture/draw/lanes.h"
#include "picture/tensors/tokens.h"

#include <math.h>

static const double LINEAR = 120, LINEAR_TALL = 62, LEADING = 22, BARS = 214,
                    BAR_ROW = 30, BELOW = 62, BAR_WORD = 0.34, BAR_NUMBER = 56;

enum { BARS_MOST = 5 };

double whole_end_width(void) {
    return LINEAR + BARS + 3 * WHOLE_GAP;
}

double whole_bars_width(void) {
    return BARS - 10;
}

double whole_end_depth(void) {
    return BELOW + WHOLE_CAPTION;
}

static size_t next_largest(const Tensor *shares, size_t row, const bool *done) {
    size_t best = shares->cols;
    for (size_t i = 0; i < shares->cols; i++) {
        if (!done[i] && (best == shares->cols ||
                         tensor_at(shares, row, i) > tensor_at(shares, row, best)))
            best = i;
    }
    return best;
}

static void draw_bar(const Whole *whole, Box line, size_t row, size_t col, bool first) {
    const Stage *stage = whole->stage;
    const Canvas *canvas = stage->canvas;
    size_t node = whole->model->probabilities;
    const Tensor *shares = stage_tensor(stage, node);
    double share = tensor_at(shares, row, col),
           size = canvas_size(canvas, WHOLE_LABEL, "");
    char text[NUMBER_SIZE];
    canvas_link_cell(canvas, node, row, col);
    double words = line.w * BAR_WORD, full = line.w * (1 - BAR_WORD) - BAR_NUMBER;
    const char *word = shares->col_labels ? token_text(canvas, shares->col_labels[col])
                                          : canvas_count(canvas, col);
    FontRole font = first ? FONT_BOLD : FONT_TEXT;
    if (canvas_text_width(canvas, font, size, word) <= words)
        canvas_text(canvas, font, size, canvas->theme->ink,
                    (Point){line.x + words - 8, round(line.y + line.h / 2 + size * 0.36)},
                    LABEL_RIGHT, word);
    Box bar = {line.x + words, line.y + 4, fmax(full * share, 2), line.h - 8};
    const ColorScale scale = {&canvas->theme->sequential, 0, 1, canvas->theme->masked};
    canvas_fill(canvas, bar, 3, color_scale_at(&scale, fmax(share, 0.35)));
    canvas_text(canvas, font, size, canvas->theme->ink_soft,
                (Point){bar.x + bar.w + 7, round(line.y + line.h / 2 + size * 0.36)},
                LABEL_LEFT, number_format_told(text, share, 2));
    canvas_unlink(canvas);
    if (stage->has_focus && stage->focus_node == node && stage->focus_row == row &&
        stage->focus_col == col)
        canvas_outline(canvas, box_inset(bar, -2), 4, canvas->theme->focus, 2);
}

static const TransformerPart *find_part(const Whole *whole, TransformerPartKind kind) {
    for (size_t i = 0; i < whole->model->part_count; i++) {
        if (whole_part(whole, i)->kind == kind)
            return whole_part(whole, i);
    }
    return NULL;
}

/* Linear, and the last row's shares as bars, the largest first. */
void whole_draw_end(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    const Tensor *shares = stage_tensor(whole->stage, whole->model->probabilities);
    double right = whole->area.x + whole->area.w;
    Box chip = {right - LINEAR - BARS - WHOLE_GAP, tower->line - LINEAR_TALL / 2, LINEAR,
                LINEAR_TALL};
    const TransformerPart *logits = find_part(whole, TRANSFORMER_LOGITS);
    const char *name = canvas_string(canvas, "map.logits");
    whole_link(whole, logits);
    scene_rectangle(canvas->scene, chip, 8, canvas->theme->bar, canvas->theme->line,
                    fmax(2, 1));
    Box words = box_inset(chip, 8);
    double size = canvas_size(canvas, WHOLE_LABEL, name);
    double width = canvas_text_width(canvas, FONT_BOLD, size, name);
    bool one = width <= words.w;
    words.y = round(tower->line - LEADING * (one ? 0.5 : 1));
    words.x += one ? round((words.w - width) / 2) : 0;
    canvas_paragraph(canvas, FONT_BOLD, size, canvas->theme->ink, words, LEADING, 2,
                     name);
    canvas_unlink(canvas);
    if (!whole_is_there(whole, whole->model->probabilities))
        return;
    bool *done = arena_alloc(canvas->scene->arena, shares->cols, sizeof *done);
    size_t count = shares->cols < BARS_MOST ? shares->cols : BARS_MOST;
    Box lines = {right - BARS, tower->line + BELOW - BAR_ROW * (double)count, BARS,
                 BAR_ROW * (double)count};
    canvas_label(canvas, FONT_TEXT, WHOLE_LABEL, canvas->theme->ink_soft,
                 (Point){lines.x + lines.w / 2, lines.y + lines.h + WHOLE_CAPTION * 0.75},
                 LABEL_CENTER, canvas_string(canvas, "map.probabilities"));
    for (size_t i = 0; done && i < count; i++) {
        size_t best = next_largest(shares, shares->rows - 1, done);
        done[best] = true;
        draw_bar(whole, box_take_top(&lines, BAR_ROW), shares->rows - 1, best, i == 0);
    }
}
