#include "paint/paint.h"

#include "picture/scene/theme.h"
#include "tensor/tensor.h"

#include <math.h>

CellRange image_cells(size_t at, size_t pixels, size_t cells) {
    if (cells > pixels)
        return (CellRange){at * cells / pixels, ((at + 1) * cells + pixels - 1) / pixels};
    size_t first = (2 * at + 1) * cells / (2 * pixels);
    return (CellRange){first, first + 1};
}

double image_value(const SceneItem *item, CellRange rows, CellRange cols) {
    const Tensor *tensor = item->tensor;
    if (rows.end - rows.first == 1 && cols.end - cols.first == 1)
        return tensor_at(tensor, rows.first, cols.first);
    double sum = 0, far = 0;
    size_t count = 0;
    for (size_t r = rows.first; r < rows.end; r++) {
        const double *values = tensor->values + r * tensor->cols;
        for (size_t c = cols.first; c < cols.end; c++) {
            if (isfinite(values[c])) {
                sum += values[c];
                far += fabs(values[c]);
                count++;
            }
        }
    }
    return count ? copysign(far / (double)count, sum) : NAN;
}

Color image_color(const SceneItem *item, CellRange rows, CellRange cols) {
    return color_scale_at(item->scale, image_value(item, rows, cols));
}
