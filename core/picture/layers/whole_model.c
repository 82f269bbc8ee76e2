#include "base/arena.h"
#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "model/build/model.h"
#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/draw/roles.h"
#include "picture/draw/token.h"
#include "picture/layers/layers_parts.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double LABEL = 18, CAPTION = 28, GAP = 16, MARGIN = 6;

/* Towers: what stands on a lane, above and below it. */
static const double LABELS_WIDE = 110, THUMB = 84, SUM_RADIUS = 19, TO_SUM = 54;
static const double BELOW_LINE = 34, LEAST_BOX = 60, WIDEST_BOX = 640, HANDED = 64,
                    BEND = 26, ARROW = 22, BEFORE_LAYERS = 30, MEMORY_WIDE = 350,
                    MEMORY_NAME = 30;
static const double WORD_ROW = 24, LEAST_ROW = 4, TALLEST = 0.36, LANE = 22;
static const double CAPTION_DROP = 0.85;                   /* fraction of its size */
static const double PLACES_RISE = 44, PLACES_TALLEST = 46; /* above a tower's lane */

/* Layers: boxes with a loop for each sublayer. */
static const double TITLE = 32, PAD = 4, LEG = 12;
static const double LOOP_LEFT = 0.03, LOOP_WIDE = 0.95, UP_AT = 0.14, DOWN_AT = 0.62;
static const double RING = 15, RING_OF_PITCH = 0.13, LAYER_LANE = 14, LOOP_LANE = 7,
                    GATE = 8, GATE_TALL = 42, GATE_GAP = 5, TALLEST_LOOP = 76,
                    LEAST_PLACE = 58, LEAST_LOOP = 36;
static const double LEAST_PRESENTED = 1.3; /* least enlargement of presented pages */

/* The end: blocks above each other, as wide as both names need, with bars beside them. */
static const double STATION = 110, LINEAR_TALL = 62, SOFTMAX_TALL = 40, BETWEEN = 24,
                    ARROW_LANE = 7, TO_BARS = 26, BARS = 190, BAR_ROW = 30,
                    BAR_WORD = 0.42, BAR_NUMBER = 56, BAR_GAP = 8, BARS_RISE = 60;

enum { BARS_MOST = 5, LAYERS_MOST = 3 };

typedef struct Tower {
    const TransformerTower *tower;
    size_t rows, positions;     /* parts: the embeddings, the positional encodings */
    size_t count, all;          /* layers with a box, and all layers */
    size_t layers[LAYERS_MOST]; /* parts */
    double line, height;        /* y of the lane on the page; height of the tables */
    Box boxes[LAYERS_MOST];
} Tower;

typedef struct Whole {
    const Stage *stage;
    const Transformer *model;
    Box area;
    double labels; /* width of the tokens on the left */
    bool named;    /* the upper tower's tokens have room for their name */
    bool crowded;  /* no token has room */
    size_t count;
    Tower towers[TRANSFORMER_MAX_TOWERS];
} Whole;

static const TransformerPart *part_at(const Whole *whole, size_t part) {
    return &whole->model->parts[part];
}

static const Tensor *tensor_of(const Whole *whole, size_t part) {
    return stage_tensor(whole->stage, part_at(whole, part)->node);
}

/* ---- data ---- */

static Tower read_tower(const Whole *whole, const TransformerTower *tower) {
    Tower read = {.tower = tower, .positions = TRANSFORMER_NONE};
    for (size_t i = 0; i < whole->model->part_count; i++) {
        const TransformerPart *part = part_at(whole, i);
        if (part->tower != tower || part->parent != TRANSFORMER_NONE)
            continue;
        if (part->kind == TRANSFORMER_EMBEDDING || part->kind == TRANSFORMER_SCALED)
            read.rows = i;
        else if (part->kind == TRANSFORMER_POSITION)
            read.positions = i;
        else if (part->kind == TRANSFORMER_LAYER) /* the last layer has the last box */
            read.layers[read.count < LAYERS_MOST ? read.count++ : LAYERS_MOST - 1] = i;
        read.all += part->kind == TRANSFORMER_LAYER;
    }
    return read;
}

