#include "base/maths.h"
#include "picture/draw/patterns.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"
#include "tensor/tensor.h"

/* Relative positions: on the left the tokens on a line, with an arc from the chosen token
 * to every other and the signed distance at its top; on the right the table of the same
 * numbers, in which each diagonal has one number and one colour. */

static const double WORDS_FRACTION = 0.54; /* of the width, for the line of tokens */
/* Letters of tokens and distances. */
static const double WORD_UNITS = 22, STEP_UNITS = 19;
static const double ARC_WIDTH = 2, WORD_GAP = 14;
enum { ARC_POINTS = 33 };

typedef struct Distances {
    const Stage *stage;
    const Tensor *table;
    size_t row; /* chosen token */
    double reach;
    ColorScale scale;
    double size; /* size of the tokens' letters */
    double line; /* y of the chips' upper edge */
    Box area;    /* of tokens and arcs */
} Distances;

static const char *word_of(const Distances *d, size_t index) {
    return view_label(d->stage->canvas, d->table->row_labels, index);
}

static double words_width(const Distances *d) {
    const Canvas *canvas = d->stage->canvas;
    double width = 0;
    for (size_t i = 0; i < d->table->rows; i++)
        width += token_width(canvas, d->size, word_of(d, i)) + (i ? WORD_GAP : 0);
    return width;
}

/* Sets the largest size that the line allows; at the smallest size the chips divide its
 * width. */
static void fit_words(Distances *d) {
    const Canvas *canvas = d->stage->canvas;
    double least = canvas_least(canvas, "");
    for (size_t i = 0; i < d->table->rows; i++)
        least = fmax(least, canvas_least(canvas, word_of(d, i)));
    d->size = fmax(canvas_size(canvas, WORD_UNITS, ""), least);
    while (d->size > least && words_width(d) > d->area.w)
        d->size--;
}

static Box word_box(const Distances *d, size_t index) {
    const Canvas *canvas = d->stage->canvas;
    double all = words_width(d), fraction = fmin(d->area.w / all, 1);
    double x = d->area.x + fmax(d->area.w - all, 0) / 2;
    for (size_t i = 0; i < index; i++)
        x += (token_width(canvas, d->size, word_of(d, i)) + WORD_GAP) * fraction;
    return (Box){round(x), d->line,
                 floor(token_width(canvas, d->size, word_of(d, index)) * fraction),
                 token_height(d->size)};
}

static double middle_of(const Distances *d, size_t index) {
    Box box = word_box(d, index);
    return box.x + box.w / 2;
}

/* Height of the arc to a token, which grows with the distance. */
static double height_of(const Distances *d, size_t col) {
    double far = fmax((double)d->row, (double)(d->table->rows - 1 - d->row));
    double away = fabs((double)col - (double)d->row);
    double most = d->line - d->area.y - token_height(d->size) / 2;
    return fmax(most, 0) * (0.16 + 0.84 * away / fmax(far, 1));
}

static void draw_arc(const Distances *d, size_t col) {
    const Canvas *canvas = d->stage->canvas;
    double from = middle_of(d, d->row), to = middle_of(d, col),
           height = height_of(d, col);
    bool focus = d->stage->has_focus && d->stage->focus_col == col;
    Color color = focus ? canvas->theme->focus : canvas->theme->ink_faint;
    Point points[ARC_POINTS];
    double base = d->line - 4;
    for (size_t i = 0; i < ARC_POINTS; i++) {
        double turn = PI * (double)i / (ARC_POINTS - 1);
        points[i] = (Point){(from + to) / 2 - (to - from) / 2 * cos(turn),
                            base - height * sin(turn)};
    }
    scene_path(canvas->scene, points, ARC_POINTS,
               fmax(focus ? ARC_WIDTH + 1 : ARC_WIDTH, 1), color);
    double head = 6, away = to > from ? -1 : 1;
    scene_polygon(canvas->scene,
                  (Point[]){{to, base},
                            {to + away * head * 0.2 - head * 0.7, base - head * 1.3},
                            {to + away * head * 0.2 + head * 0.7, base - head * 1.3}},
                  3, color);
}

