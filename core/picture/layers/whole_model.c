#include "picture/layers/whole_model.h"

#include "base/number.h"
#include "picture/charts/word_rows.h"
#include "picture/draw/emphasis.h"
#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/tensors/tokens.h"

#include <math.h>
#include <string.h>

/* Lengths in units. */
static const double LABELS_WIDE = 96, THUMB = 78, GAP = 16, SUM_RADIUS = 17, TO_SUM = 54;
static const double BOX_HEIGHT = 96, WIDEST_BOX = 230, NARROWEST_BOX = 120, LABEL = 15,
                    CAPTION = 24;
static const double LINEAR = 172, BARS = 210, BAR_ROW = 25, MEMORY_WIDE = 300;
static const double LOOP_RADIUS = 7, GATE = 5, MARGIN = 6, WORD_ROW = 17;
static const double PLACES_DROP = 58, PLACES_TALLEST = 46; /* below a tower's line */

enum { LAYERS_MOST = 3, BARS_MOST = 5 };

typedef struct Tower {
    const TransformerTower *tower;
    size_t rows, positions;     /* parts: the embeddings' rows, the positions' */
    size_t count, all;          /* layers that have a box, of how many */
    size_t layers[LAYERS_MOST]; /* parts */
    double line, height;        /* the lane's height on the page; the tables' */
    Box boxes[LAYERS_MOST];
} Tower;

typedef struct Whole {
    const Stage *stage;
    const Transformer *model;
    Box area;
    double labels, first, slot; /* where the layers begin, and how far apart they are */
    bool crowded;               /* what comes of each layer has no room */
    size_t count;
    Tower towers[TRANSFORMER_MAX_TOWERS];
} Whole;

static double units(const Whole *whole, double length) {
    return canvas_length(whole->stage->canvas, length);
}

static const TransformerPart *part_at(const Whole *whole, size_t part) {
    return &whole->model->parts[part];
}

static const Tensor *tensor_of(const Whole *whole, size_t part) {
    return stage_tensor(whole->stage, part_at(whole, part)->node);
}

/* ---- what there is ---- */

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
        else if (part->kind == TRANSFORMER_LAYER) /* the last takes the last box */
            read.layers[read.count < LAYERS_MOST ? read.count++ : LAYERS_MOST - 1] = i;
        read.all += part->kind == TRANSFORMER_LAYER;
    }
    return read;
}

/* The player's step of a part; PLAYER_NONE: it has none. */
static size_t step_of(const Whole *whole, const TransformerPart *part) {
    const Player *player = whole->stage->player;
    for (size_t i = 0; i < player->step_count; i = player->steps[i].next) {
        if (player->steps[i].node == part->node)
            return i;
    }
    return PLAYER_NONE;
}

static void link_part(const Whole *whole, const TransformerPart *part) {
    size_t step = step_of(whole, part);
    if (step != PLAYER_NONE)
        canvas_link(whole->stage->canvas, (Link){.kind = LINK_STEP, .index = step});
}

/* Whether it is computed where the step is: what comes later lies far back, but where the
 * whole is asked for. */
static bool is_there(const Whole *whole, size_t node) {
    return node <= whole->stage->node || whole->stage->view == LESSON_VIEW_MODEL;
}

/* Whether the step is about the memory, and not about what becomes of it. */
static bool is_of_memory(const Whole *whole) {
    const Stage *stage = whole->stage;
    return stage->node == whole->model->memory ||
           (stage->has_focus && stage->focus_node == whole->model->memory);
}

/* ---- placing ---- */

/* How far below its line a tower reaches: its words, its places or its shares. */
static double depth_of(const Whole *whole, const Tower *tower) {
    double below = tower->height / 2;
    if (tower->positions != TRANSFORMER_NONE)
        below = fmax(below, units(whole, PLACES_DROP) +
                                fmin(tower->height, units(whole, PLACES_TALLEST)));
    if (tower == &whole->towers[whole->count - 1])
        below = fmax(below, units(whole, BAR_ROW) * BARS_MOST / 2);
    return below + units(whole, MARGIN + CAPTION);
}

