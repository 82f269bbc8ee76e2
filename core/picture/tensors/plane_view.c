#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/draw/lanes.h"
#include "picture/draw/patterns.h"
#include "picture/draw/token.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rows as points of a plane: the two columns in which they differ most, on axes of one
 * scale, so that distances are true. A step that shows tensors gives their rows; a sum or
 * a difference gives the rows that it is computed from, as far back as sums and
 * differences go. A difference is an arrow from one row to the other; a row that is added
 * to a difference makes a parallelogram; a row that attention moved is shown before and
 * after, with a band to each row that pulls it, as wide as its attention weight. Beside
 * the plane stand the rows with all their numbers. */

static const double TABLE_FRACTION = 0.3, GAP = 56, CELL = 72, ROW = 44, ROW_GAP = 8;
static const double DOT = 9, LABEL_UNITS = 21, NUMBER_UNITS = 18, TICK_UNITS = 15,
                    AXIS_UNITS = 17;
/* Width of a band for a weight of 1. */
static const double ARROW = 3, ARROW_HEAD = 13, PULL = 34;
static const PatternDash DASHES = {9, 9}; /* of the sides of a parallelogram */
/* Radius of a dot that lies on another, relative to it. */
static const double INNER = 0.55;
static const double LABEL_GAP = 0.35; /* gap of two labels, relative to their size, so
                                         that they don't read as a sentence */
static const double MARGIN = 0.14;    /* fraction of the range, around it */
static const double BOW = 0.3; /* height of a bow, relative to the arrow's length */
enum {
    PLANE_POINTS_MAX = 64,
    PLANE_ARROWS_MAX = 128,
    DEPTH_MOST = 6,     /* of nested sums and differences */
    GROUND_ALPHA = 215, /* opacity (of 255) behind a label that a line crosses */
    TABLE_MOST = 9,
    BOW_POINTS = 24
};

typedef struct PlanePoint {
    size_t node, row;
    bool context; /* background: only pulls lead to it */
    size_t state; /* index of the tensor among those that show the same rows in several
                     states; 0: none */
} PlanePoint;

/* Kinds of relations, from behind to the front. */
typedef enum PlaneArrowKind {
    PLANE_PULL,       /* row that contributes to the first one with an attention weight */
    PLANE_SIDE,       /* side of a parallelogram, equal to the opposite one */
    PLANE_DIFFERENCE, /* difference: from the row that is subtracted to the other */
    PLANE_MOVE /* from a row in the step's first tensor to the same row in another */
} PlaneArrowKind;

typedef struct PlaneArrow {
    PlaneArrowKind kind;
    size_t from, to; /* indices of points */
    double weight;   /* attention weight of a pull */
} PlaneArrow;

typedef struct PlanePaths {
    const Stage *stage;
    size_t cols; /* columns of all rows */
    size_t count, arrow_count;
    size_t states; /* number of tensors that show the same rows; 0: their rows differ */
    PlanePoint points[PLANE_POINTS_MAX];
    PlaneArrow arrows[PLANE_ARROWS_MAX];
} PlanePaths;

/* ---- rows and the relations between them ---- */

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

static bool is_of(const PlanePaths *paths, size_t node, OperationKind operation) {
    return stage_node(paths->stage, node)->operation == operation;
}

static void trace(PlanePaths *paths, size_t node, size_t depth);

/* Adds the parallelogram of a + (b − c): the arrow from c to b equals the one from a to
 * the sum. */
static void trace_sum(PlanePaths *paths, size_t node, size_t depth) {
    const TapeNode *at = stage_node(paths->stage, node);
    size_t which = is_of(paths, at->inputs[0], OPERATION_SUBTRACT) ? 0 : 1;
    size_t other = at->inputs[1 - which];
    trace(paths, other, depth + 1);
    for (size_t i = 0; i < at->output.rows; i++) {
        size_t from = point_of(paths, other, i), to = point_of(paths, node, i);
        add_arrow(paths, PLANE_DIFFERENCE, from, to, 0);
        if (!is_of(paths, at->inputs[which], OPERATION_SUBTRACT))
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
        if (!is_of(paths, at->inputs[i], OPERATION_SLICE))
            trace(paths, at->inputs[i], depth + 1);
    }
    for (size_t i = 0; i < at->output.rows; i++) {
        size_t to = point_of(paths, at->inputs[0], i);
        add_arrow(paths, PLANE_DIFFERENCE, point_of(paths, at->inputs[1], i), to, 0);
    }
}

