#include "picture/charts/plot.h"
#include "picture/draw/lanes.h"
#include "picture/tensors/plane_paths.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include "base/arena.h"
#include "base/number.h"
#include "lesson/content/content.h"
#include "tensor/tape/tape.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rows as points of a plane: the two columns in which they differ most, on axes of one
 * scale, so that distances are true. A difference is an arrow from one row to the other;
 * a row that is added to a difference makes a parallelogram; a row that attention moved
 * is shown before and after, with a band to each row that pulls it, as wide as its
 * attention weight. Beside the plane stand the rows with all their numbers. */

static const double TABLE_FRACTION = 0.3, GAP = 56, CELL = 72, ROW = 44, ROW_GAP = 8;
static const double DOT = 9, LABEL_UNITS = 21, NUMBER_UNITS = 18, TICK_UNITS = 15,
                    AXIS_UNITS = 17;
/* Width of a band for a weight of 1. */
static const double ARROW = 3, ARROW_HEAD = 13, PULL = 34;
/* Radius of a dot that lies on another, relative to it. */
static const double INNER = 0.55;
enum { GROUND_ALPHA = 215 }; /* opacity (of 255) behind a label that a line crosses */
static const double LABEL_GAP = 0.35; /* gap of two labels, relative to their size, so
                                         that they don't read as a sentence */
static const double MARGIN = 0.14;    /* fraction of the range, around it */
static const double BOW = 0.3; /* height of a bow, relative to the arrow's length */
enum { TABLE_MOST = 9, BOW_POINTS = 24 };

typedef struct Plane {
    const Stage *stage;
    PlanePaths paths;
    size_t across, up; /* columns */
    double from_x, from_y, to_y, scale;
    Box box;
    size_t label_count;
    Box labels[PLANE_POINTS_MAX];
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

static void choose_axes(Plane *plane) {
    size_t best[2] = {0, 1};
    double most[2] = {-1, -1};
    for (size_t j = 0; j < plane->paths.cols; j++) {
        double variance = variance_of(plane, j) * (1 - 1e-12);
        size_t place = variance > most[0] * (1 + 1e-9) ? 0 : 1;
        if (place == 1 && !(variance > most[1] * (1 + 1e-9)))
            continue;
        best[1] = place == 0 ? best[0] : best[1];
        most[1] = place == 0 ? most[0] : most[1];
        best[place] = j;
        most[place] = variance;
    }
    if (most[1] < 0)
        best[1] = best[0] == 0 ? 1 : 0;
    plane->across = best[0] < best[1] ? best[0] : best[1];
    plane->up = best[0] < best[1] ? best[1] : best[0];
}

/* Chooses one scale for both axes, which include 0. */
static void choose_scale(Plane *plane) {
    double low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t i = 0; i < plane->paths.count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            double value = coordinate(plane, i, axis ? plane->up : plane->across);
            low[axis] = fmin(low[axis], value);
            high[axis] = fmax(high[axis], value);
        }
    }
    double most = fmax(fmax(high[0] - low[0], high[1] - low[1]), DBL_MIN * 1e20);
    for (int axis = 0; axis < 2; axis++) {
        low[axis] -= MARGIN * most;
        high[axis] += MARGIN * most;
    }
    Box box = plane->box;
    plane->scale = fmin(box.w / (high[0] - low[0]), box.h / (high[1] - low[1]));
    plane->from_x = (low[0] + high[0]) / 2 - box.w / 2 / plane->scale;
    plane->from_y = (low[1] + high[1]) / 2 - box.h / 2 / plane->scale;
    plane->to_y = (low[1] + high[1]) / 2 + box.h / 2 / plane->scale;
}

static double x_of(const Plane *plane, double value) {
    return plane->box.x + (value - plane->from_x) * plane->scale;
}

static double y_of(const Plane *plane, double value) {
    return plane->box.y + (plane->to_y - value) * plane->scale;
}

static Point place_of(const Plane *plane, size_t index) {
    return (Point){round(x_of(plane, coordinate(plane, index, plane->across))),
                   round(y_of(plane, coordinate(plane, index, plane->up)))};
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
    return (Point){round(x_of(plane, 0)), round(y_of(plane, 0))};
}

static const char *axis_name(const Plane *plane, size_t col) {
    const Canvas *canvas = plane->stage->canvas;
    const Tensor *tensor = stage_tensor(plane->stage, plane->paths.points[0].node);
    return tensor->col_labels
               ? tensor->col_labels[col]
               : canvas_words(canvas, "view.column", canvas_count(canvas, col), NULL);
}

