/* Measures the functions of base/maths.h against MPFR: for each range of arguments the
 * largest error in units in the last place, and where.
 *
 *   maths_accuracy [POINTS [FUNCTION]]      POINTS of each range, 10000 by default
 *
 * Ends with 1 if an error is above 1. Needs Debian's libmpfr-dev; tests/test_maths.c
 * holds points that need nothing. */
#include "base/maths.h"
#include "base/random.h"

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRECISION = 160 };

typedef enum Spread {
    EVEN,      /* between least and most */
    EXPONENTS, /* ± 2^e, e between least and most */
    POSITIVE,  /* the same without a sign */
    MULTIPLES, /* next to multiples of π/2: of whole numbers below 2^most */
    PAIRS,     /* for pow: the result's binary logarithm is between least and most */
    NEAR_1,    /* for pow: the same, of a base near 1 */
} Spread;

typedef int Truth(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding);

typedef struct Range {
    const char *name;
    double (*function)(double x);
    Truth *truth;
    Spread spread;
    double least, most;
} Range;

static const Range ranges[] = {
    {"exp", exp, mpfr_exp, EVEN, -746, 710},
    {"exp", exp, mpfr_exp, EVEN, -30, 1},
    {"exp", exp, mpfr_exp, EVEN, -746, -707},
    {"exp", exp, mpfr_exp, EXPONENTS, -60, 9.4},
    {"expm1", expm1, mpfr_expm1, EVEN, -40, 710},
    {"expm1", expm1, mpfr_expm1, EVEN, -1, 1},
    {"expm1", expm1, mpfr_expm1, EXPONENTS, -1074, 9.4},
    {"tanh", tanh, mpfr_tanh, EVEN, -21, 21},
    {"tanh", tanh, mpfr_tanh, EVEN, -1, 1},
    {"tanh", tanh, mpfr_tanh, EXPONENTS, -1074, 5},
    {"log", log, mpfr_log, POSITIVE, -1074, 1024},
    {"log", log, mpfr_log, EVEN, 0.5, 2},
    {"log", log, mpfr_log, EVEN, 0.99, 1.01},
    {"log", log, mpfr_log, EVEN, 0.9999999999, 1.0000000001},
    {"log10", log10, mpfr_log10, POSITIVE, -1074, 1024},
    {"log10", log10, mpfr_log10, EVEN, 0.5, 2},
    {"log10", log10, mpfr_log10, EVEN, 0.99, 1.01},
    {"log1p", log1p, mpfr_log1p, EVEN, -1, 3},
    {"log1p", log1p, mpfr_log1p, EXPONENTS, -1074, -0.001},
    {"log1p", log1p, mpfr_log1p, EXPONENTS, -56, -0.001},
    {"log1p", log1p, mpfr_log1p, POSITIVE, -60, 1024},
    {"erf", erf, mpfr_erf, EVEN, -6.1, 6.1},
    {"erf", erf, mpfr_erf, EVEN, -1.1, 1.1},
    {"erf", erf, mpfr_erf, EXPONENTS, -1074, 2.6},
    {"sin", sin, mpfr_sin, EVEN, -10, 10},
    {"sin", sin, mpfr_sin, EVEN, -0.8, 0.8},
    {"sin", sin, mpfr_sin, EXPONENTS, -1074, 1024},
    {"sin", sin, mpfr_sin, MULTIPLES, 0, 30},
    {"sin", sin, mpfr_sin, MULTIPLES, 0, 1022},
    {"cos", cos, mpfr_cos, EVEN, -10, 10},
    {"cos", cos, mpfr_cos, EVEN, -0.8, 0.8},
    {"cos", cos, mpfr_cos, EXPONENTS, -40, 1024},
    {"cos", cos, mpfr_cos, MULTIPLES, 0, 30},
    {"cos", cos, mpfr_cos, MULTIPLES, 0, 1022},
    {"pow", NULL, NULL, PAIRS, -1075, 1024},
    {"pow", NULL, NULL, PAIRS, -10, 10},
    {"pow", NULL, NULL, NEAR_1, -1075, 1024},
};

static double between(Random *random, double least, double most) {
    return least + (most - least) * random_uniform(random);
}

