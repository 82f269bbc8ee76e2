#include "picture/formula/formula_parts.h"

#include "base/array.h"
#include "base/maths.h"
#include "base/strings/utf8.h"
#include "picture/scene/label.h"
#include "picture/scene/theme.h"

#include <string.h>

static const double MUSPACE = 1.0 / 18;    /* TeX's unit of space, in ems */
static const double LARGE_OPERATOR = 1.45; /* em of a displayed sum sign */
static const double SCRIPT_SMALLER = 2;    /* points below the smallest text size */

/* Lengths in ems that the formula font doesn't define. */
static const double FRACTION_MARGIN = 0.10;  /* left and right of a fraction */
static const double BAR_OVERHANG = 0.08;     /* of a fraction's bar beyond its parts */
static const double SUPERSCRIPT_DROP = 0.38; /* below the top of a tall base */
static const double SUBSCRIPT_DROP = 0.06;   /* below the bottom of a tall base */
static const double SUPERSCRIPT_MIN_BOTTOM = 0.11; /* above the baseline */
static const double SUBSCRIPT_MAX_TOP = 0.38;      /* above the baseline */
static const double SCRIPT_SPACE = 0.05;           /* behind scripts */
/* Between an italic letter and its superscript. */
static const double ITALIC_CORRECTION = 0.04;
static const double LIMIT_GAP = 0.14;       /* between a sum sign and its limits */
static const double ROOT_MIN_HEIGHT = 0.95; /* of a root's sign */
static const double ROOT_SIGN_WIDTH = 0.52;
/* Up to this height the font's delimiter is used. */
static const double FENCE_TEXT_HEIGHT = 1.05;
static const double FENCE_MARGIN = 0.06;  /* of a tall fence beyond its content */
static const double FENCE_PADDING = 0.04; /* between a tall fence and its content */

enum { LEVEL_MAX = 2 };

/* Style of a part. */
typedef struct LayoutStyle {
    int level;    /* 0 text, 1 script, 2 script of a script */
    bool display; /* room above and below, as in displayed formulas */
    Color color;
} LayoutStyle;

/* Lays out a part with the left end of its baseline at (0, 0), as do all functions that
 * return an extent. */
static FormulaExtent lay_out(FormulaLayout *layout, const FormulaNode *node,
                             LayoutStyle style);

/* Em of a part. */
static double em_of(const FormulaLayout *layout, LayoutStyle style) {
    if (style.level == 0)
        return layout->size;
    double size = layout->size * pow(layout->metrics->math.script_scale, style.level);
    return fmax(round(size), label_min_size("") - SCRIPT_SMALLER);
}

static LayoutStyle smaller(LayoutStyle style) {
    int level = style.level < LEVEL_MAX ? style.level + 1 : LEVEL_MAX;
    return (LayoutStyle){level, false, style.color};
}

static Mark *add_mark(FormulaLayout *layout, MarkKind kind, Color color, double size,
                      Box box) {
    Mark *marks = array_reserve(layout->arena, layout->marks, layout->count,
                                &layout->capacity, sizeof *marks);
    layout->marks = marks;
    Mark *mark = &layout->marks[layout->count++];
    *mark = (Mark){.kind = kind, .color = color, .size = size, .box = box};
    return mark;
}

