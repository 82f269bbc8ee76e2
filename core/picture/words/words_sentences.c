#include "picture/words/words.h"
#include "picture/words/words_parts.h"

#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "picture/draw/canvas.h"
#include "picture/draw/roles.h"
#include "picture/explain/explain.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Words that are only paragraphs: a lesson's goal and summary, a step's story, the text
 * of its source. */

/* ---- the goal ---- */

static const double BELOW = 8;

/* Text of the goal: "Goal: …   Builds on: 8 One attention head"; on presented pages only
 * the goal. */
static const char *goal_words(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    const char *goal = text_in(&page->player->lesson->goal, canvas->language);
    if (goal[0])
        goal = canvas_words(canvas, "lesson.goal", goal, NULL);
    size_t minutes = page->player->lesson->minutes;
    if (minutes) {
        const char *time = canvas_words(canvas, "lesson.minutes",
                                        canvas_format(canvas, "%zu", minutes), NULL);
        goal = goal[0] ? canvas_format(canvas, "%s   %s", time, goal) : time;
    }
    if (page->presents || !page->needs || !page->needs[0])
        return goal;
    const char *needs = canvas_words(canvas, "lesson.needs", page->needs, NULL);
    return goal[0] ? canvas_format(canvas, "%s   %s", goal, needs) : needs;
}

double words_goal(const PageParts *parts, Box area, bool draw) {
    const PlayerStep *at = player_step(parts->page->player);
    if (at->statement || at->depth > 1 || !words_are_usual(parts->page->words))
        return 0;
    const char *text = goal_words(parts);
    double size = words_size(parts, STYLE_GOAL, text);
    bool wide = canvas_text_width(parts->canvas, FONT_TEXT, size, text) > area.w;
    if (!text[0] || (parts->page->presents && wide)) /* only one line is presented */
        return 0;
    return words_text(parts, STYLE_GOAL, text, area, draw) + BELOW;
}

/* ---- the concept ---- */

double words_concept(const PageParts *parts, Box area, bool draw) {
    const LessonStep *words = player_step(parts->page->player)->words;
    const char *text = words ? text_in(&words->concept, parts->canvas->language) : "";
    WordsStyle style = parts->page->presents ? STYLE_PRESENTED_CONCEPT : STYLE_CONCEPT;
    return text[0] ? words_text(parts, style, text, area, draw) : 0;
}

/* ---- the summary ---- */

static const double NUMERAL_UNITS = 15, BEHIND_RING = 8, LEADING = 1.4;
static const double RING = 13.0 / 15; /* of a numeral's size */

double words_remember(const PageParts *parts, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Lesson *lesson = parts->page->player->lesson;
    WordsStyle style = parts->page->presents ? STYLE_PRESENTED_REMEMBER : STYLE_REMEMBER;
    double size = canvas_size(canvas, NUMERAL_UNITS, "");
    double pitch = LEADING * words_size(parts, style, "一") + BELOW;
    double ring = fmin(round(size * RING), floor(pitch / 2) - 1); /* they don't touch */
    double numeral = 2 * ring + BEHIND_RING;
    Box rest = {area.x + numeral, area.y, area.w - numeral, area.h};
    for (size_t i = 0; i < lesson->remember_count; i++) {
        const char *text = text_in(&lesson->remember[i], canvas->language);
        double first_line = LEADING * words_size(parts, style, text);
        Point middle = {area.x + ring, rest.y + round(first_line / 2)};
        if (draw) {
            canvas_dot(canvas, middle, ring, (Color){0}, theme->ink_faint, 1.5);
            canvas_label(canvas, FONT_BOLD, NUMERAL_UNITS, theme->ink_soft,
                         (Point){middle.x, label_baseline(middle.y, size)}, LABEL_CENTER,
                         canvas_count(canvas, i + 1));
        }
        rest.y += words_text(parts, style, text, rest, draw) + BELOW;
    }
    return rest.y - area.y;
}

/* ---- the story ---- */

static const double WIDEST = 1100; /* points: a readable line */
static const double STORY_GAP = 6;

/* Key of the story of an attention's product, or of the weights of a cross-attention;
 * NULL for other operations. */
static const char *part_in_attention(const Tape *tape, const PlayerStep *at) {
    static const char *const keys[ROLE_COUNT] = {[ROLE_QUERY] = "story.query",
                                                 [ROLE_KEY] = "story.key",
                                                 [ROLE_VALUE] = "story.value"};
    if (strcmp(at->topic, operation_of(OPERATION_SOFTMAX)->name) == 0 &&
        strstr(tape_node(tape, at->node)->name, "cross_attention"))
        return "story.cross_attention";
    if (strcmp(at->topic, operation_of(OPERATION_MATMUL)->name) != 0)
        return NULL;
    const size_t *inputs = tape_node(tape, at->node)->inputs;
    if (role_of_node(tape, inputs[0]) == ROLE_QUERY &&
        role_of_node(tape, inputs[1]) == ROLE_KEY)
        return "story.scores";
    return keys[role_of_node(tape, at->node)];
}

double words_story(const PageParts *parts, Box area, bool draw) {
    const Player *player = parts->page->player;
    const LessonStep *step = &player->lesson->steps[player_statement(player)];
    Box rest = {area.x, area.y + STORY_GAP, fmin(area.w, WIDEST), area.h};
    bool projects = step->view == LESSON_VIEW_PROJECTIONS;
    if (step->shown_count && !projects) /* other shown tables compute nothing */
        return 0;
    const char *key = projects
                          ? "story.projections"
                          : part_in_attention(player->lesson->tape, player_step(player));
    const char *story =
        key ? canvas_string(parts->canvas, key) : words_general(parts, "story");
    return STORY_GAP + words_text(parts, STYLE_STORY, story, rest, draw);
}

/* ---- the source ---- */

static const double SOURCE_GAP = 8, BAR = 4, INDENT = 16;

/* Text of the source, "The slow walk: it prints …"; NULL for none. Hidden while a
 * question is open, and on pages with only a picture. */
static const char *source_words(const PageParts *parts) {
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
    const char *said = source_words(parts);
    if (!said)
        return 0;
    Box rest = {area.x + INDENT, area.y + SOURCE_GAP, area.w - INDENT, area.h};
    double height = words_text(parts, STYLE_SOURCE, said, rest, draw);
    if (draw)
        canvas_fill(canvas, (Box){area.x, rest.y, BAR, height}, 0, canvas->theme->accent);
    return SOURCE_GAP + height;
}
