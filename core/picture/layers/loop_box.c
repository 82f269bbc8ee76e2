#include "base/arena.h"
#include "base/maths.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/draw/patterns.h"
#include "picture/draw/token.h"
#include "picture/layers/layers.h"
#include "picture/layers/layers_parts.h"

#include <math.h>

static const double WORD_UNITS = 15, WIDEST_ARC = 24, DOT = 6, SMALLEST = 66;

/* Fraction of a label's size; box height from which there is a key. */
static const double KEY = 1.33, KEY_FROM = 96;
static const double TIER = 1.25, LEAST_RISE = 36; /* fraction of a label's size; units */

enum { HEADS_MOST = 4, TIERS_MOST = 3 };

/* ---- an attention ---- */

typedef struct Arcs {
    const Stage *stage;
    /* Number of heads, and their attention weights' nodes. */
    size_t heads, weights[HEADS_MOST];
    const Tensor *tensor; /* weights of the first head */
    size_t row;
    Box room;
    bool crosses;       /* cross-attention: keys are other tokens, which stand above */
    double left, pitch; /* of the keys' tokens */
    double own;         /* x of the chosen token */
    double top, bottom; /* y of the rows of tokens */
    double radius;      /* of the tokens' dots */
    double size;        /* of labels */
    const char *const *labels; /* of the keys; or NULL */
    size_t tiers;              /* of labels */
} Arcs;

static size_t find_heads(const Stage *stage, size_t step, size_t heads[HEADS_MOST]) {
    size_t count = 0, last = stage->player->steps[step].node;
    for (size_t i = lane_first_node(stage, step); i <= last && count < HEADS_MOST; i++) {
        if (stage_node(stage, i)->operation == OPERATION_SOFTMAX)
            heads[count++] = i;
    }
    return count;
}

static double x_of(const Arcs *arcs, size_t col) {
    return arcs->left + arcs->pitch * ((double)col + 0.5);
}

static double share_of(const Arcs *arcs, size_t head, size_t col) {
    double fraction =
        tensor_at(&stage_node(arcs->stage, arcs->weights[head])->output, arcs->row, col);
    return fraction > 0 ? fraction : 0;
}

/* Path of a band at distance `off` from the middle of its arc. */
static void arc_points(const Arcs *arcs, size_t col, double off,
                       Point points[CURVE_POINTS]) {
    double to = x_of(arcs, col), from = arcs->own, height = arcs->bottom - arcs->top;
    double steps = fmax((double)arcs->tensor->cols - 1, 1);
    if (arcs->crosses) {
        curve_points((Point){from + off, arcs->bottom}, (Point){to + off, arcs->top},
                     true, points);
        return;
    }
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double angle = PI * (double)i / (CURVE_POINTS - 1);
        if (col == arcs->row) {
            double radius = fmin(arcs->pitch * 0.22, height * 0.16) + off;
            points[i] = (Point){from + radius * sin(2 * angle),
                                arcs->bottom - radius * (1 - cos(2 * angle))};
        } else {
            double half = (to - from) / 2, rise = fabs((double)col - (double)arcs->row);
            double wide = half + (half < 0 ? -off : off);
            rise = height * (0.3 + 0.7 * rise / steps) + off;
            points[i] = (Point){(from + to) / 2 - wide * cos(angle),
                                arcs->bottom - rise * sin(angle)};
        }
    }
}

/* Draws the heads' attention weights for one token as bands side by side. */
static void draw_arc(const Arcs *arcs, size_t col) {
    const Canvas *canvas = arcs->stage->canvas;
    const Theme *theme = canvas->theme;
    double widest = fmin(WIDEST_ARC, arcs->pitch * 0.5);
    double per_head = widest / (double)arcs->heads, all = 0, done = 0;
    for (size_t head = 0; head < arcs->heads; head++)
        all += share_of(arcs, head, col) * per_head;
    for (size_t head = 0; head < arcs->heads; head++) {
        double width = share_of(arcs, head, col) * per_head;
        Point points[CURVE_POINTS];
        if (width < 0.2)
            continue;
        arc_points(arcs, col, done + width / 2 - all / 2, points);
        Color color = arcs->heads == 1 ? role_color(theme, ROLE_PROBABILITIES, theme->ink)
                                       : theme->other[head % 4];
        color.a = 200;
        canvas_link_cell(canvas, arcs->weights[head], arcs->row, col);
        pattern_path(canvas, pattern_nth(theme, head), points, CURVE_POINTS, width, 1,
                     color);
        canvas_unlink(canvas);
        done += width;
    }
}

