#include "picture/tensors/views.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/number.h"
#include "picture/charts/charts.h"
#include "picture/draw/patterns.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* Columns as curves over the rows, one lane for each. A positional encoding is drawn as
 * waves between whole positions by its formula, and, if positions have no tokens, beyond
 * them until slow waves bend visibly; rows of other tensors are joined by straight lines.
 * The focused row is a line through all lanes, with its numbers on the right as one
 * column of cells; in a positional encoding each pair of them is a clock's hand, which
 * rotates with the position, with its period in positions below. */

static const double LABEL_UNITS = 15, LEAST_LANE = 26, LARGEST_LANE = 150;
static const double NOTE_UNITS = 13.5;    /* below a dial */
static const double CELL_UNITS = 18;      /* size of the numbers */
static const double LANE_FRACTION = 0.88; /* largest fraction of its height for a curve */
static const double DIAL = 116, LEAST_DIAL = 18;    /* units: radius of a dial */
static const double LEAST_PLOT = 60;                /* least width left beside dials */
static const double DIAL_FRACTION = 0.68;           /* fraction of a lane's height */
static const double BEFORE_DIAL = 30, HAND_TIP = 5; /* room for the bracket */
static const double BRACKET = 6;      /* units, from numbers to their hand */
static const double DENSE_POINTS = 2; /* rows nearer together are drawn as a band */
static const double NEAR_POINTS = 5;  /* dots nearer together are left out */
static const double FULL_CIRCLE = 6.283185307179586;
enum { LANES_MAX = 16, CURVE_MAX = 1200, PLACES_LEAST = 60 };
static const int BEHIND_ALPHA = 110; /* opacity of the curve behind the last row */

typedef struct Waves {
    const Stage *stage;
    const Tensor *tensor;
    bool positions; /* the tensor is a positional encoding */
    size_t row;
    Series series; /* the numbers of the row */
    size_t span;   /* positions that there is room for: the rows, or more */
    size_t lane_count;
    size_t lanes[LANES_MAX]; /* columns that are drawn */
    double reach, lane;      /* largest |value|; height of a lane */
    /* Areas of the lanes, of the focused row's numbers, and of their dials. */
    Box plot, cells, dials;
    double radius, note; /* radius of a dial; height of the note below it, 0: none */
    ColorScale scale;
} Waves;

/* ---- choice of columns ---- */

/* Chooses columns evenly; in a positional encoding in pairs, sine and cosine of one
 * angle. */
static void choose_lanes(Waves *waves, size_t most) {
    size_t cols = waves->tensor->cols, unit = waves->positions ? 2 : 1;
    waves->lane_count = cols < most ? cols : most;
    if (cols > most && waves->lane_count > unit)
        waves->lane_count -= waves->lane_count % unit;
    size_t groups = waves->lane_count / unit, last = cols / unit - 1;
    for (size_t i = 0; i < waves->lane_count; i++) {
        size_t group = i / unit;
        waves->lanes[i] = cols <= most ? i
                          : groups < 2 ? i
                                       : group * last / (groups - 1) * unit + i % unit;
    }
}

/* Replaces the nearest chosen column by the focused one; in a positional encoding
 * together with the other one of its pair. */
static void include_focus(Waves *waves) {
    size_t focus = waves->series.focus, best = 0;
    if (!series_has_focus(&waves->series))
        return;
    for (size_t i = 0; i < waves->lane_count; i++) {
        double now = fabs((double)waves->lanes[i] - (double)focus);
        double so_far = fabs((double)waves->lanes[best] - (double)focus);
        best = now < so_far ? i : best;
    }
    size_t other = focus ^ 1, beside = best ^ 1;
    waves->lanes[best] = focus;
    if (waves->positions && beside < waves->lane_count && other < waves->tensor->cols) {
        waves->lanes[best & ~(size_t)1] = focus & ~(size_t)1;
        waves->lanes[best | 1] = focus | 1;
    }
}

/* ---- layout ---- */

static double pitch_of(const Waves *waves) {
    return waves->plot.w / (double)waves->span;
}

static double x_of(const Waves *waves, double position) {
    return waves->plot.x + pitch_of(waves) * (position + 0.5);
}

