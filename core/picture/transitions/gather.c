#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/canvas.h"
#include "picture/draw/heatmap.h"
#include "picture/transitions/transitions_parts.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <string.h>

/* A sum as it is gathered: in a product the row's number moves to the column's number,
 * and their product drops into the cell. */

enum { PARTS_MOST = 48, PAIR_MOST = 4, ABREAST_MOST = 8 };
/* From then on the cell has its own number. */
static const double TELLS = (1 + TRANSITION_EXPLAINED) / 2;
/* Distance of a mark from its line, relative to a dot. */
static const double MARK_REACH = 2;
/* Fraction of a part's time until its pair is together. */
static const double TOGETHER = 0.5;

typedef struct Pair {
    const Moving *moving;
    size_t count;
    size_t items[PAIR_MOST];
} Pair;

static void take_cell(Pair *pair, const Term *cell) {
    if (!moving_input_leads_to_drawn(pair->moving, cell->input))
        return;
    Sources source = {.moving = pair->moving, .user = pair->moving->node, .most = 1};
    sources_take(&source, cell);
    if (source.count && pair->count < PAIR_MOST)
        pair->items[pair->count++] =
            source.items[0][cell->input ? DRAWN_LAST : DRAWN_FIRST];
}

/* Takes the cells of a part; cells of a quantity that is computed elsewhere are
 * ignored. */
static void take_part(Pair *pair, const Term *part) {
    if (part->kind == TERM_QUANTITY)
        return;
    if (part->kind == TERM_CELL)
        take_cell(pair, part);
    for (size_t i = 0; i < part->count; i++)
        take_part(pair, part->parts[i]);
}

/* Text that a cell is drawn as, or NULL. */
static const SceneItem *text_of(const Moving *moving, size_t item) {
    size_t text = still_text(moving->still, item);
    return text == STILL_NONE ? NULL : &moving->still->canvas->scene->items[text];
}

/* Size of the digits in a cell, or 0. */
static double digits_of(const Moving *moving, size_t item) {
    const SceneItem *text = text_of(moving, item);
    return text ? text->size : 0;
}

/* Largest number of decimals of the output's numbers at the end; 0 if all are whole, or
 * none is written. */
static int decimals_of(const Moving *moving) {
    const StillTable *out = moving->out;
    size_t most = 0;
    for (size_t i = 0; i < 2 * out->rows * out->cols; i++) {
        size_t item = still_cell(out, i / 2 / out->cols, i / 2 % out->cols, i % 2);
        const SceneItem *text = text_of(moving, item);
        const char *point = text ? strchr(text->text, '.') : NULL;
        if (point && strlen(point + 1) > most)
            most = strlen(point + 1);
    }
    return (int)most;
}

static void draw_number(const Moving *moving, Box box, double size, double value,
                        double shown) {
    const Canvas *canvas = moving->still->canvas;
    char text[NUMBER_SIZE];
    if (!(size > 0) || isnan(value))
        return;
    int decimals = decimals_of(moving);
    if (decimals)
        number_format_shortest(text, value, decimals);
    else /* parts of whole numbers may be fractions */
        number_format_short(text, value, HEATMAP_DECIMALS);
    double wide = canvas_text_width(canvas, FONT_TEXT, size, text);
    if (wide > box.w * 0.96)
        size = floor(size * box.w * 0.96 / wide);
    canvas_text(canvas, FONT_TEXT, size,
                motion_shown(canvas->theme->ink, fmax(2 * shown - 1, 0)),
                (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, size)},
                LABEL_CENTER, text);
}

/* Box to the left of a place. */
static Box beside(Box place, Box first) {
    return (Box){place.x - first.w * 0.92, place.y + (place.h - first.h) / 2, first.w,
                 first.h};
}

/* Place of the second cell of a pair: to the left of its table, so that it covers no
 * number; without room, its own cell. */
