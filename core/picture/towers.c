#include "picture/towers.h"

#include <math.h>
#include <string.h>

static const double SINGLE_WIDTH = 250, DOUBLE_WIDTH = 384; /* units */
static const double PAD = 14, GAP = 30;                     /* around, between towers */
static const double LARGEST_PITCH = 46; /* from one box to the next, units */
static const double BOX_SHARE = 0.76;   /* of the pitch; the rest is the line between */
static const double CAPTION_PITCH = 0.8, LABEL_PITCH = 0.6, FRAME_PITCH = 0.2;
static const double WORDS_HEIGHT = 44; /* units, for two lines below */
enum { BOXES_MAX = 32 };

/* One box of a tower: a part, or several that are shown as one. */
typedef struct TowerBox {
    size_t first, last; /* parts of the model, the last gives the thumbnail */
    const char *key;    /* strings key of its name */
    size_t folded;      /* how many layers it stands for; 0: it is no layer */
    bool in_frame;
    bool reads_memory;
    Box box;
} TowerBox;

typedef struct Tower {
    const TransformerTower *tower;
    size_t layers, layer; /* how many; the one that is drawn with its sublayers */
    size_t layer_part;    /* that one, as a part */
    size_t ids;           /* node, TAPE_NONE: none */
    size_t count;
    TowerBox boxes[BOXES_MAX];
    Box frame; /* around the layer's boxes */
    double top;
} Tower;

typedef struct Towers {
    const PageParts *parts;
    const Transformer *model;
    const size_t *steps; /* of the player, one for each part, or PLAYER_NONE */
    size_t present;      /* the part that the cursor is in, or PLAYER_NONE */
    size_t count;
    Tower items[TRANSFORMER_MAX_TOWERS];
    double pitch;
} Towers;

static const Player *player_of(const Towers *towers) {
    return towers->parts->page->player;
}

/* ---- which step belongs to which part ---- */

/* The first step among [from, end) that ends with the part's node; the last one for the
 * memory, which is made by a step before its own. */
static size_t find_step(const Player *player, size_t from, size_t end,
                        const TransformerPart *part) {
    size_t found = PLAYER_NONE;
    for (size_t i = from; i < end; i++) {
        if (player->steps[i].node != part->node)
            continue;
        if (part->kind != TRANSFORMER_MEMORY)
            return i;
        if (player->steps[i].depth == 1)
            found = i;
    }
    return found;
}

static const size_t *find_steps(const PageParts *parts, const Transformer *model) {
    const Player *player = parts->page->player;
    size_t *steps =
        arena_alloc(parts->canvas->scene->arena, model->part_count, sizeof *steps);
    for (size_t i = 0; steps && i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        size_t around =
            part->parent == TRANSFORMER_NONE ? PLAYER_NONE : steps[part->parent];
        if (part->parent == TRANSFORMER_NONE)
            steps[i] = find_step(player, 0, player->step_count, part);
        else
            steps[i] =
                around == PLAYER_NONE
                    ? PLAYER_NONE
                    : find_step(player, around + 1, player->steps[around].next, part);
    }
    return steps;
}

static bool holds_cursor(const Towers *towers, size_t part) {
    const Player *player = player_of(towers);
    size_t step = towers->steps[part];
    return step != PLAYER_NONE && player->step >= step &&
           player->step < player->steps[step].next;
}

/* The innermost part that holds the cursor: parts come after the layer around them. */
static size_t find_present(const Towers *towers) {
    size_t present = PLAYER_NONE;
    for (size_t i = 0; i < towers->model->part_count; i++) {
        if (holds_cursor(towers, i))
            present = i;
    }
    return present;
}

/* Whether the cursor has come past a part. */
static bool is_done(const Towers *towers, size_t part) {
    const Player *player = player_of(towers);
    size_t step = towers->steps[part];
    if (step == PLAYER_NONE) /* it has no step of its own */
        return towers->model->parts[part].node < player_step(player)->node;
    return player->steps[step].next <= player->step;
}

/* ---- which boxes a tower has ---- */

static TowerBox *add_box(Tower *tower, size_t part, const char *key) {
    if (tower->count == BOXES_MAX)
        return NULL;
    TowerBox *box = &tower->boxes[tower->count++];
    *box = (TowerBox){.first = part, .last = part, .key = key};
    return box;
}

