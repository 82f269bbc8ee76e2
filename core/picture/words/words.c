#include "picture/words/words.h"
#include "picture/words/words_parts.h"

#include "lesson/content/content.h"
#include "picture/draw/canvas.h"

#include <math.h>
#include <string.h>

static const double LEAST_HEIGHT = 104; /* points, so that the stage seldom moves */
static const double STORY_FRACTION =
    0.23; /* of the page's height, for words with a story */

/* ---- the depths ---- */

typedef double WordsPart(const PageParts *parts, Box area, bool draw);

static const struct {
    const char *name;
    WordsPart *part;
} depths[WORDS_COUNT] = {
    [WORDS_USUAL] = {"usual", words_usual},
    [WORDS_STORY] = {"story", words_usual},
    [WORDS_NUMBERS] = {"numbers", words_numbers},
    [WORDS_FORMULA] = {"formula", words_formula},
    [WORDS_CODE] = {"code", words_code},
};

const char *words_name(WordsDepth depth) {
    return depths[depth].name;
}

bool words_from_name(const char *name, WordsDepth *depth) {
    for (WordsDepth i = WORDS_USUAL; i < WORDS_COUNT; i++) {
        if (strcmp(depths[i].name, name) == 0) {
            *depth = i;
            return true;
        }
    }
    return false;
}

/* Lays out or draws the usual words, and below them the story if there is room. */
static double lay_out_usual(const PageParts *parts, Box area, bool draw) {
    const Page *page = parts->page;
    double height = words_usual(parts, area, draw);
    Box rest = {area.x, area.y + height, area.w, area.h};
    double story = page->words == WORDS_STORY && !page->without_sentences
                       ? words_story(parts, rest, false)
                       : 0;
    if (story > 0 && height + story <= page->height * STORY_FRACTION) {
        height += story;
        if (draw)
            words_story(parts, rest, true);
    }
    return fmax(height, page->without_sentences ? 0 : LEAST_HEIGHT);
}

/* Lays out or draws the heading, a depth's words and the source. */
static double lay_out_below_heading(const PageParts *parts, WordsPart *part, Box area,
                                    bool draw) {
    Box rest = area;
    rest.y += words_text(parts, STYLE_HEADING, generated_words(parts, "heading", NULL),
                         rest, draw) +
              8;
    rest.y += part(parts, rest, draw);
    return rest.y - area.y + words_source(parts, rest, draw);
}

/* Lays out or draws the words; returns their height. A lesson's last page has its summary
 * at any depth. */
static double lay_out(const PageParts *parts, Box area, bool draw) {
    const Page *page = parts->page;
    double goal = words_goal(parts, area, draw);
    box_take_top(&area, goal);
    double concept = words_concept(parts, area, draw);
    box_take_top(&area, concept);
    goal += concept;
    if (player_words(page->player, page->player->step)->closes)
        return goal + lay_out_below_heading(parts, words_remember, area, draw);
    if (!words_are_usual(page->words))
        return goal +
               fmax(lay_out_below_heading(parts, depths[page->words].part, area, draw),
                    LEAST_HEIGHT);
    if (page->presents)
        return goal + words_presented(parts, area, draw);
    return goal + lay_out_usual(parts, area, draw);
}

double words_height(const PageParts *parts, double width) {
    return lay_out(parts, (Box){0, 0, width, parts->page->height}, false);
}

void words_draw(const PageParts *parts, Box area) {
    lay_out(parts, area, true);
}

/* ---- choice of depth ---- */

double words_choice_draw(const PageParts *parts, Box strip) {
    const Canvas *canvas = parts->canvas;
    WordsDepth present = parts->page->words;
    double right = strip.x + strip.w, baseline = round(strip.y + strip.h * 0.55);
    for (WordsDepth depth = WORDS_COUNT - 1; depth > WORDS_USUAL; depth--) {
        bool shown = depth == present || (depth == WORDS_STORY && present == WORDS_USUAL);
        const char *name =
            canvas_string(canvas, canvas_format(canvas, "words.%s", words_name(depth)));
        canvas_link(canvas, (Link){LINK_WORDS, depth, 0, 0});
        Box drawn = canvas_label(canvas, shown ? FONT_BOLD : FONT_TEXT, 18,
                                 shown ? canvas->theme->ink : canvas->theme->ink_faint,
                                 (Point){right, baseline}, LABEL_RIGHT, name);
        canvas_unlink(canvas);
        right = drawn.x - 16;
    }
    return right;
}
