#include "lesson/content/content.h"
#include "lesson/content/sources.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/draw/marks.h"
#include "picture/draw/token.h"
#include "picture/tensors/views.h"
#include "text/vocabulary.h"

#include <math.h>

/* Lookup of IDs. The text stands on the left, one token per line; in the middle the
 * vocabulary with its IDs; a line leads from each token to its entry, and on to its ID.
 * Of a long vocabulary only the entries that are used are drawn, with "⋮" for those
 * between, and the number of those without room at the end. A text too long for one
 * column stands in lines, as chips, beside the vocabulary, in which its tokens are
 * highlighted. */

/* In units. */
static const double TOKEN_ROW = 56, LEAST_TOKEN_ROW = 27, ROW = 42, LEAST_ROW = 22;
static const double LETTERS = 24, WORDS = 20, SMALLEST = 15, PATH = 190, PAD = 16;
static const double HEADING = 16, HEAD = 40, FRAME = 4, COLUMN_GAP = 18;
static const double LEFT_OUT = 0.6;       /* height of "⋮" in rows */
static const double COLUMNS_SHARE = 0.48; /* of the width, at most, beside a long text */
enum { COLUMNS_MAX = 3 };

typedef struct Lookup {
    const Stage *stage;
    const LessonSource *source;
    const Vocabulary *vocabulary;
    Series ids;         /* of the text's tokens */
    size_t *rows;       /* entry of each token, or VOCABULARY_TOKENS_MAX */
    size_t entry_count; /* number of entries that are drawn */
    size_t *entries;    /* numbers of the drawn entries, in order */
    double lines;       /* height in rows, "⋮" included */
    double row, size;   /* height of an entry, and its letters' size */
    double numbers;     /* widest ID of an entry */
    double token_row, token_size;
    Box tokens, table, numbers_box;
} Lookup;

/* ---- choice of entries ---- */

static bool is_used(const Lookup *lookup, size_t entry) {
    for (size_t i = 0; i < lookup->ids.count; i++) {
        if (lookup->rows[i] == entry)
            return true;
    }
    return false;
}

/* Finds the entry of each token's ID, which the user may have changed. */
static void find_rows(Lookup *lookup) {
    Arena *arena = lookup->stage->canvas->scene->arena;
    size_t all = vocabulary_count(lookup->vocabulary);
    lookup->rows = arena_alloc(arena, lookup->ids.count, sizeof *lookup->rows);
    lookup->entries = arena_alloc(arena, all, sizeof *lookup->entries);
    for (size_t i = 0; i < lookup->ids.count; i++)
        lookup->rows[i] = VOCABULARY_TOKENS_MAX;
    for (size_t entry = 0; entry < all; entry++) {
        size_t id = vocabulary_at(lookup->vocabulary, entry)->id;
        for (size_t i = 0; i < lookup->ids.count; i++) {
            if (lookup->ids.values[i] == (double)id)
                lookup->rows[i] = entry;
        }
    }
}

/* Chooses all entries, or those that the text uses, as many as have room. */
static void choose_entries(Lookup *lookup, bool all, double room) {
    size_t count = vocabulary_count(lookup->vocabulary), next = 0;
    lookup->entry_count = 0;
    lookup->lines = 0;
    for (size_t entry = 0; entry < count; entry++) {
        if (!all && !is_used(lookup, entry))
            continue;
        double needed = (entry > next ? LEFT_OUT : 0) + 1 + (all ? 0 : LEFT_OUT);
        if (lookup->lines + needed > room)
            break;
        lookup->lines += (entry > next ? LEFT_OUT : 0) + 1;
        lookup->entries[lookup->entry_count++] = entry;
        next = entry + 1;
    }
    lookup->lines += next < count ? LEFT_OUT : 0;
}

/* Number of entries that the text uses and that had no room. */
static size_t lacking(const Lookup *lookup) {
    size_t used = 0, chosen = 0;
    for (size_t entry = 0; entry < vocabulary_count(lookup->vocabulary); entry++)
        used += is_used(lookup, entry);
    for (size_t i = 0; i < lookup->entry_count; i++)
        chosen += is_used(lookup, lookup->entries[i]);
    return used - chosen;
}

/* ---- the vocabulary ---- */

static const VocabularyEntry *entry_at(const Lookup *lookup, size_t index) {
    return vocabulary_at(lookup->vocabulary, lookup->entries[index]);
}

static const char *entry_text(const void *of, size_t index) {
    const Lookup *lookup = of;
    return token_text(lookup->stage->canvas, entry_at(lookup, index)->text);
}