static const char *sublayer_key(const Tower *tower, SublayerKind kind) {
    switch (kind) {
    case SUBLAYER_SELF_ATTENTION:
        return tower->tower->causal ? "map.masked_attention" : "map.self_attention";
    case SUBLAYER_CROSS_ATTENTION:
        return "map.cross_attention";
    default:
        return "map.feed_forward";
    }
}

/* A part within the layer that is drawn. A norm behind its sum is one box with it. */
static void add_inner_part(Tower *tower, const Transformer *model, size_t number) {
    const TransformerPart *part = &model->parts[number];
    TowerBox *before = tower->count ? &tower->boxes[tower->count - 1] : NULL;
    if (part->kind == TRANSFORMER_NORM && before && before->in_frame &&
        model->parts[before->last].kind == TRANSFORMER_RESIDUAL &&
        !model->shape.pre_norm) {
        before->last = number;
        before->key = "map.add_and_norm";
        return;
    }
    const char *key = part->kind == TRANSFORMER_NORM ? "map.norm"
                      : part->kind == TRANSFORMER_RESIDUAL
                          ? "map.add"
                          : sublayer_key(tower, part->sublayer);
    TowerBox *box = add_box(tower, number, key);
    if (!box)
        return;
    box->in_frame = true;
    box->reads_memory =
        part->kind == TRANSFORMER_SUBLAYER && part->sublayer == SUBLAYER_CROSS_ATTENTION;
}

static bool has_cross_attention(const TransformerTower *tower) {
    for (size_t i = 0; i < tower->sublayer_count; i++) {
        if (tower->sublayers[i] == SUBLAYER_CROSS_ATTENTION)
            return true;
    }
    return false;
}

/* A layer: those on one side of the drawn one are folded into one box. */
static void add_layer(Tower *tower, const Transformer *model, size_t number) {
    size_t layer = model->parts[number].layer;
    if (layer == tower->layer) {
        tower->layer_part = number;
        return;
    }
    TowerBox *before = tower->count ? &tower->boxes[tower->count - 1] : NULL;
    if (before && before->folded) {
        before->folded++;
        before->last = number;
        if (layer > tower->layer)
            return; /* a click leads to the nearest of them */
        before->first = number;
        return;
    }
    TowerBox *box = add_box(tower, number, "map.layers");
    if (!box)
        return;
    box->folded = 1;
    box->reads_memory = has_cross_attention(tower->tower);
}

static void add_part(Tower *tower, const Transformer *model, size_t number) {
    const TransformerPart *part = &model->parts[number];
    TowerBox *before = tower->count ? &tower->boxes[tower->count - 1] : NULL;
    bool continues = before && strcmp(before->key, "map.input") == 0;
    if (part->parent != TRANSFORMER_NONE) {
        if (part->layer == tower->layer)
            add_inner_part(tower, model, number);
        return;
    }
    switch (part->kind) {
    case TRANSFORMER_IDS:
        tower->ids = part->node;
        add_box(tower, number,
                has_cross_attention(tower->tower) ? "map.shifted" : "map.ids");
        break;
    case TRANSFORMER_EMBEDDING:
    case TRANSFORMER_SCALED:
    case TRANSFORMER_POSITION:
    case TRANSFORMER_INPUT:
        if (continues)
            before->last = number;
        else
            add_box(tower, number, "map.input");
        break;
    case TRANSFORMER_LAYER:
        add_layer(tower, model, number);
        break;
    case TRANSFORMER_MASK:
        add_box(tower, number, "map.mask");
        break;
    case TRANSFORMER_NORM:
        add_box(tower, number, "map.norm");
        break;
    case TRANSFORMER_LOGITS:
        add_box(tower, number, "map.logits");
        break;
    case TRANSFORMER_PROBABILITIES:
        add_box(tower, number, "map.probabilities");
        break;
    default: /* the memory is the line between the towers */
        break;
    }
}

/* The layer the cursor is in; else the first one, or the last where all are done. */
static size_t layer_to_draw(const Towers *towers, const Tower *tower) {
    const TransformerPart *parts = towers->model->parts;
    size_t present = towers->present, done = 0;
    if (present != PLAYER_NONE && parts[present].tower == tower->tower &&
        parts[present].layer != TRANSFORMER_NONE)
        return parts[present].layer;
    for (size_t i = 0; i < towers->model->part_count; i++)
        done += parts[i].tower == tower->tower && parts[i].kind == TRANSFORMER_LAYER &&
                is_done(towers, i);
    return done && done == tower->layers ? done - 1 : 0;
}

