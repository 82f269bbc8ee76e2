#include "picture/words/words.h"
#include "picture/words/words_parts.h"

#include "base/strings/glossary.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "model/build/layers.h"
#include "picture/draw/canvas.h"
#include "picture/formula/formula.h"
#include "picture/stage/stage.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Paragraphs and formulas of the words, and the texts of a step. */

enum { MOST_LINES = 10 };
static const double SMALLEST_FRACTION = 0.75;
/* Fraction of a line: a shorter last line is an orphan. */
static const double ORPHAN_FRACTION = 0.3;

typedef enum Ink { INK, SOFT, FAINT } Ink;

typedef struct Style {
    FontRole font;
    double units, leading; /* leading relative to the size */
    size_t lines;          /* a longer text is reduced */
    Ink ink;
} Style;

static const Style styles[STYLE_COUNT] = {
    [STYLE_HEADING] = {FONT_BOLD, 29, 1.25, 2, INK},
    [STYLE_SAY] = {FONT_TEXT, 17.5, 1.5, 4, SOFT},
    [STYLE_SENTENCE] = {FONT_TEXT, 17.5, 1.5, 3, SOFT},
    [STYLE_STORY] = {FONT_TEXT, 17.5, 1.5, 3, SOFT},
    [STYLE_GOAL] = {FONT_TEXT, 15, 1.4, 2, FAINT},
    [STYLE_CONCEPT] = {FONT_BOLD, 18, 1.3, 1, SOFT},
    [STYLE_REMEMBER] = {FONT_TEXT, 20, 1.4, 2, INK},
    [STYLE_SOURCE] = {FONT_TEXT, 16, 1.4, 3, INK},
    [STYLE_PRESENTED_CONCEPT] = {FONT_BOLD, 14, 1.2, 1, SOFT},
    [STYLE_PRESENTED_HEADING] = {FONT_BOLD, 22, 1.2, 2, INK},
    [STYLE_PRESENTED_SAY] = {FONT_TEXT, 16, 1.4, 4, SOFT},
    [STYLE_PRESENTED_REMEMBER] = {FONT_TEXT, 15, 1.4, 2, INK},
};

/* ---- terms of the glossary ---- */

/* Position of the line below the baseline, relative to the text's size. */
static const double BELOW = 0.2;

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

/* Underlines and links a term; `at` and `length` are bytes of the item's text. */
static void mark_term(const Canvas *canvas, const SceneItem *item, size_t at,
                      size_t length, Link link) {
    double from = item->origin.x + advance(canvas, item, at);
    double to = item->origin.x + advance(canvas, item, at + length);
    double side = fmax(round(item->size / 12), 1);
    canvas_link(canvas, link);
    canvas_target(canvas, (Box){from, item->box.y, to - from, item->box.h});
    draw_dots(canvas, from, to, round(item->origin.y + item->size * BELOW), side);
    canvas_unlink(canvas);
}

/* Marks the terms in an item that are not marked on the page already. */
static void mark_item(const PageParts *parts, const SceneItem *item) {
    const Glossary *glossary = parts->page->glossary;
    for (size_t at = 0, length; item->text[at]; at += length ? length : 1) {
        Link term = {LINK_TERM, glossary_at(glossary, item->text, at, &length), 0, 0};
        Box marked;
        if (term.index < glossary->count &&
            !scene_find(parts->canvas->scene, term, &marked))
            mark_term(parts->canvas, item, at, length, term);
    }
}