static Box lane_box(const Waves *waves, size_t lane) {
    double top = round(waves->plot.y + waves->lane * (double)lane);
    double bottom = round(waves->plot.y + waves->lane * (double)(lane + 1));
    return (Box){waves->plot.x, top, waves->plot.w, bottom - top};
}

static Point point_of(const Waves *waves, size_t lane, double position, double value) {
    Box box = lane_box(waves, lane);
    return (Point){x_of(waves, position),
                   box.y + box.h / 2 - value / waves->reach * box.h / 2 * LANE_FRACTION};
}

static Color lane_color(const Waves *waves, size_t lane) {
    const Theme *theme = waves->stage->canvas->theme;
    if (!waves->positions)
        return theme->other[1];
    return waves->lanes[lane] % 2 ? theme->other[0] : theme->other[1];
}

/* Dashes of a lane in themes of patterns: a sine's, not a cosine's. */
static PatternDash lane_dash(const Waves *waves, size_t lane) {
    size_t turn = waves->positions && waves->lanes[lane] % 2 == 0;
    return pattern_nth(waves->stage->canvas->theme, turn);
}

/* ---- curves ---- */

static bool is_drawn(const Waves *waves, size_t row, size_t col) {
    return view_cell_visible(waves->stage, row, col) &&
           !tensor_is_masking(tensor_at(waves->tensor, row, col));
}

/* Encoding between whole positions. Source: Vaswani et al. 2017, section 3.5. */
static double encoding_at(const Waves *waves, size_t col, double position) {
    double pair = (double)(col / 2 * 2) / (double)waves->tensor->cols;
    double angle = position / pow(10000, pair);
    return col % 2 ? cos(angle) : sin(angle);
}

static void draw_formula_between(const Waves *waves, size_t lane, double first,
                                 double last, Color color) {
    const Canvas *canvas = waves->stage->canvas;
    size_t count = (size_t)fmin(fmax(waves->plot.w / 2, 2), CURVE_MAX);
    Point *points = arena_alloc(canvas->scene->arena, count, sizeof *points);
    if (!(last > first))
        return;
    for (size_t i = 0; i < count; i++) {
        double position = first + (last - first) * (double)i / (double)(count - 1);
        points[i] = point_of(waves, lane, position,
                             encoding_at(waves, waves->lanes[lane], position));
    }
    pattern_path(canvas, lane_dash(waves, lane), points, count, 2, 1, color);
}

static void draw_formula_curve(const Waves *waves, size_t lane) {
    size_t rows = waves->tensor->rows, col = waves->lanes[lane];
    Color color = lane_color(waves, lane), behind = color;
    behind.a = (uint8_t)BEHIND_ALPHA;
    while (rows && !view_cell_visible(waves->stage, rows - 1, col))
        rows--;
    draw_formula_between(waves, lane, -0.5, (double)rows - 0.5, color);
    if (rows == waves->tensor->rows)
        draw_formula_between(waves, lane, (double)rows - 0.5, (double)waves->span - 0.5,
                             behind);
}

/* Draws straight lines from row to row; masked numbers and those not computed yet leave a
 * gap. */
static void draw_joined_points(const Waves *waves, size_t lane) {
    const Canvas *canvas = waves->stage->canvas;
    size_t rows = waves->tensor->rows, col = waves->lanes[lane];
    Point *points = arena_alloc(canvas->scene->arena, rows, sizeof *points);
    for (size_t i = 0; i < rows;) {
        size_t count = 0;
        while (i < rows && !is_drawn(waves, i, col))
            i++;
        for (; i < rows && is_drawn(waves, i, col); i++)
            points[count++] =
                point_of(waves, lane, (double)i, tensor_at(waves->tensor, i, col));
        if (count > 1)
            scene_path(canvas->scene, points, count, 2, lane_color(waves, lane));
    }
}

/* Draws a band from the smallest to the largest number at each point, if there are more
 * rows than points; it is visible even where it is flat. */
