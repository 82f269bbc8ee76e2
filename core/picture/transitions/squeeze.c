#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/canvas.h"
#include "picture/draw/heatmap.h"
#include "picture/transitions/transitions_parts.h"
#include "tensor/tape/tape.h"

/* A softmax. In the explained row score after score drops and rises as a bar, while their
 * total is added up; the bars then merge into one of length 1, which moves to its row. In
 * the other rows bars rise side by side and shrink to their probabilities. */

static const double DROPS = 0.5;  /* fraction of a score's time until its bar rises */
static const double POURS = 0.72; /* until the bars have merged */
static const double RISES = 0.5, SLOT = 0.7; /* until the others' bars have risen; width
                                                of a bar, relative to its slot */

/* Items of an explained row's cell: its bar, its segment of the stacked bar, and its cell
 * among all rows. */
typedef struct Places {
    size_t bar, part, among; /* bar is STILL_NONE if the row isn't explained */
} Places;

static Places places_of(const Moving *moving, size_t row, size_t col) {
    const Still *still = moving->still;
    const SceneItem *items = still->canvas->scene->items;
    Link cell = {LINK_CELL, moving->node, row, col};
    size_t bar = still_cell(moving->out, row, col, false);
    size_t last = moving_item(moving, row, col);
    if (bar == last || bar == STILL_NONE)
        return (Places){STILL_NONE, last, last};
    for (size_t i = still_run_end(still, bar); i < last; i++) {
        if (items[i].kind != SCENE_RECTANGLE || !items[i].fill.a ||
            !link_equal(items[i].link, cell))
            continue;
        double x = items[bar].box.x; /* the stacked bar lies below the bars */
        bool below = fabs(items[i].box.x - x) < fabs(items[last].box.x - x);
        return below ? (Places){bar, i, last} : (Places){bar, last, i};
    }
    return (Places){bar, last, last};
}

/* Progress of a score within its row's time. */
static double raised_progress(const Moving *moving, size_t col, double progress) {
    return pace_part(fmin(progress / moving->moment.explanation.sum, 1),
                     moving->out->cols, col);
}

void fly_into_bar(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    Places places = places_of(moving, row, col);
    if (places.bar == STILL_NONE) {
        fly_straight(moving, row, col, motion_between(progress, 0, RISES));
        return;
    }
    double raised = raised_progress(moving, col, progress);
    if (raised > 0 && raised < DROPS)
        fly_straight(moving, row, col, raised / DROPS);
    if (progress > TRANSITION_EXPLAINED && places.part != places.among)
        ghost_fly(still, places.part, still_box(still, places.among),
                  motion_between(progress, TRANSITION_EXPLAINED, 1), 1);
}

/* Slot of a cell's bar before the bars shrink, equally wide for all. */
static Box slot_of(const Moving *moving, size_t row, size_t col) {
    const Still *still = moving->still;
    size_t first = 0, last = moving->out->cols - 1;
    while (first < col && moving_item(moving, row, first) == STILL_NONE)
        first++;
    while (last > col && moving_item(moving, row, last) == STILL_NONE)
        last--;
    Box left = still_box(still, moving_item(moving, row, first));
    Box right = still_box(still, moving_item(moving, row, last));
    double width = (right.x + right.w - left.x) / (double)(last - first + 1);
    return (Box){left.x + width * ((double)(col - first) + (1 - SLOT) / 2), left.y,
                 width * SLOT, left.h};
}

/* Height of a bar, e^(score − largest): the probability relative to the row's largest. */
static double raised_value(const Moving *moving, size_t row, size_t col) {
    double largest = 0;
    for (size_t i = 0; i < moving->out->cols; i++)
        largest = fmax(largest, tensor_at(&moving->at->output, row, i));
    return largest > 0 ? tensor_at(&moving->at->output, row, col) / largest : 0;
}

/* Box of a bar that rises in its slot and then shrinks to its place. */
static Box box_in_flight(const Moving *moving, Link cell, Box own, double progress) {
    Box slot = slot_of(moving, cell.row, cell.col);
    double height = slot.h * raised_value(moving, cell.row, cell.col) *
                    motion_eased(progress, 0.1, RISES);
    Box bar = {slot.x, slot.y + slot.h - height, slot.w, height};
    return motion_box_between(bar, own, motion_eased(progress, RISES, 0.95));
}

void squeeze_item(const Moving *moving, size_t index, double progress) {
    const Still *still = moving->still;
    Scene *scene = still->canvas->scene;
    SceneItem *item = &scene->items[index];
    Places places = places_of(moving, item->link.row, item->link.col);
    bool explained = places.bar != STILL_NONE, filled = item->kind == SCENE_RECTANGLE;
    Box to = item->box;
    double there = motion_between(progress, TRANSITION_EXPLAINED, 1);
    if (progress >= 1)
        return;
    if (!explained) {
        if (filled && places.among != STILL_NONE)
            to = box_in_flight(moving, item->link, to, progress);
    } else if (still_is_in(still, places.bar, index)) {
        there =
            motion_between(raised_progress(moving, item->link.col, progress), DROPS, 1);
        if (item->kind == SCENE_POLYGON)
            there = motion_between(progress, moving->moment.explanation.sum, POURS);
        to.h *= motion_ease(there);
        to.y += filled ? item->box.h - to.h : 0;
    } else if (!still_is_in(still, places.among, index) || places.part == places.among) {
        there = motion_between(progress, POURS,
                               places.part == places.among ? 1 : TRANSITION_EXPLAINED);
        to.h *= motion_ease(there);
    } else if (there < 1) {
        there = 0;
        to.h = 0; /* its content is drawn in flight */
    }
    if (item->kind == SCENE_TEXT || item->kind == SCENE_LINE)
        motion_fade(item, motion_between(there, 0.5, 1));
    else
        motion_move(scene, item, item->box, to);
    if (item->kind == SCENE_POLYGON && !(there > 0))
        motion_fade(item, 0);
}

/* Reports whether an item stands between the bars and the stacked bar: the total. */
static bool is_total(const Moving *moving, const SceneItem *item) {
    const Still *still = moving->still;
    Places first = places_of(moving, moving->slow_row, 0);
    if (first.bar == STILL_NONE || item->kind != SCENE_TEXT ||
        item->link.kind != LINK_NONE)
        return false;
    Box bar = still_box(still, first.bar), part = still_box(still, first.part);
    double y = box_middle(item->box).y;
    return item->box.x + item->box.w < fmin(bar.x, part.x) && y > bar.y + bar.h &&
           y < part.y;
}

void squeeze_total(const Moving *moving, SceneItem *item, double progress) {
    const Canvas *canvas = moving->still->canvas;
    size_t cols = moving->out->cols;
    if (!(progress < moving->moment.explanation.sum) || !is_total(moving, item))
        return;
    SceneItem total = *item;
    double so_far = 0;
    motion_fade(item, 0);
    for (size_t i = 0; i < cols && raised_progress(moving, i, progress) >= 1; i++)
        so_far += raised_value(moving, moving->slow_row, i);
    char text[NUMBER_SIZE];
    if (so_far > 0 && total.text[0] >= '0' && total.text[0] <= '9')
        canvas_text(canvas, total.font, total.size, canvas->theme->ink,
                    (Point){total.box.x + total.box.w, total.origin.y}, LABEL_RIGHT,
                    number_format_shortest(text, so_far, HEATMAP_DECIMALS));
}
