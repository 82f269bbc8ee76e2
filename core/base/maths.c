/* The mathematical functions that maths.h declares.
 *
 * All follow one plan. The argument is reduced to a small one, with tables or with whole
 * numbers, and without an error that matters; a Taylor polynomial does the rest. Its
 * large terms are carried as a pair of doubles, which is rounded once, at the end: that
 * rounding is half a unit in the last place (ulp), and all that came before it adds a few
 * hundredths, or a fifth at the worst. tests/maths_accuracy.c measures it.
 *
 * Only +, -, *, / and integers are used, each rounded as IEEE 754 says, and never a fused
 * a * b + c (the build has -ffp-contract=off), so that every compiler and processor gives
 * the same bits. Taylor's coefficients are written as they are in a textbook; the
 * compiler rounds them. Floating-point exceptions are not raised as C17 would have it. */
#include "base/maths.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- pairs ---- */

/* The unevaluated sum of two doubles, |low| at most about an ulp of high: 106 bits. */
typedef struct Pair {
    double high, low;
} Pair;

#include "base/maths_tables.h"

/* a + b, exactly; Knuth, The Art of Computer Programming 2, 4.2.2. */
static inline Pair sum(double a, double b) {
    double high = a + b, part = high - a;
    return (Pair){high, (a - (high - part)) + (b - part)};
}

/* a + b, exactly, where |a| >= |b| or a is 0; Dekker 1971. */
static inline Pair sum_ordered(double a, double b) {
    double high = a + b;
    return (Pair){high, b - (high - a)};
}

static inline uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The first 26 bits of x: the product of two such is exact, and so is x minus them. */
static inline double top_half(double x) {
    return from_bits(bits_of(x) & 0xFFFFFFFFF8000000);
}

/* a * b, to 107 bits; Dekker 1971, but cut by bits. */
static inline Pair product(double a, double b) {
    double high = a * b, a_top = top_half(a), b_top = top_half(b);
    double a_rest = a - a_top, b_rest = b - b_top;
    double low =
        ((a_top * b_top - high) + a_top * b_rest + a_rest * b_top) + a_rest * b_rest;
    return (Pair){high, low};
}

/* Coefficient 0 + coefficient 1 * x + …, by Horner's rule. */
static inline double polynomial(double x, const double *coefficients, int count) {
    double value = coefficients[count - 1];
    for (int i = count - 2; i >= 0; i--)
        value = value * x + coefficients[i];
    return value;
}

#define POLYNOMIAL(x, coefficients)                                                      \
    polynomial(x, coefficients, sizeof(coefficients) / sizeof *(coefficients))

/* 2^n, from -1022 to 1023. */
static inline double power_of_2(int n) {
    return from_bits((uint64_t)(n + 1023) << 52);
}

/* x * 2^n for any n to ±2044, rounded only where the result is subnormal. */
static double scaled(double x, int n) {
    return x * power_of_2(n / 2) * power_of_2(n - n / 2);
}

/* ---- exponentials ---- */

/* Adding it, then subtracting it, rounds to a whole number. */
#define ROUNDER 0x1.8p52

/* e^(x + low) = the pair * 2^*exponent, for |x| <= 800; relative error 2^-60.
 *
 * x = n * (ln 2 / 128) + r with |r| < 0.0028, and n = 128 * *exponent + i. So the pair is
 * 2^(i / 128), which the table has, times e^r = 1 + r + r^2/2 + … + r^5/120. */
static inline Pair exp_parts(double x, double low, int *exponent) {
    double steps = (x * (1 / EXP_STEP_HIGH) + ROUNDER) - ROUNDER;
    int n = (int)steps, i = n & (STEPS - 1);
    *exponent = (n - i) / STEPS;
    double r = (x - steps * EXP_STEP_HIGH) - (steps * EXP_STEP_LOW - low), r2 = r * r;
    double grown = r + (r2 * (0.5 + r * (1. / 6)) + r2 * r2 * (1. / 24 + r * (1. / 120)));
    const Pair *power = &exp_table[i];
    return sum_ordered(power->high, power->low + power->high * grown);
}

double maths_exp(double x) {
    int exponent;
    if (fabs(x) <= 708) {
        Pair e = exp_parts(x, 0, &exponent);
        return e.high * power_of_2(exponent);
    }
    if (isnan(x))
        return x;
    if (fabs(x) > 800)
        return x > 0 ? INFINITY : 0;
    Pair e = exp_parts(x, 0, &exponent);
    return scaled(e.high, exponent);
}

