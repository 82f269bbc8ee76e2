#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/scene/theme.h"
#include "picture/transitions/sources.h"
#include "tensor/tape/tape.h"

/* Flights: cells that move to the output's cells. */

static const double QUARTER = 1.5707963267948966; /* a quarter rotation in radians */

/* Reports whether a cell is drawn there, and not at the place where it was drawn
 * before. */
static bool is_apart(const size_t items[DRAWN_COUNT], size_t drawn) {
    return drawn == DRAWN_FIRST || items[DRAWN_FIRST] != items[DRAWN_LAST];
}

/* Landing box of a cell: the output cell's position, but not enlarged to a bar or a
 * band. */
static Box landing(Box from, Box to) {
    const double LARGEST = 2.5; /* relative to its own size */
    if (to.w <= LARGEST * from.w && to.h <= LARGEST * from.h)
        return to;
    return (Box){to.x + (to.w - from.w) / 2, to.y + (to.h - from.h) / 2, from.w, from.h};
}

static void fly_beeline(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    const size_t own[] = {still_cell(moving->out, row, col, false),
                          moving_item(moving, row, col)};
    if (own[DRAWN_LAST] == STILL_NONE)
        return;
    Sources sources = sources_of(moving, row, col, SOURCES_MOST);
    double eased = motion_ease(motion_between(progress, 0, 0.85));
    for (size_t i = 0; i < sources.count; i++) {
        for (size_t drawn = 0; drawn < DRAWN_COUNT; drawn++) {
            size_t item = sources.items[i][drawn];
            if (!is_apart(sources.items[i], drawn) || (drawn && !is_apart(own, drawn)))
                continue;
            Box from = still_box(still, item);
            ghost_draw(still, item,
                       motion_box_between(
                           from, landing(from, still_box(still, own[drawn])), eased),
                       1 - motion_between(progress, 0.85, 1));
        }
    }
}

/* Moves the source of a cell along the thread between them; returns false if there is no
 * thread. */
static bool fly_on_thread(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    size_t own = still_cell(moving->out, row, col, false);
    if (own == STILL_NONE)
        return false;
    Sources sources = sources_of(moving, row, col, SOURCES_MOST);
    for (size_t i = 0; i < sources.count; i++) {
        if (slide_along_thread(still, sources.items[i][DRAWN_FIRST],
                               still_box(still, own), progress))
            return true;
    }
    return false;
}

void fly_straight(const Moving *moving, size_t row, size_t col, double progress) {
    if (!fly_on_thread(moving, row, col, progress))
        fly_beeline(moving, row, col, progress);
}

/* Reports whether a cell has no source because it is cut away or not marked. */
static bool is_left_out(const Moving *moving, size_t row, size_t col) {
    double value = tensor_at(&moving->at->output, row, col);
    const Operation *operation = operation_of(moving->at->operation);
    return tensor_is_masking(value) ||
           (operation->work == OPERATION_WORK_BY_MARKING && !(fabs(value) > 0));
}

void fly_picked(const Moving *moving, size_t row, size_t col, double progress) {
    if (!is_left_out(moving, row, col))
        fly_beeline(moving, row, col, progress);
}

/* Text in a run of items, or STILL_NONE. */
static size_t text_item_of(const Still *still, size_t item) {
    size_t end = still_run_end(still, item);
    for (size_t i = item; i < end; i++) {
        if (still->canvas->scene->items[i].kind == SCENE_TEXT)
            return i;
    }
    return STILL_NONE;
}

static bool begins_as_text(const Moving *moving, size_t row, size_t col) {
    size_t first = still_cell(moving->out, row, col, false);
    return first != moving_item(moving, row, col) &&
           text_item_of(moving->still, first) != STILL_NONE;
}

/* A single cell among several texts has a label besides. */
bool is_drawn_twice(const Moving *moving, size_t row, size_t col) {
    size_t twice = 0;
    for (size_t i = 0; i < moving->out->cols && twice < 2; i++)
        twice += begins_as_text(moving, row, i);
    bool alone = moving->out->rows * moving->out->cols == 1;
    return (twice > 1 || alone) && begins_as_text(moving, row, col);
}

void fly_across(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    if (!is_drawn_twice(moving, row, col))
        return;
    size_t text = text_item_of(still, still_cell(moving->out, row, col, false));
    Box from = still_box(still, text);
    Box to = still_box(still, moving_item(moving, row, col));
    to = (Box){to.x + (to.w - from.w) / 2, to.y + (to.h - from.h) / 2, from.w, from.h};
    double eased = motion_ease(motion_between(progress, 0, ACROSS_LANDS));
    ghost_draw(still, text, motion_box_between(from, to, eased),
               1 - motion_between(progress, ACROSS_LANDS, 1));
}

/* Box of a cell before the transpose; in the same corner if the input isn't drawn. */
static Box box_before(const Moving *moving, size_t row, size_t col, size_t *item) {
    const Still *still = moving->still;
    Sources sources = sources_of(moving, row, col, 1);
    if (sources.count) {
        *item = sources.items[0][DRAWN_LAST];
        return still_box(still, *item);
    }
    *item = moving_item(moving, row, col);
    Box own = still_box(still, *item), all = moving->out->box;
    double down = all.h / (double)moving->out->rows;
    double across = all.w / (double)moving->out->cols;
    own.x += across * (double)row - across * (double)col;
    own.y += down * (double)col - down * (double)row;
    return own;
}

/* A row becomes a column by rotating about its first cell, which moves straight. */
void fly_transposed(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    size_t own = moving_item(moving, row, col), head = moving_item(moving, 0, col), item;
    if (own == STILL_NONE || head == STILL_NONE)
        return;
    Box from_head = box_before(moving, 0, col, &item);
    Box from = box_before(moving, row, col, &item);
    Box to = still_box(still, own), to_head = still_box(still, head);
    double eased = motion_ease(motion_between(progress, 0, 0.85));
    Box box = motion_box_between(from, to, eased);
    Box pivot = motion_box_between(from_head, to_head, eased);
    double along =
        from.x - from_head.x + (to.y - to_head.y - from.x + from_head.x) * eased;
    box.x = pivot.x + along * cos(eased * QUARTER);
    box.y = pivot.y + along * sin(eased * QUARTER);
    ghost_draw(still, item, box, 1 - motion_between(progress, 0.85, 1));
}

void fly_along(const Moving *moving, size_t row, size_t col, double progress) {
    if (moving->cursor != PLAYER_NONE || !slide_cell(moving, row, col, progress))
        fly_straight(moving, row, col, progress);
}

/* A negative number through a relu is struck out as it lands. */
void fly_struck(const Moving *moving, size_t row, size_t col, double progress) {
    const Canvas *canvas = moving->still->canvas;
    size_t own = moving_item(moving, row, col);
    fly_straight(moving, row, col, progress);
    double value = tensor_at(&moving->at->output, row, col);
    double before = tensor_at(moving->at->operands[0], row, col);
    if (own == STILL_NONE || value > 0 || before >= 0)
        return;
    Box box = still_box(moving->still, own);
    double inset = fmin(box.w, box.h) * 0.15;
    double drawn = motion_ease(motion_between(progress, 0.5, 0.75));
    Color color = canvas->theme->ink;
    color.a = (uint8_t)lround(255 * (1 - motion_between(progress, 0.85, 1)));
    if (drawn > 0)
        scene_line(canvas->scene, (Point){box.x + inset, box.y + box.h - inset},
                   (Point){box.x + inset + (box.w - 2 * inset) * drawn,
                           box.y + box.h - inset - (box.h - 2 * inset) * drawn},
                   3, color);
}
