#include "picture/layers/norm_dots.h"

#include "picture/draw/lanes.h"
#include "tensor/tensor.h"

#include <math.h>

void norm_dots(const Stage *stage, size_t node, size_t row, Box gate, double y,
               bool chosen) {
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, node);
    Color color = role_color(canvas->theme, ROLE_NORM, canvas->theme->ink);
    double radius = round(chosen ? 3.5 : 2.5), half = gate.w / 2 - 7;
    double middle = gate.x + gate.w / 2;
    scene_line(canvas->scene, (Point){middle - half, y}, (Point){middle + half, y}, 1,
               lane_color(canvas, ROLE_NORM, false));
    for (size_t col = 0; col < tensor->cols; col++) {
        double value = tensor_at(tensor, row, col);
        if (!isfinite(value))
            continue;
        canvas_link_cell(canvas, node, row, col);
        canvas_dot(canvas, (Point){middle + half * value / heatmap_reach(tensor), y},
                   radius, color, (Color){0}, 0);
        canvas_unlink(canvas);
    }
}
