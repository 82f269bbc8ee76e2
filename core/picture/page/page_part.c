#include "picture/page/page.h"
#include "picture/page/page_parts.h"

#include "lesson/content/content.h"
#include "picture/explain/explain.h"
#include "picture/scene/scene.h"

#include <math.h>
#include <string.h>

static const double WORD = 15, NUMBER = 12.5; /* points, before enlargement */
static const double TOO_SMALL = 0.66;         /* of the wanted size */
static const double BETTER = 1.3;      /* least improvement for which type is reduced */
static const double LEAST_DIGITS = 24; /* points: 19 pixels at 1280 × 720 */

void page_scaled_init(PageScaled *scaled, const PageParts *parts, double scale) {
    scaled->canvas = *parts->canvas;
    scaled->page = *parts->page;
    scaled->canvas.enlarged = scale;
    scaled->canvas.least = ceil(scaled->canvas.least / scale);
    scaled->metrics = *parts->canvas->metrics;
    scaled->metrics.least = scaled->canvas.least;
    scaled->canvas.metrics = &scaled->metrics;
    sentence_names_use(&scaled->names, &scaled->canvas,
                       parts->page->player->lesson->tape);
    scaled->page.width /= scale;
    scaled->page.height /= scale;
    scaled->parts = (PageParts){&scaled->canvas, &scaled->page};
}

size_t page_part_draw_at(const PageParts *parts, Box area, PagePart draw, double scale) {
    Scene *scene = parts->canvas->scene;
    PageScaled scaled;
    size_t first = scene->count, replaced = scene->replaced;
    double width = scene->width, height = scene->height;
    Box smaller = {area.x / scale, area.y / scale, area.w / scale, area.h / scale};
    page_scaled_init(&scaled, parts, scale);
    scene->width = scaled.page.width;
    scene->height = scaled.page.height;
    draw(&scaled.parts, smaller);
    size_t troubles = scene_troubles(scene, first, smaller) + scene->replaced - replaced;
    scene->width = width;
    scene->height = height;
    scene_scale(scene, first, scale, (Point){0, 0});
    return troubles;
}

static bool is_number(const SceneItem *item) {
    return strspn(item->text, "0123456789.-−∞≈ ") == strlen(item->text);
}

/* Contribution of a text to the readable texts of an enlarged part: 0 if it is too small
 * for that. */
static double fraction_read(const SceneItem *item, double wanted) {
    bool number = item->font == FONT_MATH || is_number(item);
    double fraction = item->size / (wanted * (number ? NUMBER : WORD));
    return item->fill.a == 0 || fraction < TOO_SMALL ? 0 : fmin(fraction, 1);
}

/* Judges what was drawn from `first` on: sets `cells`, `texts`, `read` and, for the
 * explained cell of a presented page, `has_number` and `loses_number`. */
static void judge(const Page *page, const Scene *scene, size_t first, double wanted,
                  PartFit *fit) {
    Link focus = {.kind = LINK_CELL};
    bool drawn = false, explains = page->presents &&
                                   page_focus(page, &focus.index, &focus.row, &focus.col);
    fit->cells = INFINITY;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        bool text = item->kind == SCENE_TEXT, number = text && is_number(item);
        bool own = explains && link_equal(item->link, focus);
        if (text)
            fit->read += fraction_read(item, wanted);
        fit->texts += text && item->fill.a > 0;
        if (number && item->link.kind == LINK_CELL)
            fit->cells = fmin(fit->cells, item->size);
        fit->has_number |= own && number;
        drawn |= own;
    }
    fit->cells = isfinite(fit->cells) ? fit->cells : 0;
    fit->loses_number = drawn && !fit->has_number;
}

bool page_part_fits_better(const PartFit *fit, const PartFit *other) {
    if (fit->troubles != other->troubles)
        return fit->troubles < other->troubles;
    if (fit->has_number != other->has_number)
        return fit->has_number;
    return fit->read > other->read * BETTER;
}

/* Reports whether the picture loses room: to an item beside it, or to type larger than
 * presented pages need. */
static bool is_crowded(const Page *page) {
    return !page->presents || text_scale_is_wished(page) ||
           practise_panel_waits(page->practise);
}

/* page_part_fit with no words smaller than `least` points, and no digits in cells smaller
 * than `digits`. */
static PartFit fit_with(const PageParts *parts, Box area, PagePart draw, double cells,
                        double least, double digits) {
    double wanted = text_scale_of(parts->page), scale = wanted, before;
    Scene *scene = parts->canvas->scene;
    Canvas canvas = *parts->canvas;
    Page still = *parts->page;
    canvas.least = least;
    canvas.digits = digits;
    still.moment = (PaceMoment){0};
    PageParts tried = {&canvas, &still};
    size_t first = scene->count;
    PartFit best = {.troubles = (size_t)-1};
    do {
        PartFit fit = {.scale = scale, .least = least, .digits = digits};
        fit.troubles = page_part_draw_at(&tried, area, draw, scale);
        judge(parts->page, scene, first, wanted, &fit);
        fit.troubles += fit.cells < cells;
        fit.read = is_crowded(parts->page) ? fit.read : 0;
        scene->count = first;
        fit.room = fit.has_number && !best.has_number && fit.troubles == best.troubles
                       ? best.room
                       : scale;
        if (page_part_fits_better(&fit, &best))
            best = fit;
        before = scale;
        scale = text_scale_below(scale);
    } while (scale < before &&
             (best.troubles || best.loses_number || is_crowded(parts->page)));
    return best;
}

PartFit page_part_fit(const PageParts *parts, Box area, PagePart draw, double cells) {
    double least = parts->canvas->least;
    PartFit fit = fit_with(parts, area, draw, cells, least, 0);
    const Player *player = parts->page->player;
    bool whole = player_step(player)->depth == 1 && player->cell == PLAYER_NONE;
    PartFit smaller = fit;
    if (least > 0 && practise_panel_waits(parts->page->practise))
        smaller = fit_with(parts, area, draw, cells, least, LEAST_DIGITS);
    else if (least > 0 && fit.troubles && !whole)
        smaller = fit_with(parts, area, draw, cells, 0, 0);
    return page_part_fits_better(&smaller, &fit) ? smaller : fit;
}

void page_part_draw(const PageParts *parts, Box area, PagePart draw) {
    if (text_scale_of(parts->page) > 1)
        page_part_draw_at(parts, area, draw, page_part_fit(parts, area, draw, 0).scale);
    else
        draw(parts, area);
}
