#include "close.h"
#include "contains.h"
#include "gradient_reference.h"
#include "term_value.h"

#include "base/error.h"
#include "tensor/operations/operation.h"
#include "tensor/terms/term.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static GradientReference reference;

static int load(void **state) {
    reference = gradient_reference_load();
    return 0;
}

static int unload(void **state) {
    arena_destroy(reference.arena);
    return 0;
}

static bool is_near(double actual, double expected, double tolerance) {
    double difference = actual == expected ? 0 : fabs(actual - expected);
    return difference <= tolerance * fmax(1, fabs(expected));
}

/* Gradients of one call's inputs: 0 to begin with, NULL where `wanted` says so. */
typedef struct Back {
    double *of[REFERENCE_MAX_INPUTS];
} Back;

static Back back_begin(const GradientCase *item, size_t unwanted) {
    Back back = {0};
    for (size_t i = 0; i < item->forward.input_count; i++) {
        if (item->back[i].values && i != unwanted)
            back.of[i] = calloc(tensor_cells(&item->forward.inputs[i]), sizeof(double));
    }
    return back;
}

static void back_end(Back *back) {
    for (size_t i = 0; i < REFERENCE_MAX_INPUTS; i++)
        free(back->of[i]);
}

static void go_back(const GradientCase *item, Back *back) {
    OperationCall call = reference_call(&item->forward);
    operation_of(item->forward.kind)
        ->backward(&call, &item->forward.output, item->gradient.values, back->of);
}

/* ---- the kernels ---- */

static void test_what_gives_back_has_cases_and_what_does_not_is_known(void **state) {
    const OperationKind without[] = {
        OPERATION_GIVEN,       OPERATION_ARGMAX,       OPERATION_ONE_HOT,
        OPERATION_CAUSAL_MASK, OPERATION_PADDING_MASK, OPERATION_POSITIONAL_ENCODING,
        OPERATION_BACKWARD,
    };
    for (size_t kind = 0; kind < OPERATION_COUNT; kind++) {
        size_t cases = 0;
        bool none = false;
        for (size_t i = 0; i < reference.count; i++)
            cases += reference.cases[i].forward.kind == kind;
        for (size_t i = 0; i < COUNT(without); i++)
            none |= without[i] == kind;
        const Operation *operation = operation_of((OperationKind)kind);
        if (none != !operation->backward || none != !operation->reach ||
            (!none && cases < 4))
            fail_msg("%s: %zu cases; one with a gradient has at least 4, from "
                     "tests/reference/gradients.py, and .backward and .reach in its row",
                     operation->name, cases);
    }
    assert_true(operation_has_gradient(OPERATION_EMBED, 0));
    assert_false(operation_has_gradient(OPERATION_EMBED, 1));
    assert_false(operation_has_gradient(OPERATION_CROSS_ENTROPY, 1));
    assert_true(operation_has_gradient(OPERATION_CONCAT, 9));
    assert_false(operation_has_gradient(OPERATION_ARGMAX, 0));
}

static void test_every_operation_gives_back_what_pytorch_does(void **state) {
    for (size_t c = 0; c < reference.count; c++) {
        const GradientCase *item = &reference.cases[c];
        Back back = back_begin(item, SIZE_MAX);
        go_back(item, &back);
        for (size_t i = 0; i < item->forward.input_count; i++) {
            for (size_t j = 0; back.of[i] && j < tensor_cells(&item->back[i]); j++) {
                if (!is_near(back.of[i][j], item->back[i].values[j], 1e-9))
                    fail_msg("%s: input %zu, cell %zu: %.17g is not %.17g",
                             item->forward.name, i, j, back.of[i][j],
                             item->back[i].values[j]);
            }
        }
        back_end(&back);
    }
}

static void test_what_is_given_back_is_added_to_what_is_there(void **state) {
    for (size_t c = 0; c < reference.count; c++) {
        const GradientCase *item = &reference.cases[c];
        for (size_t unwanted = 0; unwanted < item->forward.input_count; unwanted++) {
            Back back = back_begin(item, unwanted);
            go_back(item, &back);
            go_back(item, &back);
            for (size_t i = 0; i < item->forward.input_count; i++) {
                for (size_t j = 0; back.of[i] && j < tensor_cells(&item->back[i]); j++)
                    assert_true(
                        is_near(back.of[i][j], 2 * item->back[i].values[j], 1e-9));
            }
            back_end(&back);
        }
    }
}

