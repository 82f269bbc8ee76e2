#include "picture/draw/heatmap.h"

#include "base/arena.h"
#include "lesson/content/lesson.h"
#include "picture/draw/canvas.h"
#include "picture/draw/patterns.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* Line factor of a theme from which every cell has an edge. */
static const double CLEAR_LINES = 1.2;
static const double LEAST_EDGED = 8; /* smallest side in points of a cell with an edge */

/* ---- cells ---- */

/* Hatches a cell of −∞. */
static void draw_hatch(const Canvas *canvas, Box box, double step) {
    canvas_hatch(canvas, box, step / 2, step);
}

static bool is_hidden(const Heatmap *heatmap, size_t row, size_t col) {
    const Tensor *hides = heatmap->hidden ? heatmap->hidden : heatmap->tensor;
    return tensor_is_masking(tensor_at(hides, row, col));
}

static bool differs(const Heatmap *heatmap, size_t row, size_t col) {
    double value;
    int decimals;
    bool differs_here = false;
    return heatmap->step &&
           lesson_printed_at(heatmap->lesson, heatmap->step, row, col, &value, &decimals,
                             &differs_here) &&
           differs_here;
}

void heatmap_mark_differing(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                            size_t col, Box box) {
    if (canvas->without_verdicts || !differs(heatmap, row, col))
        return;
    double side = fmin(fmin(box.w, box.h) * 0.26, 18);
    Point corner[] = {{box.x + box.w - side, box.y},
                      {box.x + box.w, box.y},
                      {box.x + box.w, box.y + side}};
    scene_polygon(canvas->scene, corner, 3, canvas->theme->bad_ink);
}

Color heatmap_cached_ground(const Theme *theme) {
    return theme->patterns ? theme->page : palette_mix(theme->page, theme->ink_faint, 56);
}

void heatmap_draw_ground(const Canvas *canvas, Box box, double radius, Color ground) {
    const Theme *theme = canvas->theme;
    bool edge = theme->lines >= CLEAR_LINES && fmin(box.w, box.h) >= LEAST_EDGED;
    scene_rectangle(canvas->scene, box, radius, ground, edge ? theme->line : (Color){0},
                    1);
}

/* Link of a tensor's cell to that of its node. */
static Link link_of(const Heatmap *heatmap, size_t row, size_t col) {
    size_t down = heatmap->turned ? 0 : row, across = heatmap->turned ? row : col;
    return (Link){LINK_CELL, heatmap->node, heatmap->first_row + down,
                  heatmap->first_col + across};
}

static void draw_cell(const Canvas *canvas, const Heatmap *heatmap,
                      const ColorScale *scale, const NumberStyle *numbers, size_t row,
                      size_t col) {
    const Theme *theme = canvas->theme;
    Box box = heatmap_cells(heatmap, row, row + 1, col, col + 1);
    double gap = box.w >= 24 && box.h >= 24 ? 2 : box.w >= 9 && box.h >= 9 ? 1 : 0;
    double radius = gap == 2 ? 3 : 0;
    box.w -= gap;
    box.h -= gap;
    Link link = link_of(heatmap, row, col);
    if (heatmap->node != TAPE_NONE)
        canvas_link(canvas, link);
    if (row * heatmap->tensor->cols + col >= heatmap->visible) {
        scene_rectangle(canvas->scene, box, radius, theme->page, theme->line, 1);
        return;
    }
    double value = tensor_at(heatmap->tensor, row, col);
    bool masks = is_hidden(heatmap, row, col);
    bool kept = row < heatmap->cached_rows;
    Color ground = heatmap->colors == HEATMAP_PLAIN ? theme->panel
                   : masks                          ? theme->masked
                   : kept                           ? heatmap_cached_ground(theme)
                                                    : color_scale_at(scale, value);
    heatmap_draw_ground(canvas, box, radius, ground);
    bool hatched = masks && gap > 0;
    if (hatched)
        draw_hatch(canvas, box, gap == 2 ? 9 : 5);
    if (heatmap->colors == HEATMAP_SIGNED && !masks && !kept)
        hatched = pattern_negative(canvas, box_inset(box, gap / 2), value);
    if (numbers->size > 0)
        heatmap_draw_number(canvas, numbers, box, ground, hatched, value);
    heatmap_mark_differing(canvas, heatmap, link.row, link.col, box);
}

/* Draws all cells as one image and covers those that are not computed yet: the rest of
 * their first row, and all rows below it. */
static void draw_image(const Canvas *canvas, const Heatmap *heatmap, ColorScale scale) {
    const Tensor *tensor = heatmap->tensor;
    ColorScale *kept = arena_alloc(canvas->scene->arena, 1, sizeof *kept);
    *kept = scale;
    if (heatmap->node != TAPE_NONE)
        canvas_link(canvas, link_of(heatmap, 0, 0));
    scene_image(canvas->scene, heatmap->cells, tensor, kept);
    if (heatmap->colors == HEATMAP_SIGNED)
        pattern_image(canvas, heatmap->cells, tensor);
    if (heatmap->visible >= tensor_cells(tensor))
        return;
    size_t row = heatmap->visible / tensor->cols, col = heatmap->visible % tensor->cols;
    Color page = canvas->theme->page;
    if (col) {
        canvas_fill(canvas, heatmap_cells(heatmap, row, row + 1, col, tensor->cols), 0,
                    page);
        row++;
    }
    if (row < tensor->rows)
        canvas_fill(canvas, heatmap_cells(heatmap, row, tensor->rows, 0, tensor->cols), 0,
                    page);
    canvas_outline(canvas, heatmap->cells, 0, canvas->theme->line, 1);
}

/* Marks the cell that is pointed at or pinned in whichever table shows it. */
static void mark_pointed(const Canvas *canvas, const Heatmap *heatmap) {
    Link at = canvas->pointed;
    size_t down = at.row - heatmap->first_row, across = at.col - heatmap->first_col;
    size_t row = heatmap->turned ? across : down, col = heatmap->turned ? down : across;
    if (at.kind == LINK_CELL && heatmap->node != TAPE_NONE && at.index == heatmap->node &&
        row < heatmap->tensor->rows && col < heatmap->tensor->cols)
        heatmap_outline_cell(canvas, heatmap, row, col, canvas->theme->focus);
}

void heatmap_draw(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    ColorScale scale = heatmap_scale(canvas, heatmap->colors, heatmap->reach);
    if (heatmap_is_image(heatmap)) {
        draw_image(canvas, heatmap, scale);
    } else {
        NumberStyle numbers = heatmap_numbers(canvas, heatmap);
        for (size_t i = 0; i < tensor->rows; i++) {
            for (size_t j = 0; j < tensor->cols; j++)
                draw_cell(canvas, heatmap, &scale, &numbers, i, j);
        }
    }
    canvas_unlink(canvas);
    mark_pointed(canvas, heatmap);
    heatmap_draw_labels(canvas, heatmap);
}