static void draw_tick(const Plane *plane, double value, bool across) {
    const Canvas *canvas = plane->stage->canvas;
    Box box = plane->box;
    double at = round(across ? x_of(plane, value) : y_of(plane, value)) + 0.5;
    Point from = across ? (Point){at, box.y} : (Point){box.x, at};
    Point to = across ? (Point){at, box.y + box.h} : (Point){box.x + box.w, at};
    bool zero = !(fabs(value) > 0);
    scene_line(canvas->scene, from, to, 1,
               zero ? canvas->theme->ink_faint : canvas->theme->line);
    char text[NUMBER_SIZE];
    number_format_short(text, value, 3);
    double size = canvas_size(canvas, TICK_UNITS, "");
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_faint,
                across ? (Point){at, box.y + box.h + size * 1.3}
                       : (Point){box.x - size * 0.6, label_baseline(at, size)},
                across ? LABEL_CENTER : LABEL_RIGHT, text);
}

static void draw_axes(const Plane *plane) {
    const Canvas *canvas = plane->stage->canvas;
    Box box = plane->box;
    double step = plot_step(fmin(box.w, box.h) / plane->scale / 4);
    double ends[2] = {plane->from_x + box.w / plane->scale, plane->to_y};
    double begins[2] = {plane->from_x, plane->from_y};
    for (int axis = 0; axis < 2; axis++) {
        double first = ceil(begins[axis] / step), last = floor(ends[axis] / step);
        for (double i = first; i <= last && i < first + PLOT_TICKS_MAX; i++)
            draw_tick(plane, i * step, axis == 0);
    }
    canvas_outline(canvas, box, 0, canvas->theme->line, 1);
    const char *name = axis_name(plane, plane->across);
    double size = canvas_size(canvas, AXIS_UNITS, name);
    double tick = canvas_size(canvas, TICK_UNITS, "");
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink_soft,
                (Point){box.x + box.w / 2, box.y + box.h + tick * 1.5 + size * 1.2},
                LABEL_CENTER, name);
    name = axis_name(plane, plane->up);
    size = canvas_size(canvas, AXIS_UNITS, name);
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink_soft,
                (Point){box.x, box.y - size * 0.6}, LABEL_LEFT, name);
}

/* Writes which columns the axes are, if there are more than two. */
static void draw_note(const Plane *plane) {
    const Canvas *canvas = plane->stage->canvas;
    if (plane->paths.cols == 2)
        return;
    const char *note = canvas_words(canvas, "view.plane_columns",
                                    canvas_count(canvas, plane->paths.cols), NULL);
    const char *name = axis_name(plane, plane->up); /* its name stands before it */
    double size = canvas_size(canvas, TICK_UNITS, note);
    double before =
        canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, AXIS_UNITS, name), name);
    if (before + size + canvas_text_width(canvas, FONT_TEXT, size, note) > plane->box.w)
        return;
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_faint,
                (Point){plane->box.x + plane->box.w, plane->box.y - size * 0.7},
                LABEL_RIGHT, note);
}

/* ---- points and arrows ---- */

static void draw_pull(const Plane *plane, const PlaneArrow *arrow) {
    const Canvas *canvas = plane->stage->canvas;
    double width = PULL * arrow->weight;
    if (width > 0.5)
        scene_line(canvas->scene, place_of(plane, arrow->from),
                   place_of(plane, arrow->to), width,
                   lane_color(canvas, ROLE_PROBABILITIES, arrow->weight >= 0.5));
}

/* Draws the dashed side of a parallelogram that is not a difference itself. */
static void draw_side(const Plane *plane, const PlaneArrow *arrow) {
    const Canvas *canvas = plane->stage->canvas;
    Point a = place_of(plane, arrow->from), b = place_of(plane, arrow->to);
    double length = point_distance(a, b), dash = 9;
    for (double at = 0; at < length; at += 2 * dash) {
        double from = at / length, to = fmin(at + dash, length) / length;
        scene_line(canvas->scene,
                   (Point){a.x + (b.x - a.x) * from, a.y + (b.y - a.y) * from},
                   (Point){a.x + (b.x - a.x) * to, a.y + (b.y - a.y) * to}, 2,
                   canvas->theme->ink_faint);
    }
}

/* Mark of rows in one of several states: hollow in the first, then grey, then in the
 * probabilities' colour. */
