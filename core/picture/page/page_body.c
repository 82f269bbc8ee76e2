#include "picture/page/page.h"
#include "picture/page/page_parts.h"

#include "picture/explain/explain.h"
#include "picture/overlays/overlays.h"
#include "picture/words/words.h"

#include <math.h>

/* Largest fractions of an area in large type. */
static const double WORDS_FRACTION = 0.3, QUESTION_FRACTION = 0.38;
/* Least fraction of the page, whatever the surrounding type. */
static const double LEAST_WORDS = 0.2;
static const double GAP = 14, LARGE_GAP = 24;
static const double ANSWER_FRACTION = 0.25; /* of the picture's width, beside it */

static double answer_above(const PageParts *parts, double width) {
    return parts->page->answer_beside ? 0 : answer_line_height(parts, width);
}

double page_words_height(const PageParts *parts, double width) {
    if (parts->page->station)
        return STATION_WORDS_HEIGHT;
    return practise_panel_above(parts->page->practise)
               ? question_panel_height(parts, width)
               : words_height(parts, width) + answer_above(parts, width);
}

void page_words_draw(const PageParts *parts, Box area) {
    if (parts->page->station) {
        station_draw_words(parts->canvas, parts->page->station, area);
        return;
    }
    if (practise_panel_above(parts->page->practise)) {
        question_panel_draw(parts, area);
        return;
    }
    double answer = answer_above(parts, area.w);
    words_draw(parts, area);
    if (answer > 0)
        answer_line_draw(parts, box_take_bottom(&area, answer));
}

/* Cuts the words' box off an area, limited so that the picture keeps its part. */
static Box take_words(const PageParts *parts, Box *area, double *scale) {
    double fraction =
        practise_panel_above(parts->page->practise) ? QUESTION_FRACTION : WORDS_FRACTION;
    double next = text_scale_of(parts->page), height;
    double most = fmax(fraction * area->h, LEAST_WORDS * parts->page->height);
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

/* Layout of the words and the picture. */
typedef struct Body {
    Box words, answer, below; /* the answer's is empty if it stands among the words */
    double scale;             /* of the words */
    double least, most;       /* sizes of the words in points, except formulas */
    bool without_sentences;
    AnswerParts parts; /* of an answer */
    PartFit fit;       /* of the picture */
} Body;

static void measure_words(const PageParts *parts, Body *body) {
    Scene *scene = parts->canvas->scene;
    size_t first = scene->count;
    page_part_draw_at(parts, body->words, page_words_draw, body->scale);
    body->least = INFINITY;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind != SCENE_TEXT || item->font == FONT_MATH || item->fill.a == 0)
            continue;
        body->least = fmin(body->least, item->size);
        body->most = fmax(body->most, item->size);
    }
    scene->count = first;
}

/* Cuts the answer's box off the picture's side; returns the number of problems if it has
 * no room. */
static size_t take_answer(const PageParts *parts, Body *body) {
    PageScaled scaled;
    page_scaled_init(&scaled, parts, body->scale);
    body->answer = box_take_left(&body->below, round(ANSWER_FRACTION * body->below.w));
    box_take_left(&body->below, LARGE_GAP);
    double height = answer_line_height(&scaled.parts, body->answer.w / body->scale);
    return body->scale * height > body->answer.h;
}

/* Lays out the body; `cells`: least size in points of numbers in cells. */
static Body lay_out(const PageParts *parts, Box area, bool without_sentences,
                    double cells) {
    Page page = *parts->page;
    Canvas canvas = *parts->canvas;
    PageParts drawn = {&canvas, &page};
    Body body = {.below = area,
                 .without_sentences = without_sentences,
                 .parts = parts->page->answer};
    page.without_sentences = without_sentences;
    /* detailed depths may be smaller */
    canvas.least = words_are_usual(page.words) ? text_least_of(&page) : 0;
    body.words = take_words(&drawn, &body.below, &body.scale);
    if (text_scale_of(&page) > 1)
        measure_words(&drawn, &body);
    canvas.least = text_least_of(&page);
    size_t troubles = page.answer_beside ? take_answer(&drawn, &body) : 0;
    if (text_scale_of(&page) > 1 || practise_panel_answered(page.practise))
        body.fit = page_part_fit(&drawn, body.below, page_stage_draw, cells);
    /* at the usual size, layouts that merely touch are not retried */
    body.fit.troubles =
        text_scale_of(&page) > 1 ? body.fit.troubles + troubles : troubles;
    return body;
}

/* Reports whether the picture is better with the sentences' room: if it is unreadable
 * otherwise, or the presenter speaks anyway. */
static bool needs_more(const PageParts *parts, const PartFit *fit, const PartFit *other) {
    if (text_scale_of(parts->page) <= 1 || practise_panel_above(parts->page->practise) ||
        parts->page->station || (!fit->troubles && !parts->page->presents))
        return false;
    return page_part_fits_better(other, fit) ||
           (other->troubles == fit->troubles && other->room > fit->room);
}

