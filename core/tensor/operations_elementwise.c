#include "tensor/operations.h"

#include <math.h>

/* One axis of a broadcast: equal lengths, or one of them is 1. 0 when they disagree. */
static size_t broadcast(size_t a, size_t b) {
    return a == b || b == 1 ? a : a == 1 ? b : 0;
}

static bool broadcast_shape(const OperationCall *call, Tensor *out, Error *error) {
    const Tensor *a = call->inputs[0], *b = call->inputs[1];
    out->rows = broadcast(a->rows, b->rows);
    out->cols = broadcast(a->cols, b->cols);
    if (out->rows && out->cols)
        return true;
    return error_set(
        error, ERROR_SHAPE, 0, 0,
        "[%zu,%zu] and [%zu,%zu] don't fit; both must have the same shape, or "
        "one of them a row, a column or a number that is repeated",
        a->rows, a->cols, b->rows, b->cols);
}

/* The cell of an input that stands at (row, col) of the output. */
static double broadcast_at(const Tensor *input, size_t row, size_t col) {
    return tensor_at(input, input->rows == 1 ? 0 : row, input->cols == 1 ? 0 : col);
}

static const Term *broadcast_term(const OperationCall *call, size_t input, size_t row,
                                  size_t col, Arena *arena) {
    const Tensor *tensor = call->inputs[input];
    return term_cell(arena, input, tensor, tensor->rows == 1 ? 0 : row,
                     tensor->cols == 1 ? 0 : col);
}

static void map2(const OperationCall *call, Tensor *out, double (*f)(double, double)) {
    for (size_t i = 0; i < out->rows; i++) {
        for (size_t j = 0; j < out->cols; j++)
            out->values[i * out->cols + j] = f(broadcast_at(call->inputs[0], i, j),
                                               broadcast_at(call->inputs[1], i, j));
    }
}

static const Term *explain2(const OperationCall *call, size_t row, size_t col,
                            Arena *arena, TermKind kind) {
    return term_binary(arena, kind, broadcast_term(call, 0, row, col, arena),
                       broadcast_term(call, 1, row, col, arena));
}

static double add(double a, double b) {
    return a + b;
}

static void add_forward(const OperationCall *call, Tensor *out) {
    map2(call, out, add);
}

static const Term *add_explain(const OperationCall *call, const Tensor *out, size_t row,
                               size_t col, Arena *arena) {
    (void)out;
    return explain2(call, row, col, arena, TERM_SUM);
}

const Operation operation_add = {
    .name = "add",
    .inputs_min = 2,
    .inputs_max = 2,
    .mutable = true,
    .formula = "#1 + #2",
    .shape = broadcast_shape,
    .forward = add_forward,
    .explain = add_explain,
};

static double subtract(double a, double b) {
    return a - b;
}

static void subtract_forward(const OperationCall *call, Tensor *out) {
    map2(call, out, subtract);
}

static const Term *subtract_explain(const OperationCall *call, const Tensor *out,
                                    size_t row, size_t col, Arena *arena) {
    (void)out;
    return explain2(call, row, col, arena, TERM_DIFFERENCE);
}

const Operation operation_subtract = {
    .name = "subtract",
    .inputs_min = 2,
    .inputs_max = 2,
    .mutable = true,
    .formula = "#1 - #2",
    .shape = broadcast_shape,
    .forward = subtract_forward,
    .explain = subtract_explain,
};

static double multiply(double a, double b) {
    return a * b;
}

static void multiply_forward(const OperationCall *call, Tensor *out) {
    map2(call, out, multiply);
}

static const Term *multiply_explain(const OperationCall *call, const Tensor *out,
                                    size_t row, size_t col, Arena *arena) {
    (void)out;
    return explain2(call, row, col, arena, TERM_PRODUCT);
}

const Operation operation_multiply = {
    .name = "multiply",
    .inputs_min = 2,
    .inputs_max = 2,
    .mutable = true,
    .formula = "#1 \\odot #2",
    .shape = broadcast_shape,
    .forward = multiply_forward,
    .explain = multiply_explain,
};

static double divide(double a, double b) {
    return a / b;
}

static void divide_forward(const OperationCall *call, Tensor *out) {
    map2(call, out, divide);
}

static const Term *divide_explain(const OperationCall *call, const Tensor *out,
                                  size_t row, size_t col, Arena *arena) {
    (void)out;
    return explain2(call, row, col, arena, TERM_QUOTIENT);
}

const Operation operation_divide = {
    .name = "divide",
    .inputs_min = 2,
    .inputs_max = 2,
    .mutable = true,
    .formula = "\\frac{#1}{#2}",
    .shape = broadcast_shape,
    .forward = divide_forward,
    .explain = divide_explain,
};

static void map1(const OperationCall *call, Tensor *out, double (*f)(double)) {
    for (size_t i = 0; i < tensor_cells(out); i++)
        out->values[i] = f(call->inputs[0]->values[i]);
}

static const Term *explain1(const OperationCall *call, size_t row, size_t col,
                            Arena *arena, TermKind kind) {
    return term_unary(arena, kind, term_cell(arena, 0, call->inputs[0], row, col));
}

static double negate(double x) {
    return -x;
}

static void negate_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, negate);
}

static const Term *negate_explain(const OperationCall *call, const Tensor *out,
                                  size_t row, size_t col, Arena *arena) {
    (void)out;
    return explain1(call, row, col, arena, TERM_NEGATIVE);
}

const Operation operation_negate = {
    .name = "negate",
    .inputs_min = 1,
    .inputs_max = 1,
    .mutable = true,
    .formula = "-#1",
    .shape = shape_same,
    .forward = negate_forward,
    .explain = negate_explain,
};

static double relu(double x) {
    return x < 0 ? 0 : x; /* NaN stays NaN */
}

static void relu_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, relu);
}

static const Term *relu_explain(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col, Arena *arena) {
    (void)out;
    return term_binary(arena, TERM_LARGEST, term_number(arena, 0),
                       term_cell(arena, 0, call->inputs[0], row, col));
}

const Operation operation_relu = {
    .name = "relu",
    .inputs_min = 1,
    .inputs_max = 1,
    .callable = true,
    .mutable = true,
    .formula = "\\max\\left(0, #1\\right)",
    .shape = shape_same,
    .forward = relu_forward,
    .explain = relu_explain,
};

static void exp_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, exp);
}

static const Term *exp_explain(const OperationCall *call, const Tensor *out, size_t row,
                               size_t col, Arena *arena) {
    (void)out;
    return explain1(call, row, col, arena, TERM_EXP);
}

const Operation operation_exp = {
    .name = "exp",
    .inputs_min = 1,
    .inputs_max = 1,
    .callable = true,
    .mutable = true,
    .formula = "e^{#1}",
    .shape = shape_same,
    .forward = exp_forward,
    .explain = exp_explain,
};

static void sqrt_forward(const OperationCall *call, Tensor *out) {
    map1(call, out, sqrt);
}

static const Term *sqrt_explain(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col, Arena *arena) {
    (void)out;
    return explain1(call, row, col, arena, TERM_SQRT);
}

const Operation operation_sqrt = {
    .name = "sqrt",
    .inputs_min = 1,
    .inputs_max = 1,
    .callable = true,
    .mutable = true,
    .formula = "\\sqrt{#1}",
    .shape = shape_same,
    .forward = sqrt_forward,
    .explain = sqrt_explain,
};