static void place(Whole *whole) {
    size_t most = 1;
    double side = units(whole, THUMB + TO_SUM + SUM_RADIUS + GAP);
    for (size_t i = 0; i < whole->count; i++) {
        Tower *tower = &whole->towers[i];
        const Tensor *rows = tensor_of(whole, tower->rows);
        most = tower->count > most ? tower->count : most;
        tower->height =
            fmin(units(whole, WORD_ROW) * (double)rows->rows, whole->area.h * 0.3);
        double line = whole->area.h * (i ? 0.72 : 0.24);
        if (i)
            line = fmin(line, whole->area.h - depth_of(whole, tower));
        tower->line = round(whole->area.y + line);
        whole->labels =
            fmax(whole->labels, fmin(heatmap_row_label_width(whole->stage->canvas, rows),
                                     units(whole, LABELS_WIDE)));
    }
    whole->first = whole->area.x + whole->labels + side;
    double end = whole->area.x + whole->area.w - units(whole, LINEAR + BARS + 3 * GAP);
    whole->slot = fmax(end - whole->first, units(whole, 60)) / (double)most;
    double room = whole->slot - units(whole, THUMB + 3 * GAP);
    whole->crowded = room < units(whole, NARROWEST_BOX);
    if (whole->crowded)
        room = whole->slot - units(whole, GAP);
    double width = fmax(fmin(room, units(whole, WIDEST_BOX)), units(whole, 40));
    for (size_t i = 0; i < whole->count; i++) {
        Tower *tower = &whole->towers[i];
        for (size_t j = 0; j < tower->count; j++)
            tower->boxes[j] = (Box){round(whole->first + whole->slot * (double)j),
                                    round(tower->line - units(whole, BOX_HEIGHT) * 0.66),
                                    round(width), units(whole, BOX_HEIGHT)};
    }
}

/* ---- parts ---- */

static void draw_caption(const Whole *whole, double middle, double top,
                         const char *text) {
    canvas_label(whole->stage->canvas, FONT_TEXT, LABEL,
                 whole->stage->canvas->theme->ink_soft,
                 (Point){middle, top + units(whole, CAPTION * 0.75)}, LABEL_CENTER, text);
}

/* A tensor's colours on the lane, with its name below. */
static Box draw_thumb(const Whole *whole, const TransformerPart *part, Box cells,
                      const char *name) {
    const Canvas *canvas = whole->stage->canvas;
    const Tensor *tensor = stage_tensor(whole->stage, part->node);
    Heatmap heatmap =
        stage_heatmap(whole->stage, part->node, cells, heatmap_reach(tensor));
    if (!is_there(whole, part->node))
        heatmap.visible = 0;
    Box frame = role_thumbnail(canvas, ROLE_RESIDUAL, &heatmap, NULL);
    if (name)
        draw_caption(whole, cells.x + cells.w / 2, frame.y + frame.h, name);
    return frame;
}

static Box cells_at(const Whole *whole, double left, double middle, double height) {
    return (Box){round(left), round(middle - height / 2), units(whole, THUMB), height};
}

static void draw_words(const Whole *whole, const Tower *tower, Box cells) {
    const Canvas *canvas = whole->stage->canvas;
    const Tensor *tensor = tensor_of(whole, tower->rows);
    double row = cells.h / (double)tensor->rows, size = canvas_size(canvas, LABEL, "");
    for (size_t i = 0; tensor->row_labels && i < tensor->rows; i++) {
        const char *text = token_text(canvas, tensor->row_labels[i]);
        if (row < size ||
            canvas_text_width(canvas, FONT_TEXT, size, text) > whole->labels)
            continue;
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){cells.x - units(whole, MARGIN + 7),
                            round(cells.y + row * ((double)i + 0.5) + size * 0.36)},
                    LABEL_RIGHT, text);
    }
}

/* Words as rows, and their places added to them. */
static void draw_input(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    double height = tower->height;
    Box cells = cells_at(whole, whole->area.x + whole->labels, tower->line, height);
    const TransformerPart *rows = part_at(whole, tower->rows);
    draw_thumb(whole, rows, cells, canvas_string(canvas, "part.embedding"));
    draw_words(whole, tower, cells);
    Point sum = {cells.x + cells.w + units(whole, TO_SUM), tower->line};
    if (tower->positions == TRANSFORMER_NONE)
        return;
    double small = fmin(height, units(whole, PLACES_TALLEST));
    Box places = {sum.x - units(whole, THUMB) * 0.35,
                  tower->line + units(whole, PLACES_DROP), units(whole, THUMB) * 0.7,
                  small};
    Point up[] = {{sum.x, places.y}, {sum.x, sum.y + units(whole, SUM_RADIUS)}};
    lane_draw(canvas, &(Lane){.points = up, .count = 2, .thickness = 7, .arrow = true});
    draw_thumb(whole, part_at(whole, tower->positions), places,
               canvas_string(canvas, "part.position"));
    lane_sum(canvas, sum, SUM_RADIUS);
}

