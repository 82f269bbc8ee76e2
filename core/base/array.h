/* Growing arrays in an arena. */
#pragma once

#include "base/arena.h"

/* Reserves room for one more item behind `count` items of `size` bytes. Returns `items`
 * or, with *capacity doubled, a copy of it; the old one stays in the arena. NULL, with
 * nothing changed, when the arena is exhausted. */
void *array_reserve(Arena *arena, void *items, size_t count, size_t *capacity,
                    size_t size);