static void trace(PlanePaths *paths, size_t node, size_t depth) {
    if (depth < DEPTH_MOST && is_of(paths, node, OPERATION_ADD))
        trace_sum(paths, node, depth);
    else if (depth < DEPTH_MOST && is_of(paths, node, OPERATION_SUBTRACT))
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

static PlanePaths paths_of(const Stage *stage) {
    PlanePaths paths = {.stage = stage, .cols = stage_tensor(stage, stage->node)->cols};
    for (size_t i = 0; i < stage->step->shown_count; i++)
        add_rows(&paths, stage->step->shown[i], false);
    if (!stage->step->shown_count)
        trace(&paths, stage->node, 0);
    if (show_the_same(stage))
        add_moves(&paths);
    return paths;
}

typedef struct Plane {
    const Stage *stage;
    PlanePaths paths;
    size_t columns[2]; /* across and up */
    double scale;      /* points per unit of the axes */
    Plot plot;
    Taken labels;
} Plane;

/* ---- the plane ---- */

static double coordinate(const Plane *plane, size_t index, size_t col) {
    const PlanePoint *point = &plane->paths.points[index];
    double value = tensor_at(stage_tensor(plane->stage, point->node), point->row, col);
    return isfinite(value) ? value : 0;
}

static double variance_of(const Plane *plane, size_t col) {
    double mean = 0, squares = 0, count = (double)plane->paths.count;
    for (size_t i = 0; i < plane->paths.count; i++)
        mean += coordinate(plane, i, col) / count;
    for (size_t i = 0; i < plane->paths.count; i++)
        squares += pow(coordinate(plane, i, col) - mean, 2) / count;
    return squares;
}

/* Chooses the two columns of the largest variance; of nearly equal ones the first. */
static void choose_axes(Plane *plane) {
    double most[2] = {-1, -1};
    size_t best[2] = {0, 1};
    for (size_t j = 0; j < plane->paths.cols; j++) {
        double variance = variance_of(plane, j) * (1 - 1e-12);
        int place = variance > most[0] * (1 + 1e-9) ? 0 : 1;
        if (place == 1 && !(variance > most[1] * (1 + 1e-9)))
            continue;
        if (place == 0) {
            best[1] = best[0];
            most[1] = most[0];
        }
        best[place] = j;
        most[place] = variance;
    }
    if (most[1] < 0)
        best[1] = best[0] == 0 ? 1 : 0;
    plane->columns[0] = best[0] < best[1] ? best[0] : best[1];
    plane->columns[1] = best[0] < best[1] ? best[1] : best[0];
}

/* Chooses one scale for both axes, which include 0. */
static void choose_scale(Plane *plane) {
    PlotAxis *axes[2] = {&plane->plot.across, &plane->plot.up};
    double most = DBL_MIN * 1e20, rooms[2] = {plane->plot.box.w, plane->plot.box.h};
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < plane->paths.count; k++) {
            double value = coordinate(plane, k, plane->columns[i]);
            axes[i]->from = fmin(axes[i]->from, value);
            axes[i]->to = fmax(axes[i]->to, value);
        }
        most = fmax(most, axes[i]->to - axes[i]->from);
    }
    plane->scale = INFINITY;
    for (int i = 0; i < 2; i++)
        plane->scale = fmin(plane->scale,
                            rooms[i] / (axes[i]->to - axes[i]->from + 2 * MARGIN * most));
    for (int i = 0; i < 2; i++) {
        double middle = (axes[i]->from + axes[i]->to) / 2;
        axes[i]->from = middle - rooms[i] / 2 / plane->scale;
        axes[i]->to = middle + rooms[i] / 2 / plane->scale;
    }
    plot_find_ticks(&plane->plot, plot_step(fmin(rooms[0], rooms[1]) / plane->scale / 4));
}

