#include "base/strings/language.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/part_name.h"
#include "picture/draw/roles.h"
#include "picture/formula/formula.h"
#include "picture/layers/layers_parts.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* A residual lane: tables, ⊕ and gates along it, the sublayers' boxes above. If norms are
 * gates on the lane and it is long enough, the tables of all sums stand on it, too,
 * between ⊕ and gate. All rows and columns are as large as the stage allows. */

/* Lengths in units: along the lane, around and below a table, behind the last one. */
static const double SUM_RADIUS = 21, MARGIN = 6, GAP = 8, WIDEST_GAP = 110, CAPTION = 28,
                    TAIL = 30, GATE_WIDTH = 36, GATE_HEIGHT = 40, LABELS_WIDE = 104;

/* Height above the boxes if there is an encoder output; of legs and boxes; of a title and
 * edges, content, and a row; additional height for labels in tiers. */
static const double MEMORY = 76, LEG = 34, GATED_LEG = 92, LARGEST_BOX = 250,
                    USUAL_BOX = 200, USUAL_ROWS = 90, SMALLEST_BOX = 96, BOX_LEAST = 150,
                    TIERS = 44, LEGEND_GAP = 8;
static const double LABELS_SHARE = 0.15; /* of the area's width, at most, for tokens */
static const double NAME = 18, TITLE = 19, LABEL = 15, HANGS = 4;

/* Positions of one loop's parts in points. */
typedef struct Place {
    Point table;    /* corner of the table before the loop */
    double leg;     /* x at which the loop leaves */
    double sum;     /* centre of ⊕ */
    Box gate;       /* of the norm */
    Box box;        /* of the sublayer */
    Point sum_rows; /* corner of the sum's table between ⊕ and gate, if there is one */
} Place;

/* A lane with all its parts. */
typedef struct Lanes {
    const Stage *stage;
    LaneParts parts;
    WordRows rows;
    double reach;
    Box area;
    double labels;   /* width of the tokens on the left, with their gap */
    double line;     /* y of the lane on the page */
    bool gated;      /* norms lie on the lane */
    bool sums;       /* the sums have tables on the lane */
    bool sums_below; /* the chosen token's row of each sum hangs from its ⊕ */
    double below;    /* y of the upper edge of those rows */
    bool crosses;
    bool bare; /* boxes may be empty to be lower; set by the caller */
    Place places[LANE_LOOPS_MAX + 1]; /* the last one has only a table */
} Lanes;

static const LaneLoop *loop_at(const Lanes *lanes, size_t index) {
    return &lanes->parts.loops[index];
}

/* Node on the lane before a loop, or behind the last one. */
static size_t node_at(const Lanes *lanes, size_t index) {
    return index ? lanes->parts.loops[index - 1].out : lanes->parts.loops[0].in;
}

/* ---- measuring ---- */

