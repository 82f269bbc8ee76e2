#include "base/arena.h"
#include "base/error.h"
#include "tensor/operations/kernels.h"
#include "tensor/operations/operations.h"

#include <float.h>
#include <math.h>

/* Inputs x [n,d], then γ and, for layer norm, β, each one row of d. RMS norm is layer
 * norm of rows whose mean is taken to be 0. */

/* Layer norm centres its rows, RMS norm doesn't. */
static bool is_centred(const OperationCall *call) {
    return call->kind == OPERATION_LAYER_NORM;
}

static bool norm_shape(const OperationCall *call, Tensor *out, Error *error) {
    static const char *const names[] = {"x", "gamma", "beta"};
    const Tensor *x = call->inputs[0];
    (void)out;
    if (is_centred(call) && call->count == 2)
        return error_set(error, ERROR_SHAPE, 0, 0,
                         "it takes x alone, or x, gamma and beta");
    for (size_t i = 1; i < call->count; i++) {
        const Tensor *parameter = call->inputs[i];
        if (parameter->rows != 1 || parameter->cols != x->cols)
            return error_set(error, ERROR_SHAPE, 0, 0,
                             "%s is [%zu,%zu], but x is [%zu,%zu]; %s must be [1,%zu], a "
                             "number for each column",
                             names[i], parameter->rows, parameter->cols, x->rows, x->cols,
                             names[i], x->cols);
    }
    return true;
}

/* γ (1) or β (2), or NULL. */
static const double *parameter_of(const OperationCall *call, size_t input) {
    return input < call->count ? call->inputs[input]->values : NULL;
}

static void norm_forward(const OperationCall *call, Tensor *out) {
    kernel_norm(out->values, call->inputs[0]->values, parameter_of(call, 1),
                parameter_of(call, 2), is_centred(call), call->options.epsilon, out->rows,
                out->cols);
}

/* A row of input 0 and its statistics, as quantities. */
typedef struct NormTerms {
    const Term **cells, *count, *deviation;
    const Term *mean; /* mean in layer norm; NULL in RMS norm */
} NormTerms;

/* x, minus the mean in layer norm. */
static const Term *centred_term(const NormTerms *norm, size_t col, Arena *arena) {
    return norm->mean ? term_binary(arena, TERM_DIFFERENCE, norm->cells[col], norm->mean)
                      : norm->cells[col];
}

static void norm_terms(const OperationCall *call, size_t row, Arena *arena,
                       NormTerms *norm) {
    size_t d = call->inputs[0]->cols;
    bool centred = is_centred(call);
    *norm = (NormTerms){0};
    norm->cells = row_terms(call, row, arena);
    const Term **squares = arena_alloc(arena, d, sizeof *squares);
    norm->count = term_number(arena, (double)d);
    if (centred)
        norm->mean = term_quantity(arena, "row_mean",
                                   term_binary(arena, TERM_QUOTIENT,
                                               term_new(arena, TERM_SUM, d, norm->cells),
                                               norm->count));
    for (size_t j = 0; j < d; j++)
        squares[j] = term_binary(arena, TERM_POWER, centred_term(norm, j, arena),
                                 term_number(arena, 2));
    const Term *variance =
        term_quantity(arena, centred ? "row_variance" : "row_mean_square",
                      term_binary(arena, TERM_QUOTIENT,
                                  term_new(arena, TERM_SUM, d, squares), norm->count));
    norm->deviation =
        term_quantity(arena, centred ? "row_deviation" : "row_root_mean_square",
                      term_apply(arena, &term_sqrt,
                                 term_binary(arena, TERM_SUM, variance,
                                             term_number(arena, call->options.epsilon))));
}

/* (x − μ) / √(σ² + ε), or x / √(mean of x² + ε) */
static const Term *normal_term(const NormTerms *norm, size_t col, Arena *arena) {
    return term_binary(arena, TERM_QUOTIENT, centred_term(norm, col, arena),
                       norm->deviation);
}