static Box meeting_of(const Pair *pair) {
    const Still *still = pair->moving->still;
    size_t item = pair->items[pair->count - 1];
    const StillTable *table =
        still_table(still, still->canvas->scene->items[item].link.index);
    Box own = still_box(still, item), place = own;
    if (table)
        place.x = table->box.x - own.w * 1.2;
    return beside(place, still_box(still, pair->items[0])).x >= still->area.x ? place
                                                                              : own;
}

/* Draws a product's number on a ground of its own. */
static void draw_product(const Moving *moving, Box box, double digits, double value,
                         double shown) {
    const Canvas *canvas = moving->still->canvas;
    scene_rectangle(canvas->scene, box, 4, motion_shown(canvas->theme->panel, shown),
                    motion_shown(canvas->theme->ink_soft, shown), 1);
    draw_number(moving, box, digits, value, shown);
}

/* Place where a cell that is drawn twice is gathered: beside its source, if it has its
 * mark there. */
static Box gathered_in(const Moving *moving, size_t row, size_t col, const Term *part) {
    const Still *still = moving->still;
    Pair pair = {.moving = moving};
    Box own = still_box(still, still_cell(moving->out, row, col, true));
    Box mark = still_box(still, still_cell(moving->out, row, col, false));
    take_part(&pair, part);
    if (!pair.count)
        return own;
    Box from = still_box(still, pair.items[0]);
    bool beside = fabs(mark.y - from.y) < MARK_REACH * from.h;
    return beside && mark.w < own.w
               ? (Box){mark.x + (mark.w - from.w) / 2, from.y, from.w, from.h}
               : own;
}

/* Draws the sign between a pair. */
static void draw_sign(const Moving *moving, Box last, double digits) {
    const Canvas *canvas = moving->still->canvas;
    if (digits > 0)
        canvas_text(
            canvas, FONT_BOLD, digits, canvas->theme->ink,
            (Point){last.x + last.w * 0.29, label_baseline(last.y + last.h / 2, digits)},
            LABEL_CENTER, "×");
}

static void draw_part(const Moving *moving, const Term *part, Box to, double digits,
                      double progress) {
    const Still *still = moving->still;
    Pair pair = {.moving = moving};
    take_part(&pair, part);
    if (!pair.count || !(progress > 0 && progress < 1))
        return;
    bool in_pair = pair.count > 1;
    Box last = still_box(still, pair.items[pair.count - 1]);
    Box meeting = in_pair ? meeting_of(&pair) : last;
    Box together = {meeting.x - (in_pair ? last.w * 0.25 : 0), last.y, last.w, last.h};
    double joined = in_pair ? motion_eased(progress, 0, TOGETHER) : 1;
    double fallen = motion_eased(progress, in_pair ? TOGETHER + 0.1 : 0, 1);
    Box product = motion_box_between(together, to, fallen);
    double gone = motion_between(fallen, 0, 0.25);
    for (size_t i = 0; i < pair.count; i++) {
        Box from = still_box(still, pair.items[i]);
        Box pairs = i + 1 < pair.count ? beside(meeting, from) : meeting;
        Box at =
            motion_box_between(motion_box_between(from, pairs, joined), product, gone);
        ghost_draw(still, pair.items[i], at, 1 - (in_pair ? gone : fallen * fallen));
    }
    if (in_pair && gone > 0)
        draw_product(moving, product, digits, part->value,
                     gone * (1 - motion_between(fallen, 0.9, 1)));
    else if (in_pair && joined >= 1)
        draw_sign(moving, together, digits);
}

/* Parts that a cell is the sum of; for other cells its whole term. */
typedef struct Parts {
    const Term *term, *sum; /* the sum is NULL for other cells */
    size_t count;
    const Term *const *parts;
} Parts;

/* Finds a cell's parts; returns false if it can't be explained. */
static bool find_parts(const Moving *moving, size_t row, size_t col, Parts *parts) {
    parts->term = moving_term(moving, moving->node, row, col);
    if (!parts->term)
        return false;
    parts->sum = pace_sum(parts->term);
    parts->count = parts->sum ? parts->sum->count : 1;
    parts->parts = parts->sum ? parts->sum->parts : &parts->term;
    return true;
}

