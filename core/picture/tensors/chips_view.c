#include "picture/draw/token.h"
#include "picture/tensors/views.h"

#include "base/strings/utf8.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/play/player.h"
#include "picture/draw/lanes.h"
#include "picture/scene/label.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "text/byte_bpe.h"

#include <math.h>
#include <string.h>

/* Tokens as chips cut from the text: above, the text; below, its tokens, each with its
 * ID, and lines from where each was cut. Subwords of one word adjoin. The chips break
 * into lines as words do, never within a word unless it is wider than a line. Bytes of
 * one character adjoin, too, below a bracket with the character. */

static const double TEXT_UNITS = 26, CHIP_UNITS = 24, LARGEST_UNITS = 58,
                    SMALLEST_UNITS = 11;
/* Size of the ID below, relative to the chip's letters. */
static const double ID_FRACTION = 0.78;
/* Height above bytes of characters, relative to the letters. */
static const double BRACKET = 1.5;
/* Line from the text to a chip. */
static const double CUT_THICKNESS = 2.5, LEAST_CUT = 40;
enum { CUTS_MOST = 12 };
/* Heights below which the text has less room, or none. */
static const double LOW = 215, LOWEST = 120;

typedef struct Chips {
    const Stage *stage;
    Series whole, own; /* IDs of the text, and of the part of it that the tensor is */
    size_t first;      /* index in the text of the first own ID */
    double size;       /* size of a chip's letters */
    double gap;
    size_t lines, shown; /* lines used; chips that fit */
    Point *cuts;   /* position below each token's text; NULL: chips are in lines, or too
                      many */
    size_t cut;    /* number of known cuts */
    size_t *bytes; /* for the first byte of a multi-byte character the number of its
                      bytes, for the others 0, for all other tokens 1; NULL if there is no
                      such character */
    bool of_bytes; /* tokens are bytes; some are blanks */
} Chips;

/* ---- bytes of characters ---- */

static const char BYTE[] = "<0x", BLANK[] = "␣";

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Number of tokens from `first` on that are the bytes of one printable character, which
 * is written to `out`; 1 if they are not. */
static size_t character_at(const Chips *chips, size_t first, char out[BYTE_NAME_SIZE]) {
    enum { LONGEST = 4 };
    char bytes[LONGEST + BYTE_NAME_SIZE];
    for (size_t i = first, length = 0; i < chips->whole.count && length < LONGEST; i++) {
        if (!begins(chips->whole.labels[i], BYTE))
            return 1;
        length += byte_name_read(bytes + length, chips->whole.labels[i]);
        if (utf8_check(bytes, length) != length)
            continue;
        byte_name(out, bytes, length);
        return i > first && !begins(out, BYTE) ? i - first + 1 : 1;
    }
    return 1;
}

static void find_characters(Chips *chips) {
    size_t *bytes = arena_alloc(chips->stage->canvas->scene->arena, chips->whole.count,
                                sizeof *bytes);
    for (size_t i = 0; bytes && i < chips->whole.count;) {
        char name[BYTE_NAME_SIZE];
        size_t length = character_at(chips, i, name);
        chips->of_bytes |= begins(chips->whole.labels[i], BLANK) || length > 1;
        if (length > 1)
            chips->bytes = bytes;
        bytes[i++] = length;
        for (; length > 1; length--)
            bytes[i++] = 0;
    }
}

/* Number of bytes of the character that begins at a token; 1 if none does. */
static size_t bytes_at(const Chips *chips, size_t index) {
    return chips->bytes && index < chips->whole.count ? chips->bytes[index] : 1;
}

/* Character of the bytes; by its number if no font has it. */
static const char *character_text(const Chips *chips, size_t index) {
    const Canvas *canvas = chips->stage->canvas;
    char name[BYTE_NAME_SIZE] = "";
    size_t offset = 0;
    character_at(chips, index, name);
    uint32_t point = utf8_next(name, strlen(name), &offset);
    bool has = canvas->metrics->provides(canvas->metrics->context, FONT_TEXT, point);
    return has ? canvas_format(canvas, "%s", name)
               : canvas_format(canvas, "U+%04X", (unsigned)point);
}

/* Reports whether a node's tokens are cut from a text as columns of its one row. */
static bool is_cut(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    return at->operation == OPERATION_SLICE && !at->muted && !stage->step->shown_count &&
           at->operands[0]->rows == 1 && at->operands[0]->col_labels;
}

