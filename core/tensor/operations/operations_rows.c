#include "base/arena.h"
#include "base/error.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operations.h"

#include <math.h>

/* ---- matrix product ---- */

static bool matmul_shape(const OperationCall *call, Tensor *out, Error *error) {
    const Tensor *a = call->inputs[0], *b = call->inputs[1];
    out->rows = a->rows;
    out->cols = b->cols;
    if (a->cols == b->rows)
        return true;
    return error_set(
        error, ERROR_SHAPE, 0, 0,
        "[%zu,%zu] @ [%zu,%zu] don't fit: each of the left factor's %zu columns "
        "needs a row on the right, which has %zu%s",
        a->rows, a->cols, b->rows, b->cols, a->cols, b->rows,
        a->cols == b->cols ? "; the right factor's transpose (.T) would fit" : "");
}

static void matmul_forward(const OperationCall *call, Tensor *out) {
    const Tensor *a = call->inputs[0], *b = call->inputs[1];
    kernel_matmul(out->values, a->values, b->values, a->rows, a->cols, b->cols);
}

static const Term *matmul_explain(const OperationCall *call, const Tensor *out,
                                  size_t row, size_t col, Arena *arena) {
    (void)out;
    const Tensor *a = call->inputs[0], *b = call->inputs[1];
    const Term **products = arena_alloc(arena, a->cols, sizeof *products);
    for (size_t k = 0; k < a->cols; k++)
        products[k] = term_binary(arena, TERM_PRODUCT, term_cell(arena, 0, a, row, k),
                                  term_cell(arena, 1, b, k, col));
    return term_new(arena, TERM_SUM, a->cols, products);
}

static void matmul_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    out->row_labels = call->inputs[0]->row_labels;
    out->col_labels = call->inputs[1]->col_labels;
}

static void matmul_backward(const OperationCall *call, const Tensor *out,
                            const double *gradient, double *const *gradients) {
    const Tensor *a = call->inputs[0], *b = call->inputs[1];
    (void)out;
    if (gradients[0])
        kernel_matmul_backward_left(gradients[0], gradient, b->values, a->rows, a->cols,
                                    b->cols);
    if (gradients[1])
        kernel_matmul_backward_right(gradients[1], a->values, gradient, a->rows, a->cols,
                                     b->cols);
}

/* A cell of the left factor influences its row, times the right factor's row; one of the
 * right factor influences its column, times the left factor's column. */
static const Term *matmul_explain_backward(const OperationCall *call, const Tensor *out,
                                           const Tensor *gradient, size_t input,
                                           size_t row, size_t col, Arena *arena) {
    size_t count = input == 0 ? out->cols : out->rows, given = call->count + 1;
    const Term **products = arena_alloc(arena, count, sizeof *products);
    for (size_t i = 0; i < count; i++)
        products[i] = input == 0
                          ? term_binary(arena, TERM_PRODUCT,
                                        term_cell(arena, given, gradient, row, i),
                                        term_cell(arena, 1, call->inputs[1], col, i))
                          : term_binary(arena, TERM_PRODUCT,
                                        term_cell(arena, given, gradient, i, col),
                                        term_cell(arena, 0, call->inputs[0], i, row));
    return term_new(arena, TERM_SUM, count, products);
}

static OperationReach matmul_reach(const OperationCall *call, const Tensor *out,
                                   size_t input, size_t row, size_t col) {
    (void)call;
    return input == 0 ? (OperationReach){row, row + 1, 0, out->cols}
                      : (OperationReach){0, out->rows, col, col + 1};
}

const Operation operation_matmul = {
    .name = "matmul",
    .inputs = {2, 2},
    .formula = "#1 #2",
    .binding = OPERATION_BINDS_PRODUCT,
    .code.numpy = "#1 @ #2",
    .code.numpy_backward = {"#g @ #2.T", "#1.T @ #g"},
    .work = OPERATION_WORK_BY_ROW,
    .shape = matmul_shape,
    .forward = matmul_forward,
    .explain = matmul_explain,
    .problem = product_problem,
    .backward = matmul_backward,
    .reach = matmul_reach,
    .explain_backward = matmul_explain_backward,
    .label = matmul_label,
};