/* ---- tokens: dots and labels, which alternate between as many tiers as keep them apart;
 * if no number of tiers does, only the tokens with the largest weights have labels ----
 */

/* Reports whether a key is the chosen token. */
static bool is_own(const Arcs *arcs, size_t key) {
    return !arcs->crosses && key == arcs->row;
}

static double half_width(const Arcs *arcs, size_t key) {
    const Canvas *canvas = arcs->stage->canvas;
    return canvas_text_width(canvas, FONT_BOLD, arcs->size,
                             token_text(canvas, arcs->labels[key])) /
           2;
}

/* x of a label: at its dot, but within the box. */
static double label_x(const Arcs *arcs, size_t key) {
    double half = half_width(arcs, key), right = arcs->room.x + arcs->room.w;
    return fmax(fmin(x_of(arcs, key), right - half), arcs->room.x + half);
}

static bool keep_apart(const Arcs *arcs, size_t i, size_t j) {
    return fabs(label_x(arcs, i) - label_x(arcs, j)) >=
           half_width(arcs, i) + half_width(arcs, j) + 7;
}

/* Height of tiers with half a dot. */
static double tiers_height(const Arcs *arcs, size_t tiers) {
    return 10 + arcs->size * (1.2 + (double)(tiers - 1) * TIER);
}

/* Least number of tiers with room for all labels; 1 if there are too many tokens for
 * that, or arcs would become flat. */
static size_t tiers_of(const Arcs *arcs) {
    double room = arcs->room.h - LEAST_RISE;
    for (size_t tiers = 1; arcs->labels && tiers <= TIERS_MOST; tiers++) {
        bool apart = tiers_height(arcs, tiers) <= room;
        for (size_t i = 0; apart && i + tiers < arcs->tensor->cols; i++)
            apart = keep_apart(arcs, i, i + tiers);
        if (apart)
            return tiers;
    }
    return 1;
}

/* Draws a label above its dot or below it, with a line to it from other tiers. */
static void draw_label(const Arcs *arcs, size_t key) {
    const Canvas *canvas = arcs->stage->canvas;
    const Theme *theme = canvas->theme;
    bool own = is_own(arcs, key);
    double off = (double)(key % arcs->tiers) * arcs->size * TIER, x = label_x(arcs, key);
    double y = arcs->crosses ? arcs->top : arcs->bottom, side = arcs->crosses ? -1 : 1;
    if (off > 0)
        scene_line(canvas->scene, (Point){x_of(arcs, key), y + side * (arcs->radius + 2)},
                   (Point){x, y + side * (arcs->radius + off)}, 1, theme->line);
    double line = arcs->radius + off + arcs->size * (arcs->crosses ? 0.5 : 1.1);
    canvas_text(canvas, own ? FONT_BOLD : FONT_TEXT, arcs->size,
                own ? theme->ink : theme->ink_soft, (Point){x, round(y + side * line)},
                LABEL_CENTER, token_text(canvas, arcs->labels[key]));
}

/* Next token to label: the chosen one first, then by attention weight. */
static size_t next_word(const Arcs *arcs, const bool *done) {
    size_t best = arcs->tensor->cols;
    double most = -1;
    for (size_t i = 0; i < arcs->tensor->cols; i++) {
        double fraction = is_own(arcs, i) ? INFINITY : 0;
        for (size_t head = 0; head < arcs->heads; head++)
            fraction += share_of(arcs, head, i);
        if (done[i] || fraction <= most)
            continue;
        most = fraction;
        best = i;
    }
    return best;
}

static void draw_labels(const Arcs *arcs) {
    Arena *arena = arcs->stage->canvas->scene->arena;
    size_t cols = arcs->tensor->cols, count = 0, index;
    bool *done = arena_alloc(arena, cols, sizeof *done);
    size_t *drawn = arena_alloc(arena, cols, sizeof *drawn);
    while (arcs->labels && (index = next_word(arcs, done)) < cols) {
        bool fits = true;
        for (size_t i = 0; i < count; i++)
            fits &= (arcs->tiers > 1 && drawn[i] % arcs->tiers != index % arcs->tiers) ||
                    keep_apart(arcs, drawn[i], index);
        done[index] = true;
        if (!fits && !is_own(arcs, index))
            continue;
        draw_label(arcs, index);
        drawn[count++] = index;
    }
}