static const char *entry_id(const void *of, size_t index) {
    const Lookup *lookup = of;
    return canvas_count(lookup->stage->canvas, entry_at(lookup, index)->id);
}

/* Measures the entries; returns the width of a table. */
static double measure_entries(Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    lookup->size = fmax(fmin(canvas_size(canvas, WORDS, ""), floor(lookup->row * 0.7)),
                        canvas_least(canvas, "一"));
    lookup->numbers = chart_widest(canvas, FONT_BOLD, lookup->size, lookup->entry_count,
                                   entry_id, lookup);
    return ceil(chart_widest(canvas, FONT_BOLD, lookup->size, lookup->entry_count,
                             entry_text, lookup) +
                lookup->numbers + 3.5 * PAD);
}

/* Draws entry `index` of those drawn: the token on the left, its ID on the right. */
static void draw_entry(const Lookup *lookup, size_t index, Box box) {
    const Canvas *canvas = lookup->stage->canvas;
    const Theme *theme = canvas->theme;
    size_t entry = lookup->entries[index];
    bool used = is_used(lookup, entry);
    FontRole font = used ? FONT_BOLD : FONT_TEXT;
    Color ink = used ? theme->ink : theme->ink_faint;
    if (used)
        canvas_fill(canvas, box_inset(box, 1), 3,
                    palette_mix(theme->page, theme->ink_faint, 40));
    if (series_has_focus(&lookup->ids) && lookup->rows[lookup->ids.focus] == entry)
        canvas_outline(canvas, box_inset(box, 1), 3, theme->focus, 2);
    Box words = {box.x + PAD, box.y, box.w - 2.5 * PAD - lookup->numbers, box.h};
    chart_text(canvas, font, lookup->size, ink, words, LABEL_LEFT,
               entry_text(lookup, index));
    canvas_text(
        canvas, font, lookup->size, ink,
        (Point){box.x + box.w - PAD, label_baseline(box.y + box.h / 2, lookup->size)},
        LABEL_RIGHT, entry_id(lookup, index));
}

static void draw_left_out(const Lookup *lookup, double end) {
    const Box *table = &lookup->table;
    double gap = LEFT_OUT * lookup->row;
    mark_left_out(lookup->stage->canvas, (Point){table->x + table->w / 2, end - gap / 2},
                  gap);
}

/* Writes "+ 2 …" at the table's end. It counts as a text that is cut off, so a larger
 * area or smaller scale is preferred. */
static void draw_lacking(const Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    const Box *table = &lookup->table;
    double middle = table->y + table->h - LEFT_OUT * lookup->row / 2;
    canvas_text(canvas, FONT_TEXT, lookup->size, canvas->theme->ink_soft,
                (Point){table->x + table->w / 2, label_baseline(middle, lookup->size)},
                LABEL_CENTER, canvas_format(canvas, "+ %zu …", lacking(lookup)));
}

/* Box of an entry in the table; empty if it isn't drawn. */
static Box entry_box(const Lookup *lookup, size_t entry) {
    double y = lookup->table.y;
    size_t next = 0;
    for (size_t i = 0; i < lookup->entry_count; i++) {
        y += lookup->entries[i] > next ? LEFT_OUT * lookup->row : 0;
        if (lookup->entries[i] == entry)
            return (Box){lookup->table.x, round(y), lookup->table.w, lookup->row};
        y += lookup->row;
        next = lookup->entries[i] + 1;
    }
    return (Box){0};
}

static const char *heading_of(const void *of, size_t index) {
    const Lookup *lookup = of;
    const Canvas *canvas = lookup->stage->canvas;
    const char *count = canvas_count(canvas, vocabulary_count(lookup->vocabulary));
    (void)index;
    return canvas_words(canvas, "view.vocabulary", count, NULL);
}

static double heading_width(const Lookup *lookup) {
    return ceil(
        chart_widest(lookup->stage->canvas, FONT_BOLD, HEADING, 1, heading_of, lookup));
}

static void draw_heading(const Lookup *lookup, double x, double y) {
    const Canvas *canvas = lookup->stage->canvas;
    canvas_label(canvas, FONT_BOLD, HEADING, canvas->theme->ink_soft, (Point){x, y},
                 LABEL_LEFT, heading_of(lookup, 0));
}