const Term **row_terms(const OperationCall *call, size_t row, Arena *arena) {
    const Tensor *x = call->inputs[0];
    const Term **terms = arena_alloc(arena, x->cols, sizeof *terms);
    for (size_t j = 0; j < x->cols; j++)
        terms[j] = term_cell(arena, 0, x, row, j);
    return terms;
}

const Term *combine_row(const OperationCall *call, size_t row, TermKind kind,
                        Arena *arena) {
    return term_new(arena, kind, call->inputs[0]->cols, row_terms(call, row, arena));
}

const Term **row_exponentials(const OperationCall *call, size_t row, const Term **largest,
                              const Term **total, Arena *arena) {
    size_t d = call->inputs[0]->cols;
    const Term **terms = row_terms(call, row, arena);
    *largest = term_shift(arena, "row_largest", *largest);
    for (size_t j = 0; j < d; j++)
        terms[j] = term_apply(arena, &term_exp,
                              term_binary(arena, TERM_DIFFERENCE, terms[j], *largest));
    *total = term_quantity(arena, "row_total", term_new(arena, TERM_SUM, d, terms));
    return terms;
}

/* ---- softmax ---- */

static bool is_plus_infinite(double value) {
    return isinf(value) && value > 0;
}

static bool is_not_masked(double value) {
    return !(isinf(value) && value < 0);
}

static void softmax_forward(const OperationCall *call, Tensor *out) {
    kernel_softmax(out->values, call->inputs[0]->values, out->rows, out->cols);
}

/* e^(x − largest) over the row's sum of the same; a row masked whole is zero. */
static const Term *softmax_explain(const OperationCall *call, const Tensor *out,
                                   size_t row, size_t col, Arena *arena) {
    (void)out;
    const Term *largest = combine_row(call, row, TERM_LARGEST, arena);
    if (largest->value == -INFINITY)
        return term_quantity(arena, "row_masked", term_number(arena, 0));
    const Term *total, **terms = row_exponentials(call, row, &largest, &total, arena);
    return term_binary(arena, TERM_QUOTIENT, terms[col], total);
}

static void softmax_backward(const OperationCall *call, const Tensor *out,
                             const double *gradient, double *const *gradients) {
    (void)call;
    if (gradients[0])
        kernel_softmax_backward(gradients[0], out->values, gradient, out->rows,
                                out->cols);
}

/* The sum over the row of gradient × −(its probability × this one's), and for this cell's
 * own gradient × probability × (1 − probability). */
static const Term *softmax_explain_backward(const OperationCall *call, const Tensor *out,
                                            const Tensor *gradient, size_t input,
                                            size_t row, size_t col, Arena *arena) {
    (void)input;
    const Term **parts = arena_alloc(arena, out->cols, sizeof *parts);
    const Term *own = term_cell(arena, call->count, out, row, col);
    for (size_t j = 0; j < out->cols; j++) {
        const Term *other =
            term_unary(arena, TERM_NEGATIVE,
                       term_binary(arena, TERM_PRODUCT,
                                   term_cell(arena, call->count, out, row, j), own));
        if (j == col)
            other = term_binary(
                arena, TERM_PRODUCT, own,
                term_binary(arena, TERM_DIFFERENCE, term_number(arena, 1), own));
        parts[j] =
            term_binary(arena, TERM_PRODUCT,
                        term_cell(arena, call->count + 1, gradient, row, j), other);
    }
    return term_new(arena, TERM_SUM, out->cols, parts);
}