static Point place_of(const Plane *plane, size_t index) {
    Point at = plot_point(&plane->plot, coordinate(plane, index, plane->columns[0]),
                          coordinate(plane, index, plane->columns[1]));
    return (Point){round(at.x), round(at.y)};
}

/* Reports whether two rows have the same point of the plane. */
static bool lie_together(const Plane *plane, size_t one, size_t other) {
    return point_distance(place_of(plane, one), place_of(plane, other)) < 1;
}

static bool lie_all_together(const Plane *plane) {
    for (size_t i = 1; i < plane->paths.count; i++) {
        if (!lie_together(plane, 0, i))
            return false;
    }
    return true;
}

static Point origin_of(const Plane *plane) {
    Point at = plot_point(&plane->plot, 0, 0);
    return (Point){round(at.x), round(at.y)};
}

static const char *axis_name(const Plane *plane, int axis) {
    const Canvas *canvas = plane->stage->canvas;
    const Tensor *tensor = stage_tensor(plane->stage, plane->paths.points[0].node);
    size_t col = plane->columns[axis];
    return tensor->col_labels
               ? tensor->col_labels[col]
               : canvas_words(canvas, "view.column", canvas_count(canvas, col), NULL);
}

static void draw_axes(const Plane *plane) {
    const Canvas *canvas = plane->stage->canvas;
    Box box = plane->plot.box;
    double tick = canvas_size(canvas, TICK_UNITS, "");
    plot_draw_ticks(&plane->plot);
    plot_draw_ticks_across(&plane->plot);
    canvas_outline(canvas, box, 0, canvas->theme->line, 1);
    const char *across = axis_name(plane, 0), *up = axis_name(plane, 1);
    double below = tick * 1.5 + canvas_size(canvas, AXIS_UNITS, across) * 1.2;
    canvas_label(canvas, FONT_BOLD, AXIS_UNITS, canvas->theme->ink_soft,
                 (Point){box.x + box.w / 2, box.y + box.h + below}, LABEL_CENTER, across);
    canvas_label(canvas, FONT_BOLD, AXIS_UNITS, canvas->theme->ink_soft,
                 (Point){box.x, box.y - canvas_size(canvas, AXIS_UNITS, up) * 0.6},
                 LABEL_LEFT, up);
}

/* Writes which columns the axes are, if there are more than two. */
static void draw_note(const Plane *plane) {
    const Canvas *canvas = plane->stage->canvas;
    if (plane->paths.cols == 2)
        return;
    const char *note = canvas_words(canvas, "view.plane_columns",
                                    canvas_count(canvas, plane->paths.cols), NULL);
    const char *name = axis_name(plane, 1); /* its name stands before it */
    double size = canvas_size(canvas, TICK_UNITS, note);
    double before =
        canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, AXIS_UNITS, name), name);
    if (before + size + canvas_text_width(canvas, FONT_TEXT, size, note) >
        plane->plot.box.w)
        return;
    canvas_text(
        canvas, FONT_TEXT, size, canvas->theme->ink_faint,
        (Point){plane->plot.box.x + plane->plot.box.w, plane->plot.box.y - size * 0.7},
        LABEL_RIGHT, note);
}

/* ---- points and arrows ---- */

/* Mark of rows in one of several states: hollow in the first, then grey, then in the
 * probabilities' colour. */
static Color state_color(const Plane *plane, size_t state) {
    const Theme *theme = plane->stage->canvas->theme;
    return state == 0   ? theme->page
           : state == 1 ? palette_mix(theme->page, theme->ink_faint, 190)
           : state == 2 ? theme->probabilities
                        : theme->other[state % 4];
}

/* Reports whether an arrow would run over another point's dot. */
static bool runs_over(const Plane *plane, Point a, Point b) {
    bool over = false;
    for (size_t i = 0; i < plane->paths.count; i++) {
        Point at = place_of(plane, i);
        Box dot = {at.x - DOT / 2, at.y - DOT / 2, DOT, DOT};
        over |= point_distance(at, a) > DOT && point_distance(at, b) > DOT &&
                line_meets(a, b, dot);
    }
    return over;
}