static void move_marks(FormulaLayout *layout, size_t from, size_t to, double dx,
                       double dy) {
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

static FormulaExtent lay_text(FormulaLayout *layout, const char *text, FontRole font,
                              double size, Color color) {
    const TextMetrics *metrics = layout->metrics;
    size_t length = strlen(text);
    double width = metrics->advance(metrics->context, font, size, text, length);
    double ascent = 0, descent = 0;
    metrics->ink(metrics->context, font, size, text, length, &ascent, &descent);
    Mark *mark = add_mark(layout, MARK_TEXT, color, size,
                          (Box){0, -ascent, width, ascent + descent});
    mark->text = text;
    mark->font = font;
    mark->baseline = ascent;
    return (FormulaExtent){width, ascent, descent};
}

/* Lays out a sum sign: larger in displayed formulas, its middle on the axis. */
static FormulaExtent lay_large(FormulaLayout *layout, const FormulaNode *node,
                               LayoutStyle style) {
    double size = em_of(layout, style);
    double sign = style.display ? round(size * LARGE_OPERATOR) : size;
    size_t from = layout->count;
    FormulaExtent extent = lay_text(layout, node->text, FONT_MATH, sign, style.color);
    double lift =
        layout->metrics->math.axis_height * size - (extent.ascent - extent.descent) / 2;
    move_marks(layout, from, layout->count, 0, -lift);
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
    double size = fmax(em_of(layout, style), least);
    return lay_text(layout, text, sentence ? FONT_TEXT : FONT_MATH, size, color);
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
    return units * MUSPACE * em_of(layout, style);
}

static FormulaExtent lay_row(FormulaLayout *layout, const FormulaNode *row,
                             LayoutStyle style) {
    FormulaExtent extent = {0};
    FormulaClass left = CLASS_ORDINARY;
    const FormulaNode *before = NULL;
    for (const FormulaNode *node = row->list; node; node = node->next) {
        if (node->kind == FORMULA_SPACE) {
            extent.width += em_of(layout, style);
            continue;
        }
        FormulaClass right = class_between(left, node, !before);
        extent.width += space_between(layout, before, left, node, right, style);
        size_t from = layout->count;
        FormulaExtent part = lay_out(layout, node, style);
        move_marks(layout, from, layout->count, extent.width, 0);
        extent.width += part.width;
        extent.ascent = fmax(extent.ascent, part.ascent);
        extent.descent = fmax(extent.descent, part.descent);
        left = right;
        before = node;
    }
    return extent;
}

/* ---- fractions, roots ---- */

static FormulaExtent lay_fraction(FormulaLayout *layout, const FormulaNode *node,
                                  LayoutStyle style) {
    const MathConstants *math = &layout->metrics->math;
    double em = em_of(layout, style);
    LayoutStyle inner = smaller(style);
    if (style.display) /* only a displayed fraction keeps its size; nested ones are
                          smaller */
        inner.level = style.level;
    size_t first = layout->count;
    FormulaExtent above = lay_out(layout, node->parts[0], inner);
    size_t second = layout->count;
    FormulaExtent below = lay_out(layout, node->parts[1], inner);

    double rule = fmax(1, math->rule_thickness * em);
    double axis = math->axis_height * em;
    double up = fmax(math->numerator_shift * em,
                     axis + rule / 2 + math->numerator_gap * em + above.descent);
    double down = fmax(math->denominator_shift * em,
                       rule / 2 - axis + math->denominator_gap * em + below.ascent);
    double bar = fmax(above.width, below.width) + 2 * BAR_OVERHANG * em;
    double left = FRACTION_MARGIN * em;
    move_marks(layout, first, second, left + (bar - above.width) / 2, -up);
    move_marks(layout, second, layout->count, left + (bar - below.width) / 2, down);
    add_mark(layout, MARK_RULE, style.color, em,
             (Box){left, -axis - rule / 2, bar, rule});
    return (FormulaExtent){bar + 2 * left, up + above.ascent, down + below.descent};
}

static FormulaExtent lay_root(FormulaLayout *layout, const FormulaNode *node,
                              LayoutStyle style) {
    const MathConstants *math = &layout->metrics->math;
    double em = em_of(layout, style);
    size_t from = layout->count;
    FormulaExtent inside = lay_out(layout, node->parts[0], style);
    double rule = fmax(1, math->radical_rule_thickness * em);
    double height = inside.ascent + inside.descent + math->radical_gap * em + rule;
    double spare = fmax(0, ROOT_MIN_HEIGHT * em - height);
    double ascent = inside.ascent + math->radical_gap * em + rule + spare / 2;
    double descent = inside.descent + spare / 2;
    double sign = ROOT_SIGN_WIDTH * em;
    move_marks(layout, from, layout->count, sign, 0);
    Mark *mark = add_mark(layout, MARK_RADICAL, style.color, em,
                          (Box){0, -ascent, sign + inside.width, ascent + descent});
    mark->sign_width = sign;
    mark->rule = rule;
    return (FormulaExtent){sign + inside.width + SCRIPT_SPACE * em,
                           ascent + math->radical_extra_ascender * em, descent};
}

/* ---- scripts ---- */

/* Lays out scripts below and above a sum sign or a max. */
static FormulaExtent lay_limits(FormulaLayout *layout, const FormulaNode *node,
                                LayoutStyle style) {
    const FormulaNode *const *parts = node->parts;
    double em = em_of(layout, style);
    double gap = LIMIT_GAP * em;
    size_t marks[4] = {layout->count};
    FormulaExtent extents[3] = {0};
    double width = 0;
    for (size_t i = 0; i < 3; i++) {
        if (parts[i])
            extents[i] = lay_out(layout, parts[i], i ? smaller(style) : style);
        marks[i + 1] = layout->count;
        width = fmax(width, extents[i].width);
    }
    FormulaExtent total = {width, extents[0].ascent, extents[0].descent};
    double shifts[3] = {0};
    if (parts[1]) {
        shifts[1] = total.descent + gap + extents[1].ascent;
        total.descent = shifts[1] + extents[1].descent;
    }
    if (parts[2]) {
        shifts[2] = -(total.ascent + gap + extents[2].descent);
        total.ascent = -shifts[2] + extents[2].ascent;
    }
    for (size_t i = 0; i < 3; i++)
        move_marks(layout, marks[i], marks[i + 1], (width - extents[i].width) / 2,
                   shifts[i]);
    return total;
}

/* Reports whether a letter leans over its advance, as Latin italics do and the font's
 * Greek doesn't. */
static bool leans(const FormulaNode *node) {
    return node->kind == FORMULA_ATOM && node->face == FACE_ITALIC &&
           (unsigned char)node->text[0] < 0x80;
}

/* Lays out a base with its primes, which the font has raised already. */
static FormulaExtent lay_base(FormulaLayout *layout, const FormulaNode *node,
                              LayoutStyle style, double *lean) {
    double em = em_of(layout, style);
    FormulaExtent base = lay_out(layout, node->parts[0], style);
    *lean = leans(node->parts[0]) ? ITALIC_CORRECTION * em : 0;
    if (!node->primes)
        return base;
    size_t from = layout->count;
    FormulaExtent primes = lay_text(layout, node->primes, FONT_MATH, em, style.color);
    move_marks(layout, from, layout->count, base.width + *lean, 0);
    *lean += primes.width;
    base.ascent = fmax(base.ascent, primes.ascent);
    return base;
}

static FormulaExtent lay_scripts(FormulaLayout *layout, const FormulaNode *node,
                                 LayoutStyle style) {
    if (node->parts[0]->limits && style.display)
        return lay_limits(layout, node, style);
    const MathConstants *math = &layout->metrics->math;
    const FormulaNode *sub = node->parts[1], *sup = node->parts[2];
    double em = em_of(layout, style);
    bool tall = node->parts[0]->kind != FORMULA_ATOM || node->parts[0]->large;
    double lean = 0;
    FormulaExtent base = lay_base(layout, node, style, &lean);
    FormulaExtent total = base, below = {0}, above = {0};
    size_t first = layout->count;
    if (sub)
        below = lay_out(layout, sub, smaller(style));
    size_t second = layout->count;
    if (sup)
        above = lay_out(layout, sup, smaller(style));

    double up =
        fmax(math->superscript_shift * em, above.descent + SUPERSCRIPT_MIN_BOTTOM * em);
    double down = fmax(math->subscript_shift * em, below.ascent - SUBSCRIPT_MAX_TOP * em);
    if (tall) {
        up = fmax(up, base.ascent - SUPERSCRIPT_DROP * em);
        down = fmax(down, base.descent + SUBSCRIPT_DROP * em);
    }
    if (sub && sup)
        down = fmax(down, math->script_gap * em + above.descent + below.ascent - up);
    move_marks(layout, first, second, base.width, down);
    move_marks(layout, second, layout->count, base.width + lean, -up);
    if (sub) {
        total.width = base.width + below.width;
        total.descent = fmax(total.descent, down + below.descent);
        total.ascent = fmax(total.ascent, below.ascent - down);
    }
    if (sup || node->primes)
        total.width = fmax(total.width, base.width + lean + above.width);
    if (sup) {
        total.ascent = fmax(total.ascent, up + above.ascent);
        total.descent = fmax(total.descent, above.descent - up);
    }
    if (sub || sup || node->primes)
        total.width += SCRIPT_SPACE * em;
    return total;
}

/* ---- fences ---- */

/* Puts parentheses around the marks from `from` on, whose extent is `inside`; they are
 * symmetric about the axis. */
static FormulaExtent lay_fences(FormulaLayout *layout, size_t from, FormulaExtent inside,
                                LayoutStyle style) {
    double em = em_of(layout, style);
    double axis = layout->metrics->math.axis_height * em;
    double half = fmax(inside.ascent - axis, inside.descent + axis) + FENCE_MARGIN * em;
    double fence = fmin(0.30 * em + 0.10 * half, 0.55 * em);
    double width = inside.width + 2 * FENCE_PADDING * em;
    move_marks(layout, from, layout->count, fence + FENCE_PADDING * em, 0);
    Box box = {0, -axis - half, fence, 2 * half};
    add_mark(layout, MARK_FENCE, style.color, em, box);
    box.x = fence + width;
    add_mark(layout, MARK_FENCE, style.color, em, box)->closing = true;
    return (FormulaExtent){2 * fence + width, half + axis, half - axis};
}

/* Puts the font's own parentheses around marks that are not taller than them. */
static FormulaExtent lay_text_fences(FormulaLayout *layout, size_t from,
                                     FormulaExtent inside, LayoutStyle style) {
    double em = em_of(layout, style);
    size_t opening = layout->count;
    FormulaExtent left = lay_text(layout, "(", FONT_MATH, em, style.color);
    move_marks(layout, from, opening, left.width, 0);
    size_t closing = layout->count;
    FormulaExtent right = lay_text(layout, ")", FONT_MATH, em, style.color);
    move_marks(layout, closing, layout->count, left.width + inside.width, 0);
    return (FormulaExtent){left.width + inside.width + right.width,
                           fmax(inside.ascent, fmax(left.ascent, right.ascent)),
                           fmax(inside.descent, fmax(left.descent, right.descent))};
}

static FormulaExtent lay_fenced(FormulaLayout *layout, const FormulaNode *node,
                                LayoutStyle style) {
    size_t from = layout->count;
    FormulaExtent inside = lay_out(layout, node->parts[0], style);
    bool tall = inside.ascent + inside.descent > FENCE_TEXT_HEIGHT * em_of(layout, style);
    return tall ? lay_fences(layout, from, inside, style)
                : lay_text_fences(layout, from, inside, style);
}

static FormulaExtent lay_out(FormulaLayout *layout, const FormulaNode *node,
                             LayoutStyle style) {
    if (node->tensor)
        style.color = role_name_color(layout->theme, node->tensor, style.color);
    switch (node->kind) {
    case FORMULA_ATOM:
        return lay_atom(layout, node, style);
    case FORMULA_SPACE:
        return (FormulaExtent){.width = em_of(layout, style)};
    case FORMULA_ROW:
        return lay_row(layout, node, style);
    case FORMULA_FRACTION:
        return lay_fraction(layout, node, style);
    case FORMULA_ROOT:
        return lay_root(layout, node, style);
    case FORMULA_SCRIPTS:
        return lay_scripts(layout, node, style);
    case FORMULA_FENCED:
        return lay_fenced(layout, node, style);
    }
    return (FormulaExtent){0};
}

FormulaExtent formula_lay_out(FormulaLayout *layout, const FormulaNode *tree) {
    layout->size = fmax(round(layout->size), label_min_size(""));
    return lay_out(layout, tree, (LayoutStyle){0, true, layout->theme->ink});
}
