/* Expressions: what stands behind `do:`, read into a tree.
 *
 * The language is NumPy's: numbers, inf, names (A.weights names a tensor within a
 * composite, encoder.0.norm_2 one within a model), + - * / @, unary minus, .T, slices
 * whose rows and columns may go by their labels, Q[am, 'the'], and calls, with Python's
 * precedence: @ * / on one level above + -, all to the left, and unary minus tighter than
 * those. Reading knows no tensors and no functions: names and calls are looked up when
 * the tree is evaluated. Trees live in the arena given and point into the text, which
 * must outlive them. Columns are counted in code points of the text, from 1. */
#ifndef LESSON_EXPRESSION_H
#define LESSON_EXPRESSION_H

#include "base/arena.h"
#include "base/error.h"

enum { EXPRESSION_MAX_DEPTH = 64, EXPRESSION_NAME_MAX = 64, STATEMENT_MAX = 10000 };

typedef enum ExpressionKind {
    EXPRESSION_NUMBER,
    EXPRESSION_NAME,
    EXPRESSION_LABEL,  /* of a row or column, quoted: Q["am"] */
    EXPRESSION_NEGATE, /* part 0 */
    EXPRESSION_ADD,    /* parts 0 and 1, as the next four */
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_MATMUL,
    EXPRESSION_TRANSPOSE, /* part 0 */
    EXPRESSION_SLICE,     /* part 0, and the axes */
    EXPRESSION_CALL       /* the parts are arguments */
} ExpressionKind;

/* What a slice takes of one axis: all of it when nothing is set. */
typedef struct ExpressionAxis {
    bool index;                     /* [begin] alone, no colon */
    const struct Expression *begin; /* NULL: from the first */
    const struct Expression *end;   /* NULL: to the last */
} ExpressionAxis;

typedef struct Expression {
    ExpressionKind kind;
    size_t offset;      /* in the statement's text: the operator, the name, the number */
    int depth;          /* 1 for a leaf; at most EXPRESSION_MAX_DEPTH */
    const char *source; /* its own text, without parentheses around it … */
    size_t length;      /* … in bytes */
    double number;      /* EXPRESSION_NUMBER */
    const char *name;   /* EXPRESSION_NAME, EXPRESSION_CALL, EXPRESSION_LABEL */
    size_t count;
    const struct Expression *const *parts;
    ExpressionAxis axes[2]; /* EXPRESSION_SLICE: rows, columns */
} Expression;

/* `name = value`, or a value alone. */
typedef struct Statement {
    const char *text;
    const char *name; /* NULL for a value alone */
    const Expression *value;
} Statement;

/* Reads a statement. Errors are at line 1 of the text: ERROR_SYNTAX, ERROR_VALUE for a
 * number that is too large, ERROR_LIMIT past the depth or STATEMENT_MAX bytes.
 * Under the arena's guard. */
bool statement_parse(Arena *arena, const char *text, Statement *statement, Error *error);

/* The column of an expression's operator, name or number. */
int statement_column(const Statement *statement, const Expression *expression);

/* Whether `text` can be a tensor's name: a letter or `_`, then letters, digits and `_`,
 * at most EXPRESSION_NAME_MAX in all; and not `inf`. */
bool expression_is_name(const char *text);

/* An operation's sign as written, "@"; NULL for kinds that have none. */
const char *expression_sign(ExpressionKind kind);

#endif
