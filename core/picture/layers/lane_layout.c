#include "picture/layers/lane_layout.h"

#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Lengths in units. */
static const double GATE_WIDTH = 36, GATE_HEIGHT = 40, WIDEST_GAP = 110,
                    LABELS_WIDE = 104;
static const double LEG = 34, GATED_LEG = 92, LARGEST_BOX = 250, SMALLEST_BOX = 96;
static const double BOX_LEAST = 150; /* title and edges, content, a row */
static const double TIERS = 44;      /* additional height for labels in tiers */
static const double LEGEND_GAP = 8;

static const LaneLoop *loop_at(const LaneLayout *lanes, size_t index) {
    return &lanes->parts.loops[index];
}

size_t lane_node_at(const LaneLayout *lanes, size_t index) {
    return index ? lanes->parts.loops[index - 1].out : lanes->parts.loops[0].in;
}

/* ---- measuring ---- */

/* Token whose row has numbers: the one pointed at, else the focus's. */
static size_t chosen_row(const LaneLayout *lanes, size_t count) {
    const Stage *stage = lanes->stage;
    Link at = stage->canvas->pointed;
    for (size_t i = 0; at.kind == LINK_CELL && i < lanes->parts.count; i++) {
        const LaneLoop *loop = loop_at(lanes, i);
        bool known = at.index == loop->in || at.index == loop->out ||
                     at.index == loop->sum || at.index == loop->node ||
                     at.index == loop->norm;
        if (known && at.row < count)
            return at.row;
    }
    return stage->has_focus && stage->focus_row < count ? stage->focus_row : count - 1;
}

/* Column that is explained, which the tables should show; 0: none. */
static size_t focus_column(const LaneLayout *lanes) {
    const Stage *stage = lanes->stage;
    bool own = stage->has_focus && stage->focus_node == stage->node;
    return own ? stage->focus_col : 0;
}

/* Lists all tensors that have tables or rows; returns their number. */
static size_t list_tensors(LaneLayout *lanes, const Tensor **tensors) {
    size_t count = 0;
    tensors[count++] = stage_tensor(lanes->stage, lane_node_at(lanes, 0));
    for (size_t i = 0; i < lanes->parts.count; i++) {
        tensors[count++] = stage_tensor(lanes->stage, loop_at(lanes, i)->node);
        tensors[count++] = stage_tensor(lanes->stage, loop_at(lanes, i)->sum);
        tensors[count++] = stage_tensor(lanes->stage, loop_at(lanes, i)->out);
    }
    for (size_t i = 0; i < count; i++)
        lanes->reach = fmax(i ? lanes->reach : 0, heatmap_reach(tensors[i]));
    return count;
}

/* Number of tables and gaps of a loop. */
static double loop_tables(const LaneLayout *lanes) {
    return lanes->sums ? 2 : 1;
}

static double loop_gaps(const LaneLayout *lanes) {
    return lanes->gated ? 2 + loop_tables(lanes) : 2;
}

/* Length of a loop on the lane without its tables and gaps. */
static double loop_width(const LaneLayout *lanes) {
    return 2 * LANE_SUM_RADIUS + (lanes->gated ? GATE_WIDTH : 0);
}

/* Reports whether type is enlarged; it is then reduced before boxes become empty. */
static bool is_large(const LaneLayout *lanes) {
    return lanes->stage->canvas->enlarged > 1;
}

static double least_box(const LaneLayout *lanes) {
    return round(BOX_LEAST + (is_large(lanes) && lanes->crosses ? TIERS : 0));
}

static double room_for_rows(const LaneLayout *lanes, double box, double leg) {
    return lanes->area.h - (lanes->crosses ? LANE_MEMORY : 0) - box - leg -
           (LANE_CAPTION + 2 * LANE_MARGIN) - STAGE_LEGEND_HEIGHT;
}

static void measure(LaneLayout *lanes) {
    const Canvas *canvas = lanes->stage->canvas;
    const Tensor *tensors[3 * LANE_LOOPS_MAX + 1];
    size_t count = list_tensors(lanes, tensors);
    double n = (double)lanes->parts.count;
    lanes->labels = fmin(heatmap_row_label_width(canvas, tensors[0]), LABELS_WIDE);
    double free = lanes->area.w - lanes->labels - LANE_TAIL -
                  n * (loop_width(lanes) + loop_gaps(lanes) * LANE_GAP);
    double leg = lanes->gated ? LEG : GATED_LEG;
    double height = room_for_rows(lanes, LARGEST_BOX * 0.8, leg);
    if (height < 90)
        height = fmin(room_for_rows(lanes, least_box(lanes), leg), 90);
    lanes->rows = word_rows_measure(
        canvas, tensors, count, chosen_row(lanes, tensors[0]->rows), focus_column(lanes),
        floor(free / (n * loop_tables(lanes) + 1)), height);
}

/* ---- placing ---- */

