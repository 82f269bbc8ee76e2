
#include "picture/tensors/views.h"
#include "tensor/tensor.h"

#include <math.h>

static const double ROW_UNITS = 17; /* letters of a row of chips */
static const double GAP_UNITS = 10; /* between two chips */
static const double SENTENCE_GAP = 8, NOW_UNITS = 15;
static const double BEFORE_FRACTION = 0.7; /* of the room, up to the present token */
static const double MORE = 26;             /* room of "…" */
static const double SAYS_ARROW = 36;       /* units, with the gap behind the arrow */

void chip_draw(const Canvas *canvas, const char *label, bool present, double size,
               Link link, Box box) {
    TokenKind kind = token_kind(label);
    Token token = {.label = label,
                   .kind = kind == TOKEN_SUBWORD ? TOKEN_WORD : kind,
                   .present = present,
                   .size = size};
    canvas_link(canvas, link);
    token_draw(canvas, &token, box);
    canvas_unlink(canvas);
}

static void draw_more(const Canvas *canvas, Box strip, double x) {
    canvas_label(canvas, FONT_TEXT, ROW_UNITS, canvas->theme->ink_faint,
                 (Point){x, round(strip.y + strip.h * 0.62)}, LABEL_LEFT, "…");
}

/* ---- a tensor's rows in one line ---- */

double token_row_height(const Canvas *canvas) {
    return token_height(canvas_size(canvas, ROW_UNITS, "一"));
}

static double row_chip_width(const Stage *stage, size_t row) {
    const Canvas *canvas = stage->canvas;
    const char *const *labels = stage_tensor(stage, stage->node)->row_labels;
    double size = canvas_size(canvas, ROW_UNITS, "一");
    return token_width(canvas, size, view_label(canvas, labels, row)) + GAP_UNITS;
}

/* Finds the rows [*first, *end) that fit into `room`: those before `row` in most of it,
 * and as many behind it as there is room for. */
static void window_around(const Stage *stage, size_t row, double room, size_t *first,
                          size_t *end) {
    size_t rows = stage_tensor(stage, stage->node)->rows;
    double used = row_chip_width(stage, row);
    for (*first = row; *first > 0; --*first) {
        double width = row_chip_width(stage, *first - 1);
        if (used + width > room * (row + 1 < rows ? BEFORE_FRACTION : 1))
            break;
        used += width;
    }
    for (*end = row + 1; *end < rows; ++*end) {
        used += row_chip_width(stage, *end);
        if (used > room)
            break;
    }
}

void token_row_draw(const Stage *stage, Box strip, size_t row, size_t col) {
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, stage->node);
    size_t first, end;
    window_around(stage, row, strip.w - 3 * MORE, &first, &end);
    double x = strip.x + (first > 0 ? MORE : 0);
    double right = strip.x + strip.w - (end < tensor->rows ? MORE : 0);
    if (right - x < MORE)
        return; /* no room for a word */
    if (first > 0)
        draw_more(canvas, strip, strip.x);
    for (size_t i = first; i < end; i++) {
        double width = fmin(row_chip_width(stage, i), right + GAP_UNITS - x);
        chip_draw(canvas, view_label(canvas, tensor->row_labels, i), i == row,
                  canvas_size(canvas, ROW_UNITS, "一"),
                  (Link){LINK_CELL, stage->node, i, col},
                  (Box){x, strip.y, width - GAP_UNITS, strip.h});
        x += width;
    }
    if (end < tensor->rows)
        draw_more(canvas, strip, x);
}

/* ---- a sentence ---- */

const char *const *sentence_words(const Tensor *ids) {
    return ids->rows == 1 && ids->col_labels ? ids->col_labels : ids->row_labels;
}

double sentence_width(const Canvas *canvas, const Tensor *ids, size_t first,
                      double size) {
    double width = 0;
    for (size_t i = first; i < tensor_cells(ids); i++)
        width += token_width(canvas, size, sentence_words(ids)[i]) +
                 (i > first ? SENTENCE_GAP : 0);
    return width;
}