void gather_cell(const Moving *moving, size_t row, size_t col, double progress) {
    size_t own = moving_item(moving, row, col);
    Parts parts;
    if (!find_parts(moving, row, col, &parts))
        return;
    double sum = fmin(progress / TRANSITION_EXPLAINED, 1);
    double digits = digits_of(moving, own), so_far = 0, landed = 0;
    size_t stride = parts.count / PARTS_MOST + 1;
    Box to = gathered_in(moving, row, col, parts.parts[0]);
    for (size_t i = 0; i < parts.count; i++) {
        double part = pace_part(sum, parts.count, i);
        so_far += part >= 1 ? parts.parts[i]->value : 0;
        landed += part >= 1;
        if (i % stride == 0)
            draw_part(moving, parts.parts[i], to, digits, part);
    }
    if (parts.sum == parts.term && parts.sum->kind == TERM_SUM && landed > 0 &&
        progress < TELLS)
        draw_number(moving, still_box(moving->still, own), digits, so_far, 1);
}

/* ---- all parts at once ---- */

/* Fraction of a flight until all pairs are in the cell. */
static const double GATHERED = 0.7;

/* Moves a part's numbers into the cell, one above the other. */
static void draw_pair(const Moving *moving, const Term *part, Box to, double progress) {
    Pair pair = {.moving = moving};
    take_part(&pair, part);
    to.h /= fmax((double)pair.count, 1);
    for (size_t i = 0; i < pair.count; i++, to.y += to.h)
        ghost_fly(moving->still, pair.items[i], to, progress, GATHERED);
}

void gather_pairs(const Moving *moving, size_t row, size_t col, double progress) {
    Parts parts;
    if (!find_parts(moving, row, col, &parts))
        return;
    size_t stride = (parts.count - 1) / ABREAST_MOST + 1;
    Box to = still_box(moving->still, moving_item(moving, row, col));
    to.w /= (double)((parts.count - 1) / stride + 1);
    for (size_t i = 0; i < parts.count; i += stride, to.x += to.w)
        draw_pair(moving, parts.parts[i], to, progress);
}

/* ---- a weighted sum ----
 *
 * Each row of values moves to its product with its weight, which drops into the sum
 * below. */

enum { LINES_MOST = 64 };
/* Fractions of a line's time: its weight has reached the values, the product appears, it
 * is in its place, it falls into the sum. */
static const double WEIGHS = 0.3, MADE = 0.36, MOVED = 0.6, FALLS = 0.66;

typedef struct Lines {
    size_t count;
    size_t rows[LINES_MOST]; /* rows of the values from top to bottom */
} Lines;

static const StillTable *values_of(const Moving *moving) {
    return still_table(moving->still, moving->at->inputs[1]);
}

static Box value_box(const Moving *moving, size_t row) {
    return still_box(moving->still, still_cell(values_of(moving), row, 0, true));
}

/* Box of the slow row's sum, which stands below the values: to their right, or, if no
 * parts are written, right under them. */
static Box total_box(const Moving *moving, size_t col) {
    return still_box(moving->still,
                     moving->out->under[moving->slow_row * moving->out->cols + col]);
}

bool recipe_is(const Moving *moving) {
    const StillTable *out = moving->out;
    if (moving->transition != TRANSITION_GATHER || moving->at->muted ||
        moving->at->operation != OPERATION_MATMUL || moving->cursor != PLAYER_NONE ||
        !out->first)
        return false;
    for (size_t i = 0; i < out->cols; i++) {
        if (out->under[moving->slow_row * out->cols + i] == STILL_NONE)
            return false;
    }
    const StillTable *values = values_of(moving);
    Box total = total_box(moving, 0);
    return values && values->first && total.y >= values->box.y + values->box.h - 1 &&
           total.x >= values->box.x - 1;
}

bool recipe_is_question(const Moving *moving, const SceneItem *item) {
    return item->box.x + item->box.w < values_of(moving)->box.x;
}