/* Player's step of a part; PLAYER_NONE: it has none. */
static size_t step_of(const Whole *whole, const TransformerPart *part) {
    const Player *player = whole->stage->player;
    for (size_t i = 0; i < player->step_count; i = player->steps[i].next) {
        if (player->steps[i].node == part->node)
            return i;
    }
    return PLAYER_NONE;
}

/* Links what follows to the step of a part. */
static void link_part(const Whole *whole, const TransformerPart *part) {
    size_t step = step_of(whole, part);
    if (step != PLAYER_NONE)
        canvas_link(whole->stage->canvas, (Link){.kind = LINK_STEP, .index = step});
}

/* Reports whether a node is computed at the present step; later parts are faded unless
 * the whole model is requested. */
static bool is_there(const Whole *whole, size_t node) {
    return node <= whole->stage->node || whole->stage->view == LESSON_VIEW_MODEL;
}

/* Reports whether the step is about the encoder output itself, not about its use. */
static bool is_of_memory(const Whole *whole) {
    const Stage *stage = whole->stage;
    return stage->node == whole->model->memory ||
           (stage->has_focus && stage->focus_node == whole->model->memory);
}

/* ---- a layer: a small lane of its own, with a loop for each sublayer, with its name if
 * there is room, and a gate for each norm ---- */

static const char *tower_name(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    return canvas_string(canvas, canvas_format(canvas, "map.%s", tower->tower->name));
}

