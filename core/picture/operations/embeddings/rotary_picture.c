#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/operations/embeddings/embedding_pictures.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

/* Rotary positions as clocks: a row for each token, with a clock for each pair of
 * columns. A faint hand is the pair before rotation, its first number to the right and
 * its second up; the strong hand is the rotated pair, and an arc lies between them. The
 * first clock of a head rotates fastest from token to token, the last one hardly. If each
 * token has a single clock, tokens are side by side, as large as possible, with their
 * numbers below. */

static const double NAME = 15, WORD = 19, LEAST = 30, LARGEST = 108,
                    LARGEST_ACROSS = 330; /* units, of a clock */
static const double HEAD_GAP = 0.6, HEADING = 34, PLACE = 64;
static const double NUMBER_CELL = 96, NUMBER_LINE = 40, NUMBER_GAP = 6; /* units */
static const double WHOLE_TURN = 6.283185307179586;
enum { ARC_POINTS = 25 };

typedef struct Clocks {
    const Stage *stage;
    const Tensor *in, *out, *places; /* positions; NULL: the rows' numbers */
    size_t heads, half;              /* pairs of a head */
    double base;                     /* base of the wavelengths */
    bool across;                     /* tokens are side by side */
    double reach, side, left, top;
} Clocks;

/* Returns the column of a pair's first number. */
static size_t column_of(const Clocks *clocks, size_t pair) {
    return pair / clocks->half * 2 * clocks->half + pair % clocks->half;
}

/* Returns the width in clocks; gaps between heads count as clocks. */
static double breadth_of(const Clocks *clocks) {
    return (double)(clocks->heads * clocks->half) +
           HEAD_GAP * (double)(clocks->heads - 1);
}

static Point centre_of(const Clocks *clocks, size_t row, size_t pair) {
    double gaps = HEAD_GAP * (double)(pair / clocks->half);
    if (clocks->across)
        return (Point){clocks->left + clocks->side * ((double)row + 0.5),
                       clocks->top + clocks->side * 0.5};
    return (Point){clocks->left + clocks->side * ((double)pair + gaps + 0.5),
                   clocks->top + clocks->side * ((double)row + 0.5)};
}

static double radius_of(const Clocks *clocks) {
    return clocks->side * 0.43;
}

/* Returns a pair as the position of its hand's end, its second number up. */
static Point pair_at(const Clocks *clocks, const Tensor *tensor, size_t row,
                     size_t pair) {
    size_t col = column_of(clocks, pair);
    return (Point){tensor_at(tensor, row, col),
                   -tensor_at(tensor, row, col + clocks->half)};
}

/* Returns where the hand of a pair ends. */
static Point hand_of(const Clocks *clocks, const Tensor *tensor, size_t row,
                     size_t pair) {
    Point at = centre_of(clocks, row, pair), hand = pair_at(clocks, tensor, row, pair);
    double scale = radius_of(clocks) / clocks->reach;
    return (Point){at.x + scale * hand.x, at.y + scale * hand.y};
}

static double place_of(const Clocks *clocks, size_t row) {
    return clocks->places ? clocks->places->values[row] : (double)row;
}

/* Draws an arc from the pair before rotation to the pair after it, at half a hand's
 * length. */
static void draw_arc(const Clocks *clocks, size_t row, size_t pair) {
    const Canvas *canvas = clocks->stage->canvas;
    Point hand = pair_at(clocks, clocks->in, row, pair);
    double length = point_distance(hand, (Point){0}), i = (double)(pair % clocks->half);
    double angle = place_of(clocks, row) / pow(clocks->base, i / (double)clocks->half);
    double radius = radius_of(clocks) * 0.55 / length;
    Point middle = centre_of(clocks, row, pair), points[ARC_POINTS];
    if (!(length > 0) || !isfinite(length))
        return;
    angle -= WHOLE_TURN * trunc(angle / WHOLE_TURN);
    for (size_t j = 0; j < ARC_POINTS; j++) {
        double at = angle * (double)j / (ARC_POINTS - 1), c = cos(at), s = sin(at);
        points[j] = (Point){middle.x + radius * (hand.x * c + hand.y * s),
                            middle.y + radius * (hand.y * c - hand.x * s)};
    }
    scene_path(canvas->scene, points, ARC_POINTS, 2,
               palette_mix(canvas->theme->page, canvas->theme->focus, 110));
}

static void draw_clock(const Clocks *clocks, size_t row, size_t pair) {
    const Stage *stage = clocks->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    size_t col = column_of(clocks, pair), second = col + clocks->half;
    Point middle = centre_of(clocks, row, pair);
    Point before[] = {middle, hand_of(clocks, clocks->in, row, pair)};
    Point after[] = {middle, hand_of(clocks, clocks->out, row, pair)};
    canvas_link_cell(canvas, stage->node, row, col);
    canvas_dot(canvas, middle, radius_of(clocks), theme->page, theme->line, 1.5);
    scene_path(canvas->scene, before, 2, 3,
               palette_mix(theme->page, theme->ink_faint, 130));
    if (view_cell_visible(stage, row, col)) {
        draw_arc(clocks, row, pair);
        scene_path(canvas->scene, after, 2, 4, theme->ink);
        canvas_dot(canvas, after[1], 4, theme->ink, theme->ink, 1);
    }
    canvas_unlink(canvas);
    if (!clocks->across && stage->has_focus && stage->focus_node == stage->node &&
        stage->focus_row == row &&
        (stage->focus_col == col || stage->focus_col == second)) {
        double side = clocks->side * 0.94;
        canvas_outline(canvas,
                       (Box){middle.x - side / 2, middle.y - side / 2, side, side}, 6,
                       theme->focus, 3);
    }
}

