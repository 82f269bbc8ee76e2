#include "picture/map/map.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const TowersStyle OF_MAP = {.pad = 8,
                                   .gap = 26,
                                   .pitch = 46,
                                   .box = 0.76,
                                   .frame = 0.2,
                                   .caption = 0.8,
                                   .line = 2,
                                   .apart = 3,
                                   .start = 0.95,
                                   .rise = 20};
static const double LABEL_PITCH = 0.6;
static const double WORDS_HEIGHT = 64; /* units, for three lines below */

static const Player *player_of(const Towers *towers) {
    return towers->parts->page->player;
}

/* ---- steps of parts ---- */

/* First step among [from, end) that ends with the part's node; the last one for the
 * encoder output, which is computed by a step before its own. */
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

/* Reports whether a part computes a node, or is one. */
static bool is_of_part(const TransformerPart *part, size_t node) {
    return node == part->node ||
           (node >= part->first && node < part->first + part->count);
}

/* Step of a part that is in no layer; of a lesson that lists its model's steps, of any
 * part, or else the first that is listed of what the part computes. */
static size_t find_listed(const Player *player, const TransformerPart *part) {
    size_t found = find_step(player, 0, player->step_count, part);
    for (size_t i = 0; found == PLAYER_NONE && player->lesson->lists_model_steps &&
                       i < player->step_count;
         i++) {
        if (player->steps[i].depth == 1 && is_of_part(part, player->steps[i].node))
            found = i;
    }
    return found;
}

static const size_t *find_steps(const PageParts *parts, const Transformer *model) {
    const Player *player = parts->page->player;
    size_t *steps =
        arena_alloc(parts->canvas->scene->arena, model->part_count, sizeof *steps);
    for (size_t i = 0; i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        bool inside = part->parent != TRANSFORMER_NONE;
        size_t around = inside ? steps[part->parent] : PLAYER_NONE;
        steps[i] = PLAYER_NONE;
        if (!inside || player->lesson->lists_model_steps)
            steps[i] = find_listed(player, part);
        else if (around != PLAYER_NONE)
            steps[i] = find_step(player, around + 1, player->steps[around].next, part);
    }
    return steps;
}

bool towers_hold_cursor(const Towers *towers, size_t part) {
    const Player *player = player_of(towers);
    size_t step = towers->steps[part];
    if (player->lesson->lists_model_steps)
        return is_of_part(&towers->model->parts[part], player_step(player)->node);
    return step != PLAYER_NONE && player->step >= step &&
           player->step < player->steps[step].next;
}

/* Innermost part with the cursor; parts come after the layer around them. */
static size_t find_present(const Towers *towers) {
    size_t present = PLAYER_NONE;
    for (size_t i = 0; i < towers->model->part_count; i++) {
        if (towers_hold_cursor(towers, i))
            present = i;
    }
    return present;
}

/* Reports whether the cursor is behind a part. */
bool towers_are_past(const Towers *towers, size_t part) {
    const Player *player = player_of(towers);
    size_t step = towers->steps[part];
    if (step == PLAYER_NONE) /* it has no step of its own */
        return towers->model->parts[part].node < player_step(player)->node;
    return player->steps[step].next <= player->step;
}

/* ---- boxes of a tower ---- */

static TowerBox *add_box(Tower *tower, size_t part, const char *key) {
    if (tower->count == TOWER_BOXES_MAX)
        return NULL;
    TowerBox *box = &tower->boxes[tower->count++];
    *box = (TowerBox){.first = part, .last = part, .key = key};
    return box;
}

static const char *sublayer_key(const TransformerShape *shape, const Tower *tower,
                                SublayerKind kind) {
    switch (kind) {
    case SUBLAYER_SELF_ATTENTION:
        return transformer_is_causal(shape, tower->tower) ? "map.masked_attention"
                                                          : "map.self_attention";
    case SUBLAYER_CROSS_ATTENTION:
        return "map.cross_attention";
    default:
        return "map.feed_forward";
    }
}

/* Adds a part within the drawn layer. A norm after a sum shares its box. */
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
                          : sublayer_key(&model->shape, tower, part->sublayer);
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

/* Adds a layer; those on one side of the drawn one are folded into one box. */
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

/* Names of the parts outside layers that have a box; the encoder output is the line
 * between the towers. Neighbours of one name share a box. */
static const char *const part_keys[] = {[TRANSFORMER_IDS] = "map.ids",
                                        [TRANSFORMER_EMBEDDING] = "map.input",
                                        [TRANSFORMER_SCALED] = "map.input",
                                        [TRANSFORMER_POSITION] = "map.input",
                                        [TRANSFORMER_INPUT] = "map.input",
                                        [TRANSFORMER_SEGMENT] = "map.input",
                                        [TRANSFORMER_WITH_SEGMENT] = "map.input",
                                        [TRANSFORMER_MASK] = "map.mask",
                                        [TRANSFORMER_NORM] = "map.norm",
                                        [TRANSFORMER_LOGITS] = "map.logits",
                                        [TRANSFORMER_PROBABILITIES] =
                                            "map.probabilities"};