static Chips chips_of(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    Stage of = *stage;
    of.node = node;
    Chips chips = {.stage = stage, .own = view_series_of_all(&of)};
    chips.whole = chips.own;
    if (is_cut(stage, node)) {
        chips.first = at->options.col_begin;
        chips.whole = series_of_all(stage->canvas, at->operands[0]);
        chips.whole.node = at->inputs[0];
    }
    find_characters(&chips);
    return chips;
}

static bool is_taken(const Chips *chips, size_t index) {
    return index >= chips->first && index - chips->first < chips->own.count;
}

static Link cell_of(const Chips *chips, size_t index) {
    return is_taken(chips, index) ? series_link(&chips->own, index - chips->first)
                                  : series_link(&chips->whole, index);
}

static bool is_present(const Chips *chips, size_t index) {
    return is_taken(chips, index) && index - chips->first == chips->own.focus;
}

static bool is_subword(const Chips *chips, size_t index) {
    return index > 0 && index < chips->whole.count &&
           token_kind(chips->whole.labels[index]) == TOKEN_SUBWORD;
}

/* Reports whether a chip adjoins the one before it. */
static bool adjoins(const Chips *chips, size_t index) {
    return is_subword(chips, index) || !bytes_at(chips, index);
}

/* ---- the text ---- */

static const char WORD_END[] = "</w>"; /* end of a word in byte-pair encoding */

/* Reports whether a label ends with the mark of a word's end; sets *length to the length
 * before it. */
static bool ends_word(const char *label, size_t *length) {
    size_t mark = sizeof WORD_END - 1;
    *length = strlen(label);
    bool ends = *length >= mark && strcmp(label + *length - mark, WORD_END) == 0;
    *length -= ends ? mark : 0;
    return ends;
}

/* Part of the text that a token represents: a subword without its marks. */
static const char *text_of(const Chips *chips, size_t index) {
    const char *label = chips->whole.labels[index];
    const char *written =
        lesson_written(chips->stage->player->lesson, chips->stage->node, index);
    size_t length;
    if (written)
        return written;
    if (bytes_at(chips, index) != 1)
        return bytes_at(chips, index) ? character_text(chips, index) : "";
    if (begins(label, BLANK) && chips->of_bytes)
        return canvas_format(chips->stage->canvas, " %s", label + sizeof BLANK - 1);
    if (is_subword(chips, index))
        return label + 2;
    if (!ends_word(label, &length))
        return label;
    return canvas_format(chips->stage->canvas, "%.*s", (int)length, label);
}

/* First or last code point of a text; 0 if it is empty. */
static uint32_t end_of(const char *text, bool last) {
    size_t length = strlen(text), offset = 0;
    uint32_t point = 0;
    while (offset < length && (last || !offset))
        point = utf8_next(text, length, &offset);
    return point;
}

/* Position of blanks between tokens in the original text. */
typedef enum Cut { CUT_WORDS, CUT_LETTERS, CUT_MARKED } Cut;

static Cut cut_of(const Chips *chips) {
    size_t length;
    if (chips->of_bytes)
        return CUT_LETTERS;
    for (size_t i = 0; i < chips->whole.count; i++) {
        if (strcmp(chips->whole.labels[i], " ") == 0)
            return CUT_LETTERS; /* blanks are tokens themselves */
        if (ends_word(chips->whole.labels[i], &length))
            return CUT_MARKED;
    }
    return CUT_WORDS;
}

static bool has_blank_before(const Chips *chips, Cut cut, size_t index) {
    size_t length;
    if (index == 0 || is_subword(chips, index) || cut == CUT_LETTERS)
        return false;
    if (cut == CUT_MARKED)
        return ends_word(chips->whole.labels[index - 1], &length);
    return !utf8_is_cjk(end_of(chips->whole.labels[index], false)) ||
           !utf8_is_cjk(end_of(chips->whole.labels[index - 1], true));
}