/* Draws a token and the position it is rotated by beside its clocks, such as "you 1";
 * above a single clock the rotation too, such as "place 1: turned by 1 rad". */
static void draw_row_name(const Clocks *clocks, size_t row) {
    const Canvas *canvas = clocks->stage->canvas;
    double size = canvas_size(canvas, WORD, "");
    const char *const *labels = clocks->out->row_labels;
    const char *place = canvas_format(canvas, "%g", place_of(clocks, row));
    Point centre = centre_of(clocks, row, 0);
    if (clocks->across) {
        const char *words = canvas_words(canvas, "view.turned_by", place, NULL);
        canvas_text_within(canvas, FONT_TEXT, size, clocks->side - 8, canvas->theme->ink,
                           (Point){centre.x, round(clocks->top - 10)}, LABEL_CENTER,
                           words);
        return;
    }
    Point at = {clocks->left - 14, label_baseline(centre.y, size)};
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink, at, LABEL_RIGHT, place);
    double room = fmax(clocks->left - clocks->stage->area.x - PLACE, 1);
    if (labels)
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){at.x - 30, at.y}, LABEL_RIGHT,
                    canvas_fit(canvas, FONT_TEXT, size, room, labels[row]).text);
}

/* Draws the two numbers of its hand below a single clock. */
static void draw_numbers(const Clocks *clocks, size_t row) {
    const Stage *stage = clocks->stage;
    const Canvas *canvas = stage->canvas;
    double cell = fmin(NUMBER_CELL, clocks->side / 2);
    Heatmap numbers = {.tensor = canvas_row(canvas, clocks->out, row),
                       .written_as = clocks->out,
                       .node = stage->node,
                       .first_row = row,
                       .cells = {round(centre_of(clocks, row, 0).x - cell),
                                 clocks->top + clocks->side + NUMBER_GAP, 2 * cell,
                                 NUMBER_LINE},
                       .reach = heatmap_reach(clocks->out),
                       .visible = stage->visible > 2 * row ? stage->visible - 2 * row : 0,
                       .number_size = canvas_size(canvas, WORD, "")};
    heatmap_draw(canvas, &numbers);
    stage_outline_focus(stage, &numbers);
}

/* Draws the columns of a clock's hand, such as "0, 4". */
static void draw_pair_name(const Clocks *clocks, size_t pair) {
    const Canvas *canvas = clocks->stage->canvas;
    size_t col = column_of(clocks, pair);
    const char *name = canvas_format(canvas, "%zu, %zu", col, col + clocks->half);
    double size = canvas_size(canvas, NAME, name);
    if (canvas_text_width(canvas, FONT_TEXT, size, name) > clocks->side - 4)
        return;
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                (Point){centre_of(clocks, 0, pair).x, clocks->top - 8}, LABEL_CENTER,
                name);
}

/* Returns the length of the longest hand, which fills a clock. */
static double longest_hand(const Clocks *clocks) {
    double longest = 0;
    for (size_t row = 0; row < clocks->in->rows; row++) {
        for (size_t pair = 0; pair < clocks->heads * clocks->half; pair++) {
            double hand =
                point_distance(pair_at(clocks, clocks->in, row, pair), (Point){0});
            longest = isfinite(hand) ? fmax(longest, hand) : longest;
        }
    }
    return longest > 0 ? longest : 1;
}

/* Places the clocks; returns false if there are too many to be distinguished. */
static bool place(Clocks *clocks) {
    const Stage *stage = clocks->stage;
    const Canvas *canvas = stage->canvas;
    double words = clocks->out->row_labels
                       ? fmin(heatmap_row_label_width(canvas, clocks->out), 160)
                       : 0;
    Box area = stage->area;
    clocks->across =
        clocks->heads * clocks->half == 1 && area.w - PLACE > area.h * breadth_of(clocks);
    double breadth = breadth_of(clocks), height = (double)clocks->out->rows;
    if (clocks->across) {
        breadth = height;
        height = 1;
        box_take_bottom(&area, NUMBER_GAP + NUMBER_LINE);
    } else {
        box_take_left(&area, words + PLACE);
    }
    box_take_top(&area, HEADING);
    double side = fmin(area.w / breadth, area.h / height);
    clocks->side = floor(fmin(side, clocks->across ? LARGEST_ACROSS : LARGEST));
    clocks->left = round(area.x + (area.w - clocks->side * breadth) / 2);
    clocks->top = round(area.y + (area.h - clocks->side * height) / 2);
    return clocks->side >= LEAST;
}

void rotary_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Clocks clocks = {.stage = stage,
                     .in = node->operands[0],
                     .out = &node->output,
                     .places = node->input_count > 1 ? node->operands[1] : NULL,
                     .heads = node->options.heads,
                     .base = node->options.base > 0 ? node->options.base : ROTARY_BASE};
    clocks.half = clocks.out->cols / clocks.heads / 2;
    clocks.reach = longest_hand(&clocks);
    if (stage->values || !place(&clocks)) {
        unary_picture(stage);
        return;
    }
    for (size_t pair = 0; !clocks.across && pair < clocks.heads * clocks.half; pair++)
        draw_pair_name(&clocks, pair);
    for (size_t row = 0; row < clocks.out->rows; row++) {
        draw_row_name(&clocks, row);
        for (size_t pair = 0; pair < clocks.heads * clocks.half; pair++)
            draw_clock(&clocks, row, pair);
    }
    for (size_t row = 0; clocks.across && row < clocks.out->rows; row++)
        draw_numbers(&clocks, row); /* behind all clocks, which the animation rotates */
}