/* 2^e, e between least and most. */
static double power_between(Random *random, double least, double most) {
    double exponent = between(random, least, most), whole = floor(exponent);
    return ldexp(exp(log(2) * (exponent - whole)), (int)whole);
}

/* The double that is nearest to a random multiple of π/2. */
static double near_multiple(Random *random, double most) {
    mpfr_t pi;
    mpfr_init2(pi, 1200);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_div_2ui(pi, pi, 1, MPFR_RNDN);
    mpfr_mul_d(pi, pi, floor(power_between(random, 0, most)), MPFR_RNDN);
    double x = mpfr_get_d(pi, MPFR_RNDN);
    mpfr_clear(pi);
    return x;
}

static void draw(Random *random, const Range *range, double *x, double *y) {
    double least = range->least, most = range->most;
    switch (range->spread) {
    case EVEN:
        *x = between(random, least, most);
        return;
    case EXPONENTS:
        *x = power_between(random, least, most) * (random_uniform(random) < 0.5 ? -1 : 1);
        return;
    case POSITIVE:
        *x = power_between(random, least, most);
        return;
    case MULTIPLES:
        *x = near_multiple(random, most);
        return;
    case PAIRS:
        *x = power_between(random, random_uniform(random) < 0.5 ? -1074 : -8,
                           random_uniform(random) < 0.5 ? 1024 : 8);
        break;
    case NEAR_1:
        *x = 1 + power_between(random, -52, -6) * (random_uniform(random) < 0.5 ? -1 : 1);
        break;
    }
    *y = between(random, least, most) * log(2) / log(*x);
}

/* |found - truth| in units in the last place of truth. */
static double error_of(double found, const mpfr_t truth) {
    if (!isfinite(found))
        return INFINITY;
    int exponent = mpfr_zero_p(truth) ? -1074 : (int)mpfr_get_exp(truth) - 53;
    if (exponent < -1074)
        exponent = -1074;
    mpfr_t difference;
    mpfr_init2(difference, PRECISION);
    mpfr_sub_d(difference, truth, found, MPFR_RNDN);
    mpfr_mul_2si(difference, difference, -exponent, MPFR_RNDN);
    double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return error;
}

/* Prints the range's line; returns its largest error. */
static double measure(const Range *range, size_t points) {
    Random random;
    random_init(&random, 1);
    mpfr_t truth, other;
    mpfr_inits2(PRECISION, truth, other, (mpfr_ptr)NULL);
    double worst = -1, worst_x = 0, worst_y = 0;
    size_t nearest = 0;
    for (size_t i = 0; i < points; i++) {
        double x = 0, y = 0, found;
        draw(&random, range, &x, &y);
        mpfr_set_d(truth, x, MPFR_RNDN);
        if (range->truth) {
            range->truth(truth, truth, MPFR_RNDN);
            found = range->function(x);
        } else {
            mpfr_set_d(other, y, MPFR_RNDN);
            mpfr_pow(truth, truth, other, MPFR_RNDN);
            found = pow(x, y);
        }
        bool is_nearest = found == mpfr_get_d(truth, MPFR_RNDN);
        nearest += is_nearest;
        double error = is_nearest && isinf(found) ? 0 : error_of(found, truth);
        if (error > worst) {
            worst = error;
            worst_x = x;
            worst_y = y;
        }
    }
    mpfr_clears(truth, other, (mpfr_ptr)NULL);
    printf("%-6s %9.5g … %-9.5g %.4f ulp at %a", range->name, range->least, range->most,
           worst, worst_x);
    if (!range->truth)
        printf(" %a", worst_y);
    printf(", %.3f%% are the nearest double\n", 100 * (double)nearest / (double)points);
    fflush(stdout);
    return worst;
}

int main(int argc, char **argv) {
    size_t points = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 10000, measured = 0;
    double worst = 0;
    for (size_t i = 0; points && i < sizeof ranges / sizeof *ranges; i++) {
        if (argc > 2 && strcmp(argv[2], ranges[i].name) != 0)
            continue;
        worst = fmax(worst, measure(&ranges[i], points));
        measured++;
    }
    if (!measured) {
        fprintf(stderr, "usage: maths_accuracy [POINTS [FUNCTION]]\n");
        return 2;
    }
    return worst > 1;
}