static void draw_dot(const Arcs *arcs, Point at, bool own) {
    const Canvas *canvas = arcs->stage->canvas;
    canvas_dot(canvas, at, arcs->radius * (own ? 1.25 : 1),
               own ? canvas->theme->focus : canvas->theme->ink_faint, (Color){0}, 0);
}

/* Draws the query's token with its label beside it. */
static void draw_reader(const Arcs *arcs) {
    const Canvas *canvas = arcs->stage->canvas;
    draw_dot(arcs, (Point){arcs->own, arcs->bottom}, true);
    if (arcs->tensor->row_labels)
        canvas_text(canvas, FONT_BOLD, arcs->size, canvas->theme->ink,
                    (Point){arcs->own + arcs->radius * 1.25 + 7,
                            label_baseline(arcs->bottom, arcs->size)},
                    LABEL_LEFT, token_text(canvas, arcs->tensor->row_labels[arcs->row]));
}

/* Draws the key of the heads' colours in a line, if that is wide enough: "— head 1". */
static void draw_key(const Arcs *arcs, Box line) {
    const Canvas *canvas = arcs->stage->canvas;
    double size = arcs->size, gap = 6, stroke = 2 * gap;
    double pitch = line.w / (double)arcs->heads;
    for (size_t head = 0; head < arcs->heads; head++) {
        const char *name =
            canvas_words(canvas, "view.head", canvas_count(canvas, head + 1), NULL);
        double width = canvas_text_width(canvas, FONT_TEXT, size, name);
        if (stroke + gap + width > pitch) {
            name = canvas_count(canvas, head + 1);
            width = canvas_text_width(canvas, FONT_TEXT, size, name);
        }
        double x = line.x + pitch * ((double)head + 0.5) - (stroke + gap + width) / 2;
        double y = line.y + round(line.h / 2);
        pattern_path(canvas, pattern_nth(canvas->theme, head),
                     (Point[]){{x, y}, {x + stroke, y}}, 2, 4, 1,
                     canvas->theme->other[head % 4]);
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){x + stroke + gap, label_baseline(y, size)}, LABEL_LEFT, name);
    }
}

static void draw_attention(Arcs *arcs, Box box) {
    const Tensor *tensor = arcs->tensor;
    double cols = (double)tensor->cols, edge = 8;
    arcs->crosses =
        tensor->rows != tensor->cols || tensor->row_labels != tensor->col_labels;
    arcs->size = canvas_size(arcs->stage->canvas, WORD_UNITS, "");
    if (arcs->heads > 1 && box.h > KEY_FROM * (arcs->crosses ? 1.5 : 1))
        draw_key(arcs, box_take_top(&box, round(KEY * arcs->size)));
    arcs->room = box;
    arcs->pitch = fmin(box.w / cols, 90);
    arcs->left = box.x + (box.w - arcs->pitch * cols) / 2;
    arcs->own = arcs->crosses ? box.x + box.w / 2 : x_of(arcs, arcs->row);
    arcs->radius = fmin(DOT, arcs->pitch * 0.3);
    arcs->labels = arcs->crosses ? tensor->col_labels : tensor->row_labels;
    arcs->tiers = tiers_of(arcs);
    double words = tiers_height(arcs, arcs->tiers);
    arcs->top = round(box.y + (arcs->crosses ? words : edge));
    arcs->bottom = round(box.y + box.h - (arcs->crosses ? edge + 2 : words));
    for (size_t col = 0; col < tensor->cols; col++)
        draw_arc(arcs, col);
    for (size_t col = 0; col < tensor->cols; col++)
        draw_dot(arcs, (Point){x_of(arcs, col), arcs->crosses ? arcs->top : arcs->bottom},
                 is_own(arcs, col));
    draw_labels(arcs);
    if (arcs->crosses)
        draw_reader(arcs);
}

void loop_box_draw(const Stage *stage, const LaneLoop *loop, size_t row, Box box) {
    if (box.h < SMALLEST)
        return;
    Arcs arcs = {.stage = stage, .row = row};
    Network network;
    arcs.heads = find_heads(stage, loop->step, arcs.weights);
    if (arcs.heads) {
        arcs.tensor = &stage_node(stage, arcs.weights[0])->output;
        if (row < arcs.tensor->rows)
            draw_attention(&arcs, box);
    } else if (network_find(&network, stage, loop->step) && network.y != TAPE_NONE &&
               network.x != TAPE_NONE && network.gated == TAPE_NONE) {
        loop_network_draw(stage, &network, row, box);
    }
}