/* Topic of a sublayer. */
static const char *topic_of(const Whole *whole, const Tower *tower, size_t index) {
    static const char *const topics[] = {
        [SUBLAYER_FEED_FORWARD] = "feed_forward",
        [SUBLAYER_CROSS_ATTENTION] = "cross_attention",
        [SUBLAYER_SELF_ATTENTION] = "self_attention",
    };
    SublayerKind kind = tower->tower->sublayers[index];
    bool causal = transformer_is_causal(&whole->model->shape, tower->tower);
    return kind == SUBLAYER_SELF_ATTENTION && causal ? "masked_attention" : topics[kind];
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

static LaneBlock block_of(const Whole *whole, const Tower *tower, size_t index) {
    const Canvas *canvas = whole->stage->canvas;
    LaneBlock block = lane_block_of(canvas, topic_of(whole, tower, index));
    block.units = LABEL;
    block.edge = lane_color(canvas, block.role, true);
    return block;
}

/* Reports whether all sublayers' names have room; a single word may be too wide. */
static bool is_named(const Whole *whole, const Tower *tower) {
    for (size_t i = 0; i < tower->tower->sublayer_count; i++) {
        LaneBlock block = block_of(whole, tower, i);
        Box loop = loop_of(tower, place_of(tower, tower->boxes[0], i));
        if (!lane_block_fits(whole->stage->canvas, &block, loop))
            return false;
    }
    return true;
}

static void draw_loop(const Whole *whole, const Tower *tower, Box place, size_t index,
                      bool named) {
    const Canvas *canvas = whole->stage->canvas;
    LaneBlock block = block_of(whole, tower, index);
    double line = tower->line, ring = ring_of(place);
    double up = round(place.x + place.w * UP_AT);
    double down = round(place.x + place.w * DOWN_AT);
    Box loop = loop_of(tower, place);
    double bottom = loop.y + loop.h;
    Lane lane = {.role = block.role, .thickness = LOOP_LANE};
    lane_between(canvas, (Point){up, line}, (Point){up, bottom}, lane);
    lane_between(canvas, (Point){down, bottom}, (Point){down, line}, lane);
    if (!named)
        block.name = "";
    lane_block_draw(canvas, &block, loop);
    lane_sum(canvas, (Point){down, line}, ring);
    if (whole->model->shape.pre_norm)
        draw_gate(canvas, (Point){up, (line - LAYER_LANE / 2 + bottom) / 2}, 26, GATE);
    else
        draw_gate(canvas, (Point){down + ring + GATE_GAP + GATE / 2, line}, GATE,
                  GATE_TALL);
}

/* Reports whether the loops, sums and norms of a layer are clear of each other, below its
 * name. */
static bool layer_has_room(const Whole *whole, const Tower *tower, Box box) {
    const Canvas *canvas = whole->stage->canvas;
    double name = canvas_text_width(canvas, FONT_BOLD, LABEL, tower_name(whole, tower));
    Box place = place_of(tower, box, 0);
    return box.w >= name + PAD && place.w >= LEAST_PLACE &&
           loop_of(tower, place).h >= LEAST_LOOP;
}

static double layer_rise(void) {
    return TITLE + TALLEST_LOOP + LEG + RING;
}

static double layer_least(void) {
    return TITLE + 2 * round(LABEL * LANE_LEADING) + 2 * PAD + LEG + RING;
}

/* Name of a layer: "layer 1 of 2"; of a box for several layers their number; of an only
 * layer the tower's name. */
static const char *layer_name(const Whole *whole, const Tower *tower, size_t index) {
    const Canvas *canvas = whole->stage->canvas;
    if (tower->all == 1)
        return tower_name(whole, tower);
    if (tower->all > tower->count && index + 2 == tower->count)
        return canvas_words(canvas, "map.layers",
                            canvas_count(canvas, tower->all - tower->count + 1), NULL);
    size_t layer = part_at(whole, tower->layers[index])->layer;
    return canvas_words(canvas, "map.layer_of", canvas_count(canvas, layer + 1),
                        canvas_count(canvas, tower->all), NULL);
}

static void draw_layer(const Whole *whole, const Tower *tower, size_t index) {
    const Canvas *canvas = whole->stage->canvas;
    Box box = tower->boxes[index];
    link_part(whole, part_at(whole, tower->layers[index]));
    scene_rectangle(canvas->scene, box, 10, canvas->theme->bar, canvas->theme->line, 2);
    const char *name = layer_name(whole, tower, index);
    double size = canvas_size(canvas, LABEL, name);
    bool fits = canvas_text_width(canvas, FONT_BOLD, size, name) <= box.w - PAD;
    double least = canvas->least > 0 ? LEAST_PRESENTED : 1;
    bool named = is_named(whole, &whole->towers[0]) && is_named(whole, &whole->towers[1]);
    if (canvas->enlarged > least &&
        (whole->crowded || !layer_has_room(whole, tower, box) ||
         (!named && tower->all == 1))) {
        name = canvas_format(canvas, "%s…", name); /* the page has smaller type then */
        fits = true;
    }
    if (fits)
        canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                    (Point){box.x + box.w / 2, box.y + TITLE * 0.7}, LABEL_CENTER, name);
    lane_residual(canvas, (Point){box.x, tower->line},
                  (Point){box.x + box.w, tower->line}, LAYER_LANE, false);
    for (size_t i = 0; i < tower->tower->sublayer_count; i++)
        draw_loop(whole, tower, place_of(tower, box, i), i, named);
    canvas_unlink(canvas);
}

static double reads_at(const Whole *whole, size_t layer) {
    const Tower *tower = &whole->towers[1];
    size_t count = tower->tower->sublayer_count, index = 0;
    while (index + 1 < count &&
           tower->tower->sublayers[index] != SUBLAYER_CROSS_ATTENTION)
        index++;
    Box box = tower->boxes[layer];
    return box.x + box.w / (double)count * ((double)index + LOOP_LEFT + LOOP_WIDE / 2);
}

/* ---- the end ---- */

