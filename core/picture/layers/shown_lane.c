#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/draw/roles.h"
#include "picture/layers/layers_parts.h"

#include <math.h>

/* Lengths in units. */
static const double GAP = 26, NORM_GATE = 92, LEAST_GATE = 64, CAPTION = 56, FRAME = 6;
static const double GATE_WORDS = 17, GATE_PAD = 12, TALLEST_ROW = 84, WIDEST_CELL = 118,
                    LEAST_CELL = 16; /* without digits */

/* Blocks of a layer. */
static const double BLOCK = 36, BLOCK_GAP = 11, NAME = 16, PAD = 12, LINE = 2;

static const double ALIKE = 4; /* largest ratio of reaches that share a scale */
enum { TABLES_MAX = 3, BLOCKS_MAX = 12 };

/* ---- blocks of a layer, stacked in the order of computation from below, with one of
 * them highlighted ---- */

typedef struct Blocks {
    size_t count; /* 0: not a layer */
    LaneBlock items[BLOCKS_MAX];
    size_t lit; /* highlighted block; BLOCKS_MAX: all of them */
} Blocks;

static void add(Blocks *blocks, LaneBlock block) {
    block.units = NAME;
    if (blocks->count < BLOCKS_MAX)
        blocks->items[blocks->count++] = block;
}

static void add_norm(Blocks *blocks, const Canvas *canvas, const char *topic) {
    LaneBlock block = lane_block_of(canvas, topic);
    block.sign = SIGN_NORM;
    block.role = ROLE_NORM;
    add(blocks, block);
}

/* Blocks of a layer that is a step of the player's tree. */
static Blocks blocks_of(const Stage *stage, size_t step) {
    Blocks blocks = {.lit = BLOCKS_MAX};
    LaneParts parts;
    if (!lane_parts(&parts, stage, step))
        return blocks;
    for (size_t i = 0; i < parts.count; i++) {
        const LaneLoop *loop = &parts.loops[i];
        bool normed = loop->norm != TAPE_NONE && !loop->norm_first;
        if (loop->norm_first)
            add_norm(&blocks, stage->canvas, "norm");
        add(&blocks, lane_loop_block(stage, loop));
        add_norm(&blocks, stage->canvas, normed ? "add_and_norm" : "add");
    }
    return blocks;
}

/* Blocks of an encoder layer with its feed-forward network highlighted. */
static Blocks blocks_around_network(const Canvas *canvas) {
    Blocks blocks = {.lit = 2};
    add(&blocks, lane_block_of(canvas, "self_attention"));
    add_norm(&blocks, canvas, "add_and_norm");
    add(&blocks, lane_block_of(canvas, "feed_forward"));
    add_norm(&blocks, canvas, "add_and_norm");
    return blocks;
}

/* Width of the layer with room for its blocks' names. */
static double blocks_width(const Canvas *canvas, const Blocks *blocks) {
    double widest = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        const char *name = blocks->items[i].name;
        widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD,
                                                canvas_size(canvas, NAME, name), name));
    }
    return ceil(widest) + 2 * PAD + 2 * BLOCK_GAP;
}

/* Box of the layer with a given width, with the middle of its highlighted block, or of
 * all blocks, at `middle`. */
static Box blocks_box(const Blocks *blocks, Point middle, double width) {
    double pitch = BLOCK + BLOCK_GAP, count = (double)blocks->count;
    double above =
        blocks->lit < blocks->count ? count - (double)blocks->lit - 0.5 : count / 2;
    return (Box){middle.x - width / 2, round(middle.y - pitch * above - BLOCK_GAP / 2),
                 width, pitch * count + BLOCK_GAP};
}

static void draw_block(const Canvas *canvas, const Blocks *blocks, size_t index,
                       Box box) {
    const Theme *theme = canvas->theme;
    LaneBlock block = blocks->items[index];
    block.edge = role_color(theme, block.role, theme->ink);
    if (index == blocks->lit) {
        block.font = FONT_BOLD;
        block.ink = theme->current_ink;
        block.fill = block.edge = theme->current;
    } else if (blocks->lit < blocks->count) {
        block.ink = theme->ink_soft;
        block.edge = lane_color(canvas, block.role, true);
    }
    lane_block_draw(canvas, &block, box);
}

/* Draws the blocks into a box; a block too narrow for its name shows its sign. */
static void draw_blocks(const Canvas *canvas, const Blocks *blocks, Box box) {
    Box rest = box_inset(box, BLOCK_GAP);
    for (size_t i = 0; i < blocks->count; i++) {
        Box block = box_take_bottom(&rest, BLOCK),
            gap = box_take_bottom(&rest, BLOCK_GAP);
        if (gap.h > 0)
            scene_line(canvas->scene, (Point){gap.x + gap.w / 2, gap.y},
                       (Point){gap.x + gap.w / 2, gap.y + gap.h}, LINE,
                       canvas->theme->ink_faint);
        draw_block(canvas, blocks, i, block);
    }
}

/* ---- tables ---- */

typedef struct Shown {
    const Stage *stage;
    size_t count;
    const size_t *nodes;
    const char *words[TABLES_MAX]; /* text on the gate before a table; NULL: a norm's */
    double gates[TABLES_MAX];      /* widths of the gates */
    Blocks blocks[TABLES_MAX];     /* blocks in the gate; none: only text */
    LaneTables tables;
} Shown;

/* ---- conditions ---- */

