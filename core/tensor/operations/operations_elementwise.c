#include "tensor/operations/operations.h"

#include "base/error.h"

/* Length of one broadcast axis: equal lengths, or one of them is 1. 0 if they
 * disagree. */
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

static const Term *broadcast_term(const OperationCall *call, size_t input, size_t row,
                                  size_t col, Arena *arena) {
    const Tensor *tensor = call->inputs[input];
    return term_cell(arena, input, tensor, tensor->rows == 1 ? 0 : row,
                     tensor->cols == 1 ? 0 : col);
}

/* An input's broadcast number at a cell. */
static double broadcast_at(const OperationCall *call, size_t input, size_t row,
                           size_t col) {
    const Tensor *tensor = call->inputs[input];
    return tensor_at(tensor, tensor->rows == 1 ? 0 : row, tensor->cols == 1 ? 0 : col);
}

/* Distances between an input's cells from row to row and from column to column of the
 * output. */
typedef struct Stride {
    size_t row, col;
} Stride;

static Stride stride_of(const Tensor *input) {
    return (Stride){input->rows == 1 ? 0 : input->cols, input->cols == 1 ? 0 : 1};
}

/* The output's rows, merged into as few long ones as possible: into a single one if
 * neither input is repeated from row to row, or if the right one is a number. */
static Tensor long_rows(const OperationCall *call, const Tensor *out) {
    Stride sa = stride_of(call->inputs[0]), sb = stride_of(call->inputs[1]);
    bool left = sa.col && sa.row == out->cols;
    bool right = sb.col ? sb.row == out->cols : !sb.row;
    return left && right ? (Tensor){1, tensor_cells(out), out->values, NULL, NULL} : *out;
}

static inline void map2(const OperationCall *call, Tensor *whole,
                        double (*f)(double, double)) {
    Stride sa = stride_of(call->inputs[0]), sb = stride_of(call->inputs[1]);
    const Tensor out = long_rows(call, whole);
    for (size_t i = 0; i < out.rows; i++) {
        const double *a = call->inputs[0]->values + i * sa.row;
        const double *b = call->inputs[1]->values + i * sb.row;
        double *restrict cells = out.values + i * out.cols;
        if (sa.col && sb.col) {
            for (size_t j = 0; j < out.cols; j++)
                cells[j] = f(a[j], b[j]);
        } else if (sa.col) {
            double number = b[0];
            for (size_t j = 0; j < out.cols; j++)
                cells[j] = f(a[j], number);
        } else {
            for (size_t j = 0; j < out.cols; j++)
                cells[j] = f(a[j * sa.col], b[j * sb.col]);
        }
    }
}

/* Gradient of one input: a function of the gradient, both inputs and the output at each
 * position, summed where the input is broadcast. */
typedef double (*Backward2)(double gradient, double a, double b, double out);

static inline void backward2(const OperationCall *call, const Tensor *whole,
                             const double *gradient, double *const *gradients,
                             size_t input, Backward2 f) {
    if (!gradients[input])
        return;
    Stride sa = stride_of(call->inputs[0]), sb = stride_of(call->inputs[1]);
    Stride st = input ? sb : sa;
    const Tensor out = long_rows(call, whole);
    for (size_t i = 0; i < out.rows; i++) {
        const double *a = call->inputs[0]->values + i * sa.row;
        const double *b = call->inputs[1]->values + i * sb.row;
        const double *g = gradient + i * out.cols, *y = out.values + i * out.cols;
        double *restrict to = gradients[input] + i * st.row;
        if (sa.col && sb.col) {
            for (size_t j = 0; j < out.cols; j++)
                to[j] += f(g[j], a[j], b[j], y[j]);
        } else if (sa.col && !input) {
            double number = b[0];
            for (size_t j = 0; j < out.cols; j++)
                to[j] += f(g[j], a[j], number, y[j]);
        } else {
            for (size_t j = 0; j < out.cols; j++)
                to[j * st.col] += f(g[j], a[j * sa.col], b[j * sb.col], y[j]);
        }
    }
}

static const Term *explain2(const OperationCall *call, size_t row, size_t col,
                            Arena *arena, TermKind kind) {
    return term_binary(arena, kind, broadcast_term(call, 0, row, col, arena),
                       broadcast_term(call, 1, row, col, arena));
}