static const Term *norm_explain(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col, Arena *arena) {
    (void)out;
    NormTerms norm;
    norm_terms(call, row, arena, &norm);
    const Term *term = normal_term(&norm, col, arena);
    if (call->count > 1)
        term = term_binary(arena, TERM_PRODUCT, term,
                           term_cell(arena, 1, call->inputs[1], 0, col));
    if (call->count > 2)
        term = term_binary(arena, TERM_SUM, term,
                           term_cell(arena, 2, call->inputs[2], 0, col));
    return term;
}

/* d x̂[j] / d x[col]: ((1 if j = col) − (1/d in layer norm) − x̂[j] · x̂[col] / d) /
 * standard deviation. */
static const Term *normal_gradient(const NormTerms *norm, size_t j, size_t col,
                                   Arena *arena) {
    const Term *both =
        term_binary(arena, TERM_QUOTIENT,
                    term_binary(arena, TERM_PRODUCT, normal_term(norm, j, arena),
                                normal_term(norm, col, arena)),
                    norm->count);
    const Term *own = term_number(arena, j == col ? 1 : 0);
    if (norm->mean)
        own = term_binary(
            arena, TERM_DIFFERENCE, own,
            term_binary(arena, TERM_QUOTIENT, term_number(arena, 1), norm->count));
    return term_binary(arena, TERM_QUOTIENT,
                       term_binary(arena, TERM_DIFFERENCE, own, both), norm->deviation);
}

/* For x the sum over the row; for γ and β the sum over the column. */
static const Term *norm_explain_backward(const OperationCall *call, const Tensor *out,
                                         const Tensor *gradient, size_t input, size_t row,
                                         size_t col, Arena *arena) {
    NormTerms norm;
    size_t count = input == 0 ? out->cols : out->rows;
    const Term **parts = arena_alloc(arena, count, sizeof *parts);
    if (input == 0)
        norm_terms(call, row, arena, &norm);
    for (size_t i = 0; i < count; i++) {
        if (input == 1)
            norm_terms(call, i, arena, &norm);
        size_t out_row = input == 0 ? row : i, out_col = input == 0 ? i : col;
        parts[i] = term_cell(arena, call->count + 1, gradient, out_row, out_col);
        if (input == 0 && call->count > 1)
            parts[i] = term_binary(arena, TERM_PRODUCT, parts[i],
                                   term_cell(arena, 1, call->inputs[1], 0, i));
        if (input < 2)
            parts[i] = term_binary(arena, TERM_PRODUCT, parts[i],
                                   input == 0 ? normal_gradient(&norm, i, col, arena)
                                              : normal_term(&norm, col, arena));
    }
    return term_new(arena, TERM_SUM, count, parts);
}

static void norm_backward(const OperationCall *call, const Tensor *out,
                          const double *gradient, double *const *gradients) {
    (void)out;
    const Tensor *x = call->inputs[0];
    kernel_norm_backward(gradients[0], call->count > 1 ? gradients[1] : NULL,
                         call->count > 2 ? gradients[2] : NULL, x->values,
                         parameter_of(call, 1), is_centred(call), call->options.epsilon,
                         gradient, x->rows, x->cols);
}

static OperationReach norm_reach(const OperationCall *call, const Tensor *out,
                                 size_t input, size_t row, size_t col) {
    return input == 0 ? reach_row(call, out, input, row, col)
                      : (OperationReach){0, out->rows, col, col + 1};
}

static bool is_not_finite(double value) {
    return !isfinite(value);
}

/* Reports why a row can't be normalized: its cells are all 0, or for layer norm all
 * equal. */
static const char *norm_problem(const OperationCall *call, const Tensor *out, size_t row,
                                size_t col) {
    (void)out, (void)col;
    const double *x = row_of(call, row);
    bool centred = is_centred(call);
    if (row_has(call, row, is_none))
        return "trouble.from_none";
    if (row_has(call, row, is_not_finite))
        return "trouble.infinite_row";
    for (size_t j = 0; j < call->inputs[0]->cols; j++) {
        if (x[j] != (centred ? x[0] : 0))
            return NULL;
    }
    if (!centred)
        return "trouble.no_size";
    return call->inputs[0]->cols > 1 ? "trouble.no_deviation" : NULL;
}

