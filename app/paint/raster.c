#include "paint/paint_parts.h"

#include "base/maths.h"

#include <string.h>

enum { OPAQUE = 255, FIXED = 16, FIXED_ONE = 1 << FIXED };

static const uint32_t RED_BLUE = 0x00FF00FF;

PixelBox pixel_box_cut(PixelBox a, PixelBox b) {
    return (PixelBox){a.left > b.left ? a.left : b.left, a.top > b.top ? a.top : b.top,
                      a.right < b.right ? a.right : b.right,
                      a.bottom < b.bottom ? a.bottom : b.bottom};
}

static uint32_t *row_of(const Raster *raster, int y) {
    return raster->pixels + (size_t)(y - raster->top) * raster->stride;
}

/* x / 255 to the nearest, for x up to 255 × 255. */
static uint32_t divide_255(uint32_t x) {
    x += 128;
    return (x + (x >> 8)) >> 8;
}

/* `over` on `under` with alpha 0 to 255; red and blue share one multiplication. */
static uint32_t mix(uint32_t under, uint32_t over, uint32_t alpha) {
    uint32_t rest = OPAQUE - alpha;
    uint32_t rb = (over & RED_BLUE) * alpha + (under & RED_BLUE) * rest + 0x00800080;
    uint32_t g = (over >> 8 & 0xFF) * alpha + (under >> 8 & 0xFF) * rest + 0x80;
    rb = (rb + (rb >> 8 & RED_BLUE)) >> 8 & RED_BLUE;
    g = (g + (g >> 8)) & 0xFF00;
    return 0xFF000000u | rb | g;
}

static void fill_row(uint32_t *row, int count, uint32_t pixel) {
    for (int x = 0; x < count; x++)
        row[x] = pixel;
}

static void mix_row(uint32_t *row, int count, uint32_t pixel, uint32_t alpha) {
    for (int x = 0; x < count; x++)
        row[x] = mix(row[x], pixel, alpha);
}

void raster_fill(const Raster *raster, PixelBox box, Color color) {
    box = pixel_box_cut(box, raster->clip);
    if (color.a == 0 || box.left >= box.right)
        return;
    uint32_t pixel = raster_pixel(color);
    for (int y = box.top; y < box.bottom; y++) {
        uint32_t *row = row_of(raster, y) + box.left;
        if (color.a == OPAQUE)
            fill_row(row, box.right - box.left, pixel);
        else
            mix_row(row, box.right - box.left, pixel, color.a);
    }
}

void raster_copy(const Raster *raster, int left, int y, const uint32_t *pixels,
                 int count) {
    memcpy(row_of(raster, y) + left, pixels, (size_t)count * sizeof *pixels);
}

void raster_span(const Raster *raster, int y, int left, int right, Color color,
                 uint8_t coverage) {
    PixelBox box = pixel_box_cut((PixelBox){left, y, right, y + 1}, raster->clip);
    uint32_t alpha = divide_255((uint32_t)color.a * coverage);
    if (box.left >= box.right || box.top >= box.bottom || alpha == 0)
        return;
    uint32_t *row = row_of(raster, y) + box.left;
    if (alpha == OPAQUE)
        fill_row(row, box.right - box.left, raster_pixel(color));
    else
        mix_row(row, box.right - box.left, raster_pixel(color), alpha);
}

static bool are_zero(const uint8_t bytes[8]) {
    uint64_t all;
    memcpy(&all, bytes, sizeof all);
    return all == 0;
}

static void mask_row(uint32_t *row, const uint8_t *coverage, int count, uint32_t pixel,
                     uint32_t color_alpha) {
    for (int x = 0; x < count; x++) {
        uint32_t alpha = coverage[x];
        if (alpha == 0) {
            if (x + 8 <= count && are_zero(coverage + x))
                x += 7;
            continue;
        }
        if (color_alpha != OPAQUE)
            alpha = divide_255(alpha * color_alpha);
        row[x] = alpha == OPAQUE ? pixel : mix(row[x], pixel, alpha);
    }
}

