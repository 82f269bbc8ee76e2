/* Arrays that grow in an arena. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include "base/arena.h"

/* Room for one more item behind `count` items of `size` bytes: `items` as it is or, with
 * *capacity doubled, a copy of it; the old one stays in the arena. NULL, and nothing has
 * changed, when the arena is exhausted. */
void *array_reserve(Arena *arena, void *items, size_t count, size_t *capacity,
                    size_t size);

#endif
