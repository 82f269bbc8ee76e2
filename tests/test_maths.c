/* The mathematical functions: the double nearest to the truth or the one beside it, C17's
 * special values, and the same bits in every build. */
#include "close.h"
#include "maths_bits.h"

#include <stdbool.h>
#include <stdlib.h>

enum { LINE = 200, LEAST_POINTS = 500 };

static double result_of(const MathsFunction *function, double x, double y) {
    return function->of_one ? function->of_one(x) : function->of_two(x, y);
}

/* A line's numbers behind the function's name; how many there are. */
static size_t numbers_of(char *text, double numbers[3]) {
    size_t count = 0;
    for (char *end; count < 3; text = end, count++) {
        numbers[count] = strtod(text, &end);
        if (end == text)
            break;
    }
    return count;
}

/* A line of tests/reference/maths.txt if it is of this function: 1, or 0 if another
 * double is nearer to the truth. -1 of other functions' lines. */
static int judge(const MathsFunction *function, char *line) {
    size_t length = strlen(function->name), given = function->of_one ? 1 : 2;
    double numbers[3] = {0};
    if (strncmp(line, function->name, length) != 0 || line[length] != ' ')
        return -1;
    assert_int_equal(numbers_of(line + length, numbers), given + 1);
    double found = result_of(function, numbers[0], numbers[1]), truth = numbers[given];
    if (found != truth && nextafter(found, truth) != truth)
        fail_msg("%a is found, not %s", found, line);
    return found == truth;
}

/* One in five of the points is a hard one, next to the middle between two doubles. */
static void test_results_are_the_nearest_double_or_the_one_beside_it(void **state) {
    char path[4096], line[LINE];
    snprintf(path, sizeof path, "%s/tests/reference/maths.txt",
             getenv("GLASSFORMER_SOURCE"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t points[MATHS_FUNCTIONS] = {0}, nearest[MATHS_FUNCTIONS] = {0};
    while (fgets(line, sizeof line, file)) {
        for (size_t i = 0; i < MATHS_FUNCTIONS; i++) {
            int judged = judge(&maths_functions[i], line);
            points[i] += judged >= 0;
            nearest[i] += judged > 0;
        }
    }
    fclose(file);
    for (size_t i = 0; i < MATHS_FUNCTIONS; i++) {
        if (points[i] < LEAST_POINTS || nearest[i] * 10 < points[i] * 9)
            fail_msg("%s: of %zu points %zu are the nearest", maths_functions[i].name,
                     points[i], nearest[i]);
    }
}

static void test_the_bits_are_those_of_every_other_build(void **state) {
    for (size_t i = 0; i < MATHS_FUNCTIONS; i++) {
        uint64_t bits = maths_bits(&maths_functions[i]);
        if (bits != maths_functions[i].bits)
            fail_msg("%s: 0x%016llX", maths_functions[i].name, (unsigned long long)bits);
    }
}

static void test_powers_of_ten_and_their_logarithms_are_exact(void **state) {
    double power = 1;
    for (int i = 0; i <= 22; i++, power *= 10) {
        assert_true(pow(10, i) == power);
        assert_true(pow(10, -i) == 1 / power);
        assert_true(log10(power) == i);
    }
}

static bool same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

/* C17, F.10.1 to F.10.8. */
static void test_special_values_of_functions_of_one_number(void **state) {
    const struct {
        const char *name;
        double (*function)(double x);
        double of_0, of_minus_0, of_infinity, of_minus_infinity;
    } rows[] = {
        {"exp", exp, 1, 1, INFINITY, 0},
        {"expm1", expm1, 0, -0.0, INFINITY, -1},
        {"log", log, -INFINITY, -INFINITY, INFINITY, NAN},
        {"log10", log10, -INFINITY, -INFINITY, INFINITY, NAN},
        {"log1p", log1p, 0, -0.0, INFINITY, NAN},
        {"sin", sin, 0, -0.0, NAN, NAN},
        {"cos", cos, 1, 1, NAN, NAN},
        {"tanh", tanh, 0, -0.0, 1, -1},
        {"erf", erf, 0, -0.0, 1, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double (*function)(double x) = rows[i].function;
        if (!same(function(0), rows[i].of_0) ||
            !same(function(-0.0), rows[i].of_minus_0) ||
            !same(function(INFINITY), rows[i].of_infinity) ||
            !same(function(-INFINITY), rows[i].of_minus_infinity) ||
            !isnan(function(NAN)))
            fail_msg("%s: %a %a %a %a %a", rows[i].name, function(0), function(-0.0),
                     function(INFINITY), function(-INFINITY), function(NAN));
    }
    assert_true(same(log(1), 0) && same(log10(1), 0) && isnan(log(-1)) &&
                isnan(log10(-1)));
    assert_true(log1p(-1) == -INFINITY && isnan(log1p(-1.5)));
    assert_true(exp(710) == INFINITY && same(exp(-746), 0));
}

/* C17, F.10.4.4. */
static void test_special_values_of_pow(void **state) {
    const double rows[][3] = {
        {0, -3, INFINITY},
        {-0.0, -3, -INFINITY},
        {0, -2.5, INFINITY},
        {-0.0, -2.5, INFINITY},
        {-0.0, -2, INFINITY},
        {-0.0, -INFINITY, INFINITY},
        {0, 3, 0},
        {-0.0, 3, -0.0},
        {0, 2.5, 0},
        {-0.0, 2.5, 0},
        {-0.0, 0x1p60, 0},
        {-0.0, INFINITY, 0},
        {-1, INFINITY, 1},
        {-1, -INFINITY, 1},
        {1, NAN, 1},
        {1, -INFINITY, 1},
        {NAN, 0, 1},
        {INFINITY, -0.0, 1},
        {-8, 0.5, NAN},
        {-0.5, 1e-300, NAN},
        {0.5, -INFINITY, INFINITY},
        {-0.5, -INFINITY, INFINITY},
        {-2, -INFINITY, 0},
        {0.5, INFINITY, 0},
        {-0.5, INFINITY, 0},
        {-2, INFINITY, INFINITY},
        {-INFINITY, -3, -0.0},
        {-INFINITY, -2, 0},
        {-INFINITY, -2.5, 0},
        {-INFINITY, 3, -INFINITY},
        {-INFINITY, 2.5, INFINITY},
        {INFINITY, -0.5, 0},
        {INFINITY, 0.5, INFINITY},
        {NAN, 2, NAN},
        {2, NAN, NAN},
        {-2, 3, -8},
        {-2, 0x1p53, INFINITY},
        {-2, 0x1.fffffffffffffp52, -INFINITY},
        {-2, -1075, -0.0},
        {-2, 1e300, INFINITY},
        {0.5, 1e308, 0},
        {0x1p-1074, -1, INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double found = pow(rows[i][0], rows[i][1]);
        if (!same(found, rows[i][2]))
            fail_msg("pow(%a, %a) is %a", rows[i][0], rows[i][1], found);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_are_the_nearest_double_or_the_one_beside_it),
        cmocka_unit_test(test_the_bits_are_those_of_every_other_build),
        cmocka_unit_test(test_powers_of_ten_and_their_logarithms_are_exact),
        cmocka_unit_test(test_special_values_of_functions_of_one_number),
        cmocka_unit_test(test_special_values_of_pow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
