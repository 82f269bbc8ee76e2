#include "picture/layers/loop_box.h"

#include "base/maths.h"
#include "picture/draw/patterns.h"
#include "picture/layers/network.h"
#include "picture/scene/role.h"
#include "picture/tensors/tokens.h"

#include <math.h>

static const double WORD_UNITS = 15, WIDEST_ARC = 24, DOT = 6, SMALLEST = 66;

enum { CURVE_POINTS = 28, HEADS_MOST = 4, UNITS_MOST = 16, ENDS_MOST = 8 };

/* ---- an attention ---- */

typedef struct Arcs {
    const Stage *stage;
    size_t heads, weights[HEADS_MOST]; /* nodes */
    const Tensor *tensor;              /* of the first head */
    size_t row;
    Box room;
    bool crosses;       /* it reads other words: they stand above */
    double left, pitch; /* of the words that are read */
    double own;         /* the chosen word's place */
    double top, bottom; /* the words' lines */
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
    double share =
        tensor_at(&stage_node(arcs->stage, arcs->weights[head])->output, arcs->row, col);
    return share > 0 ? share : 0;
}

/* The path of a band that runs `off` beside the middle of its arc. */
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

/* To one word: the heads' shares as bands side by side. */
static void draw_arc(const Arcs *arcs, size_t col) {
    const Canvas *canvas = arcs->stage->canvas;
    const Theme *theme = canvas->theme;
    double widest = fmin(canvas_length(canvas, WIDEST_ARC), arcs->pitch * 0.5);
    double per_head = widest / (double)arcs->heads, all = 0, done = 0;
    for (size_t head = 0; head < arcs->heads; head++)
        all += share_of(arcs, head, col) * per_head;
    for (size_t head = 0; head < arcs->heads; head++) {
        double width = share_of(arcs, head, col) * per_head;
        Point points[CURVE_POINTS];
        if (width < 0.2)
            continue;
        arc_points(arcs, col, done + width / 2 - all / 2, points);
        Color color = arcs->heads == 1 ? role_color(theme, ROLE_SHARES, theme->ink)
                                       : theme->other[head % 4];
        color.a = 200;
        canvas_link_cell(canvas, arcs->weights[head], arcs->row, col);
        pattern_path(canvas, pattern_turn(theme, head), points, CURVE_POINTS, width, 1,
                     color);
        canvas_unlink(canvas);
        done += width;
    }
}

/* A line of words: their dots, and labels of as many as keep apart, those that are read
 * most first. */
typedef struct Words {
    const char *const *labels;
    size_t count;
    size_t own; /* the chosen one; `count`: it is not among them */
    double y, radius;
    bool above; /* the labels stand above the dots */
} Words;

static double place_of(const Arcs *arcs, const Words *words, size_t index) {
    return index == words->own ? arcs->own : x_of(arcs, index);
}

static double half_width(const Arcs *arcs, const Words *words, size_t index) {
    const Canvas *canvas = arcs->stage->canvas;
    return canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, WORD_UNITS, ""),
                             token_text(canvas, words->labels[index])) /
           2;
}

/* Where a label stands: under its dot, but within the box. */
static double label_x(const Arcs *arcs, const Words *words, size_t index) {
    double half = half_width(arcs, words, index), x = place_of(arcs, words, index);
    double right = arcs->room.x + arcs->room.w - half;
    return index == words->own ? fmax(fmin(x, right), arcs->room.x + half) : x;
}

static void draw_label(const Arcs *arcs, const Words *words, size_t index) {
    const Canvas *canvas = arcs->stage->canvas;
    bool own = index == words->own;
    double size = canvas_size(canvas, WORD_UNITS, "");
    canvas_text(canvas, own ? FONT_BOLD : FONT_TEXT, size,
                own ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){label_x(arcs, words, index),
                        round(words->above ? words->y - words->radius - size * 0.5
                                           : words->y + words->radius + size * 1.1)},
                LABEL_CENTER, token_text(canvas, words->labels[index]));
}

/* The word that is read most of those that are not done; the chosen one before all. */
static size_t next_word(const Arcs *arcs, const Words *words, const bool *done) {
    size_t best = words->count;
    double most = -1;
    if (words->own < words->count && !done[words->own])
        return words->own;
    for (size_t i = 0; i < words->count; i++) {
        double share = 0;
        for (size_t head = 0; head < arcs->heads; head++)
            share += share_of(arcs, head, i);
        if (done[i] || share <= most)
            continue;
        most = share;
        best = i;
    }
    return best;
}