static Color state_color(const Plane *plane, size_t state) {
    const Theme *theme = plane->stage->canvas->theme;
    return state == 0   ? theme->page
           : state == 1 ? palette_mix(theme->page, theme->ink_faint, 190)
           : state == 2 ? theme->probabilities
                        : theme->other[state % 4];
}

/* Reports whether a line runs through a box, checked in small steps along it. */
static bool runs_through(Point a, Point b, Box box) {
    double steps = ceil(point_distance(a, b) / 4) + 1;
    for (double k = 0; k <= steps; k++) {
        if (box_contains(box, a.x + (b.x - a.x) * k / steps,
                         a.y + (b.y - a.y) * k / steps))
            return true;
    }
    return false;
}

/* Reports whether an arrow would run over another point's dot. */
static bool runs_over(const Plane *plane, Point a, Point b) {
    bool over = false;
    for (size_t i = 0; i < plane->paths.count; i++) {
        Point at = place_of(plane, i);
        Box dot = {at.x - DOT / 2, at.y - DOT / 2, DOT, DOT};
        over |= point_distance(at, a) > DOT && point_distance(at, b) > DOT &&
                runs_through(a, b, dot);
    }
    return over;
}

/* Draws an arrow: straight, or in a bow above another point that it would cross. */
static void draw_arrow(const Plane *plane, Point a, Point b, Color color) {
    const Canvas *canvas = plane->stage->canvas;
    double length = point_distance(a, b), dot = DOT + 3;
    double head = fmin(ARROW_HEAD, length - dot);
    if (head < 3)
        return;
    double bow = runs_over(plane, a, b) ? copysign(BOW * length, b.x - a.x) : 0;
    Point over = {(a.x + b.x) / 2 + bow * (b.y - a.y) / length,
                  (a.y + b.y) / 2 - bow * (b.x - a.x) / length};
    double end = point_distance(over, b);
    double dx = (b.x - over.x) / end, dy = (b.y - over.y) / end;
    Point tip = {b.x - dot * dx, b.y - dot * dy};
    Point base = {tip.x - head * dx, tip.y - head * dy};
    Point kind[BOW_POINTS];
    for (size_t i = 0; i < BOW_POINTS; i++) {
        double t = (double)i / (BOW_POINTS - 1), s = 1 - t;
        kind[i] = (Point){s * s * a.x + 2 * s * t * over.x + t * t * base.x,
                          s * s * a.y + 2 * s * t * over.y + t * t * base.y};
    }
    if (bow == 0)
        scene_line(canvas->scene, a, base, ARROW, color);
    else
        scene_path(canvas->scene, kind, BOW_POINTS, ARROW, color);
    const Point points[] = {tip,
                            {base.x - head * 0.5 * dy, base.y + head * 0.5 * dx},
                            {base.x + head * 0.5 * dy, base.y - head * 0.5 * dx}};
    scene_polygon(canvas->scene, points, 3, color);
}

static void draw_difference(const Plane *plane, const PlaneArrow *arrow) {
    draw_arrow(plane, place_of(plane, arrow->from), place_of(plane, arrow->to),
               arrow->kind == PLANE_MOVE
                   ? state_color(plane, plane->paths.points[arrow->to].state)
                   : plane->stage->canvas->theme->other[0]);
}

/* Draws a single point as the tip of an arrow from 0, because a dot alone has no visible
 * position. */
static void draw_from_origin(const Plane *plane) {
    if (lie_all_together(plane))
        draw_arrow(plane, origin_of(plane), place_of(plane, 0),
                   plane->stage->canvas->theme->other[0]);
}

