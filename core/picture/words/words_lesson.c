#include "picture/words/words_parts.h"

#include "lesson/content/content.h"
#include "picture/draw/canvas.h"
#include "picture/scene/theme.h"

#include <math.h>

/* Texts about a lesson as a whole: above its first words the goal and the lessons it
 * builds on, on its last page the summary. */

static const double GOAL_UNITS = 15, LINE_UNITS = 20, LEADING = 1.4, BELOW = 8;
static const double NUMERAL = 34, RING = 13, NUMERAL_UNITS = 15;

/* ---- the goal ---- */

static WordsText quiet(const PageParts *parts, const char *text) {
    return (WordsText){.font = FONT_TEXT,
                       .units = GOAL_UNITS,
                       .leading = LEADING,
                       .lines = 2,
                       .color = parts->canvas->theme->ink_faint,
                       .text = text};
}

/* Text of the goal: "Goal: …   Builds on: 8 One attention head"; on presented pages only
 * the goal. */
static const char *goal_words(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    const char *goal = text_in(&page->player->lesson->goal, canvas->language);
    if (goal[0])
        goal = canvas_words(canvas, "lesson.goal", goal, NULL);
    if (page->presents || !page->needs || !page->needs[0])
        return goal;
    const char *needs = canvas_words(canvas, "lesson.needs", page->needs, NULL);
    return goal[0] ? canvas_format(canvas, "%s   %s", goal, needs) : needs;
}

/* Reports whether a text fits on one line; presented pages show the goal only then. */
static bool is_one_line(const PageParts *parts, const WordsText *text, Box area) {
    const Canvas *canvas = parts->canvas;
    double size = canvas_size(canvas, text->units, text->text);
    return canvas_text_width(canvas, text->font, size, text->text) <= area.w;
}

double words_goal(const PageParts *parts, Box area, bool draw) {
    const Player *player = parts->page->player;
    const PlayerStep *at = player_step(player);
    if (at->statement || at->depth > 1 || parts->page->words != WORDS_USUAL)
        return 0;
    WordsText text = quiet(parts, goal_words(parts));
    if (!text.text[0] || (parts->page->presents && !is_one_line(parts, &text, area)))
        return 0;
    return words_text(parts, &text, area, draw) + BELOW;
}

/* ---- summary ---- */

static double line(const PageParts *parts, size_t index, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    const Lesson *lesson = parts->page->player->lesson;
    double indent = NUMERAL;
    WordsText text = {.font = FONT_TEXT,
                      .units = parts->page->presents ? GOAL_UNITS : LINE_UNITS,
                      .leading = LEADING,
                      .lines = 2,
                      .color = canvas->theme->ink,
                      .text = text_in(&lesson->remember[index], canvas->language)};
    Box rest = {area.x + indent, area.y, area.w - indent, area.h};
    if (draw) {
        double size = canvas_size(canvas, text.units, text.text);
        Point middle = {area.x + RING, area.y + round(size * LEADING / 2)};
        canvas_outline(canvas,
                       (Box){middle.x - RING, middle.y - RING, 2 * RING, 2 * RING}, RING,
                       canvas->theme->ink_faint, 1.5);
        canvas_label(canvas, FONT_BOLD, NUMERAL_UNITS, canvas->theme->ink_soft,
                     (Point){middle.x, middle.y + 6}, LABEL_CENTER,
                     canvas_count(canvas, index + 1));
    }
    return words_text(parts, &text, rest, draw) + BELOW;
}

double words_remember(const PageParts *parts, Box area, bool draw) {
    size_t count = parts->page->player->lesson->remember_count;
    Box rest = area;
    for (size_t i = 0; i < count; i++)
        rest.y += line(parts, i, rest, draw);
    return rest.y - area.y;
}
