#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "picture/draw/canvas.h"
#include "picture/explain/practising.h"
#include "picture/scene/theme.h"
#include "picture/words/words_parts.h"

static const double TEXT_UNITS = 16, LEADING = 1.4, GAP = 8, BAR = 4, INDENT = 16;

/* Text of the source, "The slow walk: it prints …"; NULL for none. Hidden while a
 * question is open, and on pages with only a picture. */
static const char *text_of(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    const Player *player = page->player;
    const LessonStep *step = player_words(player, player->step);
    const char *said = text_in(&step->compared, canvas->language);
    if (!page->sources || !*said || page->lens.kind == LINK_CELL ||
        practise_panel_waits(page->practise) ||
        player_step(player)->node != step->result ||
        !lesson_has_source(player->lesson, step))
        return NULL;
    const char *document = step->document ? step->document : player->lesson->document;
    if (!document)
        return said;
    const char *key = canvas_format(canvas, "document.%s", document);
    if (language_has(canvas->language, key))
        document = canvas_string(canvas, key);
    return canvas_words(canvas, "list.named", document, said, NULL);
}

double words_source(const PageParts *parts, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    const char *said = text_of(parts);
    if (!said)
        return 0;
    double gap = GAP, indent = INDENT;
    WordsText text = {.font = FONT_TEXT,
                      .units = TEXT_UNITS,
                      .leading = LEADING,
                      .lines = 3,
                      .color = canvas->theme->ink,
                      .text = said};
    Box rest = {area.x + indent, area.y + gap, area.w - indent, area.h};
    double height = words_text(parts, &text, rest, draw);
    if (draw)
        canvas_fill(canvas, (Box){area.x, rest.y, BAR, height}, 0, canvas->theme->accent);
    return gap + height;
}
