#include "picture/map/map_parts.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/draw/marks.h"
#include "picture/draw/patterns.h"
#include "picture/explain/explain.h"
#include "picture/stage/stage.h"
#include "tensor/tape/gradient.h"

#include <math.h>

/* Draws IDs, which are names, not amounts, as uncoloured chips in a row or two. */
static void draw_chips(const Canvas *canvas, size_t cells, Box box) {
    enum { ACROSS = 2, MOST = 6 };
    size_t count = cells < MOST ? cells : MOST;
    size_t rows = (count + ACROSS - 1) / ACROSS;
    double w = box.w / ACROSS, h = box.h / 3;
    double top = box.y + (box.h - h * (double)rows) / 2;
    for (size_t i = 0; i < count; i++) {
        Box chip = {box.x + w * (double)(i % ACROSS), top + h * (double)(i / ACROSS), w,
                    h};
        chip = box_inset(chip, 1);
        scene_rectangle(canvas->scene, chip, chip.h / 2, canvas->theme->page,
                        canvas->theme->ink_faint, 1);
    }
}

void map_thumbnail(const PageParts *parts, size_t node, Box box) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Tape *tape = parts->page->player->lesson->tape;
    const Influence *influence = parts->page->influence;
    if (practise_panel_hides(parts->page->practise, node))
        return;
    const Tensor *tensor = influence
                               ? influence_tensor(influence, canvas->scene->arena, node)
                               : &tape_node(tape, node)->output;
    ColorScale *scale = arena_alloc(canvas->scene->arena, 1, sizeof *scale);
    if (!tensor_cells(tensor))
        return;
    if (!influence && stage_colors(tape, node) == HEATMAP_PLAIN) {
        draw_chips(canvas, tensor_cells(tensor), box);
        return;
    }
    double reach = heatmap_scale_reach(tensor);
    bool is_probability = !influence && stage_colors(tape, node) == HEATMAP_PROBABILITIES;
    *scale = (ColorScale){is_probability ? &theme->sequential : &theme->diverging,
                          is_probability ? 0 : -reach, is_probability ? 1 : reach,
                          theme->masked};
    double ratio = (double)tensor->cols / (double)tensor->rows;
    double w = ratio >= 1 ? box.w : fmax(box.w * ratio, box.w / 3);
    double h = ratio <= 1 ? box.h : fmax(box.h / ratio, box.h / 3);
    Box image = {round(box.x + (box.w - w) / 2), round(box.y + (box.h - h) / 2), round(w),
                 round(h)};
    scene_image(canvas->scene, image, tensor, scale);
    if (!is_probability)
        pattern_image(canvas, image, tensor);
    canvas_outline(canvas, image, 0, theme->line, 1);
    marks_draw_tensor(canvas, tape, node, image);
}

void map_box(const Canvas *canvas, Box box, bool present) {
    const Theme *theme = canvas->theme;
    scene_rectangle(canvas->scene, box, 6, present ? theme->current : theme->bar,
                    present ? theme->current : theme->line, 1);
}

void map_ring(const Canvas *canvas, Box box) {
    canvas_dot(canvas, box_middle(box), 5, (Color){0}, canvas->theme->ink_faint, 1.5);
}

void map_strike(const Canvas *canvas, Box box) {
    double middle = box.y + round(box.h / 2);
    scene_line(canvas->scene, (Point){box.x, middle}, (Point){box.x + box.w, middle}, 2,
               canvas->theme->bad_ink);
}

bool map_shows_ahead(const PageParts *parts, size_t node) {
    const Page *page = parts->page;
    return (page->influence && gradients_get(page->influence->gradients, node)) ||
           (tape_changed(page->player->lesson->tape, node) &&
            !practise_panel_hides(page->practise, node));
}