static void draw_arrows(const Plane *plane, PlaneArrowKind kind,
                        void (*draw)(const Plane *, const PlaneArrow *)) {
    for (size_t i = 0; i < plane->paths.arrow_count; i++) {
        if (plane->paths.arrows[i].kind == kind)
            draw(plane, &plane->paths.arrows[i]);
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

static bool is_free(const Plane *plane, Box box) {
    double dot = DOT + 2;
    for (size_t i = 0; i < plane->label_count; i++) {
        if (boxes_meet(plane->labels[i], box))
            return false;
    }
    for (size_t i = 0; i < plane->paths.count; i++) {
        Point at = place_of(plane, i);
        if (boxes_meet((Box){at.x - dot, at.y - dot, 2 * dot, 2 * dot}, box))
            return false;
    }
    return box.x >= plane->box.x && box.x + box.w <= plane->box.x + plane->box.w &&
           box.y >= plane->box.y && box.y + box.h <= plane->box.y + plane->box.h;
}

static bool is_crossed(const Plane *plane, Box box) {
    for (size_t i = 0; i < plane->paths.arrow_count; i++) {
        const PlaneArrow *arrow = &plane->paths.arrows[i];
        double thick = fmax(PULL * arrow->weight / 2, 0);
        if (runs_through(place_of(plane, arrow->from), place_of(plane, arrow->to),
                         box_inset(box, -thick)))
            return true;
    }
    Point zero = origin_of(plane); /* labels avoid the axes, too */
    if ((box.x < zero.x && box.x + box.w > zero.x) ||
        (box.y < zero.y && box.y + box.h > zero.y))
        return true;
    return lie_all_together(plane) && runs_through(zero, place_of(plane, 0), box);
}

/* Finds room for a label around its point, preferably where no arrow runs; returns false
 * if there is none. */
static bool label_place(const Plane *plane, size_t index, double width, double size,
                        Box *box) {
    double off = DOT + 5, half = size * 0.6;
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
                box->x = fmin(box->x, plane->box.x + plane->box.w - width);
            if (is_free(plane, *box) && (crossed || !is_crossed(plane, *box)))
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

static void draw_name(Plane *plane, size_t index, const char *label) {
    const Canvas *canvas = plane->stage->canvas;
    bool context = plane->paths.points[index].context;
    FontRole font = context ? FONT_TEXT : FONT_BOLD;
    double size = canvas_size(canvas, LABEL_UNITS, label);
    Box box;
    if (!label_place(plane, index, canvas_text_width(canvas, font, size, label), size,
                     &box))
        return;
    double gap = size * LABEL_GAP;
    plane->labels[plane->label_count++] =
        (Box){box.x - gap, box.y, box.w + 2 * gap, box.h};
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
        canvas_link_cell(canvas, point->node, point->row, plane->across);
        double lifted = is_named(plane, i) ? INNER : 1; /* both dots remain visible */
        canvas_dot(canvas, place_of(plane, i),
                   round(lifted * (point->context ? DOT * 0.8 : DOT)), fill,
                   hollow           ? theme->ink
                   : point->context ? theme->ink_faint
                                    : theme->page,
                   2);
        canvas_unlink(canvas);
    }
    for (int context = 0; context < 2;
         context++) { /* rows in the foreground get room first */
        for (size_t i = 0; i < plane->paths.count; i++) {
            const PlanePoint *point = &plane->paths.points[i];
            if (point->context == context && !point->state && !is_named(plane, i))
                draw_name(plane, i, names_at(plane, i)); /* arrows lead from there */
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
    const Stage *stage = plane->stage;
    const Canvas *canvas = stage->canvas;
    Heatmap table = stage_heatmap(stage, row->node, box, reach);
    Tensor *tensor = canvas_tensor_like(canvas, table.tensor);
    const char **label = arena_alloc(canvas->scene->arena, 1, sizeof *label);
    *label = row->label;
    *tensor = *table.tensor;
    tensor->rows = 1;
    tensor->values += row->row * tensor->cols;
    tensor->row_labels = label;
    table.tensor = tensor;
    table.first_row = row->row;
    table.number_size = canvas_size(canvas, NUMBER_UNITS, "");
    table.row_labels = true;
    table.label_room = fmin(heatmap_row_label_width(canvas, tensor), 170);
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
    Plane plane = {.stage = stage, .paths = plane_paths_of(stage)};
    (void)place;
    Box area = stage->area;
    double beside = round(area.w * TABLE_FRACTION);
    Box table = box_take_right(&area, plane.paths.states ? fmin(key_width(&plane), beside)
                                                         : beside);
    box_take_right(&area, GAP);
    box_take_left(&area, 56);
    box_take_top(&area, 34);
    box_take_bottom(&area, 58);
    plane.box = area;
    if (area.w < 2 || area.h < 2 || !plane.paths.count)
        return;
    choose_axes(&plane);
    choose_scale(&plane);
    draw_axes(&plane);
    draw_note(&plane);
    draw_arrows(&plane, PLANE_PULL, draw_pull);
    draw_arrows(&plane, PLANE_SIDE, draw_side);
    draw_arrows(&plane, PLANE_DIFFERENCE, draw_difference);
    draw_arrows(&plane, PLANE_MOVE, draw_difference);
    draw_from_origin(&plane);
    draw_points(&plane);
    if (plane.paths.states)
        draw_key(&plane, (Box){table.x, plane.box.y, table.w, plane.box.h});
    else
        draw_table(&plane, table);
}
