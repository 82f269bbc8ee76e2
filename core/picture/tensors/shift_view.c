#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Shifted decoder input and targets in two staggered rows: a token stands in the same
 * column in both, so that an arrow from the token that is read at a position to the token
 * that is predicted there runs one column to the right. In generation an arrow leads from
 * each generated token up to where it is read next, and the last one is new. Below, if
 * there is a mask, its staircase: in a position's row the tokens that it attends to, the
 * others hatched, and its target as a pale chip. */

/* In units. */
static const double LETTERS = 44, SMALLEST = 15, NAMES = 100, NAME = 20;
static const double BETWEEN_COLUMNS = 18, WIDEST_COLUMN = 250, BETWEEN_ROWS = 140,
                    BESIDE_MASK = 45;
static const double STAIR = 48, STAIR_LEAST = 22, ABOVE_STAIRS = 34;

typedef struct Shift {
    const Stage *stage;
    LessonShift it;
    /* Inputs, targets and mask; mask: NULL without. */
    const Tensor *reads, *predicted, *mask;
    double size;   /* size of the chips' letters */
    double spread; /* width added to each column */
    size_t shown;  /* columns that fit, of count + 1 */
    double *lefts; /* left edges of the columns, and the right end of the last */
} Shift;

/* ---- layout ---- */

/* Token in a column: column t is read at position t and predicted at position t − 1. */
static const char *word_at(const Shift *shift, size_t column) {
    return column < shift->it.count
               ? shift->reads->col_labels[column]
               : shift->predicted->col_labels[shift->it.first + column - 1];
}

/* Places the columns from `x` on; returns their width. */
static double place_columns(Shift *shift, double x) {
    const Canvas *canvas = shift->stage->canvas;
    double from = x;
    for (size_t i = 0; i <= shift->it.count; i++) {
        shift->lefts[i] = round(x);
        x += token_width(canvas, shift->size, word_at(shift, i)) + BETWEEN_COLUMNS +
             shift->spread;
    }
    shift->lefts[shift->it.count + 1] = round(x);
    return x - from;
}

static Box column_box(const Shift *shift, size_t column, double y, double height) {
    double left = shift->lefts[column];
    return (Box){left, y, shift->lefts[column + 1] - left, height};
}

static Box chip_box(const Shift *shift, size_t column, double y) {
    Box box = column_box(shift, column, y, token_height(shift->size));
    double free = BETWEEN_COLUMNS + shift->spread;
    return (Box){box.x + round(free / 2), box.y, box.w - 2 * round(free / 2), box.h};
}

static double middle_of(const Shift *shift, size_t column) {
    return (shift->lefts[column] + shift->lefts[column + 1]) / 2;
}

/* Chooses the letters' size at which all columns fit, or the columns that fit at the
 * smallest; the remaining width is divided among them. */
static void choose_size(Shift *shift, double x, double room, double height) {
    const Canvas *canvas = shift->stage->canvas;
    double least = fmax(canvas_size(canvas, SMALLEST, ""), canvas_least(canvas, "一"));
    double columns = (double)shift->it.count + 1;
    shift->size = fmax(canvas_size(canvas, LETTERS, ""), least);
    while (shift->size > least &&
           (place_columns(shift, x) > room || 3 * token_height(shift->size) > height))
        shift->size--;
    double used = place_columns(shift, x), more = 30;
    double widest = WIDEST_COLUMN * columns;
    shift->shown = shift->it.count + 1;
    while (shift->shown > 1 && used > room) {
        shift->shown--;
        used = shift->lefts[shift->shown] - x + more;
    }
    if (shift->shown > shift->it.count)
        shift->spread = fmax(fmin(room, widest) - used, 0) / columns;
    place_columns(shift, x);
}

/* ---- the two rows ---- */

static void draw_chip(const Shift *shift, size_t node, size_t col, size_t column,
                      double y, bool is_new) {
    const Stage *stage = shift->stage;
    Box box = chip_box(shift, column, y);
    chip_draw(stage->canvas, word_at(shift, column), is_new, shift->size,
              (Link){LINK_CELL, node, 0, col}, box);
    if (stage->has_focus && stage->node == node && stage->focus_col == col)
        canvas_outline(stage->canvas, box_inset(box, -4), 8, stage->canvas->theme->focus,
                       2);
}

/* Draws arrows from the token read at a position to the token predicted there, and, in
 * generation, from there up to the position that reads it. */
static void draw_arrows(const Shift *shift, double reads, double predicted) {
    const Canvas *canvas = shift->stage->canvas;
    const Theme *theme = canvas->theme;
    double gap = 6, height = token_height(shift->size);
    for (size_t t = 0; t + 1 < shift->shown; t++) {
        bool now = !shift->it.one_each || t + 1 == shift->it.count;
        double x = middle_of(shift, t + 1), shoulder = round(height * 0.2);
        Box chip = chip_box(shift, t + 1, predicted);
        canvas_arrow(
            canvas, (Point){middle_of(shift, t) + shoulder, reads + height + gap},
            (Point){chip.x - gap * 0.6, predicted + round(height * 0.4)}, now ? 4 : 2,
            now ? 17 : 11, now ? theme->ink_soft : theme->ink_faint);
        if (shift->it.one_each && !now)
            canvas_arrow(canvas, (Point){x, predicted - gap},
                         (Point){x - shoulder, reads + height + gap}, 3, 14,
                         theme->ink_soft);
    }
}

static void draw_name(const Shift *shift, const char *key, Box box) {
    const Canvas *canvas = shift->stage->canvas;
    canvas_line(canvas, FONT_BOLD, NAME, canvas->theme->ink_soft, box,
                canvas_string(canvas, key));
}

