#include "picture/composites/composites.h"

#include "lesson/content/content.h"
#include "lesson/content/view.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/draw/part_name.h"
#include "picture/stage/caption.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

enum { BEFORE, AFTER, TABLES };

/* Lengths in units; a row's parts as fractions of its height. */
static const double BAR_FRACTION = 0.25, RIBBON_FRACTION = 0.36;
static const double TALLEST_ROW = 190, LEAST_ROW = 92, WIDEST = 1100, LEAST_BAR = 220;
static const double NUMBER_UNITS = 18, WORD_UNITS = 17, NAME_UNITS = 17, GAP = 16,
                    INSET = 4, LABEL_GAP = 12;
/* Smaller changes of a weight are invisible in its number. */
static const double KEPT = 0.0005;
/* Alternating opacity; opacity of unchanged weights. */
static const int RIBBON_ALPHAS[] = {64, 40}, KEPT_ALPHA = 20;

typedef struct Compared {
    const Stage *stage;
    Heatmap tables[TABLES];
    const Tensor *shape;
    const char *names[TABLES];
    double labels, name; /* widths */
    double height;       /* height of a row */
    Box area;            /* of the bars */
} Compared;

/* ---- conditions ---- */

static bool find(Compared *c) {
    const Stage *stage = c->stage;
    const LessonStep *step = stage->step;
    if (step->shown_count != TABLES || stage->values)
        return false;
    c->shape = stage_tensor(stage, step->shown[BEFORE]);
    for (size_t i = 0; i < TABLES; i++) {
        size_t node = step->shown[i];
        const Tensor *tensor = stage_tensor(stage, node);
        if (stage_colors(stage->tape, node) != HEATMAP_PROBABILITIES ||
            !tensor_same_shape(tensor, c->shape) || !lesson_has_probabilities(tensor))
            return false;
        c->tables[i] = stage_heatmap(stage, node, stage->area, 1);
        c->names[i] = stage_formula_name(stage, node);
        if (node == step->result)
            c->tables[i].visible = stage->visible;
    }
    return c->shape->cols > 1;
}

static const char *path_of(const Compared *c, size_t table) {
    return stage_node(c->stage, c->tables[table].node)->name;
}

/* Names tables of one name by their owners, "L_2", and those of two heads by the
 * heads. */
static void distinguish(Compared *c) {
    const Canvas *canvas = c->stage->canvas;
    unsigned long heads[] = {part_head(path_of(c, BEFORE)), part_head(path_of(c, AFTER))};
    bool alike = strcmp(c->names[BEFORE], c->names[AFTER]) == 0;
    bool of_heads = heads[BEFORE] && heads[AFTER] && heads[BEFORE] != heads[AFTER];
    for (size_t i = 0; i < TABLES && (alike || of_heads); i++) {
        const char *owner =
            of_heads
                ? canvas_words(canvas, "view.head", canvas_count(canvas, heads[i]), NULL)
                : part_owner(canvas, c->stage->player->lesson, path_of(c, i));
        if (owner)
            c->names[i] = canvas_format(
                canvas, strchr(owner, '_') ? "\\tensor{%s}" : "\\text{%s}", owner);
    }
}

/* ---- layout ---- */

static bool place(Compared *c) {
    const Canvas *canvas = c->stage->canvas;
    double rows = (double)c->shape->rows;
    c->area = c->stage->area;
    box_take_bottom(&c->area, STAGE_LEGEND_HEIGHT);
    c->labels = fmin(heatmap_row_label_width(canvas, c->shape), c->area.w * 0.2);
    for (size_t i = 0; i < TABLES; i++)
        c->name = fmax(c->name, canvas_formula_extent(canvas, c->names[i],
                                                      canvas_size(canvas, NAME_UNITS, ""))
                                    .width);
    double beside = c->labels + c->name + 2 * GAP;
    double width = fmin(c->area.w - beside, WIDEST);
    c->height = floor(fmin(c->area.h / rows, TALLEST_ROW));
    bool large = canvas->enlarged > 1;
    if (width < LEAST_BAR || c->height < LEAST_ROW * (large ? 0.8 : 1))
        return false;
    c->area.x = round(c->area.x + (c->area.w - beside - width) / 2 + beside);
    c->area.y = round(c->area.y + (c->area.h - c->height * rows) * 0.45);
    c->area.w = width;
    return true;
}

