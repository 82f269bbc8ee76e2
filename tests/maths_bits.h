/* Hash of the bits of each mathematical function: of 2^20 results for arguments that are
 * exact in every build. test_maths.c has the expected values; maths_bits.c prints them,
 * for same_maths.sh to build with other compilers. */
#pragma once

#include "base/maths.h"
#include "base/random.h"

#include <string.h>

typedef struct MathsFunction {
    const char *name;
    double (*of_one)(double x);
    double (*of_two)(double x, double y); /* one of the two is set */
    double least, most;                   /* half of the arguments are between them */
    uint64_t bits;                        /* maths_bits, in every build */
} MathsFunction;

static const MathsFunction maths_functions[] = {
    {"exp", exp, NULL, -746, 710, 0x6F4F0210AA1C7950},
    {"expm1", expm1, NULL, -2, 2, 0x588B18E42D13CE4A},
    {"log", log, NULL, 0, 4, 0xA93A862D2E8C5C3B},
    {"log10", log10, NULL, 0, 1000, 0x47DE7001185AD15E},
    {"log1p", log1p, NULL, -1, 3, 0x2216B4DE642D4AF6},
    {"sin", sin, NULL, -100, 100, 0xE6E493E8E9093DA2},
    {"cos", cos, NULL, -100, 100, 0x735EDF6309BB120F},
    {"tanh", tanh, NULL, -20, 20, 0xCE7C300E694CC9C1},
    {"erf", erf, NULL, -6, 6, 0xDECA32803B613545},
    {"pow", NULL, pow, 0, 40, 0x4E173D62FB1DBBFB},
};

enum { MATHS_FUNCTIONS = sizeof maths_functions / sizeof *maths_functions };

/* Evenly between least and most, or any double at all. */
static inline double maths_argument(const MathsFunction *function, Random *random) {
    if (random_next(random) % 2 == 0)
        return function->least +
               (function->most - function->least) * random_uniform(random);
    uint64_t bits = random_next(random);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* NaN counts as one, whatever its bits. */
static inline uint64_t maths_bits(const MathsFunction *function) {
    Random random;
    random_init(&random, 20170612);
    uint64_t sum = 0xCBF29CE484222325;
    for (size_t i = 0; i < (size_t)1 << 20; i++) {
        double x = maths_argument(function, &random), result;
        if (function->of_one)
            result = function->of_one(x);
        else
            result = function->of_two(x, 30 - 60 * random_uniform(&random));
        uint64_t bits = 0;
        if (!isnan(result))
            memcpy(&bits, &result, sizeof bits);
        sum = (sum ^ bits) * 0x100000001B3;
        sum ^= sum >> 32;
    }
    return sum;
}