static void draw_envelope(const Waves *waves, size_t lane) {
    const Canvas *canvas = waves->stage->canvas;
    size_t rows = waves->tensor->rows, col = waves->lanes[lane];
    size_t most = (size_t)fmax(waves->plot.w / 2, 2), count = 0;
    Point *points = arena_alloc(canvas->scene->arena, 2 * most, sizeof *points);
    for (size_t i = 0; i < most; i++) {
        double low = INFINITY, high = -INFINITY, thick = 0.75;
        for (size_t row = i * rows / most; row < (i + 1) * rows / most; row++) {
            if (!is_drawn(waves, row, col))
                continue;
            low = fmin(low, tensor_at(waves->tensor, row, col));
            high = fmax(high, tensor_at(waves->tensor, row, col));
        }
        if (low > high)
            continue;
        double position = ((double)i + 0.5) * (double)rows / (double)most - 0.5;
        Point *upper = &points[count], *lower = &points[2 * most - ++count];
        *upper = point_of(waves, lane, position, high);
        *lower = point_of(waves, lane, position, low);
        upper->y -= thick;
        lower->y += thick;
    }
    if (count < 2)
        return;
    memmove(points + count, points + 2 * most - count, count * sizeof *points);
    scene_polygon(canvas->scene, points, 2 * count, lane_color(waves, lane));
}

static void draw_dot(const Waves *waves, size_t lane, size_t row) {
    const Canvas *canvas = waves->stage->canvas;
    size_t col = waves->lanes[lane];
    if (!is_drawn(waves, row, col))
        return;
    double value = tensor_at(waves->tensor, row, col);
    Point at = point_of(waves, lane, (double)row, value);
    double radius =
        fmin(round(row == waves->row ? 6.5 : 4.5), fmax(pitch_of(waves) * 0.35, 2));
    at = (Point){round(at.x - radius) + radius, round(at.y - radius) + radius};
    canvas_dot(canvas, at, radius, color_scale_at(&waves->scale, value),
               row == waves->row ? canvas->theme->focus : lane_color(waves, lane),
               row == waves->row ? 2 : 1);
}

/* Draws dots; each can be pointed at anywhere in its row's part of the lane. */
static void draw_dots(const Waves *waves, size_t lane) {
    const Canvas *canvas = waves->stage->canvas;
    Box box = lane_box(waves, lane);
    double pitch = pitch_of(waves);
    for (size_t i = 0; i < waves->tensor->rows; i++) {
        if (pitch < 1 && i != waves->row)
            continue; /* too small to be pointed at */
        canvas_link_cell(canvas, waves->stage->node, i, waves->lanes[lane]);
        canvas_target(canvas, (Box){box.x + pitch * (double)i, box.y, pitch, box.h});
        if (pitch >= NEAR_POINTS || i == waves->row)
            draw_dot(waves, lane, i);
    }
    canvas_unlink(canvas);
}

/* ---- labels ---- */

/* Label of a lane: "dim 0 (sin)", "dim 1 (cos)", or the column's own label. */
static const char *lane_label(const void *of, size_t lane) {
    const Waves *waves = of;
    size_t col = waves->lanes[lane];
    if (waves->positions && !waves->series.labels)
        return canvas_words(waves->stage->canvas, "view.dimension",
                            canvas_count(waves->stage->canvas, col),
                            col % 2 ? "cos" : "sin", NULL);
    return series_label(&waves->series, col);
}

/* Period of a pair of waves in positions: "135 places". */
static const char *period_words(const void *of, size_t pair) {
    const Waves *waves = of;
    double col = (double)waves->lanes[2 * pair];
    double length = FULL_CIRCLE * pow(10000, col / (double)waves->tensor->cols);
    char text[NUMBER_SIZE];
    number_format_short(text, length, length < 10 ? 1 : 0);
    return canvas_words(waves->stage->canvas, "view.wave_length", text, NULL);
}

/* Draws a lane's label at the curve's left end, within the lane. */
static void draw_lane_label(const Waves *waves, size_t lane, double room) {
    const Canvas *canvas = waves->stage->canvas;
    size_t col = waves->lanes[lane];
    const char *label = lane_label(waves, lane);
    double size = canvas_size(canvas, LABEL_UNITS, label);
    Box box = lane_box(waves, lane);
    double first =
        waves->positions ? encoding_at(waves, col, 0) : tensor_at(waves->tensor, 0, col);
    double y = point_of(waves, lane, 0, isfinite(first) ? first : 0).y - size / 2;
    y = fmax(fmin(y, box.y + box.h - size), box.y);
    chart_text(canvas, col == waves->series.focus ? FONT_BOLD : FONT_TEXT, size,
               lane_color(waves, lane), (Box){box.x - 12 - room, y, room, size},
               LABEL_RIGHT, label);
}

