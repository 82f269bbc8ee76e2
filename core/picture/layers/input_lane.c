#include "picture/layers/input_lane.h"

#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/stage/caption.h"

#include <math.h>

/* Lengths in units. */
static const double GAP = 30, SUM_RADIUS = 21, CAPTION = 56, NAME = 21;
static const double TALLEST_ROW = 46, WIDEST_CELL = 84;

typedef struct Input {
    const Stage *stage;
    size_t words, places; /* nodes: what is added to, and what is added */
    Box area;
    double labels, width, height; /* of the words at the left; of every table */
    double reach;
} Input;

static double units(const Input *input, double length) {
    return canvas_length(input->stage->canvas, length);
}

/* A step that opens shows what it makes; a sum by itself, what it is given. */
static bool is_made_here(const Stage *stage, size_t node) {
    const PlayerStep *steps = stage->player->steps, *at = player_step(stage->player);
    if (!at->child_count)
        return true;
    for (size_t i = stage->player->step + 1; i < at->next; i = steps[i].next) {
        if (steps[i].node == node)
            return true;
    }
    return false;
}

static bool find_parts(Input *input) {
    const Stage *stage = input->stage;
    const TapeNode *sum = stage_node(stage, stage->node);
    if (sum->operation != OPERATION_ADD)
        return false;
    bool first =
        stage_node(stage, sum->inputs[0])->operation == OPERATION_POSITIONAL_ENCODING;
    input->places = sum->inputs[first ? 0 : 1];
    input->words = sum->inputs[first ? 1 : 0];
    return stage_node(stage, input->places)->operation == OPERATION_POSITIONAL_ENCODING &&
           is_made_here(stage, input->places);
}

static void measure(Input *input) {
    const Stage *stage = input->stage;
    const Tensor *sum = stage_tensor(stage, stage->node);
    Box area = stage->area;
    box_take_bottom(&area, stage_legend_height(stage->canvas));
    input->area = area;
    input->labels = fmin(heatmap_row_label_width(stage->canvas, sum), area.w * 0.2);
    double across =
        area.w - input->labels - 4 * units(input, GAP) - 2 * units(input, SUM_RADIUS);
    input->width = fmin(across / 2.1, units(input, WIDEST_CELL) * (double)sum->cols);
    double down = area.h - 2 * units(input, CAPTION) - units(input, GAP);
    input->height = fmin(down / 2, units(input, TALLEST_ROW) * (double)sum->rows);
    const size_t nodes[] = {input->words, input->places, stage->node};
    for (size_t i = 0; i < 3; i++)
        input->reach =
            fmax(i ? input->reach : 0, heatmap_reach(stage_tensor(stage, nodes[i])));
}

/* Its own name, or what its rows are. */
static const char *name_of(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    const char *key = at->operation == OPERATION_POSITIONAL_ENCODING ? "part.position"
                      : at->operation == OPERATION_EMBED             ? "part.embedding"
                                                                     : NULL;
    return at->name[0] || !key ? stage_formula_name(stage, node)
                               : canvas_format(stage->canvas, "\\text{%s}",
                                               canvas_string(stage->canvas, key));
}

/* A table with its name and shape below, or above where it says so. */
static void draw_table(const Input *input, size_t node, Box cells, bool labels,
                       bool above) {
    const Stage *stage = input->stage;
    const Canvas *canvas = stage->canvas;
    Box frame = box_inset(cells, -units(input, 6));
    scene_rectangle(canvas->scene, frame, units(input, 8), canvas->theme->page,
                    canvas->theme->line, fmax(units(input, 1.5), 1));
    Heatmap heatmap = stage_heatmap(stage, node, cells, input->reach);
    heatmap.colors = HEATMAP_SIGNED;
    heatmap.row_labels = labels;
    heatmap.label_room = input->labels;
    heatmap.has_focus = stage->has_focus;
    heatmap.focus_row = stage->focus_row;
    heatmap.focus_col = (size_t)-1;
    heatmap_draw(canvas, &heatmap);
    Caption caption = caption_fit(stage, name_of(stage, node), node,
                                  stage_tensor(stage, node), NAME, cells.w);
    double drop = caption_shape_drop(canvas, caption.below);
    double axis =
        above ? frame.y - units(input, 16) - drop : frame.y + frame.h + units(input, 18);
    caption_draw(stage, &caption, (Point){cells.x + cells.w / 2, axis}, drop,
                 LABEL_CENTER);
    if (stage->has_focus && stage->focus_node == node)
        heatmap_outline_cell(canvas, &heatmap, stage->focus_row, stage->focus_col,
                             canvas->theme->focus);
}

static bool has_numbers(const Input *input) {
    const Stage *stage = input->stage;
    Heatmap sum = stage_heatmap(stage, stage->node,
                                (Box){0, 0, input->width, input->height}, input->reach);
    return heatmap_numbers(stage->canvas, &sum).size > 0;
}

bool input_lane(const Stage *stage) {
    Input input = {.stage = stage};
    if (!find_parts(&input))
        return false;
    measure(&input);
    if (!player_step(stage->player)->child_count && !has_numbers(&input))
        return false; /* three tables in a row are taller */
    const Canvas *canvas = stage->canvas;
    double gap = units(&input, GAP), radius = units(&input, SUM_RADIUS);
    double between = 2 * gap + 2 * radius, caption = units(&input, CAPTION);
    double used = input.labels + 2 * input.width + between + gap;
    double tall = 2 * input.height + 2 * caption + gap;
    double left = round(input.area.x + input.labels + (input.area.w - used) / 2);
    double top = round(input.area.y + fmax((input.area.h - tall) / 2, 0) + caption);
    Box places = {0, top, input.width, input.height};
    Box words = {left, top + input.height + gap + 12, input.width, input.height};
    Box sum = words;
    sum.x = left + input.width + between;
    Point centre = {left + input.width + between / 2, round(words.y + words.h / 2)};
    places.x = round(centre.x - input.width / 2);
    Point down[] = {{centre.x, places.y}, {centre.x, centre.y - radius}};
    lane_residual(canvas, (Point){words.x, centre.y},
                  (Point){sum.x + sum.w + gap, centre.y}, 0, true);
    lane_draw(canvas, &(Lane){.points = down, .count = 2, .arrow = true});
    draw_table(&input, input.words, words, true, false);
    draw_table(&input, input.places, places, false, true);
    draw_table(&input, stage->node, sum, false, false);
    lane_sum(canvas, centre, SUM_RADIUS);
    const StageScale scale = {HEATMAP_SIGNED, input.reach};
    stage_legends(stage, stage->area, &scale, 1);
    return true;
}