/* Signed distance as text: "+2", "−1", "0". */
static const char *distance_text(const Distances *d, size_t col) {
    double value = tensor_at(d->table, d->row, col);
    const char *number = view_number(d->stage, d->stage->node, value);
    return value > 0 ? canvas_format(d->stage->canvas, "+%s", number) : number;
}

/* Draws a distance on a ground of its cell's colour; the chosen token's own stands above
 * it. */
static void draw_distance(const Distances *d, size_t col) {
    const Canvas *canvas = d->stage->canvas;
    const Theme *theme = canvas->theme;
    const char *text = distance_text(d, col);
    double size = canvas_size(canvas, STEP_UNITS, "");
    double width = canvas_text_width(canvas, FONT_BOLD, size, text) + size;
    double height = round(size * 1.5);
    double x = col == d->row ? middle_of(d, col)
                             : (middle_of(d, d->row) + middle_of(d, col)) / 2;
    double rise = col == d->row ? 4 + height / 2 : height_of(d, col);
    double y = d->line - 4 - rise;
    Box box = {round(x - width / 2), round(y - height / 2), round(width), height};
    Color ground = color_scale_at(&d->scale, tensor_at(d->table, d->row, col));
    bool focus = d->stage->has_focus && d->stage->focus_col == col;
    canvas_link_cell(canvas, d->stage->node, d->row, col);
    scene_rectangle(canvas->scene, box, height / 2, ground,
                    focus ? theme->focus : theme->line, fmax(focus ? 2 : 1, 1));
    pattern_negative(canvas, box_inset(box, 2), tensor_at(d->table, d->row, col));
    canvas_text(canvas, FONT_BOLD, size,
                palette_ink(ground, theme->cell_dark, theme->cell_light),
                (Point){x, label_baseline(y, size)}, LABEL_CENTER, text);
    canvas_unlink(canvas);
}

/* Draws the tokens; pointing at one chooses it. */
static void draw_words(const Distances *d) {
    const Canvas *canvas = d->stage->canvas;
    for (size_t i = 0; i < d->table->rows; i++) {
        const char *word = word_of(d, i);
        Token token = {.label = word,
                       .kind = token_kind(word),
                       .present = i == d->row,
                       .size = d->size};
        canvas_link_cell(canvas, d->stage->node, i, i);
        token_draw(canvas, &token, word_box(d, i));
        canvas_unlink(canvas);
    }
}

static void draw_line(Distances *d) {
    const Canvas *canvas = d->stage->canvas;
    fit_words(d);
    d->line = round(d->area.y + d->area.h * 0.74);
    for (size_t j = 0; j < d->table->cols; j++) {
        if (j != d->row && view_cell_visible(d->stage, d->row, j))
            draw_arc(d, j);
    }
    for (size_t j = 0; j < d->table->cols; j++) {
        if (view_cell_visible(d->stage, d->row, j))
            draw_distance(d, j);
    }
    draw_words(d);
    const char *words =
        canvas_words(canvas, "view.distance_from", word_of(d, d->row), NULL);
    double size = canvas_size(canvas, 15, words);
    canvas_text_within(
        canvas, FONT_TEXT, size, d->area.w, canvas->theme->ink_soft,
        (Point){d->area.x + d->area.w / 2, d->line + token_height(d->size) + 34},
        LABEL_CENTER, words);
}

void distances_view(const Stage *stage, ViewPlace place) {
    (void)place;
    const Canvas *canvas = stage->canvas;
    Distances d = {.stage = stage,
                   .table = stage_tensor(stage, stage->node),
                   .row = view_row(stage),
                   .area = stage->area};
    d.reach = heatmap_reach(d.table);
    d.scale =
        (ColorScale){&canvas->theme->diverging, -d.reach, d.reach, canvas->theme->masked};
    Stage right = *stage;
    right.area = box_take_right(&d.area, stage->area.w * (1 - WORDS_FRACTION));
    box_take_right(&d.area, 24);
    given_picture(&right);
    if (d.area.h > token_height(canvas_size(canvas, WORD_UNITS, "")) * 2)
        draw_line(&d);
}