static const char *row_label(const Waves *waves, size_t row) {
    return view_label(waves->stage->canvas, waves->tensor->row_labels, row);
}

/* Draws a row's label below the lanes unless it would meet another or the page's end. */
static void draw_row_label(const Waves *waves, size_t row, Taken *taken) {
    const Canvas *canvas = waves->stage->canvas;
    const char *label = row_label(waves, row);
    bool focus = row == waves->row;
    double size = canvas_size(canvas, LABEL_UNITS, label), gap = 10;
    double width = canvas_text_width(canvas, FONT_BOLD, size, label);
    Box box = {x_of(waves, (double)row) - width / 2, waves->plot.y + waves->plot.h + 8,
               width, 24};
    if (!focus && box.x + width > waves->stage->area.x + waves->stage->area.w)
        return;
    if (taken_add(taken, (Box){box.x, box.y, width + gap, box.h}))
        canvas_text(canvas, focus ? FONT_BOLD : FONT_TEXT, size,
                    focus ? canvas->theme->ink : canvas->theme->ink_soft,
                    (Point){box.x + width / 2, box.y + 18}, LABEL_CENTER, label);
}

/* Draws rows' labels: the focused one, and others at a distance; numbers are
 * equidistant. */
static void draw_row_labels(const Waves *waves) {
    const Canvas *canvas = waves->stage->canvas;
    const char *last = row_label(waves, waves->span - 1);
    double size = canvas_size(canvas, LABEL_UNITS, last), gap = 10;
    double room = canvas_text_width(canvas, FONT_BOLD, size, last) + gap;
    size_t every =
        waves->tensor->row_labels ? 1 : plot_stride(fmax(room / pitch_of(waves), 1));
    Taken taken = {0};
    draw_row_label(waves, waves->row, &taken);
    for (size_t i = 0; i < waves->span; i += every)
        draw_row_label(waves, i, &taken);
}

/* ---- the focused row's numbers ---- */

/* Draws the row's label above its numbers; a long one reaches over the lanes. */
static void draw_cells_label(const Waves *waves) {
    const Canvas *canvas = waves->stage->canvas;
    const char *label = row_label(waves, waves->row);
    if (waves->positions && !waves->tensor->row_labels)
        label = canvas_words(canvas, "view.position", label, NULL);
    double wanted = canvas_size(canvas, LABEL_UNITS + 1, label);
    double width = canvas_text_width(canvas, FONT_BOLD, wanted, label);
    double right = waves->cells.x + waves->cells.w;
    bool within = width <= waves->cells.w;
    canvas_text_within(
        canvas, FONT_BOLD, wanted, waves->cells.w + waves->plot.w / 2, canvas->theme->ink,
        (Point){within ? right - waves->cells.w / 2 : right, waves->cells.y - 10},
        within ? LABEL_CENTER : LABEL_RIGHT, label);
}

static void draw_cells(const Waves *waves) {
    const Stage *stage = waves->stage;
    const Canvas *canvas = stage->canvas;
    double size = fmin(canvas_size(canvas, CELL_UNITS, ""), floor(waves->lane * 0.7));
    Heatmap table = stage_heatmap(stage, stage->node, waves->cells, waves->reach);
    stage_result(stage, &table);
    for (size_t i = 0; i < waves->lane_count; i++) {
        size_t col = waves->lanes[i];
        Box lane = lane_box(waves, i);
        Box box = {waves->cells.x, lane.y + 1, waves->cells.w, lane.h - 2};
        double value = waves->series.values[col];
        Color ground = color_scale_at(&waves->scale, value);
        canvas_link(canvas, series_link(&waves->series, col));
        if (series_is_visible(&waves->series, col)) {
            canvas_fill(canvas, box, 3, ground);
            bool hatched = pattern_negative(canvas, box, value);
            if (size >= CELL_UNITS)
                heatmap_draw_digits(
                    canvas, size, box, ground, hatched,
                    (Point){box.x + box.w - 10, label_baseline(box.y + box.h / 2, size)},
                    series_number(&waves->series, col));
            heatmap_mark_differing(canvas, &table, waves->row, col, box);
        } else {
            canvas_outline(canvas, box, 3, canvas->theme->line, 1);
        }
        canvas_unlink(canvas);
        if (col == waves->series.focus)
            canvas_outline(canvas, box_inset(box, -2), 5, canvas->theme->focus, 2);
    }
    draw_cells_label(waves);
}