void raster_mask(const Raster *raster, int left, int top, int width, int height,
                 const uint8_t *coverage, ptrdiff_t stride, Color color) {
    PixelBox box =
        pixel_box_cut((PixelBox){left, top, left + width, top + height}, raster->clip);
    if (box.left >= box.right || color.a == 0)
        return;
    for (int y = box.top; y < box.bottom; y++)
        mask_row(row_of(raster, y) + box.left,
                 coverage + (y - top) * stride + (box.left - left), box.right - box.left,
                 raster_pixel(color), color.a);
}

/* A mask, its origin and how the screen's axes run through it, in 1 / FIXED_ONE. */
typedef struct Turned {
    const uint8_t *coverage;
    int left, top, width, height;
    int64_t cosine, sine;
} Turned;

static uint32_t coverage_at(const Turned *turned, int64_t u, int64_t v) {
    return u < 0 || v < 0 || u >= turned->width || v >= turned->height
               ? 0
               : turned->coverage[v * turned->width + u];
}

/* Coverage between four pixels; u and v point at pixels' centres, in 1 / FIXED_ONE. */
static uint8_t interpolate(const Turned *turned, int64_t u, int64_t v) {
    int64_t u0 = u >> FIXED, v0 = v >> FIXED;
    uint64_t du = (uint64_t)(u & (FIXED_ONE - 1)), dv = (uint64_t)(v & (FIXED_ONE - 1));
    uint64_t upper = coverage_at(turned, u0, v0) * (FIXED_ONE - du) +
                     coverage_at(turned, u0 + 1, v0) * du;
    uint64_t lower = coverage_at(turned, u0, v0 + 1) * (FIXED_ONE - du) +
                     coverage_at(turned, u0 + 1, v0 + 1) * du;
    uint64_t sum = upper * (FIXED_ONE - dv) + lower * dv;
    return (uint8_t)((sum + ((uint64_t)1 << (2 * FIXED - 1))) >> (2 * FIXED));
}

/* The screen's pixels, about the point turned around, that a turned mask may touch. */
static PixelBox turned_bounds(const Turned *turned) {
    PixelBox box = {0};
    for (int corner = 0; corner < 4; corner++) {
        int64_t u = turned->left + (corner & 1 ? turned->width : 0);
        int64_t v = turned->top + (corner & 2 ? turned->height : 0);
        int x = (int)((u * turned->cosine + v * turned->sine) >> FIXED);
        int y = (int)((v * turned->cosine - u * turned->sine) >> FIXED);
        if (corner == 0)
            box = (PixelBox){x, y, x, y};
        box = (PixelBox){x < box.left ? x : box.left, y < box.top ? y : box.top,
                         x > box.right ? x : box.right, y > box.bottom ? y : box.bottom};
    }
    return (PixelBox){box.left - 2, box.top - 2, box.right + 3, box.bottom + 3};
}

void raster_mask_turned(const Raster *raster, int x, int y, double degrees, int left,
                        int top, int width, int height, const uint8_t *coverage,
                        Color color) {
    const double radian = PI / 180;
    Turned turned = {coverage,
                     left,
                     top,
                     width,
                     height,
                     llround(cos(degrees * radian) * FIXED_ONE),
                     llround(sin(degrees * radian) * FIXED_ONE)};
    PixelBox box = turned_bounds(&turned);
    box = pixel_box_cut(
        (PixelBox){x + box.left, y + box.top, x + box.right, y + box.bottom},
        raster->clip);
    for (int row = box.top; row < box.bottom; row++) {
        for (int col = box.left; col < box.right; col++) {
            /* Centres of pixels, in halves, so that quarter turns meet centres. */
            int64_t dx = 2 * (int64_t)(col - x) + 1, dy = 2 * (int64_t)(row - y) + 1;
            int64_t u = (dx * turned.cosine - dy * turned.sine - FIXED_ONE) / 2;
            int64_t v = (dx * turned.sine + dy * turned.cosine - FIXED_ONE) / 2;
            uint8_t found = interpolate(&turned, u - (int64_t)left * FIXED_ONE,
                                        v - (int64_t)top * FIXED_ONE);
            if (found)
                raster_span(raster, row, col, col + 1, color, found);
        }
    }
}