/* |x| < 1/8: x + x^2/2 + … + x^11/11! */
static double expm1_near_0(double x) {
    static const double c[] = {1. / 2,       1. / 6,       1. / 24,    1. / 120,
                               1. / 720,     1. / 5040,    1. / 40320, 1. / 362880,
                               1. / 3628800, 1. / 39916800};
    return x + x * x * POLYNOMIAL(x, c);
}

/* e^x - 1, for |x| from 1/8 to 700. */
static Pair expm1_far(double x) {
    int exponent;
    Pair e = exp_parts(x, 0, &exponent);
    double scale = power_of_2(exponent);
    Pair less = sum(e.high * scale, -1);
    return sum_ordered(less.high, less.low + e.low * scale);
}

double maths_expm1(double x) {
    if (fabs(x) < 0x1p-54)
        return x;
    if (fabs(x) < 0.125)
        return expm1_near_0(x);
    if (x < -40)
        return -1;
    return fabs(x) < 700 ? expm1_far(x).high : maths_exp(x);
}

/* |x| < 1/8: x - x^3/3 + 2 x^5/15 - … */
static double tanh_near_0(double x) {
    static const double c[] = {
        -1. / 3,         2. / 15,          -17. / 315,           62. / 2835,
        -1382. / 155925, 21844. / 6081075, -929569. / 638512875, 6404582. / 10854718875};
    double x2 = x * x;
    return x + x * x2 * POLYNOMIAL(x2, c);
}

/* tanh x = (e^2x - 1) / (e^2x + 1), of pairs. */
double maths_tanh(double x) {
    double size = fabs(x);
    if (size < 0x1p-27 || isnan(x))
        return x;
    if (size < 0.125)
        return tanh_near_0(x);
    if (size > 20)
        return copysign(1, x);
    Pair above = expm1_far(2 * size), below = sum(above.high, 2);
    below.low += above.low;
    double quotient = above.high / below.high;
    Pair back = product(quotient, below.high);
    double rest = (above.high - back.high) - back.low + above.low - quotient * below.low;
    return copysign(quotient + rest / below.high, x);
}

/* ---- logarithms ---- */

/* ln x for a positive finite x; relative error 2^-66.
 *
 * x = 2^n * z with z from 0.707 to 1.414, and z * inverse = 1 + r with |r| <= 1/128. The
 * inverse has 10 bits, so that r is exact as a pair. ln x = n ln 2 - ln inverse + ln(1 +
 * r), and ln(1 + r) = r - r^2/2 + r^3/3 - … - r^10/10. */
static Pair log_parts(double x) {
    static const double c[] = {1. / 3, -1. / 4, 1. / 5, -1. / 6,
                               1. / 7, -1. / 8, 1. / 9, -1. / 10};
    int n = -1023;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        n -= 54;
    }
    uint64_t bits = bits_of(x);
    unsigned i = bits >> 45 & (STEPS - 1), halved = i >= LOG_FIRST_HALVED;
    n += (int)(bits >> 52) + (int)halved;
    double z = from_bits((bits & 0x000FFFFFFFFFFFFF) | (uint64_t)(1023 - halved) << 52);
    double inverse = log_table[i].inverse, top = top_half(z);
    Pair r = sum(top * inverse - 1, (z - top) * inverse), whole = log_table[i].log;
    /* r^2 = r_top^2 + (r - r_top)(r + r_top), of which the first is exact. */
    double r_top = top_half(r.high), square = r_top * r_top;
    double square_rest = (r.high - r_top) * (r.high + r_top) + 2 * r.high * r.low;
    double rest =
        r.low - square_rest / 2 + r.high * (r.high * r.high) * POLYNOMIAL(r.high, c);
    Pair first = sum_ordered(n * LN2_HIGH + whole.high, r.high);
    Pair second = sum_ordered(first.high, -square / 2);
    rest += (n * LN2_LOW + whole.low) + first.low + second.low;
    return sum_ordered(second.high, rest);
}

/* True for all but positive finite numbers; *result is then the logarithm. */
static bool log_is_special(double x, double *result) {
    if (x > 0 && x < INFINITY)
        return false;
    *result = isnan(x) || x > 0 ? x : x < 0 ? NAN : -INFINITY;
    return true;
}

double maths_log(double x) {
    double special;
    return log_is_special(x, &special) ? special : log_parts(x).high;
}

double maths_log10(double x) {
    double special;
    if (log_is_special(x, &special))
        return special;
    Pair log = log_parts(x), scaled_log = product(log.high, LOG10_E_HIGH);
    return scaled_log.high +
           (scaled_log.low + (log.high * LOG10_E_LOW + log.low * LOG10_E_HIGH));
}

