#include "picture/map/map_parts.h"

#include "picture/draw/marks.h"
#include "picture/explain/influence.h"
#include "picture/explain/practising.h"
#include "picture/stage/stage.h"

#include <math.h>

void map_thumbnail(const PageParts *parts, size_t node, Box box) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Tape *tape = parts->page->player->lesson->tape;
    const Influence *influence = parts->page->influence;
    InfluenceFrame frame;
    if (practise_panel_hides(parts->page->practise, node))
        return;
    const Tensor *tensor = &tape_node(tape, node)->output;
    if (influence && influence_begin(&frame, influence, canvas->scene->arena))
        tensor = influence_tensor(&frame, node);
    ColorScale *scale = arena_alloc(canvas->scene->arena, 1, sizeof *scale);
    if (!scale || !tensor || !tensor_cells(tensor))
        return;
    double reach = heatmap_reach(tensor);
    bool shares = !influence && stage_colors(tape, node) == HEATMAP_SHARES;
    *scale = (ColorScale){shares ? &theme->sequential : &theme->diverging,
                          shares ? 0 : -reach, shares ? 1 : reach, theme->masked};
    double ratio = (double)tensor->cols / (double)tensor->rows;
    double w = ratio >= 1 ? box.w : fmax(box.w * ratio, box.w / 3);
    double h = ratio <= 1 ? box.h : fmax(box.h / ratio, box.h / 3);
    Box image = {round(box.x + (box.w - w) / 2), round(box.y + (box.h - h) / 2), round(w),
                 round(h)};
    scene_image(canvas->scene, image, tensor, scale);
    canvas_outline(canvas, image, 0, theme->line, 1);
    marks_draw_tensor(canvas, tape, node, image);
}

void map_box(const Canvas *canvas, Box box, bool present) {
    const Theme *theme = canvas->theme;
    scene_rectangle(canvas->scene, box, canvas_length(canvas, 6),
                    present ? theme->current : theme->bar,
                    present ? theme->current : theme->line, 1);
}

void map_strike(const Canvas *canvas, Box box) {
    double middle = box.y + round(box.h / 2);
    scene_line(canvas->scene, (Point){box.x, middle}, (Point){box.x + box.w, middle},
               fmax(canvas_length(canvas, 2), 1), canvas->theme->bad_ink);
}

bool map_shows_influence(const PageParts *parts, size_t node) {
    const Influence *influence = parts->page->influence;
    return influence && gradients_get(influence->gradients, node);
}
