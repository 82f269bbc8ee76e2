#include "picture/map/map.h"
#include "picture/map/map_parts.h"

#include "base/arena.h"
#include "lesson/content/block.h"
#include "lesson/content/content.h"
#include "picture/draw/lanes.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double BOX = 30, LEAST_BOX = 17, HEIGHT = 24, GAP = 6, TOWER_GAP = 26,
                    NAME_GAP = 14, PAD = 8, TARGET = 40, BELOW_BAR = 2, LANE = 7,
                    FRAME = 4, ARROW = 5, CAPTION_GAP = 10;

/* ---- boxes ---- */

typedef struct MapLane {
    const PageParts *parts;
    Towers towers;
    LessonBlock block;                /* of the present step outside a model */
    size_t steps[LESSON_BLOCK_COUNT]; /* outside a model, of each block */
    bool named;                       /* boxes have their names */
    bool captioned;                   /* towers have their names in front of them */
    double box;                       /* width of a box without a name */
    double middle;
    const char *name; /* of the present part, behind the boxes */
} MapLane;

static const Canvas *canvas_of(const MapLane *lane) {
    return lane->parts->canvas;
}

static bool is_present(const MapLane *lane, const Tower *tower, const TowerBox *box) {
    const char *name = box->key + strlen("map.");
    return lane->towers.model ? tower_box_state(&lane->towers, box, tower) == BOX_PRESENT
                              : strcmp(name, lesson_block_name(lane->block)) == 0;
}

/* Reports whether the present part is the tower, or the drawn layer, as a whole. */
static bool is_frame_present(const MapLane *lane, const Tower *tower) {
    const Towers *towers = &lane->towers;
    if (!towers->model)
        return strcmp(tower->tower->name, lesson_block_name(lane->block)) == 0;
    return (towers->present != PLAYER_NONE && towers->present == tower->layer_part) ||
           towers_are_about(towers, tower->tower->name);
}

static const char *words_of(const MapLane *lane, const TowerBox *box) {
    return lane->towers.model ? tower_box_words(&lane->towers, box)
                              : canvas_string(canvas_of(lane), box->key);
}

/* Step that a box leads to, or PLAYER_NONE. */
static size_t step_of(const MapLane *lane, const TowerBox *box) {
    return lane->towers.model ? lane->towers.steps[box->first]
                              : lane->steps[lesson_block_find(box->key + strlen("map."))];
}

/* ---- steps of the boxes outside a model ---- */

static bool all_boxes_have_steps(const MapLane *lane) {
    for (size_t t = 0; t < lane->towers.count; t++) {
        const Tower *tower = &lane->towers.items[t];
        for (size_t i = 0; i < tower->count; i++) {
            if (step_of(lane, &tower->boxes[i]) == PLAYER_NONE)
                return false;
        }
    }
    return true;
}

/* Finds the first step of each block without one among a statement's steps, until all
 * boxes have theirs. A part has its parent's block unless it has its own. */
static void find_in_statement(MapLane *lane, size_t statement, LessonBlock *blocks) {
    const Player *player = lane->parts->page->player;
    LessonBlock stated = map_stated_block(player->lesson, statement);
    for (size_t i = player->statements[statement];
         i < player->step_count && player->steps[i].statement == statement; i++) {
        const PlayerStep *step = &player->steps[i];
        blocks[i] = LESSON_BLOCK_NONE;
        if (step->parent != PLAYER_NONE)
            blocks[i] = map_own_block(player, step);
        if (!blocks[i] && step->parent != PLAYER_NONE)
            blocks[i] = blocks[step->parent];
        LessonBlock block = blocks[i] ? blocks[i] : stated;
        if (lane->steps[block] != PLAYER_NONE)
            continue;
        lane->steps[block] = i;
        if (all_boxes_have_steps(lane))
            return;
    }
}

/* Finds the first step of each box's block, in the present statement before others. Every
 * frame does so, and a lesson may have thousands of steps: the search ends with the last
 * box. */
static void find_block_steps(MapLane *lane) {
    const Player *player = lane->parts->page->player;
    LessonBlock *blocks =
        arena_alloc(canvas_of(lane)->scene->arena, player->step_count, sizeof *blocks);
    size_t present = player_statement(player);
    for (size_t i = 0; i < LESSON_BLOCK_COUNT; i++)
        lane->steps[i] = PLAYER_NONE;
    find_in_statement(lane, present, blocks);
    for (size_t i = 0; i < player->lesson->step_count && !all_boxes_have_steps(lane);
         i++) {
        if (i != present)
            find_in_statement(lane, i, blocks);
    }
}

