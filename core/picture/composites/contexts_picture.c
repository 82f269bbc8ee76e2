#include "picture/composites/composites.h"

#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* One token in several texts: at the top its embedding, which is the same in all of them;
 * below it, for each text, the text with the token marked, the token's vector, and the
 * token that the model predicts. At the bottom each column's numbers are dots on a
 * vertical number line, so that the columns in which the texts differ stand out. */

enum { TEXTS_MAX = LESSON_CONTEXTS_MAX + 1, DECIMALS = 3, SIZE_COUNT = 4 };

/* Lengths in units. */
static const double SIZES[SIZE_COUNT] = {1.4, 1.15, 1,
                                         0.8}; /* all other lengths' factor */
static const double STRIP = 44, GAP = 16, BETWEEN = 44, WIDEST = 96, NARROWEST = 5,
                    ARROW = 40, KEY = 26, DOTS = 88, DOTS_GAP = 14, DOT = 6, CHIP_GAP = 8,
                    HEAD_GAP = 8, LINE = 3;
static const double TEXTS_MOST = 0.5; /* of the width, beside the vectors */
static const double WORD = 18, NAME = 19, SMALL = 16, NOTE_LINES = 1.3;

typedef struct Prediction {
    size_t node, row, col;
    double probability;
} Prediction;

/* Levels of detail; each leaves out more than the one before, for smaller areas. */
typedef enum Level {
    LEVEL_ALL,
    LEVEL_NO_DOTS,
    LEVEL_NO_ANSWERS, /* and no dots */
    LEVEL_NO_NUMBERS, /* and none of these */
    LEVEL_COUNT
} Level;

typedef struct Contexts {
    const Stage *stage;
    size_t count;            /* texts */
    size_t nodes[TEXTS_MAX]; /* of each the tensor; the lesson's own text is the first */
    size_t rows[TEXTS_MAX];  /* the token's row; SIZE_MAX if a text lacks it */
    size_t embedding;        /* TAPE_NONE: none was found */
    bool is_same;            /* all texts have the same embedding */
    bool has_answers;
    Prediction said[TEXTS_MAX];
    HeatmapColors colors;
    double reach;
    /* Layout. */
    Level level;
    double size;           /* factor of all lengths */
    bool beside;           /* texts stand left of their vectors instead of above them */
    bool brief;            /* of the texts only the token and what differs */
    bool exact;            /* numbers have all their decimals */
    double letters;        /* size of the texts' letters in points */
    double texts, answers; /* widths */
    double strip, pitch;   /* height of a vector, and from one to the next */
    double digits;
    Box first;  /* the embedding's cells, or those of the first text without one */
    double top; /* of the first text's cells */
} Contexts;

/* ---- data ---- */

static const Tensor *tensor_at_text(const Contexts *c, size_t text) {
    return stage_tensor(c->stage, c->nodes[text]);
}

