#include "picture/composites/inputs_picture.h"

#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/stage/panels.h"
#include "tensor/tape/tape.h"

#include <math.h>

enum { INPUTS_MOST = 3 };
static const double MARK_UNITS = 150, MARK_SIZE = 96, MARK_FRACTION = 0.13,
                    STRIP_OF_MARK = 1.4;

/* Reports whether a node is an input of the step: computed before it, used in it, and
 * worth showing. A model's weights are not, because they are many and their numbers mean
 * little. */
static bool is_input(const Stage *stage, size_t node, size_t first) {
    const TapeNode *at = stage_node(stage, node);
    if (stage->player->lesson->model && player_step(stage->player)->child_count &&
        !at->input_count)
        return false;
    return node < first && !at->quiet && at->name[0] && tensor_cells(&at->output) > 1;
}

static bool is_among(const size_t *nodes, size_t count, size_t node) {
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] == node)
            return true;
    }
    return false;
}

/* Finds the first nodes from before the step that its operations read; returns their
 * number. */
static size_t find_inputs(const Stage *stage, size_t nodes[INPUTS_MOST]) {
    const PlayerStep *at = player_step(stage->player);
    size_t first = at->node, count = 0;
    for (size_t i = stage->player->step; i < at->next; i++) {
        size_t made = stage->player->steps[i].node;
        first = made < first ? made : first;
    }
    for (size_t i = first; i <= at->node; i++) {
        const TapeNode *made = stage_node(stage, i);
        for (size_t j = 0; j < made->input_count && count < INPUTS_MOST; j++) {
            size_t input = made->inputs[j];
            if (is_input(stage, input, first) && !is_among(nodes, count, input))
                nodes[count++] = input;
        }
    }
    return count;
}

void result_placeholder(const Stage *stage, Box *area) {
    const Canvas *canvas = stage->canvas;
    double side = fmin(MARK_UNITS, fmin(area->w * MARK_FRACTION, area->h));
    Box strip = box_take_right(area, side * STRIP_OF_MARK);
    Box box = {round(strip.x + (strip.w - side) / 2),
               round(strip.y + (strip.h - side) / 2), side, side};
    double size = round(side * MARK_SIZE / MARK_UNITS);
    canvas_outline(canvas, box, 14, canvas->theme->line, 2);
    if (size >= canvas_least(canvas, "?"))
        canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink_faint,
                    (Point){box.x + side / 2, label_baseline(box.y + side / 2, size)},
                    LABEL_CENTER, "?");
}

bool inputs_picture(const Stage *stage) {
    size_t nodes[INPUTS_MOST], count = find_inputs(stage, nodes);
    if (!count)
        return false;
    Stage drawn = *stage;
    Panel panels[INPUTS_MOST] = {0};
    drawn.has_focus = false;
    for (size_t i = 0; i < count; i++)
        panels[i] = panel_of(&drawn, nodes[i], NULL);
    panels_show(&drawn, panels, count);
    return true;
}
