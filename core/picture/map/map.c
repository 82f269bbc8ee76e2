#include "picture/map/map.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/model/generate_step.h"
#include "picture/draw/canvas.h"
#include "picture/explain/explain.h"
#include "picture/formula/formula.h"
#include "picture/map/map_parts.h"
#include "picture/map/towers.h"
#include "picture/stage/stage.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double LIST_WIDTH = 250, PAD = 16, ENTRY_HEIGHT = 42, ENTRY_GAP = 8,
                    CHAPTER_PAD = 10, CHAPTER_UNITS = 17, CHAPTER_LEADING = 22,
                    ENTRY_UNITS = 20, WORDS_UNITS = 17; /* symbols look smaller */
enum { CHAPTER_LINES = 2 };

/* One line of the map: a chapter's name or a statement. */
typedef struct Entry {
    const char *chapter; /* NULL: a statement */
    size_t statement;
    double height; /* points */
} Entry;

static double inner_width(const PageParts *parts) {
    return map_width(parts) - 2 * PAD;
}

static double chapter_height(const PageParts *parts, const char *words) {
    const Canvas *canvas = parts->canvas;
    size_t lines;
    double height = paragraph_measure_with(canvas->metrics, canvas->insets, FONT_BOLD,
                                           canvas_size(canvas, CHAPTER_UNITS, words),
                                           inner_width(parts), CHAPTER_LEADING,
                                           CHAPTER_LINES, words, &lines);
    return height + CHAPTER_PAD;
}

static size_t list_entries(const PageParts *parts, Entry *entries) {
    const Canvas *canvas = parts->canvas;
    const Lesson *lesson = parts->page->player->lesson;
    size_t count = 0;
    for (size_t i = 0; i < lesson->step_count; i++) {
        const Text *chapter = &lesson->steps[i].chapter;
        if (!text_is_empty(chapter)) {
            const char *words = text_in(chapter, canvas->language);
            entries[count++] = (Entry){words, i, chapter_height(parts, words)};
        }
        entries[count++] = (Entry){NULL, i, ENTRY_HEIGHT + ENTRY_GAP};
    }
    return count;
}

/* Finds the entries [first, end) around the present statement that fit `room`: as many
 * before as behind, unless one side runs out. */
static void window_around(const Entry *entries, size_t count, size_t present, double room,
                          size_t *first, size_t *end) {
    *first = present;
    *end = present + 1;
    double used = entries[present].height;
    bool grew = true;
    while (grew) {
        grew = false;
        if (*end < count && used + entries[*end].height <= room) {
            used += entries[(*end)++].height;
            grew = true;
        }
        if (*first > 0 && used + entries[*first - 1].height <= room) {
            used += entries[--(*first)].height;
            grew = true;
        }
    }
}

static double name_width(const Canvas *canvas, const char *name, double units) {
    return canvas_formula_extent(canvas, name, canvas_size(canvas, units, "")).width;
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
    canvas_line(stage->canvas, is_named ? FONT_TEXT : FONT_MONO, WORDS_UNITS, ink, box,
                text);
}

/* Draws a statement's formula if it fits, else its result's name and, if there is room
 * beside it, its description; a name is cut only if it alone doesn't fit. While a
 * question asks for an order, only the name; if the description would reveal an answer,
 * nothing. */
static void draw_entry_words(const PageParts *parts, size_t statement, Box box,
                             Color ink) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    const LessonStep *step = &player->lesson->steps[statement];
    Theme plain = role_one_ink(canvas->theme, ink);
    Canvas toned = *canvas;
    toned.theme = &plain;
    if (statement >= player_statement(player) &&
        practise_panel_is_choice(parts->page->practise)) {
        bool present = statement == player_statement(player);
        canvas_label(&toned, FONT_BOLD, 15, ink,
                     (Point){box.x, round(box.y + box.h / 2 + 5)}, LABEL_LEFT,
                     present ? "?" : "");
        return;
    }
    double size = canvas_size(canvas, ENTRY_UNITS, "");
    double least = fmax(size - 2, label_min_size(""));
    bool orders = practise_panel_orders(parts->page->practise) && !step->film;
    const char *formula = step->formula && !step->film && !orders ? step->formula : "";
    FormulaExtent extent = canvas_formula_fit(&toned, formula, least, box.w, &size);
    bool fits = formula[0] && extent.width <= box.w &&
                extent.ascent + extent.descent <= box.h * 0.84;
    double baseline = box.y + box.h / 2 + (extent.ascent - extent.descent) / 2;
    if (fits) {
        formula_draw(canvas->scene, canvas->metrics, &plain, formula, size,
                     (Point){box.x, baseline});
        return;
    }
    Stage stage = {.canvas = &toned, .tape = player->lesson->tape, .player = player};
    const char *name = short_name(&stage, statement, true);
    const char *words = orders ? "" : done_words(canvas, player, statement);
    double gap = 10, words_size = canvas_size(canvas, WORDS_UNITS, words),
           words_width = canvas_text_width(canvas, FONT_TEXT, words_size, words);
    bool both =
        words[0] && name_width(&toned, name, ENTRY_UNITS) + gap + words_width <= box.w;
    const char *elided = short_name(&stage, statement, both || orders);
    if (name_width(&toned, elided, ENTRY_UNITS) <= box.w)
        name = elided;
    size = canvas_size(canvas, ENTRY_UNITS, "");
    extent = canvas_formula_fit(&toned, name, label_min_size(""), box.w, &size);
    if (extent.width > box.w) {
        draw_cut_name(&stage, statement, box, ink);
        return;
    }
    baseline = box.y + box.h / 2 + (extent.ascent - extent.descent) / 2;
    formula_draw(canvas->scene, canvas->metrics, &plain, name, size,
                 (Point){box.x, baseline});
    if (both)
        canvas_text(canvas, FONT_TEXT, words_size, ink,
                    (Point){box.x + extent.width + gap,
                            label_baseline(box.y + box.h / 2, words_size)},
                    LABEL_LEFT, words);
}

