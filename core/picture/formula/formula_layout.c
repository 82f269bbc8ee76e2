#include "picture/formula/formula_layout.h"

#include "base/array.h"
#include "base/maths.h"
#include "base/strings/utf8.h"
#include "picture/scene/label.h"
#include "picture/scene/role.h"

#include <string.h>

static const double MUSPACE = 1.0 / 18;    /* TeX's unit of space, in ems */
static const double LARGE_OPERATOR = 1.45; /* em of a displayed sum sign */
static const double SCRIPT_SMALLER = 2;    /* points below the smallest text size */

enum { LEVEL_MAX = 2 };

double layout_em(const FormulaLayout *layout, LayoutStyle style) {
    if (style.level == 0)
        return layout->size;
    double size = layout->size * pow(layout->metrics->math.script_scale, style.level);
    return fmax(round(size), label_min_size("") - SCRIPT_SMALLER);
}

LayoutStyle layout_smaller(LayoutStyle style) {
    int level = style.level < LEVEL_MAX ? style.level + 1 : LEVEL_MAX;
    return (LayoutStyle){level, false, style.color};
}

Mark *layout_mark(FormulaLayout *layout, MarkKind kind, Color color, double size,
                  Box box) {
    Mark *marks = array_reserve(layout->arena, layout->marks, layout->count,
                                &layout->capacity, sizeof *marks);
    layout->marks = marks;
    Mark *mark = &layout->marks[layout->count++];
    *mark = (Mark){.kind = kind, .color = color, .size = size, .box = box};
    return mark;
}

void layout_move(FormulaLayout *layout, size_t from, size_t to, double dx, double dy) {
    for (size_t i = from; i < to; i++) {
        layout->marks[i].box.x += dx;
        layout->marks[i].box.y += dy;
    }
}

/* ---- text ---- */

/* Mathematical italic of a letter. Source: Unicode, Mathematical Alphanumeric Symbols;
 * italic h is among the letterlike symbols. */
static uint32_t italic(uint32_t c) {
    if (c == 'h')
        return 0x210E;
    if (c >= 'A' && c <= 'Z')
        return 0x1D434 + (c - 'A');
    if (c >= 'a' && c <= 'z')
        return 0x1D44E + (c - 'a');
    if (c >= 0x3B1 && c <= 0x3C9)
        return 0x1D6FC + (c - 0x3B1);
    return c;
}

/* The text in mathematical italics, as far as the font has them. */
static const char *italicised(FormulaLayout *layout, const char *text) {
    const TextMetrics *metrics = layout->metrics;
    size_t length = strlen(text), end = 0;
    char *out = arena_alloc(layout->arena, length + 1, 4);
    for (size_t offset = 0; offset < length;) {
        uint32_t letter = utf8_next(text, length, &offset);
        uint32_t slanted = italic(letter);
        bool has = metrics->provides(metrics->context, FONT_MATH, slanted);
        end += utf8_encode(has ? slanted : letter, out + end);
    }
    return out;
}

FormulaExtent layout_text(FormulaLayout *layout, const char *text, FontRole font,
                          double size, Color color) {
    const TextMetrics *metrics = layout->metrics;
    size_t length = strlen(text);
    double width = metrics->advance(metrics->context, font, size, text, length);
    double ascent = 0, descent = 0;
    metrics->ink(metrics->context, font, size, text, length, &ascent, &descent);
    Mark *mark = layout_mark(layout, MARK_TEXT, color, size,
                             (Box){0, -ascent, width, ascent + descent});
    mark->text = text;
    mark->font = font;
    mark->baseline = ascent;
    return (FormulaExtent){width, ascent, descent};
}

/* Lays out a sum sign: larger in displayed formulas, its middle on the axis. */
static FormulaExtent lay_large(FormulaLayout *layout, const FormulaNode *node,
                               LayoutStyle style) {
    double size = layout_em(layout, style);
    double sign = style.display ? round(size * LARGE_OPERATOR) : size;
    size_t from = layout->count;
    FormulaExtent extent = layout_text(layout, node->text, FONT_MATH, sign, style.color);
    double lift =
        layout->metrics->math.axis_height * size - (extent.ascent - extent.descent) / 2;
    layout_move(layout, from, layout->count, 0, -lift);
    return (FormulaExtent){extent.width, extent.ascent + lift, extent.descent - lift};
}

/* Reports whether a text is several letters and not a number. */
static bool is_word(const char *text) {
    size_t offset = 0, length = strlen(text);
    uint32_t first = length ? utf8_next(text, length, &offset) : 0;
    return offset < length && (first > '9' || first < '.');
}

static FormulaExtent lay_atom(FormulaLayout *layout, const FormulaNode *node,
                              LayoutStyle style) {
    if (node->large)
        return lay_large(layout, node, style);
    bool sentence = node->face == FACE_SENTENCE || node->face == FACE_BAD;
    bool slanted = node->face == FACE_ITALIC;
    const char *text = slanted ? italicised(layout, node->text) : node->text;
    Color color = node->face == FACE_BAD ? layout->theme->bad_ink : style.color;
    double least = fmax(label_min_size(text), layout->metrics->least);
    if (style.level > 0 && !(is_word(text) && layout->metrics->least > 0))
        least = label_min_size(text) - SCRIPT_SMALLER;
    double size = fmax(layout_em(layout, style), least);
    return layout_text(layout, text, sentence ? FONT_TEXT : FONT_MATH, size, color);
}