/* The row of a token in another text: at the same position, else the first one. */
static size_t row_of(const Tensor *tensor, const char *label, size_t row) {
    const char *const *labels = tensor->row_labels;
    if (!labels)
        return SIZE_MAX;
    if (row < tensor->rows && strcmp(labels[row], label) == 0)
        return row;
    for (size_t i = 0; i < tensor->rows; i++) {
        if (strcmp(labels[i], label) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* The row of the lesson's own text that is drawn: the focus's, also where that is in
 * another text; else the one that the lesson follows. */
static size_t own_row(const Contexts *c) {
    const Stage *stage = c->stage;
    const Tensor *own = tensor_at_text(c, 0);
    size_t row = SIZE_MAX;
    for (size_t i = 0; stage->has_focus && i < c->count; i++) {
        const Tensor *tensor = tensor_at_text(c, i);
        if (stage->focus_node == c->nodes[i] && stage->focus_row < tensor->rows)
            row = i ? row_of(own, tensor->row_labels[stage->focus_row], stage->focus_row)
                    : stage->focus_row;
    }
    if (row == SIZE_MAX && stage->has_focus && stage->focus_node == c->embedding)
        row = stage->focus_row;
    Stage without = *stage;
    without.has_focus = false;
    without.node = c->nodes[0];
    return row < own->rows ? row : view_row(&without);
}

/* Finds the first embedding of as many rows that a node is computed from. */
static size_t find_embedding(const Tape *tape, size_t node) {
    for (size_t i = 0; i < node; i++) {
        const TapeNode *at = tape_node(tape, i);
        if (at->operation == OPERATION_EMBED && !at->muted &&
            at->output.rows == tape_node(tape, node)->output.rows &&
            tape_depends(tape, node, i))
            return i;
    }
    return TAPE_NONE;
}

/* Reports whether other texts have the token, with the same embedding. */
static bool has_same_embedding(const Contexts *c) {
    size_t others[LESSON_CONTEXTS_MAX];
    if (c->embedding == TAPE_NONE ||
        lesson_find_contexts(c->stage->tape, c->embedding, others) + 1 != c->count)
        return false;
    const Tensor *own = stage_tensor(c->stage, c->embedding);
    bool same = true, any = false;
    for (size_t i = 1; i < c->count; i++) {
        const Tensor *other = stage_tensor(c->stage, others[i - 1]);
        any |= c->rows[i] < other->rows;
        for (size_t j = 0; c->rows[i] < other->rows && j < own->cols; j++)
            same &= tensor_at(other, c->rows[i], j) == tensor_at(own, c->rows[0], j);
    }
    return same && any;
}

static Prediction predicted(const Contexts *c, size_t node, size_t row) {
    const Tensor *tensor = stage_tensor(c->stage, node);
    Prediction best = {node, row, 0, NAN};
    for (size_t j = 0; j < tensor->cols; j++) {
        double value = tensor_at(tensor, row, j);
        if (value > best.probability || (isnan(best.probability) && !isnan(value))) {
            best.probability = value;
            best.col = j;
        }
    }
    return best;
}

/* Finds the token that the model predicts for each text: the first one of an answer, else
 * the one behind the text. */
static void find_predictions(Contexts *c) {
    const Tape *tape = c->stage->tape;
    size_t own = tape_find(tape, "probabilities"), others[LESSON_CONTEXTS_MAX];
    if (own == TAPE_NONE || !tape_depends(tape, own, c->nodes[0]) ||
        !stage_tensor(c->stage, own)->col_labels ||
        lesson_find_contexts(tape, own, others) + 1 != c->count)
        return;
    bool answers = tape_find(tape, "memory") != TAPE_NONE;
    c->has_answers = true;
    for (size_t i = 0; i < c->count; i++) {
        size_t node = i ? others[i - 1] : own, rows = stage_tensor(c->stage, node)->rows;
        c->has_answers &= rows > 0;
        c->said[i] = predicted(c, node, answers || !rows ? 0 : rows - 1);
    }
}

static void find_reach(Contexts *c) {
    const Canvas *canvas = c->stage->canvas;
    c->colors = stage_colors(c->stage->tape, c->nodes[0]);
    c->reach = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->rows[i] != SIZE_MAX)
            c->reach =
                fmax(c->reach,
                     heatmap_reach(canvas_row(canvas, tensor_at_text(c, i), c->rows[i])));
    }
    if (c->embedding != TAPE_NONE && c->colors == HEATMAP_SIGNED)
        c->reach = fmax(c->reach,
                        heatmap_reach(canvas_row(
                            canvas, stage_tensor(c->stage, c->embedding), c->rows[0])));
    if (c->colors == HEATMAP_PROBABILITIES)
        c->reach = 1;
}

static bool find(Contexts *c) {
    const Stage *stage = c->stage;
    if (stage->view != LESSON_VIEW_CONTEXTS)
        return false;
    c->nodes[0] = stage->step->shown_count ? stage->step->shown[0] : stage->node;
    c->count = 1 + lesson_find_contexts(stage->tape, c->nodes[0], c->nodes + 1);
    if (c->count < 2)
        return false;
    c->embedding = find_embedding(stage->tape, c->nodes[0]);
    if (c->embedding != TAPE_NONE &&
        stage_tensor(stage, c->embedding)->cols != tensor_at_text(c, 0)->cols)
        c->embedding = TAPE_NONE;
    c->rows[0] = own_row(c);
    const Tensor *own = tensor_at_text(c, 0);
    for (size_t i = 1; i < c->count; i++)
        c->rows[i] =
            row_of(tensor_at_text(c, i), own->row_labels[c->rows[0]], c->rows[0]);
    c->is_same = has_same_embedding(c);
    find_predictions(c);
    find_reach(c);
    return true;
}

/* ---- layout ---- */

static double at_size(const Contexts *c, double units) {
    return round(units * c->size);
}

/* Reports whether a text's token isn't that of the lesson's own text there. */
static bool differs_from_own(const Contexts *c, size_t text, size_t index) {
    const Tensor *tensor = tensor_at_text(c, text), *own = tensor_at_text(c, 0);
    return index >= own->rows || index >= tensor->rows ||
           strcmp(own->row_labels[index], tensor->row_labels[index]) != 0;
}

/* Reports whether a token of a text is drawn, and not left out as one of "…". */
static bool is_drawn(const Contexts *c, size_t text, size_t index) {
    bool drawn = !c->brief || index == c->rows[text];
    for (size_t i = 1; i < c->count && !drawn; i++)
        drawn = differs_from_own(c, i, index);
    return drawn;
}

/* Width of a token, or of "…" for the first of those left out; 0 for the others. */
static double piece_width(const Contexts *c, size_t text, size_t index, double letters) {
    const Canvas *canvas = c->stage->canvas;
    const Tensor *tensor = tensor_at_text(c, text);
    if (is_drawn(c, text, index))
        return token_width(canvas, letters, tensor->row_labels[index]) + CHIP_GAP;
    bool first = !index || is_drawn(c, text, index - 1);
    return first ? canvas_text_width(canvas, FONT_TEXT, letters, "…") + CHIP_GAP : 0;
}

static double text_width(const Contexts *c, size_t text, double letters) {
    double width = -CHIP_GAP;
    for (size_t i = 0; i < tensor_at_text(c, text)->rows; i++)
        width += piece_width(c, text, i, letters);
    return width;
}

static double widest_text(const Contexts *c, double letters) {
    double widest = 0;
    for (size_t i = 0; i < c->count; i++)
        widest = fmax(widest, text_width(c, i, letters));
    return ceil(widest);
}

static const char *token_said(const Contexts *c, size_t text) {
    const Prediction *said = &c->said[text];
    return stage_tensor(c->stage, said->node)->col_labels[said->col];
}

static const char *number_said(const Contexts *c, size_t text) {
    double probability = c->said[text].probability;
    char number[NUMBER_SIZE];
    number_format(number, probability, DECIMALS);
    return canvas_format(c->stage->canvas, "%s", isnan(probability) ? "?" : number);
}

static double answers_width(const Contexts *c) {
    const Canvas *canvas = c->stage->canvas;
    double size = canvas_size(canvas, SMALL, ""), width = 0;
    for (size_t i = 0; i < c->count; i++)
        width = fmax(width,
                     token_width(canvas, c->letters, token_said(c, i)) + CHIP_GAP +
                         canvas_text_width(canvas, FONT_TEXT, size, number_said(c, i)));
    const char *head = canvas_string(canvas, "view.predicts");
    width = fmax(width, canvas_text_width(canvas, FONT_TEXT,
                                          canvas_size(canvas, SMALL, head), head));
    return ceil(width) + ARROW;
}

static bool has_dots(const Contexts *c) {
    return c->level < LEVEL_NO_DOTS;
}

static bool shows_answers(const Contexts *c) {
    return c->has_answers && c->level < LEVEL_NO_ANSWERS;
}

static Box strip_box(const Contexts *c, size_t text) {
    return (Box){c->first.x, c->top + c->pitch * (double)text, c->first.w, c->strip};
}

static Heatmap strip_of(const Contexts *c, size_t node, size_t row, Box box) {
    bool embeds = node == c->embedding;
    const Tensor *tensor = stage_tensor(c->stage, node);
    double reach =
        embeds && c->colors != HEATMAP_SIGNED ? heatmap_reach(tensor) : c->reach;
    Heatmap strip = stage_heatmap(c->stage, node, box, reach);
    strip.colors = embeds ? HEATMAP_SIGNED : c->colors;
    strip.written_as = strip.tensor;
    strip.tensor = canvas_row(c->stage->canvas, strip.tensor, row);
    strip.hidden = NULL;
    strip.first_row = row;
    strip.number_size = c->digits;
    strip.without_numbers = c->level == LEVEL_NO_NUMBERS;
    return strip;
}

/* Finds the size of a vector's digits; 0 if they have no room. */
static double digits_of(const Contexts *c, const Heatmap *strip) {
    NumberStyle style = heatmap_numbers(c->stage->canvas, strip);
    bool cut = c->exact && style.decimals < heatmap_decimals(strip->tensor);
    return cut ? 0 : style.size;
}

/* Finds the digits of all vectors; returns false if they have no room. */
static bool find_digits(Contexts *c) {
    double digits = INFINITY;
    c->digits = 0;
    if (c->level == LEVEL_NO_NUMBERS)
        return c->first.w >= NARROWEST * (double)tensor_at_text(c, 0)->cols;
    for (size_t i = 0; i < c->count; i++) {
        if (c->rows[i] == SIZE_MAX)
            continue;
        Heatmap strip = strip_of(c, c->nodes[i], c->rows[i], strip_box(c, i));
        digits = fmin(digits, digits_of(c, &strip));
    }
    if (c->embedding != TAPE_NONE) {
        Heatmap strip = strip_of(c, c->embedding, c->rows[0], c->first);
        digits = fmin(digits, digits_of(c, &strip));
    }
    c->digits = isfinite(digits) ? digits : 0;
    return c->digits > 0;
}

/* Finds the size of the texts' letters; false if they have no room. */
static bool find_letters(Contexts *c, double room) {
    const Canvas *canvas = c->stage->canvas;
    double least = canvas_least(canvas, "一");
    c->letters = canvas_size(canvas, at_size(c, WORD), "一");
    while (c->letters > least && widest_text(c, c->letters) > room)
        c->letters--;
    c->texts = widest_text(c, c->letters);
    return c->texts <= room;
}

static bool place(Contexts *c, Box area) {
    const Canvas *canvas = c->stage->canvas;
    double cols = (double)tensor_at_text(c, 0)->cols, count = (double)c->count;
    double key = KEY + GAP;
    if (!find_letters(c, c->beside ? area.w * TEXTS_MOST : area.w - KEY))
        return false;
    c->answers = shows_answers(c) ? answers_width(c) : 0;
    double left = c->beside ? c->texts + key : KEY;
    double cell = floor(fmin((area.w - left - c->answers) / cols, at_size(c, WIDEST)));
    if (cell < 1)
        return false;
    double token = token_height(c->letters);
    c->strip = fmax(at_size(c, STRIP), heatmap_least_row(canvas));
    c->pitch = c->beside ? fmax(c->strip, token) + at_size(c, GAP)
                         : c->strip + token + at_size(c, GAP) + HEAD_GAP;
    bool embeds = c->embedding != TAPE_NONE;
    double name = canvas_size(canvas, NAME, "") * NOTE_LINES;
    double between = fmax(at_size(c, BETWEEN), name + GAP);
    double head = c->beside ? 0 : token + HEAD_GAP;
    double above = (embeds ? head + c->strip : 0) + between + head;
    double tall = above + c->pitch * (count - 1) + c->strip +
                  (has_dots(c) ? DOTS_GAP + at_size(c, DOTS) : 0);
    double used = left + fmax(cell * cols + c->answers, c->beside ? 0 : c->texts);
    double y = round(area.y + fmax(area.h - tall, 0) / 2);
    c->first = (Box){round(area.x + fmax(area.w - used, 0) / 2 + left),
                     y + (embeds ? head : 0), cell * cols, c->strip};
    c->top = y + above;
    return tall <= area.h && find_digits(c);
}

static bool place_anyhow(Contexts *c, Box area) {
    for (c->level = LEVEL_ALL; c->level < LEVEL_COUNT; c->level++) {
        for (size_t i = 0; i < 4 * SIZE_COUNT; i++) {
            c->exact = i < 2 * SIZE_COUNT;
            c->brief = i / SIZE_COUNT % 2;
            c->size = SIZES[i % SIZE_COUNT];
            for (int above = 0; above < 2; above++) {
                c->beside = !above;
                if (place(c, area))
                    return true;
            }
        }
    }
    return false;
}

/* ---- drawing ---- */

static Color hue_of(const Contexts *c, size_t text) {
    const Theme *theme = c->stage->canvas->theme;
    return text ? theme->other[(text - 1) % 4] : theme->ink;
}

static void outline_focus(const Contexts *c, const Heatmap *strip) {
    const Stage *stage = c->stage;
    if (stage_focuses(stage, strip->node, strip->first_row, stage->focus_col))
        heatmap_outline_cell(stage->canvas, strip, 0, stage->focus_col,
                             stage->canvas->theme->focus);
}

/* Draws a text as chips, the token marked; tokens that the lesson's own text doesn't have
 * there are underlined. */
static void draw_text(const Contexts *c, size_t text, Box room) {
    const Canvas *canvas = c->stage->canvas;
    const Tensor *tensor = tensor_at_text(c, text);
    size_t col = c->stage->has_focus ? c->stage->focus_col % tensor->cols : 0;
    double high = token_height(c->letters), x = room.x;
    double middle = room.y + room.h / 2;
    if (c->beside)
        x = room.x + room.w - text_width(c, text, c->letters);
    for (size_t i = 0; i < tensor->rows; i++) {
        const char *label = tensor->row_labels[i];
        double width = piece_width(c, text, i, c->letters) - CHIP_GAP;
        Box chip = {round(x), round(middle - high / 2), width, high};
        if (width <= 0)
            continue;
        x += width + CHIP_GAP;
        if (!is_drawn(c, text, i)) {
            canvas_text(canvas, FONT_TEXT, c->letters, canvas->theme->ink_faint,
                        (Point){chip.x, label_baseline(middle, c->letters)}, LABEL_LEFT,
                        "…");
            continue;
        }
        chip_draw(canvas, label, i == c->rows[text], c->letters,
                  (Link){LINK_CELL, c->nodes[text], i, col}, chip);
        if (differs_from_own(c, text, i))
            scene_rectangle(canvas->scene,
                            (Box){chip.x + 2, chip.y + chip.h + 1, chip.w - 4, LINE},
                            LINE / 2, hue_of(c, text), hue_of(c, text), 0);
    }
}

/* Draws the token that the model predicts for a text, with its probability. */
static void draw_answer(const Contexts *c, size_t text) {
    const Canvas *canvas = c->stage->canvas;
    const Prediction *said = &c->said[text];
    Box strip = strip_box(c, text);
    double middle = round(strip.y + strip.h / 2), right = strip.x + strip.w;
    double high = token_height(c->letters), size = canvas_size(canvas, SMALL, "");
    const char *token = token_said(c, text);
    Link link = {LINK_CELL, said->node, said->row, said->col};
    canvas_arrow(canvas, (Point){right + 8, middle}, (Point){right + ARROW - 8, middle},
                 2, 9, canvas->theme->ink_soft);
    Box chip = {right + ARROW, round(middle - high / 2),
                token_width(canvas, c->letters, token), high};
    chip_draw(canvas, token, false, c->letters, link, chip);
    canvas_link(canvas, link);
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                (Point){chip.x + chip.w + CHIP_GAP, label_baseline(middle, size)},
                LABEL_LEFT, number_said(c, text));
    canvas_unlink(canvas);
}

