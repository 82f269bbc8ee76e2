/* A term: how one number came to be, as a small tree of arithmetic.
 *
 * The leaves are cells of an operation's inputs, and constants; the root's value is the
 * cell explained. The inspector prints the tree with names or with numbers, `follow`
 * walks its leaves, a test evaluates it and compares. Terms live in the arena they were
 * made in; when it is exhausted, making a term gives NULL, and a term with a NULL part is
 * NULL. */
#ifndef TENSOR_TERM_H
#define TENSOR_TERM_H

#include "base/arena.h"
#include "tensor/tensor.h"

typedef enum TermKind {
    TERM_NUMBER,     /* a constant */
    TERM_CELL,       /* one cell of one input */
    TERM_ROW_OF,     /* part 0 chooses the row, part 1 is the cell found there */
    TERM_COLUMN_OF,  /* the same for a column */
    TERM_SUM,        /* parts added, in order */
    TERM_DIFFERENCE, /* part 0 − part 1 */
    TERM_PRODUCT,    /* parts multiplied */
    TERM_QUOTIENT,   /* part 0 ÷ part 1 */
    TERM_NEGATIVE,   /* −part 0 */
    TERM_POWER,      /* part 0 to the power of part 1 */
    TERM_FUNCTION,   /* a function of part 0: e to its power, its logarithm */
    TERM_LARGEST,    /* the largest of the parts */
    TERM_POSITION,   /* which part is the largest, from 0 */
    TERM_RANK,  /* how many of parts 1, 2 … come before the one that part 0 counts, from
                    0: larger ones, and equal ones further left */
    TERM_EQUAL, /* part 2 if part 0 = part 1, else part 3 */
    TERM_GREATER, /* part 2 if part 0 > part 1, else part 3 */
    TERM_QUANTITY /* part 0 under a name of its own: the row's mean, the row's total */
} TermKind;

typedef struct Term Term;

/* A function of one number; see tensor/terms/term_function.h. */
typedef struct TermFunction {
    const char *name; /* as it is typed: "sqrt" */
    const char *sign; /* as it is printed: "√" */
    double (*value)(double x);
    /* The derivative of the function of `x`, `dx` being that of x itself; `self` is
     * the function of x, as a term. NULL when the arena is exhausted. */
    const Term *(*derivative)(Arena *arena, const Term *x, const Term *dx,
                              const Term *self);
} TermFunction;

struct Term {
    TermKind kind;
    double value;
    const TermFunction *function; /* TERM_FUNCTION: which */
    const char *name;             /* TERM_QUANTITY: a key of the interface strings */
    bool cancels; /* TERM_QUANTITY: the root's value is the same whatever this is */
    size_t input, row, col; /* TERM_CELL: which input, which cell */
    size_t count;
    const Term *const *parts;
};

/* A constant. */
const Term *term_number(Arena *arena, double value);

/* Cell (row, col) of input number `input`, whose tensor gives the value. */
const Term *term_cell(Arena *arena, size_t input, const Tensor *tensor, size_t row,
                      size_t col);

/* A term over parts; the value is worked out from theirs. `parts` is copied. */
const Term *term_new(Arena *arena, TermKind kind, size_t count, const Term *const *parts);

/* The same for one and two parts. */
const Term *term_unary(Arena *arena, TermKind kind, const Term *part);
const Term *term_binary(Arena *arena, TermKind kind, const Term *left, const Term *right);

/* What `term` is of its parts, of as many others. A quantity loses its name. */
const Term *term_like(Arena *arena, const Term *term, const Term *const *parts);

/* A function of a part. */
const Term *term_apply(Arena *arena, const TermFunction *function, const Term *part);

/* Names a part. The same quantity used twice is the same Term, printed once. */
const Term *term_quantity(Arena *arena, const char *name, const Term *part);

/* The same for a number that is only put in to keep the others small, and cancels out:
 * the row's largest in a softmax. Derivatives pass it by. */
const Term *term_shift(Arena *arena, const char *name, const Term *part);

/* Works the tree out again from the inputs' present values (inputs[i] is input i). */
double term_evaluate(const Term *term, const Tensor *const *inputs);

/* Calls `visit` for every TERM_CELL in the tree, left to right; cells may repeat. */
void term_visit_cells(const Term *term, void (*visit)(void *context, const Term *cell),
                      void *context);

#endif
