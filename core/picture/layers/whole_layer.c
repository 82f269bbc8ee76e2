#include "picture/layers/whole.h"

#include "picture/draw/lanes.h"
#include "picture/draw/signs.h"

#include <math.h>
#include <string.h>

/* A layer as a small lane of its own: a loop for each sublayer, with its name if there is
 * room, and a gate for each norm. */

static const double TITLE = 32, PAD = 4, LEADING = 1.15, LEG = 12;
static const double LOOP_LEFT = 0.03, LOOP_WIDE = 0.95, UP_AT = 0.14, DOWN_AT = 0.62;
static const double RING = 15, RING_OF_PITCH = 0.13, LANE = 14, LOOP_LANE = 7, GATE = 8,
                    GATE_TALL = 42, GATE_GAP = 5, TALLEST_LOOP = 76, LEAST_PLACE = 58,
                    LEAST_LOOP = 36;
static const double LEAST_PRESENTED = 1.3; /* least enlargement of presented pages */

static const char *key_of(const Whole *whole, const Tower *tower, SublayerKind kind) {
    if (kind == SUBLAYER_FEED_FORWARD)
        return "map.feed_forward";
    if (kind == SUBLAYER_CROSS_ATTENTION)
        return "map.cross_attention";
    return transformer_is_causal(&whole->model->shape, tower->tower)
               ? "map.masked_attention"
               : "map.self_attention";
}

static Sign sign_of(SublayerKind kind) {
    return kind == SUBLAYER_FEED_FORWARD      ? SIGN_HINGE
           : kind == SUBLAYER_CROSS_ATTENTION ? SIGN_CROSSES
                                              : SIGN_LOOKS;
}

typedef struct Name {
    const char *text;
    size_t lines;
    /* Size of a line; distance of lines; width of the longest. */
    double size, leading, width;
} Name;

static size_t count_lines(const Canvas *canvas, const Name *name, double width) {
    size_t lines;
    paragraph_measure(canvas->metrics, FONT_TEXT, name->size, width, name->leading, 9,
                      name->text, &lines);
    return lines;
}

/* Name in one line, or in two of about equal length, which may break at a hyphen. */
static Name name_of(const Canvas *canvas, double width, const char *text) {
    double size = canvas_size(canvas, WHOLE_LABEL, text);
    Name name = {.text = text, .size = size, .leading = round(size * LEADING)};
    const char *hyphen = strchr(text, '-');
    if (hyphen && canvas_text_width(canvas, FONT_TEXT, size, text) > width)
        name.text =
            canvas_format(canvas, "%.*s-\n%s", (int)(hyphen - text), text, hyphen + 1);
    name.lines = count_lines(canvas, &name, width);
    name.width = width;
    while (name.width > size && count_lines(canvas, &name, name.width - 1) == name.lines)
        name.width--;
    return name;
}

static void draw_name(const Canvas *canvas, Box box, const Name *name) {
    box.x += round((box.w - name->width) / 2);
    box.y += round((box.h - name->leading * (double)name->lines) / 2);
    box.w = name->width;
    canvas_paragraph(canvas, FONT_TEXT, name->size, canvas->theme->ink, box,
                     name->leading, 2, name->text);
}

static void draw_gate(const Canvas *canvas, Point middle, double w, double h) {
    canvas_fill(canvas, (Box){middle.x - w / 2, middle.y - h / 2, w, h}, 3,
                role_color(canvas->theme, ROLE_NORM, canvas->theme->ink));
}

static double ring_of(Box place) {
    return fmin(RING, place.w * RING_OF_PITCH);
}

/* Part of a layer's box for a sublayer, and the loop in it. */
static Box place_of(const Tower *tower, Box box, size_t index) {
    double count = (double)tower->tower->sublayer_count;
    box_take_top(&box, TITLE);
    return (Box){box.x + box.w / count * (double)index, box.y, box.w / count, box.h};
}

static Box loop_of(const Tower *tower, Box place) {
    double bottom = tower->line - ring_of(place) - LEG;
    double tall = fmin(bottom - place.y, TALLEST_LOOP);
    return (Box){round(place.x + place.w * LOOP_LEFT), round(bottom - tall),
                 round(place.w * LOOP_WIDE), round(tall)};
}

static Name name_in(const Whole *whole, const Tower *tower, Box loop, size_t index) {
    const Canvas *canvas = whole->stage->canvas;
    const char *key = key_of(whole, tower, tower->tower->sublayers[index]);
    return name_of(canvas, box_inset(loop, PAD / 2).w, canvas_string(canvas, key));
}

/* Reports whether all sublayers' names have room; a single word may be too wide. */
static bool is_named(const Whole *whole, const Tower *tower) {
    for (size_t i = 0; i < tower->tower->sublayer_count; i++) {
        Box loop = loop_of(tower, place_of(tower, tower->boxes[0], i));
        Name name = name_in(whole, tower, loop, i);
        if (name.lines > 2 || name.leading * (double)name.lines > loop.h - PAD)
            return false;
    }
    return true;
}