static const char *layer_words(const MapLane *lane, const Tower *tower) {
    return canvas_words(canvas_of(lane), "map.layer_of",
                        canvas_count(canvas_of(lane), tower->layer + 1),
                        canvas_count(canvas_of(lane), tower->layers), NULL);
}

/* Name of the present part: "Masked attention  ·  layer 2 of 6". */
static const char *present_name(const MapLane *lane) {
    const Canvas *canvas = canvas_of(lane);
    const Towers *towers = &lane->towers;
    if (!towers->model)
        return canvas_string(
            canvas, canvas_format(canvas, "map.%s", lesson_block_name(lane->block)));
    size_t memory = towers_memory_part(towers->model);
    if (memory != PLAYER_NONE && towers->present == memory)
        return canvas_string(canvas, "map.memory");
    for (size_t t = 0; t < towers->count; t++) {
        const Tower *tower = &towers->items[t];
        if (is_frame_present(lane, tower))
            return tower_has_label(tower)
                       ? layer_words(lane, tower)
                       : canvas_string(
                             canvas, canvas_format(canvas, "map.%s", tower->tower->name));
        for (size_t i = 0; i < tower->count; i++) {
            if (!is_present(lane, tower, &tower->boxes[i]))
                continue;
            const char *words = words_of(lane, &tower->boxes[i]);
            return tower->boxes[i].in_frame && tower_has_label(tower)
                       ? canvas_format(canvas, "%s  ·  %s", words,
                                       layer_words(lane, tower))
                       : words;
        }
    }
    return "";
}

/* ---- layout ---- */

static double width_of(const MapLane *lane, const TowerBox *box) {
    if (!lane->named)
        return lane->box;
    return ceil(text_line_width(canvas_of(lane), FONT_BOLD, TYPE_SMALL,
                                words_of(lane, box))) +
           2 * PAD;
}

static const char *caption_of(const MapLane *lane, const Tower *tower) {
    return canvas_string(canvas_of(lane),
                         canvas_format(canvas_of(lane), "map.%s", tower->tower->name));
}

/* Width of a tower's name and of the gap behind it. */
static double caption_width(const MapLane *lane, const Tower *tower) {
    if (!lane->captioned)
        return 0;
    return ceil(text_line_width(canvas_of(lane), FONT_TEXT, TYPE_SMALL,
                                caption_of(lane, tower))) +
           CAPTION_GAP;
}

/* Width of the present part's name behind the boxes, and of the gap before it. */
static double name_width(const MapLane *lane) {
    return NAME_GAP + 1 +
           text_line_width(canvas_of(lane), FONT_BOLD, TYPE_SMALL, present_name(lane));
}

/* Places the boxes from x on; returns their right end. */
static double place(MapLane *lane, double x) {
    for (size_t t = 0; t < lane->towers.count; t++) {
        Tower *tower = &lane->towers.items[t];
        x += (t ? TOWER_GAP : 0) + caption_width(lane, tower);
        tower->frame = (Box){0};
        for (size_t i = 0; i < tower->count; i++) {
            TowerBox *box = &tower->boxes[i];
            double w = width_of(lane, box);
            box->box = (Box){x, lane->middle - HEIGHT / 2, w, HEIGHT};
            if (box->in_frame && tower->frame.w == 0)
                tower->frame = box_inset(box->box, -FRAME);
            if (box->in_frame)
                tower->frame.w = x + w + FRAME - tower->frame.x;
            x += w + GAP;
        }
        x -= GAP;
    }
    return x;
}

/* Lays the lane out in a width: all names; else boxes without, behind the names of two
 * towers; else boxes alone, narrower and narrower. Returns false without room. */
static bool lay_out(MapLane *lane, Box strip) {
    double right = strip.x + strip.w;
    lane->box = BOX;
    lane->captioned = lane->towers.count > 1;
    lane->named = true;
    if (place(lane, strip.x) <= right)
        return true;
    lane->named = false;
    if (lane->captioned && place(lane, strip.x) + name_width(lane) <= right)
        return true;
    lane->captioned = false;
    while (place(lane, strip.x) > right) {
        if (--lane->box < LEAST_BOX)
            return false;
    }
    return true;
}

/* ---- drawing ---- */

