#include "picture/layers/loop_box.h"

#include "base/arena.h"
#include "base/maths.h"
#include "lesson/play/player.h"
#include "picture/draw/patterns.h"
#include "picture/draw/token.h"
#include "picture/layers/loop_network.h"
#include "picture/layers/network.h"
#include "picture/scene/role.h"

#include <math.h>

static const double WORD_UNITS = 15, WIDEST_ARC = 24, DOT = 6, SMALLEST = 66;

/* Fraction of a label's size; box height from which there is a key. */
static const double KEY = 1.33, KEY_FROM = 96;
static const double TIER = 1.25, LEAST_RISE = 36; /* fraction of a label's size; units */

enum { CURVE_POINTS = 28, HEADS_MOST = 4, TIERS_MOST = 3 };

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
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double t = (double)i / (CURVE_POINTS - 1), angle = PI * t;
        double s = t * t * (3 - 2 * t);
        if (arcs->crosses) {
            points[i] = (Point){from + off + (to - from) * s, arcs->bottom - height * t};
        } else if (col == arcs->row) {
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

/* A row of tokens: dots and labels, which alternate between as many tiers as keep them
 * apart; if no number of tiers does, only the tokens with the largest weights have
 * labels. */
typedef struct Words {
    const char *const *labels;
    size_t count;
    size_t own; /* chosen token; `count`: not among them */
    double y, radius;
    bool above; /* labels stand above the dots */
    size_t tiers;
} Words;

static double place_of(const Arcs *arcs, const Words *words, size_t index) {
    return index == words->own ? arcs->own : x_of(arcs, index);
}

static double label_size(const Arcs *arcs) {
    return canvas_size(arcs->stage->canvas, WORD_UNITS, "");
}

static double half_width(const Arcs *arcs, const Words *words, size_t index) {
    const Canvas *canvas = arcs->stage->canvas;
    return canvas_text_width(canvas, FONT_BOLD, label_size(arcs),
                             token_text(canvas, words->labels[index])) /
           2;
}

/* x of a label: at its dot, but within the box. */
static double label_x(const Arcs *arcs, const Words *words, size_t index) {
    double half = half_width(arcs, words, index), x = place_of(arcs, words, index);
    return fmax(fmin(x, arcs->room.x + arcs->room.w - half), arcs->room.x + half);
}

static bool keep_apart(const Arcs *arcs, const Words *words, size_t i, size_t j) {
    return fabs(label_x(arcs, words, i) - label_x(arcs, words, j)) >=
           half_width(arcs, words, i) + half_width(arcs, words, j) + 7;
}

/* Height of tiers with half a dot. */
static double tiers_height(const Arcs *arcs, size_t tiers) {
    return 10 + label_size(arcs) * (1.2 + (double)(tiers - 1) * TIER);
}

/* Least number of tiers with room for all labels; 1 if there are too many tokens for
 * that, or arcs would become flat. */
static size_t tiers_of(const Arcs *arcs, const Words *words) {
    double room = arcs->room.h - LEAST_RISE;
    for (size_t tiers = 1; words->labels && tiers <= TIERS_MOST; tiers++) {
        bool apart = tiers_height(arcs, tiers) <= room;
        for (size_t i = 0; apart && i + tiers < words->count; i++)
            apart = keep_apart(arcs, words, i, i + tiers);
        if (apart)
            return tiers;
    }
    return 1;
}

static void draw_label(const Arcs *arcs, const Words *words, size_t index) {
    const Canvas *canvas = arcs->stage->canvas;
    bool own = index == words->own;
    double size = label_size(arcs), off = (double)(index % words->tiers) * size * TIER;
    double x = label_x(arcs, words, index), side = words->above ? -1 : 1;
    if (off > 0)
        scene_line(
            canvas->scene,
            (Point){place_of(arcs, words, index), words->y + side * (words->radius + 2)},
            (Point){x, words->y + side * (words->radius + off)}, 1, canvas->theme->line);
    canvas_text(
        canvas, own ? FONT_BOLD : FONT_TEXT, size,
        own ? canvas->theme->ink : canvas->theme->ink_soft,
        (Point){x, round(words->above ? words->y - words->radius - size * 0.5 - off
                                      : words->y + words->radius + size * 1.1 + off)},
        LABEL_CENTER, token_text(canvas, words->labels[index]));
}

/* Next token to label: the chosen one first, then by attention weight. */
static size_t next_word(const Arcs *arcs, const Words *words, const bool *done) {
    size_t best = words->count;
    double most = -1;
    if (words->own < words->count && !done[words->own])
        return words->own;
    for (size_t i = 0; i < words->count; i++) {
        double fraction = 0;
        for (size_t head = 0; head < arcs->heads; head++)
            fraction += share_of(arcs, head, i);
        if (done[i] || fraction <= most)
            continue;
        most = fraction;
        best = i;
    }
    return best;
}

static void draw_labels(const Arcs *arcs, const Words *words) {
    const Canvas *canvas = arcs->stage->canvas;
    bool *done = arena_alloc(canvas->scene->arena, words->count, sizeof *done);
    size_t *drawn = arena_alloc(canvas->scene->arena, words->count, sizeof *drawn);
    size_t count = 0, index;
    if (!words->labels)
        return;
    while ((index = next_word(arcs, words, done)) < words->count) {
        bool fits = true;
        for (size_t i = 0; i < count; i++)
            fits &=
                (words->tiers > 1 && drawn[i] % words->tiers != index % words->tiers) ||
                keep_apart(arcs, words, drawn[i], index);
        done[index] = true;
        if (!fits && index != words->own)
            continue;
        draw_label(arcs, words, index);
        drawn[count++] = index;
    }
}

static void draw_words(const Arcs *arcs, const Words *words) {
    const Canvas *canvas = arcs->stage->canvas;
    for (size_t i = 0; i < words->count; i++) {
        bool own = i == words->own;
        canvas_dot(canvas, (Point){place_of(arcs, words, i), words->y},
                   words->radius * (own ? 1.25 : 1),
                   own ? canvas->theme->focus : canvas->theme->ink_faint, (Color){0}, 0);
    }
    draw_labels(arcs, words);
}

/* Draws the query's token with its label beside it. */
static void draw_reader(const Arcs *arcs, double radius) {
    const Canvas *canvas = arcs->stage->canvas;
    const Theme *theme = canvas->theme;
    double size = label_size(arcs), gap = 7;
    canvas_dot(canvas, (Point){arcs->own, arcs->bottom}, radius * 1.25, theme->focus,
               (Color){0}, 0);
    if (arcs->tensor->row_labels)
        canvas_text(
            canvas, FONT_BOLD, size, theme->ink,
            (Point){arcs->own + radius * 1.25 + gap, label_baseline(arcs->bottom, size)},
            LABEL_LEFT, token_text(canvas, arcs->tensor->row_labels[arcs->row]));
}

/* Draws the key of the heads' colours in a line, if that is wide enough: "— head 1". */
static void draw_key(const Arcs *arcs, Box line) {
    const Canvas *canvas = arcs->stage->canvas;
    double size = label_size(arcs), gap = 6, stroke = 2 * gap;
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
    arcs->crosses =
        tensor->rows != tensor->cols || tensor->row_labels != tensor->col_labels;
    double least = arcs->crosses ? KEY_FROM * 1.5 : KEY_FROM;
    if (arcs->heads > 1 && box.h > least)
        draw_key(arcs, box_take_top(&box, round(KEY * label_size(arcs))));
    arcs->room = box;
    arcs->pitch = fmin(box.w / (double)tensor->cols, 90);
    arcs->left = box.x + (box.w - arcs->pitch * (double)tensor->cols) / 2;
    arcs->own = arcs->crosses ? box.x + box.w / 2 : x_of(arcs, arcs->row);
    double radius = fmin(DOT, arcs->pitch * 0.3);
    Words read = {.labels = arcs->crosses ? tensor->col_labels : tensor->row_labels,
                  .count = tensor->cols,
                  .own = arcs->crosses ? tensor->cols : arcs->row,
                  .radius = radius,
                  .above = arcs->crosses};
    read.tiers = tiers_of(arcs, &read);
    double words = tiers_height(arcs, read.tiers), edge = 8;
    arcs->top = round(box.y + (arcs->crosses ? words : edge));
    arcs->bottom = round(box.y + box.h - (arcs->crosses ? edge + 2 : words));
    read.y = arcs->crosses ? arcs->top : arcs->bottom;
    for (size_t col = 0; col < tensor->cols; col++)
        draw_arc(arcs, col);
    draw_words(arcs, &read);
    if (arcs->crosses)
        draw_reader(arcs, radius);
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
