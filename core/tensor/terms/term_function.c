#include "tensor/terms/term_function.h"

#include "base/maths.h"
#include "tensor/terms/term_short.h"

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