static const char *softmax_problem(const OperationCall *call, const Tensor *out,
                                   size_t row, size_t col) {
    double share = tensor_at(out, row, col);
    if (share != 0 && !isnan(share))
        return NULL;
    if (row_has(call, row, is_none))
        return "trouble.from_none";
    if (row_has(call, row, is_plus_infinite))
        return "trouble.infinite_score";
    return row_has(call, row, is_not_masked) ? NULL : "trouble.row_masked";
}

const Operation operation_softmax = {
    .name = "softmax",
    .inputs = {1, 1},
    .arguments = "x",
    .symbol = "softmax",
    .formula = "\\op{softmax}\\left(#1\\right)",
    .code.numpy = "softmax(#1)",
    .code.torch_usual = "torch.softmax(#1, dim=1)",
    .code.numpy_backward = {"#o * (#g - (#g * #o).sum(axis=1, keepdims=True))"},
    .code.numpy_helpers = "def softmax(x):  # a row that is masked whole gives zeros\n"
                          "    most = x.max(axis=1, keepdims=True)\n"
                          "    e = np.exp(x - np.where(most == -np.inf, 0, most))\n"
                          "    total = e.sum(axis=1, keepdims=True)\n"
                          "    return e / np.where(total == 0, 1, total)\n",
    .code.numpy_usual_helpers = "def softmax(x):\n"
                                "    e = np.exp(x - x.max(axis=1, keepdims=True))\n"
                                "    return e / e.sum(axis=1, keepdims=True)\n",
    .code.torch_helpers = "def softmax(x):  # a row that is masked whole gives zeros\n"
                          "    masked = (x == -torch.inf).all(dim=1, keepdim=True)\n"
                          "    return torch.softmax(x, dim=1).masked_fill(masked, 0)\n",
    .work = OPERATION_WORK_BY_ROW,
    .values = OPERATION_VALUES_PROBABILITIES,
    .mutable = true,
    .forward = softmax_forward,
    .explain = softmax_explain,
    .problem = softmax_problem,
    .backward = softmax_backward,
    .reach = reach_row,
    .explain_backward = softmax_explain_backward,
};

/* ---- reductions: each row to one cell ---- */

/* Gives out one column, with input 0's rows. */
static bool reduction_shape(const OperationCall *call, Tensor *out, Error *error) {
    (void)call, (void)error;
    out->cols = 1;
    return true;
}

void reduction_label(const OperationCall *call, Tensor *out, Arena *arena) {
    (void)arena;
    out->row_labels = call->inputs[0]->row_labels;
}

/* The columns of the operation table that are equal for all reductions. */
#define REDUCTION_ROW(name)                                                              \
    .inputs = {1, 1}, .arguments = "x", .work = OPERATION_WORK_BY_ROW,                   \
    .shape = reduction_shape, .forward = name##_forward, .explain = name##_explain,      \
    .label = reduction_label

/* Adds to each cell of x its row's gradient over `divisor`. */
static void spread(const OperationCall *call, const double *gradient, double *to,
                   double divisor) {
    const Tensor *x = call->inputs[0];
    for (size_t i = 0; to && i < tensor_cells(x); i++)
        to[i] += gradient[i / x->cols] / divisor;
}

static void sum_forward(const OperationCall *call, Tensor *out) {
    for (size_t i = 0; i < out->rows; i++) {
        out->values[i] = 0;
        for (size_t j = 0; j < call->inputs[0]->cols; j++)
            out->values[i] += row_of(call, i)[j];
    }
}

static const Term *sum_explain(const OperationCall *call, const Tensor *out, size_t row,
                               size_t col, Arena *arena) {
    (void)out, (void)col;
    return combine_row(call, row, TERM_SUM, arena);
}

static void sum_backward(const OperationCall *call, const Tensor *out,
                         const double *gradient, double *const *gradients) {
    (void)out;
    spread(call, gradient, gradients[0], 1);
}

