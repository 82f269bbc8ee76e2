#include "base/maths.h"
#include "picture/transitions/moving.h"
#include "tensor/tape/tape.h"

/* A product drawn as a weighted sum: each row of values moves to its product with its
 * weight, which drops into the sum below. */

enum { LINES_MOST = 64 };
/* Fractions of a line's time: its weight has reached the values, the product appears, it
 * is in its place, it falls into the sum. */
static const double WEIGHS = 0.3, MADE = 0.36, MOVED = 0.6, FALLS = 0.66;
static const double TELLS = (1 + TRANSITION_EXPLAINED) / 2;

typedef struct Lines {
    size_t count, row;       /* of the output */
    size_t rows[LINES_MOST]; /* rows of the values from top to bottom */
} Lines;

static const StillTable *values_of(const Moving *moving) {
    return still_table(moving->still, moving->at->inputs[1]);
}

static Box value_box(const Moving *moving, size_t row) {
    return still_box(moving->still, still_cell(values_of(moving), row, 0, true));
}

/* Box of the row's sum, which stands below the values: to their right, or, if no parts
 * are written, right under them. */
static Box total_box(const Moving *moving, const Lines *lines, size_t col) {
    return still_box(moving->still,
                     moving->out->under[lines->row * moving->out->cols + col]);
}

bool recipe_is(const Moving *moving) {
    const StillTable *out = moving->out;
    if (moving->at->operation != OPERATION_MATMUL || moving->at->muted ||
        moving->cursor != PLAYER_NONE || !out->first)
        return false;
    const StillTable *values = values_of(moving);
    Lines lines = {.row = moving->slow / out->cols};
    for (size_t i = 0; i < out->cols; i++) {
        if (out->under[lines.row * out->cols + i] == STILL_NONE)
            return false;
    }
    if (!values || !values->first)
        return false;
    Box total = total_box(moving, &lines, 0), above = values->box;
    return total.y >= above.y + above.h - 1 && total.x >= above.x - 1;
}

bool recipe_is_question(const Moving *moving, const SceneItem *item) {
    return item->box.x + item->box.w < values_of(moving)->box.x;
}

static Lines lines_of(const Moving *moving) {
    const StillTable *values = values_of(moving);
    Lines lines = {.row = moving->slow / moving->out->cols};
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

static void draw_cell(const Moving *moving, const Lines *lines, size_t line, size_t col,
                      double progress) {
    const Still *still = moving->still;
    size_t row = lines->rows[line], item = still_cell(values_of(moving), row, col, true);
    if (item == STILL_NONE)
        return;
    Box from = still_box(still, item), total = total_box(moving, lines, col);
    Box place = {total.x, from.y, total.w, from.h};
    double value = tensor_at(moving->at->operands[0], lines->row, row) *
                   tensor_at(moving->at->operands[1], row, col);
    const StillTable *weights = still_table(still, moving->at->inputs[0]);
    size_t weight = still_cell(weights, lines->row, row, true);
    if (weight != STILL_NONE && progress > 0 && progress < MADE) {
        Box begins = still_box(still, weight);
        Box ends = {from.x + (from.w - begins.w) / 2, begins.y, begins.w, begins.h};
        ghost_draw(still, weight,
                   motion_box_between(begins, ends,
                                      motion_ease(motion_between(progress, 0, WEIGHS))),
                   1 - motion_between(progress, WEIGHS, MADE));
    }
    double moved = motion_ease(motion_between(progress, MADE, MOVED));
    double fallen = motion_ease(motion_between(progress, FALLS, 1));
    if ((progress > WEIGHS && progress < MOVED) || (progress > FALLS && progress < 1))
        gather_product(moving, item,
                       fallen > 0 ? motion_box_between(place, total, fallen)
                                  : motion_box_between(from, place, moved),
                       value,
                       motion_between(progress, WEIGHS, MADE) -
                           motion_between(progress, 0.95, 1));
}

void recipe_draw(const Moving *moving, double progress) {
    Lines lines = lines_of(moving);
    for (size_t col = 0; col < moving->out->cols && progress > 0 && progress < 1; col++) {
        double so_far = 0;
        size_t landed = 0;
        for (size_t i = 0; i < lines.count; i++) {
            double part = line_progress(&lines, i, progress);
            draw_cell(moving, &lines, i, col, part);
            if (part < 1)
                continue;
            so_far += tensor_at(moving->at->operands[0], lines.row, lines.rows[i]) *
                      tensor_at(moving->at->operands[1], lines.rows[i], col);
            landed++;
        }
        if (landed && progress < TELLS)
            gather_sum(moving, still_cell(values_of(moving), lines.rows[0], col, true),
                       total_box(moving, &lines, col), so_far);
    }
}

void recipe_show(const Moving *moving, SceneItem *item, double progress) {
    Lines lines = lines_of(moving);
    Box first = total_box(moving, &lines, 0);
    Box last = total_box(moving, &lines, moving->out->cols - 1), box = item->box;
    double x = box.x + box.w / 2, y = box.y + box.h / 2, shown = 1;
    bool outline = item->kind == SCENE_RECTANGLE && !item->fill.a;
    if (outline || !lines.count || item->kind == SCENE_CLIP ||
        item->kind == SCENE_UNCLIP || x < first.x || x > last.x + last.w ||
        y < value_box(moving, lines.rows[0]).y || y > first.y + first.h)
        return;
    if (y < first.y && first.x < values_of(moving)->box.x + values_of(moving)->box.w)
        return; /* the values themselves */
    if (y >= first.y)
        shown = motion_between(progress, TRANSITION_EXPLAINED, 1);
    else
        shown = motion_between(progress, 0.7, 0.8); /* the products of the other rows */
    for (size_t i = 0; i < lines.count && y < first.y; i++) {
        Box line = value_box(moving, lines.rows[i]);
        if (y >= line.y && y <= line.y + line.h)
            shown =
                motion_between(line_progress(&lines, i, progress), MOVED - 0.05, MOVED);
    }
    motion_fade(item, shown);
}
