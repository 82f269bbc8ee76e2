#include "picture/map/towers.h"

#include "lesson/content/block.h"
#include "lesson/content/content.h"
#include "picture/draw/roles.h"
#include "picture/map/map_parts.h"
#include "picture/map/towers_boxes.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double SINGLE_WIDTH = 250, DOUBLE_WIDTH = 398;                /* units */
static const double SMALL_HEIGHT = 346, SMALL_PAD = 24, SMALL_MARGIN = 12; /* units */
/* Width of keys' and values' lines; gap between them. */
static const double STRIPE = 3, APART = 3;
enum { TEXT_LINES = 3 }; /* of the text at the bottom */

/* ---- block of a step outside a model ---- */

/* Block of a step within a composite: that of its topic, or of the composite's. */
static LessonBlock block_of_topic(const Player *player, size_t step) {
    const PlayerStep *at = &player->steps[step];
    const Tape *tape = player->lesson->tape;
    for (; at->parent != PLAYER_NONE; at = &player->steps[at->parent]) {
        LessonBlock block = lesson_block_find(at->topic);
        bool decodes = strstr(tape_node(tape, at->node)->name, "decoder.") != NULL;
        if (block == LESSON_BLOCK_SELF_ATTENTION && decodes)
            return LESSON_BLOCK_MASKED_ATTENTION;
        if (block != LESSON_BLOCK_NONE)
            return block;
        Role role = role_of_node(tape, at->node);
        if (role == ROLE_NORM || role == ROLE_RESIDUAL)
            return LESSON_BLOCK_ADD_AND_NORM;
    }
    return LESSON_BLOCK_NONE;
}

/* Block that the statement names, or the last one before it that names one. */
static LessonBlock block_of(const Player *player) {
    LessonBlock block = block_of_topic(player, player->step);
    const Lesson *lesson = player->lesson;
    for (size_t i = player_statement(player) + 1; !block && i > 0; i--)
        block = lesson->steps[i - 1].block;
    return block ? block : lesson->block;
}

/* ---- model ---- */

/* Reports whether the step is no part of the model, but about the block of that name. */
static bool is_about(const Towers *towers, const char *name) {
    return towers->present == PLAYER_NONE &&
           strcmp(lesson_block_name(block_of(towers->parts->page->player)), name) == 0;
}

typedef enum BoxState { BOX_TO_COME, BOX_PRESENT, BOX_DONE } BoxState;

/* State of a box. While the cursor is on a layer as a whole, the layer's parts count as
 * computed. */
static BoxState state_of(const Towers *towers, const TowerBox *box, const Tower *tower) {
    bool done = true;
    for (size_t i = box->first; i <= box->last; i++) {
        const TransformerPart *part = &towers->model->parts[i];
        if (box->folded && part->kind != TRANSFORMER_LAYER)
            continue;
        if (towers_hold_cursor(towers, i))
            return BOX_PRESENT;
        done &= towers_are_past(towers, i);
    }
    if (is_about(towers, box->key + strlen("map.")))
        return BOX_PRESENT;
    bool whole_layer = box->in_frame && towers->present == tower->layer_part &&
                       towers->present != PLAYER_NONE;
    return done || whole_layer ? BOX_DONE : BOX_TO_COME;
}