/* Point at a distance from one point towards another. */
static Point towards(Point from, Point to, double distance) {
    double fraction = distance / point_distance(from, to);
    return (Point){from.x + (to.x - from.x) * fraction,
                   from.y + (to.y - from.y) * fraction};
}

/* Draws an arrow: straight, or in a bow above another point that it would cross. */
static void draw_arrow(const Plane *plane, Point a, Point b, Color color) {
    const Canvas *canvas = plane->stage->canvas;
    double length = point_distance(a, b), dot = DOT + 3;
    double head = fmin(ARROW_HEAD, length - dot);
    if (head < 3)
        return;
    double bow = runs_over(plane, a, b) ? copysign(BOW, b.x - a.x) : 0;
    Point over = {(a.x + b.x) / 2 + bow * (b.y - a.y),
                  (a.y + b.y) / 2 - bow * (b.x - a.x)};
    Point tip = towards(b, over, dot), base = towards(b, over, dot + head);
    Point curve[BOW_POINTS];
    for (size_t i = 0; i < BOW_POINTS; i++) {
        double t = (double)i / (BOW_POINTS - 1), s = 1 - t;
        curve[i] = (Point){s * s * a.x + 2 * s * t * over.x + t * t * base.x,
                           s * s * a.y + 2 * s * t * over.y + t * t * base.y};
    }
    scene_path(canvas->scene, curve, BOW_POINTS, ARROW, color);
    canvas_arrow_head(canvas, base, tip, head, color);
}

/* Draws a relation: a pull as a band, the side of a parallelogram that is not a
 * difference itself dashed, others as arrows. */
static void draw_relation(const Plane *plane, const PlaneArrow *arrow) {
    const Canvas *canvas = plane->stage->canvas;
    const Point ends[] = {place_of(plane, arrow->from), place_of(plane, arrow->to)};
    double width = PULL * arrow->weight;
    if (arrow->kind == PLANE_SIDE)
        pattern_path(canvas, DASHES, ends, 2, 2, 1, canvas->theme->ink_faint);
    else if (arrow->kind != PLANE_PULL)
        draw_arrow(plane, ends[0], ends[1],
                   arrow->kind == PLANE_MOVE
                       ? state_color(plane, plane->paths.points[arrow->to].state)
                       : canvas->theme->other[0]);
    else if (width > 0.5)
        scene_line(canvas->scene, ends[0], ends[1], width,
                   lane_color(canvas, ROLE_PROBABILITIES, arrow->weight >= 0.5));
}

/* Draws a single point as the tip of an arrow from 0, because a dot alone has no visible
 * position. */
static void draw_from_origin(const Plane *plane) {
    if (lie_all_together(plane))
        draw_arrow(plane, origin_of(plane), place_of(plane, 0),
                   plane->stage->canvas->theme->other[0]);
}

/* Draws all relations, kind by kind. */
static void draw_relations(const Plane *plane) {
    for (PlaneArrowKind kind = PLANE_PULL; kind <= PLANE_MOVE; kind++) {
        for (size_t i = 0; i < plane->paths.arrow_count; i++) {
            if (plane->paths.arrows[i].kind == kind)
                draw_relation(plane, &plane->paths.arrows[i]);
        }
    }
}

static bool is_result(const Plane *plane, size_t index) {
    return !plane->stage->step->shown_count &&
           plane->paths.points[index].node == plane->stage->node;
}

/* Label of a row; with a prime if an earlier tensor has a row of that label. */
static const char *label_of(const Plane *plane, size_t index) {
    const Canvas *canvas = plane->stage->canvas;
    const PlanePoint *point = &plane->paths.points[index];
    const Tensor *tensor = stage_tensor(plane->stage, point->node);
    const char *label = view_label(canvas, tensor->row_labels, point->row);
    for (size_t i = 0; i < plane->paths.count; i++) {
        const PlanePoint *other = &plane->paths.points[i];
        const Tensor *its = stage_tensor(plane->stage, other->node);
        if (other->node < point->node && tensor->row_labels && its->row_labels &&
            strcmp(its->row_labels[other->row], label) == 0)
            return canvas_format(canvas, "%s′", label);
    }
    return token_text(canvas, label);
}

