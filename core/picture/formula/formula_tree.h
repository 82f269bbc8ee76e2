/* A formula as a tree, and its extent. Nodes and their texts live in the arena of the
 * code that creates them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FORMULA_MAX_DEPTH = 64 /* nested groups */ };

typedef struct FormulaExtent {
    double width, ascent, descent;
} FormulaExtent;

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