static ProbabilityBar bar_of(const Compared *c, size_t table, size_t row) {
    const Stage *stage = c->stage;
    double gap = c->height * (1 - 2 * BAR_FRACTION - RIBBON_FRACTION) / 2;
    double top = c->area.y + c->height * (double)row + gap;
    if (table == AFTER)
        top += c->height * (BAR_FRACTION + RIBBON_FRACTION);
    return (ProbabilityBar){
        .heatmap = &c->tables[table],
        .row = row,
        .box = {c->area.x, round(top), c->area.w, round(c->height * BAR_FRACTION)},
        .units = NUMBER_UNITS,
        .has_focus = stage->has_focus && stage->focus_row == row &&
                     stage->focus_node == c->tables[table].node,
        .focus_col = stage->focus_col};
}

/* ---- drawing ---- */

/* Draws a weight's token, if its ribbon has room for it. */
static void draw_word(const Compared *c, size_t col, Box from, Box to) {
    const Canvas *canvas = c->stage->canvas;
    if (!c->shape->col_labels)
        return;
    const char *word = c->shape->col_labels[col];
    double size = canvas_size(canvas, WORD_UNITS, word);
    Point middle = {(box_middle(from).x + box_middle(to).x) / 2,
                    (from.y + from.h + to.y) / 2};
    double width = canvas_text_width(canvas, FONT_TEXT, size, word);
    if (width + 8 <= (from.w + to.w) / 2 && size * 1.25 <= to.y - from.y - from.h)
        canvas_label_at(canvas, FONT_TEXT, WORD_UNITS, canvas->theme->ink, middle,
                        LABEL_CENTER, word);
}

/* Draws the ribbon of a weight; pale if the weight is unchanged. */
static void draw_ribbon(const Compared *c, size_t row, size_t col) {
    const Canvas *canvas = c->stage->canvas;
    size_t index = row * c->shape->cols + col;
    if (index >= c->tables[BEFORE].visible || index >= c->tables[AFTER].visible)
        return;
    ProbabilityBar before = bar_of(c, BEFORE, row), after = bar_of(c, AFTER, row);
    Box from = probability_bar_part(&before, col), to = probability_bar_part(&after, col);
    double moved = tensor_at(c->tables[AFTER].tensor, row, col) -
                   tensor_at(c->tables[BEFORE].tensor, row, col);
    Color color = canvas->theme->probabilities;
    color.a = (unsigned char)(fabs(moved) < KEPT ? KEPT_ALPHA : RIBBON_ALPHAS[col % 2]);
    double top = from.y + from.h + 3, bottom = to.y - 3, gap = 2;
    const Point corners[] = {{from.x, top},
                             {fmax(from.x + from.w - gap, from.x), top},
                             {fmax(to.x + to.w - gap, to.x), bottom},
                             {to.x, bottom}};
    if (from.w >= 1 || to.w >= 1)
        scene_polygon(canvas->scene, corners, 4, color);
    draw_word(c, col, from, to);
}

static void draw_row(const Compared *c, size_t row) {
    const Canvas *canvas = c->stage->canvas;
    for (size_t j = 0; j < c->shape->cols; j++)
        draw_ribbon(c, row, j);
    for (size_t i = 0; i < TABLES; i++) {
        ProbabilityBar bar = bar_of(c, i, row);
        probability_bar_draw(canvas, &bar);
        if (row == 0) /* the bars below have the same order */
            canvas_formula(canvas, c->names[i], NAME_UNITS,
                           (Point){bar.box.x - (GAP - INSET), box_middle(bar.box).y},
                           LABEL_RIGHT);
    }
}

/* Draws the labels of the rows, left of the tables' names. */
static void draw_labels(const Compared *c) {
    const Stage *stage = c->stage;
    Heatmap rows = {.tensor = c->shape,
                    .node = TAPE_NONE,
                    .cells = {c->area.x - c->name - 2 * GAP + LABEL_GAP, c->area.y, 0,
                              c->height * (double)c->shape->rows},
                    .row_labels = true,
                    .label_room = c->labels};
    stage_focus(stage, &rows, true, false);
    heatmap_draw_labels(stage->canvas, &rows);
}

bool compared_weights_picture(const Stage *stage) {
    Compared c = {.stage = stage};
    if (!find(&c))
        return false;
    distinguish(&c);
    if (!place(&c))
        return false;
    for (size_t i = 0; i < c.shape->rows; i++)
        draw_row(&c, i);
    draw_labels(&c);
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_PROBABILITIES, 1}, 1);
    return true;
}