double sentence_draw(const Stage *stage, size_t ids, Box strip, double size, bool marks) {
    const Canvas *canvas = stage->canvas;
    const Tensor *text = stage_tensor(stage, ids);
    Series words = series_of_all(canvas, text);
    words.node = ids;
    size_t first = 0;
    while (size > canvas_least(canvas, "一") &&
           sentence_width(canvas, text, 0, size) > strip.w)
        size--;
    while (first + 1 < words.count &&
           sentence_width(canvas, text, first, size) + (first ? MORE : 0) > strip.w)
        first++;
    if (first)
        draw_more(canvas, strip, strip.x);
    double height = token_height(size), x = strip.x + (first ? MORE : 0);
    for (size_t i = first; i < words.count; i++) {
        const char *label = words.labels[i];
        Box box = {x, round(strip.y + (strip.h - height) / 2),
                   fmin(token_width(canvas, size, label), strip.x + strip.w - x), height};
        if (box.w < size)
            break;
        chip_draw(canvas, label, marks && i + 1 == words.count, size,
                  series_link(&words, i), box);
        x += box.w + SENTENCE_GAP;
    }
    return x - strip.x - SENTENCE_GAP;
}

const char *sentence_now(const Canvas *canvas, const char *now) {
    return now ? canvas_words(canvas, "view.now_says", token_text(canvas, now), NULL)
               : "";
}

/* Strikes a chip out and writes the token predicted now behind it, or `below` it. */
static void draw_now(const Canvas *canvas, Box chip, Box strip, const char *now,
                     bool below) {
    const char *text = sentence_now(canvas, now);
    double size = canvas_size(canvas, NOW_UNITS, text), gap = 10;
    double end = strip.x + strip.w, left = below ? chip.x : chip.x + chip.w + gap;
    double middle = round(chip.y + chip.h / 2) + 0.5;
    Box room = {left, chip.y, end - left, chip.h};
    if (below) {
        room.y += chip.h;
        room.h = strip.y + strip.h - room.y;
    }
    scene_line(canvas->scene, (Point){chip.x + 4, middle},
               (Point){chip.x + chip.w - 4, middle}, 2, canvas->theme->ink_soft);
    if (room.h > canvas_least(canvas, text) * 0.8)
        chart_text(canvas, FONT_BOLD, size, canvas->theme->ink, room, LABEL_LEFT, text);
}

/* Reports whether there is room behind a chip for the token predicted now. */
static bool has_room(const Canvas *canvas, double room, const char *now) {
    const char *text = sentence_now(canvas, now);
    return canvas_text_width(canvas, FONT_BOLD, canvas_least(canvas, text), text) + 10 <=
           room;
}

double sentence_next_width(const Canvas *canvas, double size, const char *word) {
    return SAYS_ARROW + token_width(canvas, size, word);
}

void sentence_draw_next(const Stage *stage, Box strip, double size, const char *word,
                        const char *now, Link link, bool marks) {
    const Canvas *canvas = stage->canvas;
    double head = 7, middle = strip.y + strip.h / 2;
    double x = strip.x + SAYS_ARROW, height = token_height(size);
    double width = fmin(token_width(canvas, size, word), strip.x + strip.w - x);
    bool below = now && !has_room(canvas, strip.x + strip.w - x - width, now);
    if (below)
        middle = strip.y + height / 2; /* leaves the most room */
    Point tip = {strip.x + 26, round(middle) + 0.5};
    canvas_arrow(canvas, (Point){strip.x, tip.y}, tip, 2, head, canvas->theme->ink_soft);
    Box chip = {x, round(middle - height / 2), width, height};
    if (width >= size)
        chip_draw(canvas, word, marks, size, link, chip);
    if (width >= size && now)
        draw_now(canvas, chip, strip, now, below);
}
