#include "tensor/terms/term.h"

#include "base/arena.h"
#include "base/maths.h"

/* ---- the functions ---- */

static const Term *exp_derivative(Arena *arena, const Term *x, const Term *dx,
                                  const Term *self) {
    (void)x;
    return term_times(arena, self, dx);
}

const TermFunction term_exp = {"exp", "exp", exp, exp_derivative};

static const Term *log_derivative(Arena *arena, const Term *x, const Term *dx,
                                  const Term *self) {
    (void)self;
    return term_over(arena, dx, x);
}

const TermFunction term_log = {"log", "log", log, log_derivative};

static const Term *sqrt_derivative(Arena *arena, const Term *x, const Term *dx,
                                   const Term *self) {
    (void)x;
    return term_over(arena, dx, term_times(arena, term_number(arena, 2), self));
}

const TermFunction term_sqrt = {"sqrt", "√", sqrt, sqrt_derivative};

static const Term *sin_derivative(Arena *arena, const Term *x, const Term *dx,
                                  const Term *self) {
    (void)self;
    return term_times(arena, term_apply(arena, &term_cos, x), dx);
}

const TermFunction term_sin = {"sin", "sin", sin, sin_derivative};

static const Term *cos_derivative(Arena *arena, const Term *x, const Term *dx,
                                  const Term *self) {
    (void)self;
    return term_negative(arena, term_times(arena, term_apply(arena, &term_sin, x), dx));
}

const TermFunction term_cos = {"cos", "cos", cos, cos_derivative};

/* erf′ = 2 / √π · e^(−x²) */
static const Term *erf_derivative(Arena *arena, const Term *x, const Term *dx,
                                  const Term *self) {
    (void)self;
    const Term *square = term_binary(arena, TERM_POWER, x, term_number(arena, 2));
    const Term *factor = term_number(arena, 1.12837916709551257390); /* 2 / √π */
    const Term *bell =
        term_apply(arena, &term_exp, term_unary(arena, TERM_NEGATIVE, square));
    return term_times(arena, term_times(arena, factor, bell), dx);
}

const TermFunction term_erf = {"erf", "erf", erf, erf_derivative};

/* 1 / (1 + e^(−x)), the logistic function */
static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* σ′ = σ · (1 − σ) */
static const Term *sigmoid_derivative(Arena *arena, const Term *x, const Term *dx,
                                      const Term *self) {
    (void)x;
    const Term *rest = term_binary(arena, TERM_DIFFERENCE, term_number(arena, 1), self);
    return term_times(arena, term_times(arena, self, rest), dx);
}

const TermFunction term_sigmoid = {"sigmoid", "σ", sigmoid, sigmoid_derivative};

/* tanh′ = 1 − tanh² */
static const Term *tanh_derivative(Arena *arena, const Term *x, const Term *dx,
                                   const Term *self) {
    (void)x;
    const Term *square = term_binary(arena, TERM_POWER, self, term_number(arena, 2));
    const Term *rest = term_binary(arena, TERM_DIFFERENCE, term_number(arena, 1), square);
    return term_times(arena, rest, dx);
}

const TermFunction term_tanh = {"tanh", "tanh", tanh, tanh_derivative};

static const TermFunction *const table[] = {&term_exp,     &term_log, &term_sqrt,
                                            &term_sin,     &term_cos, &term_erf,
                                            &term_sigmoid, &term_tanh};

const TermFunction *term_function_at(size_t index) {
    return index < sizeof table / sizeof *table ? table[index] : NULL;
}

/* ---- derivatives ---- */

/* Quantities can occur many times in a term: each is differentiated once. */
enum { QUANTITIES_MAX = 8 };

typedef struct Known {
    const Term *quantity, *derivative;
} Known;

typedef struct Derivation {
    Arena *arena;
    size_t input, row, col;
    const Term *root, *self;
    size_t count;
    Known known[QUANTITIES_MAX];
} Derivation;

static const Term *derive(Derivation *d, const Term *term);

/* The term itself, within its own derivative. */
static const Term *itself(const Derivation *d, const Term *term) {
    return term == d->root && d->self ? d->self : term;
}

static const Term *derive_sum(Derivation *d, const Term *term) {
    const Term **parts = arena_alloc(d->arena, term->count, sizeof *parts);
    for (size_t i = 0; i < term->count; i++)
        parts[i] = derive(d, term->parts[i]);
    return term_plus(d->arena, term->count, parts);
}

