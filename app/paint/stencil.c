#include "paint/paint_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool stencil_begin(Stencil *stencil, double advance, int pixels) {
    double wide = ceil(advance * pixels);
    stencil->width =
        (wide < STENCIL_MAX_WIDTH ? (int)wide : STENCIL_MAX_WIDTH) + 2 * pixels;
    stencil->height = 3 * pixels + 2;
    stencil->origin_x = pixels;
    stencil->origin_y = 2 * pixels;
    size_t bytes = (size_t)stencil->width * (size_t)stencil->height;
    if (bytes > stencil->capacity) {
        free(stencil->coverage);
        stencil->coverage = malloc(bytes);
        stencil->capacity = stencil->coverage ? bytes : 0;
        if (!stencil->coverage)
            return false;
    }
    memset(stencil->coverage, 0, bytes);
    stencil->left = stencil->width;
    stencil->top = stencil->height;
    stencil->right = stencil->bottom = 0;
    return true;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static uint8_t *row_of(const Stencil *stencil, int y) {
    return stencil->coverage + (ptrdiff_t)y * stencil->width;
}

/* The mean of eight bytes, to the nearest. */
static uint8_t mean_of_8(const uint8_t *bytes) {
    uint64_t all;
    memcpy(&all, bytes, sizeof all);
    all = (all & 0x00FF00FF00FF00FF) + (all >> 8 & 0x00FF00FF00FF00FF);
    return (uint8_t)(((all * 0x0001000100010001 >> 48) + 4) >> 3);
}

void stencil_add(Stencil *stencil, const TextMask *mask, int stride, int columns,
                 int pen) {
    int left = stencil->origin_x + pen + mask->left, top = stencil->origin_y + mask->top;
    int first_x = left < 0 ? -left : 0, first_y = top < 0 ? -top : 0;
    int end_x = mask->width < stencil->width - left ? mask->width : stencil->width - left;
    int end_y =
        mask->height < stencil->height - top ? mask->height : stencil->height - top;
    if (first_x >= end_x || first_y >= end_y)
        return;
    stencil->left = smaller(stencil->left, left + first_x);
    stencil->top = smaller(stencil->top, top + first_y);
    stencil->right = larger(stencil->right, left + end_x);
    stencil->bottom = larger(stencil->bottom, top + end_y);
    for (int y = first_y; y < end_y; y++) {
        const uint8_t *from = mask->coverage + (ptrdiff_t)y * stride;
        uint8_t *to = row_of(stencil, top + y) + left;
        for (int x = first_x; x < end_x; x++) {
            uint8_t covered = columns == 1 ? from[x] : mean_of_8(from + 8 * x);
            to[x] = covered > to[x] ? covered : to[x];
        }
    }
}

/* The smallest box around all coverage, without the coverage; false when there is none.
 */
static bool find_ink(const Stencil *stencil, TextMask *box) {
    int left = stencil->width, right = 0, top = stencil->height, bottom = 0;
    for (int y = stencil->top; y < stencil->bottom; y++) {
        const uint8_t *row = row_of(stencil, y);
        int first = stencil->left, last = stencil->right;
        while (first < last && !row[first])
            first++;
        if (first == last)
            continue;
        while (!row[last - 1])
            last--;
        left = smaller(left, first);
        right = larger(right, last);
        top = smaller(top, y);
        bottom = y + 1;
    }
    *box = (TextMask){left - stencil->origin_x, top - stencil->origin_y, right - left,
                      bottom - top, NULL};
    return right > left;
}

const TextMask *stencil_keep(const Stencil *stencil, Cache *cache, uint32_t number,
                             const char *text, size_t length) {
    TextMask ink;
    bool any = find_ink(stencil, &ink);
    size_t bytes = any ? (size_t)ink.width * (size_t)ink.height : 0;
    TextMask *mask = cache_add(cache, number, text, length, sizeof *mask + bytes);
    if (!mask || !any)
        return mask;
    uint8_t *to = (uint8_t *)(mask + 1);
    *mask = ink;
    mask->coverage = to;
    for (int y = 0; y < ink.height; y++, to += ink.width)
        memcpy(to,
               row_of(stencil, ink.top + stencil->origin_y + y) + ink.left +
                   stencil->origin_x,
               (size_t)ink.width);
    return mask;
}
