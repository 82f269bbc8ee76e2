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

static uint64_t digest_double(uint64_t digest, double value) {
    uint64_t word;
    value += 0.0; /* −0 draws like 0 */
    memcpy(&word, &value, sizeof word);
    return digest_word(digest, word);
}

static uint64_t digest_color(uint64_t digest, Color color) {
    return digest_word(digest, (uint64_t)color.r << 24 | (uint64_t)color.g << 16 |
                                   (uint64_t)color.b << 8 | color.a);
}

static uint64_t digest_box(uint64_t digest, Box box) {
    digest = digest_double(digest, box.x);
    digest = digest_double(digest, box.y);
    digest = digest_double(digest, box.w);
    return digest_double(digest, box.h);
}

static uint64_t digest_text(uint64_t digest, const char *text) {
    for (; *text; text++)
        digest = digest_word(digest, (unsigned char)*text);
    return digest_word(digest, 256); /* end of the text, distinct from every byte */
}

static uint64_t digest_image(uint64_t digest, const SceneItem *item) {
    const Tensor *tensor = item->tensor;
    digest = digest_word(digest, tensor->rows);
    digest = digest_word(digest, tensor->cols);
    for (size_t i = 0; i < tensor_cells(tensor); i++)
        digest = digest_double(digest, tensor->values[i]);
    const ColorScale *scale = item->scale;
    digest = digest_double(digest, scale->low);
    digest = digest_double(digest, scale->high);
    digest = digest_color(digest, scale->masked);
    for (size_t i = 0; i < scale->palette->count; i++)
        digest = digest_color(digest, scale->palette->stops[i]);
    return digest;
}

static uint64_t digest_item(uint64_t digest, const SceneItem *item) {
    digest = digest_word(digest, (uint64_t)item->kind);
    digest = digest_box(digest, item->box);
    digest = digest_color(digest, item->fill);
    digest = digest_color(digest, item->stroke);
    digest = digest_double(digest, item->width);
    digest = digest_double(digest, item->radius);
    digest = digest_word(digest, item->count);
    for (size_t i = 0; i < item->count; i++) {
        digest = digest_double(digest, item->points[i].x);
        digest = digest_double(digest, item->points[i].y);
    }
    if (item->kind == SCENE_TEXT) {
        digest = digest_text(digest, item->text);
        digest = digest_word(digest, (uint64_t)item->font);
        digest = digest_double(digest, item->size);
        digest = digest_double(digest, item->origin.x);
        digest = digest_double(digest, item->origin.y);
        digest = digest_double(digest, item->angle);
    }
    return item->kind == SCENE_IMAGE ? digest_image(digest, item) : digest;
}

uint64_t scene_digest(const Scene *scene) {
    uint64_t digest = HASH_START;
    digest = digest_double(digest, scene->width);
    digest = digest_double(digest, scene->height);
    digest = digest_color(digest, scene->background);
    for (size_t i = 0; i < scene->count; i++)
        digest = digest_item(digest, &scene->items[i]);
    return digest;
}
