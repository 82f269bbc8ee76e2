#include "base/arena.h"
#include "base/number.h"
#include "model/generate/generate.h"
#include "picture/charts/charts.h"
#include "tensor/tape/tape.h"

#include <math.h>

Series series_of(const Canvas *canvas, const Tensor *tensor, size_t row) {
    return (Series){.canvas = canvas,
                    .tensor = tensor,
                    .node = TAPE_NONE,
                    .first = row * tensor->cols,
                    .count = tensor->cols,
                    .values = tensor->values + row * tensor->cols,
                    .decimals = heatmap_decimals(tensor),
                    .labels = tensor->col_labels,
                    .visible = SIZE_MAX,
                    .focus = SIZE_MAX};
}

Series series_of_all(const Canvas *canvas, const Tensor *tensor) {
    Series series = series_of(canvas, tensor, 0);
    series.count = tensor_cells(tensor);
    if (tensor->rows > 1 || !tensor->col_labels)
        series.labels = tensor->row_labels;
    return series;
}

Link series_link(const Series *series, size_t index) {
    size_t cell = series->first + index, cols = series->tensor->cols;
    return series->node == TAPE_NONE
               ? (Link){0}
               : (Link){LINK_CELL, series->node, cell / cols, cell % cols};
}

bool series_is_visible(const Series *series, size_t index) {
    return series->first + index < series->visible;
}

bool series_has_focus(const Series *series) {
    return series->focus < series->count;
}

const char *series_number(const Series *series, size_t index) {
    char text[NUMBER_SIZE];
    return canvas_format(
        series->canvas, "%s",
        number_format_shortest(text, series->values[index], series->decimals));
}

const char *series_label(const Series *series, size_t index) {
    return series->labels ? series->labels[index] : canvas_count(series->canvas, index);
}

size_t series_largest(const Series *series) {
    size_t best = 0;
    for (size_t i = 1; i < series->count; i++) {
        double value = series->values[i], so_far = series->values[best];
        if (!tensor_is_masking(value) && (tensor_is_masking(so_far) || value > so_far))
            best = i;
    }
    return best;
}

const size_t *series_order(const Series *series) {
    return generate_order(series->canvas->scene->arena, series->values, series->count);
}

double chart_widest(const Canvas *canvas, FontRole font, double units, size_t count,
                    ChartText text, const void *list) {
    double widest = 0;
    for (size_t i = 0; i < count; i++) {
        const char *one = text(list, i);
        double size = canvas_size(canvas, units, one);
        widest = fmax(widest, canvas_text_width(canvas, font, size, one));
    }
    return widest;
}

Box chart_text(const Canvas *canvas, FontRole font, double size, Color color, Box box,
               LabelAlign align, const char *text) {
    LabelFit fit = canvas_fit(canvas, font, size, box.w, text);
    double along = align == LABEL_LEFT ? 0 : align == LABEL_CENTER ? 0.5 : 1;
    return canvas_text(
        canvas, font, fit.size, color,
        (Point){box.x + box.w * along, label_baseline(box.y + box.h / 2, fit.size)},
        align, fit.text);
}

bool line_meets(Point from, Point to, Box box) {
    double steps = ceil(point_distance(from, to) / 4) + 1;
    for (double k = 0; k <= steps; k++) {
        if (box_contains(box, from.x + (to.x - from.x) * k / steps,
                         from.y + (to.y - from.y) * k / steps))
            return true;
    }
    return false;
}

bool taken_add(Taken *taken, Box box) {
    bool free = taken->count < TAKEN_MAX;
    for (size_t i = 0; free && i < taken->count; i++)
        free = !boxes_meet(taken->boxes[i], box);
    if (free)
        taken->boxes[taken->count++] = box;
    return free;
}
