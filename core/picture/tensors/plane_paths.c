#include "picture/tensors/plane_paths.h"

#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

enum { DEPTH_MOST = 6 }; /* of nested sums and differences */

static size_t add_point(PlanePaths *paths, size_t node, size_t row, bool context) {
    for (size_t i = 0; i < paths->count; i++) {
        if (paths->points[i].node == node && paths->points[i].row == row) {
            paths->points[i].context &= context;
            return i;
        }
    }
    if (paths->count == PLANE_POINTS_MAX ||
        stage_tensor(paths->stage, node)->cols != paths->cols)
        return PLANE_POINTS_MAX;
    paths->points[paths->count] = (PlanePoint){node, row, context, 0};
    return paths->count++;
}

static void add_rows(PlanePaths *paths, size_t node, bool context) {
    for (size_t i = 0; i < stage_tensor(paths->stage, node)->rows; i++)
        add_point(paths, node, i, context);
}

static void add_arrow(PlanePaths *paths, PlaneArrowKind kind, size_t from, size_t to,
                      double weight) {
    if (from < PLANE_POINTS_MAX && to < PLANE_POINTS_MAX &&
        paths->arrow_count < PLANE_ARROWS_MAX)
        paths->arrows[paths->arrow_count++] = (PlaneArrow){kind, from, to, weight};
}

/* Adds pulls from the rows, with their weights, of which attention computed a row. */
static void add_pulls(PlanePaths *paths, size_t node, size_t row) {
    const TapeNode *at = stage_node(paths->stage, node);
    if (at->operation != OPERATION_MATMUL ||
        stage_colors(paths->stage->tape, at->inputs[0]) != HEATMAP_PROBABILITIES)
        return;
    const Tensor *weights = stage_tensor(paths->stage, at->inputs[0]);
    if (weights->cols != weights->rows) /* otherwise the row is not one of the others */
        return;
    size_t before = add_point(paths, at->inputs[1], row, false);
    add_rows(paths, at->inputs[1], true);
    for (size_t j = 0; j < weights->cols; j++)
        if (j != row)
            add_arrow(paths, PLANE_PULL, before, add_point(paths, at->inputs[1], j, true),
                      tensor_at(weights, row, j));
}

/* Point of a node's row; for a slice, of the row that it takes. */
static size_t point_of(PlanePaths *paths, size_t node, size_t row) {
    const TapeNode *at = stage_node(paths->stage, node);
    row = row < at->output.rows ? row : 0;
    if (at->operation == OPERATION_SLICE && at->options.col_begin == 0 &&
        at->options.col_end == stage_tensor(paths->stage, at->inputs[0])->cols) {
        row += at->options.row_begin;
        node = at->inputs[0];
        add_pulls(paths, node, row);
    }
    return add_point(paths, node, row, false);
}

static bool is(const PlanePaths *paths, size_t node, OperationKind operation) {
    return stage_node(paths->stage, node)->operation == operation;
}

static void trace(PlanePaths *paths, size_t node, size_t depth);

/* Adds the parallelogram of a + (b − c): the arrow from c to b equals the one from a to
 * the sum. */
static void trace_sum(PlanePaths *paths, size_t node, size_t depth) {
    const TapeNode *at = stage_node(paths->stage, node);
    size_t which = is(paths, at->inputs[0], OPERATION_SUBTRACT) ? 0 : 1;
    size_t other = at->inputs[1 - which];
    trace(paths, other, depth + 1);
    for (size_t i = 0; i < at->output.rows; i++) {
        size_t from = point_of(paths, other, i), to = point_of(paths, node, i);
        add_arrow(paths, PLANE_DIFFERENCE, from, to, 0);
        if (!is(paths, at->inputs[which], OPERATION_SUBTRACT))
            continue;
        const TapeNode *difference = stage_node(paths->stage, at->inputs[which]);
        size_t b = point_of(paths, difference->inputs[0], i);
        size_t c = point_of(paths, difference->inputs[1], i);
        add_arrow(paths, PLANE_DIFFERENCE, c, b, 0);
        add_arrow(paths, PLANE_SIDE, c, from, 0);
        add_arrow(paths, PLANE_SIDE, b, to, 0);
    }
}

static void trace_difference(PlanePaths *paths, size_t node, size_t depth) {
    const TapeNode *at = stage_node(paths->stage, node);
    for (size_t i = 0; i < 2; i++) {
        if (!is(paths, at->inputs[i], OPERATION_SLICE))
            trace(paths, at->inputs[i], depth + 1);
    }
    for (size_t i = 0; i < at->output.rows; i++) {
        size_t to = point_of(paths, at->inputs[0], i);
        add_arrow(paths, PLANE_DIFFERENCE, point_of(paths, at->inputs[1], i), to, 0);
    }
}

static void trace(PlanePaths *paths, size_t node, size_t depth) {
    if (depth < DEPTH_MOST && is(paths, node, OPERATION_ADD))
        trace_sum(paths, node, depth);
    else if (depth < DEPTH_MOST && is(paths, node, OPERATION_SUBTRACT))
        trace_difference(paths, node, depth);
    else
        add_rows(paths, node, false);
}

/* Reports whether the shown tensors have the same row labels, so that they are one set of
 * rows in several states. */
static bool show_the_same(const Stage *stage) {
    const LessonStep *step = stage->step;
    const Tensor *first =
        step->shown_count > 1 ? stage_tensor(stage, step->shown[0]) : &(Tensor){0};
    for (size_t i = 0; first->row_labels && i < step->shown_count; i++) {
        const Tensor *other = stage_tensor(stage, step->shown[i]);
        if (other->rows != first->rows || !other->row_labels)
            return false;
        for (size_t row = 0; row < first->rows; row++) {
            if (strcmp(other->row_labels[row], first->row_labels[row]) != 0)
                return false;
        }
    }
    return first->row_labels != NULL;
}

static void add_moves(PlanePaths *paths) {
    const LessonStep *step = paths->stage->step;
    paths->states = step->shown_count;
    for (size_t i = 1; i < step->shown_count; i++) {
        for (size_t row = 0; row < stage_tensor(paths->stage, step->shown[0])->rows;
             row++) {
            size_t to = add_point(paths, step->shown[i], row, false);
            add_arrow(paths, PLANE_MOVE, add_point(paths, step->shown[0], row, false), to,
                      0);
            if (to < PLANE_POINTS_MAX)
                paths->points[to].state = i;
        }
    }
}

PlanePaths plane_paths_of(const Stage *stage) {
    PlanePaths paths = {.stage = stage, .cols = stage_tensor(stage, stage->node)->cols};
    for (size_t i = 0; i < stage->step->shown_count; i++)
        add_rows(&paths, stage->step->shown[i], false);
    if (!stage->step->shown_count)
        trace(&paths, stage->node, 0);
    if (show_the_same(stage))
        add_moves(&paths);
    return paths;
}