/* Reports whether a box is free of points and within the plane. */
static bool is_free(const Plane *plane, Box box) {
    double dot = DOT + 2;
    for (size_t i = 0; i < plane->paths.count; i++) {
        Point at = place_of(plane, i);
        if (boxes_meet((Box){at.x - dot, at.y - dot, 2 * dot, 2 * dot}, box))
            return false;
    }
    Box plot = plane->plot.box;
    return box.x >= plot.x && box.x + box.w <= plot.x + plot.w && box.y >= plot.y &&
           box.y + box.h <= plot.y + plot.h;
}

static bool is_crossed(const Plane *plane, Box box) {
    for (size_t i = 0; i < plane->paths.arrow_count; i++) {
        const PlaneArrow *arrow = &plane->paths.arrows[i];
        double thick = fmax(PULL * arrow->weight / 2, 0);
        if (line_meets(place_of(plane, arrow->from), place_of(plane, arrow->to),
                       box_inset(box, -thick)))
            return true;
    }
    Point zero = origin_of(plane); /* labels avoid the axes, too */
    if ((box.x < zero.x && box.x + box.w > zero.x) ||
        (box.y < zero.y && box.y + box.h > zero.y))
        return true;
    return lie_all_together(plane) && line_meets(zero, place_of(plane, 0), box);
}

/* Takes room for a label around its point, preferably where no arrow runs; returns false
 * if there is none. */
static bool take_place(Plane *plane, size_t index, double width, double size, Box *box) {
    double off = DOT + 5, half = size * 0.6, gap = size * LABEL_GAP;
    Point at = place_of(plane, index);
    const Point centres[] = {{at.x + off + width / 2, at.y},
                             {at.x, at.y - off - half},
                             {at.x, at.y + off + half},
                             {at.x - off - width / 2, at.y},
                             {at.x + off + width / 2, at.y - 2.2 * half},
                             {at.x + off + width / 2, at.y + 2.2 * half}};
    for (int crossed = 0; crossed < 2; crossed++) {
        for (size_t i = 0; i < sizeof centres / sizeof *centres; i++) {
            *box = (Box){centres[i].x - width / 2, centres[i].y - half, width, 2 * half};
            if (lie_all_together(plane)) /* it may stand at one side */
                box->x = fmin(box->x, plane->plot.box.x + plane->plot.box.w - width);
            if (is_free(plane, *box) && (crossed || !is_crossed(plane, *box)) &&
                taken_add(&plane->labels,
                          (Box){box->x - gap, box->y, box->w + gap, box->h}))
                return true;
        }
    }
    return false;
}

/* Reports whether two rows are equal in all columns, not only those of the plane. */
static bool are_equal(const Plane *plane, size_t one, size_t other) {
    bool equal = true;
    for (size_t j = 0; j < plane->paths.cols; j++)
        equal &=
            fabs(coordinate(plane, one, j) - coordinate(plane, other, j)) * plane->scale <
            1;
    return equal;
}

/* Reports whether an earlier row with the same point has a label that includes this row's
 * name. */
static bool is_named(const Plane *plane, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (lie_together(plane, i, index))
            return true;
    }
    return false;
}

/* Names of all rows at a point: "queen = guess" for equal ones; "the, was" for rows that
 * may move apart. */
static const char *names_at(const Plane *plane, size_t index) {
    const char *names = label_of(plane, index);
    for (size_t i = index + 1; i < plane->paths.count; i++) {
        bool equal = !plane->paths.states && are_equal(plane, index, i);
        if (lie_together(plane, index, i) && !plane->paths.points[i].state)
            names = canvas_format(plane->stage->canvas, "%s%s%s", names,
                                  equal ? " = " : ", ", label_of(plane, i));
    }
    return names;
}

