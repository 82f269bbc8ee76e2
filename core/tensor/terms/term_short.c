#include "tensor/terms/term_short.h"

#include "base/arena.h"

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
