#include "base/maths.h"
#include "picture/draw/heatmap.h"
#include "picture/manners/sources.h"

/* Cells on their way to the output's. */

static const double QUARTER = 1.5707963267948966; /* of a turn */

/* Whether a cell is drawn there, and apart from where it was drawn before. */
static bool is_apart(const size_t items[DRAWN_COUNT], size_t drawn) {
    return drawn == DRAWN_FIRST || items[DRAWN_FIRST] != items[DRAWN_LAST];
}

static void fly_lifted_by(const Moving *moving, size_t row, size_t col, double share,
                          double lift) {
    const Still *still = moving->still;
    const size_t own[] = {still_cell(moving->out, row, col, false),
                          moving_item(moving, row, col)};
    if (own[DRAWN_LAST] == STILL_NONE)
        return;
    Sources sources = sources_of(moving, row, col, true, SOURCES_MOST);
    double way = motion_ease(motion_between(share, lift > 0 ? 0.15 : 0, 0.85));
    double raised = lift * motion_ease(motion_between(share, 0, 0.2)) *
                    (1 - motion_between(share, 0.65, 0.85));
    for (size_t i = 0; i < sources.count; i++) {
        for (size_t drawn = 0; drawn < DRAWN_COUNT; drawn++) {
            size_t item = sources.items[i][drawn];
            if (!is_apart(sources.items[i], drawn) || (drawn && !is_apart(own, drawn)))
                continue;
            Box from = still_box(still, item);
            Box box = motion_box_between(from, still_box(still, own[drawn]), way);
            box.y -= raised * from.h;
            ghost_draw(still, item, box, 1 - motion_between(share, 0.85, 1));
        }
    }
}

void fly_straight(const Moving *moving, size_t row, size_t col, double share) {
    fly_lifted_by(moving, row, col, share, 0);
}

/* Whether nothing was picked for a cell: it is cut away, or not marked. */
static bool is_left_out(const Moving *moving, size_t row, size_t col) {
    double value = tensor_at(&moving->at->output, row, col);
    const Operation *operation = operation_of(moving->at->operation);
    return heatmap_is_masking(value) ||
           (operation->work == OPERATION_WORK_BY_MARKING && !(fabs(value) > 0));
}

void fly_lifted(const Moving *moving, size_t row, size_t col, double share) {
    if (is_left_out(moving, row, col))
        return;
    fly_lifted_by(moving, row, col, share, 0.25);
}

/* A row turns into a column: about its first cell, which goes straight. */
void fly_turned(const Moving *moving, size_t row, size_t col, double share) {
    const Still *still = moving->still;
    size_t own = moving_item(moving, row, col), head = moving_item(moving, 0, col);
    Sources sources = sources_of(moving, row, col, true, 1);
    Sources heads = sources_of(moving, 0, col, true, 1);
    if (own == STILL_NONE || head == STILL_NONE || !sources.count || !heads.count)
        return;
    size_t item = sources.items[0][DRAWN_LAST];
    Box from = still_box(still, item), to = still_box(still, own);
    Box from_head = still_box(still, heads.items[0][DRAWN_LAST]);
    Box to_head = still_box(still, head);
    double way = motion_ease(motion_between(share, 0, 0.85));
    Box box = motion_box_between(from, to, way);
    Box pivot = motion_box_between(from_head, to_head, way);
    double along = from.x - from_head.x + (to.y - to_head.y - from.x + from_head.x) * way;
    box.x = pivot.x + along * cos(way * QUARTER);
    box.y = pivot.y + along * sin(way * QUARTER);
    ghost_draw(still, item, box, 1 - motion_between(share, 0.85, 1));
}

void fly_along(const Moving *moving, size_t row, size_t col, double share) {
    if (moving->cursor != PLAYER_NONE || !slide_cell(moving, row, col, share))
        fly_straight(moving, row, col, share);
}

/* Every cell that went into it comes. */
void fly_from_all(const Moving *moving, size_t row, size_t col, double share) {
    size_t own = moving_item(moving, row, col);
    if (own == STILL_NONE)
        return;
    Sources sources = sources_of(moving, row, col, false, SOURCES_MOST);
    Box to = still_box(moving->still, own);
    for (size_t i = 0; i < sources.count; i++) {
        size_t item = sources.items[i][DRAWN_LAST];
        double late =
            sources.count > 1 ? 0.3 * (double)i / (double)(sources.count - 1) : 0;
        double way = motion_ease(motion_between(share, late, late + 0.6));
        Box box = motion_box_between(still_box(moving->still, item), to, way);
        ghost_draw(moving->still, item, box, 1 - motion_between(way, 0.85, 1));
    }
}

/* What goes through zero is struck out as it lands. */
void fly_struck(const Moving *moving, size_t row, size_t col, double share) {
    const Canvas *canvas = moving->still->canvas;
    size_t own = moving_item(moving, row, col);
    fly_straight(moving, row, col, share);
    double value = tensor_at(&moving->at->output, row, col);
    double before = tensor_at(moving->at->operands[0], row, col);
    if (own == STILL_NONE || value > 0 || before >= 0)
        return;
    Box box = still_box(moving->still, own);
    double inset = fmin(box.w, box.h) * 0.15;
    double drawn = motion_ease(motion_between(share, 0.5, 0.75));
    Color color = canvas->theme->ink;
    color.a = (uint8_t)lround(255 * (1 - motion_between(share, 0.85, 1)));
    if (drawn > 0)
        scene_line(canvas->scene, (Point){box.x + inset, box.y + box.h - inset},
                   (Point){box.x + inset + (box.w - 2 * inset) * drawn,
                           box.y + box.h - inset - (box.h - 2 * inset) * drawn},
                   fmax(canvas_length(canvas, 3), 1), color);
}
