#include "tensor/tensor.h"

#include <math.h>

static const double MASKING = -1e8; /* scores this low only serve to mask */

bool tensor_is_whole(const Tensor *tensor) {
    bool any = false;
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        double value = tensor->values[i];
        if (isfinite(value)) {
            if (value != floor(value))
                return false;
            any = true;
        }
    }
    return any;
}

bool tensor_is_mask(const Tensor *tensor) {
    bool masked = false;
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        double value = tensor->values[i];
        if (value != 0 && value != -INFINITY)
            return false;
        masked |= value != 0;
    }
    return masked;
}

bool tensor_is_masking(double value) {
    return !isfinite(value) || value <= MASKING;
}