static void draw_context(const Contexts *c, size_t text) {
    const Canvas *canvas = c->stage->canvas;
    Box strip = strip_box(c, text);
    double high = token_height(c->letters), left = strip.x - KEY - GAP;
    Box room = c->beside ? (Box){left - c->texts, strip.y, c->texts, strip.h}
                         : (Box){strip.x, strip.y - high - HEAD_GAP, c->texts, high};
    draw_text(c, text, room);
    canvas_dot(canvas, (Point){strip.x - KEY / 2, round(strip.y + strip.h / 2)}, DOT,
               hue_of(c, text), canvas->theme->page, 1);
    if (c->rows[text] != SIZE_MAX) {
        Heatmap vector = strip_of(c, c->nodes[text], c->rows[text], strip);
        heatmap_draw(canvas, &vector);
        outline_focus(c, &vector);
    } else {
        const char *token = tensor_at_text(c, 0)->row_labels[c->rows[0]];
        const char *note =
            canvas_words(canvas, "view.not_in_text", token_text(canvas, token), NULL);
        canvas_line(canvas, FONT_TEXT, SMALL, canvas->theme->ink_faint, strip, note);
    }
    if (shows_answers(c))
        draw_answer(c, text);
}

/* Draws the embedding, its token and its name, and beside it that it is always the same.
 */
