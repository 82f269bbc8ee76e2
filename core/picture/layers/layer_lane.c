#include "picture/layers/layer_lane.h"

#include "base/strings/language.h"
#include "lesson/play/player.h"
#include "picture/draw/lanes.h"
#include "picture/draw/part_name.h"
#include "picture/draw/roles.h"
#include "picture/formula/formula.h"
#include "picture/layers/loop_box.h"
#include "picture/layers/norm_dots.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double NAME = 18, TITLE = 19, LABEL = 15, HANGS = 4; /* units */

static const LaneLoop *loop_at(const LaneLayout *lanes, size_t index) {
    return &lanes->parts.loops[index];
}

static Role role_of_loop(const LaneLayout *lanes, const LaneLoop *loop) {
    const char *topic = lanes->stage->player->steps[loop->step].topic;
    return strcmp(topic, "feed_forward") == 0 ? ROLE_FEED_FORWARD : ROLE_PROBABILITIES;
}

/* ---- names ---- */

/* Name of a sublayer's result as a term of a sum: "attention". */
static const char *added_name(const LaneLayout *lanes, const LaneLoop *loop) {
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

static const char *in_name(const LaneLayout *lanes) {
    const char *own = own_name(lanes->stage, lane_node_at(lanes, 0));
    return own ? own : "x";
}

static const char *sum_name(const LaneLayout *lanes, size_t index) {
    const Canvas *canvas = lanes->stage->canvas;
    return canvas_format(canvas, "%s + \\text{%s}", index ? "\\ldots" : in_name(lanes),
                         added_name(lanes, loop_at(lanes, index)));
}

static const char *norm_words(const LaneLayout *lanes, size_t index, const char *key) {
    const Canvas *canvas = lanes->stage->canvas;
    return lanes->parts.count == 1
               ? canvas_string(canvas, canvas_format(canvas, "lane.%s", key))
               : canvas_words(canvas, canvas_format(canvas, "lane.%s_of", key),
                              canvas_count(canvas, index + 1), NULL);
}

/* Name of the table on the lane before loop `index`. */
static const char *table_name(const LaneLayout *lanes, size_t index) {
    const Canvas *canvas = lanes->stage->canvas;
    if (index == 0)
        return in_name(lanes);
    const char *own = own_name(lanes->stage, lane_node_at(lanes, index));
    if (own && index == lanes->parts.count)
        return own;
    if (!lanes->gated)
        return sum_name(lanes, index - 1);
    return canvas_format(canvas, "\\text{%s}", norm_words(lanes, index - 1, "after"));
}

/* ---- drawing ---- */

static void draw_name(const LaneLayout *lanes, Point corner, const char *name) {
    const Canvas *canvas = lanes->stage->canvas;
    double size = canvas_size(canvas, NAME, ""), width = word_rows_width(&lanes->rows);
    FormulaExtent extent = canvas_formula_fit(
        canvas, name, canvas_size(canvas, LABEL, ""), width + 2 * LANE_GAP, &size);
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, name, size,
                 (Point){corner.x + (width - extent.width) / 2,
                         corner.y + word_rows_height(&lanes->rows) +
                             round(LANE_MARGIN + LANE_CAPTION * 0.72)});
}

static void draw_table(const LaneLayout *lanes, Point corner, size_t node,
                       const char *name) {
    const Stage *stage = lanes->stage;
    const Canvas *canvas = stage->canvas;
    Box table = {corner.x, corner.y, word_rows_width(&lanes->rows),
                 word_rows_height(&lanes->rows)};
    scene_rectangle(canvas->scene, box_inset(table, -LANE_MARGIN), 8, canvas->theme->page,
                    canvas->theme->line, 2);
    word_rows_draw(canvas, &lanes->rows, corner, node, stage_tensor(stage, node),
                   lanes->reach);
    draw_name(lanes, corner, name);
}

/* Draws the tokens on the left, as many as have room. */
static void draw_words(const LaneLayout *lanes) {
    const Stage *stage = lanes->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, lane_node_at(lanes, 0));
    double size = canvas_size(canvas, LABEL, "");
    for (size_t i = lanes->rows.first; tensor->row_labels && i < lanes->rows.end; i++) {
        bool chosen = i == lanes->rows.chosen;
        Box row = word_rows_row(&lanes->rows, lanes->places[0].table, i);
        if (!chosen && row.h < size)
            continue;
        const char *text = tensor->row_labels[i];
        FontRole font = chosen ? FONT_BOLD : FONT_TEXT;
        double right = lanes->places[0].table.x - (LANE_MARGIN + 8),
               height = fmin(size, row.h);
        if (canvas_text_width(canvas, font, height, text) <= lanes->labels)
            canvas_text(canvas, font, fmax(height, canvas_least(canvas, text)),
                        chosen ? canvas->theme->ink : canvas->theme->ink_soft,
                        (Point){right, label_baseline(row.y + row.h / 2, height)},
                        LABEL_RIGHT, text);
    }
}