static void draw_box(const MapLane *lane, const Tower *tower, const TowerBox *box) {
    const Canvas *canvas = canvas_of(lane);
    const Theme *theme = canvas->theme;
    bool lit = is_present(lane, tower, box);
    Color color = tower_box_color(theme, box);
    size_t step = step_of(lane, box);
    Box target = {box->box.x - GAP / 2, lane->middle - TARGET / 2 + BELOW_BAR,
                  box->box.w + GAP, TARGET};
    if (step != PLAYER_NONE) {
        canvas_link(canvas, (Link){LINK_STEP, step, 0, 0});
        canvas_target(canvas, target);
    }
    scene_rectangle(canvas->scene, box->box, 4, lit ? theme->current : theme->bar,
                    lit ? theme->current : color, lit ? 1 : theme->lines);
    if (lane->named)
        text_line(canvas, lit ? FONT_BOLD : FONT_TEXT, TYPE_SMALL,
                  lit ? theme->current_ink : theme->ink_soft, box->box, LABEL_CENTER,
                  words_of(lane, box));
    else
        sign_draw(canvas, tower_box_sign(box), box->box,
                  lit ? theme->current_ink : color);
    canvas_unlink(canvas);
}

static void draw_tower(const MapLane *lane, const Tower *tower) {
    const Canvas *canvas = canvas_of(lane);
    const Theme *theme = canvas->theme;
    Box first = tower->boxes[0].box, last = tower->boxes[tower->count - 1].box;
    double caption = caption_width(lane, tower);
    if (caption > 0)
        text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_soft,
                  (Box){first.x - caption, first.y, caption - CAPTION_GAP, first.h},
                  LABEL_LEFT, caption_of(lane, tower));
    if (tower->frame.w > 0)
        scene_rectangle(canvas->scene, tower->frame, 6,
                        is_frame_present(lane, tower)
                            ? theme->current
                            : palette_mix(theme->page, theme->ink, 14),
                        (Color){0}, 0);
    lane_residual(canvas, (Point){first.x, lane->middle},
                  (Point){last.x + last.w, lane->middle}, LANE, false);
    for (size_t i = 0; i < tower->count; i++)
        draw_box(lane, tower, &tower->boxes[i]);
}

/* Draws the line of the encoder output above the boxes that it passes, into those that
 * read it. */
static void draw_memory(const MapLane *lane) {
    const Canvas *canvas = canvas_of(lane);
    const Towers *towers = &lane->towers;
    const Theme *theme = canvas->theme;
    if (towers->count < 2)
        return;
    const Tower *encoder = &towers->items[0], *decoder = &towers->items[1];
    Box from = encoder->boxes[encoder->count - 1].box;
    double top = lane->middle - HEIGHT / 2 - FRAME - 2;
    size_t memory = towers->model ? towers_memory_part(towers->model) : PLAYER_NONE;
    bool present = memory != PLAYER_NONE && memory == towers->present;
    Color color = present ? theme->current : theme->ink_faint;
    for (size_t i = 0; i < decoder->count; i++) {
        const TowerBox *reader = &decoder->boxes[i];
        if (!reader->reads_memory)
            continue;
        double start = round(from.x + from.w + FRAME + 5),
               end = round(reader->box.x + reader->box.w / 2);
        const Point path[] = {{from.x + from.w, lane->middle},
                              {start, lane->middle},
                              {start, top},
                              {end, top},
                              {end, reader->box.y - 1}};
        scene_path(canvas->scene, path, 5, present ? 2.5 : 1.5, color);
        canvas_arrow_head(canvas, (Point){end, top}, path[4], ARROW, color);
    }
}

double map_lane_draw(const PageParts *parts, Box strip) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    const Lesson *lesson = player->lesson;
    MapLane lane = {.parts = parts, .middle = round(strip.y + strip.h / 2)};
    if (map_has_towers(lesson)) {
        towers_prepare(&lane.towers, parts, lesson->model, strip);
    } else {
        lane.block = map_block(player);
        if (!lane.block)
            return strip.x;
        towers_prepare_shape(&lane.towers, lesson->model ? &lesson->model->shape : NULL,
                             NULL, strip);
        find_block_steps(&lane);
    }
    if (!lay_out(&lane, strip))
        return strip.x;
    for (size_t t = 0; t < lane.towers.count; t++)
        draw_tower(&lane, &lane.towers.items[t]);
    draw_memory(&lane);
    const Tower *tower = &lane.towers.items[lane.towers.count - 1];
    Box last = tower->boxes[tower->count - 1].box;
    double right = last.x + last.w;
    const char *name = present_name(&lane);
    double width = text_line_width(canvas, FONT_BOLD, TYPE_SMALL, name);
    Box place = {right + NAME_GAP, lane.middle - HEIGHT / 2, width + 1, HEIGHT};
    if (!name[0] || place.x + place.w > strip.x + strip.w)
        return right;
    canvas_link(canvas, parts->page->map);
    canvas_target(canvas,
                  (Box){place.x, lane.middle - TARGET / 2 + BELOW_BAR, place.w, TARGET});
    text_line(canvas, FONT_BOLD, TYPE_SMALL, canvas->theme->ink, place, LABEL_LEFT, name);
    canvas_unlink(canvas);
    return place.x + place.w;
}