static bool is_table(const Stage *stage, size_t node, const Tensor *first) {
    const Tensor *tensor = stage_tensor(stage, node);
    return tensor_same_shape(tensor, first) && tensor->cols > 1 &&
           !tensor_is_mask(tensor) && stage_colors(stage->tape, node) == HEATMAP_SIGNED &&
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
        bool network = is_network(this, maker, this->nodes[i - 1]);
        this->words[i] = lane_reads(stage, maker, this->nodes[i - 1])
                             ? stage_step_words(canvas, stage->player, maker)
                         : network ? canvas_string(canvas, "map.feed_forward")
                                   : "…";
        this->blocks[i] =
            network ? blocks_around_network(canvas) : blocks_of(stage, maker);
        double size = canvas_size(canvas, GATE_WORDS, this->words[i]);
        double words = canvas_text_width(canvas, FONT_BOLD, size, this->words[i]);
        this->gates[i] = fmax(fmax(words + 2 * GATE_PAD, LEAST_GATE),
                              blocks_width(canvas, &this->blocks[i]));
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
            (i && !tape_depends(stage->tape, this->nodes[i], this->nodes[i - 1])))
            return false;
        least = fmin(least, reach);
        this->tables.reach = fmax(this->tables.reach, reach);
    }
    return this->tables.reach <= ALIKE * least && find_gates(this);
}

/* ---- layout ---- */

static double between(const Shown *this, size_t index) {
    return index ? 2 * GAP + this->gates[index] : 0;
}

static bool measure(Shown *this) {
    const Stage *stage = this->stage;
    LaneTables *tables = &this->tables;
    const Tensor *first = stage_tensor(stage, this->nodes[0]);
    double cols = (double)first->cols, rows = (double)first->rows;
    double down = stage->area.h - STAGE_LEGEND_HEIGHT - (CAPTION + GAP);
    tables->labels =
        fmin(heatmap_row_label_width(stage->canvas, first), stage->area.w * 0.2);
    double across = stage->area.w - tables->labels - 2 * GAP;
    bool blocks = false; /* blocks are more important than digits */
    for (size_t i = 1; i < this->count; i++) {
        across -= between(this, i);
        blocks |= this->blocks[i].count > 0;
    }
    tables->width = fmin(across / (double)this->count, WIDEST_CELL * cols);
    tables->height = fmin(down, TALLEST_ROW * rows);
    if (tables->width <= 0 || tables->height <= 0)
        return false;
    lane_tables_measure(tables, this->nodes, this->count);
    return tables->digits > 0 || (blocks && tables->width >= LEAST_CELL * cols);
}

/* ---- drawing ---- */

static void draw_norm(const Shown *this, size_t index, Box gate) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    size_t node = this->nodes[index], rows = stage_tensor(stage, node)->rows;
    role_frame(canvas, ROLE_NORM, box_inset(gate, ROLE_FRAME_MARGIN));
    double line = this->tables.height / (double)rows;
    double top = gate.y + (gate.h - this->tables.height) / 2;
    for (size_t row = 0; row < rows; row++)
        lane_norm_dots(stage, node, row, gate, round(top + line * ((double)row + 0.5)),
                       stage->has_focus && stage->focus_row == row);
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
    const Blocks *blocks = &this->blocks[index];
    Point middle = box_middle(gate);
    double size = canvas_size(canvas, GATE_WORDS, words);
    if (blocks->count)
        gate = blocks_box(blocks, middle, gate.w);
    lane_box(canvas, gate, ROLE_PROBABILITIES);
    if (blocks->count)
        draw_blocks(canvas, blocks, gate);
    if (blocks->lit < blocks->count)
        return; /* its name stands in it */
    double y = blocks->count ? gate.y - size * 0.5 : label_baseline(middle.y, size);
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink, (Point){middle.x, round(y)},
                LABEL_CENTER, words);
}

/* Height of layers and their names above the lane's middle. */
static double reach_above(const Shown *this) {
    double most = this->tables.height / 2 + FRAME;
    for (size_t i = 1; i < this->count; i++) {
        const Blocks *blocks = &this->blocks[i];
        if (!blocks->count)
            continue;
        double name = blocks->lit < blocks->count
                          ? 0
                          : canvas_size(this->stage->canvas, GATE_WORDS, "") * 1.5;
        most = fmax(most, name - blocks_box(blocks, (Point){0}, 0).y);
    }
    return most;
}

bool shown_lane(const Stage *stage) {
    Shown this = {.stage = stage,
                  .count = stage->step->shown_count,
                  .nodes = stage->step->shown,
                  .tables = {.stage = stage}};
    if (!find_tables(&this) || !measure(&this))
        return false;
    const Canvas *canvas = stage->canvas;
    const LaneTables *tables = &this.tables;
    double used = tables->labels + GAP;
    for (size_t i = 0; i < this.count; i++)
        used += tables->width + between(&this, i);
    double room = stage->area.h - STAGE_LEGEND_HEIGHT - CAPTION;
    double middle = round(stage->area.y + fmax(room / 2, reach_above(&this)));
    Box cells = {round(stage->area.x + tables->labels + (stage->area.w - used) / 2),
                 round(middle - tables->height / 2), tables->width, tables->height};
    lane_residual(canvas, (Point){cells.x, middle},
                  (Point){cells.x + used - tables->labels, middle}, 0, true);
    for (size_t i = 0; i < this.count; i++) {
        if (i) {
            double tall = cells.h + 2 * FRAME;
            if (this.words[i])
                tall = fmin(tall, 2 * TALLEST_ROW);
            Box gate = {cells.x + cells.w + GAP, round(middle - tall / 2), this.gates[i],
                        tall};
            draw_gate(&this, i, gate);
            cells.x = round(gate.x + gate.w + GAP);
        }
        bool focus = stage->has_focus && stage->focus_node == this.nodes[i];
        lane_table_draw(tables, this.nodes[i], cells, i == 0, false,
                        focus ? canvas->theme->focus : (Color){0});
    }
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, tables->reach}, 1);
    return true;
}
