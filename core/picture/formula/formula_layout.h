/* A formula's layout: its tree as a list of positioned marks. For the formula_ files
 * alone.
 *
 * Positions are points from the left end of the formula's baseline, y downwards.
 * Measuring and drawing use the same list, so they agree. */
#pragma once

#include "base/arena.h"
#include "picture/formula/formula_tree.h"
#include "picture/scene/metrics.h"
#include "picture/scene/theme.h"

typedef enum MarkKind {
    MARK_TEXT,
    MARK_RULE,    /* a fraction's bar */
    MARK_RADICAL, /* a root's sign and bar; the box contains both */
    MARK_FENCE    /* a delimiter taller than text */
} MarkKind;

typedef struct Mark {
    MarkKind kind;
    Color color;
    Box box;
    double size; /* em of the surrounding text */
    /* TEXT */
    const char *text;
    FontRole font;
    double baseline; /* distance below box.y */
    /* RADICAL */
    double sign_width; /* the bar begins behind it */
    double rule;       /* the bar's thickness */
    /* FENCE */
    bool closing;
} Mark;

/* Layout in progress; its marks live in the arena. */
typedef struct FormulaLayout {
    Arena *arena;
    const TextMetrics *metrics;
    const Theme *theme;
    double size; /* em of the formula's own text; scripts are smaller */
    Mark *marks;
    size_t count, capacity;
} FormulaLayout;

/* Lays out a tree in a layout whose arena, metrics, theme and size are set; the size is
 * rounded to whole points, and not below the readable minimum. */
FormulaExtent formula_lay_out(FormulaLayout *layout, const FormulaNode *tree);

/* ---- shared by formula_layout.c (text, rows) and formula_parts.c (stacked parts)
 * ---- */

/* Style of a part. */
typedef struct LayoutStyle {
    int level;    /* 0 text, 1 script, 2 script of a script */
    bool display; /* room above and below, as in displayed formulas */
    Color color;
} LayoutStyle;

/* Em of a part; style of its scripts. */
double layout_em(const FormulaLayout *layout, LayoutStyle style);
LayoutStyle layout_smaller(LayoutStyle style);

/* Appends a mark, valid until the next one. */
Mark *layout_mark(FormulaLayout *layout, MarkKind kind, Color color, double size,
                  Box box);

/* Moves the marks numbered [from, to). */
void layout_move(FormulaLayout *layout, size_t from, size_t to, double dx, double dy);

/* Append a part's marks with the left end of its baseline at (0, 0). */
FormulaExtent layout_node(FormulaLayout *layout, const FormulaNode *node,
                          LayoutStyle style);
FormulaExtent layout_text(FormulaLayout *layout, const char *text, FontRole font,
                          double size, Color color);
FormulaExtent layout_fraction(FormulaLayout *layout, const FormulaNode *node,
                              LayoutStyle style);
FormulaExtent layout_root(FormulaLayout *layout, const FormulaNode *node,
                          LayoutStyle style);
FormulaExtent layout_scripts(FormulaLayout *layout, const FormulaNode *node,
                             LayoutStyle style);
FormulaExtent layout_fenced(FormulaLayout *layout, const FormulaNode *node,
                            LayoutStyle style);