static bool is_epsilon(double value) {
    return value >= 0 && value < INFINITY;
}

/* The columns of the operation table that are equal for both. */
#define NORM_ROW                                                                         \
    .work = OPERATION_WORK_BY_ROW, .mutable = true, .normalizes = true,                  \
    .shape = norm_shape, .forward = norm_forward, .explain = norm_explain,               \
    .problem = norm_problem, .backward = norm_backward, .reach = norm_reach,             \
    .explain_backward = norm_explain_backward

const Operation operation_layer_norm = {
    .name = "layer_norm",
    .inputs = {1, 3},
    .arguments = "x[, gamma, beta[, epsilon]]",
    .numbers = {{"epsilon", offsetof(OperationOptions, epsilon),
                 .usual = LAYER_NORM_EPSILON, .fits = is_epsilon,
                 .must_be = "0 or a small positive number like 1e-5"}},
    .symbol = "LayerNorm",
    .formula = "\\frac{#1 - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}} \\odot \\gamma + \\beta",
    .code.numpy = "layer_norm(#*, epsilon=$epsilon)",
    .code.torch = "F.layer_norm(#1, [$width]{, #2.flatten()}{, #3.flatten()}, "
                  "eps=$epsilon)",
    .code.numpy_backward = {"layer_norm_back(#g, #*, epsilon=$epsilon)",
                            "(#g * layer_norm(#1, epsilon=$epsilon))"
                            ".sum(axis=0, keepdims=True)",
                            "#g.sum(axis=0, keepdims=True)"},
    .code.numpy_helpers =
        "def layer_norm(x, gamma=1, beta=0, epsilon=1e-5):\n"
        "    mean = x.mean(axis=1, keepdims=True)\n"
        "    return (x - mean) / np.sqrt(x.var(axis=1, keepdims=True) + epsilon) "
        "* gamma + beta\n"
        "\n"
        "def layer_norm_back(g, x, gamma=1, beta=0, epsilon=1e-5):\n"
        "    n = layer_norm(x, epsilon=epsilon)\n"
        "    g = g * gamma\n"
        "    g = g - g.mean(axis=1, keepdims=True) - n * (g * n).mean(axis=1, "
        "keepdims=True)\n"
        "    return g / np.sqrt(x.var(axis=1, keepdims=True) + epsilon)\n",
    NORM_ROW,
};

const Operation operation_rms_norm = {
    .name = "rms_norm",
    .inputs = {1, 2},
    .arguments = "x[, gamma[, epsilon]]",
    .numbers = {{"epsilon", offsetof(OperationOptions, epsilon), .usual = DBL_EPSILON,
                 .fits = is_epsilon,
                 .must_be = "0 or a small positive number like 1e-6"}},
    .symbol = "RMSNorm",
    .formula = "\\frac{#1}{\\op{RMS}\\left(#1\\right)} \\odot \\gamma",
    .code.numpy = "rms_norm(#*, epsilon=$epsilon)",
    .code.numpy_backward = {"rms_norm_back(#g, #*, epsilon=$epsilon)",
                            "(#g * rms_norm(#1, epsilon=$epsilon))"
                            ".sum(axis=0, keepdims=True)"},
    .code.numpy_helpers =
        "def rms(x, epsilon):\n"
        "    return np.sqrt((x * x).mean(axis=1, keepdims=True) + epsilon)\n"
        "\n"
        "def rms_norm(x, gamma=1, epsilon=2**-52):\n"
        "    return x / rms(x, epsilon) * gamma\n"
        "\n"
        "def rms_norm_back(g, x, gamma=1, epsilon=2**-52):\n"
        "    n = rms_norm(x, epsilon=epsilon)\n"
        "    g = g * gamma\n"
        "    g = g - n * (g * n).mean(axis=1, keepdims=True)\n"
        "    return g / rms(x, epsilon)\n",
    .code.torch_helpers =
        "def rms_norm(x, gamma=1, epsilon=2**-52):  # F.rms_norm, from PyTorch 2.4 on\n"
        "    return x * torch.rsqrt((x * x).mean(dim=1, keepdim=True) + epsilon) * "
        "gamma\n",
    NORM_ROW,
};
