#include "picture/layers/layer_blocks.h"

#include "lesson/play/player.h"
#include "picture/draw/roles.h"
#include "picture/layers/lane_parts.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Lengths in units. */
static const double BLOCK = 36, GAP = 11, NAME = 16, PAD = 12, LINE = 2, RADIUS = 7;
static const int PALE = 150; /* of 256 parts of a colour, for other blocks */

static void add(LayerBlocks *blocks, const char *name, Sign sign, Role role) {
    if (blocks->count < LAYER_BLOCKS_MAX)
        blocks->items[blocks->count++] = (LayerBlock){name, sign, role};
}

static void add_norm(LayerBlocks *blocks, const Canvas *canvas, const char *key) {
    add(blocks, canvas_string(canvas, key), SIGN_NORM, ROLE_NORM);
}

LayerBlocks layer_blocks_of(const Stage *stage, size_t step) {
    const Canvas *canvas = stage->canvas;
    LayerBlocks blocks = {.lit = LAYER_BLOCKS_MAX};
    LaneParts parts;
    if (!lane_parts(&parts, stage, step))
        return blocks;
    for (size_t i = 0; i < parts.count; i++) {
        const LaneLoop *loop = &parts.loops[i];
        const char *topic = stage->player->steps[loop->step].topic;
        const char *name = lane_sublayer_name(stage, loop->step);
        bool network = strcmp(topic, "feed_forward") == 0,
             normed = loop->norm != TAPE_NONE;
        if (loop->norm_first)
            add_norm(&blocks, canvas, "map.norm");
        add(&blocks, name ? name : canvas_string(canvas, "lane.sublayer"),
            network                     ? SIGN_HINGE
            : loop->memory != TAPE_NONE ? SIGN_CROSSES
                                        : SIGN_LOOKS,
            network ? ROLE_FEED_FORWARD : ROLE_PROBABILITIES);
        add_norm(&blocks, canvas,
                 normed && !loop->norm_first ? "map.add_and_norm" : "map.add");
    }
    return blocks;
}

LayerBlocks layer_blocks_around_network(const Canvas *canvas) {
    LayerBlocks blocks = {0};
    add(&blocks, canvas_string(canvas, "map.self_attention"), SIGN_LOOKS,
        ROLE_PROBABILITIES);
    add_norm(&blocks, canvas, "map.add_and_norm");
    blocks.lit = blocks.count;
    add(&blocks, canvas_string(canvas, "map.feed_forward"), SIGN_HINGE,
        ROLE_FEED_FORWARD);
    add_norm(&blocks, canvas, "map.add_and_norm");
    return blocks;
}

double layer_blocks_width(const Canvas *canvas, const LayerBlocks *blocks) {
    double widest = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        const char *name = blocks->items[i].name;
        widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD,
                                                canvas_size(canvas, NAME, name), name));
    }
    return ceil(widest) + 2 * PAD + 2 * GAP;
}

Box layer_blocks_box(const LayerBlocks *blocks, Point middle, double width) {
    double pitch = BLOCK + GAP, count = (double)blocks->count;
    double above =
        blocks->lit < blocks->count ? count - (double)blocks->lit - 0.5 : count / 2;
    return (Box){middle.x - width / 2, round(middle.y - pitch * above - GAP / 2), width,
                 pitch * count + GAP};
}

static void draw_block(const Canvas *canvas, const LayerBlocks *blocks, size_t index,
                       Box box) {
    const Theme *theme = canvas->theme;
    bool lit = index == blocks->lit, pale = !lit && blocks->lit < blocks->count;
    const char *name = blocks->items[index].name;
    Color edge = role_color(theme, blocks->items[index].role, theme->ink);
    Color ink = lit ? theme->current_ink : pale ? theme->ink_soft : theme->ink;
    scene_rectangle(canvas->scene, box, RADIUS, lit ? theme->current : theme->page,
                    lit    ? theme->current
                    : pale ? palette_mix(theme->page, edge, PALE)
                           : edge,
                    LINE);
    double size = canvas_size(canvas, NAME, name);
    FontRole font = lit ? FONT_BOLD : FONT_TEXT;
    if (canvas_text_width(canvas, font, size, name) > box.w - PAD) {
        sign_draw(canvas, blocks->items[index].sign, box, ink);
        return;
    }
    canvas_text(canvas, font, size, ink,
                (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, size)},
                LABEL_CENTER, name);
}

void layer_blocks_draw(const Canvas *canvas, const LayerBlocks *blocks, Box box) {
    Box rest = box_inset(box, GAP);
    for (size_t i = 0; i < blocks->count; i++) {
        Box block = box_take_bottom(&rest, BLOCK), gap = box_take_bottom(&rest, GAP);
        if (gap.h > 0)
            scene_line(canvas->scene, (Point){gap.x + gap.w / 2, gap.y},
                       (Point){gap.x + gap.w / 2, gap.y + gap.h}, LINE,
                       canvas->theme->ink_faint);
        draw_block(canvas, blocks, i, block);
    }
}
