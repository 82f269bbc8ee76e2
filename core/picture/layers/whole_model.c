#include "picture/layers/whole_model.h"

#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/draw/emphasis.h"
#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/draw/token.h"
#include "picture/layers/whole.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double LABELS_WIDE = 110, THUMB = 84, SUM_RADIUS = 19, TO_SUM = 54;
static const double BELOW_LINE = 34, LEAST_BOX = 60, WIDEST_BOX = 640, HANDED = 64,
                    BEND = 26, ARROW = 22, BEFORE_LAYERS = 30, MEMORY_WIDE = 350,
                    MEMORY_NAME = 30;
static const double MARGIN = 6, WORD_ROW = 24, LEAST_ROW = 4, TALLEST = 0.36, LANE = 22;
static const double CAPTION_DROP = 0.85;                   /* fraction of its size */
static const double PLACES_RISE = 44, PLACES_TALLEST = 46; /* above a tower's lane */

const TransformerPart *whole_part(const Whole *whole, size_t part) {
    return &whole->model->parts[part];
}

static const Tensor *tensor_of(const Whole *whole, size_t part) {
    return stage_tensor(whole->stage, whole_part(whole, part)->node);
}

/* ---- data ---- */

static Tower read_tower(const Whole *whole, const TransformerTower *tower) {
    Tower read = {.tower = tower, .positions = TRANSFORMER_NONE};
    for (size_t i = 0; i < whole->model->part_count; i++) {
        const TransformerPart *part = whole_part(whole, i);
        if (part->tower != tower || part->parent != TRANSFORMER_NONE)
            continue;
        if (part->kind == TRANSFORMER_EMBEDDING || part->kind == TRANSFORMER_SCALED)
            read.rows = i;
        else if (part->kind == TRANSFORMER_POSITION)
            read.positions = i;
        else if (part->kind == TRANSFORMER_LAYER) /* the last layer has the last box */
            read.layers[read.count < WHOLE_LAYERS_MOST ? read.count++
                                                       : WHOLE_LAYERS_MOST - 1] = i;
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

void whole_link(const Whole *whole, const TransformerPart *part) {
    size_t step = step_of(whole, part);
    if (step != PLAYER_NONE)
        canvas_link(whole->stage->canvas, (Link){.kind = LINK_STEP, .index = step});
}

/* Reports whether a node is computed at the present step; later parts are faded unless
 * the whole model is requested. */
bool whole_is_there(const Whole *whole, size_t node) {
    return node <= whole->stage->node || whole->stage->view == LESSON_VIEW_MODEL;
}

/* Reports whether the step is about the encoder output itself, not about its use. */
static bool is_of_memory(const Whole *whole) {
    const Stage *stage = whole->stage;
    return stage->node == whole->model->memory ||
           (stage->has_focus && stage->focus_node == whole->model->memory);
}

/* ---- layout ---- */

static bool is_last(const Whole *whole, const Tower *tower) {
    return tower == &whole->towers[whole->count - 1];
}

/* Depth of a tower below its lane: its tokens with their name, or its end. */
static double depth_of(const Whole *whole, const Tower *tower) {
    double name = is_last(whole, tower) || whole->named ? WHOLE_CAPTION : 0;
    double below = fmax(tower->height / 2 + MARGIN + name, BELOW_LINE + MARGIN);
    return is_last(whole, tower) ? fmax(below, whole_end_depth(whole)) : below;
}

/* Height of a tower above its lane without its layers: tokens, with the encoder output's
 * name beside them, or positional encodings with theirs. */
static double top_of(const Whole *whole, const Tower *tower) {
    double places = PLACES_RISE + PLACES_TALLEST + 2 * MARGIN + WHOLE_CAPTION * 0.3 +
                    canvas_size(whole->stage->canvas, WHOLE_LABEL, "");
    return fmax(tower->height / 2 + MARGIN + MEMORY_NAME, places);
}

/* Half the width of the positional encodings' name above a tower's sum. */
static double places_side(const Whole *whole) {
    const Canvas *canvas = whole->stage->canvas;
    return canvas_text_width(canvas, FONT_TEXT, canvas_size(canvas, WHOLE_LABEL, ""),
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
    return fmin(fmin(room / 2, room - top_of(whole, &whole->towers[0])),
                whole_layer_rise());
}

static bool has_room(const Whole *whole) {
    const Tower *upper = &whole->towers[0], *lower = &whole->towers[1];
    return rise_of(whole) >= whole_layer_least() &&
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
    double read = ceil(canvas_size(whole->stage->canvas, WHOLE_LABEL, ""));
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
    double end = whole->area.x + whole->area.w - whole_end_width(whole) - WHOLE_GAP;
    double slot = fmax(end - first, LEAST_BOX) / (double)most;
    double width = fmin(slot - WHOLE_GAP, WIDEST_BOX);
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
    canvas_label(canvas, FONT_TEXT, WHOLE_LABEL, canvas->theme->ink_soft,
                 (Point){middle, baseline}, LABEL_CENTER, canvas_string(canvas, key));
}

/* Draws a tensor's colours on the lane. */
static Box draw_thumb(const Whole *whole, const TransformerPart *part, Box cells) {
    const Stage *stage = whole->stage;
    Heatmap heatmap = stage_heatmap(stage, part->node, cells,
                                    heatmap_reach(stage_tensor(stage, part->node)));
    if (!whole_is_there(whole, part->node))
        heatmap.visible = 0;
    return role_thumbnail(stage->canvas, &heatmap);
}

static Box cells_at(double left, double middle, double width, double height) {
    return (Box){round(left), round(middle - height / 2), width, height};
}

static void draw_words(const Whole *whole, const Tower *tower, Box cells) {
    const Canvas *canvas = whole->stage->canvas;
    const Tensor *tensor = tensor_of(whole, tower->rows);
    double row = cells.h / (double)tensor->rows,
           size = canvas_size(canvas, WHOLE_LABEL, "");
    for (size_t i = 0; tensor->row_labels && i < tensor->rows; i++) {
        const char *text = token_text(canvas, tensor->row_labels[i]);
        if (row < size ||
            canvas_text_width(canvas, FONT_TEXT, size, text) > whole->labels)
            continue;
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){cells.x - MARGIN - 7,
                            label_baseline(cells.y + row * ((double)i + 0.5), size)},
                    LABEL_RIGHT, text);
    }
}

/* Draws the tokens' embeddings, and the positional encodings that are added to them. */
static void draw_input(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    Box cells =
        cells_at(whole->area.x + whole->labels, tower->line, THUMB, tower->height);
    Box frame = draw_thumb(whole, whole_part(whole, tower->rows), cells);
    if (whole->named || is_last(whole, tower))
        draw_caption(whole, cells.x + cells.w / 2,
                     frame.y + frame.h +
                         fmax(WHOLE_CAPTION * 0.75,
                              canvas_size(canvas, WHOLE_LABEL, "") * CAPTION_DROP),
                     "part.embedding");
    draw_words(whole, tower, cells);
    Point sum = {cells.x + cells.w + to_sum(whole), tower->line};
    if (tower->positions == TRANSFORMER_NONE)
        return;
    double small = fmin(tower->height, PLACES_TALLEST);
    Box places = cells_at(sum.x - THUMB * 0.35, sum.y - PLACES_RISE - small / 2,
                          THUMB * 0.7, small);
    Point down[] = {{sum.x, places.y + small}, {sum.x, sum.y - SUM_RADIUS}};
    lane_draw(canvas, &(Lane){.points = down, .count = 2, .thickness = 7, .arrow = true});
    frame = draw_thumb(whole, whole_part(whole, tower->positions), places);
    draw_caption(whole, sum.x, frame.y - WHOLE_CAPTION * 0.3, "part.position");
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
    size_t node = whole->model->memory;
    Box last = tower->boxes[tower->count - 1], frame;
    double left = last.x + last.w + 2 * WHOLE_GAP;
    if (is_of_memory(whole)) {
        frame = draw_memory_rows(whole, left);
    } else {
        Heatmap heatmap = stage_heatmap(whole->stage, node,
                                        cells_at(left, tower->line, THUMB, tower->height),
                                        heatmap_reach(stage_tensor(whole->stage, node)));
        frame = role_thumbnail(canvas, &heatmap);
    }
    canvas_label(canvas, FONT_BOLD, WHOLE_LABEL + 2, canvas->theme->ink,
                 (Point){frame.x + frame.w / 2, frame.y - 9}, LABEL_CENTER,
                 canvas_string(canvas, "part.memory"));
    return frame;
}

/* Draws lanes from the encoder output to every layer of the decoder. */
static void draw_handing_over(const Whole *whole, Box memory) {
    const Canvas *canvas = whole->stage->canvas;
    const Tower *tower = &whole->towers[1];
    double middle = round((memory.y + memory.h + tower->boxes[0].y - ARROW) / 2);
    double from = memory.x + memory.w / 2;
    for (size_t i = 0; i < tower->count; i++) {
        double to = whole_reads_at(whole, i), bend = to < from ? BEND : -BEND;
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
        lane_draw(canvas, &(Lane){.role = ROLE_RESIDUAL,
                                  .points = (Point[]){before, end},
                                  .count = 2,
                                  .strong = true,
                                  .arrow = true});
    }
}

/* ---- the whole ---- */

static void draw_tower(const Whole *whole, const Tower *tower) {
    const Canvas *canvas = whole->stage->canvas;
    bool ends = is_last(whole, tower);
    size_t first = canvas->scene->count;
    double from = whole->area.x + whole->labels, right = whole->area.x + whole->area.w;
    Box last = tower->boxes[tower->count - 1];
    double to = ends ? right - whole_end_width(whole) : last.x + last.w + 2 * WHOLE_GAP;
    lane_residual(canvas, (Point){from, tower->line}, (Point){to, tower->line}, LANE,
                  false);
    draw_input(whole, tower);
    if (tower->all > 1) /* an only layer has the tower's name */
        canvas_label(
            canvas, FONT_BOLD, WHOLE_LABEL, canvas->theme->ink,
            (Point){whole->area.x, tower->line - top_of(whole, tower) + WHOLE_LABEL},
            LABEL_LEFT, whole_tower_name(whole, tower));
    for (size_t i = 0; i < tower->count; i++)
        whole_draw_layer(whole, tower, i);
    if (ends)
        whole_draw_end(whole, tower);
    if (!whole_is_there(whole, whole_part(whole, tower->rows)->node))
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