/* Token whose row has numbers: the one pointed at, else the focus's. */
static size_t chosen_row(const Lanes *lanes, size_t count) {
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
static size_t focus_column(const Lanes *lanes) {
    const Stage *stage = lanes->stage;
    bool own = stage->has_focus && stage->focus_node == stage->node;
    return own ? stage->focus_col : 0;
}

/* Lists all tensors that have tables or rows; returns their number. */
static size_t list_tensors(Lanes *lanes, const Tensor **tensors) {
    size_t count = 0;
    tensors[count++] = stage_tensor(lanes->stage, node_at(lanes, 0));
    for (size_t i = 0; i < lanes->parts.count; i++) {
        tensors[count++] = stage_tensor(lanes->stage, loop_at(lanes, i)->node);
        tensors[count++] = stage_tensor(lanes->stage, loop_at(lanes, i)->sum);
        tensors[count++] = stage_tensor(lanes->stage, loop_at(lanes, i)->out);
    }
    for (size_t i = 0; i < count; i++)
        lanes->reach = fmax(i ? lanes->reach : 0, heatmap_reach(tensors[i]));
    return count;
}

/* Number of tables of a loop, and of gaps; its length on the lane without them. */
static double loop_tables(const Lanes *lanes) {
    return lanes->sums ? 2 : 1;
}

static double loop_gaps(const Lanes *lanes) {
    return lanes->gated ? 2 + loop_tables(lanes) : 2;
}

static double loop_width(const Lanes *lanes) {
    return 2 * SUM_RADIUS + (lanes->gated ? GATE_WIDTH : 0);
}

/* Reports whether type is enlarged; it is then reduced before boxes become empty. */
static bool is_large(const Lanes *lanes) {
    return lanes->stage->canvas->enlarged > 1;
}

/* Tracks from above: the encoder output's lane, boxes, their legs, rows, and what is
 * below them: names, hanging rows with their names, legends. */
enum { MEMORY_LANE, BOX, LEGS, ROWS, BELOW, TRACKS };

/* Divides the height; rows have room before boxes are large. Returns false if boxes have
 * less than `least`. */
static bool divide_height(const Lanes *lanes, Track *down, Track rows, double least) {
    double hangs = lanes->sums_below ? lanes->rows.row + CAPTION + 2 * MARGIN : 0;
    down[MEMORY_LANE] = track_of(lanes->crosses ? MEMORY : 0);
    down[BOX] =
        (Track){.least = least, .want = USUAL_BOX, .most = LARGEST_BOX, .rank = 1};
    down[LEGS] = track_of(MARGIN + (lanes->gated ? LEG : GATED_LEG));
    down[ROWS] = rows;
    down[BELOW] = track_of(CAPTION + hangs + STAGE_LEGEND_HEIGHT);
    return ruler_share(down, TRACKS, lanes->area.y, lanes->area.h);
}

static double least_box(const Lanes *lanes) {
    return BOX_LEAST + (is_large(lanes) && lanes->crosses ? TIERS : 0);
}

static void measure(Lanes *lanes) {
    const Canvas *canvas = lanes->stage->canvas;
    const Tensor *tensors[3 * LANE_LOOPS_MAX + 1];
    size_t count = list_tensors(lanes, tensors);
    double n = (double)lanes->parts.count;
    lanes->labels = fmin(heatmap_row_label_width(canvas, tensors[0]),
                         fmax(LABELS_WIDE, LABELS_SHARE * lanes->area.w));
    double free = lanes->area.w - lanes->labels - TAIL -
                  n * (loop_width(lanes) + loop_gaps(lanes) * GAP);
    Track down[TRACKS];
    divide_height(lanes, down, (Track){.want = USUAL_ROWS, .most = lanes->area.h},
                  least_box(lanes));
    lanes->rows = word_rows_measure(
        canvas, tensors, count, chosen_row(lanes, tensors[0]->rows), focus_column(lanes),
        floor(free / (n * loop_tables(lanes) + 1)), down[ROWS].size);
}

/* ---- placing ---- */

static void place_across(Lanes *lanes) {
    size_t n = lanes->parts.count;
    double table = word_rows_width(&lanes->rows), loops = (double)n;
    double radius = SUM_RADIUS;
    double used = lanes->labels + TAIL + (loops * loop_tables(lanes) + 1) * table +
                  loops * loop_width(lanes);
    double gaps = loops * loop_gaps(lanes);
    double gap = fmin((lanes->area.w - used) / gaps, WIDEST_GAP);
    double x = lanes->area.x + lanes->labels +
               fmax(floor((lanes->area.w - used - gaps * gap) / 2), 0);
    for (size_t i = 0; i <= n; i++) {
        Place *at = &lanes->places[i];
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

/* Returns false if there is no room vertically. */
static bool place_down(Lanes *lanes) {
    Track down[TRACKS];
    double rows = word_rows_height(&lanes->rows), cells = rows - lanes->rows.below;
    double least = is_large(lanes) && !lanes->bare ? least_box(lanes) : SMALLEST_BOX;
    bool fits = divide_height(lanes, down, track_of(rows), least);
    double spare = fmax(lanes->area.h - ruler_used(down, TRACKS), 0);
    ruler_place(down, TRACKS, round(lanes->area.y + spare / 2));
    double table = down[ROWS].at, gate = fmax(cells + 2 * MARGIN, GATE_HEIGHT);
    lanes->line = round(table + cells / 2);
    lanes->below = round(table + rows + 2 * MARGIN + CAPTION);
    for (size_t i = 0; i <= lanes->parts.count; i++) {
        Place *at = &lanes->places[i];
        at->table.y = at->sum_rows.y = table;
        at->box.y = down[BOX].at;
        at->box.h = down[BOX].size;
        at->gate.y = round(lanes->line - gate / 2);
        at->gate.h = gate;
        if (!lanes->gated) {
            double width = round(1.7 * GATE_WIDTH), leg = down[LEGS].size - MARGIN;
            at->gate =
                (Box){at->leg - width / 2, round(down[LEGS].at + (leg - GATE_HEIGHT) / 2),
                      width, GATE_HEIGHT};
        }
    }
    return fits;
}

static bool lay(Lanes *lanes) {
    measure(lanes);
    place_across(lanes);
    return place_down(lanes);
}

/* Lays out the lane of a step, whose `lanes->parts` are set, in the stage's area; sets
 * all of *lanes except the stage, parts and `bare`. Returns false if its parts have no
 * room at their smallest. */
static bool lay_out(Lanes *lanes) {
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
    bool fits = lay(lanes);
    if (lanes->sums && lanes->rows.below > 0) {
        lanes->sums = false;
        lay(lanes);
        lanes->sums_below = lanes->rows.below == 0;
        fits = place_down(lanes);
        if (lanes->sums_below && (!fits || lanes->places[0].box.h < BOX_LEAST)) {
            lanes->sums_below = false;
            fits = place_down(lanes);
        }
    }
    return is_large(lanes) || fits;
}

/* ---- names ---- */

/* Name of a sublayer's result as a term of a sum: "attention". */
static const char *added_name(const Lanes *lanes, const LaneLoop *loop) {
    const Canvas *canvas = lanes->stage->canvas;
    const char *key =
        canvas_format(canvas, "lane.%s", lanes->stage->player->steps[loop->step].topic);
    return language_has(canvas->language, key) ? canvas_string(canvas, key)
                                               : canvas_string(canvas, "lane.sublayer");
}

/* A lesson's own name of a node as a formula; NULL for a model's, and without a name. */
static const char *own_name(const Stage *stage, size_t node) {
    const char *name = stage_node(stage, node)->name;
    return !name[0] || strchr(name, '.') ||
                   part_name(stage->canvas, stage->player->lesson, name, NULL)
               ? NULL
               : stage_formula_name(stage, node);
}

static const char *in_name(const Lanes *lanes) {
    const char *own = own_name(lanes->stage, node_at(lanes, 0));
    return own ? own : "x";
}

static const char *sum_name(const Lanes *lanes, size_t index) {
    const Canvas *canvas = lanes->stage->canvas;
    return canvas_format(canvas, "%s + \\text{%s}", index ? "\\ldots" : in_name(lanes),
                         added_name(lanes, loop_at(lanes, index)));
}

static const char *norm_words(const Lanes *lanes, size_t index, const char *key) {
    const Canvas *canvas = lanes->stage->canvas;
    return lanes->parts.count == 1
               ? canvas_string(canvas, canvas_format(canvas, "lane.%s", key))
               : canvas_words(canvas, canvas_format(canvas, "lane.%s_of", key),
                              canvas_count(canvas, index + 1), NULL);
}

/* Name of the table on the lane before loop `index`. */
static const char *table_name(const Lanes *lanes, size_t index) {
    const Canvas *canvas = lanes->stage->canvas;
    if (index == 0)
        return in_name(lanes);
    const char *own = own_name(lanes->stage, node_at(lanes, index));
    if (own && index == lanes->parts.count)
        return own;
    if (!lanes->gated)
        return sum_name(lanes, index - 1);
    return canvas_format(canvas, "\\text{%s}", norm_words(lanes, index - 1, "after"));
}

/* ---- drawing ---- */

/* Draws a name below cells that end at `bottom`. */
static void draw_name(const Lanes *lanes, double middle, double bottom,
                      const char *name) {
    const Canvas *canvas = lanes->stage->canvas;
    double size = canvas_size(canvas, NAME, "");
    FormulaExtent extent =
        canvas_formula_fit(canvas, name, canvas_size(canvas, LABEL, ""),
                           word_rows_width(&lanes->rows) + 2 * GAP, &size);
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, name, size,
                 (Point){middle - extent.width / 2, bottom + round(CAPTION * 0.72)});
}

static void draw_table(const Lanes *lanes, Point corner, size_t node, const char *name) {
    const Stage *stage = lanes->stage;
    Box table = {corner.x, corner.y, word_rows_width(&lanes->rows),
                 word_rows_height(&lanes->rows)};
    lane_frame(stage->canvas, table);
    word_rows_draw(stage->canvas, &lanes->rows, corner, node, stage_tensor(stage, node),
                   lanes->reach);
    draw_name(lanes, table.x + table.w / 2, table.y + table.h + MARGIN, name);
}

/* Draws the tokens on the left, as many as have room. */
static void draw_words(const Lanes *lanes) {
    const Canvas *canvas = lanes->stage->canvas;
    const Tensor *tensor = stage_tensor(lanes->stage, node_at(lanes, 0));
    Point corner = lanes->places[0].table;
    double size = canvas_size(canvas, LABEL, "");
    for (size_t i = lanes->rows.first; tensor->row_labels && i < lanes->rows.end; i++) {
        bool chosen = i == lanes->rows.chosen;
        Box row = word_rows_row(&lanes->rows, corner, i);
        if (chosen || row.h >= size)
            canvas_row_label(canvas, size, lanes->labels, chosen,
                             (Point){corner.x - (MARGIN + 8), row.y + row.h / 2},
                             tensor->row_labels[i]);
    }
}

/* Strikes out what is muted. */
static void strike(const Lanes *lanes, size_t node, Point at) {
    const Canvas *canvas = lanes->stage->canvas;
    double reach = SUM_RADIUS + 4;
    if (stage_node(lanes->stage, node)->muted)
        scene_line(canvas->scene, (Point){at.x - reach, at.y + reach},
                   (Point){at.x + reach, at.y - reach}, 3, canvas->theme->bad_ink);
}

static void link_step(const Lanes *lanes, size_t step, Box box) {
    canvas_link(lanes->stage->canvas, (Link){.kind = LINK_STEP, .index = step});
    canvas_target(lanes->stage->canvas, box);
    canvas_unlink(lanes->stage->canvas);
}

static void draw_gate(const Lanes *lanes, size_t index) {
    const LaneLoop *loop = loop_at(lanes, index);
    const Canvas *canvas = lanes->stage->canvas;
    const Place *at = &lanes->places[index];
    if (loop->norm == TAPE_NONE)
        return;
    role_frame(canvas, ROLE_NORM, box_inset(at->gate, ROLE_FRAME_MARGIN));
    link_step(lanes, loop->norm_step, at->gate);
    double middle = at->gate.y + at->gate.h / 2;
    for (size_t row = lanes->rows.first; row < lanes->rows.end; row++) {
        Box line = word_rows_row(&lanes->rows, at->table, row);
        bool chosen = row == lanes->rows.chosen;
        if (chosen || (lanes->gated && line.h >= 6))
            lane_norm_dots(lanes->stage, loop->norm, row, at->gate,
                           lanes->gated ? line.y + line.h / 2 : middle, chosen);
    }
    Point name = {at->gate.x - 10, middle + 5};
    if (lanes->gated)
        name = (Point){at->gate.x + at->gate.w / 2, at->gate.y - 9};
    canvas_label(canvas, FONT_TEXT, LABEL,
                 role_color(canvas->theme, ROLE_NORM, canvas->theme->ink), name,
                 lanes->gated ? LABEL_CENTER : LABEL_RIGHT,
                 norm_words(lanes, index, "norm"));
    strike(lanes, loop->norm, (Point){at->gate.x + at->gate.w / 2, middle});
}

/* Draws the encoder output's lane from above into a cross-attention. */
static void draw_memory(const Lanes *lanes, size_t index) {
    const Stage *stage = lanes->stage;
    const Canvas *canvas = stage->canvas;
    size_t memory = loop_at(lanes, index)->memory;
    const Tensor *tensor = stage_tensor(stage, memory);
    Box box = lanes->places[index].box;
    const char *name = canvas_string(canvas, "part.memory");
    double size = canvas_size(canvas, LABEL, name);
    double height = round(MEMORY * 0.6), cell = height / (double)tensor->rows;
    double width = fmin(cell * 1.6 * (double)tensor->cols, 110);
    Box cells = {lanes->area.x + canvas_text_width(canvas, FONT_BOLD, size, name) +
                     2 * GAP,
                 box.y - MEMORY + GAP / 2, width, height};
    double y = round(cells.y + height / 2);
    Point points[] = {
        {cells.x + width, y}, {box.x + box.w / 2 - 70, y}, {box.x + box.w / 2, box.y}};
    lane_draw(canvas, &(Lane){.role = ROLE_RESIDUAL,
                              .points = points,
                              .count = 3,
                              .thickness = 8,
                              .ends_upright = true,
                              .strong = true,
                              .arrow = true});
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink_soft,
                (Point){lanes->area.x, label_baseline(y, size)}, LABEL_LEFT, name);
    Heatmap heatmap = stage_heatmap(stage, memory, cells, heatmap_reach(tensor));
    role_thumbnail(canvas, &heatmap);
}

static void draw_legs(const Lanes *lanes, size_t index) {
    const Stage *stage = lanes->stage;
    const Place *at = &lanes->places[index];
    double bottom = at->box.y + at->box.h;
    lane_between(stage->canvas, (Point){at->leg, lanes->line}, (Point){at->leg, bottom},
                 (Lane){.role = ROLE_RESIDUAL});
    lane_between(stage->canvas, (Point){at->sum, bottom},
                 (Point){at->sum, lanes->line - SUM_RADIUS},
                 (Lane){.role = lane_loop_block(stage, loop_at(lanes, index)).role,
                        .arrow = true,
                        .strong = true});
}

/* Draws a sublayer's result for the chosen token at the lower edge of its box: its row,
 * or, if numbers stand below tables, its number at the left. */
static void draw_added(const Lanes *lanes, size_t index, Box *inside) {
    const WordRows *rows = &lanes->rows;
    const Stage *stage = lanes->stage;
    size_t node = loop_at(lanes, index)->node;
    double width = word_rows_width(rows);
    double number = rows->below > 0 ? rows->number_width : 0;
    bool beside = inside->w >= width + GAP + number;
    Box row = box_take_bottom(inside, rows->row + (beside ? 0 : rows->below));
    double least = row.x + (beside && number > 0 ? number + GAP : 0);
    double left =
        fmax(fmin(lanes->places[index].sum - width / 2, row.x + row.w - width), least);
    Point middle = {left + width / 2, row.y + rows->row + rows->below / 2};
    word_rows_draw_chosen(stage->canvas, rows, (Point){round(left), row.y}, node,
                          stage_tensor(stage, node), lanes->reach);
    if (beside)
        middle = (Point){left - GAP - number / 2, row.y + rows->row / 2};
    if (number > 0)
        word_rows_draw_number(stage->canvas, rows, middle, node,
                              stage_tensor(stage, node));
}

/* Draws a sublayer's box: title, content, and its result for the chosen token. */
static void draw_box(const Lanes *lanes, size_t index) {
    const Stage *stage = lanes->stage;
    const Canvas *canvas = stage->canvas;
    const LaneLoop *loop = loop_at(lanes, index);
    Box box = lanes->places[index].box, inside = box_inset(box, 10);
    lane_box(canvas, box, lane_loop_block(stage, loop).role);
    link_step(lanes, loop->step, box);
    const char *name = lane_sublayer_name(stage, loop->step);
    if (name) {
        Box title = box_take_top(&inside, TITLE + 5);
        canvas_text_within(canvas, FONT_BOLD, canvas_size(canvas, TITLE, name), title.w,
                           canvas->theme->ink,
                           (Point){title.x + title.w / 2, title.y + TITLE - 2},
                           LABEL_CENTER, name);
    }
    draw_added(lanes, index, &inside);
    inside.h -= 8;
    if (!stage->values)
        loop_box_draw(stage, loop, lanes->rows.chosen, inside);
}

/* Draws the thread from ⊕ down to its sum. */
static void draw_thread(const Lanes *lanes, double x, double end) {
    lane_between(lanes->stage->canvas, (Point){x, lanes->line + SUM_RADIUS},
                 (Point){x, end},
                 (Lane){.role = ROLE_RESIDUAL, .thickness = HANGS, .strong = true});
}

/* Draws the number of a sum without a table in line with those below tables, clear of
 * them. */
static void draw_sum_number(const Lanes *lanes, size_t index) {
    const WordRows *rows = &lanes->rows;
    const Place *at = &lanes->places[index];
    size_t node = loop_at(lanes, index)->sum;
    double left = at->table.x + word_rows_width(rows) + MARGIN + 3;
    Point middle = {fmax(at->sum, left + rows->number_width / 2),
                    at->table.y + word_rows_number_line(rows)};
    draw_thread(lanes, at->sum, middle.y - rows->below / 2);
    word_rows_draw_number(lanes->stage->canvas, rows, middle, node,
                          stage_tensor(lanes->stage, node));
}

/* Draws the chosen token's row of a sum, hanging from its ⊕. */
static void draw_sum_below(const Lanes *lanes, size_t index) {
    const Stage *stage = lanes->stage;
    const Canvas *canvas = stage->canvas;
    const WordRows *rows = &lanes->rows;
    size_t node = loop_at(lanes, index)->sum;
    double x = lanes->places[index].sum;
    Point corner = {round(x - word_rows_width(rows) / 2), lanes->below};
    draw_thread(lanes, x, corner.y);
    word_rows_draw_chosen(canvas, rows, corner, node, stage_tensor(stage, node),
                          lanes->reach);
    draw_name(lanes, x, corner.y + rows->row, sum_name(lanes, index));
}

static void draw_sum(const Lanes *lanes, size_t index) {
    const LaneLoop *loop = loop_at(lanes, index);
    const Place *at = &lanes->places[index];
    Point middle = {at->sum, lanes->line};
    link_step(lanes, loop->sum_step, lane_sum(lanes->stage->canvas, middle, SUM_RADIUS));
    strike(lanes, loop->sum, middle);
    if (lanes->sums)
        draw_table(lanes, at->sum_rows, loop->sum, sum_name(lanes, index));
    else if (lanes->sums_below)
        draw_sum_below(lanes, index);
    else if (lanes->gated && lanes->rows.below > 0)
        draw_sum_number(lanes, index);
}

static void draw_focus(const Lanes *lanes) {
    const Stage *stage = lanes->stage;
    Point corner = lanes->places[lanes->parts.count].table;
    if (!stage->has_focus || stage->focus_node != stage->node ||
        stage->focus_row != lanes->rows.chosen || lanes->rows.below > 0)
        return;
    Box cell = word_rows_row(&lanes->rows, corner, lanes->rows.chosen);
    cell.x += lanes->rows.cell * (double)stage->focus_col;
    cell.w = lanes->rows.cell;
    canvas_outline(stage->canvas, box_inset(cell, -1), 5, stage->canvas->theme->focus, 4);
}

static void draw(const Lanes *lanes) {
    const Canvas *canvas = lanes->stage->canvas;
    size_t count = lanes->parts.count;
    double end =
        lanes->places[count].table.x + word_rows_width(&lanes->rows) + TAIL + MARGIN;
    lane_residual(canvas, (Point){lanes->places[0].table.x, lanes->line},
                  (Point){fmin(end, lanes->area.x + lanes->area.w), lanes->line}, 0,
                  true);
    for (size_t i = 0; i < count; i++)
        draw_legs(lanes, i);
    for (size_t i = 0; i <= count; i++)
        draw_table(lanes, lanes->places[i].table, node_at(lanes, i),
                   table_name(lanes, i));
    for (size_t i = 0; i < count; i++) {
        draw_sum(lanes, i);
        draw_gate(lanes, i);
        if (loop_at(lanes, i)->memory != TAPE_NONE)
            draw_memory(lanes, i);
        draw_box(lanes, i);
    }
    draw_words(lanes);
    draw_focus(lanes);
    const StageScale scale = {HEATMAP_SIGNED, lanes->reach};
    stage_legends(lanes->stage, lanes->stage->area, &scale, 1);
}

bool layer_lane(const Stage *stage) {
    Lanes lanes = {.stage = stage};
    if (!lane_parts(&lanes.parts, stage, stage->player->step) || !lay_out(&lanes))
        return false;
    draw(&lanes);
    return true;
}

/* ---- the inverse of two sums ---- */

/* Lengths in units. */
static const double BETWEEN = 36, BACK = 62, RADIUS = 15, CROSS = 11, LINE = 3, HEAD = 12;
enum { PATHS = 2 };

typedef struct InversePath {
    Player player; /* at the step that computed the table */
    Stage stage;
    Lanes lanes;
} InversePath;

/* y below the tables' names, and y of the return path. */
static double names_end(const Lanes *lanes) {
    return lanes->places[0].table.y + word_rows_height(&lanes->rows) + MARGIN + CAPTION;
}

static double return_level(const Lanes *lanes) {
    return lanes->sums_below ? lanes->below + lanes->rows.row + CAPTION + RADIUS + GAP
                             : names_end(lanes) + BACK / 2;
}

static bool find_path(InversePath *path, const Stage *stage, size_t index,
                      const Canvas *canvas) {
    size_t node = stage->step->shown[1 + index], maker = lane_maker(stage, node);
    LaneParts parts;
    if (maker == PLAYER_NONE || !lane_parts(&parts, stage, maker) || parts.count != 1 ||
        parts.loops[0].in != stage->step->shown[0])
        return false;
    path->player = *stage->player;
    player_jump(&path->player, maker);
    path->stage = *stage;
    path->stage.canvas = canvas;
    path->stage.player = &path->player;
    path->stage.step = player_words(&path->player, path->player.step);
    path->stage.node = node;
    double wide = (stage->area.w - BETWEEN) / PATHS;
    path->stage.area = (Box){stage->area.x + (wide + BETWEEN) * (double)index,
                             stage->area.y, wide, stage->area.h - BACK};
    path->lanes = (Lanes){.stage = &path->stage, .parts = parts, .bare = true};
    return lay_out(&path->lanes) &&
           return_level(&path->lanes) + RADIUS <= stage->area.y + stage->area.h;
}

static void draw_cross(const Canvas *canvas, Point at) {
    Color ink = canvas->theme->ink;
    canvas_dot(canvas, at, CROSS + LINE, canvas->theme->page, canvas->theme->page, 0);
    scene_line(canvas->scene, (Point){at.x - CROSS, at.y - CROSS},
               (Point){at.x + CROSS, at.y + CROSS}, LINE, ink);
    scene_line(canvas->scene, (Point){at.x - CROSS, at.y + CROSS},
               (Point){at.x + CROSS, at.y - CROSS}, LINE, ink);
}

/* Draws the return path from below the table to the one before it, with the subtracted
 * table in the middle. */
static void draw_back(const InversePath *path) {
    const Canvas *canvas = path->stage.canvas;
    const Lanes *lanes = &path->lanes;
    double half = word_rows_width(&lanes->rows) / 2, top = names_end(lanes),
           low = return_level(lanes);
    Point from = {lanes->places[1].table.x + half, top},
          to = {lanes->places[0].table.x + half, top};
    Box gate = lanes->places[0].gate;
    Point sum = {lanes->places[0].sum, low};
    const Point back[] = {from, {from.x, low}, {to.x, low}, to};
    bool closed = lanes->gated; /* by a norm */
    Color color = closed ? canvas->theme->ink_faint : canvas->theme->ink;
    scene_path(canvas->scene, back, 4, LINE, color);
    canvas_arrow_head(canvas, back[2], to, HEAD, color);
    canvas_dot(canvas, sum, RADIUS, canvas->theme->page, color, 2);
    scene_line(canvas->scene, (Point){sum.x - RADIUS / 2, low},
               (Point){sum.x + RADIUS / 2, low}, LINE, color);
    if (closed)
        draw_cross(canvas, (Point){gate.x + gate.w / 2, low});
}

bool inverse_lanes(const Stage *stage) {
    if (stage->step->shown_count != 1 + PATHS || stage->values || stage->is_question)
        return false;
    Canvas canvas = *stage->canvas;
    canvas.without_legends = true; /* one legend serves both */
    InversePath paths[PATHS];
    for (size_t i = 0; i < PATHS; i++) {
        if (!find_path(&paths[i], stage, i, &canvas))
            return false;
    }
    if (paths[0].lanes.gated == paths[1].lanes.gated)
        return false;
    double reach = fmax(paths[0].lanes.reach, paths[1].lanes.reach);
    for (size_t i = 0; i < PATHS; i++) {
        paths[i].lanes.reach = reach;
        draw(&paths[i].lanes);
        draw_back(&paths[i]);
    }
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, reach}, 1);
    return true;
}