/* A layer's own lane, small: a loop for each sublayer, and a gate where a norm is one. */
static void draw_loops(const Whole *whole, const Tower *tower, Box box) {
    const Canvas *canvas = whole->stage->canvas;
    size_t count = tower->tower->sublayer_count;
    double pitch = box.w / (double)count, top = tower->line - units(whole, 36);
    double height = units(whole, 18);
    lane_residual(canvas, (Point){box.x, tower->line},
                  (Point){box.x + box.w, tower->line}, 10, false);
    for (size_t i = 0; i < count; i++) {
        Role role = tower->tower->sublayers[i] == SUBLAYER_FEED_FORWARD
                        ? ROLE_FEED_FORWARD
                        : ROLE_SHARES;
        double left = box.x + pitch * ((double)i + 0.2), right = left + pitch * 0.5;
        Point up[] = {{left, tower->line}, {left, top + height / 2}};
        Point down[] = {{right, top + height / 2}, {right, tower->line}};
        lane_draw(canvas,
                  &(Lane){.role = role, .points = up, .count = 2, .thickness = 4});
        lane_draw(canvas,
                  &(Lane){.role = role, .points = down, .count = 2, .thickness = 4});
        double over = units(whole, 6);
        scene_rectangle(canvas->scene,
                        (Box){left - over, top, right - left + 2 * over, height},
                        units(whole, 5), canvas->theme->page,
                        lane_color(canvas, role, true), fmax(units(whole, 2), 1));
        lane_sum(canvas, (Point){right, tower->line}, LOOP_RADIUS);
        Box gate = {right + units(whole, LOOP_RADIUS + 4), tower->line - units(whole, 9),
                    units(whole, GATE), units(whole, 18)};
        if (whole->model->shape.pre_norm)
            gate.x = left - gate.w / 2;
        canvas_fill(canvas, gate, 2,
                    role_color(canvas->theme, ROLE_NORM, canvas->theme->ink));
    }
}

/* "layer 1 of 2"; of several that share a box how many; an only layer is the tower. */
static const char *layer_name(const Whole *whole, const Tower *tower, size_t index) {
    const Canvas *canvas = whole->stage->canvas;
    if (tower->all == 1)
        return canvas_string(canvas, canvas_format(canvas, "map.%s", tower->tower->name));
    if (tower->all > tower->count && index + 2 == tower->count)
        return canvas_words(canvas, "map.layers",
                            canvas_count(canvas, tower->all - tower->count + 1), NULL);
    size_t layer = part_at(whole, tower->layers[index])->layer;
    return canvas_words(canvas, "map.layer_of", canvas_count(canvas, layer + 1),
                        canvas_count(canvas, tower->all), NULL);
}

static void draw_layer(const Whole *whole, const Tower *tower, size_t index) {
    const Canvas *canvas = whole->stage->canvas;
    const TransformerPart *part = part_at(whole, tower->layers[index]);
    Box box = tower->boxes[index];
    link_part(whole, part);
    scene_rectangle(canvas->scene, box, units(whole, 10), canvas->theme->bar,
                    canvas->theme->line, fmax(units(whole, 2), 1));
    const char *name = layer_name(whole, tower, index);
    double size = canvas_size(canvas, LABEL, name);
    if (canvas_text_width(canvas, FONT_BOLD, size, name) <= box.w - units(whole, 8))
        canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                    (Point){box.x + box.w / 2, box.y + units(whole, 19)}, LABEL_CENTER,
                    name);
    draw_loops(whole, tower, box);
    canvas_unlink(canvas);
    bool handed = index + 1 == tower->count && whole->count > 1 && tower == whole->towers;
    if (!handed && !whole->crowded)
        draw_thumb(whole, part,
                   cells_at(whole, box.x + box.w + units(whole, GAP), tower->line,
                            fmin(tower->height, units(whole, 70))),
                   NULL);
}

/* ---- the memory ---- */

/* The word whose row is in numbers. */
static size_t chosen_row(const Whole *whole, const Tensor *memory) {
    const Stage *stage = whole->stage;
    return stage->has_focus && stage->focus_node == whole->model->memory
               ? stage->focus_row
               : memory->rows - 1;
}

