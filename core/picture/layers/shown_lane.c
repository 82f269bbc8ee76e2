#include "picture/layers/shown_lane.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/layers/lane_parts.h"
#include "picture/layers/layer_blocks.h"
#include "picture/layers/network.h"
#include "picture/layers/norm_dots.h"
#include "picture/stage/caption.h"

#include <math.h>

/* Lengths in units. */
static const double GAP = 26, NORM_GATE = 92, LEAST_GATE = 64, CAPTION = 56, NAME = 21;
static const double GATE_WORDS = 17, GATE_PAD = 12, FRAME = 6;
static const double TALLEST_ROW = 84, WIDEST_CELL = 118;
static const double LEAST_CELL = 16; /* without digits */
static const double ALIKE = 4;       /* largest ratio of reaches that share a scale */
enum { TABLES_MAX = 3 };

typedef struct Shown {
    const Stage *stage;
    size_t count;
    const size_t *nodes;
    const char *words[TABLES_MAX];  /* text on the gate before a table; NULL: a norm's */
    double gates[TABLES_MAX];       /* widths of the gates */
    LayerBlocks blocks[TABLES_MAX]; /* blocks in the gate; none: only text */
    /* Width of the tokens on the left; size of every table. */
    double labels, width, height;
    double reach, digits; /* of every table */
} Shown;

/* ---- conditions ---- */

/* Reports whether `node` is computed from `from`, directly or indirectly. */
static bool derives_from(const Stage *stage, size_t node, size_t from) {
    bool *reached = arena_alloc(stage->canvas->scene->arena, node + 1, sizeof *reached);
    if (from >= node)
        return false;
    for (size_t i = 0; i <= node; i++) {
        const TapeNode *at = stage_node(stage, i);
        reached[i] = i == from;
        for (size_t j = 0; j < at->input_count; j++)
            reached[i] |= reached[at->inputs[j]];
    }
    return reached[node];
}

static bool is_table(const Stage *stage, size_t node, const Tensor *first) {
    const Tensor *tensor = stage_tensor(stage, node);
    return tensor->rows == first->rows && tensor->cols == first->cols &&
           tensor->cols > 1 && !tensor_is_mask(tensor) &&
           stage_colors(stage->tape, node) == HEATMAP_SIGNED &&
           !role_has_tab(role_of_node(stage->tape, node));
}

static bool is_norm(const Shown *this, size_t index) {
    const Stage *stage = this->stage;
    const TapeNode *at = stage_node(stage, this->nodes[index]);
    return at->operation == OPERATION_LAYER_NORM &&
           at->inputs[0] == this->nodes[index - 1];
}

/* Reports whether a step ends the feed-forward network that begins with `x`. */
static bool is_network(const Shown *this, size_t step, size_t x) {
    const Stage *stage = this->stage;
    Network network;
    if (!network_find(&network, stage, step) || network.y == TAPE_NONE)
        return false;
    const TapeNode *wide = stage_node(stage, network.z);
    if (wide->operation == OPERATION_ADD)
        wide = stage_node(stage, wide->inputs[0]);
    return wide->operation == OPERATION_MATMUL && wide->inputs[0] == x;
}

static bool find_gates(Shown *this) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    for (size_t i = 1; i < this->count; i++) {
        this->gates[i] = NORM_GATE;
        if (is_norm(this, i))
            continue;
        size_t maker = lane_maker(stage, this->nodes[i]);
        if (maker == PLAYER_NONE)
            return false;
        const char *words = stage_step_words(canvas, stage->player, maker);
        if (!lane_reads(stage, maker, this->nodes[i - 1]))
            words = is_network(this, maker, this->nodes[i - 1])
                        ? canvas_string(canvas, "map.feed_forward")
                        : "…";
        this->words[i] = words;
        this->blocks[i] = is_network(this, maker, this->nodes[i - 1])
                              ? layer_blocks_around_network(canvas)
                              : layer_blocks_of(stage, maker);
        double size = canvas_size(canvas, GATE_WORDS, words);
        this->gates[i] = fmax(
            canvas_text_width(canvas, FONT_BOLD, size, words) + 2 * GATE_PAD, LEAST_GATE);
        if (this->blocks[i].count)
            this->gates[i] =
                fmax(this->gates[i], layer_blocks_width(canvas, &this->blocks[i]));
    }
    return true;
}

static bool find_tables(Shown *this) {
    const Stage *stage = this->stage;
    if (this->count < 2 || this->count > TABLES_MAX)
        return false;
    double least = INFINITY;
    for (size_t i = 0; i < this->count; i++) {
        double reach = heatmap_reach(stage_tensor(stage, this->nodes[i]));
        if (!is_table(stage, this->nodes[i], stage_tensor(stage, this->nodes[0])) ||
            (i && !derives_from(stage, this->nodes[i], this->nodes[i - 1])))
            return false;
        least = fmin(least, reach);
        this->reach = fmax(this->reach, reach);
    }
    return this->reach <= ALIKE * least && find_gates(this);
}

/* ---- layout ---- */

static double between(const Shown *this, size_t index) {
    return index ? 2 * GAP + this->gates[index] : 0;
}

static bool measure(Shown *this) {
    const Stage *stage = this->stage;
    const Tensor *first = stage_tensor(stage, this->nodes[0]);
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    this->labels = fmin(heatmap_row_label_width(stage->canvas, first), area.w * 0.2);
    double across = area.w - this->labels - 2 * GAP;
    for (size_t i = 1; i < this->count; i++)
        across -= between(this, i);
    this->width = fmin(across / (double)this->count, WIDEST_CELL * (double)first->cols);
    this->height = fmin(area.h - (CAPTION + GAP), TALLEST_ROW * (double)first->rows);
    this->digits = INFINITY;
    bool blocks = false; /* blocks are more important than digits */
    if (this->width <= 0 || this->height <= 0)
        return false;
    for (size_t i = 0; i < this->count; i++) {
        Heatmap table = stage_heatmap(
            stage, this->nodes[i], (Box){0, 0, this->width, this->height}, this->reach);
        this->digits = fmin(this->digits, heatmap_number_size(stage->canvas, &table));
        blocks |= this->blocks[i].count > 0;
    }
    return this->digits > 0 ||
           (blocks && this->width >= LEAST_CELL * (double)first->cols);
}