static void draw_loop(const Whole *whole, const Tower *tower, Box place, size_t index,
                      bool named) {
    const Canvas *canvas = whole->stage->canvas;
    bool network = tower->tower->sublayers[index] == SUBLAYER_FEED_FORWARD;
    Role role = network ? ROLE_FEED_FORWARD : ROLE_PROBABILITIES;
    double line = tower->line, ring = ring_of(place);
    double up = round(place.x + place.w * UP_AT);
    double down = round(place.x + place.w * DOWN_AT);
    Box loop = loop_of(tower, place);
    Point leaves[] = {{up, line}, {up, loop.y + loop.h}};
    Point comes[] = {{down, loop.y + loop.h}, {down, line}};
    lane_draw(
        canvas,
        &(Lane){.role = role, .points = leaves, .count = 2, .thickness = LOOP_LANE});
    lane_draw(canvas,
              &(Lane){.role = role, .points = comes, .count = 2, .thickness = LOOP_LANE});
    scene_rectangle(canvas->scene, loop, 8, canvas->theme->page,
                    lane_color(canvas, role, true), 2.5);
    Name name = name_in(whole, tower, loop, index);
    if (named)
        draw_name(canvas, box_inset(loop, PAD / 2), &name);
    else
        sign_draw(canvas, sign_of(tower->tower->sublayers[index]), loop,
                  lane_color(canvas, role, true));
    lane_sum(canvas, (Point){down, line}, ring);
    if (whole->model->shape.pre_norm)
        draw_gate(canvas, (Point){up, (line - LANE / 2 + loop.y + loop.h) / 2}, 26, GATE);
    else
        draw_gate(canvas, (Point){down + ring + GATE_GAP + GATE / 2, line}, GATE,
                  GATE_TALL);
}

/* Reports whether the loops, sums and norms of a layer are clear of each other, below its
 * name. */
static bool has_room(const Whole *whole, const Tower *tower, Box box) {
    const Canvas *canvas = whole->stage->canvas;
    double name =
        canvas_text_width(canvas, FONT_BOLD, WHOLE_LABEL, whole_tower_name(whole, tower));
    Box place = place_of(tower, box, 0);
    return box.w >= name + PAD && place.w >= LEAST_PLACE &&
           loop_of(tower, place).h >= LEAST_LOOP;
}

const char *whole_tower_name(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    return canvas_string(canvas, canvas_format(canvas, "map.%s", tower->tower->name));
}

double whole_layer_rise(void) {
    return TITLE + TALLEST_LOOP + LEG + RING;
}

double whole_layer_least(void) {
    return TITLE + 2 * round(WHOLE_LABEL * LEADING) + 2 * PAD + LEG + RING;
}

/* Name of a layer: "layer 1 of 2"; of a box for several layers their number; of an only
 * layer the tower's name. */
static const char *layer_name(const Whole *whole, const Tower *tower, size_t index) {
    const Canvas *canvas = whole->stage->canvas;
    if (tower->all == 1)
        return whole_tower_name(whole, tower);
    if (tower->all > tower->count && index + 2 == tower->count)
        return canvas_words(canvas, "map.layers",
                            canvas_count(canvas, tower->all - tower->count + 1), NULL);
    size_t layer = whole_part(whole, tower->layers[index])->layer;
    return canvas_words(canvas, "map.layer_of", canvas_count(canvas, layer + 1),
                        canvas_count(canvas, tower->all), NULL);
}

void whole_draw_layer(const Whole *whole, const Tower *tower, size_t index) {
    const Canvas *canvas = whole->stage->canvas;
    Box box = tower->boxes[index];
    whole_link(whole, whole_part(whole, tower->layers[index]));
    scene_rectangle(canvas->scene, box, 10, canvas->theme->bar, canvas->theme->line, 2);
    const char *name = layer_name(whole, tower, index);
    double size = canvas_size(canvas, WHOLE_LABEL, name);
    bool fits = canvas_text_width(canvas, FONT_BOLD, size, name) <= box.w - PAD;
    double least = canvas->least > 0 ? LEAST_PRESENTED : 1;
    bool named = is_named(whole, &whole->towers[0]) && is_named(whole, &whole->towers[1]);
    if (canvas->enlarged > least &&
        (whole->crowded || !has_room(whole, tower, box) || (!named && tower->all == 1))) {
        name = canvas_format(canvas, "%s…", name); /* the page has smaller type then */
        fits = true;
    }
    if (fits)
        canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                    (Point){box.x + box.w / 2, box.y + TITLE * 0.7}, LABEL_CENTER, name);
    lane_residual(canvas, (Point){box.x, tower->line},
                  (Point){box.x + box.w, tower->line}, LANE, false);
    for (size_t i = 0; i < tower->tower->sublayer_count; i++)
        draw_loop(whole, tower, place_of(tower, box, i), i, named);
    canvas_unlink(canvas);
}

double whole_reads_at(const Whole *whole, size_t layer) {
    const Tower *tower = &whole->towers[1];
    size_t count = tower->tower->sublayer_count, index = 0;
    while (index + 1 < count &&
           tower->tower->sublayers[index] != SUBLAYER_CROSS_ATTENTION)
        index++;
    Box box = tower->boxes[layer];
    return box.x + box.w / (double)count * ((double)index + LOOP_LEFT + LOOP_WIDE / 2);
}
