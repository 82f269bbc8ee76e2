#include "picture/page/present_page.h"

#include "picture/explain/explain.h"
#include "picture/map/map.h"
#include "picture/map/timeline.h"
#include "picture/overlays/practise_panel.h"
#include "picture/page/page_body.h"
#include "picture/page/page_part.h"
#include "picture/page/text_scale.h"
#include "picture/scene/theme.h"

static const double MARGIN = 44, HAIRLINE = 5, SUM_HEIGHT = 76;
static const double MAP_SCALE = 1.25;

/* Draws the lesson's progress. */
static void draw_progress(const PageParts *parts, Box strip) {
    const Canvas *canvas = parts->canvas;
    canvas_fill(canvas, strip, 0, canvas->theme->line);
    strip.w *= timeline_fraction(parts->page->player);
    canvas_fill(canvas, strip, 0, canvas->theme->ink);
}

void present_draw(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    Box rest = {0, 0, page->width, page->height};
    draw_progress(parts, box_take_bottom(&rest, HAIRLINE));
    if (page->with_map)
        page_part_draw_at(parts, box_take_left(&rest, map_width(parts) * MAP_SCALE),
                          map_draw, MAP_SCALE);
    rest.x += MARGIN;
    rest.w -= 2 * MARGIN;
    box_take_top(&rest, MARGIN / 2);
    box_take_bottom(&rest, MARGIN / 3);
    bool is_question = practise_panel_below(page->practise);
    Canvas canvas_of_words = *canvas;
    canvas_of_words.least = text_least_of(page);
    if (is_question)
        page_part_draw(&(PageParts){&canvas_of_words, page},
                       box_take_bottom(&rest, practise_panel_height(parts)),
                       practise_panel_draw);
    bool sums = !is_question && (page->pinned || page->player->cell != PLAYER_NONE);
    Box sum = box_take_bottom(&rest, sums ? SUM_HEIGHT : 0);
    page_body_draw(parts, rest);
    if (sums)
        page_part_draw(parts, sum, inspector_draw_sum);
}
