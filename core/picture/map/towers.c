#include "picture/map/map.h"
#include "picture/map/map_parts.h"

#include "lesson/content/block.h"
#include "lesson/content/content.h"
#include "picture/draw/roles.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double SINGLE_WIDTH = 250, DOUBLE_WIDTH = 398, SMALL_PAD = 24,
                    SMALL_MARGIN = 12;
static const double STRIPE = 3, MARK_GAP = 4, FRAME_PAD = 9, CAPTION_GAP = 8,
                    NAME_PAD = 6, NAME_HEIGHT = 22,
                    LABEL_PITCH = 0.6; /* height of a layer's label in pitches */
enum { TEXT_LINES = 3 };               /* of the text at the bottom */

/* ---- model ---- */

/* Reports whether the step is no part of the model, but about the block of that name. */
bool towers_are_about(const Towers *towers, const char *name) {
    return towers->present == PLAYER_NONE &&
           strcmp(lesson_block_name(map_block(towers->parts->page->player)), name) == 0;
}

BoxState tower_box_state(const Towers *towers, const TowerBox *box, const Tower *tower) {
    bool done = true;
    for (size_t i = box->first; i <= box->last; i++) {
        const TransformerPart *part = &towers->model->parts[i];
        if (box->folded && part->kind != TRANSFORMER_LAYER)
            continue;
        if (towers_hold_cursor(towers, i))
            return BOX_PRESENT;
        done &= towers_are_past(towers, i);
    }
    if (towers_are_about(towers, box->key + strlen("map.")))
        return BOX_PRESENT;
    bool whole_layer = box->in_frame && towers->present == tower->layer_part &&
                       towers->present != PLAYER_NONE;
    return done || whole_layer ? BOX_DONE : BOX_TO_COME;
}

const char *tower_box_words(const Towers *towers, const TowerBox *box) {
    const Canvas *canvas = towers->parts->canvas;
    if (!box->folded)
        return canvas_string(canvas, box->key);
    const char *count = canvas_count(canvas, box->folded);
    return canvas_words(canvas, box->key, count, NULL);
}

static void link_part(const Towers *towers, size_t part) {
    size_t step = towers->steps[part];
    if (step != PLAYER_NONE)
        canvas_link(towers->parts->canvas, (Link){LINK_STEP, step, 0, 0});
}

static void draw_mark(const Towers *towers, const TowerBox *box, BoxState state,
                      Box place) {
    bool within = state == BOX_PRESENT && towers->present >= box->first &&
                  towers->present <= box->last;
    size_t node = towers->model->parts[within ? towers->present : box->last].node;
    if (state != BOX_TO_COME || map_shows_ahead(towers->parts, node))
        map_thumbnail(towers->parts, node, place);
    else
        map_ring(towers->parts->canvas, place);
}

/* Reports whether a part in the box is muted. */
static bool is_muted(const Towers *towers, const TowerBox *box) {
    for (size_t part = box->first; part <= box->last; part++) {
        if (towers->steps[part] != PLAYER_NONE &&
            player_muted(towers->parts->page->player, towers->steps[part]))
            return true;
    }
    return false;
}

static void draw_box(const Towers *towers, const Tower *tower, const TowerBox *box) {
    const Canvas *canvas = towers->parts->canvas;
    const Theme *theme = canvas->theme;
    BoxState state = tower_box_state(towers, box, tower);
    bool present = state == BOX_PRESENT;
    Color ink = present             ? theme->current_ink
                : state == BOX_DONE ? theme->ink
                                    : theme->ink_faint;
    Box inner = box->box;
    link_part(towers, box->first);
    for (double i = 2; i > 0 && box->folded > 1; i--) /* folded layers are behind it */
        map_box(canvas, (Box){inner.x + 2 * i, inner.y - 2 * i, inner.w - 4 * i, inner.h},
                false);
    map_box(canvas, inner, present);
    box_take_left(&inner, 2);
    Box stripe = box_take_left(&inner, STRIPE);
    canvas_fill(canvas, (Box){stripe.x, stripe.y + 4, STRIPE, stripe.h - 8}, STRIPE / 2,
                tower_box_color(theme, box));
    const char *words = tower_box_words(towers, box);
    double side = fmin(16, inner.h - 6), mark = side + 2 * MARK_GAP;
    if (mark + text_line_width(canvas, FONT_TEXT, TYPE_SMALL, words) <= inner.w) {
        Box place = box_take_left(&inner, mark); /* words are more important */
        draw_mark(
            towers, box, state,
            (Box){place.x + MARK_GAP, round(place.y + (place.h - side) / 2), side, side});
    }
    text_line(canvas, FONT_TEXT, TYPE_SMALL, ink, inner, LABEL_LEFT, words);
    if (is_muted(towers, box))
        map_strike(canvas, inner);
    canvas_unlink(canvas);
}