/* Draws a bracket from two numbers to their hand. */
static void draw_pair(const Waves *waves, const Dial *dial, double middle) {
    const Canvas *canvas = waves->stage->canvas;
    double left = waves->cells.x + waves->cells.w + 5, half = waves->lane - 6;
    Point c = dial->centre;
    const Point bracket[] = {{left, middle - half},
                             {left + BRACKET, middle - half},
                             {left + BRACKET, middle + half},
                             {left, middle + half}};
    scene_path(canvas->scene, bracket, 4, 1.5, canvas->theme->ink_faint);
    scene_line(canvas->scene, (Point){left + BRACKET, c.y},
               (Point){c.x - dial->radius, c.y}, 1.5, canvas->theme->ink_faint);
}

/* Draws the hand of each pair of numbers. */
static void draw_dials(const Waves *waves) {
    const Canvas *canvas = waves->stage->canvas;
    const Series *series = &waves->series;
    for (size_t i = 0; i + 1 < waves->lane_count && waves->dials.w > 0; i += 2) {
        size_t col = waves->lanes[i];
        Box upper = lane_box(waves, i), lower = lane_box(waves, i + 1);
        if (waves->lanes[i + 1] != col + 1 || !series_is_visible(series, col + 1))
            continue;
        Dial dial = {.centre = {waves->dials.x + (waves->dials.w + BEFORE_DIAL) / 2,
                                (upper.y + lower.y + lower.h) / 2 - waves->note / 2},
                     .radius = waves->radius,
                     .angle_step = pow(10000, -(double)col / (double)waves->tensor->cols),
                     .count = waves->tensor->rows,
                     .sine = series->values[col],
                     .cosine = series->values[col + 1],
                     .across = lane_color(waves, i),
                     .up = lane_color(waves, i + 1),
                     .sine_link = series_link(series, col),
                     .cosine_link = series_link(series, col + 1)};
        draw_pair(waves, &dial, lower.y);
        dial_draw(canvas, &dial);
        if (waves->note > 0)
            canvas_text(canvas, FONT_TEXT, waves->note, canvas->theme->ink_soft,
                        (Point){dial.centre.x, round(dial.centre.y + dial.radius +
                                                     HAND_TIP + waves->note * 0.78)},
                        LABEL_CENTER, period_words(waves, i / 2));
    }
}

/* Draws a line through all lanes and on to the column of numbers. */
static void draw_focus_line(const Waves *waves) {
    const Canvas *canvas = waves->stage->canvas;
    double x = round(x_of(waves, (double)waves->row)) + 0.5;
    double bottom = waves->plot.y + waves->lane * (double)waves->lane_count;
    scene_line(canvas->scene, (Point){x, waves->plot.y - 4}, (Point){x, bottom + 6}, 2,
               canvas->theme->focus);
}

/* ---- the whole ---- */

/* Width of the widest number of any row, so that the layout doesn't depend on the focused
 * row. */
static double widest_number(const Waves *waves) {
    const Canvas *canvas = waves->stage->canvas;
    double size = canvas_size(canvas, 16, "");
    const char *largest = view_number(waves->stage, waves->stage->node, -waves->reach);
    return fmax(canvas_text_width(canvas, FONT_TEXT, size, "−0.000"),
                canvas_text_width(canvas, FONT_TEXT, size, largest));
}