static const char *box_words(const Towers *towers, const TowerBox *box) {
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
    const Canvas *canvas = towers->parts->canvas;
    bool within = state == BOX_PRESENT && towers->present >= box->first &&
                  towers->present <= box->last;
    size_t node = towers->model->parts[within ? towers->present : box->last].node;
    if (state != BOX_TO_COME || map_shows_ahead(towers->parts, node)) {
        map_thumbnail(towers->parts, node, place);
        return;
    }
    canvas_dot(canvas, box_middle(place), 5, (Color){0}, canvas->theme->ink_faint, 1);
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
    BoxState state = state_of(towers, box, tower);
    bool present = state == BOX_PRESENT;
    Color ink = present             ? theme->current_ink
                : state == BOX_DONE ? theme->ink
                                    : theme->ink_faint;
    link_part(towers, box->first);
    Box at = box->box;
    for (size_t i = 0; i < 2 && box->folded > 1;
         i++) /* folded layers are drawn behind it */
        map_box(canvas,
                (Box){at.x + 2.0 * (double)(2 - i), at.y - 2.0 * (double)(2 - i),
                      at.w - 4.0 * (double)(2 - i), at.h},
                false);
    map_box(canvas, at, present);
    canvas_fill(canvas, (Box){at.x + 2, at.y + 4, STRIPE, at.h - 8}, STRIPE / 2,
                tower_box_color(theme, box));
    double side = fmin(16, at.h - 6);
    Box mark = {at.x + 5 + STRIPE, round(at.y + (at.h - side) / 2), side, side};
    const char *words = box_words(towers, box);
    double size = canvas_size(canvas, 15, words), right = at.x + at.w - 3;
    double left = mark.x + side + 5;
    if (left + canvas_text_width(canvas, FONT_TEXT, size, words) > right)
        left = at.x + 2 + STRIPE; /* words are more important than the thumbnail */
    else
        draw_mark(towers, box, state, mark);
    canvas_text(canvas, FONT_TEXT, size, ink,
                (Point){left, label_baseline(at.y + at.h / 2, size)}, LABEL_LEFT, words);
    if (is_muted(towers, box))
        map_strike(canvas, (Box){left, at.y, at.x + at.w - left - 6, at.h});
    canvas_unlink(canvas);
}

static Color frame_color(const Theme *theme) {
    return palette_mix(theme->panel, theme->ink, 14);
}

static void draw_frame(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    if (tower->layer_part == PLAYER_NONE)
        return;
    bool present =
        towers->present == tower->layer_part || is_about(towers, tower->tower->name);
    link_part(towers, tower->layer_part);
    scene_rectangle(canvas->scene, tower->frame, 9, frame_color(canvas->theme),
                    present ? canvas->theme->current : (Color){0}, 2);
    canvas_unlink(canvas);
}

/* Draws "layer 2 of 6"; the line from box to box stops at it. */
static void draw_frame_label(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    const Theme *theme = canvas->theme;
    if (tower->layer_part == PLAYER_NONE || !tower_has_label(tower))
        return;
    const char *words =
        canvas_words(canvas, "map.layer_of", canvas_count(canvas, tower->layer + 1),
                     canvas_count(canvas, tower->layers), NULL);
    bool present = towers->present == tower->layer_part;
    FontRole font = present ? FONT_BOLD : FONT_TEXT;
    double pad = 9, size = canvas_size(canvas, 13, words);
    LabelFit fit = canvas_fit(canvas, font, size, tower->frame.w - 2 * pad, words);
    double baseline = label_baseline(tower->frame.y + towers->pitch * 0.42, fit.size);
    link_part(towers, tower->layer_part);
    canvas_fill(canvas,
                (Box){tower->frame.x + pad, baseline - LABEL_ASCENT * fit.size,
                      tower->frame.w - 2 * pad,
                      (LABEL_ASCENT + LABEL_DESCENT) * fit.size},
                0, frame_color(theme));
    canvas_text(canvas, font, fit.size, theme->ink_soft,
                (Point){tower->frame.x + pad, baseline}, LABEL_LEFT, fit.text);
    canvas_unlink(canvas);
}

/* Draws the lines from box to box, which lead upwards. */
static void draw_connections(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    for (size_t i = 1; i < tower->count; i++) {
        Box below = tower->boxes[i - 1].box, above = tower->boxes[i].box;
        double x = below.x + round(below.w / 2) + 0.5;
        scene_line(canvas->scene, (Point){x, below.y}, (Point){x, above.y + above.h}, 1,
                   canvas->theme->ink_faint);
    }
}

