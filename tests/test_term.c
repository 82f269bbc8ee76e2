#include "base/arena.h"
#include "close.h"
#include "tensor/terms/term.h"
#include "term_value.h"

#include <string.h>

static Arena *arena;

static int make_arena(void **state) {
    arena = arena_create(1 << 20);
    return arena ? 0 : -1;
}

static int drop_arena(void **state) {
    arena_destroy(arena);
    return 0;
}

static const Term *number(double value) {
    return term_number(arena, value);
}

static void assert_value(const Term *term, double expected) {
    assert_non_null(term);
    assert_close(&term->value, &expected, 1, 0);
    double again = term_evaluate(term, NULL);
    assert_close(&again, &expected, 1, 0);
}

static const Term *of(TermKind kind, size_t count, const double *values) {
    const Term *parts[8];
    for (size_t i = 0; i < count; i++)
        parts[i] = number(values[i]);
    return term_new(arena, kind, count, parts);
}

static void test_each_kind_computes_what_its_name_says(void **state) {
    const struct {
        TermKind kind;
        size_t count;
        double parts[4], value;
    } cases[] = {
        {TERM_SUM, 3, {1, 2, 4}, 7},
        {TERM_SUM, 1, {5}, 5},
        {TERM_DIFFERENCE, 2, {5, 7}, -2},
        {TERM_PRODUCT, 3, {2, 3, -4}, -24},
        {TERM_QUOTIENT, 2, {3, 4}, 0.75},
        {TERM_QUOTIENT, 2, {1, 0}, INFINITY},
        {TERM_NEGATIVE, 1, {3}, -3},
        {TERM_POWER, 2, {3, 2}, 9},
        {TERM_LARGEST, 4, {1, 3, 3, 2}, 3},
        {TERM_LARGEST, 2, {-INFINITY, -INFINITY}, -INFINITY},
        {TERM_POSITION, 4, {1, 3, 3, 2}, 1},
        {TERM_EQUAL, 4, {2, 2, 10, 20}, 10},
        {TERM_EQUAL, 4, {2, 3, 10, 20}, 20},
        {TERM_GREATER, 4, {3, 2, 10, 20}, 10},
        {TERM_GREATER, 4, {2, 2, 10, 20}, 20},
        {TERM_ROW_OF, 2, {4, 0.5}, 0.5},
        {TERM_QUANTITY, 1, {6}, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_value(of(cases[i].kind, cases[i].count, cases[i].parts), cases[i].value);
}

static void test_every_function_has_its_value(void **state) {
    static const struct {
        const char *name;
        double x, value;
    } cases[] = {
        {"exp", 0, 1},          {"exp", -INFINITY, 0},
        {"log", 1, 0},          {"log", 0, -INFINITY},
        {"sqrt", 9, 3},         {"sin", 0, 0},
        {"cos", 0, 1},          {"erf", 1, 0.84270079294971486934},
        {"erf", -INFINITY, -1}, {"sigmoid", 0, 0.5},
        {"sigmoid", -800, 0},   {"tanh", 0, 0},
        {"tanh", INFINITY, 1},
    };
    const TermFunction *function;
    for (size_t i = 0; (function = term_function_at(i)); i++) {
        bool told = false;
        for (size_t j = 0; j < sizeof cases / sizeof *cases; j++) {
            if (strcmp(cases[j].name, function->name) != 0)
                continue;
            const Term *x = term_number(arena, cases[j].x);
            assert_value(term_apply(arena, function, x), cases[j].value);
            told = true;
        }
        if (!told)
            fail_msg("test_term.c has no value of %s", function->name);
    }
}

static void test_largest_and_position_do_not_hide_nan(void **state) {
    const double values[] = {1, NAN, 5};
    assert_true(isnan(of(TERM_LARGEST, 3, values)->value));
    assert_value(of(TERM_POSITION, 3, values), 1);
}

static void test_evaluating_again_reads_the_inputs_present_values(void **state) {
    double a_values[] = {1, 2, 3, 4}, b_values[] = {10, 20};
    Tensor a = {.rows = 2, .cols = 2, .values = a_values};
    Tensor b = {.rows = 2, .cols = 1, .values = b_values};
    const Term *left = term_cell(arena, 0, &a, 1, 0),
               *right = term_cell(arena, 1, &b, 1, 0);
    const Term *term = term_binary(arena, TERM_PRODUCT, left, right);
    const double before = 60, after = 5 * 20, stored = 60;
    assert_close(&term->value, &before, 1, 0);
    a_values[2] = 5;
    double value = term_evaluate(term, (const Tensor *const[]){&a, &b});
    assert_close(&value, &after, 1, 0);
    assert_close(&term->value, &stored, 1, 0);
}

static void test_a_quantity_has_a_name_and_its_parts_value(void **state) {
    const Term *mean = term_quantity(arena, "row_mean", number(2.5));
    assert_string_equal(mean->name, "row_mean");
    assert_int_equal(mean->kind, TERM_QUANTITY);
    assert_value(mean, 2.5);
}

static void test_parts_are_copied(void **state) {
    const Term *parts[] = {number(1), number(2)};
    const Term *sum = term_new(arena, TERM_SUM, 2, parts);
    parts[0] = number(100);
    assert_value(sum, 3);
}

typedef struct Visited {
    size_t count;
    size_t places[8][3];
} Visited;

static void note(void *context, const Term *cell) {
    Visited *visited = context;
    size_t *place = visited->places[visited->count++];
    place[0] = cell->input;
    place[1] = cell->row;
    place[2] = cell->col;
}

static void test_cells_are_visited_from_left_to_right(void **state) {
    double values[] = {1, 2, 3, 4};
    Tensor x = {.rows = 2, .cols = 2, .values = values};
    const Term *first = term_cell(arena, 0, &x, 0, 1),
               *second = term_cell(arena, 2, &x, 1, 1);
    const Term *shared = term_quantity(arena, "total", second);
    const Term *term =
        term_binary(arena, TERM_QUOTIENT,
                    term_binary(arena, TERM_SUM, first,
                                term_binary(arena, TERM_PRODUCT, number(3), shared)),
                    shared);
    Visited visited = {0};
    term_visit_cells(term, note, &visited);
    const size_t expected[][3] = {{0, 0, 1}, {2, 1, 1}, {2, 1, 1}};
    assert_int_equal(visited.count, 3);
    assert_memory_equal(visited.places, expected, sizeof expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind_computes_what_its_name_says),
        cmocka_unit_test(test_every_function_has_its_value),
        cmocka_unit_test(test_largest_and_position_do_not_hide_nan),
        cmocka_unit_test(test_evaluating_again_reads_the_inputs_present_values),
        cmocka_unit_test(test_a_quantity_has_a_name_and_its_parts_value),
        cmocka_unit_test(test_parts_are_copied),
        cmocka_unit_test(test_cells_are_visited_from_left_to_right),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