static void draw_embedded_token(const Contexts *c) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    Heatmap strip = strip_of(c, c->embedding, c->rows[0], c->first);
    heatmap_draw(canvas, &strip);
    outline_focus(c, &strip);
    const char *label = tensor_at_text(c, 0)->row_labels[c->rows[0]];
    double high = token_height(c->letters), gap = GAP;
    double width = token_width(canvas, c->letters, label);
    double left = c->first.x - KEY - GAP, right = c->first.x + c->first.w;
    Box chip = {c->beside ? left - width : c->first.x,
                c->beside ? round(c->first.y + (c->first.h - high) / 2)
                          : c->first.y - high - HEAD_GAP,
                width, high};
    size_t col = stage->has_focus ? stage->focus_col % strip.tensor->cols : 0;
    chip_draw(canvas, label, true, c->letters,
              (Link){LINK_CELL, c->embedding, c->rows[0], col}, chip);
    double room = c->beside ? c->texts - width - gap : c->first.w - width - gap;
    view_name(stage, c->embedding, room, high,
              (Point){c->beside ? chip.x - gap : chip.x + width + gap, chip.y + high / 2},
              c->beside ? LABEL_RIGHT : LABEL_LEFT);
    const char *note = canvas_string(canvas, "view.same_in_each");
    double size = canvas_size(canvas, SMALL, note), line = size * NOTE_LINES;
    Box beside = {right + gap, c->first.y, c->answers - gap, c->first.h};
    bool one_line = canvas_text_width(canvas, FONT_TEXT, size, note) <= beside.w;
    beside.y += fmax(beside.h - line * (one_line ? 1 : 2), 0) / 2;
    if (c->is_same && c->answers > 0)
        canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->ink_soft, beside, line,
                         2, note);
}

