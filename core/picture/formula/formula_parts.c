#include "picture/formula/formula_layout.h"

#include <math.h>

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

FormulaExtent layout_fraction(FormulaLayout *layout, const FormulaNode *node,
                              LayoutStyle style) {
    const MathConstants *math = &layout->metrics->math;
    double em = layout_em(layout, style);
    LayoutStyle inner = layout_smaller(style);
    if (style.display) /* only a displayed fraction keeps its size; nested ones are
                          smaller */
        inner.level = style.level;
    size_t first = layout->count;
    FormulaExtent above = layout_node(layout, node->parts[0], inner);
    size_t second = layout->count;
    FormulaExtent below = layout_node(layout, node->parts[1], inner);

    double rule = fmax(1, math->rule_thickness * em);
    double axis = math->axis_height * em;
    double up = fmax(math->numerator_shift * em,
                     axis + rule / 2 + math->numerator_gap * em + above.descent);
    double down = fmax(math->denominator_shift * em,
                       rule / 2 - axis + math->denominator_gap * em + below.ascent);
    double bar = fmax(above.width, below.width) + 2 * BAR_OVERHANG * em;
    double left = FRACTION_MARGIN * em;
    layout_move(layout, first, second, left + (bar - above.width) / 2, -up);
    layout_move(layout, second, layout->count, left + (bar - below.width) / 2, down);
    layout_mark(layout, MARK_RULE, style.color, em,
                (Box){left, -axis - rule / 2, bar, rule});
    return (FormulaExtent){bar + 2 * left, up + above.ascent, down + below.descent};
}

FormulaExtent layout_root(FormulaLayout *layout, const FormulaNode *node,
                          LayoutStyle style) {
    const MathConstants *math = &layout->metrics->math;
    double em = layout_em(layout, style);
    size_t from = layout->count;
    FormulaExtent inside = layout_node(layout, node->parts[0], style);
    double rule = fmax(1, math->radical_rule_thickness * em);
    double height = inside.ascent + inside.descent + math->radical_gap * em + rule;
    double spare = fmax(0, ROOT_MIN_HEIGHT * em - height);
    double ascent = inside.ascent + math->radical_gap * em + rule + spare / 2;
    double descent = inside.descent + spare / 2;
    double sign = ROOT_SIGN_WIDTH * em;
    layout_move(layout, from, layout->count, sign, 0);
    Mark *mark = layout_mark(layout, MARK_RADICAL, style.color, em,
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
    double em = layout_em(layout, style);
    double gap = LIMIT_GAP * em;
    size_t marks[4] = {layout->count};
    FormulaExtent extents[3] = {0};
    double width = 0;
    for (size_t i = 0; i < 3; i++) {
        if (parts[i])
            extents[i] = layout_node(layout, parts[i], i ? layout_smaller(style) : style);
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
        layout_move(layout, marks[i], marks[i + 1], (width - extents[i].width) / 2,
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
    double em = layout_em(layout, style);
    FormulaExtent base = layout_node(layout, node->parts[0], style);
    *lean = leans(node->parts[0]) ? ITALIC_CORRECTION * em : 0;
    if (!node->primes)
        return base;
    size_t from = layout->count;
    FormulaExtent primes = layout_text(layout, node->primes, FONT_MATH, em, style.color);
    layout_move(layout, from, layout->count, base.width + *lean, 0);
    *lean += primes.width;
    base.ascent = fmax(base.ascent, primes.ascent);
    return base;
}

FormulaExtent layout_scripts(FormulaLayout *layout, const FormulaNode *node,
                             LayoutStyle style) {
    if (node->parts[0]->limits && style.display)
        return lay_limits(layout, node, style);
    const MathConstants *math = &layout->metrics->math;
    const FormulaNode *sub = node->parts[1], *sup = node->parts[2];
    double em = layout_em(layout, style);
    bool tall = node->parts[0]->kind != FORMULA_ATOM || node->parts[0]->large;
    double lean = 0;
    FormulaExtent base = lay_base(layout, node, style, &lean);
    FormulaExtent total = base, below = {0}, above = {0};
    size_t first = layout->count;
    if (sub)
        below = layout_node(layout, sub, layout_smaller(style));
    size_t second = layout->count;
    if (sup)
        above = layout_node(layout, sup, layout_smaller(style));

    double up =
        fmax(math->superscript_shift * em, above.descent + SUPERSCRIPT_MIN_BOTTOM * em);
    double down = fmax(math->subscript_shift * em, below.ascent - SUBSCRIPT_MAX_TOP * em);
    if (tall) {
        up = fmax(up, base.ascent - SUPERSCRIPT_DROP * em);
        down = fmax(down, base.descent + SUBSCRIPT_DROP * em);
    }
    if (sub && sup)
        down = fmax(down, math->script_gap * em + above.descent + below.ascent - up);
    layout_move(layout, first, second, base.width, down);
    layout_move(layout, second, layout->count, base.width + lean, -up);
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
    double em = layout_em(layout, style);
    double axis = layout->metrics->math.axis_height * em;
    double half = fmax(inside.ascent - axis, inside.descent + axis) + FENCE_MARGIN * em;
    double fence = fmin(0.30 * em + 0.10 * half, 0.55 * em);
    double width = inside.width + 2 * FENCE_PADDING * em;
    layout_move(layout, from, layout->count, fence + FENCE_PADDING * em, 0);
    Box box = {0, -axis - half, fence, 2 * half};
    layout_mark(layout, MARK_FENCE, style.color, em, box);
    box.x = fence + width;
    layout_mark(layout, MARK_FENCE, style.color, em, box)->closing = true;
    return (FormulaExtent){2 * fence + width, half + axis, half - axis};
}

/* Puts the font's own parentheses around marks that are not taller than them. */
static FormulaExtent lay_text_fences(FormulaLayout *layout, size_t from,
                                     FormulaExtent inside, LayoutStyle style) {
    double em = layout_em(layout, style);
    size_t opening = layout->count;
    FormulaExtent left = layout_text(layout, "(", FONT_MATH, em, style.color);
    layout_move(layout, from, opening, left.width, 0);
    size_t closing = layout->count;
    FormulaExtent right = layout_text(layout, ")", FONT_MATH, em, style.color);
    layout_move(layout, closing, layout->count, left.width + inside.width, 0);
    return (FormulaExtent){left.width + inside.width + right.width,
                           fmax(inside.ascent, fmax(left.ascent, right.ascent)),
                           fmax(inside.descent, fmax(left.descent, right.descent))};
}

FormulaExtent layout_fenced(FormulaLayout *layout, const FormulaNode *node,
                            LayoutStyle style) {
    size_t from = layout->count;
    FormulaExtent inside = layout_node(layout, node->parts[0], style);
    bool tall =
        inside.ascent + inside.descent > FENCE_TEXT_HEIGHT * layout_em(layout, style);
    return tall ? lay_fences(layout, from, inside, style)
                : lay_text_fences(layout, from, inside, style);
}