static void place_lanes(Waves *waves, Box area) {
    box_take_bottom(&area, 36);
    double most = floor(area.h / LEAST_LANE);
    choose_lanes(waves, (size_t)fmax(fmin(most, LANES_MAX), 1));
    include_focus(waves);
    const Canvas *canvas = waves->stage->canvas;
    double number = widest_number(waves);
    double cells = number + 24, gap = 28;
    waves->lane = fmin(area.h / (double)waves->lane_count, LARGEST_LANE);
    double left = ceil(fmin(chart_widest(canvas, FONT_BOLD, LABEL_UNITS,
                                         waves->lane_count, lane_label, waves),
                            area.w * 0.4)) +
                  12;
    double height = waves->lane * (double)waves->lane_count;
    area.y = round(area.y + (area.h - height) / 2);
    area.h = height;
    box_take_left(&area, left);
    box_take_right(&area, 2); /* for the outline of the focus */
    waves->note = canvas_size(canvas, NOTE_UNITS, "");
    double below = floor(waves->lane - HAND_TIP - waves->note / 2);
    if (below < LEAST_DIAL)
        waves->note = 0;
    waves->radius = fmin(floor(waves->lane * DIAL_FRACTION), DIAL);
    waves->radius = waves->note > 0 ? fmin(waves->radius, below) : waves->radius;
    double dials =
        BEFORE_DIAL + 2 +
        fmax(2 * waves->radius, chart_widest(canvas, FONT_TEXT, NOTE_UNITS,
                                             waves->note > 0 ? waves->lane_count / 2 : 0,
                                             period_words, waves));
    if (waves->positions && waves->radius >= LEAST_DIAL &&
        area.w - dials - cells - gap >= LEAST_PLOT)
        waves->dials = box_take_right(&area, dials);
    waves->cells = box_take_right(&area, cells);
    box_take_right(&area, gap);
    waves->plot = area;
}

static void draw_lanes(const Waves *waves) {
    const Canvas *canvas = waves->stage->canvas;
    double room = waves->plot.x - waves->stage->area.x - 12;
    Box there = waves->plot;
    there.w = pitch_of(waves) * (double)waves->tensor->rows;
    if (waves->span > waves->tensor->rows)
        canvas_fill(canvas, there, 4, canvas->theme->panel);
    for (size_t i = 0; i < waves->lane_count; i++) {
        Box box = lane_box(waves, i);
        double middle = round(box.y + box.h / 2) + 0.5;
        scene_line(canvas->scene, (Point){box.x, middle}, (Point){box.x + box.w, middle},
                   1, canvas->theme->line);
        draw_lane_label(waves, i, room);
    }
    draw_focus_line(waves);
    for (size_t i = 0; i < waves->lane_count; i++) {
        if (pitch_of(waves) < DENSE_POINTS)
            draw_envelope(waves, i);
        else if (waves->positions)
            draw_formula_curve(waves, i);
        else
            draw_joined_points(waves, i);
    }
    for (size_t i = 0; i < waves->lane_count; i++)
        draw_dots(waves, i);
}

void waves_view(const Stage *stage, ViewPlace view_place) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    Waves waves = {.stage = stage,
                   .tensor = &node->output,
                   .positions = node->operation == OPERATION_POSITIONAL_ENCODING,
                   .row = view_row(stage),
                   .series = view_series(stage),
                   .span = node->output.rows,
                   .reach = heatmap_reach(&node->output)};
    bool shares = stage_colors(stage->tape, stage->node) == HEATMAP_PROBABILITIES;
    StageScale legend = {HEATMAP_SIGNED, waves.reach};
    if (shares)
        legend = (StageScale){HEATMAP_PROBABILITIES, 1};
    waves.scale = heatmap_scale(canvas, legend.colors, legend.reach);
    bool slow = waves.positions && node->output.cols > 2 && !node->output.row_labels;
    if (slow && waves.span < PLACES_LEAST)
        waves.span = PLACES_LEAST;
    Box area = stage->area;
    Box head = box_take_top(&area, 34);
    box_take_top(&area, 30);
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    place_lanes(&waves, area);
    view_caption(stage, head, view_hue(stage, view_place));
    if (waves.lane_count < waves.tensor->cols)
        canvas_label(canvas, FONT_TEXT, 14, canvas->theme->ink_faint,
                     (Point){head.x, round(head.y + head.h * 0.65)}, LABEL_LEFT,
                     canvas_words(canvas, "view.some_columns",
                                  canvas_count(canvas, waves.lane_count),
                                  canvas_count(canvas, waves.tensor->cols), NULL));
    draw_lanes(&waves);
    draw_row_labels(&waves);
    draw_cells(&waves);
    draw_dials(&waves);
    stage_legends(stage, stage->area, &legend, 1);
}
