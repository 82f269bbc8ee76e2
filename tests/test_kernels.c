#include "close.h"
#include "reference.h"

#include "tensor/operations/kernels.h"

static Reference reference;

static int load(void **state) {
    reference = reference_load();
    return 0;
}

static int unload(void **state) {
    reference_free(&reference);
    return 0;
}

/* Runs `compute` on every reference case of one operation; fails when there is none. */
static void check_all(OperationKind kind,
                      void (*compute)(const ReferenceCase *item, double *out)) {
    size_t checked = 0;
    for (size_t i = 0; i < reference.count; i++) {
        const ReferenceCase *item = &reference.cases[i];
        if (item->kind != kind)
            continue;
        size_t cells = tensor_cells(&item->output);
        double *out = malloc(cells * sizeof *out);
        for (size_t j = 0; j < cells; j++)
            out[j] = NAN; /* a cell left out shows */
        compute(item, out);
        assert_close(out, item->output.values, cells, 1e-12);
        free(out);
        checked++;
    }
    assert_true(checked > 3);
}

static void matmul(const ReferenceCase *item, double *out) {
    const Tensor *a = &item->inputs[0], *b = &item->inputs[1];
    kernel_matmul(out, a->values, b->values, a->rows, a->cols, b->cols);
}

static void test_matmul_agrees_with_pytorch(void **state) {
    check_all(OPERATION_MATMUL, matmul);
}

static void softmax(const ReferenceCase *item, double *out) {
    const Tensor *x = &item->inputs[0];
    kernel_softmax(out, x->values, x->rows, x->cols);
}

static void test_softmax_agrees_with_pytorch(void **state) {
    check_all(OPERATION_SOFTMAX, softmax);
}

static void layer_norm(const ReferenceCase *item, double *out) {
    const Tensor *x = &item->inputs[0];
    bool scaled = item->input_count == 3;
    kernel_norm(out, x->values, scaled ? item->inputs[1].values : NULL,
                scaled ? item->inputs[2].values : NULL, true, item->options.epsilon,
                x->rows, x->cols);
}

static void test_layer_norm_agrees_with_pytorch(void **state) {
    check_all(OPERATION_LAYER_NORM, layer_norm);
}

static void argmax(const ReferenceCase *item, double *out) {
    const Tensor *x = &item->inputs[0];
    for (size_t i = 0; i < x->rows; i++)
        out[i] = (double)kernel_argmax(x->values + i * x->cols, x->cols);
}

static void test_argmax_agrees_with_pytorch(void **state) {
    check_all(OPERATION_ARGMAX, argmax);
}

static void mean(const ReferenceCase *item, double *out) {
    const Tensor *x = &item->inputs[0];
    for (size_t i = 0; i < x->rows; i++)
        out[i] = kernel_mean(x->values + i * x->cols, x->cols);
}

static void test_mean_agrees_with_pytorch(void **state) {
    check_all(OPERATION_MEAN, mean);
}

static void positional_encoding(const ReferenceCase *item, double *out) {
    kernel_positional_encoding(out, item->output.rows, item->output.cols);
}

static void test_positional_encoding_agrees_with_pytorch(void **state) {
    check_all(OPERATION_POSITIONAL_ENCODING, positional_encoding);
}

static void test_softmax_survives_large_scores(void **state) {
    const double scores[] = {1e308, 1e308, -1e308, 1e4, -1e4, -1e4};
    const double expected[] = {0.5, 0.5, 0, 1, 0, 0};
    double shares[6];
    kernel_softmax(shares, scores, 2, 3);
    assert_close(shares, expected, 6, 0);
}

static void test_softmax_of_a_row_masked_whole_is_zeros(void **state) {
    const double scores[] = {-INFINITY, -INFINITY, 0, -INFINITY};
    const double expected[] = {0, 0, 1, 0};
    double shares[4];
    kernel_softmax(shares, scores, 2, 2);
    assert_close(shares, expected, 4, 0);
}

static void test_softmax_does_not_hide_what_is_no_number(void **state) {
    const double scores[] = {1, NAN, 2, INFINITY, 1, 0, -INFINITY, NAN, -INFINITY};
    double shares[9];
    kernel_softmax(shares, scores, 3, 3);
    assert_true(isnan(shares[0]) && isnan(shares[1]) && isnan(shares[2]));
    assert_true(isnan(shares[3])); /* ∞ − ∞ */
    assert_true(isnan(shares[6]) && isnan(shares[7]) && isnan(shares[8]));
}

static void test_argmax_counts_nan_as_largest(void **state) {
    assert_int_equal(kernel_argmax((const double[]){1, NAN, INFINITY}, 3), 1);
    assert_int_equal(kernel_argmax((const double[]){NAN, NAN, 5}, 3), 0);
    assert_int_equal(kernel_argmax((const double[]){3, NAN}, 2), 1);
}

static void test_variance_is_biased(void **state) {
    const double row[] = {1, 2, 3, 4}, expected = 1.25, none = 0;
    double variance = kernel_variance(row, kernel_mean(row, 4), 4);
    assert_close(&variance, &expected, 1, 1e-15);
    variance = kernel_variance(row, row[0], 1);
    assert_close(&variance, &none, 1, 0);
}

static void test_layer_norm_takes_gamma_or_beta_alone(void **state) {
    const double x[] = {-1, 1}, gamma[] = {2, 3}, beta[] = {10, 20};
    const double scaled[] = {-2, 3}, shifted[] = {9, 21};
    double out[2];
    kernel_norm(out, x, gamma, NULL, true, 0, 1, 2);
    assert_close(out, scaled, 2, 1e-15);
    kernel_norm(out, x, NULL, beta, true, 0, 1, 2);
    assert_close(out, shifted, 2, 1e-15);
}

static void test_matmul_forgets_what_the_output_held(void **state) {
    const double a[] = {1, 2}, b[] = {3, 4}, expected = 11;
    double out = 1e9;
    kernel_matmul(&out, a, b, 1, 2, 1);
    assert_close(&out, &expected, 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul_agrees_with_pytorch),
        cmocka_unit_test(test_softmax_agrees_with_pytorch),
        cmocka_unit_test(test_layer_norm_agrees_with_pytorch),
        cmocka_unit_test(test_argmax_agrees_with_pytorch),
        cmocka_unit_test(test_mean_agrees_with_pytorch),
        cmocka_unit_test(test_positional_encoding_agrees_with_pytorch),
        cmocka_unit_test(test_softmax_survives_large_scores),
        cmocka_unit_test(test_softmax_of_a_row_masked_whole_is_zeros),
        cmocka_unit_test(test_softmax_does_not_hide_what_is_no_number),
        cmocka_unit_test(test_argmax_counts_nan_as_largest),
        cmocka_unit_test(test_variance_is_biased),
        cmocka_unit_test(test_layer_norm_takes_gamma_or_beta_alone),
        cmocka_unit_test(test_matmul_forgets_what_the_output_held),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