static void draw_labels(const Arcs *arcs, const Words *words) {
    const Canvas *canvas = arcs->stage->canvas;
    bool *done = arena_alloc(canvas->scene->arena, words->count, sizeof *done);
    size_t *drawn = arena_alloc(canvas->scene->arena, words->count, sizeof *drawn);
    size_t count = 0, index;
    double gap = canvas_length(canvas, 7);
    if (!done || !drawn || !words->labels)
        return;
    while ((index = next_word(arcs, words, done)) < words->count) {
        double x = label_x(arcs, words, index), half = half_width(arcs, words, index);
        bool fits = x - half >= arcs->room.x && x + half <= arcs->room.x + arcs->room.w;
        for (size_t i = 0; i < count; i++)
            fits &= fabs(label_x(arcs, words, drawn[i]) - x) >=
                    half + half_width(arcs, words, drawn[i]) + gap;
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

static void draw_attention(Arcs *arcs, Box box) {
    const Canvas *canvas = arcs->stage->canvas;
    const Tensor *tensor = arcs->tensor;
    double line = canvas_length(canvas, 28);
    arcs->room = box;
    arcs->crosses =
        tensor->rows != tensor->cols || tensor->row_labels != tensor->col_labels;
    arcs->pitch = fmin(box.w / (double)tensor->cols, canvas_length(canvas, 90));
    arcs->left = box.x + (box.w - arcs->pitch * (double)tensor->cols) / 2;
    arcs->bottom = round(box.y + box.h - line);
    arcs->top = round(box.y + (arcs->crosses ? line : canvas_length(canvas, 8)));
    arcs->own = arcs->crosses ? box.x + box.w / 2 : x_of(arcs, arcs->row);
    for (size_t col = 0; col < tensor->cols; col++)
        draw_arc(arcs, col);
    double radius = fmin(canvas_length(canvas, DOT), arcs->pitch * 0.3);
    Words words = {.labels = tensor->row_labels,
                   .count = tensor->cols,
                   .own = arcs->row,
                   .y = arcs->bottom,
                   .radius = radius};
    if (!arcs->crosses) {
        draw_words(arcs, &words);
        return;
    }
    words.labels = words.labels ? words.labels + arcs->row : NULL;
    words.count = 1;
    words.own = 0;
    draw_words(arcs, &words);
    words =
        (Words){tensor->col_labels, tensor->cols, tensor->cols, arcs->top, radius, true};
    draw_words(arcs, &words);
}

/* ---- a feed-forward network ---- */

/* A column of dots: as many as there is room for. */
typedef struct Column {
    size_t count, all;
    double x, top, pitch;
} Column;

static Column column_of(Box box, double x, size_t all, size_t most) {
    size_t count = all < most ? all : most;
    double pitch = fmin(box.h / (double)count, box.h / 4);
    return (Column){count, all, x, box.y + (box.h - pitch * (double)count) / 2, pitch};
}

static Point dot_of(const Column *column, size_t index) {
    return (Point){column->x, column->top + column->pitch * ((double)index + 0.5)};
}

/* What a lit unit sends on: as strong as weight · activation is, its sign a colour. */
static void draw_sent(const Stage *stage, const Network *network, const Column *ends,
                      Point at, size_t row, size_t unit) {
    const Theme *theme = stage->canvas->theme;
    const Tensor *weights = stage_tensor(stage, network->w_2);
    const Tensor *units = stage_tensor(stage, network->a);
    const Palette *palette = &theme->diverging;
    double most = heatmap_reach(weights) * heatmap_reach(units);
    for (size_t i = 0; i < ends->count; i++) {
        double sent = tensor_at(weights, unit, i) * tensor_at(units, row, unit);
        Color color = palette->stops[sent < 0 ? 0 : palette->count - 1];
        color.a = 210;
        double width = fabs(sent) / most * 5;
        const Point line[] = {at, dot_of(ends, i)};
        if (width > 0.1)
            pattern_path(stage->canvas, pattern_sign(theme, sent), line, 2,
                         fmin(width, 4), 1, color);
    }
}

static void draw_dots(const Stage *stage, const Column *column, Color color) {
    double radius = fmin(canvas_length(stage->canvas, DOT), column->pitch * 0.36);
    for (size_t i = 0; i < column->count; i++)
        canvas_dot(stage->canvas, dot_of(column, i), radius, color, (Color){0}, 0);
}

static void draw_network(const Stage *stage, const Network *network, size_t row,
                         Box box) {
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    const Tensor *units = stage_tensor(stage, network->a);
    double reach = heatmap_reach(units), middle = box.x + box.w / 2;
    double side = fmin(box.w * 0.36, canvas_length(canvas, 110));
    Column in =
        column_of(box, middle - side, stage_tensor(stage, network->x)->cols, ENDS_MOST);
    Column hidden = column_of(box, middle, units->cols, UNITS_MOST);
    Column out =
        column_of(box, middle + side, stage_tensor(stage, network->y)->cols, ENDS_MOST);
    const ColorScale scale = {&theme->diverging, -reach, reach, theme->masked};
    double radius = fmin(canvas_length(canvas, DOT), hidden.pitch * 0.42);
    bool dense = in.count * hidden.count > 64;
    Color faint = palette_mix(theme->page, theme->ink_faint, dense ? 40 : 90);
    for (size_t i = 0; i < hidden.count; i++) {
        for (size_t j = 0; j < in.count; j++)
            scene_line(canvas->scene, dot_of(&in, j), dot_of(&hidden, i), 1, faint);
        if (fabs(tensor_at(units, row, i)) > 0)
            draw_sent(stage, network, &out, dot_of(&hidden, i), row, i);
    }
    for (size_t i = 0; i < hidden.count; i++) {
        double value = tensor_at(units, row, i);
        bool is_lit = fabs(value) > 0;
        Color lit = color_scale_at(&scale, copysign(reach * 0.45, value) + 0.55 * value);
        canvas_link_cell(canvas, network->a, row, i);
        canvas_dot(canvas, dot_of(&hidden, i), radius, is_lit ? lit : theme->page,
                   is_lit ? lit : theme->ink_faint, 1);
        canvas_unlink(canvas);
    }
    draw_dots(stage, &in, theme->ink_soft);
    draw_dots(stage, &out, theme->ink_soft);
}

void loop_box_draw(const Stage *stage, const LaneLoop *loop, size_t row, Box box) {
    if (box.h < canvas_length(stage->canvas, SMALLEST))
        return;
    Arcs arcs = {.stage = stage, .row = row};
    Network network;
    arcs.heads = find_heads(stage, loop->step, arcs.weights);
    if (arcs.heads) {
        arcs.tensor = &stage_node(stage, arcs.weights[0])->output;
        if (row < arcs.tensor->rows)
            draw_attention(&arcs, box);
    } else if (network_find(&network, stage, loop->step) && network.y != TAPE_NONE &&
               network.x != TAPE_NONE) {
        draw_network(stage, &network, row, box);
    }
}