/* Draws the embedding with its token, and the names of what stands below it. */
static void draw_embedding(const Contexts *c) {
    const Stage *stage = c->stage;
    const Canvas *canvas = stage->canvas;
    double token = token_height(c->letters), below = c->first.y;
    double texts_top = c->top - (c->beside ? 0 : token + HEAD_GAP);
    if (c->embedding != TAPE_NONE) {
        draw_embedded_token(c);
        below = c->first.y + c->first.h;
    }
    double middle = round((below + texts_top) / 2), x = c->first.x + c->first.w / 2;
    if (c->embedding != TAPE_NONE)
        canvas_arrow(canvas, (Point){x, below + 5}, (Point){x, texts_top - 5}, 2, 9,
                     canvas->theme->ink_soft);
    view_name(stage, c->nodes[0], c->first.w / 2 - GAP, texts_top - below,
              (Point){x + GAP, middle}, LABEL_LEFT);
    if (!shows_answers(c))
        return;
    const char *head = canvas_string(canvas, "view.predicts");
    double size = canvas_size(canvas, SMALL, head);
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                (Point){c->first.x + c->first.w + ARROW, label_baseline(middle, size)},
                LABEL_LEFT, head);
}

/* Draws a column's numbers as dots on a vertical number line. */
static void draw_column(const Contexts *c, size_t col, Box box) {
    const Canvas *canvas = c->stage->canvas;
    double most = -INFINITY, least = INFINITY, x = round(box.x + box.w / 2);
    double middle = box.y + box.h / 2, half = box.h / 2 - DOT;
    Point dots[TEXTS_MAX];
    for (size_t i = 0; i < c->count; i++) {
        double value = c->rows[i] == SIZE_MAX
                           ? NAN
                           : tensor_at(tensor_at_text(c, i), c->rows[i], col);
        bool probability = c->colors == HEATMAP_PROBABILITIES;
        double part = probability ? 2 * value - 1 : value / fmax(c->reach, 1e-300);
        part = isnan(value) || tensor_is_masking(value) ? NAN : fmin(fmax(part, -1), 1);
        dots[i] = (Point){x, middle - part * half};
        most = fmax(most, dots[i].y);
        least = fmin(least, dots[i].y);
    }
    if (!(most >= least))
        return;
    scene_line(canvas->scene, (Point){x, box.y}, (Point){x, box.y + box.h}, 1,
               canvas->theme->line);
    scene_line(canvas->scene, (Point){x, least}, (Point){x, most}, LINE,
               canvas->theme->ink_faint);
    for (size_t i = c->count; i-- > 0;) {
        if (isnan(dots[i].y))
            continue;
        canvas_link_cell(canvas, c->nodes[i], c->rows[i], col);
        canvas_dot(canvas, dots[i], DOT, hue_of(c, i), canvas->theme->page, 1);
        canvas_unlink(canvas);
    }
}

