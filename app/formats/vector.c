#include "formats/formats_parts.h"

#include "tensor/tensor.h"

#include <math.h>

static const double FINEST = 0.5; /* points: what cells of an image are at least */

void vector_need(Arena *arena, bool had) {
    if (!had)
        arena_alloc(arena, SIZE_MAX, SIZE_MAX); /* which no arena has */
}

void vector_number(Writer *writer, double value) {
    double kept = isfinite(value) ? fmax(-1e7, fmin(1e7, value)) : 0;
    long hundredths = lround(kept * 100);
    long size = hundredths < 0 ? -hundredths : hundredths;
    if (hundredths < 0)
        writer_text(writer, "-");
    if (size >= 100 || size == 0)
        writer_size(writer, (size_t)(size / 100));
    if (size % 10)
        writer_format(writer, ".%02ld", size % 100);
    else if (size % 100)
        writer_format(writer, ".%ld", size % 100 / 10);
}

void vector_numbers(Writer *writer, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i)
            writer_text(writer, " ");
        vector_number(writer, values[i]);
    }
}

uint32_t glyph_set_add(GlyphSet *set, FontFace face, uint32_t index, bool *is_new) {
    size_t count = typeface_glyph_count(fonts_typeface(set->fonts, face));
    *is_new = false;
    if (!set->numbers[face])
        set->numbers[face] = arena_alloc(set->arena, count, sizeof(uint32_t));
    vector_need(set->arena, index < count);
    uint32_t *number = &set->numbers[face][index];
    *is_new = *number == 0;
    if (*is_new)
        *number = ++set->count;
    return *number;
}

static size_t pixels_along(double points, size_t cells) {
    double most = ceil(points / FINEST);
    return !(most >= 1) ? 1 : most < (double)cells ? (size_t)most : cells;
}

bool vector_image(VectorImage *image, Arena *arena, const SceneItem *item) {
    const Tensor *tensor = item->tensor;
    if (tensor_cells(tensor) == 0)
        return false;
    image->width = pixels_along(item->box.w, tensor->cols);
    image->height = pixels_along(item->box.h, tensor->rows);
    image->pixels =
        arena_alloc(arena, image->width * image->height, sizeof *image->pixels);
    for (size_t y = 0; y < image->height; y++) {
        CellRange rows = image_cells(y, image->height, tensor->rows);
        for (size_t x = 0; x < image->width; x++)
            image->pixels[y * image->width + x] = raster_pixel(
                image_color(item, rows, image_cells(x, image->width, tensor->cols)));
    }
    return true;
}

Box vector_cell(const VectorImage *image, const SceneItem *item, size_t index,
                Color *color) {
    uint32_t pixel = image->pixels[index];
    double width = item->box.w / (double)image->width;
    double height = item->box.h / (double)image->height;
    *color = (Color){(uint8_t)(pixel >> 16), (uint8_t)(pixel >> 8), (uint8_t)pixel, 255};
    return (Box){item->box.x + (double)(index % image->width) * width,
                 item->box.y + (double)(index / image->width) * height, width, height};
}

bool vector_visible(const SceneItem *item) {
    if (item->kind == SCENE_TEXT)
        return item->fill.a && isfinite(item->origin.x) && isfinite(item->origin.y) &&
               isfinite(item->angle);
    if (item->kind == SCENE_RECTANGLE)
        return (item->fill.a || vector_outline(item) > 0) && isfinite(item->box.x) &&
               isfinite(item->box.y) && item->box.w > 0 && item->box.h > 0 &&
               isfinite(item->box.w) && isfinite(item->box.h);
    if (item->kind != SCENE_LINE && item->kind != SCENE_POLYGON)
        return true; /* an image or a clip */
    bool finite = item->fill.a && (item->kind != SCENE_LINE || item->width > 0);
    for (size_t i = 0; finite && i < item->count; i++)
        finite = isfinite(item->points[i].x) && isfinite(item->points[i].y);
    return finite;
}

/* Finds the next items that link to a step, on any page. */
static bool next_link(const Scene *scene, size_t *at, size_t *step, Box *box) {
    size_t i = *at;
    while (i < scene->count && scene->items[i].link.kind != LINK_STEP)
        i++;
    if (i == scene->count)
        return false;
    const Link link = scene->items[i].link;
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (; i < scene->count && link_equal(scene->items[i].link, link); i++) {
        Box part = scene->items[i].box;
        left = fmin(left, part.x);
        top = fmin(top, part.y);
        right = fmax(right, part.x + part.w);
        bottom = fmax(bottom, part.y + part.h);
    }
    *at = i;
    *step = link.index;
    *box = (Box){left, top, right - left, bottom - top};
    return true;
}

bool vector_next_link(const DeckPage *page, size_t *at, size_t *target, Box *box) {
    size_t step;
    while (next_link(page->picture.scene, at, &step, box)) {
        for (*target = 0; *target < page->step_count; ++*target) {
            if (page->steps[*target] == step)
                break;
        }
        if (*target < page->step_count && *target != page->number)
            return true;
    }
    return false;
}

double vector_outline(const SceneItem *item) {
    return item->stroke.a && item->width > 0 ? item->width : 0;
}

Box vector_inset(const SceneItem *item, double outline, double *radius) {
    Box box = item->box;
    double most = fmin(box.w, box.h) / 2;
    *radius = fmax(0, fmin(item->radius, most) - outline / 2);
    return (Box){box.x + outline / 2, box.y + outline / 2, fmax(0, box.w - outline),
                 fmax(0, box.h - outline)};
}