enum { PART_KEYS = sizeof part_keys / sizeof *part_keys };

static const char *ids_key(const Tower *tower) {
    return has_cross_attention(tower->tower) ? "map.shifted" : "map.ids";
}

static void add_part(Tower *tower, const Transformer *model, size_t number) {
    const TransformerPart *part = &model->parts[number];
    TowerBox *before = tower->count ? &tower->boxes[tower->count - 1] : NULL;
    if (part->parent != TRANSFORMER_NONE) {
        if (part->layer == tower->layer)
            add_inner_part(tower, model, number);
        return;
    }
    if (part->kind == TRANSFORMER_LAYER) {
        add_layer(tower, model, number);
        return;
    }
    const char *key = (size_t)part->kind < PART_KEYS ? part_keys[part->kind] : NULL;
    if (part->kind == TRANSFORMER_IDS) {
        tower->ids = part->node;
        key = ids_key(tower);
    }
    if (key && before && strcmp(before->key, key) == 0)
        before->last = number;
    else if (key)
        add_box(tower, number, key);
}

/* Layer with the cursor; else the first one, or the last if all are done. */
static size_t layer_to_draw(const Towers *towers, const Tower *tower) {
    const TransformerPart *parts = towers->model->parts;
    size_t present = towers->present, done = 0;
    if (present != PLAYER_NONE && parts[present].tower == tower->tower &&
        parts[present].layer != TRANSFORMER_NONE)
        return parts[present].layer;
    for (size_t i = 0; i < towers->model->part_count; i++)
        done += parts[i].tower == tower->tower && parts[i].kind == TRANSFORMER_LAYER &&
                towers_are_past(towers, i);
    return done && done == tower->layers ? done - 1 : 0;
}

/* Lists the towers of a shape, of one layer each and without boxes. */
static void list_towers(Towers *towers, const TransformerShape *shape) {
    const TransformerTower *known;
    while (towers->count < TRANSFORMER_MAX_TOWERS &&
           (known = transformer_tower(shape->kind, towers->count)))
        towers->items[towers->count++] = (Tower){
            .tower = known, .layers = 1, .layer_part = PLAYER_NONE, .ids = TAPE_NONE};
}