static void draw_caption(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    const char *words =
        canvas_string(canvas, canvas_format(canvas, "map.%s", tower->tower->name));
    double size = canvas_size(canvas, 13, words);
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink_soft,
                (Point){tower->boxes[0].box.x,
                        round(tower->top - towers->pitch * TOWERS_CAPTION_PITCH * 0.3)},
                LABEL_LEFT, words);
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
    double size = canvas_size(canvas, 13, text);
    Box below = tower->boxes[0].box;
    below.y += below.h + 6;
    canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->ink_soft, below,
                     round(size * 1.3), TEXT_LINES, text);
}

/* Part of the encoder output, or PLAYER_NONE. */
static size_t memory_part(const Transformer *model) {
    for (size_t i = 0; i < model->part_count; i++) {
        if (model->parts[i].kind == TRANSFORMER_MEMORY)
            return i;
    }
    return PLAYER_NONE;
}

/* Draws the encoder output's name over its line, on a dark ground if it is the present
 * part. */
static void draw_memory_name(const Towers *towers, Point right_end, double room,
                             bool present) {
    const Canvas *canvas = towers->parts->canvas;
    const Theme *theme = canvas->theme;
    const char *words = canvas_string(canvas, "map.memory");
    double pad = 6, size = canvas_size(canvas, 12.5, words);
    LabelFit fit = canvas_fit(canvas, FONT_TEXT, size, room - 2 * pad, words);
    double width = canvas_text_width(canvas, FONT_TEXT, fit.size, fit.text);
    Box ground = {right_end.x - width - 2 * pad,
                  right_end.y - LABEL_ASCENT * fit.size - pad / 2, width + 2 * pad,
                  (LABEL_ASCENT + LABEL_DESCENT) * fit.size + pad};
    if (present)
        canvas_fill(canvas, ground, 5, theme->current);
    canvas_text(canvas, FONT_TEXT, fit.size,
                present ? theme->current_ink : theme->ink_soft,
                (Point){right_end.x - pad, right_end.y}, LABEL_RIGHT, fit.text);
}

/* Draws the lines from the encoder's top to every cross-attention: keys and values, which
 * are computed from it, side by side in their colours. */
static void draw_memory(const Towers *towers) {
    const Canvas *canvas = towers->parts->canvas;
    const Tower *encoder = &towers->items[0], *decoder = &towers->items[1];
    const double width = 2;
    double top = round(encoder->top - towers->pitch * TOWERS_CAPTION_PITCH) + 0.5;
    Box last = encoder->boxes[encoder->count - 1].box;
    double start = round(last.x + last.w * 0.8) + 0.5;
    double trunk = round(last.x + last.w + TOWERS_GAP * 0.36) + 0.5;
    size_t memory = memory_part(towers->model);
    if (memory != PLAYER_NONE)
        link_part(towers, memory);
    for (size_t i = 0; i < decoder->count; i++) {
        const TowerBox *box = &decoder->boxes[i];
        double y = round(box->box.y + box->box.h / 2) + 0.5;
        for (int k = 0; k < 2 && box->reads_memory; k++) {
            double aside = k ? APART : 0;
            Point path[] = {{start + aside, encoder->top},
                            {start + aside, top + aside},
                            {trunk + aside, top + aside},
                            {trunk + aside, y - aside},
                            {box->box.x, y - aside}};
            scene_path(canvas->scene, path, 5, width,
                       k ? canvas->theme->value : canvas->theme->key);
        }
        if (box->reads_memory) {
            Point tip = {box->box.x, y - APART / 2};
            canvas_arrow_head(canvas, (Point){tip.x - 7, tip.y}, tip, 7,
                              canvas->theme->ink_soft);
        }
    }
    draw_memory_name(towers, (Point){trunk, top - 7}, trunk - last.x,
                     memory != PLAYER_NONE && memory == towers->present);
    canvas_unlink(canvas);
}

double towers_width(const Transformer *model) {
    return transformer_tower(model->shape.kind, 1) ? DOUBLE_WIDTH : SINGLE_WIDTH;
}