/* 1 + x is high + low of a pair, and ln(high + low) = ln high + low / high. */
double maths_log1p(double x) {
    double special;
    if (fabs(x) < 0x1p-54)
        return x;
    if (log_is_special(1 + x, &special))
        return special;
    Pair more = sum(1, x), log = log_parts(more.high);
    Pair both = sum(log.high, more.low / more.high);
    return both.high + (both.low + log.low);
}

/* ---- powers ---- */

/* True for whole numbers; *odd is true for odd ones. */
static bool is_whole(double y, bool *odd) {
    double size = fabs(y);
    *odd = size < 0x1p53 && size == (double)(uint64_t)size && (uint64_t)size % 2 == 1;
    return size >= 0x1p53 || size == (double)(uint64_t)size;
}

/* x^y = e^(y ln x). C17 F.10.4.4 says what becomes of zeros, infinities and NaN. */
double maths_pow(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return isnan(x) ? x : y;
    bool odd, whole = is_whole(y, &odd);
    double size = fabs(x), sign = signbit(x) && odd ? -1 : 1;
    if (x == 0 || isinf(x))
        return (x == 0) == (y > 0) ? sign * 0 : sign * INFINITY;
    if (isinf(y))
        return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    if (x < 0 && !whole)
        return NAN;
    Pair log = log_parts(size);
    if (fabs(y * log.high) > 800)
        return y * log.high > 0 ? sign * INFINITY : sign * 0;
    int exponent;
    Pair power = product(y, log.high);
    Pair e = exp_parts(power.high, power.low + y * log.low, &exponent);
    return sign * scaled(e.high, exponent);
}

/* ---- the error function ---- */

/* |x| < 1/2: 2/√π * (x - x^3/3 + x^5/(5 * 2!) - x^7/(7 * 3!) + …) */
static double erf_near_0(double x) {
    static const double c[] = {-1. / 3,       1. / 10,         -1. / 42,
                               1. / 216,      -1. / 1320,      1. / 9360,
                               -1. / 75600,   1. / 685440,     -1. / 6894720,
                               1. / 76204800, -1. / 918086400, 1. / 11975040000};
    double x2 = x * x;
    Pair first = product(x, ERF_SLOPE_HIGH);
    return first.high +
           (first.low + x * (ERF_SLOPE_LOW + ERF_SLOPE_HIGH * (x2 * POLYNOMIAL(x2, c))));
}

/* With c the nearest sixteenth, erf(c + h) = erf(c) + slope at c * the integral of f(t) =
 * e^(-2ct - t^2) from 0 to h. f' = -2 (c + t) f, so the Taylor coefficients of f are
 * a0 = 1, a1 = -2c, a(k+1) = -2 (c ak + a(k-1)) / (k+1); `term` is ak h^k. */
double maths_erf(double x) {
    enum { TERMS = 11 };
    static const double inverse[TERMS + 1] = {0,      1,      1. / 2,  1. / 3,
                                              1. / 4, 1. / 5, 1. / 6,  1. / 7,
                                              1. / 8, 1. / 9, 1. / 10, 1. / 11};
    double size = fabs(x);
    if (isnan(x) || x == 0)
        return x;
    if (size >= 6)
        return copysign(1, x);
    if (size < 0x1p-900) /* the low part of the product would be lost */
        return erf_near_0(x * 0x1p200) * 0x1p-200;
    if (size < 0.5)
        return erf_near_0(x);
    int nearest = (int)(size * ERF_STEPS + 0.5);
    double c = (double)nearest / ERF_STEPS, h = size - c;
    double by_last = -2 * c * h, by_older = -2 * h * h;
    double older = 0, term = 1, integral = 1;
    for (int k = 1; k < TERMS; k++) {
        double next = term * (by_last * inverse[k]) + older * (by_older * inverse[k]);
        older = term;
        term = next;
        integral += term * inverse[k + 1];
    }
    double change = erf_table[nearest - ERF_FIRST].slope * h * integral;
    Pair at = erf_table[nearest - ERF_FIRST].erf;
    return copysign(at.high + (at.low + change), x);
}

/* ---- sine and cosine ---- */

__extension__ typedef unsigned __int128 Wide;

/* The 64 bits of two_over_pi that begin at this one; bit 0 is the highest of word 0. */
static uint64_t bits_from(unsigned bit) {
    const uint64_t *word = &two_over_pi[bit / 64];
    unsigned shift = bit % 64;
    return shift ? word[0] << shift | word[1] >> (64 - shift) : word[0];
}