/* ---- drawing ---- */

static void draw_table(const Shown *this, size_t index, Box cells) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    size_t node = this->nodes[index];
    Box frame = box_inset(cells, -FRAME);
    scene_rectangle(canvas->scene, frame, 8, canvas->theme->page, canvas->theme->line, 2);
    Heatmap heatmap = stage_heatmap(stage, node, cells, this->reach);
    heatmap.number_size = this->digits;
    heatmap.without_numbers = !(this->digits > 0);
    heatmap.row_labels = index == 0;
    heatmap.label_room = this->labels;
    stage_focus(stage, &heatmap, true, false);
    if (node == stage->step->result) {
        heatmap.lesson = stage->player->lesson;
        heatmap.step = stage->step;
    }
    heatmap_draw(canvas, &heatmap);
    Caption caption = caption_of(stage, node, NAME, cells.w);
    caption_draw(stage, &caption, (Point){cells.x + cells.w / 2, frame.y + frame.h + 18},
                 caption_shape_drop(canvas, caption.below), LABEL_CENTER);
    if (stage->has_focus && stage->focus_node == node)
        heatmap_outline_cell(canvas, &heatmap, stage->focus_row, stage->focus_col,
                             canvas->theme->focus);
}

static void draw_norm(const Shown *this, size_t index, Box gate) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    size_t node = this->nodes[index], rows = stage_tensor(stage, node)->rows;
    role_frame(canvas, ROLE_NORM, box_inset(gate, ROLE_FRAME_MARGIN));
    for (size_t row = 0; row < rows; row++) {
        bool chosen = stage->has_focus && stage->focus_row == row;
        double line = this->height / (double)rows;
        norm_dots(
            stage, node, row, gate,
            round(gate.y + (gate.h - this->height) / 2 + line * ((double)row + 0.5)),
            chosen);
    }
    canvas_label(canvas, FONT_TEXT, GATE_WORDS,
                 role_color(canvas->theme, ROLE_NORM, canvas->theme->ink),
                 (Point){gate.x + gate.w / 2, gate.y + gate.h + 22}, LABEL_CENTER,
                 canvas_string(canvas, "lane.norm"));
}

static void draw_gate(const Shown *this, size_t index, Box gate) {
    const Canvas *canvas = this->stage->canvas;
    const char *words = this->words[index];
    if (!words) {
        draw_norm(this, index, gate);
        return;
    }
    const LayerBlocks *blocks = &this->blocks[index];
    Point middle = box_middle(gate);
    double size = canvas_size(canvas, GATE_WORDS, words);
    if (blocks->count)
        gate = layer_blocks_box(blocks, middle, gate.w);
    scene_rectangle(canvas->scene, gate, 12, canvas->theme->bar,
                    lane_color(canvas, ROLE_PROBABILITIES, true), 2);
    if (blocks->count)
        layer_blocks_draw(canvas, blocks, gate);
    if (blocks->lit < blocks->count)
        return; /* its name stands in it */
    double y = blocks->count ? gate.y - size * 0.5 : label_baseline(middle.y, size);
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink, (Point){middle.x, round(y)},
                LABEL_CENTER, words);
}

/* Height of layers and their names above the lane's middle. */
static double reach_above(const Shown *this) {
    double most = this->height / 2 + FRAME;
    for (size_t i = 1; i < this->count; i++) {
        const LayerBlocks *blocks = &this->blocks[i];
        if (!blocks->count)
            continue;
        double name = blocks->lit < blocks->count
                          ? 0
                          : canvas_size(this->stage->canvas, GATE_WORDS, "") * 1.5;
        most = fmax(most, name - layer_blocks_box(blocks, (Point){0}, 0).y);
    }
    return most;
}

bool shown_lane(const Stage *stage) {
    Shown this = {
        .stage = stage, .count = stage->step->shown_count, .nodes = stage->step->shown};
    if (!find_tables(&this) || !measure(&this))
        return false;
    const Canvas *canvas = stage->canvas;
    double used = this.labels + GAP, gap = GAP;
    for (size_t i = 0; i < this.count; i++)
        used += this.width + between(&this, i);
    double room = stage->area.h - STAGE_LEGEND_HEIGHT - CAPTION;
    Box cells = {
        round(stage->area.x + this.labels + (stage->area.w - used) / 2),
        round(stage->area.y + fmax(room / 2, reach_above(&this)) - this.height / 2),
        this.width, this.height};
    double middle = round(cells.y + cells.h / 2);
    lane_residual(canvas, (Point){cells.x, middle},
                  (Point){cells.x + used - this.labels, middle}, 0, true);
    for (size_t i = 0; i < this.count; i++) {
        if (i) {
            Box gate = {cells.x + cells.w + gap, cells.y - FRAME, this.gates[i],
                        cells.h + 2 * FRAME};
            if (this.words[i]) {
                double tall = fmin(gate.h, 2 * TALLEST_ROW);
                gate.y = round(middle - tall / 2);
                gate.h = tall;
            }
            draw_gate(&this, i, gate);
            cells.x = round(gate.x + gate.w + gap);
        }
        draw_table(&this, i, cells);
    }
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, this.reach}, 1);
    return true;
}
