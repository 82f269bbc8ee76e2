#include "picture/composites/composites.h"

#include "lesson/content/content.h"
#include "picture/draw/canvas.h"
#include "picture/stage/panels.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double HEAD = 46, NUMBER_UNITS = 20; /* the line above both, its numbers */
static const double LEAST_HEIGHT = 200;           /* least total height for the line */
static const double TICK = 7, GAP = 10;

static bool is_given(const Stage *stage, size_t node) {
    return stage_node(stage, node)->operation == OPERATION_GIVEN &&
           !stage_node(stage, node)->quiet;
}

/* Draws "|— 8 —|" above a table's columns, with faint lines up from its corners. */
static void draw_width(const Canvas *canvas, const Panel *panel, double y) {
    const Theme *theme = canvas->theme;
    Box cells = panel->heatmap.cells;
    double right = cells.x + cells.w;
    const char *number = canvas_count(canvas, panel->tensor->cols);
    double size = canvas_size(canvas, NUMBER_UNITS, number);
    double half = canvas_text_width(canvas, FONT_BOLD, size, number) / 2 + GAP;
    double middle = cells.x + cells.w / 2;
    for (int i = 0; i < 2; i++) {
        double end = i ? right : cells.x, inner = i ? middle + half : middle - half;
        scene_line(canvas->scene, (Point){end, y + TICK}, (Point){end, cells.y - 2}, 1,
                   theme->line);
        scene_line(canvas->scene, (Point){end, y - TICK}, (Point){end, y + TICK}, 2,
                   theme->ink_soft);
        scene_line(canvas->scene, (Point){end, y}, (Point){inner, y}, 2, theme->ink_soft);
    }
    canvas_label_at(canvas, FONT_BOLD, NUMBER_UNITS, theme->ink, (Point){middle, y},
                    LABEL_CENTER, number);
}

bool shared_dimension_picture(const Stage *stage) {
    const Canvas *canvas = stage->canvas;
    const LessonStep *step = stage->step;
    if (step->shown_count != 2 || !is_given(stage, step->shown[0]) ||
        !is_given(stage, step->shown[1]) || stage->area.h < LEAST_HEIGHT)
        return false;
    Stage room = *stage;
    Box head = box_take_top(&room.area, HEAD);
    Panel panels[PANELS_MAX];
    size_t count = shown_panels(&room, panels);
    const Tensor *left = panels[0].tensor, *right = panels[1].tensor;
    if (count != 2 || left->cols != right->cols || left->cols < 2 || left->col_labels ||
        right->col_labels)
        return false;
    panels_show(&room, panels, count);
    Box first = panels[0].heatmap.cells, second = panels[1].heatmap.cells;
    if (second.x < first.x + first.w) /* tables are in two lines */
        return true;
    double above = panels[0].tab.name ? role_tab_height(canvas, &panels[0].tab) : 0;
    double y = fmin(first.y, second.y) - above - round(HEAD / 2);
    y = round(fmax(y, head.y + round(NUMBER_UNITS / 2)));
    draw_width(canvas, &panels[0], y);
    draw_width(canvas, &panels[1], y);
    canvas_formula(canvas, "=", NUMBER_UNITS,
                   (Point){(first.x + first.w + second.x) / 2, y}, LABEL_CENTER);
    return true;
}