static void draw_dots(const Contexts *c) {
    const Canvas *canvas = c->stage->canvas;
    size_t cols = tensor_at_text(c, 0)->cols;
    Box last = strip_box(c, c->count - 1);
    Box box = {last.x, last.y + last.h + DOTS_GAP, last.w, at_size(c, DOTS)};
    bool signed_numbers = c->colors != HEATMAP_PROBABILITIES;
    double zero = round(signed_numbers ? box.y + box.h / 2 : box.y + box.h - DOT) + 0.5;
    double size = canvas_size(canvas, SMALL, "");
    scene_line(canvas->scene, (Point){box.x, zero}, (Point){box.x + box.w, zero}, 1,
               canvas->theme->ink_faint);
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_faint,
                (Point){box.x - 8, label_baseline(zero, size)}, LABEL_RIGHT, "0");
    for (size_t j = 0; j < cols; j++)
        draw_column(c, j,
                    (Box){box.x + box.w * (double)j / (double)cols, box.y,
                          box.w / (double)cols, box.h});
    const char *note = canvas_string(canvas, "view.on_lines");
    double width = canvas_text_width(canvas, FONT_TEXT, size, note);
    double left = box.x - KEY - GAP;
    if (c->beside && width <= c->texts)
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){left, label_baseline(zero, size)}, LABEL_RIGHT, note);
}

bool contexts_picture(const Stage *stage) {
    Contexts c = {.stage = stage, .embedding = TAPE_NONE};
    Box area = stage->area;
    if (!find(&c))
        return false;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    if (!place_anyhow(&c, area))
        return false;
    draw_embedding(&c);
    for (size_t i = 0; i < c.count; i++)
        draw_context(&c, i);
    if (has_dots(&c))
        draw_dots(&c);
    stage_legends(stage, stage->area, &(StageScale){c.colors, c.reach}, 1);
    return true;
}