void towers_draw(const PageParts *parts, const Transformer *model, Box area) {
    Towers towers;
    if (!towers_prepare(&towers, parts, model, area))
        return;
    for (size_t t = 0; t < towers.count; t++) {
        const Tower *tower = &towers.items[t];
        draw_frame(&towers, tower);
        draw_connections(&towers, tower);
    }
    if (towers.count > 1)
        draw_memory(&towers);
    for (size_t t = 0; t < towers.count; t++) {
        const Tower *tower = &towers.items[t];
        draw_caption(&towers, tower);
        draw_frame_label(&towers, tower);
        for (size_t i = 0; i < tower->count; i++)
            draw_box(&towers, tower, &tower->boxes[i]);
        draw_words(&towers, tower);
    }
}

/* ---- small map ---- */

double towers_small_height(const PageParts *parts) {
    return block_of(parts->page->player) ? SMALL_HEIGHT : 0;
}

static bool is_lit(const TowerBox *box, const char *key) {
    return strcmp(box->key, key) == 0;
}

static void draw_small_box(const Canvas *canvas, const TowerBox *box, bool lit) {
    const Theme *theme = canvas->theme;
    Color color = tower_box_color(theme, box);
    scene_rectangle(canvas->scene, box->box, 4, lit ? theme->current : theme->bar,
                    lit ? theme->current : color, lit ? 1 : theme->lines);
    sign_draw(canvas, tower_box_sign(box), box->box, lit ? theme->current_ink : color);
}

static void draw_small_tower(const Towers *towers, const Tower *tower, const char *key) {
    const Canvas *canvas = towers->parts->canvas;
    const Theme *theme = canvas->theme;
    const char *own = canvas_format(canvas, "map.%s", tower->tower->name);
    bool whole = strcmp(own, key) == 0;
    scene_rectangle(canvas->scene, tower->frame, 6,
                    whole ? theme->current : frame_color(theme), (Color){0}, 0);
    draw_connections(towers, tower);
    for (size_t i = 0; i < tower->count; i++)
        draw_small_box(canvas, &tower->boxes[i], is_lit(&tower->boxes[i], key));
    const char *words = canvas_string(canvas, own);
    canvas_text(canvas, FONT_TEXT, canvas_size(canvas, 15, words), theme->ink_faint,
                (Point){tower->frame.x, tower->top - 6}, LABEL_LEFT, words);
}

/* Draws the line from the encoder's frame to the cross-attention. */
static void draw_small_memory(const Towers *towers) {
    const Canvas *canvas = towers->parts->canvas;
    const Tower *encoder = &towers->items[0], *decoder = &towers->items[1];
    double right = encoder->frame.x + encoder->frame.w;
    for (size_t i = 0; i < decoder->count; i++) {
        Box to = decoder->boxes[i].box;
        if (!decoder->boxes[i].reads_memory)
            continue;
        double y = encoder->frame.y + 6;
        double trunk = round((right + decoder->frame.x) / 2);
        double into = round(to.y + to.h / 2);
        for (int k = 0; k < 2; k++) {
            double aside = k ? APART : 0;
            Point path[] = {{right, y + aside},
                            {trunk + aside, y + aside},
                            {trunk + aside, into - aside},
                            {to.x, into - aside}};
            scene_path(canvas->scene, path, 4, 2,
                       k ? canvas->theme->value : canvas->theme->key);
        }
    }
}

void towers_draw_small(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const char *key =
        canvas_format(canvas, "map.%s", lesson_block_name(block_of(parts->page->player)));
    Box name = box_take_bottom(&area, 26);
    box_take_left(&area, SMALL_MARGIN);
    box_take_right(&area, SMALL_MARGIN);
    box_take_top(&area, round(SMALL_MARGIN / 2));
    Towers towers;
    const Transformer *model = parts->page->player->lesson->model;
    towers_prepare_shape(&towers, parts, model ? &model->shape : NULL, NULL, area);
    for (size_t t = 0; t < towers.count; t++)
        draw_small_tower(&towers, &towers.items[t], key);
    if (towers.count > 1)
        draw_small_memory(&towers);
    const char *words = canvas_string(canvas, key);
    name.x += SMALL_PAD;
    name.w -= 2 * SMALL_PAD;
    canvas_line(canvas, FONT_BOLD, 18, canvas->theme->ink, name, words);
}