/* Strikes out what is muted. */
static void strike(const LaneLayout *lanes, size_t node, Point at) {
    const Canvas *canvas = lanes->stage->canvas;
    double reach = LANE_SUM_RADIUS + 4;
    if (stage_node(lanes->stage, node)->muted)
        scene_line(canvas->scene, (Point){at.x - reach, at.y + reach},
                   (Point){at.x + reach, at.y - reach}, 3, canvas->theme->bad_ink);
}

static void link_step(const LaneLayout *lanes, size_t step, Box box) {
    canvas_link(lanes->stage->canvas, (Link){.kind = LINK_STEP, .index = step});
    canvas_target(lanes->stage->canvas, box);
    canvas_unlink(lanes->stage->canvas);
}

static void draw_gate(const LaneLayout *lanes, size_t index) {
    const LaneLoop *loop = loop_at(lanes, index);
    const Canvas *canvas = lanes->stage->canvas;
    const LanePlace *at = &lanes->places[index];
    if (loop->norm == TAPE_NONE)
        return;
    role_frame(canvas, ROLE_NORM, box_inset(at->gate, ROLE_FRAME_MARGIN));
    link_step(lanes, loop->norm_step, at->gate);
    double middle = at->gate.y + at->gate.h / 2;
    for (size_t row = lanes->rows.first; row < lanes->rows.end; row++) {
        Box line = word_rows_row(&lanes->rows, at->table, row);
        bool chosen = row == lanes->rows.chosen;
        if (chosen || (lanes->gated && line.h >= 6))
            norm_dots(lanes->stage, loop->norm, row, at->gate,
                      lanes->gated ? line.y + line.h / 2 : middle, chosen);
    }
    const char *name = norm_words(lanes, index, "norm");
    Color color = role_color(canvas->theme, ROLE_NORM, canvas->theme->ink);
    if (lanes->gated)
        canvas_label(canvas, FONT_TEXT, LABEL, color,
                     (Point){at->gate.x + at->gate.w / 2, at->gate.y - 9}, LABEL_CENTER,
                     name);
    else
        canvas_label(canvas, FONT_TEXT, LABEL, color,
                     (Point){at->gate.x - 10, middle + 5}, LABEL_RIGHT, name);
    strike(lanes, loop->norm, (Point){at->gate.x + at->gate.w / 2, middle});
}