const Operation operation_sum = {
    .name = "sum",
    REDUCTION_ROW(sum),
    .symbol = "sum",
    .formula = "\\sum_{j} #1",
    .code.numpy = "#1.sum(axis=1, keepdims=True)",
    .code.torch = "#1.sum(dim=1, keepdim=True)",
    .code.numpy_backward = {"np.broadcast_to(#g, #1.shape)"},
    .backward = sum_backward,
    .reach = reach_row,
};

static void mean_forward(const OperationCall *call, Tensor *out) {
    for (size_t i = 0; i < out->rows; i++)
        out->values[i] = kernel_mean(row_of(call, i), call->inputs[0]->cols);
}

static const Term *mean_explain(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col, Arena *arena) {
    return term_binary(arena, TERM_QUOTIENT, sum_explain(call, out, row, col, arena),
                       term_number(arena, (double)call->inputs[0]->cols));
}

static void mean_backward(const OperationCall *call, const Tensor *out,
                          const double *gradient, double *const *gradients) {
    (void)out;
    spread(call, gradient, gradients[0], (double)call->inputs[0]->cols);
}

const Operation operation_mean = {
    .name = "mean",
    REDUCTION_ROW(mean),
    .symbol = "mean",
    .formula = "\\frac{1}{d} \\sum_{j} #1",
    .code.numpy = "#1.mean(axis=1, keepdims=True)",
    .code.torch = "#1.mean(dim=1, keepdim=True)",
    .code.numpy_backward = {"np.broadcast_to(#g / #1.shape[1], #1.shape)"},
    .backward = mean_backward,
    .reach = reach_row,
};

/* Index of the largest cell of a row, among all cells of input 0. */
static size_t largest_of(const OperationCall *call, size_t row) {
    size_t cols = call->inputs[0]->cols;
    return row * cols + kernel_argmax(row_of(call, row), cols);
}

static void max_forward(const OperationCall *call, Tensor *out) {
    for (size_t i = 0; i < out->rows; i++)
        out->values[i] = call->inputs[0]->values[largest_of(call, i)];
}

static const Term *max_explain(const OperationCall *call, const Tensor *out, size_t row,
                               size_t col, Arena *arena) {
    (void)out, (void)col;
    return combine_row(call, row, TERM_LARGEST, arena);
}

static void max_backward(const OperationCall *call, const Tensor *out,
                         const double *gradient, double *const *gradients) {
    for (size_t i = 0; gradients[0] && i < out->rows; i++)
        gradients[0][largest_of(call, i)] += gradient[i];
}

const Operation operation_max = {
    .name = "max",
    REDUCTION_ROW(max),
    .symbol = "max",
    .formula = "\\max_{j} #1",
    .code.numpy = "#1.max(axis=1, keepdims=True)",
    .code.torch = "#1.max(dim=1, keepdim=True).values",
    .code.numpy_backward = {"#g * one_hot(#1.argmax(axis=1), #1.shape[1])"},
    .values = OPERATION_VALUES_OF_INPUT,
    .backward = max_backward,
    .reach = reach_row,
};

static void argmax_forward(const OperationCall *call, Tensor *out) {
    for (size_t i = 0; i < out->rows; i++)
        out->values[i] = (double)kernel_argmax(row_of(call, i), call->inputs[0]->cols);
}

static const Term *argmax_explain(const OperationCall *call, const Tensor *out,
                                  size_t row, size_t col, Arena *arena) {
    (void)out, (void)col;
    return combine_row(call, row, TERM_POSITION, arena);
}

const Operation operation_argmax = {
    .name = "argmax",
    REDUCTION_ROW(argmax),
    .symbol = "argmax",
    .formula = "\\op{argmax}_{j} #1",
    .code.numpy = "#1.argmax(axis=1, keepdims=True).astype(float)",
    .code.torch = "#1.argmax(dim=1, keepdim=True).double()",
    .values = OPERATION_VALUES_POSITIONS,
};
