#include "lesson/play/player.h"
#include "picture/layers/layers_parts.h"

#include <math.h>

/* Lengths in units. */
static const double HEIGHT = 42, LEAST_STAGE = 450, CHIP = 28, PAD = 12, GAP = 12;
static const double SUM_RADIUS = 10, GATE_WIDTH = 12, TEXT = 15, LANE = 9;

typedef struct Strip {
    const Stage *stage;
    double x, middle;
} Strip;

/* Innermost layer around the player's step; PLAYER_NONE: there is none. */
static size_t find_layer(const Stage *stage, LaneParts *parts) {
    const PlayerStep *steps = stage->player->steps;
    size_t step = steps[stage->player->step].parent;
    while (step != PLAYER_NONE && !lane_parts(parts, stage, step))
        step = steps[step].parent;
    return step;
}

static bool holds_cursor(const Strip *strip, size_t step) {
    const Player *player = strip->stage->player;
    return player->step >= step && player->step < player->steps[step].next;
}

static void begin_part(const Strip *strip, size_t step) {
    canvas_link(strip->stage->canvas, (Link){.kind = LINK_STEP, .index = step});
}

static double chip_width(const Strip *strip, const LaneLoop *loop) {
    const Canvas *canvas = strip->stage->canvas;
    const char *name = lane_loop_block(strip->stage, loop).name;
    double size = canvas_size(canvas, TEXT, name);
    return ceil(canvas_text_width(canvas, FONT_BOLD, size, name)) + 2 * PAD;
}

/* Draws a sublayer's chip; highlighted if the player's step is in it. */
static void draw_chip(Strip *strip, const LaneLoop *loop) {
    const Canvas *canvas = strip->stage->canvas;
    const Theme *theme = canvas->theme;
    LaneBlock chip = lane_loop_block(strip->stage, loop);
    bool lit = holds_cursor(strip, loop->step);
    Box box = {strip->x, strip->middle - CHIP / 2, chip_width(strip, loop), CHIP};
    chip.units = TEXT;
    chip.font = lit ? FONT_BOLD : FONT_TEXT;
    chip.fill = lit ? theme->current : theme->page;
    chip.edge = lit ? theme->current : theme->line;
    chip.ink = lit ? theme->current_ink : theme->ink_soft;
    begin_part(strip, loop->step);
    lane_block_draw(canvas, &chip, box);
    canvas_unlink(canvas);
    strip->x += box.w + GAP;
}

static void draw_sum(Strip *strip, size_t step) {
    const Canvas *canvas = strip->stage->canvas;
    Point centre = {strip->x + SUM_RADIUS, strip->middle};
    begin_part(strip, step);
    if (holds_cursor(strip, step))
        canvas_dot(canvas, centre, SUM_RADIUS + 4, canvas->theme->current, (Color){0}, 0);
    lane_sum(canvas, centre, SUM_RADIUS);
    canvas_unlink(canvas);
    strip->x += 2 * SUM_RADIUS + GAP;
}

static void draw_gate(Strip *strip, size_t step) {
    const Canvas *canvas = strip->stage->canvas;
    Color color = role_color(canvas->theme, ROLE_NORM, canvas->theme->ink);
    Box box = {strip->x, strip->middle - CHIP / 2, GATE_WIDTH, CHIP};
    begin_part(strip, step);
    scene_rectangle(canvas->scene, box, 4,
                    holds_cursor(strip, step) ? color : canvas->theme->page, color, 2);
    canvas_unlink(canvas);
    strip->x += box.w + GAP;
}

static double width_of(const Strip *strip, const LaneParts *parts) {
    double width = GAP;
    for (size_t i = 0; i < parts->count; i++) {
        const LaneLoop *loop = &parts->loops[i];
        width += chip_width(strip, loop) + 2 * SUM_RADIUS + 2 * GAP;
        if (loop->norm != TAPE_NONE)
            width += GATE_WIDTH + GAP;
    }
    return width;
}

void lane_strip(const Stage *stage, Box *area) {
    LaneParts parts;
    Strip strip = {.stage = stage};
    if (area->h < LEAST_STAGE || find_layer(stage, &parts) == PLAYER_NONE)
        return;
    double width = width_of(&strip, &parts) + 2 * GAP;
    if (width > area->w)
        return;
    Box box = box_take_top(area, HEIGHT);
    strip.middle = round(box.y + CHIP / 2);
    strip.x = box.x + 2 * GAP;
    lane_residual(stage->canvas, (Point){box.x, strip.middle},
                  (Point){box.x + width + GAP, strip.middle}, LANE, true);
    for (size_t i = 0; i < parts.count; i++) {
        const LaneLoop *loop = &parts.loops[i];
        if (loop->norm_first)
            draw_gate(&strip, loop->norm_step);
        draw_chip(&strip, loop);
        draw_sum(&strip, loop->sum_step);
        if (loop->norm != TAPE_NONE && !loop->norm_first)
            draw_gate(&strip, loop->norm_step);
    }
}