/* The sum of the output's cells, each times its gradient, with one input cell moved. */
static double moved(const GradientCase *item, size_t input, size_t cell, double step,
                    double *scratch) {
    Tensor changed = item->forward.inputs[input], out = item->forward.output;
    const Tensor *inputs[REFERENCE_MAX_INPUTS];
    memcpy(inputs, item->forward.input_pointers, sizeof inputs);
    inputs[input] = &changed;
    memcpy(scratch, changed.values, tensor_cells(&changed) * sizeof *scratch);
    scratch[cell] += step;
    changed.values = scratch;
    out.values = scratch + tensor_cells(&changed);
    OperationCall call = {inputs, item->forward.input_count, item->forward.options,
                          item->forward.kind};
    operation_of(item->forward.kind)->forward(&call, &out);
    double sum = 0;
    for (size_t i = 0; i < tensor_cells(&out); i++) {
        if (isfinite(out.values[i])) /* what is cut away stays so */
            sum += out.values[i] * item->gradient.values[i];
    }
    return sum;
}

/* Returns the numerical slope from central differences over one step and two steps,
 * combined so that their third-order errors cancel. This accuracy is needed where a norm
 * of a single column near 0 is strongly curved. */
static double slope_at(const GradientCase *item, size_t input, size_t cell,
                       double *scratch) {
    const double step = 1e-5;
    double differences[2];
    for (int i = 0; i < 2; i++)
        differences[i] = moved(item, input, cell, (i + 1) * step, scratch) -
                         moved(item, input, cell, -(i + 1) * step, scratch);
    return (8 * differences[0] - differences[1]) / (12 * step);
}

/* Returns true if finite differences give the derivative: no kink and no jump within
 * reach. */
static bool is_smooth_at(const GradientCase *item, double value) {
    static const char *const rough[] = {"relu_at_zero",
                                        "max_ties",
                                        "softmax_minus_1e9",
                                        "add_mask",
                                        "layer_norm_constant_rows",
                                        "rms_norm_constant_rows"};
    for (size_t i = 0; i < COUNT(rough); i++) {
        if (strcmp(item->forward.name, rough[i]) == 0)
            return false;
    }
    return fabs(value) < 100;
}

static void test_what_is_given_back_is_the_slope(void **state) {
    const double tolerance = 1e-6;
    double *scratch = malloc(100000 * sizeof *scratch);
    size_t checked = 0;
    for (size_t c = 0; c < reference.count; c++) {
        const GradientCase *item = &reference.cases[c];
        Back back = back_begin(item, SIZE_MAX);
        go_back(item, &back);
        for (size_t i = 0; i < item->forward.input_count; i++) {
            for (size_t j = 0; back.of[i] && j < tensor_cells(&item->back[i]); j++) {
                if (!is_smooth_at(item, item->forward.inputs[i].values[j]))
                    continue;
                double slope = slope_at(item, i, j, scratch);
                if (!is_near(back.of[i][j], slope, tolerance))
                    fail_msg("%s: input %zu, cell %zu: %.12g, but the slope is %.12g",
                             item->forward.name, i, j, back.of[i][j], slope);
                checked++;
            }
        }
        back_end(&back);
    }
    free(scratch);
    assert_true(checked > 3000);
}

/* ---- explanations ---- */

/* The call of the OPERATION_BACKWARD that belongs to a case. */
typedef struct BackwardCall {
    const Tensor *inputs[REFERENCE_MAX_INPUTS + 2];
    OperationCall call;
} BackwardCall;

static void backward_call(const GradientCase *item, size_t input, BackwardCall *back) {
    size_t count = item->forward.input_count;
    memcpy(back->inputs, item->forward.input_pointers, count * sizeof *back->inputs);
    back->inputs[count] = &item->forward.output;
    back->inputs[count + 1] = &item->gradient;
    back->call = (OperationCall){back->inputs, count + 2, item->forward.options,
                                 OPERATION_BACKWARD};
    back->call.options.operation = item->forward.kind;
    back->call.options.input = input;
}

static void check_term(const GradientCase *item, const BackwardCall *back,
                       const char *what, size_t cell, const Term *term, double expected) {
    assert_non_null(term);
    double again = term_evaluate(term, back->inputs);
    if (!is_near(term->value, expected, 1e-9) || !is_near(again, expected, 1e-9))
        fail_msg("%s: %s of input %zu, cell %zu: %.17g and %.17g, not %.17g",
                 item->forward.name, what, back->call.options.input, cell, term->value,
                 again, expected);
}

/* Checks each cell of a case's gradient of an input: by the operation's kernel, by its
 * own explanation, and by the rules of differentiation applied to the explanation of its
 * output. */