static void draw_name(Plane *plane, size_t index) {
    const Canvas *canvas = plane->stage->canvas;
    bool context = plane->paths.points[index].context;
    const char *label = names_at(plane, index);
    FontRole font = context ? FONT_TEXT : FONT_BOLD;
    double size = canvas_size(canvas, LABEL_UNITS, label);
    double width = canvas_text_width(canvas, font, size, label);
    Box box;
    if (!take_place(plane, index, width, size, &box))
        return;
    Color ground = canvas->theme->page;
    ground.a = GROUND_ALPHA;
    if (is_crossed(plane, box))
        canvas_fill(canvas, box, 4, ground);
    canvas_text(canvas, font, size,
                context ? canvas->theme->ink_soft : canvas->theme->ink,
                (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, size)},
                LABEL_CENTER, label);
}

static void draw_points(Plane *plane) {
    const Canvas *canvas = plane->stage->canvas;
    const Theme *theme = canvas->theme;
    for (size_t i = 0; i < plane->paths.count; i++) {
        const PlanePoint *point = &plane->paths.points[i];
        bool hollow = plane->paths.states && !point->state;
        Color fill = plane->paths.states   ? state_color(plane, point->state)
                     : point->context      ? theme->line
                     : is_result(plane, i) ? theme->other[0]
                                           : theme->other[1];
        canvas_link_cell(canvas, point->node, point->row, plane->columns[0]);
        double lifted = is_named(plane, i) ? INNER : 1; /* both dots remain visible */
        canvas_dot(canvas, place_of(plane, i),
                   round(lifted * (point->context ? DOT * 0.8 : DOT)), fill,
                   hollow           ? theme->ink
                   : point->context ? theme->ink_faint
                                    : theme->page,
                   2);
        canvas_unlink(canvas);
    }
    for (int context = 0; context < 2; context++) { /* the foreground gets room first */
        for (size_t i = 0; i < plane->paths.count; i++) {
            const PlanePoint *point = &plane->paths.points[i];
            if (point->context == context && !point->state && !is_named(plane, i))
                draw_name(plane, i); /* arrows lead from there */
        }
    }
}

/* ---- the numbers ---- */

typedef struct PlaneRow {
    size_t node, row;
    const char *label;
} PlaneRow;

/* Lists the points' rows and, last, that of a difference, in the order in which they were
 * computed. */
static size_t list_rows(const Plane *plane, PlaneRow rows[PLANE_POINTS_MAX + 1]) {
    size_t count = 0, node = plane->stage->node;
    bool has_result = plane->stage->step->shown_count > 0;
    for (size_t i = 0; i < plane->paths.count; i++) {
        const PlanePoint *point = &plane->paths.points[i];
        has_result |= is_result(plane, i);
        if (point->context)
            continue;
        size_t at = count++;
        for (; at > 0 && rows[at - 1].node > point->node; at--)
            rows[at] = rows[at - 1];
        rows[at] = (PlaneRow){point->node, point->row, label_of(plane, i)};
    }
    if (!has_result) {
        const char *name = stage_node(plane->stage, node)->name;
        rows[count++] = (PlaneRow){node, view_row(plane->stage), name[0] ? name : "−"};
    }
    return count;
}

static Heatmap row_table(const Plane *plane, const PlaneRow *row, Box box, double reach) {
    const Canvas *canvas = plane->stage->canvas;
    Tensor *numbers;
    Heatmap table = view_strip(plane->stage, row->node, row->row, box, reach, &numbers);
    const char **label = arena_alloc(canvas->scene->arena, 1, sizeof *label);
    *label = row->label;
    numbers->row_labels = label;
    table.written_as = NULL;
    table.number_size = canvas_size(canvas, NUMBER_UNITS, "");
    table.row_labels = true;
    table.label_room = fmin(heatmap_row_label_width(canvas, numbers), 170);
    return table;
}

static const char *state_name(const Plane *plane, size_t index) {
    return stage_formula_name(plane->stage, plane->stage->step->shown[index]);
}

/* Width of the key of states: marks and names. */
static double key_width(const Plane *plane) {
    const Canvas *canvas = plane->stage->canvas;
    double size = canvas_size(canvas, LABEL_UNITS, ""), widest = 0;
    for (size_t i = 0; i < plane->paths.states; i++)
        widest =
            fmax(widest, canvas_formula_extent(canvas, state_name(plane, i), size).width);
    return ceil(widest) + 4 * DOT + 2;
}