/* Draws one line of text, its present token in the accent; cut if it is too long. */
static void draw_text(Chips *chips, Box strip) {
    const Canvas *canvas = chips->stage->canvas;
    const Theme *theme = canvas->theme;
    double x = strip.x, right = strip.x + strip.w;
    Cut cut = cut_of(chips);
    for (size_t i = 0; i < chips->whole.count; i++) {
        const char *text = text_of(chips, i);
        double size = canvas_size(canvas, TEXT_UNITS, text);
        double baseline = label_baseline(strip.y + strip.h / 2, size);
        double blank = canvas_text_width(canvas, FONT_TEXT, size, " ");
        double width = canvas_text_width(canvas, FONT_TEXT, size, text);
        double more = canvas_text_width(canvas, FONT_TEXT, size, "…");
        x += has_blank_before(chips, cut, i) ? blank : 0;
        bool last = i + 1 == chips->whole.count;
        if (x + width + (last ? 0 : more) > right) {
            canvas_text(canvas, FONT_TEXT, size, theme->ink_faint, (Point){x, baseline},
                        LABEL_LEFT, "…");
            return;
        }
        canvas_link(canvas, cell_of(chips, i));
        if (is_present(chips, i))
            canvas_fill(canvas,
                        (Box){round(x), baseline + round(size * 0.24), round(width), 4},
                        0, theme->focus);
        canvas_text(canvas, FONT_TEXT, size,
                    token_kind(text) == TOKEN_SPECIAL || !is_taken(chips, i)
                        ? theme->ink_faint
                        : theme->ink,
                    (Point){x, baseline}, LABEL_LEFT, text);
        canvas_unlink(canvas);
        if (chips->cuts)
            chips->cuts[chips->cut++] =
                (Point){round(x + width / 2), round(baseline + size * 0.5)};
        x += width;
    }
}

/* ---- layout of chips ---- */

static double id_size(const Chips *chips) {
    return fmax(round(chips->size * ID_FRACTION), canvas_least(chips->stage->canvas, ""));
}

static double chip_width(const Chips *chips, size_t index) {
    const Canvas *canvas = chips->stage->canvas;
    double id = canvas_text_width(canvas, FONT_BOLD, id_size(chips),
                                  series_number(&chips->whole, index));
    double width = token_width(canvas, chips->size, chips->whole.labels[index]);
    return fmax(width, id + round(chips->size * 0.5));
}

/* Height above a line of chips for the characters of bytes. */
static double bracket_height(const Chips *chips) {
    return chips->bytes ? round(chips->size * BRACKET) : 0;
}

/* Distance of lines of chips: chip, stem and ID. */
static double line_height(const Chips *chips) {
    return bracket_height(chips) + token_height(chips->size) + round(chips->size * 0.5) +
           round(id_size(chips) * 1.2) + round(chips->size * 0.9);
}

/* Returns the width of a line of the chips [first, *end), with all subwords of their
 * words. */
static double take_line(const Chips *chips, size_t first, double room, size_t *end) {
    double used = 0;
    for (*end = first; *end < chips->whole.count;) {
        size_t next = *end + 1;
        double width = chip_width(chips, *end);
        while (adjoins(chips, next))
            width += chip_width(chips, next++);
        double gap = used > 0 ? chips->gap : 0;
        if (used > 0 && used + gap + width > room)
            break;
        if (used == 0 && width > room) { /* a word wider than a line is broken */
            width = chip_width(chips, *end);
            next = *end + 1;
            while (adjoins(chips, next) && width + chip_width(chips, next) <= room)
                width += chip_width(chips, next++);
        }
        used += gap + width;
        *end = next;
    }
    return used;
}

static void count_lines(Chips *chips, Box area) {
    size_t most = (size_t)fmax(floor(area.h / line_height(chips)), 1);
    chips->lines = 0;
    for (chips->shown = 0; chips->shown < chips->whole.count && chips->lines < most;
         chips->lines++) {
        size_t end;
        take_line(chips, chips->shown, area.w, &end);
        chips->shown = end;
    }
}

/* Chooses the chips' size: large in one line if possible, else smaller in several; at the
 * smallest size some may be left out. */
static void choose_size(Chips *chips, Box area) {
    const Canvas *canvas = chips->stage->canvas;
    double least = canvas_size(canvas, SMALLEST_UNITS, "");
    for (size_t i = 0; i < chips->whole.count; i++)
        least = fmax(least, canvas_least(canvas, chips->whole.labels[i]));
    double usual = fmax(canvas_size(canvas, CHIP_UNITS, ""), least);
    chips->size = fmax(canvas_size(canvas, LARGEST_UNITS, ""), least);
    chips->gap = 12;
    count_lines(chips, area);
    while ((chips->size > usual && chips->lines > 1) ||
           (chips->size > least &&
            (chips->shown < chips->whole.count || line_height(chips) > area.h))) {
        chips->size--;
        count_lines(chips, area);
    }
}