/* (a · b · …)′ = a′ · b · … + a · b′ · … */
static const Term *derive_product(Derivation *d, const Term *term) {
    const Term **parts = arena_alloc(d->arena, term->count, sizeof *parts);
    for (size_t i = 0; i < term->count; i++) {
        parts[i] = derive(d, term->parts[i]);
        for (size_t j = 0; j < term->count; j++) {
            if (j != i)
                parts[i] = term_times(d->arena, parts[i], term->parts[j]);
        }
    }
    return term_plus(d->arena, term->count, parts);
}

/* (a / b)′ = a′ / b − (a / b) · (b′ / b) */
static const Term *derive_quotient(Derivation *d, const Term *term) {
    const Term *above = derive(d, term->parts[0]), *below = derive(d, term->parts[1]);
    const Term *first = term_over(d->arena, above, term->parts[1]);
    const Term *second = term_over(d->arena, below, term->parts[1]);
    return term_minus(d->arena, first, term_times(d->arena, itself(d, term), second));
}

/* (a^b)′ = b · a^(b−1) · a′ + a^b · log a · b′ */
static const Term *derive_power(Derivation *d, const Term *term) {
    Arena *arena = d->arena;
    const Term *base = term->parts[0], *exponent = term->parts[1];
    const Term *base_slope = derive(d, base), *exponent_slope = derive(d, exponent);
    const Term *less = term_minus(arena, exponent, term_number(arena, 1));
    const Term *lower =
        term_is_number(less, 1) ? base : term_binary(arena, TERM_POWER, base, less);
    const Term *parts[] = {
        term_times(arena, term_times(arena, exponent, lower), base_slope),
        term_is_zero(exponent_slope)
            ? exponent_slope
            : term_times(
                  arena,
                  term_times(arena, itself(d, term), term_apply(arena, &term_log, base)),
                  exponent_slope)};
    return term_plus(arena, 2, parts);
}

/* A function of one part: its own derivative times the part's. */
static const Term *derive_function(Derivation *d, const Term *term) {
    Arena *arena = d->arena;
    const Term *x = term->parts[0], *dx = derive(d, x);
    if (term_is_zero(dx))
        return dx;
    return term->function->derivative(arena, x, dx, itself(d, term));
}

static const Term *derive_quantity(Derivation *d, const Term *term) {
    if (term->cancels)
        return term_number(d->arena, 0);
    for (size_t i = 0; i < d->count; i++) {
        if (d->known[i].quantity == term)
            return d->known[i].derivative;
    }
    const Term *derivative = derive(d, term->parts[0]);
    if (d->count < QUANTITIES_MAX)
        d->known[d->count++] = (Known){term, derivative};
    return derivative;
}

static const Term *derive(Derivation *d, const Term *term) {
    const Term *const *parts = term->parts;
    switch (term->kind) {
    case TERM_NUMBER:
    case TERM_POSITION:
    case TERM_RANK:
        return term_number(d->arena, 0);
    case TERM_CELL:
        return term_number(d->arena, term->input == d->input && term->row == d->row &&
                                         term->col == d->col);
    case TERM_ROW_OF:
    case TERM_COLUMN_OF:
        return derive(d, parts[1]);
    case TERM_SUM:
        return derive_sum(d, term);
    case TERM_DIFFERENCE:
        return term_minus(d->arena, derive(d, parts[0]), derive(d, parts[1]));
    case TERM_PRODUCT:
        return derive_product(d, term);
    case TERM_QUOTIENT:
        return derive_quotient(d, term);
    case TERM_NEGATIVE:
        return term_negative(d->arena, derive(d, parts[0]));
    case TERM_POWER:
        return derive_power(d, term);
    case TERM_FUNCTION:
        return derive_function(d, term);
    case TERM_LARGEST:
        return derive(d, parts[term_largest(term)]);
    case TERM_EQUAL:
        return derive(d, parts[parts[0]->value == parts[1]->value ? 2 : 3]);
    case TERM_GREATER:
        return derive(d, parts[parts[0]->value > parts[1]->value ? 2 : 3]);
    case TERM_QUANTITY:
        return derive_quantity(d, term);
    }
    return NULL;
}

const Term *term_derivative(Arena *arena, const Term *term, size_t input, size_t row,
                            size_t col, const Term *self) {
    Derivation derivation = {.arena = arena,
                             .input = input,
                             .row = row,
                             .col = col,
                             .root = term,
                             .self = self};
    return derive(&derivation, term);
}