/* Marks the terms in the items from `first` on; does nothing without a glossary. */
static void mark_terms(const PageParts *parts, size_t first) {
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

/* ---- paragraphs ---- */

/* Measures a paragraph at a size; returns its height. */
static double measure(const Canvas *canvas, const Style *style, double size, double width,
                      size_t most, const char *text, size_t *lines) {
    return paragraph_measure_with(canvas->metrics, canvas->insets, style->font, size,
                                  width, round(size * style->leading), most, text, lines);
}

/* Width at which a paragraph keeps its number of lines without an orphan: if the last
 * line is nearly empty, all lines are made about equally long. */
static double balanced_width(const Canvas *canvas, const Style *style, double size,
                             double width, const char *text) {
    size_t lines, trial;
    measure(canvas, style, size, width, MOST_LINES, text, &lines);
    if (lines < 2)
        return width;
    double least = width / 2, most = width;
    while (most - least > 4) {
        double middle = floor((least + most) / 2);
        measure(canvas, style, size, middle, MOST_LINES + 1, text, &trial);
        *(trial > lines ? &least : &most) = middle;
    }
    /* Number of full lines, and the fraction of the last one. */
    double full = (double)lines - 1;
    return most * (double)lines < width * (full + ORPHAN_FRACTION) ? most : width;
}

size_t words_lines(const PageParts *parts, WordsStyle style, double width,
                   const char *text) {
    size_t lines;
    measure(parts->canvas, &styles[style], words_size(parts, style, text), width,
            MOST_LINES, text, &lines);
    return lines;
}

double words_size(const PageParts *parts, WordsStyle style, const char *text) {
    return canvas_size(parts->canvas, styles[style].units, text);
}

/* Reduces the size, down to SMALLEST_FRACTION of it, until the text fits its lines; if
 * that isn't enough, the text takes up to MOST_LINES. */
double words_sized(const PageParts *parts, WordsStyle kind, double size, const char *text,
                   Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Style *style = &styles[kind];
    const Color inks[] = {theme->ink, theme->ink_soft, theme->ink_faint};
    double smallest = fmax(round(size * SMALLEST_FRACTION), canvas_least(canvas, text));
    double height;
    size_t lines, first = canvas->scene->count;
    do {
        height = measure(canvas, style, size, area.w, MOST_LINES, text, &lines);
    } while (lines > style->lines && --size >= smallest);
    size = fmax(size, smallest);
    if (!draw)
        return height;
    area.w = balanced_width(canvas, style, size, area.w, text);
    paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, style->font, size,
                        inks[style->ink], area, round(size * style->leading), MOST_LINES,
                        text);
    mark_terms(parts, first);
    return height;
}

double words_text(const PageParts *parts, WordsStyle style, const char *text, Box area,
                  bool draw) {
    return words_sized(parts, style, words_size(parts, style, text), text, area, draw);
}

/* ---- formulas ---- */

bool words_fit(const PageParts *parts, WordsFormula *formula, double largest,
               double smallest, double width) {
    formula->size = largest;
    formula->extent = canvas_formula_fit(parts->canvas, formula->source, smallest, width,
                                         &formula->size);
    return formula->extent.width <= width;
}

void words_formula_draw(const PageParts *parts, const WordsFormula *formula, double left,
                        double top) {
    const Canvas *canvas = parts->canvas;
    const char *aloud =
        formula_aloud(canvas->scene->arena, canvas->language, formula->source);
    scene_begin_aloud(canvas->scene,
                      canvas->heard ? canvas_words(canvas, "aloud.formula", aloud, NULL)
                                    : aloud);
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, formula->source,
                 formula->size, (Point){left, top + formula->extent.ascent});
    scene_end_aloud(canvas->scene);
}

static Stage stage_of(const PageParts *parts) {
    const Player *player = parts->page->player;
    return (Stage){
        .canvas = parts->canvas, .tape = player->lesson->tape, .player = player};
}

const char *words_result_name(const PageParts *parts) {
    Stage stage = stage_of(parts);
    return stage_formula_name(&stage, player_step(stage.player)->node);
}

const char *words_formula_of(const PageParts *parts) {
    Stage stage = stage_of(parts);
    const PlayerStep *at = player_step(stage.player);
    if (at->words && at->words->formula)
        return at->words->formula;
    if (at->words && at->words->shown_count)
        return words_result_name(parts);
    const char *composite =
        at->child_count ? layers_formula(stage.tape, at->topic, at->node) : NULL;
    return composite ? composite : stage_operation_formula(&stage, at->node);
}

/* ---- texts of a step ---- */

bool words_are_usual(WordsDepth depth) {
    return depth == WORDS_USUAL || depth == WORDS_STORY;
}

const char *words_general(const PageParts *parts, const char *what) {
    const Canvas *canvas = parts->canvas;
    const PlayerStep *at = player_step(parts->page->player);
    const Tape *tape = parts->page->player->lesson->tape;
    const char *key = canvas_format(canvas, "%s.%s", what, at->topic);
    if (!language_has(canvas->language, key))
        key = canvas_format(canvas, "%s.%s", what,
                            operation_of(tape_node(tape, at->node)->operation)->name);
    return canvas_string(canvas, key);
}

const char *generated_words(const PageParts *parts, const char *what, bool *own) {
    const LessonStep *words = player_step(parts->page->player)->words;
    const char *text = NULL;
    if (words)
        text = text_in(strcmp(what, "say") == 0 ? &words->say : &words->heading,
                       parts->canvas->language);
    if (text && lesson_words_lost(parts->page->player->lesson, text))
        text = NULL; /* it describes tokens that are not there */
    if (own)
        *own = text && text[0];
    return text && text[0] ? text : words_general(parts, what);
}