/* ---- drawing ---- */

static void draw_id(const Chips *chips, size_t index, Box chip) {
    const Canvas *canvas = chips->stage->canvas;
    const Theme *theme = canvas->theme;
    bool present = is_present(chips, index);
    double size = id_size(chips), stem = round(chips->size * 0.5);
    double middle = chip.x + chip.w / 2, top = chip.y + chip.h;
    scene_line(canvas->scene, (Point){round(middle) + 0.5, top + 2},
               (Point){round(middle) + 0.5, top + stem - 2}, 1,
               present ? theme->focus : theme->ink_faint);
    bool visible = series_is_visible(&chips->own, index - chips->first);
    canvas_text(canvas, present ? FONT_BOLD : FONT_TEXT, size,
                present ? theme->ink : theme->ink_soft,
                (Point){middle, round(top + stem + size * 0.95)}, LABEL_CENTER,
                visible ? series_number(&chips->whole, index) : "?");
}

/* Draws a bracket above the bytes of a character in this line, with the character. */
static void draw_character(const Chips *chips, size_t index, size_t end, Box chip) {
    const Canvas *canvas = chips->stage->canvas;
    const Theme *theme = canvas->theme;
    double right = chip.x + chip.w, foot = round(chip.y - chips->size * 0.2),
           top = round(chip.y - chips->size * 0.45), out = chips->size * 0.25;
    for (size_t i = index + 1; i < index + bytes_at(chips, index) && i < end; i++)
        right += chip_width(chips, i);
    Point path[] = {{chip.x + out, foot},
                    {chip.x + out, top},
                    {right - out, top},
                    {right - out, foot}};
    scene_path(canvas->scene, path, 4, 2, theme->ink_faint);
    canvas_text(canvas, FONT_BOLD, chips->size, theme->ink,
                (Point){(chip.x + right) / 2, round(top - chips->size * 0.25)},
                LABEL_CENTER, character_text(chips, index));
}

/* Draws a line from a token in the text down to its chip. */
static void draw_cut(const Chips *chips, size_t index, Box chip) {
    const Canvas *canvas = chips->stage->canvas;
    if (!chips->cuts || index >= chips->cut || chip.y - chips->cuts[index].y < LEAST_CUT)
        return;
    bool present = is_present(chips, index);
    const Theme *theme = canvas->theme;
    lane_draw(canvas, &(Lane){.color = present ? theme->focus : theme->ink_faint,
                              .points = (Point[]){chips->cuts[index],
                                                  {chip.x + chip.w / 2, chip.y - 3}},
                              .count = 2,
                              .thickness = CUT_THICKNESS,
                              .leaves_upright = true,
                              .ends_upright = true,
                              .strong = present});
}

static void draw_line(const Chips *chips, size_t first, size_t end, double x, double y,
                      double room) {
    const Canvas *canvas = chips->stage->canvas;
    Theme theme = *canvas->theme;
    theme.ink = theme.ink_soft = theme.ink_faint;
    Canvas faint = *canvas;
    faint.theme = &theme;
    for (size_t i = first; i < end; i++) {
        x += i > first && !adjoins(chips, i) ? chips->gap : 0;
        Token token = {.label = chips->whole.labels[i],
                       .kind = bytes_at(chips, i) ? token_kind(chips->whole.labels[i])
                                                  : TOKEN_SUBWORD,
                       .present = is_present(chips, i),
                       .joined = i + 1 < end && adjoins(chips, i + 1),
                       .size = chips->size};
        if (token.kind == TOKEN_SUBWORD && i == 0)
            token.kind = TOKEN_WORD; /* it continues no chip here */
        Box box = {x, y, fmin(chip_width(chips, i), room), token_height(chips->size)};
        draw_cut(chips, i, box);
        if (bytes_at(chips, i) > 1)
            draw_character(chips, i, end, box);
        canvas_link(canvas, cell_of(chips, i));
        token_draw(is_taken(chips, i) ? canvas : &faint, &token, box);
        if (is_taken(chips, i))
            draw_id(chips, i, box);
        else
            scene_line(canvas->scene, (Point){box.x, box.y + box.h},
                       (Point){box.x + box.w, box.y}, 2, theme.ink_soft);
        canvas_unlink(canvas);
        x += box.w;
    }
}