static void list_boxes(Towers *towers) {
    const Transformer *model = towers->model;
    const TransformerTower *known;
    while (towers->count < TRANSFORMER_MAX_TOWERS &&
           (known = transformer_tower(model->shape.kind, towers->count))) {
        Tower *tower = &towers->items[towers->count++];
        *tower = (Tower){.tower = known,
                         .layers = transformer_layers(&model->shape, known),
                         .layer_part = PLAYER_NONE,
                         .ids = TAPE_NONE};
        tower->layer = layer_to_draw(towers, tower);
    }
    for (size_t i = 0; i < model->part_count; i++) {
        const TransformerTower *of = model->parts[i].tower;
        for (size_t t = 0; t < towers->count; t++) {
            bool ends_here = !of && t + 1 == towers->count;
            if (of == towers->items[t].tower || ends_here)
                add_part(&towers->items[t], model, i);
        }
    }
}

/* ---- where the boxes lie ---- */

static bool has_label(const Tower *tower) {
    return tower->layers > 1;
}

/* A tower's height in pitches. */
static double pitches_of(const Tower *tower) {
    double frame = 2 * FRAME_PITCH + (has_label(tower) ? LABEL_PITCH : 0);
    return (double)tower->count + CAPTION_PITCH + frame;
}

static void place_tower(const Towers *towers, Tower *tower, double x, double w,
                        double bottom) {
    double pitch = towers->pitch, h = round(pitch * BOX_SHARE), y = bottom;
    double pad = canvas_length(towers->parts->canvas, 7), frame_bottom = 0;
    bool inside = false;
    for (size_t i = 0; i < tower->count; i++) {
        TowerBox *box = &tower->boxes[i];
        if (box->in_frame && !inside) {
            frame_bottom = round(y);
            y -= FRAME_PITCH * pitch;
        }
        if (!box->in_frame && inside) {
            y -= (FRAME_PITCH + (has_label(tower) ? LABEL_PITCH : 0)) * pitch;
            tower->frame.h = frame_bottom - tower->frame.y;
        }
        inside = box->in_frame;
        box->box = (Box){x, round(y - h), w, h};
        y -= pitch;
        double frame_top = round(
            y + pitch - h - (FRAME_PITCH + (has_label(tower) ? LABEL_PITCH : 0)) * pitch);
        if (inside)
            tower->frame =
                (Box){x - pad, frame_top, w + 2 * pad, frame_bottom - frame_top};
    }
    const TowerBox *last = &tower->boxes[tower->count - 1];
    tower->top = last->in_frame ? tower->frame.y : last->box.y;
}

static void place(Towers *towers, Box area) {
    const Canvas *canvas = towers->parts->canvas;
    double pad = canvas_length(canvas, PAD), gap = canvas_length(canvas, GAP);
    double words = canvas_length(canvas, WORDS_HEIGHT), tallest = 1;
    for (size_t t = 0; t < towers->count; t++)
        tallest = fmax(tallest, pitches_of(&towers->items[t]));
    double room = area.h - words - 2 * pad;
    towers->pitch = fmin(room / tallest, canvas_length(canvas, LARGEST_PITCH));
    double used = towers->pitch * tallest;
    double bottom = area.y + pad + used + fmax(room - used, 0) * 0.5;
    double inner = area.w - 2 * pad - canvas_length(canvas, 10);
    double w = floor((inner - gap * (double)(towers->count - 1)) / (double)towers->count);
    double x = area.x + pad + canvas_length(canvas, 5);
    for (size_t t = 0; t < towers->count; t++, x += w + gap)
        place_tower(towers, &towers->items[t], round(x), w, round(bottom));
}

/* ---- drawing ---- */

typedef enum BoxState { BOX_TO_COME, BOX_PRESENT, BOX_DONE } BoxState;

/* While the cursor is on a layer as a whole, what the layer holds is there. */
static BoxState state_of(const Towers *towers, const TowerBox *box, const Tower *tower) {
    bool done = true;
    for (size_t i = box->first; i <= box->last; i++) {
        const TransformerPart *part = &towers->model->parts[i];
        if (box->folded && part->kind != TRANSFORMER_LAYER)
            continue;
        if (holds_cursor(towers, i))
            return BOX_PRESENT;
        done &= is_done(towers, i);
    }
    bool whole_layer = box->in_frame && towers->present == tower->layer_part &&
                       towers->present != PLAYER_NONE;
    return done || whole_layer ? BOX_DONE : BOX_TO_COME;
}