static void check_explanations(const GradientCase *item, size_t input, Arena *arena) {
    const Operation *operation = operation_of(OPERATION_BACKWARD);
    OperationCall forward = reference_call(&item->forward);
    BackwardCall back;
    Tensor out = {0};
    backward_call(item, input, &back);
    assert_true(operation->shape(&back.call, &out, NULL));
    size_t cells = tensor_cells(&out);
    assert_int_equal(cells, tensor_cells(&item->back[input]));
    out.values = malloc(cells * sizeof *out.values);
    memset(out.values, 0xff, cells * sizeof *out.values); /* NaN: forward starts afresh */
    operation->forward(&back.call, &out);
    for (size_t cell = 0; cell < cells; cell++) {
        double expected = item->back[input].values[cell];
        size_t row = cell / out.cols, col = cell % out.cols;
        arena_reset(arena);
        assert_true(is_near(out.values[cell], expected, 1e-9));
        check_term(item, &back, "the explanation", cell,
                   operation->explain(&back.call, &out, row, col, arena), expected);
        check_term(item, &back, "the rule", cell,
                   backward_by_rule(&forward, &item->forward.output, &item->gradient,
                                    NULL, input, row, col, arena),
                   expected);
    }
    free(out.values);
}

static void test_explanations_arrive_at_what_is_given_back(void **state) {
    Arena *arena = arena_create((size_t)256 << 20);
    for (size_t c = 0; c < reference.count; c++) {
        const GradientCase *item = &reference.cases[c];
        for (size_t i = 0; i < item->forward.input_count; i++) {
            if (item->back[i].values)
                check_explanations(item, i, arena);
        }
    }
    arena_destroy(arena);
}

static void test_backward_refuses_what_can_not_be_gone_back_through(void **state) {
    const Operation *operation = operation_of(OPERATION_BACKWARD);
    double cells[12] = {0};
    Tensor x = {.rows = 3, .cols = 2, .values = cells}, sum = x, out;
    sum.cols = 1;
    Error error = {0};
    OperationCall call = {(const Tensor *[]){&x, &sum, &x}, 3, {0}, OPERATION_BACKWARD};
    call.options.operation = OPERATION_SUM;
    assert_false(operation->shape(&call, &out, &error));
    assert_int_equal(error.code, ERROR_SHAPE);
    assert_contains(error.message, "[3,2]");
    call.options.operation = OPERATION_ARGMAX;
    assert_false(operation->shape(&call, &out, &error));
    assert_int_equal(error.code, ERROR_VALUE);
    call.options.operation = OPERATION_SUM;
    call.options.input = 1;
    assert_false(operation->shape(&call, &out, &error));
    assert_int_equal(error.code, ERROR_VALUE);
}

/* ---- derivatives of terms ---- */

typedef struct Rules {
    Arena *arena;
    Tensor x;
    const Tensor *inputs[1];
    double values[3];
} Rules;

static int rules_begin(void **state) {
    Rules *rules = calloc(1, sizeof *rules);
    rules->arena = arena_create(1 << 20);
    memcpy(rules->values, (double[]){0.7, 1.9, -0.4}, sizeof rules->values);
    rules->x = (Tensor){.rows = 1, .cols = 3, .values = rules->values};
    rules->inputs[0] = &rules->x;
    *state = rules;
    return 0;
}

static int rules_end(void **state) {
    Rules *rules = *state;
    arena_destroy(rules->arena);
    free(rules);
    return 0;
}

static const Term *cell(Rules *rules, size_t col) {
    return term_cell(rules->arena, 0, &rules->x, 0, col);
}

/* Compares a term's derivative with respect to each cell with its slope. */
static void check_rule(Rules *rules, const Term *term) {
    for (size_t col = 0; col < 3; col++) {
        const Term *derivative = term_derivative(rules->arena, term, 0, 0, col, NULL);
        assert_non_null(derivative);
        double kept = rules->values[col], step = 1e-6;
        rules->values[col] = kept + step;
        double above = term_evaluate(term, rules->inputs);
        rules->values[col] = kept - step;
        double below = term_evaluate(term, rules->inputs);
        rules->values[col] = kept;
        double slope = (above - below) / (2 * step);
        assert_close(&derivative->value, &slope, 1, 1e-8);
        double again = term_evaluate(derivative, rules->inputs);
        assert_close(&again, &slope, 1, 1e-8);
    }
}

