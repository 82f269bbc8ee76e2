#include "base/hash.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "tensor/tensor.h"

#include <string.h>

/* FNV-1a over words of 64 bits, with the high half folded down: eight times faster than
 * over bytes, and every bit still affects every other. */
static uint64_t digest_word(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * UINT64_C(0x100000001B3);
    return digest ^ digest >> 32;
}

static uint64_t digest_doubles(uint64_t digest, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double value = values[i] + 0.0; /* −0 draws like 0 */
        uint64_t word;
        memcpy(&word, &value, sizeof word);
        digest = digest_word(digest, word);
    }
    return digest;
}

static uint64_t digest_colors(uint64_t digest, const Color *colors, size_t count) {
    for (size_t i = 0; i < count; i++)
        digest = digest_word(digest, (uint64_t)colors[i].r << 24 |
                                         (uint64_t)colors[i].g << 16 |
                                         (uint64_t)colors[i].b << 8 | colors[i].a);
    return digest;
}

static uint64_t digest_text(uint64_t digest, const char *text) {
    for (; *text; text++)
        digest = digest_word(digest, (unsigned char)*text);
    return digest_word(digest, 256); /* end of the text, distinct from every byte */
}

static uint64_t digest_image(uint64_t digest, const Tensor *tensor,
                             const ColorScale *scale) {
    digest = digest_word(digest, tensor->rows);
    digest = digest_word(digest, tensor->cols);
    digest = digest_doubles(digest, tensor->values, tensor_cells(tensor));
    digest = digest_doubles(digest, (const double[]){scale->low, scale->high}, 2);
    digest = digest_colors(digest, &scale->masked, 1);
    return digest_colors(digest, scale->palette->stops, scale->palette->count);
}

static uint64_t digest_item(uint64_t digest, const SceneItem *item) {
    const double numbers[] = {item->box.x,    item->box.y,  item->box.w, item->box.h,
                              item->width,    item->radius, item->size,  item->origin.x,
                              item->origin.y, item->angle};
    const size_t kinds[] = {item->kind, item->font, item->count};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        digest = digest_word(digest, kinds[i]);
    digest = digest_doubles(digest, numbers, sizeof numbers / sizeof *numbers);
    digest = digest_colors(digest, (const Color[]){item->fill, item->stroke}, 2);
    for (size_t i = 0; i < item->count; i++)
        digest = digest_doubles(
            digest, (const double[]){item->points[i].x, item->points[i].y}, 2);
    if (item->kind == SCENE_TEXT)
        digest = digest_text(digest, item->text);
    return item->kind == SCENE_IMAGE ? digest_image(digest, item->tensor, item->scale)
                                     : digest;
}

uint64_t scene_digest(const Scene *scene) {
    uint64_t digest =
        digest_doubles(HASH_START, (const double[]){scene->width, scene->height}, 2);
    digest = digest_colors(digest, &scene->background, 1);
    for (size_t i = 0; i < scene->count; i++)
        digest = digest_item(digest, &scene->items[i]);
    return digest;
}
