#include "picture/page/page_body.h"

#include "picture/bar/station.h"
#include "picture/page/page_part.h"
#include "picture/page/page_stage.h"
#include "picture/page/text_scale.h"
#include "picture/panels/question_panel.h"
#include "picture/words/words.h"

static const double WORDS_SHARE = 0.3; /* of an area at most, where type is large */
static const double GAP = 14, LARGE_GAP = 24;

/* The words, or the question that stands in their place. */
static bool asks(const PageParts *parts) {
    return practise_panel_above(parts->page->practise);
}

static double words_tall(const PageParts *parts, double width) {
    if (parts->page->station)
        return station_words_height(parts->canvas);
    return asks(parts) ? question_panel_height(parts, width) : words_height(parts, width);
}

static void draw_words(const PageParts *parts, Box area) {
    if (parts->page->station) {
        station_draw_words(parts->canvas, parts->page->station, area);
        return;
    }
    if (asks(parts)) {
        question_panel_draw(parts, area);
        return;
    }
    words_draw(parts, area);
}

/* Takes the words' place off an area: as large as leaves the picture its share. */
static Box take_words(const PageParts *parts, Box *area, double *scale) {
    double next = text_scale_of(parts->page), height;
    do {
        PageScaled scaled;
        *scale = next;
        page_scaled_init(&scaled, parts, *scale);
        height = *scale * words_tall(&scaled.parts, area->w / *scale);
        next = text_scale_below(*scale);
    } while (height > WORDS_SHARE * area->h && next < *scale);
    Box words = box_take_top(area, height);
    double gap = parts->page->presents ? LARGE_GAP : GAP;
    box_take_top(area, canvas_length(parts->canvas, gap));
    return words;
}

/* Whether the picture needs the sentences' place: for type of the wanted size where it is
 * presented, as who presents it speaks; else where it can't be read in any. */
static bool needs_more(const PageParts *parts, Box below) {
    double wanted = text_scale_of(parts->page);
    size_t troubles;
    if (wanted <= 1 || asks(parts) || parts->page->station)
        return false;
    double scale = page_part_scale(parts, below, page_stage_draw, &troubles);
    return troubles || (parts->page->presents && scale < wanted);
}

void page_body_draw(const PageParts *parts, Box area) {
    Page page = *parts->page;
    PageParts body = {parts->canvas, &page};
    Box below = area;
    double scale;
    Box words = take_words(&body, &below, &scale);
    page.without_sentences = page.lens.kind == LINK_CELL || needs_more(&body, below);
    if (page.without_sentences) {
        below = area;
        words = take_words(&body, &below, &scale);
    }
    page_part_draw_at(&body, words, draw_words, scale);
    page_part_draw(&body, below, page_stage_draw);
}
