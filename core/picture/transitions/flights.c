#include "base/arena.h"
#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "picture/transitions/transitions_parts.h"
#include "tensor/tape/tape.h"

/* Flights: cells that move to the output's cells. */

static const double QUARTER = 1.5707963267948966; /* a quarter rotation in radians */

/* Landing box of a cell: the output cell's position, but not enlarged to a bar or a
 * band. */
static Box landing(Box from, Box to) {
    const double LARGEST = 2.5; /* relative to its own size */
    if (to.w <= LARGEST * from.w && to.h <= LARGEST * from.h)
        return to;
    return motion_box_centred(from, to);
}

/* Item of a source at the beginning of its thread; on number lines its dot rather than a
 * label that it has besides. */
static size_t thread_end(const Moving *moving, size_t item) {
    const Still *still = moving->still;
    Link cell = still->canvas->scene->items[item].link;
    size_t dot = still_cell(still_table(still, cell.index), cell.row, cell.col, false);
    return moving->transition == TRANSITION_SLIDE && dot != STILL_NONE ? dot : item;
}

/* Moves the sources of a cell straight to it, or along the threads between them. */
static void fly(const Moving *moving, size_t row, size_t col, double progress,
                bool along_threads) {
    const Still *still = moving->still;
    const size_t own[] = {still_cell(moving->out, row, col, false),
                          moving_item(moving, row, col)};
    Sources sources = sources_of(moving, row, col, SOURCES_MOST);
    for (size_t i = 0; along_threads && i < sources.count; i++) {
        if (slide_along_thread(still, thread_end(moving, sources.items[i][DRAWN_FIRST]),
                               still_box(still, own[DRAWN_FIRST]), progress))
            return;
    }
    for (size_t i = 0; i < sources.count; i++) {
        const size_t *items = sources.items[i];
        bool twice = own[DRAWN_FIRST] != own[DRAWN_LAST] &&
                     items[DRAWN_FIRST] != items[DRAWN_LAST];
        for (size_t k = DRAWN_FIRST; k <= (twice ? DRAWN_LAST : DRAWN_FIRST); k++)
            ghost_fly(still, items[k],
                      landing(still_box(still, items[k]), still_box(still, own[k])),
                      progress, LANDS);
    }
}

void fly_straight(const Moving *moving, size_t row, size_t col, double progress) {
    fly(moving, row, col, progress, true);
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
        fly(moving, row, col, progress, false);
}

/* Text that a cell is drawn as before its last drawing, or STILL_NONE. */
static size_t text_of(const Moving *moving, size_t row, size_t col) {
    size_t first = still_cell(moving->out, row, col, false);
    return first == moving_item(moving, row, col) ? STILL_NONE
                                                  : still_text(moving->still, first);
}

/* A single cell among several texts has a label besides. */
bool is_drawn_twice(const Moving *moving, size_t row, size_t col) {
    size_t twice = 0;
    for (size_t i = 0; i < moving->out->cols && twice < 2; i++)
        twice += text_of(moving, row, i) != STILL_NONE;
    bool alone = moving->out->rows * moving->out->cols == 1;
    return (twice > 1 || alone) && text_of(moving, row, col) != STILL_NONE;
}

void fly_across(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    if (!is_drawn_twice(moving, row, col))
        return;
    size_t text = text_of(moving, row, col);
    Box to = still_box(still, moving_item(moving, row, col));
    ghost_fly(still, text, motion_box_centred(still_box(still, text), to), progress,
              ACROSS_LANDS);
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
    if (head == STILL_NONE)
        return;
    Box from_head = box_before(moving, 0, col, &item);
    Box from = box_before(moving, row, col, &item);
    Box to = still_box(still, own), to_head = still_box(still, head);
    double eased = motion_eased(progress, 0, LANDS);
    Box box = motion_box_between(from, to, eased);
    Box pivot = motion_box_between(from_head, to_head, eased);
    double along =
        from.x - from_head.x + (to.y - to_head.y - from.x + from_head.x) * eased;
    box.x = pivot.x + along * cos(eased * QUARTER);
    box.y = pivot.y + along * sin(eased * QUARTER);
    ghost_draw(still, item, box, 1 - motion_between(progress, LANDS, 1));
}

/* A negative number through a relu is struck out as it lands. */
void fly_struck(const Moving *moving, size_t row, size_t col, double progress) {
    const Canvas *canvas = moving->still->canvas;
    size_t own = moving_item(moving, row, col);
    fly_straight(moving, row, col, progress);
    double value = tensor_at(&moving->at->output, row, col);
    double before = tensor_at(moving->at->operands[0], row, col);
    if (value > 0 || before >= 0)
        return;
    Box box = still_box(moving->still, own);
    double inset = fmin(box.w, box.h) * 0.15;
    double drawn = motion_eased(progress, 0.5, 0.75);
    Color color =
        motion_shown(canvas->theme->ink, 1 - motion_between(progress, LANDS, 1));
    if (drawn > 0)
        scene_line(canvas->scene, (Point){box.x + inset, box.y + box.h - inset},
                   (Point){box.x + inset + (box.w - 2 * inset) * drawn,
                           box.y + box.h - inset - (box.h - 2 * inset) * drawn},
                   3, color);
}

/* ---- clocks ---- */

/* Items of a clock behind its rim and the previous hand. */
typedef struct Clock {
    size_t before, arc, after; /* indices of the scene's lines; all or none */
    size_t end;                /* end of its items: a number beside it doesn't rotate */
} Clock;

static bool find_clock(const Moving *moving, Link cell, Clock *clock) {
    const Still *still = moving->still;
    size_t begin = still_cell(moving->out, cell.row, cell.col, false), lines = 0;
    clock->end = begin == STILL_NONE ? 0 : still_run_end(still, begin);
    for (size_t i = begin; i < clock->end; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        if (item->kind != SCENE_LINE)
            continue;
        *(lines == 0 ? &clock->before : lines == 1 ? &clock->arc : &clock->after) = i;
        lines++;
    }
    return lines == 3;
}

/* End of the hand when the arc has grown by its progress. */
static Point end_of(const Scene *scene, const Clock *clock) {
    const SceneItem *arc = &scene->items[clock->arc],
                    *after = &scene->items[clock->after];
    Point middle = after->points[0], at = arc->points[arc->count - 1];
    double away = fmax(point_distance(middle, at), 1e-9);
    double scale = point_distance(middle, after->points[1]) / away;
    return (Point){middle.x + (at.x - middle.x) * scale,
                   middle.y + (at.y - middle.y) * scale};
}

bool rotate_item(const Moving *moving, size_t index, double progress) {
    Scene *scene = moving->still->canvas->scene;
    SceneItem *item = &scene->items[index];
    Clock clock;
    if (!find_clock(moving, item->link, &clock) || index >= clock.end)
        return false;
    if (index <= clock.before || progress >= 1)
        return true;
    if (index == clock.arc) { /* the first of them */
        motion_grow(scene, item, motion_ease(progress));
        return true;
    }
    Point end = end_of(scene, &clock);
    Point middle = box_middle(item->box);
    Point *points = arena_alloc(scene->arena, 2, sizeof *points);
    if (index != clock.after) {
        motion_move(scene, item, (Box){middle.x, middle.y, 0, 0},
                    (Box){end.x, end.y, 0, 0});
    } else {
        points[0] = item->points[0];
        points[1] = end;
        item->points = points;
    }
    return true;
}