/* Enlargement of the words and of their blocks. */
static double growth(const Whole *whole) {
    return canvas_size(whole->stage->canvas, LABEL, "") / LABEL;
}

static double end_width(const Whole *whole) {
    return TO_BARS + ceil((STATION + BARS) * growth(whole));
}

static double end_depth(const Whole *whole) {
    return ceil(LINEAR_TALL / 2 * growth(whole));
}

static size_t next_largest(const Tensor *probabilities, size_t row, const bool *done) {
    size_t best = probabilities->cols;
    for (size_t i = 0; i < probabilities->cols; i++) {
        if (!done[i] &&
            (best == probabilities->cols ||
             tensor_at(probabilities, row, i) > tensor_at(probabilities, row, best)))
            best = i;
    }
    return best;
}

static void draw_bar(const Whole *whole, Box line, size_t row, size_t col, bool first) {
    const Stage *stage = whole->stage;
    const Canvas *canvas = stage->canvas;
    size_t node = whole->model->probabilities;
    const Tensor *probabilities = stage_tensor(stage, node);
    double probability = tensor_at(probabilities, row, col);
    double words = line.w * BAR_WORD - BAR_GAP, number = BAR_NUMBER * growth(whole);
    Box bar = {line.x + words + BAR_GAP, line.y + 4,
               fmax((line.w * (1 - BAR_WORD) - number) * probability, 2), line.h - 8};
    const ColorScale scale = {&canvas->theme->sequential, 0, 1, canvas->theme->masked};
    char text[NUMBER_SIZE];
    canvas_link_cell(canvas, node, row, col);
    canvas_row_label(canvas, canvas_size(canvas, LABEL, ""), words, first,
                     (Point){line.x + words, line.y + line.h / 2},
                     probabilities->col_labels
                         ? token_text(canvas, probabilities->col_labels[col])
                         : canvas_count(canvas, col));
    canvas_fill(canvas, bar, 3, color_scale_at(&scale, fmax(probability, 0.35)));
    canvas_line(canvas, first ? FONT_BOLD : FONT_TEXT, LABEL, canvas->theme->ink_soft,
                (Box){bar.x + bar.w + 7, line.y, number, line.h},
                number_format_shortest(text, probability, 2));
    canvas_unlink(canvas);
    if (stage->has_focus && stage->focus_node == node && stage->focus_row == row &&
        stage->focus_col == col)
        canvas_outline(canvas, box_inset(bar, -2), 4, canvas->theme->focus, 2);
}

static const TransformerPart *find_part(const Whole *whole, TransformerPartKind kind) {
    for (size_t i = 0; i < whole->model->part_count; i++) {
        if (part_at(whole, i)->kind == kind)
            return part_at(whole, i);
    }
    return NULL;
}

/* Draws a block with its name, linked to its step. */
static void draw_station(const Whole *whole, TransformerPartKind kind, const char *key,
                         Box box) {
    const Canvas *canvas = whole->stage->canvas;
    const Theme *theme = canvas->theme;
    LaneBlock block = {.name = canvas_string(canvas, key),
                       .font = FONT_BOLD,
                       .units = LABEL,
                       .fill = theme->bar,
                       .edge = theme->line,
                       .ink = theme->ink};
    link_part(whole, find_part(whole, kind));
    lane_block_draw(canvas, &block, box);
    canvas_unlink(canvas);
}

/* Draws the last row's probabilities as bars, the largest first, beside softmax. */
static void draw_bars(const Whole *whole, Box lines, size_t count) {
    const Tensor *probabilities = stage_tensor(whole->stage, whole->model->probabilities);
    bool *done = arena_alloc(whole->stage->canvas->scene->arena, probabilities->cols,
                             sizeof *done);
    for (size_t i = 0; i < count; i++) {
        size_t best = next_largest(probabilities, probabilities->rows - 1, done);
        done[best] = true;
        draw_bar(whole, box_take_top(&lines, lines.h / (double)(count - i)),
                 probabilities->rows - 1, best, i == 0);
    }
}