static const char *box_words(const Towers *towers, const TowerBox *box) {
    const Canvas *canvas = towers->parts->canvas;
    if (!box->folded)
        return canvas_string(canvas, box->key);
    const char *count = canvas_format(canvas, "%zu", box->folded);
    return canvas_words(canvas, box->key, 1, (const char *const[]){count});
}

static void link_part(const Towers *towers, size_t part) {
    size_t step = towers->steps[part];
    if (step != PLAYER_NONE)
        scene_link(towers->parts->canvas->scene, (Link){LINK_STEP, step, 0, 0});
}

static void draw_mark(const Towers *towers, const TowerBox *box, BoxState state,
                      Box place) {
    const Canvas *canvas = towers->parts->canvas;
    if (state != BOX_TO_COME) {
        map_thumbnail(towers->parts, towers->model->parts[box->last].node, place);
        return;
    }
    double radius = canvas_length(canvas, 4.5);
    scene_rectangle(canvas->scene,
                    (Box){place.x + place.w / 2 - radius, place.y + place.h / 2 - radius,
                          2 * radius, 2 * radius},
                    radius, (Color){0}, canvas->theme->ink_faint, 1);
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
    for (size_t i = 0; i < 2 && box->folded > 1; i++) /* others lie behind it */
        scene_rectangle(canvas->scene,
                        (Box){at.x + 2.0 * (double)(2 - i), at.y - 2.0 * (double)(2 - i),
                              at.w - 4.0 * (double)(2 - i), at.h},
                        canvas_length(canvas, 6), theme->bar, theme->line, 1);
    scene_rectangle(canvas->scene, at, canvas_length(canvas, 6),
                    present ? theme->current : theme->bar,
                    present ? theme->current : theme->line, 1);
    double side = fmin(canvas_length(canvas, 20), at.h - 6);
    Box mark = {at.x + canvas_length(canvas, 8), round(at.y + (at.h - side) / 2), side,
                side};
    draw_mark(towers, box, state, mark);
    const char *words = box_words(towers, box);
    double left = mark.x + side + canvas_length(canvas, 8);
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, FONT_TEXT,
                             canvas_size(canvas, 14, words), label_min_size(words),
                             at.x + at.w - left - 3, words);
    label_draw(canvas->scene, canvas->metrics, FONT_TEXT, fit.size, ink,
               (Point){left, round(at.y + at.h / 2 + fit.size * 0.35)}, LABEL_LEFT,
               fit.text);
    scene_link(canvas->scene, (Link){0});
}

static void draw_frame(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    const Theme *theme = canvas->theme;
    if (tower->layer_part == PLAYER_NONE)
        return;
    bool present = towers->present == tower->layer_part;
    link_part(towers, tower->layer_part);
    scene_rectangle(canvas->scene, tower->frame, canvas_length(canvas, 9),
                    palette_mix(theme->panel, theme->line, 128),
                    present ? theme->current : (Color){0},
                    fmax(canvas_length(canvas, 2), 2));
    if (has_label(tower)) {
        const char *words = canvas_words(
            canvas, "map.layer_of", 2,
            (const char *const[]){canvas_format(canvas, "%zu", tower->layer + 1),
                                  canvas_format(canvas, "%zu", tower->layers)});
        double size = canvas_size(canvas, 13, words);
        label_draw(canvas->scene, canvas->metrics, present ? FONT_BOLD : FONT_TEXT, size,
                   theme->ink_soft,
                   (Point){tower->frame.x + canvas_length(canvas, 9),
                           round(tower->frame.y + towers->pitch * 0.42 + size * 0.35)},
                   LABEL_LEFT, words);
    }
    scene_link(canvas->scene, (Link){0});
}

/* The lines from box to box, as the numbers run: upwards. */
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
    label_draw(canvas->scene, canvas->metrics, FONT_BOLD, size, canvas->theme->ink_soft,
               (Point){tower->boxes[0].box.x,
                       round(tower->top - towers->pitch * CAPTION_PITCH * 0.3)},
               LABEL_LEFT, words);
}