static void draw_table(const Lookup *lookup) {
    const Canvas *canvas = lookup->stage->canvas;
    size_t next = 0;
    canvas_outline(canvas, box_inset(lookup->table, -FRAME), 6, canvas->theme->line, 1.5);
    for (size_t i = 0; i < lookup->entry_count; i++) {
        Box box = entry_box(lookup, lookup->entries[i]);
        if (lookup->entries[i] > next)
            draw_left_out(lookup, box.y);
        draw_entry(lookup, i, box);
        next = lookup->entries[i] + 1;
    }
    if (lacking(lookup))
        draw_lacking(lookup);
    else if (next < vocabulary_count(lookup->vocabulary))
        draw_left_out(lookup, lookup->table.y + lookup->table.h);
    draw_heading(lookup, lookup->table.x, lookup->table.y - 14);
}

/* ---- a text in one column ---- */

/* Text of a token as it is written in the text. */
static const char *written(const Lookup *lookup, size_t index) {
    const char *word = lookup->source->written ? lookup->source->written[index] : NULL;
    return word ? word : lookup->ids.labels[index];
}

static void measure_tokens(Lookup *lookup, double height) {
    const Canvas *canvas = lookup->stage->canvas;
    lookup->token_row = floor(fmin(height / (double)lookup->ids.count, TOKEN_ROW));
    lookup->token_size =
        fmax(fmin(canvas_size(canvas, LETTERS, ""), floor((lookup->token_row - 4) / 2.1)),
             fmax(canvas_size(canvas, SMALLEST, "") - 2, canvas_least(canvas, "一")));
    lookup->tokens.w = 0;
    for (size_t i = 0; i < lookup->ids.count; i++)
        lookup->tokens.w = fmax(lookup->tokens.w, token_width(canvas, lookup->token_size,
                                                              written(lookup, i)));
}

static Box token_box(const Lookup *lookup, size_t index) {
    double width = fmin(
        token_width(lookup->stage->canvas, lookup->token_size, written(lookup, index)),
        lookup->tokens.w);
    double height = fmin(token_height(lookup->token_size), lookup->token_row - 2);
    return (Box){
        lookup->tokens.x + lookup->tokens.w - width,
        round(lookup->tokens.y + lookup->token_row * ((double)index + 0.5) - height / 2),
        width, height};
}

static void draw_path(const Canvas *canvas, Point from, Point to, bool now) {
    Color color = now ? canvas->theme->focus : canvas->theme->ink_faint;
    color.a = now ? 255 : 120;
    curve_draw(canvas, from, to, now ? 3 : 2, color);
}

static void draw_paths(const Lookup *lookup, size_t index, bool now) {
    const Canvas *canvas = lookup->stage->canvas;
    Box token = token_box(lookup, index), entry = entry_box(lookup, lookup->rows[index]);
    double gap = 8, middle = entry.y + entry.h / 2;
    if (entry.h == 0 || !series_is_visible(&lookup->ids, index))
        return;
    draw_path(canvas, (Point){token.x + token.w + gap, token.y + token.h / 2},
              (Point){entry.x - gap, middle}, now);
    draw_path(canvas, (Point){entry.x + entry.w + gap, middle},
              (Point){lookup->numbers_box.x - gap, token.y + token.h / 2}, now);
}

static void draw_token(const Lookup *lookup, size_t index) {
    const Canvas *canvas = lookup->stage->canvas;
    TokenKind kind = token_kind(lookup->ids.labels[index]);
    Token token = {.label = written(lookup, index),
                   .kind = kind == TOKEN_SUBWORD ? TOKEN_WORD : kind,
                   .present = index == lookup->ids.focus,
                   .size = lookup->token_size};
    canvas_link(canvas, series_link(&lookup->ids, index));
    token_draw(canvas, &token, token_box(lookup, index));
    canvas_unlink(canvas);
}

static void draw_number(const Lookup *lookup, size_t index) {
    const Canvas *canvas = lookup->stage->canvas;
    const Theme *theme = canvas->theme;
    Box box = token_box(lookup, index);
    Box number = {lookup->numbers_box.x, box.y, lookup->numbers_box.w, box.h};
    bool visible = series_is_visible(&lookup->ids, index);
    canvas_link(canvas, series_link(&lookup->ids, index));
    canvas_fill(canvas, number, 4, palette_mix(theme->page, theme->ink_faint, 40));
    chart_text(canvas, FONT_BOLD, lookup->token_size, theme->ink, number, LABEL_CENTER,
               visible ? series_number(&lookup->ids, index) : "?");
    canvas_unlink(canvas);
    if (index == lookup->ids.focus)
        canvas_outline(canvas, box_inset(number, -2), 5, theme->focus, 2);
}

