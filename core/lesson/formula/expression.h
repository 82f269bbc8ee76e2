/* Expressions: parses the statements of `do:` into trees.
 *
 * The language is NumPy's: numbers, inf, names (A.weights is a tensor within a composite,
 * encoder.0.norm_2 one within a model), + - * / @, unary minus, .T, slices with indices
 * or labels, Q[am, 'the'], and calls, with Python's precedence: @ * / on one level above
 * + -, all left-associative, and unary minus tighter. The parser has no knowledge of
 * tensors and functions: names and calls are resolved by evaluation. Trees live in the
 * arena given and point into the text, which must outlive them. Columns are counted in
 * code points of the text, from 1. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum { EXPRESSION_MAX_DEPTH = 64, EXPRESSION_NAME_MAX = 64, STATEMENT_MAX = 10000 };

typedef enum ExpressionKind {
    EXPRESSION_NUMBER,
    EXPRESSION_NAME,
    EXPRESSION_LABEL,  /* label of a row or column, quoted: Q["am"] */
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

/* The range of one axis in a slice: all of it if nothing is set. */
typedef struct ExpressionAxis {
    bool index;                     /* [begin] alone, no colon */
    const struct Expression *begin; /* NULL: from the first */
    const struct Expression *end;   /* NULL: to the last */
} ExpressionAxis;

typedef struct Expression {
    ExpressionKind kind;
    /* offset in the statement's text of the operator, the name or the number */
    size_t offset;
    int depth;          /* 1 for a leaf; at most EXPRESSION_MAX_DEPTH */
    const char *source; /* its own text, without outer parentheses */
    size_t length;      /* bytes of source */
    double number;      /* EXPRESSION_NUMBER */
    const char *name;   /* EXPRESSION_NAME, EXPRESSION_CALL, EXPRESSION_LABEL */
    size_t count;
    const struct Expression *const *parts;
    ExpressionAxis axes[2]; /* EXPRESSION_SLICE: rows, columns */
} Expression;

/* A statement: `name = value`, or only a value. */
typedef struct Statement {
    const char *text;
    const char *name; /* NULL if there is only a value */
    const Expression *value;
} Statement;

/* Parses a statement. Errors are at line 1 of the text: ERROR_SYNTAX, ERROR_VALUE for a
 * number that is too large, ERROR_LIMIT past the depth or STATEMENT_MAX bytes. Under the
 * arena's guard. */
bool statement_parse(Arena *arena, const char *text, Statement *statement, Error *error);

/* Returns the column of an expression's operator, name or number. */
int statement_column(const Statement *statement, const Expression *expression);

/* Reports whether `text` is a valid name of a tensor: a letter or `_`, then letters,
 * digits and `_`, at most EXPRESSION_NAME_MAX in all; and not `inf`. */
bool expression_is_name(const char *text);

/* Returns an operation's operator, "@"; NULL for kinds without one. */
const char *expression_sign(ExpressionKind kind);
