#include "picture/words/terms.h"

#include "base/strings/glossary.h"
#include "picture/draw/canvas.h"
#include "picture/scene/metrics.h"
#include "picture/scene/theme.h"

#include <math.h>

/* Position of the line below the baseline, relative to the text's size. */
static const double BELOW = 0.2;

/* Reports whether a term is marked on the page already. */
static bool is_marked(const Scene *scene, size_t term) {
    Box box;
    return scene_find(scene, (Link){LINK_TERM, term, 0, 0}, &box);
}

static double advance(const Canvas *canvas, const SceneItem *item, size_t length) {
    const TextMetrics *metrics = canvas->metrics;
    return length ? metrics->advance(metrics->context, item->font, item->size, item->text,
                                     length)
                  : 0;
}

static void draw_dots(const Canvas *canvas, double from, double to, double y,
                      double side) {
    double step = 2.4 * side;
    size_t count = (size_t)fmax(floor((to - from - side) / step), 0) + 1;
    double first = from + (to - from - side - (double)(count - 1) * step) / 2;
    for (size_t i = 0; i < count; i++)
        canvas_fill(canvas, (Box){first + (double)i * step, y, side, side}, 0,
                    canvas->theme->ink_faint);
}

/* Marks a term; `at` and `length` are bytes of the item's text. */
static void mark(const Canvas *canvas, const SceneItem *item, size_t at, size_t length,
                 size_t term) {
    double from = item->origin.x + advance(canvas, item, at);
    double to = item->origin.x + advance(canvas, item, at + length);
    double side = fmax(round(item->size / 12), 1);
    canvas_link(canvas, (Link){LINK_TERM, term, 0, 0});
    canvas_target(canvas, (Box){from, item->box.y, to - from, item->box.h});
    draw_dots(canvas, from, to, round(item->origin.y + item->size * BELOW), side);
    canvas_unlink(canvas);
}

static void mark_item(const PageParts *parts, const SceneItem *item) {
    const Glossary *glossary = parts->page->glossary;
    for (size_t at = 0, length; item->text[at]; at += length ? length : 1) {
        size_t term = glossary_at(glossary, item->text, at, &length);
        if (term < glossary->count && !is_marked(parts->canvas->scene, term))
            mark(parts->canvas, item, at, length, term);
    }
}

void terms_mark(const PageParts *parts, size_t first) {
    const Scene *scene = parts->canvas->scene;
    size_t count = scene->count;
    for (size_t i = first; parts->page->glossary && i < count; i++) {
        SceneItem item = scene->items[i]; /* appending may move the list */
        bool words = item.font == FONT_TEXT || item.font == FONT_BOLD;
        if (item.kind == SCENE_TEXT && words && item.angle == 0 &&
            item.link.kind == LINK_NONE)
            mark_item(parts, &item);
    }
}