/* The text that goes in at the bottom: "when you play the game of thrones". */
static void draw_words(const Towers *towers, const Tower *tower) {
    const Canvas *canvas = towers->parts->canvas;
    if (tower->ids == TAPE_NONE)
        return;
    const Tape *tape = player_of(towers)->lesson->tape;
    const Tensor *ids = &tape_node(tape, tower->ids)->output;
    const char *text = "";
    for (size_t j = 0; ids->col_labels && j < ids->cols && strlen(text) < 200; j++)
        text = canvas_format(canvas, "%s%s%s", text, j ? " " : "", ids->col_labels[j]);
    double size = canvas_size(canvas, 13, text);
    Box below = tower->boxes[0].box;
    below.y += below.h + canvas_length(canvas, 6);
    paragraph_draw(canvas->scene, canvas->metrics, FONT_TEXT, size,
                   canvas->theme->ink_soft, below, round(size * 1.3), 2, text);
}

static void draw_arrow(const Canvas *canvas, double from, Point to, double width,
                       Color color) {
    double head = canvas_length(canvas, 7);
    scene_line(canvas->scene, (Point){from, to.y}, (Point){to.x - head * 0.6, to.y},
               width, color);
    Point points[] = {
        {to.x - head, to.y - head * 0.6}, {to.x, to.y}, {to.x - head, to.y + head * 0.6}};
    scene_polygon(canvas->scene, points, 3, color);
}

static void link_memory(const Towers *towers) {
    for (size_t i = 0; i < towers->model->part_count; i++) {
        if (towers->model->parts[i].kind == TRANSFORMER_MEMORY)
            link_part(towers, i);
    }
}

/* From the encoder's top to every box that reads the memory; keys and values are made of
 * it, so it has the keys' colour. */
static void draw_memory(const Towers *towers) {
    const Canvas *canvas = towers->parts->canvas;
    const Tower *encoder = &towers->items[0], *decoder = &towers->items[1];
    Color color = canvas->theme->key;
    double width = fmax(canvas_length(canvas, 2), 1);
    double top = round(encoder->top - towers->pitch * CAPTION_PITCH) + 0.5;
    Box last = encoder->boxes[encoder->count - 1].box;
    double start = round(last.x + last.w * 0.8) + 0.5;
    double trunk = round(last.x + last.w + canvas_length(canvas, GAP) * 0.42) + 0.5;
    double highest = top, lowest = top;
    link_memory(towers);
    for (size_t i = 0; i < decoder->count; i++) {
        const TowerBox *box = &decoder->boxes[i];
        if (!box->reads_memory)
            continue;
        double y = round(box->box.y + box->box.h / 2) + 0.5;
        highest = fmin(highest, y);
        lowest = fmax(lowest, y);
        draw_arrow(canvas, trunk, (Point){box->box.x, y}, width, color);
    }
    scene_path(canvas->scene,
               (Point[]){{start, encoder->top}, {start, top}, {trunk, top}}, 3, width,
               color);
    scene_line(canvas->scene, (Point){trunk, highest}, (Point){trunk, lowest}, width,
               color);
    const char *words = canvas_string(canvas, "map.memory");
    double size = canvas_size(canvas, 12.5, words);
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, FONT_TEXT, size,
                             label_min_size(words),
                             trunk - last.x - canvas_length(canvas, 8), words);
    label_draw(canvas->scene, canvas->metrics, FONT_TEXT, fit.size, color,
               (Point){trunk - canvas_length(canvas, 8), top - canvas_length(canvas, 7)},
               LABEL_RIGHT, fit.text);
    scene_link(canvas->scene, (Link){0});
}

double towers_width(const Transformer *model) {
    return transformer_tower(model->shape.kind, 1) ? DOUBLE_WIDTH : SINGLE_WIDTH;
}

void towers_draw(const PageParts *parts, const Transformer *model, Box area) {
    Towers towers = {.parts = parts, .model = model, .steps = find_steps(parts, model)};
    if (!towers.steps) {
        parts->canvas->scene->incomplete = true;
        return;
    }
    towers.present = find_present(&towers);
    list_boxes(&towers);
    place(&towers, area);
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
        for (size_t i = 0; i < tower->count; i++)
            draw_box(&towers, tower, &tower->boxes[i]);
        draw_words(&towers, tower);
    }
}