static void draw_end(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    const Tensor *probabilities = stage_tensor(whole->stage, whole->model->probabilities);
    double left = whole->area.x + whole->area.w - end_width(whole);
    double larger = growth(whole), wide = round(STATION * larger),
           tall = round(SOFTMAX_TALL * larger), under = end_depth(whole);
    Box linear = {left, tower->line - under, wide, 2 * under};
    Box softmax = {left, linear.y - BETWEEN - tall, wide, tall};
    Point up = {left + wide / 2, linear.y};
    Point out = {left + wide, softmax.y + tall / 2};
    Lane arrow = {.thickness = ARROW_LANE, .arrow = true};
    draw_station(whole, TRANSFORMER_LOGITS, "map.logits", linear);
    lane_between(canvas, up, (Point){up.x, up.y - BETWEEN}, arrow);
    draw_station(whole, TRANSFORMER_PROBABILITIES, "map.probabilities", softmax);
    lane_between(canvas, out, (Point){out.x + TO_BARS, out.y}, arrow);
    if (!is_there(whole, whole->model->probabilities))
        return;
    size_t count = probabilities->cols < BARS_MOST ? probabilities->cols : BARS_MOST;
    double rows = round(BAR_ROW * larger) * (double)count;
    draw_bars(whole,
              (Box){out.x + TO_BARS, round(tower->line - BARS_RISE - rows / 2),
                    BARS * larger, rows},
              count);
}

/* ---- layout ---- */

static bool is_last(const Whole *whole, const Tower *tower) {
    return tower == &whole->towers[whole->count - 1];
}

/* Depth of a tower below its lane: its tokens with their name, or its end. */
static double depth_of(const Whole *whole, const Tower *tower) {
    double name = is_last(whole, tower) || whole->named ? CAPTION : 0;
    double below = fmax(tower->height / 2 + MARGIN + name, BELOW_LINE + MARGIN);
    return is_last(whole, tower) ? fmax(below, end_depth(whole)) : below;
}

/* Height of a tower above its lane without its layers: tokens, with the encoder output's
 * name beside them, or positional encodings with theirs. */
static double top_of(const Whole *whole, const Tower *tower) {
    double places = PLACES_RISE + PLACES_TALLEST + 2 * MARGIN + CAPTION * 0.3 +
                    canvas_size(whole->stage->canvas, LABEL, "");
    return fmax(tower->height / 2 + MARGIN + MEMORY_NAME, places);
}

/* Half the width of the positional encodings' name above a tower's sum. */
static double places_side(const Whole *whole) {
    const Canvas *canvas = whole->stage->canvas;
    return canvas_text_width(canvas, FONT_TEXT, canvas_size(canvas, LABEL, ""),
                             canvas_string(canvas, "part.position")) /
               2 +
           MARGIN;
}

/* Distance from a tower's tokens to the middle of its sum, and from there to its first
 * layer. */
static double to_sum(const Whole *whole) {
    return fmax(TO_SUM, places_side(whole) + MARGIN);
}

static double before_layers(const Whole *whole) {
    return fmax(SUM_RADIUS + BEFORE_LAYERS, places_side(whole));
}

/* Height of a layer above its lane; the encoder output's lane runs between the towers. */
static double rise_of(const Whole *whole) {
    double room = whole->area.h - depth_of(whole, &whole->towers[1]) -
                  whole->towers[0].height / 2 - MARGIN - HANDED;
    return fmin(fmin(room / 2, room - top_of(whole, &whole->towers[0])), layer_rise());
}

static bool has_room(const Whole *whole) {
    const Tower *upper = &whole->towers[0], *lower = &whole->towers[1];
    return rise_of(whole) >= layer_least() &&
           top_of(whole, upper) + depth_of(whole, upper) + top_of(whole, lower) +
                   depth_of(whole, lower) <=
               whole->area.h;
}

