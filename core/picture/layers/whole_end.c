#include "picture/layers/whole.h"

#include "base/arena.h"
#include "base/number.h"
#include "picture/draw/lanes.h"
#include "picture/draw/token.h"

#include <math.h>

/* Blocks stacked above each other, as wide as both names need, with bars beside them. */
static const double STATION = 110, LINEAR_TALL = 62, SOFTMAX_TALL = 40, BETWEEN = 24,
                    LANE = 7, LEADING = 22, TO_BARS = 26, BARS = 190, BAR_ROW = 30,
                    BAR_WORD = 0.42, BAR_NUMBER = 56, BAR_GAP = 8, BARS_RISE = 60;

enum { BARS_MOST = 5 };

/* Enlargement of the words and of their blocks. */
static double growth(const Whole *whole) {
    return canvas_size(whole->stage->canvas, WHOLE_LABEL, "") / WHOLE_LABEL;
}

double whole_end_width(const Whole *whole) {
    return TO_BARS + ceil((STATION + BARS) * growth(whole));
}

double whole_end_depth(const Whole *whole) {
    return ceil(LINEAR_TALL / 2 * growth(whole));
}

static size_t next_largest(const Tensor *probabilities, size_t row, const bool *done) {
    size_t best = probabilities->cols;
    for (size_t i = 0; i < probabilities->cols; i++) {
        if (!done[i] &&
            (best == probabilities->cols ||
             tensor_at(probabilities, row, i) > tensor_at(probabilities, row, best)))
            best = i;
    }
    return best;
}

static void draw_bar(const Whole *whole, Box line, size_t row, size_t col, bool first) {
    const Stage *stage = whole->stage;
    const Canvas *canvas = stage->canvas;
    size_t node = whole->model->probabilities;
    const Tensor *probabilities = stage_tensor(stage, node);
    double probability = tensor_at(probabilities, row, col),
           size = canvas_size(canvas, WHOLE_LABEL, "");
    char text[NUMBER_SIZE];
    canvas_link_cell(canvas, node, row, col);
    double words = line.w * BAR_WORD - BAR_GAP,
           full = line.w * (1 - BAR_WORD) - BAR_NUMBER * growth(whole);
    const char *word = probabilities->col_labels
                           ? token_text(canvas, probabilities->col_labels[col])
                           : canvas_count(canvas, col);
    FontRole font = first ? FONT_BOLD : FONT_TEXT;
    if (canvas_text_width(canvas, font, size, word) <= words)
        canvas_text(canvas, font, size, canvas->theme->ink,
                    (Point){line.x + words, label_baseline(line.y + line.h / 2, size)},
                    LABEL_RIGHT, word);
    Box bar = {line.x + words + BAR_GAP, line.y + 4, fmax(full * probability, 2),
               line.h - 8};
    const ColorScale scale = {&canvas->theme->sequential, 0, 1, canvas->theme->masked};
    canvas_fill(canvas, bar, 3, color_scale_at(&scale, fmax(probability, 0.35)));
    canvas_text(canvas, font, size, canvas->theme->ink_soft,
                (Point){bar.x + bar.w + 7, label_baseline(line.y + line.h / 2, size)},
                LABEL_LEFT, number_format_shortest(text, probability, 2));
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

/* Draws a block with its name, in two lines if one is too short. */
static void draw_station(const Whole *whole, TransformerPartKind kind, const char *key,
                         Box box) {
    const Canvas *canvas = whole->stage->canvas;
    const char *name = canvas_string(canvas, key);
    whole_link(whole, find_part(whole, kind));
    scene_rectangle(canvas->scene, box, 8, canvas->theme->bar, canvas->theme->line, 2);
    Box words = box_inset(box, 4);
    double size = canvas_size(canvas, WHOLE_LABEL, name);
    double width = canvas_text_width(canvas, FONT_BOLD, size, name);
    bool one = width <= words.w;
    double leading = round(LEADING * growth(whole));
    words.y = round(box.y + box.h / 2 - leading * (one ? 0.5 : 1));
    words.x += one ? round((words.w - width) / 2) : 0;
    canvas_paragraph(canvas, FONT_BOLD, size, canvas->theme->ink, words, leading, 2,
                     name);
    canvas_unlink(canvas);
}

static void draw_arrow(const Whole *whole, Point from, Point to) {
    lane_draw(whole->stage->canvas, &(Lane){.points = (Point[]){from, to},
                                            .count = 2,
                                            .thickness = LANE,
                                            .arrow = true});
}

/* Draws the last row's probabilities as bars, the largest first, beside softmax. */
static void draw_bars(const Whole *whole, Box lines, size_t count) {
    const Tensor *probabilities = stage_tensor(whole->stage, whole->model->probabilities);
    bool *done = arena_alloc(whole->stage->canvas->scene->arena, probabilities->cols,
                             sizeof *done);
    for (size_t i = 0; done && i < count; i++) {
        size_t best = next_largest(probabilities, probabilities->rows - 1, done);
        done[best] = true;
        draw_bar(whole, box_take_top(&lines, lines.h / (double)(count - i)),
                 probabilities->rows - 1, best, i == 0);
    }
}

void whole_draw_end(const Whole *whole, const Tower *tower) {
    const Tensor *probabilities = stage_tensor(whole->stage, whole->model->probabilities);
    double left = whole->area.x + whole->area.w - whole_end_width(whole);
    double larger = growth(whole), wide = round(STATION * larger),
           tall = round(SOFTMAX_TALL * larger), under = whole_end_depth(whole);
    Box linear = {left, tower->line - under, wide, 2 * under};
    Box softmax = {left, linear.y - BETWEEN - tall, wide, tall};
    Point up = {left + wide / 2, linear.y};
    Point out = {left + wide, softmax.y + tall / 2};
    draw_station(whole, TRANSFORMER_LOGITS, "map.logits", linear);
    draw_arrow(whole, up, (Point){up.x, up.y - BETWEEN});
    draw_station(whole, TRANSFORMER_PROBABILITIES, "map.probabilities", softmax);
    draw_arrow(whole, out, (Point){out.x + TO_BARS, out.y});
    if (!whole_is_there(whole, whole->model->probabilities))
        return;
    size_t count = probabilities->cols < BARS_MOST ? probabilities->cols : BARS_MOST;
    double rows = round(BAR_ROW * larger) * (double)count;
    draw_bars(whole,
              (Box){out.x + TO_BARS, round(tower->line - BARS_RISE - rows / 2),
                    BARS * larger, rows},
              count);
}
