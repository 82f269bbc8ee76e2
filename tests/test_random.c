#include "close.h"

#include "base/random.h"

/* Computed by hand from the generators' published definitions, in Python's integers. */
static void test_bits_are_those_of_the_published_generator(void **state) {
    static const uint64_t zero[] = {0x99EC5F36CB75F2B4, 0xBF6E1F784956452A,
                                    0x1A5F849D4933E6E0, 0x6AA594F1262D2D2C,
                                    0xBBA5AD4A1F842E59};
    static const uint64_t answer[] = {0x15780B2E0C2EC716, 0x6104D9866D113A7E,
                                      0xAE17533239E499A1, 0xECB8AD4703B360A1,
                                      0xFDE6DC7FE2EC5E64};
    Random a, b;
    random_init(&a, 0);
    random_init(&b, 42);
    for (size_t i = 0; i < 5; i++) {
        assert_true(random_next(&a) == zero[i]);
        assert_true(random_next(&b) == answer[i]);
    }
}

static void test_normals_are_those_of_the_polar_method(void **state) {
    static const double expected[] = {-0.72621913813054562, -0.21119691827334464,
                                      0.22162270150147378,  0.52277168771252036,
                                      0.46417731023393571,  0.74097889172844589};
    Random random;
    random_init(&random, 42);
    for (size_t i = 0; i < 6; i++) {
        double value = random_normal(&random);
        assert_close(&value, &expected[i], 1, 0);
    }
}

static void test_uniform_numbers_fill_their_range(void **state) {
    enum { DRAWS = 100000 };
    Random random;
    random_init(&random, 9);
    double sum = 0, low = 1, high = 0;
    size_t counts[7] = {0};
    for (size_t i = 0; i < DRAWS; i++) {
        double value = random_uniform(&random);
        sum += value;
        low = value < low ? value : low;
        high = value > high ? value : high;
        counts[random_below(&random, 7)]++;
    }
    const double mean = sum / DRAWS, half = 0.5;
    assert_true(low >= 0 && low < 0.001 && high > 0.999 && high < 1);
    assert_close(&mean, &half, 1, 0.005);
    for (size_t i = 0; i < 7; i++)
        assert_in_range(counts[i], DRAWS / 7 - 600, DRAWS / 7 + 600);
    assert_int_equal(random_below(&random, 1), 0);
}

static void test_normal_numbers_have_the_normal_moments(void **state) {
    enum { DRAWS = 200000 };
    Random random;
    random_init(&random, 10);
    double moments[4] = {0}, within = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        double value = random_normal(&random), power = 1;
        for (size_t k = 0; k < 4; k++)
            moments[k] += (power *= value) / DRAWS;
        within += fabs(value) < 1 ? 1.0 / DRAWS : 0;
        assert_true(value * 0x1p32 == rint(value * 0x1p32));
    }
    static const double expected[] = {0, 1, 0, 3};
    const double share = 0.682689;
    assert_close(moments, expected, 4, 0.06);
    assert_close(&within, &share, 1, 0.005);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_are_those_of_the_published_generator),
        cmocka_unit_test(test_normals_are_those_of_the_polar_method),
        cmocka_unit_test(test_uniform_numbers_fill_their_range),
        cmocka_unit_test(test_normal_numbers_have_the_normal_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