static void set_heights(Whole *whole, double row) {
    for (size_t i = 0; i < whole->count; i++)
        whole->towers[i].height =
            fmin(row * (double)tensor_of(whole, whole->towers[i].rows)->rows,
                 whole->area.h * TALLEST);
}

/* Chooses the preferred height of rows; if layers have no room beside them, lower rows
 * with readable tokens; then without one name; then without tokens. */
static void choose_heights(Whole *whole) {
    double read = ceil(canvas_size(whole->stage->canvas, LABEL, ""));
    double row = WORD_ROW;
    whole->named = true;
    for (set_heights(whole, row); !has_room(whole) && row > read; row--)
        set_heights(whole, row - 1);
    whole->named = has_room(whole);
    for (; !has_room(whole) && row > LEAST_ROW; row--)
        set_heights(whole, row - 1);
    whole->crowded = row < read;
}

static void place(Whole *whole) {
    size_t most = 1;
    Tower *upper = &whole->towers[0], *lower = &whole->towers[1];
    choose_heights(whole);
    for (size_t i = 0; i < whole->count; i++) {
        const Tower *tower = &whole->towers[i];
        const Tensor *rows = tensor_of(whole, tower->rows);
        most = tower->count > most ? tower->count : most;
        whole->labels =
            fmax(whole->labels,
                 fmin(heatmap_row_label_width(whole->stage->canvas, rows), LABELS_WIDE));
    }
    double rise = fmax(rise_of(whole), LEAST_BOX);
    double line = whole->area.h - depth_of(whole, lower);
    double highest = fmin(rise, line - top_of(whole, lower) - depth_of(whole, upper));
    lower->line = round(whole->area.y + line);
    upper->line = round(whole->area.y + fmax(highest, top_of(whole, upper)));
    rise = fmin(rise, upper->line - whole->area.y);
    double first =
        whole->area.x + whole->labels + THUMB + to_sum(whole) + before_layers(whole);
    double end = whole->area.x + whole->area.w - end_width(whole) - GAP;
    double slot = fmax(end - first, LEAST_BOX) / (double)most;
    double width = fmin(slot - GAP, WIDEST_BOX);
    for (size_t i = 0; i < whole->count; i++) {
        Tower *tower = &whole->towers[i];
        for (size_t j = 0; j < tower->count; j++)
            tower->boxes[j] =
                (Box){round(first + slot * (double)j), round(tower->line - rise),
                      round(width), round(rise + BELOW_LINE)};
    }
}

/* ---- parts ---- */

static void draw_caption(const Whole *whole, double middle, double baseline,
                         const char *key) {
    const Canvas *canvas = whole->stage->canvas;
    canvas_label(canvas, FONT_TEXT, LABEL, canvas->theme->ink_soft,
                 (Point){middle, baseline}, LABEL_CENTER, canvas_string(canvas, key));
}

/* Draws a tensor's colours on the lane. */
static Box draw_thumb(const Whole *whole, size_t node, Box cells) {
    const Stage *stage = whole->stage;
    Heatmap heatmap =
        stage_heatmap(stage, node, cells, heatmap_reach(stage_tensor(stage, node)));
    if (!is_there(whole, node))
        heatmap.visible = 0;
    return role_thumbnail(stage->canvas, &heatmap);
}

static Box cells_at(double left, double middle, double width, double height) {
    return (Box){round(left), round(middle - height / 2), width, height};
}

static void draw_words(const Whole *whole, const Tower *tower, Box cells) {
    const Canvas *canvas = whole->stage->canvas;
    const Tensor *tensor = tensor_of(whole, tower->rows);
    double row = cells.h / (double)tensor->rows, size = canvas_size(canvas, LABEL, "");
    for (size_t i = 0; tensor->row_labels && row >= size && i < tensor->rows; i++)
        canvas_row_label(canvas, size, whole->labels, false,
                         (Point){cells.x - MARGIN - 7, cells.y + row * ((double)i + 0.5)},
                         token_text(canvas, tensor->row_labels[i]));
}

