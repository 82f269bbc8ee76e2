#include "base/array.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

void *array_reserve(Arena *arena, void *items, size_t count, size_t *capacity,
                    size_t size) {
    if (count < *capacity)
        return items;
    size_t larger = *capacity ? 2 * *capacity : FIRST_CAPACITY;
    void *copy = arena_alloc(arena, larger, size);
    if (!copy)
        return NULL;
    if (count)
        memcpy(copy, items, count * size);
    *capacity = larger;
    return copy;
}