static void draw_statement(const PageParts *parts, size_t statement, Box box) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    size_t current = player_statement(player);
    bool present = statement == current, done = statement < current;
    canvas_link(canvas,
                (Link){LINK_STEP, player_statement_step(player, statement), 0, 0});
    map_box(canvas, box, present);
    double side = 22;
    Box picture = {box.x + 10, box.y + (box.h - side) / 2, side, side};
    size_t result = player->lesson->steps[statement].result;
    if (done || present || map_shows_ahead(parts, result))
        map_thumbnail(parts, result, picture);
    else
        canvas_dot(canvas, (Point){picture.x + side / 2, picture.y + side / 2}, 5,
                   (Color){0}, theme->ink_faint, 2);
    double left = picture.x + side + 12;
    Box words = {left, box.y, box.x + box.w - left - 8, box.h};
    draw_entry_words(parts, statement, words,
                     present ? theme->current_ink
                     : done  ? theme->ink
                             : theme->ink_faint);
    if (player_muted(player, player_statement_step(player, statement)))
        map_strike(canvas, words);
    canvas_unlink(canvas);
}

static void draw_chapter(const PageParts *parts, const char *words, Box box) {
    const Canvas *canvas = parts->canvas;
    box.y += round(CHAPTER_PAD / 2);
    paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_BOLD,
                        canvas_size(canvas, CHAPTER_UNITS, words),
                        canvas->theme->ink_faint, box, CHAPTER_LEADING, CHAPTER_LINES,
                        words);
}

/* Draws "⋯" above or below, where the lesson continues. */
static void draw_more(const Canvas *canvas, double middle, double y) {
    canvas_label(canvas, FONT_BOLD, 14, canvas->theme->ink_faint, (Point){middle, y},
                 LABEL_CENTER, "…");
}

double map_width(const PageParts *parts) {
    const Lesson *lesson = parts->page->player->lesson;
    return round(lesson->model_step_count ? towers_width(lesson->model) : LIST_WIDTH);
}

void map_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Lesson *lesson = parts->page->player->lesson;
    canvas_fill(canvas, area, 0, canvas->theme->panel);
    canvas_fill(canvas, (Box){area.x + area.w - 1, area.y, 1, area.h}, 0,
                canvas->theme->line);
    if (lesson->model_step_count) {
        towers_draw(parts, lesson->model, area);
        return;
    }
    double small = towers_small_height(parts);
    if (small > 0)
        towers_draw_small(parts, box_take_top(&area, small));
    Entry *entries =
        arena_alloc(canvas->scene->arena, 2 * lesson->step_count, sizeof *entries);
    size_t count = list_entries(parts, entries), present = 0, first, end;
    while (entries[present].chapter ||
           entries[present].statement != player_statement(parts->page->player))
        present++;
    double pad = PAD, more = 20;
    Box inner = {area.x + pad, area.y + more, area.w - 2 * pad, area.h - 2 * more};
    window_around(entries, count, present, inner.h, &first, &end);
    if (first > 0)
        draw_more(canvas, inner.x + inner.w / 2, inner.y - 4);
    for (size_t i = first; i < end; i++) {
        Box line = box_take_top(&inner, entries[i].height);
        if (entries[i].chapter) {
            draw_chapter(parts, entries[i].chapter, line);
            continue;
        }
        line.h -= ENTRY_GAP;
        draw_statement(parts, entries[i].statement, line);
    }
    if (end < count)
        draw_more(canvas, inner.x + inner.w / 2, area.y + area.h - 6);
}