/* ---- rows ---- */

/* Spaces between neighbours in eighteenths of an em; negative ones vanish in scripts.
 * Source: Knuth, The TeXbook, chapter 18. */
static const signed char spaces[CLASS_COUNT][CLASS_COUNT] = {
    [CLASS_ORDINARY] = {0, 3, -4, -5, 0, 0, 0, -3},
    [CLASS_OPERATOR] = {3, 3, 0, -5, 0, 0, 0, -3},
    [CLASS_BINARY] = {-4, -4, 0, 0, -4, 0, 0, -4},
    [CLASS_RELATION] = {-5, -5, 0, 0, -5, 0, 0, -5},
    [CLASS_OPENING] = {0, 0, 0, 0, 0, 0, 0, 0},
    [CLASS_CLOSING] = {0, 3, -4, -5, 0, 0, 0, -3},
    [CLASS_PUNCTUATION] = {-3, -3, 0, -3, -3, -3, -3, -3},
    [CLASS_INNER] = {-3, 3, -4, -5, -3, 0, -3, -3},
};

/* Class of a node behind another: a sign between two parts is binary, a sign before a
 * single part is ordinary. */
static FormulaClass class_between(FormulaClass before, const FormulaNode *node,
                                  bool first) {
    if (node->class != CLASS_BINARY)
        return node->class;
    bool open = first || before == CLASS_BINARY || before == CLASS_OPERATOR ||
                before == CLASS_RELATION || before == CLASS_OPENING ||
                before == CLASS_PUNCTUATION;
    const FormulaNode *next = node->next;
    bool shut = !next || next->class == CLASS_RELATION || next->class == CLASS_CLOSING ||
                next->class == CLASS_PUNCTUATION;
    return open || shut ? CLASS_ORDINARY : CLASS_BINARY;
}

static bool is_letters(const FormulaNode *node) {
    return node->class == CLASS_ORDINARY &&
           (node->kind == FORMULA_ATOM || node->kind == FORMULA_SCRIPTS ||
            node->kind == FORMULA_ROW) &&
           node->face != FACE_SENTENCE;
}

/* Reports whether a node is a name of several letters, which needs space beside its
 * factors. */
static bool is_name_of_words(const FormulaNode *node) {
    while (node->kind == FORMULA_SCRIPTS ||
           (node->kind == FORMULA_ROW && node->list && !node->list->next))
        node = node->kind == FORMULA_ROW ? node->list : node->parts[0];
    return node->class == CLASS_ORDINARY && node->kind == FORMULA_ATOM &&
           node->face == FACE_SENTENCE && node->text[0] && node->text[0] != ' ' &&
           node->text[strlen(node->text) - 1] != ' ';
}

static double space_between(const FormulaLayout *layout, const FormulaNode *before,
                            FormulaClass left, const FormulaNode *node,
                            FormulaClass right, LayoutStyle style) {
    if (!before)
        return 0;
    int units = spaces[left][right];
    if (units == 0 && (before->word || node->word) && is_letters(before) &&
        is_letters(node) && left == CLASS_ORDINARY && right == CLASS_ORDINARY)
        units = 3;
    bool worded = is_name_of_words(before), words = is_name_of_words(node);
    if (units == 0 && (worded || words) && (worded || is_letters(before)) &&
        (words || is_letters(node)))
        units = 4;
    if (units < 0)
        units = style.level > 0 ? 0 : -units;
    return units * MUSPACE * layout_em(layout, style);
}

static FormulaExtent lay_row(FormulaLayout *layout, const FormulaNode *row,
                             LayoutStyle style) {
    FormulaExtent extent = {0};
    FormulaClass left = CLASS_ORDINARY;
    const FormulaNode *before = NULL;
    for (const FormulaNode *node = row->list; node; node = node->next) {
        if (node->kind == FORMULA_SPACE) {
            extent.width += layout_em(layout, style);
            continue;
        }
        FormulaClass right = class_between(left, node, !before);
        extent.width += space_between(layout, before, left, node, right, style);
        size_t from = layout->count;
        FormulaExtent part = layout_node(layout, node, style);
        layout_move(layout, from, layout->count, extent.width, 0);
        extent.width += part.width;
        extent.ascent = fmax(extent.ascent, part.ascent);
        extent.descent = fmax(extent.descent, part.descent);
        left = right;
        before = node;
    }
    return extent;
}

FormulaExtent layout_node(FormulaLayout *layout, const FormulaNode *node,
                          LayoutStyle style) {
    if (node->tensor)
        style.color = role_name_color(layout->theme, node->tensor, style.color);
    switch (node->kind) {
    case FORMULA_ATOM:
        return lay_atom(layout, node, style);
    case FORMULA_SPACE:
        return (FormulaExtent){.width = layout_em(layout, style)};
    case FORMULA_ROW:
        return lay_row(layout, node, style);
    case FORMULA_FRACTION:
        return layout_fraction(layout, node, style);
    case FORMULA_ROOT:
        return layout_root(layout, node, style);
    case FORMULA_SCRIPTS:
        return layout_scripts(layout, node, style);
    case FORMULA_FENCED:
        return layout_fenced(layout, node, style);
    }
    return (FormulaExtent){0};
}

FormulaExtent formula_lay_out(FormulaLayout *layout, const FormulaNode *tree) {
    layout->size = fmax(round(layout->size), label_min_size(""));
    return layout_node(layout, tree, (LayoutStyle){0, true, layout->theme->ink});
}