static Lines lines_of(const Moving *moving) {
    const StillTable *values = values_of(moving);
    Lines lines = {0};
    for (size_t i = 0; i < values->rows && lines.count < LINES_MOST; i++) {
        if (still_cell(values, i, 0, true) == STILL_NONE)
            continue;
        size_t at = lines.count++;
        double y = value_box(moving, i).y;
        for (; at > 0 && value_box(moving, lines.rows[at - 1]).y > y; at--)
            lines.rows[at] = lines.rows[at - 1];
        lines.rows[at] = i;
    }
    return lines;
}

static double line_progress(const Lines *lines, size_t line, double progress) {
    return pace_part(fmin(progress / TRANSITION_EXPLAINED, 1), lines->count, line);
}

/* Product of a weight and a value of the slow row. */
static double product_of(const Moving *moving, size_t row, size_t col) {
    return tensor_at(moving->at->operands[0], moving->slow_row, row) *
           tensor_at(moving->at->operands[1], row, col);
}

static void draw_cell(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    size_t item = still_cell(values_of(moving), row, col, true);
    size_t weight = still_cell(still_table(still, moving->at->inputs[0]),
                               moving->slow_row, row, true);
    if (item == STILL_NONE || !(progress > 0))
        return;
    Box from = still_box(still, item), total = total_box(moving, col);
    Box place = {total.x, from.y, total.w, from.h};
    if (weight != STILL_NONE) {
        Box begins = still_box(still, weight);
        begins.x = from.x + (from.w - begins.w) / 2;
        ghost_fly(still, weight, begins, progress / MADE, WEIGHS / MADE);
    }
    double fallen = motion_eased(progress, FALLS, 1);
    if ((progress > WEIGHS && progress < MOVED) || (progress > FALLS && progress < 1))
        draw_product(
            moving,
            fallen > 0
                ? motion_box_between(place, total, fallen)
                : motion_box_between(from, place, motion_eased(progress, MADE, MOVED)),
            digits_of(moving, item), product_of(moving, row, col),
            motion_between(progress, WEIGHS, MADE) - motion_between(progress, 0.95, 1));
}

void recipe_draw(const Moving *moving, double progress) {
    Lines lines = lines_of(moving);
    for (size_t col = 0; col < moving->out->cols && progress > 0 && progress < 1; col++) {
        double so_far = 0;
        size_t landed = 0;
        for (size_t i = 0; i < lines.count; i++) {
            double part = line_progress(&lines, i, progress);
            draw_cell(moving, lines.rows[i], col, part);
            so_far += part < 1 ? 0 : product_of(moving, lines.rows[i], col);
            landed += part >= 1;
        }
        size_t first = lines.count ? lines.rows[0] : 0;
        if (landed && progress < TELLS)
            draw_number(
                moving, total_box(moving, col),
                digits_of(moving, still_cell(values_of(moving), first, col, true)),
                so_far, 1);
    }
}

void recipe_show(const Moving *moving, SceneItem *item, double progress) {
    Lines lines = lines_of(moving);
    Box first = total_box(moving, 0), values = values_of(moving)->box;
    Box last = total_box(moving, moving->out->cols - 1);
    Point at = box_middle(item->box);
    bool outline = item->kind == SCENE_RECTANGLE && !item->fill.a;
    if (outline || !lines.count || item->kind == SCENE_CLIP ||
        item->kind == SCENE_UNCLIP || at.x < first.x || at.x > last.x + last.w ||
        at.y < value_box(moving, lines.rows[0]).y || at.y > first.y + first.h)
        return;
    if (at.y >= first.y) {
        motion_fade(item, motion_between(progress, TRANSITION_EXPLAINED, 1));
        return;
    }
    if (first.x < values.x + values.w)
        return;                                        /* the values themselves */
    double shown = motion_between(progress, 0.7, 0.8); /* products of the other rows */
    for (size_t i = 0; i < lines.count; i++) {
        Box line = value_box(moving, lines.rows[i]);
        if (at.y >= line.y && at.y <= line.y + line.h)
            shown =
                motion_between(line_progress(&lines, i, progress), MOVED - 0.05, MOVED);
    }
    motion_fade(item, shown);
}
