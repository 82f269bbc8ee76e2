#include "files/deflate.h"

#include <stdlib.h>

bool bytes_reserve(Bytes *bytes, size_t more) {
    size_t needed = 0;
    if (__builtin_add_overflow(bytes->size, more, &needed))
        return false;
    if (needed <= bytes->capacity)
        return true;
    size_t capacity = needed > SIZE_MAX / 2 ? needed : needed + needed / 2;
    uint8_t *data = realloc(bytes->data, capacity);
    if (!data)
        return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}
