#include "picture/map/map.h"
#include "picture/map/map_parts.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/model/generate_step.h"
#include "picture/explain/explain.h"
#include "picture/formula/formula.h"
#include "picture/scene/theme.h"
#include "picture/stage/stage.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double LIST_WIDTH = 250, PAD = 16, ENTRY_HEIGHT = 42, ENTRY_GAP = 8,
                    CHAPTER_PAD = 10, MARK = 22, MARK_GAP = 10, MORE = 20;
static const double HIGH = 0.84; /* largest height of a formula in its box */
enum { CHAPTER_LINES = 2 };

/* One line of the map: a chapter's name or a statement. */
typedef struct Entry {
    const char *chapter; /* NULL: a statement */
    size_t statement;
} Entry;

static TextBlock chapter_text(const Canvas *canvas, const char *words) {
    return text_block(canvas, FONT_BOLD, TYPE_TEXT, canvas->theme->ink_faint,
                      CHAPTER_LINES, words);
}

/* Lists the entries with their heights; returns their number. */
static size_t list_entries(const PageParts *parts, Entry *entries, double *heights) {
    const Canvas *canvas = parts->canvas;
    const Lesson *lesson = parts->page->player->lesson;
    size_t count = 0;
    for (size_t i = 0; i < lesson->step_count; i++) {
        const Text *chapter = &lesson->steps[i].chapter;
        if (!text_is_empty(chapter)) {
            TextBlock words = chapter_text(canvas, text_in(chapter, canvas->language));
            double height = text_block_height(canvas, &words, map_width(parts) - 2 * PAD);
            entries[count] = (Entry){words.text, i};
            heights[count++] = height + CHAPTER_PAD;
        }
        entries[count] = (Entry){NULL, i};
        heights[count++] = ENTRY_HEIGHT + ENTRY_GAP;
    }
    return count;
}

/* Reports whether a step's last operation is plain arithmetic on two tables, whose name,
 * "add", means little. */
static bool is_arithmetic(const Player *player, const PlayerStep *step) {
    const TapeNode *node = tape_node(player->lesson->tape, step->node);
    const Operation *operation = operation_of(node->operation);
    return operation->work == OPERATION_WORK_BY_CELL && node->input_count == 2 &&
           (!step->topic || strcmp(step->topic, operation->name) == 0);
}

/* Short description of a statement: its composite's or operation's; empty for arithmetic,
 * training, generated text and several shown tables. */
static const char *done_words(const Canvas *canvas, const Player *player,
                              size_t statement) {
    const LessonStep *step = &player->lesson->steps[statement];
    size_t at = player_statement_step(player, statement);
    bool plain = step->shown_count || step->generate || step->film ||
                 is_arithmetic(player, &player->steps[at]);
    return plain ? "" : stage_step_words(canvas, player, at);
}

/* Name that identifies a statement without room for its formula: its result's, the
 * generated text's, or that of the watched tensor; with "…" for what is left out, unless
 * that is obvious. */
static const char *short_name(const Stage *stage, size_t statement, bool is_named) {
    const Canvas *canvas = stage->canvas;
    const LessonStep *step = &stage->player->lesson->steps[statement];
    const char *name =
        stage_formula_name(stage, step->shown_count ? step->shown[0] : step->result);
    if (step->generate)
        name = canvas_format(canvas, "\\tensor{%s}", step->generate->name);
    if (step->film)
        name = canvas_format(canvas, "%s(t)", name);
    if (step->shown_count > 1)
        return canvas_format(canvas, "%s, \\ldots", name);
    bool elides = !is_named && !step->shown_count && step->formula;
    return elides ? canvas_format(canvas, "%s = \\ldots", name) : name;
}

/* Draws as much of a statement's name as has room: its own words, or its result as
 * typed. */
static void draw_cut_name(const Stage *stage, size_t statement, Box box, Color ink) {
    static const char words[] = "\\text{";
    size_t result = stage->player->lesson->steps[statement].result, begin = strlen(words);
    const char *name = stage_formula_name(stage, result);
    bool is_named = strncmp(name, words, begin) == 0;
    const char *text = is_named
                           ? canvas_format(stage->canvas, "%.*s",
                                           (int)strcspn(name + begin, "}"), name + begin)
                           : stage_node(stage, result)->name;
    text_line(stage->canvas, is_named ? FONT_TEXT : FONT_MONO, TYPE_TEXT, ink, box,
              LABEL_LEFT, text);
}

/* Draws a formula at the left end of a box, down to a least size; returns its width, or
 * 0, and draws nothing, if it doesn't fit. */
static double draw_formula(const Canvas *canvas, const char *source, double least,
                           Box box) {
    double size = canvas_size(canvas, TYPE_LARGE, "");
    FormulaExtent extent = canvas_formula_fit(canvas, source, least, box.w, &size);
    if (!source[0] || extent.width > box.w ||
        extent.ascent + extent.descent > HIGH * box.h)
        return 0;
    double baseline = box.y + (box.h + extent.ascent - extent.descent) / 2;
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, source, size,
                 (Point){box.x, baseline});
    return extent.width;
}

/* Draws a statement's formula if it fits, else its result's name and, if there is room
 * beside it, its description; a name is cut only if it alone doesn't fit. While a
 * question asks for an order, only the name; if the description would reveal an answer,
 * nothing. */