static void draw_rows(const Shift *shift, Box area, double names, double between) {
    const Canvas *canvas = shift->stage->canvas;
    const LessonShift *it = &shift->it;
    double height = token_height(shift->size), predicted = area.y + height + between;
    draw_name(shift, "view.reads", (Box){area.x, area.y, names, height});
    draw_name(shift, "view.says", (Box){area.x, predicted, names, height});
    draw_arrows(shift, area.y, predicted);
    for (size_t column = 0; column < shift->shown; column++) {
        if (column < it->count)
            draw_chip(shift, it->reads, column, column, area.y, false);
        if (column > 0)
            draw_chip(shift, it->says, it->first + column - 1, column, predicted,
                      it->one_each && column == it->count);
    }
    if (shift->shown <= it->count)
        canvas_label(canvas, FONT_BOLD, 20, canvas->theme->ink_soft,
                     (Point){shift->lefts[shift->shown], round(area.y + height * 0.65)},
                     LABEL_LEFT, "…");
}

/* ---- the staircase ---- */

/* Draws a column's token in the middle of a box. */
static void draw_word(const Shift *shift, size_t column, Box box, double size,
                      Color color) {
    chart_text(shift->stage->canvas, FONT_TEXT, size, color,
               (Box){box.x + 3, box.y, box.w - 6, box.h}, LABEL_CENTER,
               word_at(shift, column));
}

/* Draws a cell of the mask with its token, hatched if it is hidden; the target of a
 * position is a pale chip. */
static void draw_stair(const Shift *shift, size_t t, size_t column, Box box,
                       double size) {
    const Stage *stage = shift->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    bool in_mask = column < shift->it.count;
    bool hidden = in_mask && tensor_is_masking(tensor_at(shift->mask, t, column));
    Box cell = box_inset(box, 1), chip = box_inset(cell, 4);
    if (in_mask)
        canvas_link_cell(canvas, shift->it.mask, t, column);
    if (hidden)
        canvas_masked(canvas, cell);
    else if (in_mask)
        canvas_fill(canvas, cell, 4, palette_mix(theme->page, theme->ink_faint, 40));
    if (in_mask && !hidden && size > 0)
        draw_word(shift, column, box, size, theme->ink_soft);
    if (column == t + 1)
        scene_rectangle(canvas->scene, chip, chip.h / 2, theme->page, theme->line, 2);
    if (column == t + 1 && size > 0)
        draw_word(shift, column, chip, fmin(size, floor(chip.h * 0.7)), theme->ink_faint);
    canvas_unlink(canvas);
    if (stage->has_focus && stage->node == shift->it.mask && stage->focus_row == t &&
        stage->focus_col == column)
        canvas_outline(canvas, box, 4, theme->focus, 2);
}

static void draw_stairs(const Shift *shift, Box area) {
    double row = fmin(area.h / (double)shift->it.count, STAIR);
    row = floor(fmax(row, STAIR_LEAST));
    const Canvas *canvas = shift->stage->canvas;
    double size = fmin(shift->size, floor(row * 0.5)), least = canvas_least(canvas, "一");
    if (size < least && canvas->least > 0)
        return; /* on enlarged pages chips without words are useless */
    for (size_t t = 0; t < shift->it.count && (double)(t + 1) * row <= area.h; t++) {
        for (size_t column = 0; column < shift->shown; column++) {
            if (column < shift->it.count || column == t + 1)
                draw_stair(shift, t, column,
                           column_box(shift, column, area.y + row * (double)t, row),
                           size >= least ? size : 0);
        }
    }
}

/* Height of three rows of chips: on enlarged pages limited so that the staircase has room
 * for its words. */
static double rows_room(const Shift *shift, double height) {
    const Canvas *canvas = shift->stage->canvas;
    if (!shift->mask)
        return height;
    double stairs =
        canvas->least > 0 ? (double)shift->it.count * 2 * canvas_least(canvas, "一") : 0;
    return fmin(height * 0.5, (height - stairs - BESIDE_MASK - ABOVE_STAIRS) * 1.5);
}

void shift_view(const Stage *stage, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    const LessonStep *step = stage->step;
    Shift shift = {.stage = stage};
    const size_t *nodes = step->shown_count ? step->shown : &stage->node;
    if (!lesson_find_shift(stage->tape, nodes, place.count, &shift.it))
        return;
    shift.reads = stage_tensor(stage, shift.it.reads);
    shift.predicted = stage_tensor(stage, shift.it.says);
    shift.mask = shift.it.mask == TAPE_NONE ? NULL : stage_tensor(stage, shift.it.mask);
    shift.lefts = arena_alloc(canvas->scene->arena, shift.it.count + 2, sizeof(double));
    Box area = stage->area;
    double names = NAMES;
    double room = area.w - names;
    choose_size(&shift, area.x + names, room, rows_room(&shift, area.h));
    double chips = 2 * token_height(shift.size);
    double between = BESIDE_MASK;
    if (!shift.mask)
        between = fmax(fmin(area.h - chips, BETWEEN_ROWS), token_height(shift.size));
    double rows = chips + between;
    double stairs = shift.mask ? (double)shift.it.count * STAIR + ABOVE_STAIRS : 0;
    area.y = round(area.y + fmax(area.h - rows - stairs, 0) * 0.35);
    draw_rows(&shift, area, names, between);
    if (!shift.mask)
        return;
    double top = area.y + rows + ABOVE_STAIRS;
    draw_stairs(&shift,
                (Box){area.x, top, area.w, fmax(stage->area.y + stage->area.h - top, 0)});
}
