/* A term: the computation of one number, as a small tree of arithmetic.
 *
 * The leaves are cells of an operation's inputs, and constants; the root's value is the
 * cell explained. The inspector prints the tree with names or with numbers, `follow`
 * visits its leaves. Terms live in the arena they were made in, which has a guard. */
#pragma once

#include "tensor/tensor.h"

typedef enum TermKind {
    TERM_NUMBER,     /* a constant */
    TERM_CELL,       /* one cell of one input */
    TERM_ROW_OF,     /* part 0 is the row's index, part 1 the cell selected by it */
    TERM_COLUMN_OF,  /* the same for a column */
    TERM_SUM,        /* parts added, in order */
    TERM_DIFFERENCE, /* part 0 − part 1 */
    TERM_PRODUCT,    /* parts multiplied */
    TERM_QUOTIENT,   /* part 0 ÷ part 1 */
    TERM_NEGATIVE,   /* −part 0 */
    TERM_POWER,      /* part 0 to the power of part 1 */
    TERM_FUNCTION,   /* a function of part 0: exp, log … */
    TERM_LARGEST,    /* the largest of the parts */
    TERM_POSITION,   /* index of the largest part, from 0 */
    /* rank, from 0, of the part that part 0 is the index of, among parts 1, 2 …: larger
     * ones come first, and of equal ones the leftmost */
    TERM_RANK,
    TERM_EQUAL,   /* part 2 if part 0 = part 1, else part 3 */
    TERM_GREATER, /* part 2 if part 0 > part 1, else part 3 */
    TERM_QUANTITY /* part 0 with a name: the row's mean, the row's total */
} TermKind;

typedef struct Term Term;

/* A function of one number. */
typedef struct TermFunction {
    const char *name; /* as it is typed: "sqrt" */
    const char *sign; /* as it is printed: "√" */
    double (*value)(double x);
    /* The derivative of the function of `x`; `dx` is the derivative of x, `self` the
     * function of x, as a term. */
    const Term *(*derivative)(Arena *arena, const Term *x, const Term *dx,
                              const Term *self);
} TermFunction;

struct Term {
    TermKind kind;
    double value;
    const TermFunction *function; /* TERM_FUNCTION: the function */
    const char *name;             /* TERM_QUANTITY: a key of the interface strings */
    bool cancels;                 /* TERM_QUANTITY: cancels out of the root's value */
    size_t input, row, col;       /* TERM_CELL: number of the input, and its cell */
    size_t count;
    const Term *const *parts;
};

/* Returns a constant. */
const Term *term_number(Arena *arena, double value);

/* Returns cell (row, col) of input number `input`, with its value in `tensor`. */
const Term *term_cell(Arena *arena, size_t input, const Tensor *tensor, size_t row,
                      size_t col);

/* Returns a term over parts, with its value computed from theirs. `parts` is copied. */
const Term *term_new(Arena *arena, TermKind kind, size_t count, const Term *const *parts);

/* The same for one and two parts. */
const Term *term_unary(Arena *arena, TermKind kind, const Term *part);
const Term *term_binary(Arena *arena, TermKind kind, const Term *left, const Term *right);

/* Returns a copy of `term` with other parts, of the same number. A quantity loses its
 * name. */
const Term *term_like(Arena *arena, const Term *term, const Term *const *parts);

/* Returns a function of a part. */
const Term *term_apply(Arena *arena, const TermFunction *function, const Term *part);

/* Returns the value of a term that is no leaf, computed from its parts' values. */
double term_value(const Term *term);

/* Names a part. A quantity used twice must be the same Term, and is printed once. */
const Term *term_quantity(Arena *arena, const char *name, const Term *part);

/* The same for a number that only keeps the others small and cancels out: the row's
 * maximum in a softmax. Derivatives ignore it. */
const Term *term_shift(Arena *arena, const char *name, const Term *part);

/* Returns the index of the largest part, the first of equals; NaN counts as largest. */
size_t term_largest(const Term *term);

/* Calls `visit` for every TERM_CELL in the tree, left to right; cells may repeat. */
void term_visit_cells(const Term *term, void (*visit)(void *context, const Term *cell),
                      void *context);

/* The functions of terms. A new one is at once evaluated, differentiated, printed,
 * followed and accepted in typed answers. */
extern const TermFunction term_exp, term_log, term_sqrt, term_sin, term_cos, term_erf,
    term_sigmoid, term_tanh;

/* Returns the function of that index; NULL past the last. */
const TermFunction *term_function_at(size_t index);

/* Report whether a term is the number 0 (the derivative of a term that does not depend on
 * the cell), or another number. */
bool term_is_zero(const Term *term);
bool term_is_number(const Term *term, double value);

/* −term, left − right, left ÷ right, left × right and the sum of parts, simplified: terms
 * that are 0 are dropped, factors of 1 omitted. An empty sum is 0. */
const Term *term_negative(Arena *arena, const Term *term);
const Term *term_minus(Arena *arena, const Term *left, const Term *right);
const Term *term_over(Arena *arena, const Term *left, const Term *right);
const Term *term_times(Arena *arena, const Term *left, const Term *right);
const Term *term_plus(Arena *arena, size_t count, const Term *const *parts);

/* Returns d term / d cell (row, col) of input number `input`, as a term over the same
 * inputs, built rule by rule and simplified. At a choice (the largest, the greater) it is
 * the derivative of the case that holds at the present values. Where the derivative
 * contains `term` itself (e^x, a quotient), `self` replaces it, a term of the same value;
 * NULL: it is used as it is. */
const Term *term_derivative(Arena *arena, const Term *term, size_t input, size_t row,
                            size_t col, const Term *self);
