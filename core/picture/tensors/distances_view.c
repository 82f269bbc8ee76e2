#include "base/maths.h"
#include "picture/draw/patterns.h"
#include "picture/tensors/views.h"
#include "tensor/tensor.h"

/* Relative positions: on the left the tokens on a line, with an arc from the chosen token
 * to every other and the signed distance at its top; on the right the table of the same
 * numbers, in which each diagonal has one number and one colour. */

static const double WORDS_FRACTION = 0.54; /* of the width, for the line of tokens */
/* Letters of tokens and distances. */
static const double WORD_UNITS = 22, STEP_UNITS = 19;
static const double ARC_WIDTH = 2, WORD_GAP = 14;

typedef struct Distances {
    const Stage *stage;
    const Tensor *table;
    size_t row;    /* chosen token */
    Series series; /* its distances */
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
    double from = middle_of(d, d->row), to = middle_of(d, col), base = d->line - 4;
    bool focus = col == d->series.focus;
    Color color = focus ? canvas->theme->focus : canvas->theme->ink_faint;
    Point points[CURVE_POINTS];
    view_arc(from, to, base, height_of(d, col), points);
    scene_path(canvas->scene, points, CURVE_POINTS, focus ? ARC_WIDTH + 1 : ARC_WIDTH,
               color);
    double head = 6, away = to > from ? -1 : 1;
    scene_polygon(canvas->scene,
                  (Point[]){{to, base},
                            {to + away * head * 0.2 - head * 0.7, base - head * 1.3},
                            {to + away * head * 0.2 + head * 0.7, base - head * 1.3}},
                  3, color);
}

/* Draws a signed distance ("+2", "−1", "0") on a ground of its cell's colour; the chosen
 * token's own stands above it. */
static void draw_distance(const Distances *d, size_t col) {
    const Canvas *canvas = d->stage->canvas;
    const Theme *theme = canvas->theme;
    double value = d->series.values[col];
    const char *text = canvas_format(canvas, "%s%s", value > 0 ? "+" : "",
                                     series_number(&d->series, col));
    double size = canvas_size(canvas, STEP_UNITS, "");
    double width = round(canvas_text_width(canvas, FONT_BOLD, size, text) + size);
    double height = round(size * 1.5);
    double rise = col == d->row ? height / 2 : height_of(d, col);
    Box box = {round((middle_of(d, d->row) + middle_of(d, col) - width) / 2),
               round(d->line - 4 - (col == d->row ? 4 : 0) - rise - height / 2), width,
               height};
    Color ground = color_scale_at(&d->scale, value);
    bool focus = col == d->series.focus;
    canvas_link(canvas, series_link(&d->series, col));
    scene_rectangle(canvas->scene, box, height / 2, ground,
                    focus ? theme->focus : theme->line, focus ? 2 : 1);
    pattern_negative(canvas, box_inset(box, 2), value);
    chart_text(canvas, FONT_BOLD, size,
               palette_ink(ground, theme->cell_dark, theme->cell_light), box,
               LABEL_CENTER, text);
    canvas_unlink(canvas);
}

static void draw_line(Distances *d) {
    const Canvas *canvas = d->stage->canvas;
    fit_words(d);
    d->line = round(d->area.y + d->area.h * 0.74);
    for (size_t j = 0; j < d->table->cols; j++) {
        if (j != d->row && series_is_visible(&d->series, j))
            draw_arc(d, j);
    }
    for (size_t j = 0; j < d->table->cols; j++) {
        if (series_is_visible(&d->series, j))
            draw_distance(d, j);
    }
    for (size_t i = 0; i < d->table->rows; i++) /* pointing at a token chooses it */
        chip_draw(canvas, word_of(d, i), i == d->row, d->size,
                  (Link){LINK_CELL, d->stage->node, i, i}, word_box(d, i));
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
                   .series = view_series(stage),
                   .area = stage->area};
    d.scale = heatmap_scale(canvas, HEATMAP_SIGNED, heatmap_reach(d.table));
    Stage right = *stage;
    right.area = box_take_right(&d.area, stage->area.w * (1 - WORDS_FRACTION));
    box_take_right(&d.area, 24);
    given_picture(&right);
    if (d.area.h > token_height(canvas_size(canvas, WORD_UNITS, "")) * 2)
        draw_line(&d);
}