/* Draws the encoder output's lane from above into a cross-attention. */
static void draw_memory(const LaneLayout *lanes, size_t index) {
    const Stage *stage = lanes->stage;
    const Canvas *canvas = stage->canvas;
    size_t memory = loop_at(lanes, index)->memory;
    const Tensor *tensor = stage_tensor(stage, memory);
    Box box = lanes->places[index].box;
    const char *name = canvas_string(canvas, "part.memory");
    double size = canvas_size(canvas, LABEL, name);
    double height = round(LANE_MEMORY * 0.6), cell = height / (double)tensor->rows;
    double width = fmin(cell * 1.6 * (double)tensor->cols, 110);
    Box cells = {lanes->area.x + canvas_text_width(canvas, FONT_BOLD, size, name) +
                     2 * LANE_GAP,
                 box.y - LANE_MEMORY + LANE_GAP / 2, width, height};
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

static void draw_legs(const LaneLayout *lanes, size_t index) {
    const Canvas *canvas = lanes->stage->canvas;
    const LanePlace *at = &lanes->places[index];
    double bottom = at->box.y + at->box.h;
    Point up[] = {{at->leg, lanes->line}, {at->leg, bottom}};
    Point down[] = {{at->sum, bottom}, {at->sum, lanes->line - LANE_SUM_RADIUS}};
    lane_draw(canvas, &(Lane){.role = ROLE_RESIDUAL, .points = up, .count = 2});
    lane_draw(canvas, &(Lane){.role = role_of_loop(lanes, loop_at(lanes, index)),
                              .points = down,
                              .count = 2,
                              .arrow = true,
                              .strong = true});
}

/* Draws a sublayer's result for the chosen token at the lower edge of its box: its row,
 * or, if numbers stand below tables, its number at the left. */
static void draw_added(const LaneLayout *lanes, size_t index, Box *inside) {
    const WordRows *rows = &lanes->rows;
    const Stage *stage = lanes->stage;
    size_t node = loop_at(lanes, index)->node;
    double width = word_rows_width(rows);
    double number = rows->below > 0 ? rows->number_width : 0;
    bool beside = inside->w >= width + LANE_GAP + number;
    Box row = box_take_bottom(inside, rows->row + (beside ? 0 : rows->below));
    double left =
        fmax(fmin(lanes->places[index].sum - width / 2, row.x + row.w - width), row.x);
    Point middle = {left + width / 2, row.y + rows->row + rows->below / 2};
    word_rows_draw_chosen(stage->canvas, rows, (Point){round(left), row.y}, node,
                          stage_tensor(stage, node), lanes->reach);
    if (beside)
        middle = (Point){left - LANE_GAP - number / 2, row.y + rows->row / 2};
    if (number > 0)
        word_rows_draw_number(stage->canvas, rows, middle, node,
                              stage_tensor(stage, node));
}

/* Draws a sublayer's box: title, content, and its result for the chosen token. */
static void draw_box(const LaneLayout *lanes, size_t index) {
    const Stage *stage = lanes->stage;
    const Canvas *canvas = stage->canvas;
    const LaneLoop *loop = loop_at(lanes, index);
    const LanePlace *at = &lanes->places[index];
    scene_rectangle(canvas->scene, at->box, 12, canvas->theme->bar,
                    lane_color(canvas, role_of_loop(lanes, loop), true), 2);
    link_step(lanes, loop->step, at->box);
    Box inside = box_inset(at->box, 10);
    const char *name = lane_sublayer_name(stage, loop->step);
    if (name) {
        Box title = box_take_top(&inside, TITLE + 5);
        canvas_label(canvas, FONT_BOLD, TITLE, canvas->theme->ink,
                     (Point){title.x + title.w / 2, title.y + TITLE - 2}, LABEL_CENTER,
                     name);
    }
    draw_added(lanes, index, &inside);
    inside.h -= 8;
    if (!stage->values)
        loop_box_draw(stage, loop, lanes->rows.chosen, inside);
}

/* Draws the thread from ⊕ down to its sum. */
static void draw_thread(const LaneLayout *lanes, double x, double end) {
    const Point down[] = {{x, lanes->line + LANE_SUM_RADIUS}, {x, end}};
    lane_draw(lanes->stage->canvas, &(Lane){.role = ROLE_RESIDUAL,
                                            .points = down,
                                            .count = 2,
                                            .thickness = HANGS,
                                            .strong = true});
}

/* Draws the number of a sum without a table in line with those below tables, clear of
 * them. */
static void draw_sum_number(const LaneLayout *lanes, size_t index) {
    const WordRows *rows = &lanes->rows;
    const LanePlace *at = &lanes->places[index];
    size_t node = loop_at(lanes, index)->sum;
    double left = at->table.x + word_rows_width(rows) + LANE_MARGIN + 3;
    Point middle = {fmax(at->sum, left + rows->number_width / 2),
                    at->table.y + word_rows_number_line(rows)};
    draw_thread(lanes, at->sum, middle.y - rows->below / 2);
    word_rows_draw_number(lanes->stage->canvas, rows, middle, node,
                          stage_tensor(lanes->stage, node));
}

/* Draws the chosen token's row of a sum, hanging from its ⊕. */
static void draw_sum_below(const LaneLayout *lanes, size_t index) {
    const Stage *stage = lanes->stage;
    const Canvas *canvas = stage->canvas;
    const WordRows *rows = &lanes->rows;
    size_t node = loop_at(lanes, index)->sum;
    double x = lanes->places[index].sum;
    Point corner = {round(x - word_rows_width(rows) / 2), lanes->below};
    draw_thread(lanes, x, corner.y);
    word_rows_draw_chosen(canvas, rows, corner, node, stage_tensor(stage, node),
                          lanes->reach);
    double size = canvas_size(canvas, LABEL, "");
    const char *name = sum_name(lanes, index);
    FormulaExtent extent = canvas_formula_extent(canvas, name, size);
    formula_draw(
        canvas->scene, canvas->metrics, canvas->theme, name, size,
        (Point){x - extent.width / 2, corner.y + rows->row + LANE_CAPTION * 0.72});
}

static void draw_sum(const LaneLayout *lanes, size_t index) {
    const LaneLoop *loop = loop_at(lanes, index);
    const LanePlace *at = &lanes->places[index];
    Point middle = {at->sum, lanes->line};
    link_step(lanes, loop->sum_step,
              lane_sum(lanes->stage->canvas, middle, LANE_SUM_RADIUS));
    strike(lanes, loop->sum, middle);
    if (lanes->sums)
        draw_table(lanes, at->sum_rows, loop->sum, sum_name(lanes, index));
    else if (lanes->sums_below)
        draw_sum_below(lanes, index);
    else if (lanes->gated && lanes->rows.below > 0)
        draw_sum_number(lanes, index);
}

static void draw_focus(const LaneLayout *lanes) {
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

void layer_lane_draw(const LaneLayout *lanes) {
    const Canvas *canvas = lanes->stage->canvas;
    size_t count = lanes->parts.count;
    double end = lanes->places[count].table.x + word_rows_width(&lanes->rows) +
                 LANE_TAIL + LANE_MARGIN;
    lane_residual(canvas, (Point){lanes->places[0].table.x, lanes->line},
                  (Point){fmin(end, lanes->area.x + lanes->area.w), lanes->line}, 0,
                  true);
    for (size_t i = 0; i < count; i++)
        draw_legs(lanes, i);
    for (size_t i = 0; i <= count; i++)
        draw_table(lanes, lanes->places[i].table, lane_node_at(lanes, i),
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
    LaneLayout lanes = {.stage = stage};
    if (!lane_parts(&lanes.parts, stage, stage->player->step) || !lane_layout(&lanes))
        return false;
    layer_lane_draw(&lanes);
    return true;
}
