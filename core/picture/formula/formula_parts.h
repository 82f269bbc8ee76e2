/* A formula as a tree, and its layout as a list of positioned marks. For the formula_
 * files alone. Nodes, marks and their texts live in the arena of the code that creates
 * them. */
#pragma once

#include "base/arena.h"
#include "picture/formula/formula.h"
#include "picture/scene/label.h"
#include "picture/scene/theme.h"

typedef enum FormulaKind {
    FORMULA_ATOM,     /* text */
    FORMULA_SPACE,    /* \quad */
    FORMULA_ROW,      /* list */
    FORMULA_FRACTION, /* parts: numerator, denominator */
    FORMULA_ROOT,     /* parts: radicand */
    FORMULA_SCRIPTS,  /* parts: base, subscript or NULL, superscript or NULL */
    FORMULA_FENCED    /* parts: content between the fences ( and ) */
} FormulaKind;

/* Class of a part, which determines the space to its neighbours. Source: Knuth, The
 * TeXbook, chapter 18. */
typedef enum FormulaClass {
    CLASS_ORDINARY,
    CLASS_OPERATOR, /* a function's name, a sum */
    CLASS_BINARY,
    CLASS_RELATION,
    CLASS_OPENING,
    CLASS_CLOSING,
    CLASS_PUNCTUATION,
    CLASS_INNER, /* a fraction, tall fences */
    CLASS_COUNT
} FormulaClass;

typedef enum FormulaFace {
    FACE_UPRIGHT,
    FACE_ITALIC,   /* letters become mathematical italics */
    FACE_SENTENCE, /* the sentence font */
    FACE_BAD       /* not parsed: verbatim source */
} FormulaFace;

typedef struct FormulaNode {
    FormulaKind kind;
    FormulaClass class;
    FormulaFace face;   /* ATOM */
    const char *text;   /* ATOM: never empty */
    bool word;          /* name of several letters, which needs space beside letters */
    bool limits;        /* scripts stand below and above it in displayed formulas */
    bool large;         /* larger in displayed formulas: a sum sign */
    const char *primes; /* SCRIPTS: prime signs behind the base, or NULL */
    const char *tensor; /* tensor whose colour the node has, or NULL */
    const struct FormulaNode *parts[3];
    struct FormulaNode *list; /* ROW: the first node; the others follow by `next` */
    struct FormulaNode *next;
} FormulaNode;

/* Parses a formula. A source that can't be parsed or is too long becomes an atom of
 * FACE_BAD and sets *understood to false. */
const FormulaNode *formula_parse(Arena *arena, const char *source, bool *understood);

/* Returns what is written for a drawn letter, "sigma" for "σ", new in the arena; NULL for
 * other texts. */
const char *formula_letter_name(Arena *arena, const char *text);

typedef enum MarkKind {
    MARK_TEXT,
    MARK_RULE,    /* a fraction's bar */
    MARK_RADICAL, /* a root's sign and bar; the box contains both */
    MARK_FENCE    /* a delimiter taller than text */
} MarkKind;

/* A text or a shape that grows with its content. Its box is in points from the left end
 * of the formula's baseline, y downwards. */
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

/* Layout in progress. Measuring and drawing use the same marks, so they agree. */
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