/* Draws the key: the mark of each tensor. */
static void draw_key(const Plane *plane, Box area) {
    const Canvas *canvas = plane->stage->canvas;
    double radius = DOT, pitch = ROW;
    Point at = {area.x + radius + 2, area.y + pitch / 2};
    for (size_t i = 0; i < plane->paths.states; i++, at.y += pitch) {
        canvas_dot(canvas, at, radius, state_color(plane, i),
                   i == 0 ? canvas->theme->ink : canvas->theme->page, 2);
        canvas_formula(canvas, state_name(plane, i), LABEL_UNITS,
                       (Point){at.x + 2 * radius, at.y}, LABEL_LEFT);
    }
}

static void draw_table(const Plane *plane, Box area) {
    const Stage *stage = plane->stage;
    const Canvas *canvas = stage->canvas;
    PlaneRow rows[PLANE_POINTS_MAX + 1];
    size_t count = list_rows(plane, rows);
    double reach = 0, labels = 0;
    HeatmapColors colors = HEATMAP_PROBABILITIES; /* if all rows are probabilities */
    if (count > TABLE_MOST)
        return;
    for (size_t i = 0; i < count; i++) {
        Heatmap table = row_table(plane, &rows[i], area, 1);
        reach = fmax(reach, heatmap_reach(table.tensor));
        labels = fmax(labels, table.label_room);
        colors = table.colors == HEATMAP_PROBABILITIES ? colors : HEATMAP_SIGNED;
    }
    double w = fmin(area.w - labels, CELL * (double)plane->paths.cols);
    double head = fmin(heatmap_col_label_height(canvas, stage_tensor(stage, rows[0].node),
                                                w / (double)plane->paths.cols, 120),
                       area.h * 0.3);
    double pitch = fmin(ROW + ROW_GAP, (area.h - head) / (double)count);
    double y = area.y + fmax(area.h - head - pitch * (double)count, 0) * 0.4 + head;
    for (size_t i = 0; i < count; i++, y += pitch) {
        Box box = {round(area.x + labels), round(y), round(w), round(pitch - ROW_GAP)};
        Heatmap table = row_table(plane, &rows[i], box, reach);
        table.colors = colors;
        table.col_labels = i == 0;
        table.col_label_room = head;
        table.has_focus = rows[i].node == stage->node;
        table.focus_col = (size_t)-1;
        heatmap_draw(canvas, &table);
        if (table.has_focus && stage->has_focus && stage->focus_row == rows[i].row)
            heatmap_outline_cell(canvas, &table, 0, stage->focus_col,
                                 canvas->theme->focus);
    }
}

void plane_view(const Stage *stage, ViewPlace place) {
    (void)place;
    const Canvas *canvas = stage->canvas;
    Plane plane = {.stage = stage,
                   .paths = paths_of(stage),
                   .plot = {.canvas = canvas,
                            .decimals = PLOT_SHORT,
                            .units = TICK_UNITS,
                            .gap = 9,
                            .ink = canvas->theme->ink_faint,
                            .is_ground = true}};
    Box area = stage->area;
    double beside = round(area.w * TABLE_FRACTION);
    Box table = box_take_right(&area, plane.paths.states ? fmin(key_width(&plane), beside)
                                                         : beside);
    box_take_right(&area, GAP);
    box_take_left(&area, 56);
    box_take_top(&area, 34);
    box_take_bottom(&area, 58);
    plane.plot.box = area;
    if (area.w < 2 || area.h < 2 || !plane.paths.count)
        return;
    choose_axes(&plane);
    choose_scale(&plane);
    draw_axes(&plane);
    draw_note(&plane);
    draw_relations(&plane);
    draw_from_origin(&plane);
    draw_points(&plane);
    if (plane.paths.states)
        draw_key(&plane, (Box){table.x, plane.plot.box.y, table.w, plane.plot.box.h});
    else
        draw_table(&plane, table);
}
