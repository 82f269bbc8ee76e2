#include "lesson/code/code.h"
#include "picture/draw/canvas.h"
#include "picture/words/words_parts.h"

#include <math.h>
#include <string.h>

static const double CODE_UNITS = 16, LEADING = 1.4, LABEL_UNITS = 14, LABEL_WIDTH = 92,
                    GAP = 8, SMALLEST_FRACTION = 0.8;
enum { MOST_LINES = 6 }; /* for each language */

/* Lines of one language during layout. */
typedef struct Listing {
    const PageParts *parts;
    double size, leading;
    Box area;
    bool draw;
    size_t used; /* lines of the page used */
} Listing;

static size_t lines_of(const Listing *listing, const char *text) {
    size_t lines;
    paragraph_measure(listing->parts->canvas->metrics, FONT_MONO, listing->size,
                      listing->area.w, listing->leading, MOST_LINES, text, &lines);
    return lines;
}

static void put_text(Listing *listing, Color color, const char *text) {
    const Canvas *canvas = listing->parts->canvas;
    Box area = listing->area;
    area.y += (double)listing->used * listing->leading;
    if (listing->draw)
        canvas_paragraph(canvas, FONT_MONO, listing->size, color, area, listing->leading,
                         MOST_LINES, text);
    listing->used += lines_of(listing, text);
}

/* Writes as many of the code's lines as have room, then the number of the others. */
static void put_lines(Listing *listing, const CodeStep *code) {
    const Canvas *canvas = listing->parts->canvas;
    for (size_t i = 0; i < code->count; i++) {
        bool is_last = i + 1 == code->count;
        if (i == 0 ||
            listing->used + lines_of(listing, code->lines[i]) + !is_last <= MOST_LINES) {
            put_text(listing, canvas->theme->ink, code->lines[i]);
            continue;
        }
        const char *count = canvas_count(canvas, code->count - i);
        put_text(listing, canvas->theme->ink_faint,
                 canvas_words(canvas, "words.more_lines", count, NULL));
        return;
    }
}

/* Writes the functions that the lines call, if there is room below. */
static void put_functions(Listing *listing, const char *functions) {
    const Canvas *canvas = listing->parts->canvas;
    size_t ends = 0;
    for (const char *at = functions; *at; at++)
        ends += *at == '\n';
    if (!ends || ends >= MOST_LINES)
        return;
    const char *text =
        canvas_format(canvas, "%.*s", (int)strlen(functions) - 1, functions);
    put_text(listing, canvas->theme->ink_soft, text);
}

/* Largest size at which all lines have room unbroken, else the smallest. */
static double size_for(const PageParts *parts, const CodeStep *code, double width) {
    const Canvas *canvas = parts->canvas;
    double size = canvas_size(canvas, CODE_UNITS, "");
    double smallest = fmax(round(size * SMALLEST_FRACTION), label_min_size(""));
    double widest = 0;
    for (size_t i = 0; i < code->count; i++)
        widest = fmax(widest, canvas_text_width(canvas, FONT_MONO, size, code->lines[i]));
    return widest > width ? fmax(floor(size * width / widest), smallest) : size;
}

static double put_language(const PageParts *parts, const Code *code,
                           CodeLanguage language, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    CodeStep lines =
        code_step(code, language, player, player->step, canvas->scene->arena);
    double label = LABEL_WIDTH;
    Box inner = {area.x + label, area.y, area.w - label, area.h};
    double size = size_for(parts, &lines, inner.w);
    Listing listing = {parts, size, round(size * LEADING), inner, draw, 0};
    put_functions(&listing, code_functions(code, language, &lines, canvas->scene->arena));
    put_lines(&listing, &lines);
    if (draw)
        canvas_label(canvas, FONT_TEXT, LABEL_UNITS, canvas->theme->ink_faint,
                     (Point){area.x, area.y + listing.leading * 0.75}, LABEL_LEFT,
                     code_language_title(language));
    return (double)listing.used * listing.leading;
}

double words_code(const PageParts *parts, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    Code code = code_of(parts->page->player, canvas->scene->arena);
    Box rest = area;
    for (CodeLanguage i = 0; i < CODE_LANGUAGE_COUNT; i++)
        box_take_top(&rest, put_language(parts, &code, i, rest, draw) + GAP);
    return rest.y - area.y;
}
