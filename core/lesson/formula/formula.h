/* Statements: expressions, names, their evaluation, the functions that they can call, and
 * formulas.
 *
 * Expressions: parses the statements of `do:` into trees (expression.c).
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
#include "base/table.h"
#include "tensor/operations/operation.h"

typedef struct Tape Tape;

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

/* Names of a lesson's tensors, with their nodes and lines.
 *
 * They live in the lesson's arena. A name whose statement failed is known but broken:
 * statements that use it fail too, without an error of their own. */

typedef struct Name {
    const char *name;
    size_t node; /* on the tape; unset for a broken name */
    int line;    /* line of its statement; 0 within a composite */
    bool broken;
} Name;

typedef struct Names {
    Arena *arena;
    size_t count, capacity;
    Name *items;   /* names in the order of addition */
    Table indices; /* indices of items */
} Names;

/* Adds a new name; `name.name` is borrowed. The arena has a guard. */
void names_add(Names *names, Name name);

/* Returns a name's entry, valid until the next names_add; for "said.logits" that of
 * "said" if it is broken. NULL if the name is unknown. */
const Name *names_lookup(const Names *names, const char *name);

enum { NAMES_NEAREST_MAX = 1000 };

/* Returns the known name nearest to an unknown one, or NULL; also NULL if there are more
 * than NAMES_NEAREST_MAX names. Borrowed. */
const char *names_nearest(const Names *names, const char *name);

/* The interface for functions that a lesson can call: the statement being evaluated, and
 * conversion of its arguments to nodes and numbers. */

/* The statement being evaluated. */
typedef struct Evaluation {
    Arena *arena;
    Tape *tape;
    const Names *names;
    const Statement *statement;
    size_t composites; /* number of composites made so far, to number their names */
    Error *error;
} Evaluation;

/* Returns the evaluation of a statement on a tape; clears the error. */
Evaluation evaluation_of(Arena *arena, Tape *tape, const Names *names,
                         const Statement *statement, Error *error);

/* Finds the node of a name in the tree. ERROR_NAME with the nearest name; false with
 * ERROR_NONE if the name is broken. */
bool evaluate_name(Evaluation *evaluation, const Expression *name, size_t *node);

/* Appends an expression within the statement, naming its node. */
bool evaluate(Evaluation *evaluation, const Expression *expression, const char *name,
              size_t *node);

/* Evaluates a number that must be known while the tape is built: a constant, or a given
 * [1,1]. ERROR_VALUE unless it is whole and from `least` to `most`; `what` names the
 * argument. */
bool evaluate_whole(Evaluation *evaluation, const Expression *expression,
                    const char *what, double least, double most, double *value);

/* The same for any number. */
bool evaluate_number(Evaluation *evaluation, const Expression *expression,
                     const char *what, double *value);

/* Fills the error at the position of an expression and returns false. */
bool evaluate_fail(Evaluation *evaluation, const Expression *place, ErrorCode code,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Evaluation: appends a statement's tree to the tape, operation by operation.
 *
 * Every operation of the tree becomes a node, in evaluation order. The statement's own
 * has its name, inner ones have none. Numbers, and arithmetic of numbers only, become one
 * constant without a step; the transpose in Q @ K.T has no step either and is named
 * "K.T". On failure the tape may have some of the nodes. */

/* Appends the statement and stores its result's node. Errors are at line 1 of the
 * statement's text: ERROR_NAME, ERROR_SHAPE, ERROR_VALUE, ERROR_LIMIT. Under the arena's
 * guard. False with ERROR_NONE if it uses a broken name. */
bool evaluate_statement(Evaluation *evaluation, size_t *node);

/* Finds the cell of the statement, A[am, I], and appends nothing. ERROR_VALUE if it is no
 * cell, and the errors of names and slices. */
bool evaluate_cell(Evaluation *evaluation, size_t *node, size_t *row, size_t *col);

/* Functions that a lesson can call.
 *
 * Those of a single operation come from the operations' table; the others are the
 * composites of core/model, and the gradient. A call has a name, arguments, a notation in
 * formulas, and a function that appends it to the tape. */

typedef struct Composite Composite; /* a call of core/model being appended */

typedef struct Call {
    const char *name;
    size_t least, most;    /* number of arguments */
    const char *arguments; /* as in a signature: "Q, K, V[, M]" */
    /* the name in a formula, "Attention"; or the whole notation, with #1 for the
     * argument: "\\sqrt{#1}" */
    const char *symbol;
    OperationKind operation; /* the operation it appends; OPERATION_GIVEN: several */
    /* Appends the call, naming the result's node. */
    bool (*append)(Evaluation *evaluation, const struct Call *call,
                   const Expression *expression, const char *name, size_t *node);
    /* Appends a composite of core/model with these arguments; NULL for other calls. */
    bool (*compose)(const Composite *composite, size_t *node);
} Call;

/* Returns the call of that index; false past the last. */
bool calls_at(Call *call, size_t index);

/* Finds a function by its name; false if there is none. */
bool calls_lookup(Call *call, const char *name);

/* Returns the expression for a call of NumPy or PyTorch: "K.T" for transpose(K); NULL for
 * an unknown function. */
const char *calls_instead(Arena *arena, const Expression *expression);

/* Returns the function nearest to an unknown name, or NULL. */
const char *calls_nearest(const char *name);

/* Replaces the number of tokens `said` by `own` in calls that have it as an argument,
 * "causal_mask(4)"; the result is new in the arena, under its guard. */
const Expression *calls_with_words(const Expression *expression, Arena *arena,
                                   size_t said, size_t own);

/* Formulas of statements: writes an expression's tree in the subset of TeX that
 * picture/formula/formula.h typesets. */

/* Maximum bytes of a formula; a statement with a longer one has none, "". */
enum { FORMULA_MAX_BYTES = 4096 };

/* Returns the formula of a whole statement, new in the arena: for `S = Q @ K.T`
 * `\tensor{S} = \tensor{Q} \tensor{K.T}`. Under the arena's guard. */
const char *formula_source(Arena *arena, const Statement *statement);

/* Returns the formula of tensors side by side: `\tensor{W_Q}, \quad \tensor{W_K}`; equal
 * ones only once. */
const char *formula_source_names(Arena *arena, const char *const *names, size_t count);
