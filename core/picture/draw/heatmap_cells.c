#include "picture/draw/heatmap.h"

#include "picture/draw/canvas.h"
#include "tensor/tensor.h"

#include <math.h>

static const double IMAGE_CELL = 4; /* cells smaller than this become one image */
/* Fraction of a cell by which an outline lies outside it. */
static const double OUTLINE_FRACTION = 0.04;

/* Root mean squares beyond which a value is an outlier. */
static const double OUTLIER = 2.5;
enum { MANY_CELLS = 2048 };

/* Largest |value|, and the mean square of the values that don't mask. */
static double largest(const Tensor *tensor, double *mean_square) {
    size_t cells = tensor_cells(tensor), count = 0;
    double reach = 0, squares = 0;
    for (size_t i = 0; i < cells; i++) {
        double value = tensor->values[i], size = fabs(value);
        if (tensor_is_masking(value))
            continue;
        reach = size > reach ? size : reach;
        squares += value * value;
        count++;
    }
    *mean_square = count ? squares / (double)count : 0;
    return reach > 0 ? reach : 1;
}

double heatmap_reach(const Tensor *tensor) {
    double mean_square;
    return largest(tensor, &mean_square);
}

double heatmap_scale_reach(const Tensor *tensor) {
    double mean_square, reach = largest(tensor, &mean_square);
    return tensor_cells(tensor) >= MANY_CELLS && mean_square > 0
               ? fmin(reach, OUTLIER * sqrt(mean_square))
               : reach;
}

Box heatmap_cells(const Heatmap *heatmap, size_t row, size_t row_end, size_t col,
                  size_t col_end) {
    Box all = heatmap->cells;
    double w = all.w / (double)heatmap->tensor->cols;
    double h = all.h / (double)heatmap->tensor->rows;
    double x = round(all.x + w * (double)col), y = round(all.y + h * (double)row);
    return (Box){x, y, round(all.x + w * (double)col_end) - x,
                 round(all.y + h * (double)row_end) - y};
}

void heatmap_outline(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                     size_t row_end, size_t col, size_t col_end, Color color) {
    Box box = heatmap_cells(heatmap, row, row_end, col, col_end);
    Box cell = heatmap_cells(heatmap, row, row + 1, col, col + 1);
    double width = 3; /* keeps clear of the neighbours' numbers */
    width = fmin(width, fmax(round(fmin(cell.w, cell.h) * OUTLINE_FRACTION) + 1, 2));
    box = (Box){box.x - width + 1, box.y - width + 1, box.w + 2 * width - 2,
                box.h + 2 * width - 2};
    canvas_outline(canvas, box, 5, color, width);
}

void heatmap_outline_cell(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                          size_t col, Color color) {
    heatmap_outline(canvas, heatmap, row, row + 1, col, col + 1, color);
}

void heatmap_strike_cell(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                         size_t col) {
    Box box = box_inset(heatmap_cells(heatmap, row, row + 1, col, col + 1), 8);
    if (box.w > 0 && box.h > 0)
        scene_line(canvas->scene, (Point){box.x, box.y + box.h},
                   (Point){box.x + box.w, box.y}, 2, canvas->theme->hatch);
}

void heatmap_mark_largest(const Canvas *canvas, const Heatmap *heatmap, size_t row,
                          size_t col) {
    ColorScale scale = heatmap_scale(canvas, heatmap->colors, heatmap->reach);
    emphasis_largest(canvas, heatmap_cells(heatmap, row, row + 1, col, col + 1),
                     color_scale_at(&scale, tensor_at(heatmap->tensor, row, col)));
}

bool heatmap_is_image(const Heatmap *heatmap) {
    return heatmap->cells.w < IMAGE_CELL * (double)heatmap->tensor->cols ||
           heatmap->cells.h < IMAGE_CELL * (double)heatmap->tensor->rows;
}

ColorScale heatmap_scale(const Canvas *canvas, HeatmapColors colors, double reach) {
    const Theme *theme = canvas->theme;
    if (colors == HEATMAP_PROBABILITIES)
        return (ColorScale){&theme->sequential, 0, reach, theme->masked};
    return (ColorScale){&theme->diverging, -reach, reach, theme->masked};
}
