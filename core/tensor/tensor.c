#include "tensor/tensor.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

static const char *subscript(size_t number, Arena *arena) {
    const char *text = "";
    for (; text && number; number /= 10) /* U+2080 and on */
        text = arena_format(arena, "\xe2\x82%c%s", (char)(0x80 + number % 10), text);
    return text;
}

const char *tensor_position_name(const char *const *labels, size_t count, size_t index,
                                 Arena *arena) {
    size_t alike = 0;
    for (size_t i = 0; labels && i < count; i++)
        alike += strcmp(labels[i], labels[index]) == 0;
    const char *which = alike > 1 ? subscript(index + 1, arena) : "";
    return !labels ? arena_format(arena, "%zu", index)
           : which ? arena_format(arena, "%s%s", labels[index], which)
                   : NULL;
}

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

bool tensor_has(const Tensor *tensor, bool (*is)(double value)) {
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        if (is(tensor->values[i]))
            return true;
    }
    return false;
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
