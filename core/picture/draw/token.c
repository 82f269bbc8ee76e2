#include "picture/draw/token.h"

#include "base/arena.h"
#include "picture/draw/canvas.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Least height of a chip with a second outline, relative to its letters. */
static const double SECOND_OUTLINE = 1.1;
/* Padding of a frame at a label's ends, relative to the letters. */
static const double FRAME_PAD = 0.5;
static const double FRAMED = 1.45; /* height of a frame, relative to the letters */
/* Padding of a frame above and below a label, relative to the letters. */
static const double FRAME_ACROSS = 0.12;
static const double CORNER = 4; /* units */

static bool in_brackets(const char *label, char open, char close) {
    size_t length = strlen(label);
    return length > 2 && label[0] == open && label[length - 1] == close;
}

TokenKind token_kind(const char *label) {
    if (strncmp(label, "##", 2) == 0 && label[2])
        return TOKEN_SUBWORD;
    bool byte = strncmp(label, "<0x", 3) == 0; /* see text/byte_bpe.h */
    if (byte || (!in_brackets(label, '[', ']') && !in_brackets(label, '<', '>')))
        return TOKEN_WORD;
    return strncasecmp(label + 1, "unk", 3) == 0 ? TOKEN_UNKNOWN : TOKEN_SPECIAL;
}

const char *token_text(const Canvas *canvas, const char *label) {
    static const char BLANK[] = "␣";
    size_t length = strlen(label), first = strspn(label, " "), end = length;
    while (end > first && label[end - 1] == ' ')
        end--;
    size_t blanks = first + length - end;
    if (!blanks)
        return *label ? label : "∅";
    char *text = arena_alloc(canvas->scene->arena, length + 3 * blanks + 1, 1);
    char *to = text;
    for (size_t i = 0; text && i < length; i++) {
        bool seen = i < first || i >= end;
        size_t size = seen ? sizeof BLANK - 1 : 1;
        memcpy(to, seen ? BLANK : label + i, size);
        to += size;
    }
    return text ? text : "";
}

double token_width(const Canvas *canvas, double size, const char *label) {
    double letters =
        canvas_text_width(canvas, FONT_BOLD, size, token_text(canvas, label));
    return ceil(fmax(letters + 1.3 * round(size), 2.2 * round(size)));
}

double token_height(double size) {
    return 2 * round(size * 1.05);
}

/* Draws a second outline within the first; only its sides if it is too low. */
static void draw_second_outline(const Canvas *canvas, double size, Box inner,
                                Color edge) {
    if (inner.h >= size * SECOND_OUTLINE) {
        canvas_outline(canvas, inner, 2, edge, 1);
        return;
    }
    for (int right = 0; right < 2; right++) {
        double x = round(inner.x + (right ? inner.w : 0)) + 0.5 - right;
        scene_line(canvas->scene, (Point){x, inner.y}, (Point){x, inner.y + inner.h}, 1,
                   edge);
    }
}

/* Draws a chip's outline. Ends where a word continues are cut straight: the box is drawn
 * wider and clipped. */
static void draw_outline(const Canvas *canvas, const Token *token, Box box) {
    const Theme *theme = canvas->theme;
    bool square = token->kind == TOKEN_SPECIAL || token->kind == TOKEN_UNKNOWN;
    double radius = square ? CORNER : floor(box.h / 2);
    double width = token->present ? 2 : 1;
    Color edge = token->present ? theme->focus : theme->ink_faint;
    Color ground = token->present ? emphasis_ground(theme) : theme->bar;
    Box drawn = box;
    if (token->kind == TOKEN_SUBWORD) {
        drawn.x -= radius;
        drawn.w += radius;
    }
    drawn.w += token->joined ? radius : 0;
    scene_clip(canvas->scene, box);
    scene_rectangle(canvas->scene, drawn, radius, ground, edge, width);
    if (token->kind == TOKEN_SPECIAL)
        draw_second_outline(canvas, token->size, box_inset(box, width + 2), edge);
    double step = 8;
    if (token->kind == TOKEN_UNKNOWN)
        canvas_hatch(canvas, box_inset(box, width), step / 2, step);
    if (token->kind == TOKEN_SUBWORD) /* the seam */
        scene_line(canvas->scene, (Point){box.x + 0.5, box.y + box.h * 0.2},
                   (Point){box.x + 0.5, box.y + box.h * 0.8}, 1, edge);
    scene_unclip(canvas->scene);
}

void token_draw(const Canvas *canvas, const Token *token, Box box) {
    FontRole font = token->present ? FONT_BOLD : FONT_TEXT;
    const char *text = token_text(canvas, token->label);
    draw_outline(canvas, token, box);
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, font, token->size,
                             fmin(token->size, canvas_least(canvas, text)),
                             box.w - 0.5 * token->size, text);
    canvas_text(canvas, font, fit.size, canvas->theme->ink,
                (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, fit.size)},
                LABEL_CENTER, fit.text);
}

/* ---- a label with an outline ---- */

static bool has_frame(const char *label) {
    TokenKind kind = token_kind(label);
    return kind == TOKEN_SPECIAL || kind == TOKEN_UNKNOWN;
}

double token_frame_pad(double size, const char *label) {
    return has_frame(label) ? ceil(FRAME_PAD * size) : 0;
}

double token_frame_in(const Canvas *canvas, FontRole font, const LabelFit *shown,
                      const char *label, double room, double across) {
    double pad = token_frame_pad(shown->size, label);
    double width = canvas_text_width(canvas, font, shown->size, shown->text);
    return width + 2 * pad <= room && shown->size * FRAMED <= across ? pad : 0;
}

void token_frame(const Canvas *canvas, Box text, double size, const char *label) {
    if (!has_frame(label))
        return;
    double pad = token_frame_pad(size, label);
    double across = round(FRAME_ACROSS * size);
    bool turned = text.h > text.w;
    Box box =
        turned
            ? (Box){text.x - across, text.y - pad, text.w + 2 * across, text.h + 2 * pad}
            : (Box){text.x - pad, text.y - across, text.w + 2 * pad, text.h + 2 * across};
    Color edge = canvas->theme->ink_faint;
    canvas_outline(canvas, box, CORNER, edge, 1);
    if (token_kind(label) == TOKEN_SPECIAL)
        canvas_outline(canvas, box_inset(box, 3), round(CORNER / 2), edge, 1);
}
