#include "base/arena.h"
#include "close.h"
#include "tensor/tensor.h"

static Tensor row(size_t count, double *values) {
    return (Tensor){.rows = 1, .cols = count, .values = values};
}

static void test_cells_are_row_major(void **state) {
    double values[] = {1, 2, 3, 4, 5, 6};
    Tensor tensor = {.rows = 2, .cols = 3, .values = values};
    const double last_of_first = 3, first_of_second = 4;
    double found[] = {tensor_at(&tensor, 0, 2), tensor_at(&tensor, 1, 0)};
    assert_close(&found[0], &last_of_first, 1, 0);
    assert_close(&found[1], &first_of_second, 1, 0);
    assert_int_equal(tensor_cells(&tensor), 6);
}

static void test_whole_numbers_are_told_from_fractions(void **state) {
    double whole[] = {1, -2, 0, 1e300, -INFINITY}, fraction[] = {1, 2.5};
    double none[] = {NAN, INFINITY};
    Tensor tensors[] = {row(5, whole), row(2, fraction), row(2, none), {0}};
    assert_true(tensor_is_whole(&tensors[0]));
    assert_false(tensor_is_whole(&tensors[1]));
    assert_false(tensor_is_whole(&tensors[2]));
    assert_false(tensor_is_whole(&tensors[3]));
}

static void test_a_mask_is_zeros_and_minus_infinities(void **state) {
    double mask[] = {0, -INFINITY, -0.0}, zeros[] = {0, 0}, scores[] = {-INFINITY, 1};
    double plus[] = {INFINITY, 0}, nan[] = {-INFINITY, NAN};
    Tensor tensors[] = {row(3, mask), row(2, zeros), row(2, scores), row(2, plus),
                        row(2, nan)};
    assert_true(tensor_is_mask(&tensors[0]));
    for (size_t i = 1; i < 5; i++)
        assert_false(tensor_is_mask(&tensors[i]));
}

static void test_places_that_are_labelled_alike_are_told_apart(void **state) {
    Arena *arena = arena_create(4096);
    const char *labels[] = {"learning", "am", "learning"}, *many[12];
    for (size_t i = 0; i < 12; i++)
        many[i] = "the";
    assert_string_equal(tensor_position_name(labels, 3, 0, arena), "learning₁");
    assert_string_equal(tensor_position_name(labels, 3, 1, arena), "am");
    assert_string_equal(tensor_position_name(labels, 3, 2, arena), "learning₃");
    assert_string_equal(tensor_position_name(labels, 2, 0, arena), "learning");
    assert_string_equal(tensor_position_name(many, 12, 11, arena), "the₁₂");
    assert_string_equal(tensor_position_name(NULL, 3, 2, arena), "2");
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_are_row_major),
        cmocka_unit_test(test_whole_numbers_are_told_from_fractions),
        cmocka_unit_test(test_a_mask_is_zeros_and_minus_infinities),
        cmocka_unit_test(test_places_that_are_labelled_alike_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
