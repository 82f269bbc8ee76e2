/* The product and its gradients against sums by hand, bit for bit, with each size of
 * vectors that the processor has. */
#include "close.h"
#include "skip.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* The widest vectors that the kernel may use: none beyond the ones that every target has,
 * AVX2, AVX-512. */
enum { VECTORS_PLAIN, VECTORS_AVX2, VECTORS_AVX512, VECTORS_COUNT };
static int widest;

#if defined(__x86_64__)
static bool processor_has(int vectors) {
    return vectors == VECTORS_PLAIN ||
           (vectors == VECTORS_AVX2 ? __builtin_cpu_supports("avx2")
                                    : __builtin_cpu_supports("avx512f"));
}

static bool may_use(const char *name) {
    int vectors = strcmp(name, "avx2") == 0 ? VECTORS_AVX2 : VECTORS_AVX512;
    return vectors <= widest && processor_has(vectors);
}

/* The kernel is compiled here once more, because it chooses by this function. */
#define __builtin_cpu_supports may_use
#else
static bool processor_has(int vectors) {
    return vectors == VECTORS_PLAIN;
}
#endif
#include "tensor/operations/kernel_matmul.c"

/* A product of random numbers: out [n,m] += a · b, the cells of a and b at the strides.
 */
typedef struct Sample {
    Product product;
    double *a, *b, *out, *expected;
} Sample;

/* Numbers that show a sum in another order, a factor that was skipped or a product that
 * wasn't rounded: few are not finite or overflow, or none, because these hide the others
 * in their sums. */
static double draw_number(Random *random, bool only_finite) {
    static const double rare[] = {0.0,    -0.0,     5e-324, -5e-324,   1e-310, 2.3e-308,
                                  1e-160, -1.7e308, 1e300,  -INFINITY, NAN,    INFINITY};
    enum { RARE = sizeof rare / sizeof *rare, RARE_AND_SMALL = 7 };
    if (random_below(random, only_finite ? 8 : 100) != 0)
        return random_normal(random);
    return rare[random_below(random, only_finite ? RARE_AND_SMALL : RARE)];
}

static double *draw_numbers(Random *random, size_t count, bool only_finite) {
    double *numbers = malloc(count * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = draw_number(random, only_finite);
    return numbers;
}

static Sample sample_of(Random *random, size_t n, size_t depth, size_t m,
                        bool only_finite) {
    Sample sample = {.product = {.n = n, .depth = depth, .m = m},
                     .a = draw_numbers(random, n * depth, only_finite),
                     .b = draw_numbers(random, depth * m, only_finite),
                     .out = draw_numbers(random, n * m, only_finite),
                     .expected = malloc(n * m * sizeof(double))};
    return sample;
}

static void sample_free(Sample *sample) {
    free(sample->a), free(sample->b), free(sample->out), free(sample->expected);
}

static void compute_by_hand(const Sample *sample) {
    const Product *p = &sample->product;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->m; j++) {
            double *cell = &sample->expected[i * p->m + j];
            for (size_t l = 0; l < p->depth; l++)
                *cell += sample->a[i * p->a_row + l * p->a_col] *
                         sample->b[l * p->b_row + j * p->b_col];
        }
    }
}

/* NaN is equal to any NaN: which one a processor chooses of two is not defined. */
static void check_bits(const Sample *sample, const char *name) {
    const Product *p = &sample->product;
    for (size_t i = 0; i < p->n * p->m; i++) {
        double actual = sample->out[i], expected = sample->expected[i];
        if (isnan(expected) ? isnan(actual)
                            : memcmp(&actual, &expected, sizeof actual) == 0)
            continue;
        print_error("%s, vectors %d, [%zu,%zu] @ [%zu,%zu], cell %zu: %.17g is not "
                    "%.17g\n",
                    name, widest, p->n, p->depth, p->depth, p->m, i, actual, expected);
        fail();
    }
}

/* The product of one shape and both gradients that have a product of this shape. */
static void check_shape(Random *random, size_t n, size_t depth, size_t m,
                        bool only_finite) {
    Sample sample = sample_of(random, n, depth, m, only_finite);
    size_t bytes = n * m * sizeof(double);
    Product *p = &sample.product;

    p->a_row = depth, p->a_col = 1, p->b_row = m, p->b_col = 1;
    memset(sample.expected, 0, bytes);
    compute_by_hand(&sample);
    kernel_matmul(sample.out, sample.a, sample.b, n, depth, m);
    check_bits(&sample, "product");

    p->b_row = 1, p->b_col = depth;
    memcpy(sample.expected, sample.out, bytes);
    compute_by_hand(&sample);
    kernel_matmul_backward_left(sample.out, sample.a, sample.b, n, m, depth);
    check_bits(&sample, "left factor's gradient");

    p->a_row = 1, p->a_col = n, p->b_row = m, p->b_col = 1;
    memcpy(sample.expected, sample.out, bytes);
    compute_by_hand(&sample);
    kernel_matmul_backward_right(sample.out, sample.a, sample.b, depth, n, m);
    check_bits(&sample, "right factor's gradient");
    sample_free(&sample);
}

/* Sizes of one row or column, beside a tile's or a packed part's, and any others. */
static size_t draw_size(Random *random) {
    static const size_t edges[] = {1,  2,  3,  4,  5,  7,  8,   9,   15,
                                   16, 17, 31, 32, 33, 64, 255, 256, 257};
    return random_below(random, 3)
               ? edges[random_below(random, sizeof edges / sizeof *edges)]
               : 1 + random_below(random, 90);
}

static void check_vectors(int vectors) {
    if (!processor_has(vectors))
        skip_because("the processor lacks these vectors");
    widest = vectors;
    Random random;
    random_init(&random, 5);
    for (size_t i = 0; i < 250; i++)
        check_shape(&random, draw_size(&random), draw_size(&random), draw_size(&random),
                    i % 2);
    check_shape(&random, 12, 513, 130, true);
    check_shape(&random, 300, 1, 700, true);
}

static void test_sums_with_the_vectors_of_every_target(void **state) {
    check_vectors(VECTORS_PLAIN);
}

static void test_sums_with_avx2(void **state) {
    check_vectors(VECTORS_AVX2);
}

static void test_sums_with_avx512(void **state) {
    check_vectors(VECTORS_AVX512);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_with_the_vectors_of_every_target),
        cmocka_unit_test(test_sums_with_avx2),
        cmocka_unit_test(test_sums_with_avx512),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
