#include "picture/page/page_body.h"

#include "picture/bar/station.h"
#include "picture/page/page_part.h"
#include "picture/page/page_stage.h"
#include "picture/page/text_scale.h"
#include "picture/panels/question_panel.h"
#include "picture/words/words.h"

#include <math.h>

/* Of an area at most, where type is large. */
static const double WORDS_SHARE = 0.3, QUESTION_SHARE = 0.38;
static const double LEAST_WORDS = 0.2; /* of the page, whatever type is around them */
static const double GAP = 14, LARGE_GAP = 24;

/* The words, or the question that stands in their place. */
static bool asks(const PageParts *parts) {
    return practise_panel_above(parts->page->practise);
}

double page_words_height(const PageParts *parts, double width) {
    if (parts->page->station)
        return STATION_WORDS_HEIGHT;
    return asks(parts) ? question_panel_height(parts, width)
                       : words_height(parts, width) + answer_line_height(parts, width);
}

void page_words_draw(const PageParts *parts, Box area) {
    if (parts->page->station) {
        station_draw_words(parts->canvas, parts->page->station, area);
        return;
    }
    if (asks(parts)) {
        question_panel_draw(parts, area);
        return;
    }
    double answer = answer_line_height(parts, area.w);
    words_draw(parts, area);
    if (answer > 0)
        answer_line_draw(parts, box_take_bottom(&area, answer));
}

/* Takes the words' place off an area: as large as leaves the picture its share. */
static Box take_words(const PageParts *parts, Box *area, double *scale) {
    double share = asks(parts) ? QUESTION_SHARE : WORDS_SHARE;
    double next = text_scale_of(parts->page), height;
    double most = fmax(share * area->h, LEAST_WORDS * parts->page->height);
    do {
        PageScaled scaled;
        *scale = next;
        page_scaled_init(&scaled, parts, *scale);
        height = *scale * page_words_height(&scaled.parts, area->w / *scale);
        next = text_scale_below(*scale);
    } while (height > most && next < *scale);
    Box words = box_take_top(area, height);
    double gap = parts->page->presents ? LARGE_GAP : GAP;
    box_take_top(area, round(gap));
    return words;
}

/* The page's words and its picture, in an area. */
typedef struct Body {
    Box words, below;
    double scale; /* of the words */
} Body;

static Body lay_out(const PageParts *above, Box area, bool without_sentences) {
    Page page = *above->page;
    PageParts parts = {above->canvas, &page};
    page.without_sentences = without_sentences;
    Body body = {.below = area};
    body.words = take_words(&parts, &body.below, &body.scale);
    return body;
}

/* Whether the picture is a better one with the sentences' place: where it can't be read,
 * or where who presents it speaks. */
static bool needs_more(const PageParts *parts, const Body *body, const Body *larger) {
    if (text_scale_of(parts->page) <= 1 || asks(parts) || parts->page->station)
        return false;
    PartFit fit = page_part_fit(parts, body->below, page_stage_draw);
    if (!fit.troubles && !parts->page->presents)
        return false;
    PartFit other = page_part_fit(parts, larger->below, page_stage_draw);
    return page_part_fits_better(&other, &fit) ||
           (other.troubles == fit.troubles && other.scale > fit.scale);
}

void page_body_draw(const PageParts *parts, Box area) {
    Page page = *parts->page;
    Canvas canvas = *parts->canvas;
    PageParts above = {&canvas, &page}, below = {parts->canvas, &page};
    /* what was asked to be told at length may be small */
    canvas.least = page.words == WORDS_USUAL ? text_least_of(&page) : 0;
    Body body = lay_out(&above, area, false), larger = lay_out(&above, area, true);
    page.without_sentences = page.lens.kind == LINK_CELL ||
                             practise_panel_waits(page.practise) ||
                             needs_more(&below, &body, &larger);
    if (page.without_sentences)
        body = larger;
    page_part_draw_at(&above, body.words, page_words_draw, body.scale);
    page_part_draw(&below, body.below, page_stage_draw);
}