/* x = (quadrant + part) * π/2 with |part| <= 1/2, for x > π/4. Returns the quadrant
 * modulo 4; *angle = part * π/2, with a relative error of 2^-66 for every double.
 *
 * x = m * 2^e with a whole m, and x * 2/π is needed modulo 4. So the bits of 2/π whose
 * product with 2^e is a multiple of 4 are left out. The next 192 bits are multiplied by m
 * modulo 2^192: the first two bits of the product are the quadrant, the others the part.
 * The bits behind change it by less than 2^-137, and no double's part is smaller than
 * 2^-62. Payne & Hanek 1983, here with integers. */
static unsigned quadrant_far(double x, Pair *angle) {
    uint64_t bits = bits_of(x), m = (bits & 0x000FFFFFFFFFFFFF) | 0x0010000000000000;
    unsigned from =
        (unsigned)(bits >> 52) - 1075 - 2 + 64; /* 64 bits are before the point */
    Wide third = (Wide)m * bits_from(from + 128);
    Wide second = (Wide)m * bits_from(from + 64) + (uint64_t)(third >> 64);
    uint64_t first = m * bits_from(from) + (uint64_t)(second >> 64);
    unsigned quadrant = (unsigned)(first >> 62);
    Wide part = ((Wide)first << 64 | (uint64_t)second) << 2 | (uint64_t)third >> 62;
    double sign = 1;
    if (part >> 127) { /* more than half: the next quadrant is nearer */
        quadrant++;
        part = -part;
        sign = -1;
    }
    /* 53 + 53 + 22 bits. */
    double high = (double)(uint64_t)(part >> 75) * 0x1p-53;
    double middle = (double)((uint64_t)(part >> 22) & 0x001FFFFFFFFFFFFF) * 0x1p-106;
    double low = (double)((uint64_t)part & 0x3FFFFF) * 0x1p-128;
    Pair whole = sum_ordered(high, middle);
    Pair turned = product(sign * whole.high, HALF_PI_HIGH);
    turned.low += sign * ((whole.low + low) * HALF_PI_HIGH + whole.high * HALF_PI_LOW);
    *angle = sum_ordered(turned.high, turned.low);
    return quadrant;
}

/* The same for any finite x that is not negative. */
static unsigned quadrant_of(double x, Pair *angle) {
    if (x > PI / 4)
        return quadrant_far(x, angle);
    *angle = (Pair){x, 0};
    return 0;
}

/* x - x^3/3! + x^5/5! - … to x^17/17!, for |x| <= π/4. */
static double sin_near_0(Pair angle) {
    static const double c[] = {
        -1. / 6,        1. / 120,        -1. / 5040,          1. / 362880,
        -1. / 39916800, 1. / 6227020800, -1. / 1307674368000, 1. / 355687428096000};
    double x = angle.high, x2 = x * x;
    return x + (x * x2 * POLYNOMIAL(x2, c) + angle.low * (1 - x2 / 2));
}

/* 1 - x^2/2! + x^4/4! - … to x^18/18!, for |x| <= π/4. 1 - x^2/2 is computed as a pair.
 */
static double cos_near_0(Pair angle) {
    static const double c[] = {
        1. / 24,        -1. / 720,         1. / 40320,          -1. / 3628800,
        1. / 479001600, -1. / 87178291200, 1. / 20922789888000, -1. / 6402373705728000};
    double x = angle.high, x2 = x * x, top = top_half(x);
    Pair first = sum_ordered(1, -top * top / 2);
    double square_rest = (x - top) * (x + top) / 2 + x * angle.low;
    return first.high + (first.low + (x2 * x2 * POLYNOMIAL(x2, c) - square_rest));
}

/* The sine of angle + quadrant * π/2. */
static double sin_of(Pair angle, unsigned quadrant) {
    double sine = quadrant & 1 ? cos_near_0(angle) : sin_near_0(angle);
    return quadrant & 2 ? -sine : sine;
}

double maths_sin(double x) {
    if (fabs(x) < 0x1p-27 || isnan(x))
        return x;
    if (isinf(x))
        return NAN;
    Pair angle;
    unsigned quadrant = quadrant_of(fabs(x), &angle);
    double sine = sin_of(angle, quadrant);
    return x < 0 ? -sine : sine;
}

double maths_cos(double x) {
    if (isnan(x))
        return x;
    if (isinf(x))
        return NAN;
    Pair angle;
    unsigned quadrant = quadrant_of(fabs(x), &angle);
    return sin_of(angle, quadrant + 1);
}