static void test_each_kind_of_term_has_its_rule(void **state) {
    Rules *rules = *state;
    Arena *arena = rules->arena;
    const Term *a = cell(rules, 0), *b = cell(rules, 1), *c = cell(rules, 2);
    const Term *all[] = {a, b, c};
    const Term *two = term_number(arena, 2);
    const TermKind many[] = {TERM_SUM, TERM_PRODUCT, TERM_LARGEST};
    for (size_t i = 0; i < COUNT(many); i++)
        check_rule(rules, term_new(arena, many[i], 3, all));
    const TermKind pairs[] = {TERM_DIFFERENCE, TERM_QUOTIENT, TERM_ROW_OF,
                              TERM_COLUMN_OF};
    for (size_t i = 0; i < 2; i++)
        check_rule(rules, term_binary(arena, pairs[i], a, b));
    for (size_t i = 2; i < COUNT(pairs); i++)
        check_rule(rules, term_binary(arena, pairs[i], two, b));
    const TermKind kinds[] = {TERM_NEGATIVE, TERM_QUANTITY};
    const Term *product = term_binary(arena, TERM_PRODUCT, a, b);
    for (size_t i = 0; i < COUNT(kinds); i++)
        check_rule(rules, term_unary(arena, kinds[i], product));
    for (size_t i = 0; term_function_at(i); i++)
        check_rule(rules, term_apply(arena, term_function_at(i), product));
    check_rule(rules, term_binary(arena, TERM_POWER, a, two));
    check_rule(rules, term_binary(arena, TERM_POWER, a, term_number(arena, 2.5)));
    check_rule(rules, term_binary(arena, TERM_POWER, a, b));
    check_rule(rules, term_binary(arena, TERM_POWER, two, product));
    const Term *const equal[] = {a, a, product, c};
    const Term *const greater[] = {c, a, b, product};
    check_rule(rules, term_new(arena, TERM_EQUAL, 4, equal));
    check_rule(rules, term_new(arena, TERM_GREATER, 4, greater));
    const Term *const place[] = {two, a, b, c};
    check_rule(rules, term_new(arena, TERM_RANK, 4, place));
}

static void test_a_number_that_cancels_is_passed_by(void **state) {
    Rules *rules = *state;
    Arena *arena = rules->arena;
    const Term *largest = term_shift(arena, "row_largest", cell(rules, 1));
    const Term *up = term_binary(arena, TERM_SUM, cell(rules, 0), largest);
    const Term *term = term_binary(arena, TERM_DIFFERENCE, up, largest);
    check_rule(rules, term);
    const Term *slope = term_derivative(arena, term, 0, 0, 0, NULL);
    assert_int_equal(slope->kind, TERM_NUMBER);
    assert_true(slope->value == 1);
    assert_true(term_is_zero(term_derivative(arena, term, 0, 0, 1, NULL)));
}

static void test_derivatives_are_short(void **state) {
    Rules *rules = *state;
    Arena *arena = rules->arena;
    const Term *a = cell(rules, 0), *b = cell(rules, 1), *zero = term_number(arena, 0);
    /* a · b + b: with respect to a it is the cell b itself. */
    const Term *product = term_binary(arena, TERM_PRODUCT, a, b);
    const Term *sum = term_binary(arena, TERM_SUM, product, b);
    const Term *slope = term_derivative(arena, sum, 0, 0, 0, NULL);
    assert_int_equal(slope->kind, TERM_CELL);
    assert_int_equal(slope->col, 1);
    assert_true(term_is_zero(term_derivative(arena, sum, 0, 0, 2, NULL)));
    /* relu: 1 where it passes, 0 where it cuts. */
    slope =
        term_derivative(arena, term_binary(arena, TERM_LARGEST, zero, a), 0, 0, 0, NULL);
    assert_int_equal(slope->kind, TERM_NUMBER);
    assert_true(slope->value == 1);
    assert_true(term_is_zero(term_derivative(
        arena, term_binary(arena, TERM_LARGEST, zero, cell(rules, 2)), 0, 0, 2, NULL)));
    /* e^a is its own slope, and may go by another name. */
    const Term *power = term_apply(arena, &term_exp, a);
    assert_ptr_equal(term_derivative(arena, power, 0, 0, 0, NULL), power);
    assert_ptr_equal(term_derivative(arena, power, 0, 0, 0, b), b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_gives_back_has_cases_and_what_does_not_is_known),
        cmocka_unit_test(test_every_operation_gives_back_what_pytorch_does),
        cmocka_unit_test(test_what_is_given_back_is_added_to_what_is_there),
        cmocka_unit_test(test_what_is_given_back_is_the_slope),
        cmocka_unit_test(test_explanations_arrive_at_what_is_given_back),
        cmocka_unit_test(test_backward_refuses_what_can_not_be_gone_back_through),
        cmocka_unit_test_setup_teardown(test_each_kind_of_term_has_its_rule, rules_begin,
                                        rules_end),
        cmocka_unit_test_setup_teardown(test_a_number_that_cancels_is_passed_by,
                                        rules_begin, rules_end),
        cmocka_unit_test_setup_teardown(test_derivatives_are_short, rules_begin,
                                        rules_end),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