static void place_across(LaneLayout *lanes) {
    size_t n = lanes->parts.count;
    double table = word_rows_width(&lanes->rows), loops = (double)n;
    double radius = LANE_SUM_RADIUS;
    double used = lanes->labels + LANE_TAIL + (loops * loop_tables(lanes) + 1) * table +
                  loops * loop_width(lanes);
    double gaps = loops * loop_gaps(lanes);
    double gap = fmin((lanes->area.w - used) / gaps, WIDEST_GAP);
    double x = lanes->area.x + lanes->labels +
               fmax(floor((lanes->area.w - used - gaps * gap) / 2), 0);
    for (size_t i = 0; i <= n; i++) {
        LanePlace *at = &lanes->places[i];
        at->table.x = round(x);
        at->leg = round(x + table * 0.5);
        at->sum = round(x + table + gap + radius);
        at->sum_rows.x = round(at->sum + radius + gap);
        at->gate =
            (Box){lanes->sums ? round(at->sum_rows.x + table + gap) : at->sum_rows.x, 0,
                  GATE_WIDTH, 0};
        double end = lanes->gated ? at->gate.x + GATE_WIDTH : at->sum + radius;
        at->box = (Box){at->table.x, 0, round(end - x), 0};
        x = end + gap;
    }
}

/* Height of the sums' rows below the tables' names, with their own names. */
static double hanging_height(const LaneLayout *lanes) {
    return lanes->sums_below ? lanes->rows.row + LANE_CAPTION + 2 * LANE_MARGIN : 0;
}

static void place_down(LaneLayout *lanes) {
    double rows = word_rows_height(&lanes->rows), cells = rows - lanes->rows.below;
    double margin = LANE_MARGIN, leg = lanes->gated ? LEG : GATED_LEG;
    double hangs = hanging_height(lanes);
    double below = 2 * margin + LANE_CAPTION + hangs + STAGE_LEGEND_HEIGHT;
    double memory = lanes->crosses ? LANE_MEMORY : 0;
    double room = lanes->area.h - memory - leg - rows - below;
    double least = is_large(lanes) && !lanes->bare ? least_box(lanes) : SMALLEST_BOX;
    double box = fmax(fmin(room, LARGEST_BOX), least);
    double top = round(lanes->area.y + memory + fmax((room - box) / 2, 0));
    double table = top + box + leg + margin;
    lanes->line = round(table + cells / 2);
    lanes->below = round(table + rows + 2 * margin + LANE_CAPTION);
    double gate = fmax(cells + 2 * margin, GATE_HEIGHT);
    for (size_t i = 0; i <= lanes->parts.count; i++) {
        LanePlace *at = &lanes->places[i];
        at->table.y = table;
        at->box.y = top;
        at->box.h = box;
        at->gate.y = round(lanes->line - gate / 2);
        at->gate.h = gate;
        at->sum_rows.y = table;
        if (!lanes->gated) {
            double width = round(1.7 * GATE_WIDTH);
            at->gate =
                (Box){at->leg - width / 2, round(top + box + (leg - GATE_HEIGHT) / 2),
                      width, GATE_HEIGHT};
        }
    }
}

static void lay(LaneLayout *lanes) {
    measure(lanes);
    place_across(lanes);
    place_down(lanes);
}

/* Reports whether everything has room vertically at its smallest. */
static bool fits(const LaneLayout *lanes) {
    const LanePlace *last = &lanes->places[lanes->parts.count];
    double below =
        LANE_MARGIN + LANE_CAPTION + hanging_height(lanes) + STAGE_LEGEND_HEIGHT;
    return last->table.y + word_rows_height(&lanes->rows) + below <=
           lanes->area.y + lanes->area.h + LANE_MARGIN + 1;
}

bool lane_layout(LaneLayout *lanes) {
    lanes->area = lanes->stage->area;
    double legend = heatmap_legend_height(lanes->stage->canvas) + LEGEND_GAP;
    box_take_bottom(&lanes->area, fmax(legend - STAGE_LEGEND_HEIGHT, 0));
    lanes->gated = lanes->crosses = false;
    for (size_t i = 0; i < lanes->parts.count; i++) {
        const LaneLoop *loop = loop_at(lanes, i);
        lanes->gated |= loop->norm != TAPE_NONE && !loop->norm_first;
        lanes->crosses |= loop->memory != TAPE_NONE;
    }
    lanes->sums = lanes->gated;
    lay(lanes);
    if (lanes->sums && lanes->rows.below > 0) {
        lanes->sums = false;
        lay(lanes);
        lanes->sums_below = lanes->rows.below == 0;
        place_down(lanes);
        if (lanes->sums_below && (!fits(lanes) || lanes->places[0].box.h < BOX_LEAST)) {
            lanes->sums_below = false;
            place_down(lanes);
        }
    }
    return is_large(lanes) || fits(lanes);
}