static Color frame_color(const Theme *theme) {
    return palette_mix(theme->panel, theme->ink, 14);
}

/* Draws "layer 2 of 6" over the line that a layer's boxes stand on. */
static void draw_frame_label(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    const char *words =
        canvas_words(canvas, "map.layer_of", canvas_count(canvas, tower->layer + 1),
                     canvas_count(canvas, tower->layers), NULL);
    Box label = {tower->frame.x + FRAME_PAD, tower->frame.y + 3,
                 tower->frame.w - 2 * FRAME_PAD, towers->pitch * LABEL_PITCH};
    canvas_fill(canvas, label, 0, frame_color(canvas->theme));
    text_line(canvas, towers->present == tower->layer_part ? FONT_BOLD : FONT_TEXT,
              TYPE_SMALL, canvas->theme->ink_soft, label, LABEL_LEFT, words);
}

/* Draws the frame of the drawn layer, if there is one, and the boxes' line. */
static void draw_frame(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    const Theme *theme = canvas->theme;
    bool layer = tower->layer_part != PLAYER_NONE;
    bool present = towers->present == tower->layer_part ||
                   towers_are_about(towers, tower->tower->name);
    if (layer) {
        link_part(towers, tower->layer_part);
        scene_rectangle(canvas->scene, tower->frame, 9, frame_color(theme),
                        present ? theme->current : (Color){0}, 2);
    }
    tower_draw_trunk(canvas, tower, 1, theme->ink_faint);
    if (layer && tower_has_label(tower))
        draw_frame_label(towers, tower);
    canvas_unlink(canvas);
}

/* Draws a tower's name above its upper end. */
static void draw_caption(const Canvas *canvas, const Tower *tower, FontRole font) {
    const char *key = canvas_format(canvas, "map.%s", tower->tower->name);
    canvas_label(canvas, font, TYPE_SMALL, canvas->theme->ink_soft,
                 (Point){tower->frame.x, tower->top - CAPTION_GAP}, LABEL_LEFT,
                 canvas_string(canvas, key));
}

/* Draws the text at the bottom: "when you play the game of thrones". */
static void draw_words(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    if (tower->ids == TAPE_NONE)
        return;
    const Tape *tape = towers->parts->page->player->lesson->tape;
    const Tensor *ids = &tape_node(tape, tower->ids)->output;
    const char *text = "";
    for (size_t j = 0; ids->col_labels && j < ids->cols && strlen(text) < 200; j++)
        text = canvas_format(canvas, "%s%s%s", text, j ? " " : "", ids->col_labels[j]);
    TextBlock words = text_block(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_soft,
                                 TEXT_LINES, text);
    Box below = tower->boxes[0].box;
    below.y += below.h + 6;
    text_block_draw(canvas, &words, below);
}

size_t towers_memory_part(const Transformer *model) {
    for (size_t i = 0; i < model->part_count; i++) {
        if (model->parts[i].kind == TRANSFORMER_MEMORY)
            return i;
    }
    return PLAYER_NONE;
}

/* Draws the encoder output with its name over its line, on a dark ground if it is the
 * present part. */
