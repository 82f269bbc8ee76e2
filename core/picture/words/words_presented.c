#include "picture/words/words.h"
#include "picture/words/words_parts.h"

#include "base/strings/utf8.h"
#include "picture/draw/canvas.h"
#include "picture/explain/practising.h"
#include "picture/formula/formula.h"

#include <math.h>
#include <string.h>

/* The words on presented pages: the question in one line, its formula at the end of the
 * line if there is room, and as many whole sentences as fit two lines. */

static const double HEADING_UNITS = 22, SMALLEST_HEADING = 17, FORMULA_UNITS = 22,
                    SMALLEST_FORMULA = 16, TEXT_UNITS = 16, TEXT_LEADING = 1.4,
                    HEADING_LEADING = 1.2;
static const double GAP = 28, BELOW_HEADING = 5;
static const double FORMULA_BESIDE = 1.1; /* relative to the heading's height */
/* Fraction of the width for sentences beside it. */
static const double LEAST_BESIDE = 0.45;
static const double FORMULA_PART = 0.55; /* fraction of the width in larger type */
enum { TEXT_LINES = 2, LINES_MOST = 4 };

/* End of a text's first sentence, behind its punctuation mark. */
static size_t sentence_end(const char *text) {
    static const char *const marks[] = {". ", "? ", "! ", "。", "？", "！"};
    size_t end = strlen(text);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *found = strstr(text, marks[i]);
        size_t mark = marks[i][1] == ' ' ? 1 : strlen(marks[i]);
        if (found && (size_t)(found - text) + mark < end)
            end = (size_t)(found - text) + mark;
    }
    return end;
}

static size_t lines_of(const Canvas *canvas, double width, const char *text) {
    double size = canvas_size(canvas, TEXT_UNITS, text);
    size_t lines;
    paragraph_measure_with(canvas->metrics, canvas->insets, FONT_TEXT, size, width,
                           size * TEXT_LEADING, LINES_MOST + 1, text, &lines);
    return lines;
}

/* Sentences that fit TEXT_LINES, at least the first. */
static const char *first_sentences(const Canvas *canvas, double width, const char *text) {
    size_t end = sentence_end(text);
    const char *sentences = canvas_format(canvas, "%.*s", (int)end, text);
    while (text[end]) {
        size_t next = end + sentence_end(text + end);
        const char *longer = canvas_format(canvas, "%.*s", (int)next, text);
        if (lines_of(canvas, width, longer) > TEXT_LINES)
            return sentences;
        sentences = longer;
        end = next;
    }
    return sentences;
}

/* Draws the formula at the right end of the heading's line, if there is room beside a
 * heading of the given width; returns the area it takes. Larger type doesn't reduce the
 * formula: the heading has the rest. */
static Box draw_formula(const PageParts *parts, Box area, double heading, bool draw) {
    const Canvas *canvas = parts->canvas;
    const char *formula = words_formula_of(parts);
    double gap = GAP, size = canvas_size(canvas, FORMULA_UNITS, "");
    double room = area.w - heading - gap;
    if (parts->page->text_scale > 1)
        room = fmax(room, area.w * FORMULA_PART);
    FormulaExtent extent = canvas_formula_fit(
        canvas, formula, canvas_size(canvas, SMALLEST_FORMULA, ""), room, &size);
    if (extent.width > room)
        return (Box){0};
    if (draw)
        formula_draw(canvas->scene, canvas->metrics, canvas->theme, formula, size,
                     (Point){area.x + area.w - extent.width, area.y + extent.ascent});
    return (Box){0, 0, extent.width + gap, extent.ascent + extent.descent};
}

/* The heading in one line, or in two if the smallest type is too large for one. */
static WordsText heading_of(const PageParts *parts, double room, double *width) {
    const Canvas *canvas = parts->canvas;
    WordsText heading = {.font = FONT_BOLD,
                         .units = HEADING_UNITS,
                         .leading = HEADING_LEADING,
                         .lines = 2,
                         .color = canvas->theme->ink,
                         .text = generated_words(parts, "heading", NULL)};
    for (;; heading.units--) {
        double size = canvas_size(canvas, heading.units, heading.text);
        *width = label_width_with(canvas->metrics, canvas->insets, FONT_BOLD, size,
                                  heading.text);
        if (*width <= room || heading.units <= SMALLEST_HEADING)
            break;
    }
    *width = fmin(ceil(*width) + 1, room);
    return heading;
}

const char *words_in_brief(const PageParts *parts, double width) {
    return first_sentences(parts->canvas, width, generated_words(parts, "say", NULL));
}

double words_presented(const PageParts *parts, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    double width;
    WordsText heading = heading_of(parts, area.w, &width);
    Box formula = draw_formula(parts, area, width, draw), rest = area;
    rest.w -= formula.w;
    double height = words_text(parts, &heading, rest, draw);
    if (formula.h > height * FORMULA_BESIDE && rest.w < area.w * LEAST_BESIDE) {
        height = formula.h; /* sentences beside it would be too narrow */
        formula.h = 0;
    }
    if (formula.h <= height * FORMULA_BESIDE)
        rest.w = area.w;                        /* nothing stands beside the sentences */
    if (words_source(parts, rest, false) > 0) { /* replaces the other sentences */
        rest.y += height;
        return fmax(height + words_source(parts, rest, draw), formula.h);
    }
    if (parts->page->without_sentences || practise_panel_answered(parts->page->practise))
        return fmax(height, formula.h);
    height += BELOW_HEADING;
    rest.y += height;
    WordsText say = {.font = FONT_TEXT,
                     .units = TEXT_UNITS,
                     .leading = TEXT_LEADING,
                     .lines = LINES_MOST,
                     .color = canvas->theme->ink_soft,
                     .text = words_in_brief(parts, rest.w)};
    return fmax(height + words_text(parts, &say, rest, draw), formula.h);
}