/* Draws the tokens' embeddings, and the positional encodings that are added to them. */
static void draw_input(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    Box cells =
        cells_at(whole->area.x + whole->labels, tower->line, THUMB, tower->height);
    Box frame = draw_thumb(whole, part_at(whole, tower->rows)->node, cells);
    if (whole->named || is_last(whole, tower))
        draw_caption(
            whole, cells.x + cells.w / 2,
            frame.y + frame.h +
                fmax(CAPTION * 0.75, canvas_size(canvas, LABEL, "") * CAPTION_DROP),
            "part.embedding");
    draw_words(whole, tower, cells);
    Point sum = {cells.x + cells.w + to_sum(whole), tower->line};
    if (tower->positions == TRANSFORMER_NONE)
        return;
    double small = fmin(tower->height, PLACES_TALLEST);
    Box places = cells_at(sum.x - THUMB * 0.35, sum.y - PLACES_RISE - small / 2,
                          THUMB * 0.7, small);
    lane_between(canvas, (Point){sum.x, places.y + small},
                 (Point){sum.x, sum.y - SUM_RADIUS},
                 (Lane){.thickness = ARROW_LANE, .arrow = true});
    frame = draw_thumb(whole, part_at(whole, tower->positions)->node, places);
    draw_caption(whole, sum.x, frame.y - CAPTION * 0.3, "part.position");
    lane_sum(canvas, sum, SUM_RADIUS);
}

/* ---- the encoder output ---- */

/* Token whose row has numbers. */
static size_t chosen_row(const Whole *whole, const Tensor *memory) {
    const Stage *stage = whole->stage;
    return stage->has_focus && stage->focus_node == whole->model->memory
               ? stage->focus_row
               : memory->rows - 1;
}

/* Draws one token's row of the encoder output with numbers. */
static Box draw_memory_rows(const Whole *whole, double left) {
    const Stage *stage = whole->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *memory = stage_tensor(stage, whole->model->memory);
    double line = whole->towers[0].line;
    double width = fmin(whole->area.x + whole->area.w - left - MARGIN, MEMORY_WIDE);
    bool focus = stage->has_focus && stage->focus_node == whole->model->memory;
    size_t col = focus ? stage->focus_col : 0;
    WordRows rows = word_rows_measure(canvas, &memory, 1, chosen_row(whole, memory), col,
                                      width, whole->towers[0].height);
    double height = word_rows_height(&rows), reach = heatmap_reach(memory);
    Point corner = {round(left), round(line - height / 2)};
    Box frame =
        box_inset((Box){corner.x, corner.y, word_rows_width(&rows), height}, -MARGIN);
    scene_rectangle(canvas->scene, frame, 8, canvas->theme->page,
                    role_color(canvas->theme, ROLE_RESIDUAL, canvas->theme->ink), 3);
    word_rows_draw(canvas, &rows, corner, whole->model->memory, memory, reach);
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, reach}, 1);
    return frame;
}

/* Draws the encoder output at the encoder's end, with numbers if the step is about it;
 * returns its frame. */
static Box draw_memory(const Whole *whole) {
    const Canvas *canvas = whole->stage->canvas;
    const Tower *tower = &whole->towers[0];
    Box last = tower->boxes[tower->count - 1];
    double left = last.x + last.w + 2 * GAP;
    Box frame = is_of_memory(whole)
                    ? draw_memory_rows(whole, left)
                    : draw_thumb(whole, whole->model->memory,
                                 cells_at(left, tower->line, THUMB, tower->height));
    const char *name = canvas_string(canvas, "part.memory");
    double size = canvas_size(canvas, LABEL + 2, name);
    double free = last.x + last.w + GAP, room = whole->area.x + whole->area.w - free;
    double half = fmin(canvas_text_width(canvas, FONT_BOLD, size, name), room) / 2;
    canvas_text_within(canvas, FONT_BOLD, size, room, canvas->theme->ink,
                       (Point){fmax(frame.x + frame.w / 2, free + half), frame.y - 9},
                       LABEL_CENTER, name);
    return frame;
}