static void draw_chips(const Chips *chips, Box area) {
    size_t first = 0;
    for (size_t line = 0; line < chips->lines; line++) {
        size_t end;
        take_line(chips, first, area.w, &end);
        draw_line(chips, first, end, area.x,
                  area.y + line_height(chips) * (double)line + bracket_height(chips),
                  area.w);
        first = end;
    }
}

/* Reports whether any of the step's tokens is of a kind. */
static bool any_of(const Stage *stage, TokenKind kind) {
    size_t shown = stage->step->shown_count;
    for (size_t i = 0; i < (shown ? shown : 1); i++) {
        Chips chips = chips_of(stage, shown ? stage->step->shown[i] : stage->node);
        for (size_t j = 0; j < chips.whole.count; j++) {
            if (token_kind(chips.whole.labels[j]) == kind)
                return true;
        }
    }
    return false;
}

/* Draws the legend of the outlines that occur. */
void chips_legend(const Stage *stage, Box strip) {
    static const struct {
        TokenKind kind;
        const char *sample, *key;
    } kinds[] = {{TOKEN_SPECIAL, "<>", "view.special"},
                 {TOKEN_SUBWORD, "##", "view.piece"},
                 {TOKEN_UNKNOWN, "?", "view.unknown"}};
    const Canvas *canvas = stage->canvas;
    double gap = 10, x = strip.x;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (!any_of(stage, kinds[k].kind))
            continue;
        const char *words = canvas_string(canvas, kinds[k].key);
        double size = canvas_size(canvas, 14, words);
        Box box = {x, strip.y + strip.h - 2 * size, 2.4 * size, 1.7 * size};
        Token sample = {.label = kinds[k].sample,
                        .kind = kinds[k].kind,
                        .size = fmax(size - 3, canvas_least(canvas, ""))};
        token_draw(canvas, &sample, box);
        Box drawn = canvas_text(
            canvas, FONT_TEXT, size, canvas->theme->ink_soft,
            (Point){box.x + box.w + gap, label_baseline(box.y + box.h / 2, size)},
            LABEL_LEFT, words);
        x = drawn.x + drawn.w + 3 * gap;
    }
}

static void draw_more(const Chips *chips, Box strip) {
    const Canvas *canvas = chips->stage->canvas;
    const char *more =
        canvas_words(canvas, "view.more_tokens",
                     canvas_count(canvas, chips->whole.count - chips->shown), NULL);
    canvas_label(canvas, FONT_TEXT, 14, canvas->theme->ink_soft,
                 (Point){strip.x + strip.w, strip.y + strip.h - 8}, LABEL_RIGHT, more);
}

/* Gives chips that are shown together one size, which the longest text allows. */
static void share_size(Chips *chips, Box area) {
    const LessonStep *step = chips->stage->step;
    double size = chips->size;
    for (size_t i = 0; i < step->shown_count; i++) {
        Chips other = chips_of(chips->stage, step->shown[i]);
        choose_size(&other, area);
        size = fmin(size, other.size);
    }
    chips->size = fmax(size, canvas_least(chips->stage->canvas, ""));
    count_lines(chips, area);
}

void chips_view(const Stage *stage, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    Chips chips = chips_of(stage, stage->node);
    bool low = stage->area.h < LOW;
    Box area = stage->area, more = {0};
    Box head = box_take_top(&area, low ? 36 : 40);
    double taken = view_caption(stage, head, view_hue(stage, place));
    head.w -= taken + 24;
    bool has_text = stage->area.h >= LOWEST;
    box_take_top(&area, low ? 4 : 22);
    choose_size(&chips, area);
    if (place.count > 1)
        share_size(&chips, area);
    double strip = 26;
    if (chips.shown < chips.whole.count && area.h - strip > line_height(&chips)) {
        more = box_take_bottom(&area, strip);
        count_lines(&chips, area);
    } else if (chips.shown <
               chips.whole.count) { /* without the text there is room for all */
        more = head;
        has_text = false;
    }
    if (chips.lines == 1 && chips.whole.count <= CUTS_MOST && !chips.bytes)
        chips.cuts =
            arena_alloc(canvas->scene->arena, chips.whole.count, sizeof *chips.cuts);
    if (has_text)
        draw_text(&chips, head);
    double spare = area.h - line_height(&chips) * (double)chips.lines;
    area.y = round(area.y + fmax(spare, 0) * (chips.cuts ? 0.5 : 0.35));
    draw_chips(&chips, area);
    if (chips.shown < chips.whole.count)
        draw_more(&chips, more);
}
