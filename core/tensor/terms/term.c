#include "tensor/terms/term.h"

#include "base/arena.h"
#include "base/maths.h"

#include <string.h>

size_t term_largest(const Term *term) {
    size_t best = 0;
    for (size_t i = 1; i < term->count && !isnan(term->parts[best]->value); i++) {
        double value = term->parts[i]->value;
        if (value > term->parts[best]->value || isnan(value))
            best = i;
    }
    return best;
}

/* Rank of part `own` among the parts. */
static double place(size_t count, const Term *const *parts, size_t own) {
    size_t before = 0;
    for (size_t i = 0; i < count; i++)
        before += parts[i]->value > parts[own]->value ||
                  (parts[i]->value == parts[own]->value && i < own);
    return (double)before;
}

double term_value(const Term *term) {
    size_t count = term->count, best = 0;
    const Term *const *parts = term->parts;
    double a = count > 0 ? parts[0]->value : 0, b = count > 1 ? parts[1]->value : 0;
    switch (term->kind) {
    case TERM_NUMBER:
    case TERM_CELL:
        break;
    case TERM_ROW_OF:
    case TERM_COLUMN_OF:
        return b;
    case TERM_SUM:
        for (size_t i = 1; i < count; i++)
            a += parts[i]->value;
        return a;
    case TERM_DIFFERENCE:
        return a - b;
    case TERM_PRODUCT:
        for (size_t i = 1; i < count; i++)
            a *= parts[i]->value;
        return a;
    case TERM_QUOTIENT:
        return a / b;
    case TERM_NEGATIVE:
        return -a;
    case TERM_POWER:
        return pow(a, b);
    case TERM_FUNCTION:
        return term->function->value(a);
    case TERM_LARGEST:
    case TERM_POSITION:
        best = term_largest(term);
        return term->kind == TERM_LARGEST ? parts[best]->value : (double)best;
    case TERM_RANK:
        return place(count - 1, parts + 1, (size_t)a);
    case TERM_EQUAL:
        return parts[a == b ? 2 : 3]->value;
    case TERM_GREATER:
        return parts[a > b ? 2 : 3]->value;
    case TERM_QUANTITY:
        return a;
    }
    return NAN;
}

const Term *term_number(Arena *arena, double value) {
    Term *term = arena_alloc(arena, 1, sizeof *term);
    *term = (Term){.kind = TERM_NUMBER, .value = value};
    return term;
}

const Term *term_cell(Arena *arena, size_t input, const Tensor *tensor, size_t row,
                      size_t col) {
    Term *term = arena_alloc(arena, 1, sizeof *term);
    *term = (Term){.kind = TERM_CELL,
                   .value = tensor_at(tensor, row, col),
                   .input = input,
                   .row = row,
                   .col = col};
    return term;
}

static const Term *new_term(Arena *arena, TermKind kind, const TermFunction *function,
                            size_t count, const Term *const *parts) {
    Term *term = arena_alloc(arena, 1, sizeof *term);
    const Term **copy = arena_alloc(arena, count, sizeof *copy);
    memcpy(copy, parts, count * sizeof *copy);
    *term = (Term){.kind = kind, .function = function, .count = count, .parts = copy};
    term->value = term_value(term);
    return term;
}

const Term *term_new(Arena *arena, TermKind kind, size_t count,
                     const Term *const *parts) {
    return new_term(arena, kind, NULL, count, parts);
}

const Term *term_like(Arena *arena, const Term *term, const Term *const *parts) {
    return new_term(arena, term->kind, term->function, term->count, parts);
}

const Term *term_apply(Arena *arena, const TermFunction *function, const Term *part) {
    return new_term(arena, TERM_FUNCTION, function, 1, (const Term *const[]){part});
}

const Term *term_unary(Arena *arena, TermKind kind, const Term *part) {
    return term_new(arena, kind, 1, (const Term *const[]){part});
}

const Term *term_binary(Arena *arena, TermKind kind, const Term *left,
                        const Term *right) {
    return term_new(arena, kind, 2, (const Term *const[]){left, right});
}

const Term *term_quantity(Arena *arena, const char *name, const Term *part) {
    Term *term = (Term *)term_unary(arena, TERM_QUANTITY, part);
    term->name = name;
    return term;
}

const Term *term_shift(Arena *arena, const char *name, const Term *part) {
    Term *term = (Term *)term_quantity(arena, name, part);
    term->cancels = true;
    return term;
}

void term_visit_cells(const Term *term, void (*visit)(void *context, const Term *cell),
                      void *context) {
    if (term->kind == TERM_CELL)
        visit(context, term);
    for (size_t i = 0; i < term->count; i++)
        term_visit_cells(term->parts[i], visit, context);
}

/* ---- simplified ---- */

bool term_is_number(const Term *term, double value) {
    return term->kind == TERM_NUMBER && term->value == value;
}

bool term_is_zero(const Term *term) {
    return term_is_number(term, 0);
}

const Term *term_negative(Arena *arena, const Term *term) {
    if (term->kind == TERM_NUMBER)
        return term_number(arena, term->value == 0 ? 0 : -term->value);
    if (term->kind == TERM_NEGATIVE)
        return term->parts[0];
    return term_unary(arena, TERM_NEGATIVE, term);
}

const Term *term_times(Arena *arena, const Term *left, const Term *right) {
    if (term_is_zero(left) || term_is_zero(right))
        return term_number(arena, 0);
    if (term_is_number(left, 1))
        return right;
    if (term_is_number(right, 1))
        return left;
    if (term_is_number(left, -1))
        return term_negative(arena, right);
    if (term_is_number(right, -1))
        return term_negative(arena, left);
    return term_binary(arena, TERM_PRODUCT, left, right);
}

const Term *term_plus(Arena *arena, size_t count, const Term *const *parts) {
    const Term **kept = arena_alloc(arena, count, sizeof *kept);
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (!term_is_zero(parts[i]))
            kept[left++] = parts[i];
    }
    if (left == 0)
        return term_number(arena, 0);
    return left == 1 ? kept[0] : term_new(arena, TERM_SUM, left, kept);
}

const Term *term_minus(Arena *arena, const Term *left, const Term *right) {
    if (term_is_zero(right))
        return left;
    if (term_is_zero(left))
        return term_negative(arena, right);
    if (left->kind == TERM_NUMBER && right->kind == TERM_NUMBER)
        return term_number(arena, left->value - right->value);
    return term_binary(arena, TERM_DIFFERENCE, left, right);
}

const Term *term_over(Arena *arena, const Term *left, const Term *right) {
    if (term_is_zero(left))
        return term_number(arena, 0);
    if (term_is_number(right, 1))
        return left;
    if (left->kind == TERM_NUMBER && right->kind == TERM_NUMBER)
        return term_number(arena, left->value / right->value);
    return term_binary(arena, TERM_QUOTIENT, left, right);
}