static const char *number_text(const void *of, size_t index) {
    return series_number(of, index);
}

static void place(Lookup *lookup, Box area) {
    const Canvas *canvas = lookup->stage->canvas;
    lookup->row = floor(fmin(area.h / fmax(lookup->lines, 1), ROW));
    double entries = measure_entries(lookup);
    measure_tokens(lookup, area.h);
    double number =
        2 * PAD + ceil(chart_widest(canvas, FONT_BOLD, lookup->token_size,
                                    lookup->ids.count, number_text, &lookup->ids));
    lookup->tokens.w = fmin(lookup->tokens.w, area.w * 0.3);
    double table = fmin(fmax(entries, heading_width(lookup)), area.w * 0.45);
    double path = fmin(PATH, (area.w - lookup->tokens.w - table - number) / 2);
    double used = lookup->tokens.w + table + number + 2 * path;
    double x = round(area.x + (area.w - used) / 2);
    double height = lookup->token_row * (double)lookup->ids.count;
    lookup->tokens =
        (Box){x, round(area.y + (area.h - height) / 2), lookup->tokens.w, height};
    x += lookup->tokens.w + path;
    lookup->table = (Box){x, round(area.y + (area.h - lookup->lines * lookup->row) / 2),
                          table, lookup->lines * lookup->row};
    lookup->numbers_box = (Box){x + table + path, lookup->tokens.y, number, height};
}

static void draw_columns(Lookup *lookup, Box area) {
    place(lookup, area);
    draw_table(lookup);
    for (size_t i = 0; i < lookup->ids.count; i++) {
        if (i != lookup->ids.focus)
            draw_paths(lookup, i, false);
    }
    if (series_has_focus(&lookup->ids))
        draw_paths(lookup, lookup->ids.focus, true);
    for (size_t i = 0; i < lookup->ids.count; i++) {
        draw_token(lookup, i);
        draw_number(lookup, i);
    }
}

/* ---- a long text ---- */

/* Draws the vocabulary in columns on the right, and the text as chips in the rest. */
static void draw_beside(Lookup *lookup, ViewPlace place_in_grid) {
    Stage left = *lookup->stage;
    double head = HEAD;
    double height = left.area.h - head;
    size_t most = (size_t)fmax(floor(height / LEAST_ROW), 1);
    size_t all = vocabulary_count(lookup->vocabulary);
    choose_entries(lookup, all <= most * COLUMNS_MAX, (double)(most * COLUMNS_MAX));
    size_t columns = (lookup->entry_count + most - 1) / most;
    size_t each = (lookup->entry_count + columns - 1) / columns;
    lookup->row = floor(fmin(height / fmax((double)each, 1), ROW));
    double width =
        fmin(measure_entries(lookup), left.area.w * COLUMNS_SHARE / (double)columns);
    width =
        fmax(width, (heading_width(lookup) + COLUMN_GAP) / (double)columns - COLUMN_GAP);
    double used = width * (double)columns + COLUMN_GAP * (double)(columns - 1);
    Box right = box_take_right(&left.area, used);
    box_take_right(&left.area, 2 * COLUMN_GAP);
    for (size_t i = 0; i < lookup->entry_count; i++)
        draw_entry(lookup, i,
                   (Box){right.x + (width + COLUMN_GAP) * (double)(i / each),
                         right.y + head + lookup->row * (double)(i % each), width,
                         lookup->row});
    draw_heading(lookup, right.x, right.y + head - 14);
    chips_view(&left, place_in_grid);
}

void vocabulary_view(const Stage *stage, ViewPlace place_in_grid) {
    Lookup lookup = {.stage = stage,
                     .source =
                         lesson_source_of(stage->player->lesson->sources, stage->node),
                     .ids = view_series_of_all(stage)};
    lookup.vocabulary = lookup.source->tokenizer->vocabulary;
    find_rows(&lookup);
    Box area = stage->area;
    box_take_top(&area, HEAD);
    box_take_bottom(&area, FRAME);
    double tokens = area.h / (double)lookup.ids.count;
    double rows = floor(area.h / LEAST_ROW);
    if (tokens < LEAST_TOKEN_ROW || place_in_grid.count > 1) {
        draw_beside(&lookup, place_in_grid);
        return;
    }
    choose_entries(&lookup, (double)vocabulary_count(lookup.vocabulary) <= rows, rows);
    draw_columns(&lookup, area);
}