static void draw_entry_words(const PageParts *parts, size_t statement, Box box,
                             Color ink) {
    const Player *player = parts->page->player;
    const LessonStep *step = &player->lesson->steps[statement];
    Theme plain = role_one_ink(parts->canvas->theme, ink);
    Canvas toned = *parts->canvas;
    const Canvas *canvas = &toned;
    toned.theme = &plain;
    if (statement >= player_statement(player) &&
        practise_panel_is_choice(parts->page->practise)) {
        bool present = statement == player_statement(player);
        text_line(canvas, FONT_BOLD, TYPE_TEXT, ink, box, LABEL_LEFT, present ? "?" : "");
        return;
    }
    bool orders = practise_panel_orders(parts->page->practise) && !step->film;
    const char *formula = step->formula && !step->film && !orders ? step->formula : "";
    if (draw_formula(canvas, formula, TYPE_LARGE - 1, box) > 0)
        return;
    Stage stage = {.canvas = canvas, .tape = player->lesson->tape, .player = player};
    const char *name = short_name(&stage, statement, true);
    const char *words = orders ? "" : done_words(canvas, player, statement);
    double size = canvas_size(canvas, TYPE_LARGE, "");
    double room = box.w - text_line_width(canvas, FONT_TEXT, TYPE_TEXT, words) - MARK_GAP;
    bool both = words[0] && canvas_formula_extent(canvas, name, size).width <= room;
    const char *elided = short_name(&stage, statement, both || orders);
    if (canvas_formula_extent(canvas, elided, size).width <= box.w)
        name = elided;
    double width = draw_formula(canvas, name, label_min_size(""), box);
    box_take_left(&box, width > 0 ? width + MARK_GAP : 0);
    if (width <= 0)
        draw_cut_name(&stage, statement, box, ink);
    else if (both)
        text_line(canvas, FONT_TEXT, TYPE_TEXT, ink, box, LABEL_LEFT, words);
}

static void draw_statement(const PageParts *parts, size_t statement, Box box) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    size_t current = player_statement(player),
           step = player_statement_step(player, statement);
    bool present = statement == current, done = statement < current;
    canvas_link(canvas, (Link){LINK_STEP, step, 0, 0});
    map_box(canvas, box, present);
    box_take_left(&box, MARK_GAP);
    Box mark = box_take_left(&box, MARK);
    mark = (Box){mark.x, mark.y + (mark.h - MARK) / 2, MARK, MARK};
    size_t result = player->lesson->steps[statement].result;
    if (done || present || map_shows_ahead(parts, result))
        map_thumbnail(parts, result, mark);
    else
        map_ring(canvas, mark);
    box = box_narrowed(box, MARK_GAP);
    draw_entry_words(parts, statement, box,
                     present ? theme->current_ink
                     : done  ? theme->ink
                             : theme->ink_faint);
    if (player_muted(player, step))
        map_strike(canvas, box);
    canvas_unlink(canvas);
}

/* Draws "…" above or below, where the lesson continues. */
static void draw_more(const Canvas *canvas, Box line) {
    text_line(canvas, FONT_BOLD, TYPE_SMALL, canvas->theme->ink_faint, line, LABEL_CENTER,
              "…");
}

static bool has_towers(const Lesson *lesson) {
    return lesson->model_step_count || lesson->lists_model_steps;
}

double map_width(const PageParts *parts) {
    const Lesson *lesson = parts->page->player->lesson;
    return round(has_towers(lesson) ? towers_width(lesson->model) : LIST_WIDTH);
}

void map_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Lesson *lesson = parts->page->player->lesson;
    canvas_fill(canvas, area, 0, canvas->theme->panel);
    canvas_fill(canvas, (Box){area.x + area.w - 1, area.y, 1, area.h}, 0,
                canvas->theme->line);
    if (has_towers(lesson)) {
        towers_draw(parts, lesson->model, area);
        return;
    }
    double small = towers_small_height(parts);
    if (small > 0)
        towers_draw_small(parts, box_take_top(&area, small));
    size_t most = 2 * lesson->step_count, present = 0, first, end;
    Entry *entries = arena_alloc(canvas->scene->arena, most, sizeof *entries);
    double *heights = arena_alloc(canvas->scene->arena, most, sizeof *heights);
    size_t count = list_entries(parts, entries, heights);
    while (entries[present].chapter ||
           entries[present].statement != player_statement(parts->page->player))
        present++;
    Box inner = box_narrowed(area, PAD);
    Box above = box_take_top(&inner, MORE), below = box_take_bottom(&inner, MORE);
    window_around(heights, count, present, inner.h, 0, &first, &end);
    if (first > 0)
        draw_more(canvas, above);
    for (size_t i = first; i < end; i++) {
        Box line = box_take_top(&inner, heights[i]);
        if (entries[i].chapter) {
            TextBlock words = chapter_text(canvas, entries[i].chapter);
            line.y += round(CHAPTER_PAD / 2);
            text_block_draw(canvas, &words, line);
        } else {
            line.h -= ENTRY_GAP;
            draw_statement(parts, entries[i].statement, line);
        }
    }
    if (end < count)
        draw_more(canvas, below);
}