/* Reports whether a picture is nearly as large as another, and has its texts. */
static bool is_picture_as_good(const Body *body, const Body *other) {
    static const double NEARLY = 0.85;
    const PartFit *fit = &body->fit, *full = &other->fit;
    return fit->troubles <= full->troubles && fit->has_number >= full->has_number &&
           fit->cells >= NEARLY * full->cells &&
           (double)fit->texts >= NEARLY * (double)full->texts &&
           fit->scale >= text_scale_below(full->scale) &&
           body->below.h >= NEARLY * other->below.h;
}

/* Reports whether picture and words are nearly as large beside an answer as without one.
 */
static bool is_as_good(const Body *answered, const Body *plain) {
    static const double LARGE = 1.3, LARGER = 1.75;
    double large = answer_has_heading(answered->parts) ? LARGER : LARGE;
    return is_picture_as_good(answered, plain) &&
           answered->scale >= fmin(plain->scale, large);
}

static Body lay_out_best(const PageParts *parts, Box area);

/* Lays out the answer that a class sees: of question and reason as much as leaves the
 * picture as it is without. */
static Body lay_out_presented_answer(const PageParts *parts, Box area) {
    static const struct {
        AnswerParts parts;
        bool beside;
    } ways[] = {{ANSWER_WHOLE, false},         {ANSWER_WITHOUT_HEADING, false},
                {ANSWER_WHOLE, true},          {ANSWER_WITHOUT_REASON, false},
                {ANSWER_WITH_QUESTION, false}, {ANSWER_WITHOUT_REASON, true},
                {ANSWER_ALONE, false}};
    Page page = *parts->page;
    PageParts drawn = {parts->canvas, &page};
    page.practise = NULL;
    const Body plain = lay_out_best(&drawn, area);
    Body body;
    page.practise = parts->page->practise;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        page.answer = ways[i].parts;
        page.answer_beside = ways[i].beside;
        body = lay_out(&drawn, area, plain.without_sentences, 0);
        if (is_as_good(&body, &plain))
            break;
    }
    return body;
}

static Body lay_out_best(const PageParts *parts, Box area) {
    const Page *page = parts->page;
    if (page->presents && practise_panel_answered(page->practise))
        return lay_out_presented_answer(parts, area);
    Body body = lay_out(parts, area, false, 0), larger = lay_out(parts, area, true, 0);
    bool without_sentences = page->without_sentences || page->lens.kind == LINK_CELL ||
                             practise_panel_waits(page->practise) ||
                             needs_more(parts, &body.fit, &larger.fit);
    if (without_sentences)
        body = larger;
    if (!practise_panel_answered(page->practise))
        return body;
    Page other = *page;
    other.answer_beside = true;
    Body beside =
        lay_out(&(PageParts){parts->canvas, &other}, area, without_sentences, 0);
    return page_part_fits_better(&beside.fit, &body.fit) ? beside : body;
}

/* Reports whether type is larger than usual, in words or picture, and nowhere smaller. An
 * answer that is larger may stand without what the usual one has with it. */
static bool is_larger(const Body *body, const Body *usual) {
    const PartFit *fit = &body->fit, *was = &usual->fit;
    if (body->parts > usual->parts)
        return is_picture_as_good(body, usual) && body->most > usual->most;
    return fit->troubles <= was->troubles && fit->scale >= was->scale &&
           fit->cells >= was->cells && body->least >= usual->least &&
           body->most >= usual->most &&
           (fit->scale > was->scale || body->least > usual->least ||
            body->most > usual->most);
}

/* Lays out type larger than presented pages need, limited so that picture, numbers and
 * words keep their size. Sets the page's type to the result. */
static Body lay_out_wished(const PageParts *parts, Box area, Page *page) {
    double wished = page->text_scale;
    page->text_scale = 1;
    Body usual = lay_out_best(parts, area);
    for (; wished > 1; wished = text_scale_below(wished)) {
        page->text_scale = wished;
        for (page->answer = usual.parts; page->answer < ANSWER_PARTS_COUNT;
             page->answer++) {
            Body body = lay_out(parts, area, usual.without_sentences, usual.fit.cells);
            if (is_larger(&body, &usual))
                return body;
            if (!practise_panel_answered(page->practise))
                break;
        }
    }
    page->text_scale = 1;
    return usual;
}

void page_body_draw(const PageParts *parts, Box area) {
    Page page = *parts->page;
    Canvas canvas = *parts->canvas;
    PageParts drawn = {&canvas, &page};
    Body body = page.presents && text_scale_is_wished(&page)
                    ? lay_out_wished(&drawn, area, &page)
                    : lay_out_best(&drawn, area);
    page.without_sentences = body.without_sentences;
    page.answer_beside = body.answer.w > 0;
    page.answer = body.parts;
    canvas.least = words_are_usual(page.words) ? text_least_of(&page) : 0;
    page_part_draw_at(&drawn, body.words, page_words_draw, body.scale);
    if (page.answer_beside)
        page_part_draw_at(&drawn, body.answer, answer_line_draw, body.scale);
    canvas.scene->picture = body.below;
    canvas.least = body.fit.least;
    canvas.digits = body.fit.digits;
    if (text_scale_of(&page) > 1)
        page_part_draw_at(&drawn, body.below, page_stage_draw, body.fit.scale);
    else
        page_stage_draw(&drawn, body.below);
}