static void list_boxes(Towers *towers) {
    const Transformer *model = towers->model;
    list_towers(towers, &model->shape);
    for (size_t t = 0; t < towers->count; t++) {
        Tower *tower = &towers->items[t];
        tower->layers = transformer_layers(&model->shape, tower->tower);
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

/* ---- layout ---- */

bool tower_has_label(const Tower *tower) {
    return tower->layers > 1;
}

static double label_pitch(const Towers *towers, const Tower *tower) {
    return towers->style->name + (tower_has_label(tower) ? LABEL_PITCH : 0);
}

/* Height of a tower in pitches. */
static double pitches_of(const Towers *towers, const Tower *tower) {
    double frame = 2 * towers->style->frame + label_pitch(towers, tower);
    return (double)tower->count + towers->style->caption + frame;
}

static void place_tower(const Towers *towers, Tower *tower, double x, double w,
                        double bottom) {
    double pitch = towers->pitch, h = round(pitch * towers->style->box), y = bottom;
    double frame_pitch = towers->style->frame;
    double pad = 7, frame_bottom = 0;
    bool inside = false;
    for (size_t i = 0; i < tower->count; i++) {
        TowerBox *box = &tower->boxes[i];
        if (box->in_frame && !inside) {
            frame_bottom = round(y);
            y -= frame_pitch * pitch;
        }
        if (!box->in_frame && inside) {
            y -= (frame_pitch + label_pitch(towers, tower)) * pitch;
            tower->frame.h = frame_bottom - tower->frame.y;
        }
        inside = box->in_frame;
        box->box = (Box){x, round(y - h), w, h};
        y -= pitch;
        double frame_top =
            round(y + pitch - h - (frame_pitch + label_pitch(towers, tower)) * pitch);
        if (inside)
            tower->frame =
                (Box){x - pad, frame_top, w + 2 * pad, frame_bottom - frame_top};
    }
    const TowerBox *last = &tower->boxes[tower->count - 1];
    tower->top = last->in_frame ? tower->frame.y : last->box.y;
}

/* Places the towers; `words` is the height reserved for the texts below. */
static void place_towers(Towers *towers, Box area, double words) {
    const TowersStyle *style = towers->style;
    double pad = round(style->pad), gap = round(style->gap);
    double tallest = 1;
    for (size_t t = 0; t < towers->count; t++)
        tallest = fmax(tallest, pitches_of(towers, &towers->items[t]));
    double room = area.h - words - 2 * pad;
    towers->pitch = fmin(room / tallest, round(style->pitch));
    double used = towers->pitch * tallest;
    double bottom = area.y + pad + used + fmax(room - used, 0) * 0.5;
    double inner = area.w - 2 * pad - 10;
    double w = floor((inner - gap * (double)(towers->count - 1)) / (double)towers->count);
    double x = area.x + pad + 5;
    for (size_t t = 0; t < towers->count; t++, x += w + gap)
        place_tower(towers, &towers->items[t], round(x), w, round(bottom));
}

void towers_prepare(Towers *towers, const PageParts *parts, const Transformer *model,
                    Box area) {
    *towers = (Towers){.parts = parts,
                       .model = model,
                       .steps = find_steps(parts, model),
                       .style = &OF_MAP};
    towers->present = find_present(towers);
    list_boxes(towers);
    place_towers(towers, area, WORDS_HEIGHT);
}

/* ---- small map ---- */

static void list_small_boxes(Tower *tower, const TransformerShape *shape) {
    add_box(tower, 0, ids_key(tower));
    add_box(tower, 0, "map.input");
    for (size_t i = 0; i < tower->tower->sublayer_count; i++) {
        SublayerKind kind = tower->tower->sublayers[i];
        TowerBox *box = add_box(tower, 0, sublayer_key(shape, tower, kind));
        box->in_frame = true;
        box->reads_memory = kind == SUBLAYER_CROSS_ATTENTION;
        add_box(tower, 0, "map.add_and_norm")->in_frame = true;
    }
    if (tower->tower->side == TRANSFORMER_TARGET)
        add_box(tower, 0, "map.probabilities");
}

void towers_prepare_shape(Towers *towers, const TransformerShape *shape,
                          const TowersStyle *style, Box area) {
    static const TransformerShape usual = {.kind = TRANSFORMER_ENCODER_DECODER};
    *towers = (Towers){.present = PLAYER_NONE, .style = style ? style : &OF_MAP};
    shape = shape ? shape : &usual;
    list_towers(towers, shape);
    for (size_t t = 0; t < towers->count; t++)
        list_small_boxes(&towers->items[t], shape);
    place_towers(towers, area, 0);
}

static const struct {
    const char *end; /* end of a box's key */
    Role role;
    Sign sign;
} kinds[] = {{"cross_attention", ROLE_PROBABILITIES, SIGN_CROSSES},
             {"attention", ROLE_PROBABILITIES, SIGN_LOOKS},
             {"norm", ROLE_NORM, SIGN_NORM},
             {"forward", ROLE_FEED_FORWARD, SIGN_HINGE},
             {"probabilities", ROLE_PROBABILITIES, SIGN_PROBABILITIES},
             {"input", ROLE_NONE, SIGN_ROWS},
             {"", ROLE_NONE, SIGN_TEXT}};

static size_t kind_of(const TowerBox *box) {
    size_t length = strlen(box->key), i = 0;
    while (strlen(kinds[i].end) > length ||
           strcmp(box->key + length - strlen(kinds[i].end), kinds[i].end) != 0)
        i++;
    return i;
}

Color tower_box_color(const Theme *theme, const TowerBox *box) {
    return role_color(theme, kinds[kind_of(box)].role, theme->ink_faint);
}

Sign tower_box_sign(const TowerBox *box) {
    return kinds[kind_of(box)].sign;
}

/* ---- lines ---- */

void tower_draw_trunk(const Canvas *canvas, const Tower *tower, double width,
                      Color color) {
    Box low = tower->boxes[0].box, high = tower->boxes[tower->count - 1].box;
    double x = low.x + round(low.w / 2) + 0.5;
    scene_line(canvas->scene, (Point){x, low.y + low.h}, (Point){x, high.y}, width,
               color);
}

void towers_memory_path(const Towers *towers, const TowerBox *reader, double aside,
                        Point path[MEMORY_POINTS]) {
    const TowersStyle *style = towers->style;
    const Tower *encoder = &towers->items[0], *decoder = &towers->items[1];
    Box from = encoder->boxes[encoder->count - 1].box, into = reader->box;
    double x = round(from.x + from.w * style->start) + aside;
    double top = round(encoder->top - style->rise) + aside;
    double right = fmax(from.x + from.w, encoder->frame.x + encoder->frame.w);
    double left = decoder->frame.w > 0 ? decoder->frame.x : into.x;
    double trunk = round((right + left) / 2) + aside;
    double y = round(into.y + into.h / 2) - aside;
    path[0] = (Point){x, encoder->top};
    path[1] = (Point){x, top};
    path[2] = (Point){trunk, top};
    path[3] = (Point){trunk, y};
    path[4] = (Point){into.x, y};
}

void towers_draw_memory(const Canvas *canvas, const Towers *towers) {
    const Theme *theme = canvas->theme;
    const TowersStyle *style = towers->style;
    Point path[MEMORY_POINTS];
    for (size_t i = 0; towers->count > 1 && i < towers->items[1].count; i++) {
        const TowerBox *reader = &towers->items[1].boxes[i];
        double head = 3 * style->line, half = style->apart / 2;
        if (!reader->reads_memory)
            continue;
        for (int k = 0; k < 2; k++) {
            towers_memory_path(towers, reader, k ? half : -half, path);
            scene_path(canvas->scene, path, MEMORY_POINTS, style->line,
                       k ? theme->value : theme->key);
        }
        towers_memory_path(towers, reader, 0, path);
        Point tip = path[MEMORY_POINTS - 1];
        canvas_arrow_head(canvas, (Point){tip.x - head, tip.y}, tip, head,
                          theme->ink_soft);
    }
}
