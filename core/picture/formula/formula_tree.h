/* A formula as a tree, and how much room one takes. Nodes and their texts live in the
 * arena of whoever made them. */
#ifndef PICTURE_FORMULA_TREE_H
#define PICTURE_FORMULA_TREE_H

#include "lesson/formula/formula_source.h"

#include <stdbool.h>
#include <stddef.h>

enum { FORMULA_MAX_DEPTH = 64 /* groups within groups */ };

typedef struct FormulaExtent {
    double width, ascent, descent;
} FormulaExtent;

typedef enum FormulaKind {
    FORMULA_ATOM,     /* text */
    FORMULA_SPACE,    /* \quad */
    FORMULA_ROW,      /* list */
    FORMULA_FRACTION, /* parts: numerator, denominator */
    FORMULA_ROOT,     /* parts: what is under it */
    FORMULA_SCRIPTS,  /* parts: base, subscript or NULL, superscript or NULL */
    FORMULA_FENCED    /* parts: what is between the two fences, ( and ) */
} FormulaKind;

/* What a part is to its neighbours decides the space between them. Source: Knuth, The
 * TeXbook, chapter 18. */
typedef enum FormulaClass {
    CLASS_ORDINARY,
    CLASS_OPERATOR, /* a function's name, a sum */
    CLASS_BINARY,
    CLASS_RELATION,
    CLASS_OPENING,
    CLASS_CLOSING,
    CLASS_PUNCTUATION,
    CLASS_INNER, /* a fraction, something in tall fences */
    CLASS_COUNT
} FormulaClass;

typedef enum FormulaFace {
    FACE_UPRIGHT,
    FACE_ITALIC,   /* letters become those of mathematics */
    FACE_SENTENCE, /* the sentence font */
    FACE_BAD       /* not understood: as it stands in the source */
} FormulaFace;

typedef struct FormulaNode {
    FormulaKind kind;
    FormulaClass class;
    FormulaFace face;   /* ATOM */
    const char *text;   /* ATOM: never empty */
    bool word;          /* a name of several letters, which needs space beside letters */
    bool limits;        /* its scripts go below and above where there is room */
    bool large;         /* larger where there is room: a sum sign */
    const char *primes; /* SCRIPTS: prime signs behind the base, or NULL */
    const char *tensor; /* the tensor whose colour this has, or NULL */
    const struct FormulaNode *parts[3];
    struct FormulaNode *list; /* ROW: the first; the others by `next` */
    struct FormulaNode *next;
} FormulaNode;

#endif
