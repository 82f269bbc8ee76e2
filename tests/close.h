/* Comparing numbers so that NaN and infinity can't slip through: cmocka's own float
 * asserts pass on both. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Fails at the first of `count` numbers that is further than `tolerance` from what was
 * expected, printing its index. Equal infinities are close; NaN is close to nothing. */
static inline void assert_close_at(const double *actual, const double *expected,
                                   size_t count, double tolerance, const char *file,
                                   int line) {
    for (size_t i = 0; i < count; i++) {
        double difference = actual[i] == expected[i] ? 0 : fabs(actual[i] - expected[i]);
        if (!(difference <= tolerance)) {
            print_error("index %zu: %.17g is not %.17g\n", i, actual[i], expected[i]);
            _fail(file, line);
        }
    }
}

#define assert_close(actual, expected, count, tolerance)                                 \
    assert_close_at(actual, expected, count, tolerance, __FILE__, __LINE__)