/* One word's row of it in numbers. */
static Box draw_memory_rows(const Whole *whole, double left) {
    const Stage *stage = whole->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *memory = stage_tensor(stage, whole->model->memory);
    double line = whole->towers[0].line;
    double width = fmin(whole->area.x + whole->area.w - left - units(whole, MARGIN),
                        units(whole, MEMORY_WIDE));
    bool focus = stage->has_focus && stage->focus_node == whole->model->memory;
    size_t col = focus ? stage->focus_col : 0;
    WordRows rows = word_rows_measure(canvas, &memory, 1, chosen_row(whole, memory), col,
                                      width, whole->area.h * 0.3);
    double height = word_rows_height(&rows), reach = heatmap_reach(memory);
    Point corner = {round(left), round(line - height / 2)};
    Box frame = box_inset((Box){corner.x, corner.y, word_rows_width(&rows), height},
                          -units(whole, MARGIN));
    scene_rectangle(canvas->scene, frame, units(whole, 8), canvas->theme->page,
                    role_color(canvas->theme, ROLE_RESIDUAL, canvas->theme->ink),
                    units(whole, 3));
    word_rows_draw(canvas, &rows, corner, whole->model->memory, memory, reach);
    const StageScale scale = {HEATMAP_SIGNED, reach};
    stage_legends(stage, stage->area, &scale, 1);
    return frame;
}

/* The memory at the encoder's end, in numbers where the step is about it; gives back its
 * frame. */
static Box draw_memory(const Whole *whole) {
    const Canvas *canvas = whole->stage->canvas;
    const Tower *tower = &whole->towers[0];
    size_t node = whole->model->memory;
    Box last = tower->boxes[tower->count - 1], frame;
    double left = last.x + last.w + units(whole, 2 * GAP);
    if (is_of_memory(whole)) {
        frame = draw_memory_rows(whole, left);
    } else {
        Heatmap heatmap = stage_heatmap(whole->stage, node,
                                        cells_at(whole, left, tower->line, tower->height),
                                        heatmap_reach(stage_tensor(whole->stage, node)));
        frame = role_thumbnail(canvas, ROLE_RESIDUAL, &heatmap, NULL);
    }
    canvas_label(canvas, FONT_BOLD, LABEL + 2, canvas->theme->ink,
                 (Point){frame.x + frame.w / 2, frame.y - units(whole, 9)}, LABEL_CENTER,
                 canvas_string(canvas, "part.memory"));
    return frame;
}

/* Where a decoder's layer reads the memory. */
static double reads_at(const Whole *whole, size_t layer) {
    const Tower *tower = &whole->towers[1];
    size_t count = tower->tower->sublayer_count, index = 0;
    while (index + 1 < count &&
           tower->tower->sublayers[index] != SUBLAYER_CROSS_ATTENTION)
        index++;
    Box box = tower->boxes[layer];
    return box.x + box.w / (double)count * ((double)index + 0.45);
}

/* Down from the memory, and to every layer of the decoder. */
static void draw_handing_over(const Whole *whole, Box memory) {
    const Canvas *canvas = whole->stage->canvas;
    const Tower *tower = &whole->towers[1];
    double middle = round((memory.y + memory.h + tower->boxes[0].y) / 2);
    double from = memory.x + memory.w / 2;
    for (size_t i = 0; i < tower->count; i++) {
        double to = reads_at(whole, i), bend = to < from ? 40 : -40;
        Point points[] = {{from, memory.y + memory.h},
                          {from + (to < from ? -40 : 40), middle},
                          {to + bend, middle},
                          {to, tower->boxes[i].y}};
        lane_draw(canvas, &(Lane){.role = ROLE_RESIDUAL,
                                  .points = points,
                                  .count = 4,
                                  .leaves_upright = true,
                                  .ends_upright = true,
                                  .strong = true,
                                  .arrow = true});
    }
}

/* ---- the next word ---- */

static size_t next_largest(const Tensor *shares, size_t row, const bool *done) {
    size_t best = shares->cols;
    for (size_t i = 0; i < shares->cols; i++) {
        if (!done[i] && (best == shares->cols ||
                         tensor_at(shares, row, i) > tensor_at(shares, row, best)))
            best = i;
    }
    return best;
}

