/* A stencil: where the mask of a text is put together from what is drawn of it.
 *
 * Its baseline begins at the origin, with room for ink outside a text's advance: an em on
 * either side, two above the baseline and one below. It is used again from text to text;
 * the owner frees its
 * coverage. */
#pragma once

#include "paint/cache.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STENCIL_MAX_WIDTH = 16384 /* text further right of its origin is left out */ };

/* {0} is empty. */
typedef struct Stencil {
    uint8_t *coverage; /* height rows of width bytes */
    size_t capacity;
    int width, height, origin_x, origin_y;
    int left, top, right, bottom; /* all coverage lies within */
} Stencil;

/* Coverage of something drawn: `height` rows of `width` bytes, 0 to 255. The pixel in the
 * corner lies `left` pixels right of and `top` pixels below the origin on the baseline.
 */
typedef struct TextMask {
    int left, top, width, height;
    const uint8_t *coverage;
} TextMask;

/* Empties it for a text as wide as `advance` ems of `pixels` pixels. False when there is
 * no memory. */
bool stencil_begin(Stencil *stencil, double advance, int pixels);

/* Adds coverage moved to the right by `pen` pixels, whose rows are `stride` bytes apart
 * and whose pixels are the mean of `columns` bytes side by side, 1 or 8; where two
 * overlap the stronger stays. What has no room is left out. */
void stencil_add(Stencil *stencil, const TextMask *mask, int stride, int columns,
                 int pen);

/* Copies what the stencil holds into a cache, cut to the smallest box around its ink; of
 * no width when there is none. NULL without memory. The cache has it, under the key of
 * cache_add. */
const TextMask *stencil_keep(const Stencil *stencil, Cache *cache, uint32_t number,
                             const char *text, size_t length);
