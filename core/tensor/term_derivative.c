#include "tensor/term_derivative.h"

#include <math.h>

/* Quantities stand in a term many times over: each is differentiated once. */
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

static bool is_number(const Term *term, double value) {
    return term->kind == TERM_NUMBER && term->value == value;
}

bool term_is_zero(const Term *term) {
    return is_number(term, 0);
}

/* ---- making terms short ---- */

static const Term *negative(Arena *arena, const Term *term) {
    if (!term)
        return NULL;
    if (term->kind == TERM_NUMBER)
        return term_number(arena, term->value == 0 ? 0 : -term->value);
    if (term->kind == TERM_NEGATIVE)
        return term->parts[0];
    return term_unary(arena, TERM_NEGATIVE, term);
}

const Term *term_times(Arena *arena, const Term *left, const Term *right) {
    if (!left || !right)
        return NULL;
    if (term_is_zero(left) || term_is_zero(right))
        return term_number(arena, 0);
    if (is_number(left, 1))
        return right;
    if (is_number(right, 1))
        return left;
    if (is_number(left, -1))
        return negative(arena, right);
    if (is_number(right, -1))
        return negative(arena, left);
    return term_binary(arena, TERM_PRODUCT, left, right);
}

const Term *term_plus(Arena *arena, size_t count, const Term *const *parts) {
    const Term **kept = arena_alloc(arena, count, sizeof *kept);
    size_t left = 0;
    if (!kept)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!parts[i])
            return NULL;
        if (!term_is_zero(parts[i]))
            kept[left++] = parts[i];
    }
    if (left == 0)
        return term_number(arena, 0);
    return left == 1 ? kept[0] : term_new(arena, TERM_SUM, left, kept);
}

static const Term *minus(Arena *arena, const Term *left, const Term *right) {
    if (!left || !right)
        return NULL;
    if (term_is_zero(right))
        return left;
    if (term_is_zero(left))
        return negative(arena, right);
    if (left->kind == TERM_NUMBER && right->kind == TERM_NUMBER)
        return term_number(arena, left->value - right->value);
    return term_binary(arena, TERM_DIFFERENCE, left, right);
}

static const Term *over(Arena *arena, const Term *left, const Term *right) {
    if (!left || !right)
        return NULL;
    if (term_is_zero(left))
        return term_number(arena, 0);
    if (is_number(right, 1))
        return left;
    if (left->kind == TERM_NUMBER && right->kind == TERM_NUMBER)
        return term_number(arena, left->value / right->value);
    return term_binary(arena, TERM_QUOTIENT, left, right);
}

/* ---- the rules ---- */

static const Term *derive(Derivation *d, const Term *term);

/* The term itself, within its own derivative. */
static const Term *itself(const Derivation *d, const Term *term) {
    return term == d->root && d->self ? d->self : term;
}

static const Term *derive_sum(Derivation *d, const Term *term) {
    const Term **parts = arena_alloc(d->arena, term->count, sizeof *parts);
    if (!parts)
        return NULL;
    for (size_t i = 0; i < term->count; i++)
        parts[i] = derive(d, term->parts[i]);
    return term_plus(d->arena, term->count, parts);
}

/* (a · b · …)′ = a′ · b · … + a · b′ · … */
static const Term *derive_product(Derivation *d, const Term *term) {
    const Term **parts = arena_alloc(d->arena, term->count, sizeof *parts);
    if (!parts)
        return NULL;
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
    const Term *first = over(d->arena, above, term->parts[1]);
    const Term *second = over(d->arena, below, term->parts[1]);
    return minus(d->arena, first, term_times(d->arena, itself(d, term), second));
}

/* (a^b)′ = b · a^(b−1) · a′ + a^b · log a · b′ */
static const Term *derive_power(Derivation *d, const Term *term) {
    Arena *arena = d->arena;
    const Term *base = term->parts[0], *exponent = term->parts[1];
    const Term *base_slope = derive(d, base), *exponent_slope = derive(d, exponent);
    if (!base_slope || !exponent_slope)
        return NULL;
    const Term *less = minus(arena, exponent, term_number(arena, 1));
    const Term *lower =
        less && is_number(less, 1) ? base : term_binary(arena, TERM_POWER, base, less);
    const Term *parts[] = {
        term_times(arena, term_times(arena, exponent, lower), base_slope),
        term_is_zero(exponent_slope)
            ? exponent_slope
            : term_times(
                  arena,
                  term_times(arena, itself(d, term), term_unary(arena, TERM_LOG, base)),
                  exponent_slope)};
    return term_plus(arena, 2, parts);
}

/* A function of one part: its own slope times the part's. */
static const Term *derive_function(Derivation *d, const Term *term) {
    Arena *arena = d->arena;
    const Term *x = term->parts[0], *slope = derive(d, x);
    if (!slope || term_is_zero(slope))
        return slope;
    switch (term->kind) {
    case TERM_EXP:
        return term_times(arena, itself(d, term), slope);
    case TERM_LOG:
        return over(arena, slope, x);
    case TERM_SQRT:
        return over(arena, slope,
                    term_times(arena, term_number(arena, 2), itself(d, term)));
    case TERM_SIN:
        return term_times(arena, term_unary(arena, TERM_COS, x), slope);
    case TERM_COS:
        return negative(arena, term_times(arena, term_unary(arena, TERM_SIN, x), slope));
    default:
        return NULL;
    }
}

/* The part that is the largest moves the largest. */
static const Term *derive_largest(Derivation *d, const Term *term) {
    size_t best = 0;
    for (size_t i = 1; i < term->count && !isnan(term->parts[best]->value); i++) {
        double value = term->parts[i]->value;
        if (value > term->parts[best]->value || isnan(value))
            best = i;
    }
    return derive(d, term->parts[best]);
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
    case TERM_PLACE:
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
        return minus(d->arena, derive(d, parts[0]), derive(d, parts[1]));
    case TERM_PRODUCT:
        return derive_product(d, term);
    case TERM_QUOTIENT:
        return derive_quotient(d, term);
    case TERM_NEGATIVE:
        return negative(d->arena, derive(d, parts[0]));
    case TERM_POWER:
        return derive_power(d, term);
    case TERM_EXP:
    case TERM_LOG:
    case TERM_SQRT:
    case TERM_SIN:
    case TERM_COS:
        return derive_function(d, term);
    case TERM_LARGEST:
        return derive_largest(d, term);
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