static void draw_bar(const Whole *whole, Box line, size_t row, size_t col, bool first) {
    const Stage *stage = whole->stage;
    const Canvas *canvas = stage->canvas;
    size_t node = whole->model->probabilities;
    const Tensor *shares = stage_tensor(stage, node);
    double share = tensor_at(shares, row, col), size = canvas_size(canvas, LABEL, "");
    char text[NUMBER_SIZE];
    canvas_link_cell(canvas, node, row, col);
    double words = line.w * 0.36, full = line.w * 0.64 - units(whole, 46);
    const char *word = shares->col_labels ? token_text(canvas, shares->col_labels[col])
                                          : canvas_count(canvas, col);
    FontRole font = first ? FONT_BOLD : FONT_TEXT;
    if (canvas_text_width(canvas, font, size, word) <= words)
        canvas_text(canvas, font, size, canvas->theme->ink,
                    (Point){line.x + words - units(whole, 8),
                            round(line.y + line.h / 2 + size * 0.36)},
                    LABEL_RIGHT, word);
    Box bar = {line.x + words, line.y + 4, fmax(full * share, 2), line.h - 8};
    const ColorScale scale = {&canvas->theme->sequential, 0, 1, canvas->theme->masked};
    canvas_fill(canvas, bar, units(whole, 3), color_scale_at(&scale, fmax(share, 0.35)));
    canvas_text(canvas, font, size, canvas->theme->ink_soft,
                (Point){bar.x + bar.w + units(whole, 7),
                        round(line.y + line.h / 2 + size * 0.36)},
                LABEL_LEFT, number_format_told(text, share, 2));
    canvas_unlink(canvas);
    if (stage->has_focus && stage->focus_node == node && stage->focus_row == row &&
        stage->focus_col == col)
        canvas_outline(canvas, box_inset(bar, -2), units(whole, 4), canvas->theme->focus,
                       2);
}

static const TransformerPart *find_part(const Whole *whole, TransformerPartKind kind) {
    for (size_t i = 0; i < whole->model->part_count; i++) {
        if (part_at(whole, i)->kind == kind)
            return part_at(whole, i);
    }
    return NULL;
}

/* Linear, and the last row's shares as bars, the largest first. */
static void draw_end(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    const Tensor *shares = stage_tensor(whole->stage, whole->model->probabilities);
    double right = whole->area.x + whole->area.w;
    Box chip = {right - units(whole, LINEAR + BARS + GAP), tower->line - units(whole, 20),
                units(whole, LINEAR), units(whole, 40)};
    const TransformerPart *logits = find_part(whole, TRANSFORMER_LOGITS);
    const char *name = canvas_string(canvas, "map.logits");
    link_part(whole, logits);
    scene_rectangle(canvas->scene, chip, units(whole, 8), canvas->theme->bar,
                    canvas->theme->line, fmax(units(whole, 2), 1));
    LabelFit fit = canvas_fit(canvas, FONT_BOLD, canvas_size(canvas, LABEL, name),
                              chip.w - units(whole, 6), name);
    canvas_text(canvas, FONT_BOLD, fit.size, canvas->theme->ink,
                (Point){chip.x + chip.w / 2, round(tower->line + fit.size * 0.36)},
                LABEL_CENTER, fit.text);
    canvas_unlink(canvas);
    if (!is_there(whole, whole->model->probabilities))
        return;
    bool *done = arena_alloc(canvas->scene->arena, shares->cols, sizeof *done);
    size_t count = shares->cols < BARS_MOST ? shares->cols : BARS_MOST;
    double row = units(whole, BAR_ROW);
    Box lines = {right - units(whole, BARS), tower->line - row * (double)count / 2,
                 units(whole, BARS), row * (double)count};
    draw_caption(whole, lines.x + lines.w / 2, lines.y + lines.h,
                 canvas_string(canvas, "map.probabilities"));
    for (size_t i = 0; done && i < count; i++) {
        size_t best = next_largest(shares, shares->rows - 1, done);
        done[best] = true;
        draw_bar(whole, box_take_top(&lines, row), shares->rows - 1, best, i == 0);
    }
}

/* ---- the whole ---- */

static void draw_tower(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    bool ends = tower == &whole->towers[whole->count - 1];
    size_t first = canvas->scene->count;
    double from = whole->area.x + whole->labels, right = whole->area.x + whole->area.w;
    Box last = tower->boxes[tower->count - 1];
    double to =
        ends ? right - units(whole, BARS - 10) : last.x + last.w + units(whole, 2 * GAP);
    lane_residual(canvas, (Point){from, tower->line}, (Point){to, tower->line}, 22, ends);
    draw_input(whole, tower);
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
    box_take_bottom(&whole.area, stage_legend_height(stage->canvas));
    place(&whole);
    for (size_t i = 0; i < whole.count; i++)
        draw_tower(&whole, &whole.towers[i]);
    draw_handing_over(&whole, draw_memory(&whole));
    return true;
}