/* Draws lanes from the encoder output to every layer of the decoder. */
static void draw_handing_over(const Whole *whole, Box memory) {
    const Canvas *canvas = whole->stage->canvas;
    const Tower *tower = &whole->towers[1];
    double middle = round((memory.y + memory.h + tower->boxes[0].y - ARROW) / 2);
    double from = memory.x + memory.w / 2;
    for (size_t i = 0; i < tower->count; i++) {
        double to = reads_at(whole, i), bend = to < from ? BEND : -BEND;
        Point end = {to, tower->boxes[i].y}, before = {to, end.y - ARROW};
        Point points[] = {{from, memory.y + memory.h},
                          {from - bend, middle},
                          {to + bend, middle},
                          before};
        Lane lane = {.role = ROLE_RESIDUAL,
                     .points = points,
                     .count = 4,
                     .leaves_upright = true,
                     .ends_upright = true,
                     .strong = true};
        lane_draw(canvas, &lane);
        lane.arrow = true;
        lane_between(canvas, before, end, lane);
    }
}

/* ---- the whole ---- */

static void draw_tower(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    bool ends = is_last(whole, tower);
    size_t first = canvas->scene->count;
    double from = whole->area.x + whole->labels, right = whole->area.x + whole->area.w;
    Box last = tower->boxes[tower->count - 1];
    double to = ends ? right - end_width(whole) : last.x + last.w + 2 * GAP;
    lane_residual(canvas, (Point){from, tower->line}, (Point){to, tower->line}, LANE,
                  false);
    draw_input(whole, tower);
    if (tower->all > 1) /* an only layer has the tower's name */
        canvas_label(canvas, FONT_BOLD, LABEL, canvas->theme->ink,
                     (Point){whole->area.x, tower->line - top_of(whole, tower) + LABEL},
                     LABEL_LEFT, tower_name(whole, tower));
    for (size_t i = 0; i < tower->count; i++)
        draw_layer(whole, tower, i);
    if (ends)
        draw_end(whole, tower);
    if (!is_there(whole, part_at(whole, tower->rows)->node))
        emphasis_far_back(canvas, first);
}

static bool is_asked(const Whole *whole) {
    const Stage *stage = whole->stage;
    bool memory = stage->view <= LESSON_VIEW_PICTURE &&
                  strcmp(player_step(stage->player)->topic, "memory") == 0 &&
                  whole->model->memory == stage->node;
    return memory || stage->view == LESSON_VIEW_MODEL;
}

bool whole_model(const Stage *stage) {
    Whole whole = {
        .stage = stage, .model = stage->player->lesson->model, .area = stage->area};
    if (!whole.model || !is_asked(&whole) || whole.model->probabilities == TAPE_NONE)
        return false;
    const TransformerTower *tower;
    while ((tower = transformer_tower(whole.model->shape.kind, whole.count))) {
        whole.towers[whole.count] = read_tower(&whole, tower);
        if (whole.towers[whole.count++].count == 0)
            return false;
    }
    if (whole.count != TRANSFORMER_MAX_TOWERS)
        return false;
    if (is_of_memory(&whole)) /* its numbers have a legend */
        box_take_bottom(&whole.area, STAGE_LEGEND_HEIGHT);
    place(&whole);
    for (size_t i = 0; i < whole.count; i++)
        draw_tower(&whole, &whole.towers[i]);
    draw_handing_over(&whole, draw_memory(&whole));
    return true;
}
