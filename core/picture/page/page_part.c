#include "picture/page/page_part.h"

#include "picture/page/text_scale.h"
#include "picture/scene/scene_scale.h"
#include "picture/scene/scene_troubles.h"

void page_scaled_init(PageScaled *scaled, const PageParts *parts, double scale) {
    scaled->canvas = *parts->canvas;
    scaled->page = *parts->page;
    scaled->canvas.enlarged = scale;
    scaled->page.width /= scale;
    scaled->page.height /= scale;
    scaled->parts = (PageParts){&scaled->canvas, &scaled->page};
}

size_t page_part_draw_at(const PageParts *parts, Box area, PagePart draw, double scale) {
    Scene *scene = parts->canvas->scene;
    PageScaled scaled;
    size_t first = scene->count;
    double width = scene->width, height = scene->height;
    Box smaller = {area.x / scale, area.y / scale, area.w / scale, area.h / scale};
    page_scaled_init(&scaled, parts, scale);
    scene->width = scaled.page.width;
    scene->height = scaled.page.height;
    draw(&scaled.parts, smaller);
    size_t troubles = scene_troubles(scene, first, smaller);
    scene->width = width;
    scene->height = height;
    scene_scale(scene, first, scale, (Point){0, 0});
    return troubles;
}

double page_part_scale(const PageParts *parts, Box area, PagePart draw,
                       size_t *troubles) {
    double wanted = text_scale_of(parts->page);
    Scene *scene = parts->canvas->scene;
    Page still = *parts->page;
    still.moment = (PaceMoment){0};
    PageParts tried = {parts->canvas, &still};
    size_t first = scene->count;
    double best = wanted, scale = wanted, before;
    *troubles = (size_t)-1;
    do {
        size_t found = page_part_draw_at(&tried, area, draw, scale);
        scene->count = first;
        if (found < *troubles) {
            *troubles = found;
            best = scale;
        }
        before = scale;
        scale = text_scale_below(scale);
    } while (*troubles && scale < before);
    return best;
}

void page_part_draw(const PageParts *parts, Box area, PagePart draw) {
    size_t troubles;
    if (text_scale_of(parts->page) > 1)
        page_part_draw_at(parts, area, draw,
                          page_part_scale(parts, area, draw, &troubles));
    else
        draw(parts, area);
}