/* Defines the functions of an operation on two cells a and b: the `value` of the result
 * `out`; the gradients `left` and `right` with respect to a and b, given g, the gradient
 * with respect to `out`; and the kind of the result's term. */
#define BY_CELLS(name, value, left, right, kind)                                         \
    static double name##_value(double a, double b) {                                     \
        return value;                                                                    \
    }                                                                                    \
    static double name##_left(double g, double a, double b, double out) {                \
        (void)a, (void)b, (void)out;                                                     \
        return left;                                                                     \
    }                                                                                    \
    static double name##_right(double g, double a, double b, double out) {               \
        (void)a, (void)b, (void)out;                                                     \
        return right;                                                                    \
    }                                                                                    \
    static void name##_forward(const OperationCall *call, Tensor *out) {                 \
        map2(call, out, name##_value);                                                   \
    }                                                                                    \
    static void name##_backward(const OperationCall *call, const Tensor *out,            \
                                const double *gradient, double *const *gradients) {      \
        backward2(call, out, gradient, gradients, 0, name##_left);                       \
        backward2(call, out, gradient, gradients, 1, name##_right);                      \
    }                                                                                    \
    static const Term *name##_explain(const OperationCall *call, const Tensor *out,      \
                                      size_t row, size_t col, Arena *arena) {            \
        (void)out;                                                                       \
        return explain2(call, row, col, arena, kind);                                    \
    }

/* The columns of the operation table that are equal for all elementwise operations. */
#define BY_CELLS_ROW(name)                                                               \
    .inputs = {2, 2}, .work = OPERATION_WORK_BY_CELL, .mutable = true,                   \
    .shape = broadcast_shape, .forward = name##_forward, .explain = name##_explain,      \
    .backward = name##_backward, .reach = reach_place

BY_CELLS(add, a + b, g, g, TERM_SUM)

const Operation operation_add = {
    .name = "add",
    BY_CELLS_ROW(add),
    .symbol = "+",
    .formula = "#1 + #2",
    .binding = OPERATION_BINDS_SUM,
    .code.numpy = "#1 + #2",
    .code.numpy_backward = {"sum_to(#g, #x)"},
};

BY_CELLS(subtract, a - b, g, -g, TERM_DIFFERENCE)

const Operation operation_subtract = {
    .name = "subtract",
    BY_CELLS_ROW(subtract),
    .symbol = "-",
    .formula = "#1 - #2",
    .binding = OPERATION_BINDS_SUM,
    .code.numpy = "#1 - #2",
    .code.numpy_backward = {"sum_to(#g, #x)", "sum_to(-#g, #x)"},
};

BY_CELLS(multiply, (a * b), (g * b), (g * a), TERM_PRODUCT)

const Operation operation_multiply = {
    .name = "multiply",
    BY_CELLS_ROW(multiply),
    .symbol = "\\odot",
    .formula = "#1 \\odot #2",
    .binding = OPERATION_BINDS_PRODUCT,
    .code.numpy = "#1 * #2",
    .code.numpy_backward = {"sum_to(#g * #2, #x)", "sum_to(#g * #1, #x)"},
    .rescales = true,
    .problem = product_problem,
};

BY_CELLS(divide, a / b, g / b, -(g *out / b), TERM_QUOTIENT)

static const char *divide_problem(const OperationCall *call, const Tensor *out,
                                  size_t row, size_t col) {
    (void)out;
    if (broadcast_at(call, 1, row, col) != 0)
        return NULL;
    return broadcast_at(call, 0, row, col) == 0 ? "trouble.zero_by_zero"
                                                : "trouble.by_zero";
}

const Operation operation_divide = {
    .name = "divide",
    BY_CELLS_ROW(divide),
    .symbol = "\\div",
    .formula = "\\frac{#1}{#2}",
    .binding = OPERATION_BINDS_PRODUCT,
    .code.numpy = "#1 / #2",
    .code.numpy_backward = {"sum_to(#g / #2, #x)", "sum_to(-#g * #1 / (#2 * #2), #x)"},
    .rescales = true,
    .problem = divide_problem,
};