static void draw_memory(const Towers *towers) {
    const Canvas *canvas = towers->parts->canvas;
    const Theme *theme = canvas->theme;
    const Tower *encoder = &towers->items[0];
    size_t memory = towers_memory_part(towers->model);
    if (memory != PLAYER_NONE)
        link_part(towers, memory);
    towers_draw_memory(canvas, towers);
    bool present = memory != PLAYER_NONE && memory == towers->present;
    const char *words = canvas_string(canvas, "map.memory");
    double width = text_line_width(canvas, FONT_TEXT, TYPE_SMALL, words) + 2 * NAME_PAD;
    Box box = encoder->boxes[encoder->count - 1].box;
    Box name = {box.x + box.w + NAME_PAD - width,
                encoder->top - towers->style->rise - NAME_HEIGHT - 4, width, NAME_HEIGHT};
    if (present)
        canvas_fill(canvas, name, 5, theme->current);
    text_line(canvas, FONT_TEXT, TYPE_SMALL,
              present ? theme->current_ink : theme->ink_soft, name, LABEL_CENTER, words);
    canvas_unlink(canvas);
}

static void draw_towers(const PageParts *parts, const Transformer *model, Box area) {
    Towers towers;
    towers_prepare(&towers, parts, model, area);
    for (size_t t = 0; t < towers.count; t++)
        draw_frame(&towers, &towers.items[t]);
    if (towers.count > 1)
        draw_memory(&towers);
    for (size_t t = 0; t < towers.count; t++) {
        const Tower *tower = &towers.items[t];
        draw_caption(parts->canvas, tower, FONT_BOLD);
        for (size_t i = 0; i < tower->count; i++)
            draw_box(&towers, tower, &tower->boxes[i]);
        draw_words(&towers, tower);
    }
}

/* ---- small map ---- */

static void draw_small_box(const Canvas *canvas, const TowerBox *box, const char *key) {
    const Theme *theme = canvas->theme;
    bool lit = strcmp(box->key, key) == 0;
    Color color = tower_box_color(theme, box);
    scene_rectangle(canvas->scene, box->box, 4, lit ? theme->current : theme->bar,
                    lit ? theme->current : color, lit ? 1 : theme->lines);
    sign_draw(canvas, tower_box_sign(box), box->box, lit ? theme->current_ink : color);
}

static void draw_small_tower(const Canvas *canvas, const Tower *tower, const char *key) {
    const Theme *theme = canvas->theme;
    bool whole = strcmp(tower->tower->name, key + strlen("map.")) == 0;
    scene_rectangle(canvas->scene, tower->frame, 6,
                    whole ? theme->current : frame_color(theme), (Color){0}, 0);
    tower_draw_trunk(canvas, tower, 1, theme->ink_faint);
    for (size_t i = 0; i < tower->count; i++)
        draw_small_box(canvas, &tower->boxes[i], key);
    draw_caption(canvas, tower, FONT_TEXT);
}

static void draw_small(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const char *key = canvas_format(canvas, "map.%s",
                                    lesson_block_name(map_block(parts->page->player)));
    Box name = box_take_bottom(&area, 26);
    area = box_inset(area, SMALL_MARGIN);
    Towers towers;
    const Transformer *model = parts->page->player->lesson->model;
    towers_prepare_shape(&towers, model ? &model->shape : NULL, NULL, area);
    for (size_t t = 0; t < towers.count; t++)
        draw_small_tower(canvas, &towers.items[t], key);
    towers_draw_memory(canvas, &towers);
    text_line(canvas, FONT_BOLD, TYPE_TEXT, canvas->theme->ink,
              box_narrowed(name, SMALL_PAD), LABEL_LEFT, canvas_string(canvas, key));
}

/* ---- the map ---- */

bool map_has_towers(const Lesson *lesson) {
    return lesson->model_step_count || lesson->lists_model_steps;
}

double map_width(const PageParts *parts) {
    const Lesson *lesson = parts->page->player->lesson;
    return map_has_towers(lesson) && transformer_tower(lesson->model->shape.kind, 1)
               ? DOUBLE_WIDTH
               : SINGLE_WIDTH;
}

void map_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Lesson *lesson = parts->page->player->lesson;
    canvas_fill(canvas, area, 0, canvas->theme->panel);
    canvas_fill(canvas, (Box){area.x + area.w - 1, area.y, 1, area.h}, 0,
                canvas->theme->line);
    if (map_has_towers(lesson))
        draw_towers(parts, lesson->model, area);
    else if (map_block(parts->page->player))
        draw_small(parts, area);
}
